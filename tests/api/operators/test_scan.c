/*
 * test_scan.c: running sums, products, minima and maxima on the device against the oracle: every
 * function and type, both directions, inclusive and exclusive, in place or not, along every axis.
 */
#include <check.h>

#include "support/descriptions/legal.h"
#include "support/descriptions/shape.h"
#include "support/fixtures/run.h"
#include "support/share.h"

Suite *suite_scan(void);

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* The classes of elements that suit a function. */
#define CLASSES 5
static const values_class classes[][CLASSES] = {
    [TALLY_MAX] = {VALUES_WIDE, VALUES_SOME_NAN, VALUES_SPECIAL, VALUES_ZEROS, VALUES_EXTREME},
    [TALLY_MIN] = {VALUES_WIDE, VALUES_SOME_NAN, VALUES_SPECIAL, VALUES_ZEROS, VALUES_EXTREME},
    [TALLY_MULTIPLY] = {VALUES_NEAR_ONE, VALUES_POWERS, VALUES_WIDE, VALUES_SPECIAL,
                        VALUES_MINUS_ZERO},
    [TALLY_SUM] = {VALUES_WIDE, VALUES_SMALL, VALUES_SPECIAL, VALUES_MINUS_ZERO, VALUES_EXTREME},
};

/* Run some of the ways, which are bits: forwards and backwards, inclusive and exclusive, in place
 * and not. */
static void run_some_ways(tally_cumulative desc, values_class values, unsigned ways) {
    for (unsigned way = 0; way < 8; way++) {
        if ((ways >> way & 1) == 0)
            continue;
        const uint64_t seed = run_count();
        const run_how how = {values, seed, (uint32_t)(seed / 8 % 4), (uint32_t)(seed / 8 % 3),
                             (way & 4) != 0};
        tally_cumulative one = desc;
        one.descending = (way & 1) != 0;
        one.exclusive = (way & 2) != 0;
        if (how.in_place) {
            one.output = one.input;
        }
        run_cumulative(&one, how);
    }
}

/* All eight. */
static void run_ways(tally_cumulative desc, values_class values) {
    run_some_ways(desc, values, 0xFF);
}

START_TEST(rows) {
    const legal_pair pair = legal_scan_pair(_i);
    const uint64_t lengths[] = {1, 2, 15, 16, 17, 255, 256, 257};
    for (size_t k = 0; k < COUNT(lengths); k++) {
        for (size_t c = 0; c < CLASSES; c++) {
            run_ways(shape_scan(pair.function, pair.dtype, SHAPE(3, lengths[k]), 1),
                     classes[pair.function][c]);
        }
    }
}
END_TEST

/* Of inclusive and exclusive scans, which are different programs, lines are one and columns the
 * other, by turns, so that each function and each type has both of both. */
START_TEST(whole_tiles) {
    static const unsigned ways[] = {0x33, 0xCC}; /* all inclusive, all exclusive ones */
    const legal_pair pair = legal_scan_pair(_i);
    const uint64_t lengths[] = {4095, 4096, 4097};
    const size_t round = ((size_t)pair.function + (size_t)pair.dtype) % 2;
    for (size_t k = 0; k < COUNT(lengths); k++) {
        run_some_ways(shape_scan(pair.function, pair.dtype, SHAPE(lengths[k]), 0),
                      classes[pair.function][k], ways[round]);
        run_some_ways(shape_scan(pair.function, pair.dtype, SHAPE(lengths[k], 2), 0),
                      classes[pair.function][k + 1], ways[1 - round]);
    }
}
END_TEST

/* The floats' MIN and MAX with NaN ignored. */
START_TEST(nan_ignored) {
    const tally_function function = _i % 2 == 0 ? TALLY_MAX : TALLY_MIN;
    const tally_dtype dtype = (tally_dtype)(TALLY_F16 + _i / 2);
    const values_class telling[] = {VALUES_SOME_NAN, VALUES_SPECIAL, VALUES_ALL_NAN};
    for (size_t k = 0; k < COUNT(telling); k++) {
        tally_cumulative desc = shape_scan(function, dtype, SHAPE(4, 301), 1);
        desc.nan = TALLY_NAN_IGNORE;
        run_ways(desc, telling[k]);
    }
}
END_TEST

/* ---- Layouts -------------------------------------------------------------------------------- */

typedef struct subject {
    tally_function function;
    tally_dtype dtype;
    values_class values;
} subject;

static const subject subjects[] = {
    {TALLY_SUM, TALLY_F32, VALUES_WIDE},
    {TALLY_MULTIPLY, TALLY_U64, VALUES_BITS},
    {TALLY_SUM, TALLY_F16, VALUES_SMALL},
    {TALLY_MAX, TALLY_I8, VALUES_BITS},
};

/* Every axis of every rank; gaps, transposed axes, other strides on the other side. */
START_TEST(axes_of_all_ranks) {
    const subject it = subjects[(size_t)_i % COUNT(subjects)];
    const uint64_t sizes[TALLY_MAX_RANK] = {3, 2, 1, 4, 2, 3, 2, 5};
    uint64_t state = (uint64_t)_i;
    for (uint32_t rank = 1; rank <= TALLY_MAX_RANK; rank++) {
        for (uint32_t axis = 0; axis < rank; axis++) {
            shape some = {rank, {0}};
            for (uint32_t k = 0; k < rank; k++) {
                some.size[k] = sizes[(k + axis) % TALLY_MAX_RANK];
            }
            tally_cumulative desc = shape_scan(it.function, it.dtype, some, axis);
            run_ways(desc, it.values);
            shape_random_output(&desc.input, &state); /* no repeats: it may run in place */
            shape_random_output(&desc.output, &state);
            run_ways(desc, it.values);
        }
    }
}
END_TEST

/* Inputs that repeat elements, along the axis or across it. */
START_TEST(repeated_inputs) {
    const subject it = subjects[_i];
    for (uint32_t axes = 1; axes < 8; axes++) {
        tally_cumulative desc = shape_scan(it.function, it.dtype, SHAPE(3, 40, 5), 1);
        const run_how how = {it.values, axes, 1, 2, false};
        shape_repeat(&desc.input, axes);
        run_cumulative(&desc, how);
        desc.descending = true;
        desc.exclusive = true;
        run_cumulative(&desc, how);
    }
}
END_TEST

START_TEST(empty_tensors) {
    const subject it = subjects[_i];
    run_ways(shape_scan(it.function, it.dtype, SHAPE(0), 0), it.values);
    run_ways(shape_scan(it.function, it.dtype, SHAPE(3, 0, 2), 0), it.values);
    run_ways(shape_scan(it.function, it.dtype, SHAPE(3, 0, 2), 1), it.values);
}
END_TEST

/* ---- Lengths -------------------------------------------------------------------------------- */

START_TEST(long_lines) {
    const subject it = subjects[_i];
    const uint64_t lengths[] = {8191, 65537, 262143, 262144, 262145, 524289};
    for (size_t k = 0; k < COUNT(lengths); k++) {
        tally_cumulative desc = shape_scan(it.function, it.dtype, SHAPE(lengths[k]), 0);
        const run_how how = {it.values, k, 1, 2, k % 2 == 0};
        run_cumulative(&desc, how);
        desc.descending = true;
        desc.exclusive = k % 2 == 0;
        run_cumulative(&desc, how);
    }
}
END_TEST

START_TEST(many_short_rows) {
    const subject it = subjects[_i];
    for (uint64_t length = 1; length <= 33; length += 1 + length / 2) {
        tally_cumulative desc = shape_scan(it.function, it.dtype, SHAPE(5003, length), 1);
        const run_how how = {it.values, length, 0, 1, false};
        run_cumulative(&desc, how);
        desc = shape_scan(it.function, it.dtype, SHAPE(length, 5003), 0);
        desc.descending = true;
        run_cumulative(&desc, how);
    }
}
END_TEST

Suite *suite_scan(void) {
    Suite *suite = suite_create("scan");
    TCase *tests = tcase_create("scan");
    const int count = (int)COUNT(subjects);
    tcase_set_timeout(tests, 600);
    tcase_add_loop_test(tests, rows, 0, LEGAL_SCAN_PAIRS);
    share_add_loop(tests, whole_tiles, LEGAL_SCAN_PAIRS, 7);
    tcase_add_loop_test(tests, nan_ignored, 0, 6);
    share_add_loop(tests, axes_of_all_ranks, 2 * count, 11);
    tcase_add_loop_test(tests, repeated_inputs, 0, count);
    tcase_add_loop_test(tests, empty_tensors, 0, count);
    tcase_add_loop_test(tests, long_lines, 0, count);
    tcase_add_loop_test(tests, many_short_rows, 0, count);
    suite_add_tcase(suite, tests);
    return suite;
}
