/*
 * Work that several threads share for as long as one call takes. Knows nothing of what the work is.
 */
#ifndef TALLY_BASE_TEAM_H
#define TALLY_BASE_TEAM_H

#include <stdint.h>

/* The most threads of a team, the caller's among them. */
#define TALLY_TEAM_MOST 16u

/* A share of the work: the index-th of so many. */
typedef void tally_team_work(void *user, uint32_t index);

/*
 * Do all shares, the first one on this thread and each other one on a thread of its own, and wait
 * for them. A share for which the system has no thread left is done on this one.
 */
void tally_team_run(uint32_t shares, tally_team_work *work, void *user);

#endif
