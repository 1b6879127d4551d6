/*
 * Begin and end of a random fill: bands of all shapes. Part of what a seed means, as
 * random.c is.
 */
#include "cli/bench/layouts/draw/parts.h"

/* 1 to limit, log-uniform, from 32 random bits. */
static int64_t log_uniform(uint64_t bits, uint64_t limit) {
    return (int64_t)layouts_power((uint32_t)(bits * (layouts_sixteenths(limit) + 1) >> 32));
}

/* A diagonal of the matrix: one of the seven in the middle, or one somewhere. */
static int64_t draw_diagonal(layouts_random *random, int64_t rows, int64_t columns) {
    const bool small = layouts_random_percent(random, 50);
    const bool below = layouts_random_percent(random, 50);
    const int64_t near = (int64_t)layouts_random_below(random, 7) - 3;
    const uint64_t bits = layouts_random_next(random) >> 32;
    const int64_t far =
        below ? -log_uniform(bits, (uint64_t)rows - 1) : log_uniform(bits, (uint64_t)columns - 1);
    const int64_t wanted = small ? near : far;
    return wanted < 1 - rows ? 1 - rows : wanted > columns - 1 ? columns - 1 : wanted;
}

static int64_t draw_width(layouts_random *random, int64_t rows, int64_t columns) {
    const bool small = layouts_random_percent(random, 50);
    const int64_t few = 1 + (int64_t)layouts_random_below(random, 8);
    const uint64_t bits = layouts_random_next(random) >> 32;
    const int64_t most = rows + columns - 1;
    const int64_t wanted = small ? few : log_uniform(bits, (uint64_t)most);
    return wanted < most ? wanted : most;
}

void layouts_set_band(layouts_problem *problem) {
    layouts_random random = layouts_stream(problem, LAYOUTS_STREAM_BAND);
    const uint64_t *matrix = &problem->output.size[problem->output.rank - 2];
    const int64_t rows = (int64_t)matrix[0], columns = (int64_t)matrix[1];
    const size_t kind = layouts_random_pick(&random, layouts_band_weights, LAYOUTS_BANDS);
    const int64_t k = draw_diagonal(&random, rows, columns);
    const int64_t width = draw_width(&random, rows, columns);
    const struct {
        int64_t begin, end;
    } bands[LAYOUTS_BANDS] = {
        [LAYOUTS_LOWER] = {k, INT64_MAX},    [LAYOUTS_UPPER] = {INT64_MIN, k},
        [LAYOUTS_DIAGONAL] = {k, k + 1},     [LAYOUTS_BAND] = {k, k + width},
        [LAYOUTS_INVERTED] = {k + width, k}, [LAYOUTS_EVERYTHING] = {INT64_MIN, INT64_MAX},
        [LAYOUTS_NOTHING] = {k, k},
    };
    problem->begin = bands[kind].begin;
    problem->end = bands[kind].end;
}
