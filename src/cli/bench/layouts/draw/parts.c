/*
 * What the parts of a random problem share: their streams, and what they ask of a problem.
 */
#include "cli/bench/layouts/draw/parts.h"

layouts_random layouts_stream(const layouts_problem *problem, uint64_t number) {
    return layouts_random_stream(problem->from.seed, problem->from.index, number);
}

bool layouts_is_reduced(const layouts_problem *problem, uint32_t axis) {
    return problem->subject == BENCH_REDUCE && (problem->axes >> axis & 1) != 0;
}
