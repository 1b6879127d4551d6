/*
 * The tables of tally bench. Sizes are those of frameworks at 2^28 elements; at other numbers of
 * elements the layouts keep their aspect. Knows no device and no memory.
 */
#include "cli/bench/tables.h"

/* ---- Layouts ------------------------------------------------------------------------------- */

/* clang-format off */
#define N(part) {BENCH_PART, part, 0}
#define F(size) {BENCH_FIXED, size, 0}
#define H       {BENCH_HEIGHT, 0, 0}
#define W       {BENCH_WIDTH, 0, 0}
#define H3      {BENCH_HEIGHT, 0, 3}
#define W1      {BENCH_WIDTH, 0, 1}
/* Sets take the first of them: contiguous rows, one axis, all. */
enum { ROWS = 4, ONE_AXIS = 9 };
static const bench_layout regular[] = {
    {"1-D",          1, {N(1)},                    1, 0, false},
    {"rows",         2, {H, W},                    2, 0, false},
    {"rows-16",      2, {N(16), F(16)},            2, 0, false},
    {"long-rows",    2, {F(64), N(64)},            2, 0, false},
    {"columns",      2, {H, W},                    1, 0, false},
    {"middle",       3, {F(64), F(1024), N(65536)}, 2, 0, false},
    {"middle-16x16", 3, {N(256), F(16), F(16)},    2, 0, false},
    {"columns-64",   2, {N(64), F(64)},            1, 0, false},
    {"columns-4",    2, {N(4), F(4)},              1, 0, false},
    {"axes-0-2",     3, {N(1048576), F(1024), F(1024)}, 5, 0, false},
};
static const bench_layout awkward[] = {
    {"rows-15",      2, {N(15), F(15)},            2, 0, false},
    {"rows-100",     2, {N(100), F(100)},          2, 0, false},
    {"rows-1000",    2, {N(1000), F(1000)},        2, 0, false},
    {"inner-3",      3, {F(64), N(256), F(3)},     2, 0, false},
    {"offset-rows",  2, {H, W},                    2, 1, false},
    {"transposed",   2, {H, W},                    2, 0, true},
};
static const bench_layout odd_matrix[] = {
    {"odd-matrix",   2, {H3, W1},                  3, 0, false},
};
static const bench_layout odd_axes[] = {
    {"odd-rows",     2, {H3, W1},                  2, 0, false},
    {"odd-columns",  2, {H3, W1},                  1, 0, false},
};
static const bench_layout small[] = {
    {"small-1",      1, {F(1)},                    1, 0, false},
    {"small-1Ki",    1, {F(1024)},                 1, 0, false},
    {"small-64Ki",   1, {F(65536)},                1, 0, false},
};
static const bench_layout matrix[] = {
    {"matrix",       2, {H, W},                    0, 0, false},
};
static const bench_layout batches[] = {
    {"batches-256",  3, {N(65536), F(256), F(256)}, 0, 0, false},
};
#undef N
#undef F
#undef H
#undef W
#undef H3
#undef W1
/* clang-format on */

/* ---- Operators ----------------------------------------------------------------------------- */

#define OF(enumerator, type)                                                                       \
    { .function = TALLY_##enumerator, .dtype = TALLY_##type }
static const bench_operation reductions[] = {
    OF(SUM, F32),         OF(MAX, F32), OF(ARGMAX, F32), OF(L2, F32),  OF(AVERAGE, F32),
    OF(LOG_SUM_EXP, F32), OF(SUM, F16), OF(SUM, F64),    OF(SUM, I64), OF(MAX, I8),
};
static const bench_operation sum_only[] = {OF(SUM, F32)};
static const bench_operation scans[] = {
    OF(SUM, F32), OF(MULTIPLY, F32), OF(SUM, F16), OF(SUM, F64), OF(SUM, I32), OF(SUM, I64),
};
#undef OF
static const bench_operation scan_ways[] = {
    {.function = TALLY_SUM, .dtype = TALLY_F32, .exclusive = true},
    {.function = TALLY_SUM, .dtype = TALLY_F32, .reverse = true},
    {.function = TALLY_SUM, .dtype = TALLY_F32, .in_place = true},
};
/* The first is for batches too. */
static const bench_operation fills[] = {
    {.fill = "lower", .dtype = TALLY_F32, .reads = true, .begin = {1, 0}, .end = {0, 4}},
    {.fill = "identity", .dtype = TALLY_F32, .value = 1, .end = {1, 0}},
    {.fill = "inverted-band",
     .dtype = TALLY_F32,
     .reads = true,
     .value = 1,
     .begin = {0, 1},
     .end = {0, -1}},
};

/* ---- Benchmarks ---------------------------------------------------------------------------- */

#define COUNT(table) (sizeof(table) / sizeof(table)[0])
static const bench_set reduce_sets[] = {
    {regular, COUNT(regular), reductions, COUNT(reductions), false},
    {odd_matrix, COUNT(odd_matrix), sum_only, COUNT(sum_only), false},
    {awkward, COUNT(awkward), sum_only, COUNT(sum_only), false},
    {small, COUNT(small), sum_only, COUNT(sum_only), true},
};
static const bench_set scan_sets[] = {
    {regular, ONE_AXIS, scans, COUNT(scans), false},
    {regular, ROWS, scan_ways, COUNT(scan_ways), false},
    {odd_axes, COUNT(odd_axes), sum_only, COUNT(sum_only), false},
    {awkward, COUNT(awkward), sum_only, COUNT(sum_only), false},
    {small, COUNT(small), sum_only, COUNT(sum_only), true},
};
static const bench_set diagonal_sets[] = {
    {matrix, COUNT(matrix), fills, COUNT(fills), false},
    {batches, COUNT(batches), fills, 1, false},
};

#define SETS(table)                                                                                \
    { table, COUNT(table) }
const bench_sets bench_sets_reduce = SETS(reduce_sets);
const bench_sets bench_sets_scan = SETS(scan_sets);
const bench_sets bench_sets_diagonal = SETS(diagonal_sets);
