/*
 * A clock that only goes forward: POSIX's.
 */
#define _POSIX_C_SOURCE 200809L
#include "base/clock.h"

#include <time.h>

double tally_clock(void) {
    struct timespec now = {0, 0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}
