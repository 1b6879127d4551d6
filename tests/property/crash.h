/*
 * crash.h: a last word on what was running when the program is killed by a fault of its own, which
 * Check does not survive without forking, and a driver's threads do not survive a fork.
 */
#ifndef TESTS_PROPERTY_CRASH_H
#define TESTS_PROPERTY_CRASH_H

/* From now on, a fatal signal first prints the last text given to crash_say. */
void crash_watch(void);

void crash_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
