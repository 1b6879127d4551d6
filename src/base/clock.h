/*
 * A clock that only goes forward.
 */
#ifndef TALLY_BASE_CLOCK_H
#define TALLY_BASE_CLOCK_H

/* Seconds since some moment. */
double tally_clock(void);

#endif
