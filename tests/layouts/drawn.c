/*
 * drawn.c: draws.
 */
#include "drawn.h"

layouts_problem drawn(uint64_t seed, uint32_t index, int log2, bench_subject only) {
    const layouts_request request = {seed, index, log2, only};
    layouts_problem problem;
    layouts_draw(&request, &problem);
    return problem;
}

layouts_problem drawn_any(uint32_t index, int log2) {
    return drawn(1, index, log2, BENCH_SUBJECTS);
}
