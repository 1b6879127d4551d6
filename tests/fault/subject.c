/*
 * subject.c: the table of operators, and what they compute.
 */
#include "subject.h"

#define ANY TALLY_FAMILY_AUTO, TALLY_SINGLE_PASS_OFF
#define GENERIC TALLY_FAMILY_GENERIC, TALLY_SINGLE_PASS_OFF
#define GPU TALLY_FAMILY_GPU, TALLY_SINGLE_PASS_OFF
#define GPU_SINGLE TALLY_FAMILY_GPU, TALLY_SINGLE_PASS_ON
#define CPU TALLY_FAMILY_CPU, TALLY_SINGLE_PASS_OFF

/* The band of fills. */
enum { FILL_BEGIN = -1, FILL_END = 2, FILL_VALUE = 0x01020304 };

const subject subjects[] = {
    {"rows", ANY, SUBJECT_REDUCE, TALLY_SUM, {1, 3, 300}, 4, 1},
    {"rows", GENERIC, SUBJECT_REDUCE, TALLY_SUM, {1, 3, 300}, 4, 1},
    {"rows", GPU, SUBJECT_REDUCE, TALLY_SUM, {1, 3, 300}, 4, 1},
    {"several steps", GENERIC, SUBJECT_REDUCE, TALLY_ARGMIN, {1, 1, 9001}, 4, 2},
    {"several steps", GPU, SUBJECT_REDUCE, TALLY_ARGMIN, {1, 1, 70001}, 4, 1},
    {"several launches", GPU, SUBJECT_REDUCE, TALLY_SUM, {70, 2, 30001}, 5, 2},
    {"several steps", CPU, SUBJECT_REDUCE, TALLY_ARGMIN, {1, 1, 70001}, 4, 2},
    {"groups of axes", CPU, SUBJECT_REDUCE, TALLY_SUM, {5, 3, 130}, 5, 2},
    {"empty output", ANY, SUBJECT_REDUCE, TALLY_SUM, {0, 3, 5}, 4, 0},
    {"scan", GENERIC, SUBJECT_SCAN, TALLY_SUM, {1, 3, 300}, 4, 1},
    {"scan", CPU, SUBJECT_SCAN, TALLY_SUM, {1, 3, 300}, 4, 1},
    {"scan down columns", GPU, SUBJECT_SCAN, TALLY_SUM, {1, 70, 40}, 2, 1},
    {"row read again", GPU, SUBJECT_SCAN, TALLY_SUM, {1, 1, 20000}, 4, 3},
    {"small chain", GPU, SUBJECT_SCAN, TALLY_SUM, {1, 1, 70000}, 4, 2},
    {"chain of two passes", GPU, SUBJECT_SCAN, TALLY_SUM, {1, 1, 270000}, 4, 3},
    {"chain of one pass", GPU_SINGLE, SUBJECT_SCAN, TALLY_SUM, {1, 1, 270000}, 4, 1},
    {"small chain of one pass", GPU_SINGLE, SUBJECT_SCAN, TALLY_SUM, {1, 1, 20000}, 4, 1},
    {"fill", GENERIC, SUBJECT_FILL, TALLY_SUM, {2, 5, 17}, 0, 2},
    {"fill", GPU, SUBJECT_FILL, TALLY_SUM, {2, 5, 17}, 0, 2},
    {"fill of zeros", CPU, SUBJECT_ZEROS, TALLY_SUM, {2, 5, 17}, 0, 1},
};
const int subjects_count = sizeof subjects / sizeof subjects[0];

const subject subject_of_trial = {"scan that has the device tried",
                                  TALLY_FAMILY_GPU,
                                  TALLY_SINGLE_PASS_AUTO,
                                  SUBJECT_SCAN,
                                  TALLY_SUM,
                                  {1, 1, 270000},
                                  4,
                                  1};

const subject subject_of_stream = {
    "scan in pieces", ANY, SUBJECT_SCAN, TALLY_SUM, {1, 1, 700000}, 4, 1};

/* ---- Descriptions ---------------------------------------------------------------------------- */

static tally_tensor tensor_of(const subject *what) {
    return tally_tensor_packed(TALLY_U32, SUBJECT_RANK, what->size);
}

static uint32_t axis_of(const subject *what) {
    uint32_t axis = 0;
    while (what->axes >> axis > 1)
        axis++;
    return axis;
}

tally_status subject_create(const subject *what, tally_runtime *runtime, tally_op **op,
                            tally_error *error) {
    const tally_tensor tensor = tensor_of(what);
    tally_reduce reduce = TALLY_REDUCE_INIT;
    tally_cumulative scan = TALLY_CUMULATIVE_INIT;
    tally_diagonal fill = TALLY_DIAGONAL_INIT;
    reduce.function = scan.function = what->function;
    reduce.input = scan.input = scan.output = fill.output = tensor;
    reduce.axes = what->axes;
    reduce.output = tally_tensor_reduced(&tensor, what->axes, TALLY_U32);
    scan.axis = axis_of(what);
    fill.input = what->kind == SUBJECT_FILL ? &tensor : NULL;
    fill.value.u32 = FILL_VALUE;
    fill.begin = FILL_BEGIN;
    fill.end = FILL_END;
    return what->kind == SUBJECT_REDUCE ? tally_reduce_create(runtime, &reduce, op, error)
           : what->kind == SUBJECT_SCAN ? tally_cumulative_create(runtime, &scan, op, error)
                                        : tally_diagonal_create(runtime, &fill, op, error);
}

uint64_t subject_inputs(const subject *what) {
    return what->size[0] * what->size[1] * what->size[2];
}

uint64_t subject_outputs(const subject *what) {
    uint64_t count = 1;
    for (uint32_t k = 0; k < SUBJECT_RANK; k++)
        if (what->kind != SUBJECT_REDUCE || (what->axes >> k & 1) == 0)
            count *= what->size[k];
    return count;
}

/* ---- Elements -------------------------------------------------------------------------------- */

/* Of any size, so that sums wrap and the least of a row is somewhere in it. */
void subject_fill(const subject *what, uint32_t *input) {
    for (uint64_t i = 0; i < subject_inputs(what); i++)
        input[i] = (uint32_t)(i + 1) * 2654435761u;
}

/* Which element an index is of the axes of the mask alone. */
static uint64_t position(const subject *what, uint64_t index, uint32_t axes) {
    uint64_t at = 0, step = 1;
    for (uint32_t k = SUBJECT_RANK; k > 0; k--) {
        if ((axes >> (k - 1) & 1) != 0) {
            at += index % what->size[k - 1] * step;
            step *= what->size[k - 1];
        }
        index /= what->size[k - 1];
    }
    return at;
}

/* Elements come in order, so that the first of equals is kept. */
static void solve_fold(const subject *what, const uint32_t *input, uint32_t *output) {
    uint64_t inputs = subject_inputs(what), first = 0;
    for (uint64_t i = 0; i < subject_outputs(what); i++)
        output[i] = 0;
    for (uint64_t i = 0; i < inputs; i++) {
        uint32_t *out = &output[position(what, i, ~what->axes)];
        if (what->function == TALLY_SUM) {
            *out += input[i];
        } else if (input[i] < input[first]) { /* these subjects have one row */
            first = i;
            *out = (uint32_t)position(what, i, what->axes);
        }
    }
}

static void solve_scan(const subject *what, const uint32_t *input, uint32_t *output) {
    uint64_t stride = 1;
    for (uint32_t k = axis_of(what) + 1; k < SUBJECT_RANK; k++)
        stride *= what->size[k];
    for (uint64_t i = 0; i < subject_inputs(what); i++)
        output[i] = input[i] + (position(what, i, what->axes) > 0 ? output[i - stride] : 0);
}

static void solve_fill(const subject *what, const uint32_t *input, uint32_t *output) {
    for (uint64_t i = 0; i < subject_inputs(what); i++) {
        const int64_t x = (int64_t)position(what, i, 4), y = (int64_t)position(what, i, 2);
        const bool inside = x - y >= FILL_BEGIN && x - y < FILL_END;
        output[i] = inside ? FILL_VALUE : what->kind == SUBJECT_FILL ? input[i] : 0;
    }
}

void subject_solve(const subject *what, const uint32_t *input, uint32_t *output) {
    if (what->kind == SUBJECT_REDUCE)
        solve_fold(what, input, output);
    else if (what->kind == SUBJECT_SCAN)
        solve_scan(what, input, output);
    else
        solve_fill(what, input, output);
}
