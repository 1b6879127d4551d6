/*
 * test_reduce.c: every legal (function, input type) of REDUCE on the device against the oracle, in
 * rows, and each third one in the other layouts that all of them share: columns, a middle axis, two
 * groups of axes, at sizes around those where blocks and lanes end.
 */
#include <check.h>

#include "support/descriptions/legal.h"
#include "support/descriptions/shape.h"
#include "support/fixtures/run.h"
#include "support/share.h"

Suite *suite_reduce(void);

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* The classes of elements that suit a function; unused positions repeat VALUES_SMALL. */
#define CLASSES 6
static const values_class classes[][CLASSES] = {
    [TALLY_ARGMAX] = {VALUES_WIDE, VALUES_FEW, VALUES_SOME_NAN, VALUES_SPECIAL, VALUES_ZEROS},
    [TALLY_ARGMIN] = {VALUES_WIDE, VALUES_FEW, VALUES_SOME_NAN, VALUES_SPECIAL, VALUES_ALL_NAN},
    [TALLY_AVERAGE] = {VALUES_WIDE, VALUES_SMALL, VALUES_SPECIAL, VALUES_MINUS_ZERO,
                       VALUES_POSITIVE, VALUES_DENORMAL},
    [TALLY_L1] = {VALUES_WIDE, VALUES_SMALL, VALUES_EXTREME, VALUES_ZEROS, VALUES_SOME_NAN},
    [TALLY_L2] = {VALUES_WIDE, VALUES_SMALL, VALUES_EXTREME, VALUES_ZEROS, VALUES_DENORMAL},
    [TALLY_LOG_SUM] = {VALUES_POSITIVE, VALUES_SMALL, VALUES_WIDE, VALUES_ZEROS, VALUES_NEAR_ONE,
                       VALUES_SPECIAL},
    [TALLY_LOG_SUM_EXP] = {VALUES_EXPONENTS, VALUES_SMALL, VALUES_WIDE, VALUES_EXTREME,
                           VALUES_DENORMAL, VALUES_SPECIAL},
    [TALLY_MAX] = {VALUES_WIDE, VALUES_ZEROS, VALUES_SOME_NAN, VALUES_SPECIAL, VALUES_EXTREME},
    [TALLY_MIN] = {VALUES_WIDE, VALUES_ZEROS, VALUES_SOME_NAN, VALUES_SPECIAL, VALUES_EXTREME},
    [TALLY_MULTIPLY] = {VALUES_NEAR_ONE, VALUES_POWERS, VALUES_WIDE, VALUES_SPECIAL,
                        VALUES_MINUS_ZERO},
    [TALLY_SUM] = {VALUES_WIDE, VALUES_SMALL, VALUES_SPECIAL, VALUES_MINUS_ZERO, VALUES_EXTREME,
                   VALUES_DENORMAL},
    [TALLY_SUM_SQUARE] = {VALUES_WIDE, VALUES_SMALL, VALUES_EXTREME, VALUES_ZEROS, VALUES_DENORMAL},
};

/* Sanitizers watch the host, to which all elements are the same: one class of each size. */
#ifdef TESTS_SANITIZED
enum { CLASSES_RUN = 1 };
#else
enum { CLASSES_RUN = CLASSES };
#endif

static const uint64_t sizes[] = {1, 2, 127, 128, 129, 255, 256, 257, 4095, 4096, 4097, 8191};

/* Run with the offsets and the seed changing from one run to the next. An index's type is of the
 * pair, since it is compiled: each type of elements has one of each width, each function all four.
 */
static void run_next(tally_reduce desc, values_class values) {
    const uint64_t seed = run_count();
    const run_how how = {values, seed, (uint32_t)(seed % 4), (uint32_t)(seed / 4 % 3), false};
    if (legal_is_index(desc.function)) {
        desc.output.dtype = legal_index_types((int)desc.function + (int)desc.input.dtype);
    }
    run_reduce(&desc, how);
}

/* A share has for each other pair the short and the long rows, and those between for the rest. */
static bool has_size(int pair, size_t k) {
    return share_has((uint64_t)pair + k / 4, 3);
}

START_TEST(rows) {
    const legal_pair pair = legal_reduce_pair(_i);
    for (size_t k = 0; k < COUNT(sizes); k++) {
        for (size_t c = 0; c < CLASSES_RUN && has_size(_i, k); c++) {
            const values_class values = classes[pair.function][(k + c) % CLASSES];
            run_next(shape_reduce(pair.function, pair.dtype, SHAPE(3, sizes[k]), 2), values);
        }
    }
}
END_TEST

/* By the same programs as rows. */
START_TEST(whole_tensor) {
    const legal_pair pair = legal_reduce_pair(_i);
    for (size_t k = 0; k < COUNT(sizes); k++) {
        const values_class values = classes[pair.function][k % 2];
        if (has_size(_i, k))
            run_next(shape_reduce(pair.function, pair.dtype, SHAPE(sizes[k]), 1), values);
    }
}
END_TEST

/*
 * Other layouts are programs of their own, made of a layout's part, a function's and a type's: each
 * is for a third of the pairs, so that every function, also one of three types, and every type has
 * it. verify.cpu holds the bits of the full crossing.
 */
static void run_columns(legal_pair pair) {
    for (size_t k = 0; k < COUNT(sizes); k++) {
        const values_class values = classes[pair.function][k % CLASSES];
        run_next(shape_reduce(pair.function, pair.dtype, SHAPE(sizes[k], 5), 1), values);
    }
}

static void run_middle_axes(legal_pair pair) {
    const uint64_t lengths[] = {2, 129, 4097};
    for (size_t k = 0; k < COUNT(lengths); k++) {
        const shape sides = SHAPE(3, lengths[k], 5);
        run_next(shape_reduce(pair.function, pair.dtype, sides, 2), classes[pair.function][k]);
    }
}

static void run_two_groups(legal_pair pair) {
    const shape shapes[] = {SHAPE(5, 3, 300), SHAPE(129, 2, 2), SHAPE(3, 2, 4097)};
    for (size_t k = 0; k < COUNT(shapes); k++) {
        run_next(shape_reduce(pair.function, pair.dtype, shapes[k], 5), classes[pair.function][k]);
    }
}

START_TEST(other_layouts) {
    const legal_pair pair = legal_reduce_pair(_i);
    const unsigned sum = (unsigned)pair.function + (unsigned)pair.dtype, round = sum % 3;
    if (!share_has(sum / 3, 5))
        return;
    if (round == 0)
        run_columns(pair);
    if (round == 1) {
        run_middle_axes(pair);
        run_two_groups(pair);
    }
}
END_TEST

/* No axis is swept, or only such of size 1: each element goes through the function alone. */
START_TEST(nothing_swept) {
    const legal_pair pair = legal_reduce_pair(_i);
    if (!share_has((uint64_t)_i + (uint64_t)pair.function, 3))
        return;
    for (size_t c = 0; c < CLASSES_RUN; c++) {
        const values_class values = classes[pair.function][c];
        run_next(shape_reduce(pair.function, pair.dtype, SHAPE(7, 37), 0), values);
        run_next(shape_reduce(pair.function, pair.dtype, SHAPE(7, 1, 11), 2), values);
        run_next(shape_reduce(pair.function, pair.dtype, SHAPE_SCALAR, 0), values);
    }
}
END_TEST

/* An axis of size 0: the function of nothing; and outputs with no element. */
START_TEST(empty_tensors) {
    const legal_pair pair = legal_reduce_pair(_i);
    if (!legal_is_index(pair.function)) { /* test_errors_create.c has those */
        run_next(shape_reduce(pair.function, pair.dtype, SHAPE(3, 0), 2), VALUES_SMALL);
        run_next(shape_reduce(pair.function, pair.dtype, SHAPE(0), 1), VALUES_SMALL);
        run_next(shape_reduce(pair.function, pair.dtype, SHAPE(4, 0, 3), 7), VALUES_SMALL);
    }
    run_next(shape_reduce(pair.function, pair.dtype, SHAPE(0, 3), 2), VALUES_SMALL);
    run_next(shape_reduce(pair.function, pair.dtype, SHAPE(0, 0), 2), VALUES_SMALL);
    run_next(shape_reduce(pair.function, pair.dtype, SHAPE(0, 3), 0), VALUES_SMALL);
}
END_TEST

START_TEST(pairs_are_as_many_as_promised) {
    int floats64 = 0;
    for (int k = 0; k < LEGAL_REDUCE_PAIRS; k++) {
        const bool f64 = legal_reduce_pair(k).dtype == TALLY_F64;
        ck_assert_int_eq(f64, k >= LEGAL_DIRECTML_PAIRS);
        floats64 += f64;
    }
    ck_assert_int_eq(floats64, LEGAL_FUNCTIONS);
}
END_TEST

Suite *suite_reduce(void) {
    Suite *suite = suite_create("reduce");
    TCase *tests = tcase_create("reduce");
    tcase_set_timeout(tests, 600);
    tcase_add_test(tests, pairs_are_as_many_as_promised);
    tcase_add_loop_test(tests, rows, 0, LEGAL_REDUCE_PAIRS);
    tcase_add_loop_test(tests, whole_tensor, 0, LEGAL_REDUCE_PAIRS);
    tcase_add_loop_test(tests, other_layouts, 0, LEGAL_REDUCE_PAIRS);
    tcase_add_loop_test(tests, nothing_swept, 0, LEGAL_REDUCE_PAIRS);
    share_add_loop(tests, empty_tensors, LEGAL_REDUCE_PAIRS, 7);
    suite_add_tcase(suite, tests);
    return suite;
}
