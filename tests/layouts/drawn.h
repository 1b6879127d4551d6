/*
 * drawn.h: a random problem of tally bench layouts as a value, for the tests of what is drawn.
 */
#ifndef TESTS_LAYOUTS_DRAWN_H
#define TESTS_LAYOUTS_DRAWN_H

#include "cli/bench/layouts/draw/draw.h"

#define DRAWS 10000u

/* The index-th problem of a seed, of 2^log2 bytes, of one operator or of all; of seed 1 and all. */
layouts_problem drawn(uint64_t seed, uint32_t index, int log2, bench_subject only);
layouts_problem drawn_any(uint32_t index, int log2);

#endif
