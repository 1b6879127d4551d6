/*
 * Keys of cuts, and the problems of parts: their extents and states, the index of a part's first
 * term, bands of fills that move, and which parts of a scan have a carry. Their bits: tests/api.
 */
#include "model/parts/part.h"

#include <string.h>

#include <check.h>

#include "cl/core/order.h"
#include "support/descriptions/shape.h"
#include "support/expect.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static tally_whole read_whole(const tally_reduce *reduce, const tally_cumulative *cumulative,
                              const tally_diagonal *diagonal) {
    tally_desc desc = TALLY_DESC_INIT;
    tally_whole whole;
    tally_error error = TALLY_ERROR_INIT;
    desc.reduce = reduce;
    desc.cumulative = cumulative;
    desc.diagonal = diagonal;
    expect_ok("the description", tally_whole_read(&desc, &whole, &error), &error);
    return whole;
}

static tally_cut cut_at(const tally_whole *whole, uint32_t axis, uint32_t parts,
                        const uint64_t *bounds) {
    tally_cut cut = TALLY_CUT_INIT;
    tally_error error = TALLY_ERROR_INIT;
    expect_ok("a cut", tally_whole_cut_at(whole, axis, parts, bounds, &cut, &error), &error);
    return cut;
}

static tally_part range(uint64_t begin, uint64_t end) {
    tally_part part = TALLY_PART_INIT;
    part.begin = begin;
    part.end = end;
    return part;
}

static tally_problem part_of(const tally_whole *whole, const tally_cut *cut, uint64_t begin,
                             uint64_t end) {
    const tally_part part = range(begin, end);
    tally_problem problem;
    tally_error error = TALLY_ERROR_INIT;
    memset(&problem, 0xAB, sizeof problem);
    expect_ok("a part", tally_part_problem(whole, cut, &part, &problem, &error), &error);
    return problem;
}

static tally_problem scan_of(const tally_whole *whole, const tally_cut *cut, uint64_t begin,
                             uint64_t end) {
    const tally_part part = range(begin, end);
    tally_problem problem;
    tally_error error = TALLY_ERROR_INIT;
    memset(&problem, 0xAB, sizeof problem);
    expect_ok("a scan's part", tally_part_scan(whole, cut, &part, &problem, &error), &error);
    return problem;
}

static tally_problem combined(const tally_whole *whole, const tally_cut *cut, uint64_t states) {
    tally_problem problem;
    tally_error error = TALLY_ERROR_INIT;
    memset(&problem, 0xAB, sizeof problem);
    expect_ok("the combining", tally_part_combine(whole, cut, states, &problem, &error), &error);
    return problem;
}

/* ---- Keys ----------------------------------------------------------------------------------- */

/* The key of a cut of axis 0 with the grain that its bounds allow. */
static uint64_t key_of(const tally_reduce *reduce, const tally_cumulative *cumulative,
                       const tally_diagonal *diagonal) {
    const tally_whole whole = read_whole(reduce, cumulative, diagonal);
    return cut_at(&whole, 0, 1, (uint64_t[]){0, whole.input.size[0]}).key;
}

static void check_different(const uint64_t *keys, size_t count) {
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < i; k++)
            ck_assert_msg(keys[i] != keys[k], "keys %zu and %zu are equal", k, i);
}

/* Layouts are each part's own, so that parts of other layouts may meet. */
START_TEST(keys_without_strides) {
    tally_reduce reduce = shape_reduce(TALLY_ARGMAX, TALLY_F32, SHAPE(30, 7), 1);
    const uint64_t key = key_of(&reduce, NULL, NULL);
    shape_pad(&reduce.input, 3);
    shape_pad(&reduce.output, 1);
    ck_assert_uint_eq(key_of(&reduce, NULL, NULL), key);
    shape_transpose(&reduce.input);
    ck_assert_uint_eq(key_of(&reduce, NULL, NULL), key);
}
END_TEST

START_TEST(keys_of_reductions) {
    const tally_reduce one = shape_reduce(TALLY_ARGMAX, TALLY_F32, SHAPE(30, 7), 1);
    tally_reduce all[8];
    uint64_t keys[COUNT(all)];
    for (size_t i = 0; i < COUNT(all); i++)
        all[i] = one;
    all[1].function = TALLY_ARGMIN;
    all[2].tie = TALLY_TIE_LAST;
    all[3].nan = TALLY_NAN_IGNORE;
    all[4].output.dtype = TALLY_I64;
    all[5] = shape_reduce(TALLY_ARGMAX, TALLY_F16, SHAPE(30, 7), 1);
    all[6] = shape_reduce(TALLY_ARGMAX, TALLY_F32, SHAPE(30, 8), 1);
    all[7] = shape_reduce(TALLY_ARGMAX, TALLY_F32, SHAPE(30, 7), 3);
    for (size_t i = 0; i < COUNT(all); i++)
        keys[i] = key_of(&all[i], NULL, NULL);
    check_different(keys, COUNT(keys));
}
END_TEST

START_TEST(keys_of_scans_and_fills) {
    const tally_cumulative scan = shape_scan(TALLY_SUM, TALLY_F32, SHAPE(30, 30), 0);
    const tally_diagonal fill = shape_fill(SHAPE(30, 30));
    tally_cumulative scans[4] = {scan, scan, scan, scan};
    tally_diagonal fills[4] = {fill, fill, fill, fill};
    uint64_t keys[COUNT(scans) + COUNT(fills)];
    scans[1].axis = 1;
    scans[2].descending = true;
    scans[3].exclusive = true;
    fills[1].begin = -1;
    fills[2].end = 5;
    fills[3].value.f32 = 2;
    for (size_t i = 0; i < COUNT(scans); i++) {
        keys[i] = key_of(NULL, &scans[i], NULL);
        keys[COUNT(scans) + i] = key_of(NULL, NULL, &fills[i]);
    }
    check_different(keys, COUNT(keys));
}
END_TEST

/* Of one description: the axis and the grain, and nothing of the number of parts. */
START_TEST(keys_of_cuts) {
    const uint64_t size = 4 * (uint64_t)TALLY_BLOCK * TALLY_BLOCK;
    const tally_reduce sum = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(size, size), 1);
    const tally_whole whole = read_whole(&sum, NULL, NULL);
    const tally_cut coarse = cut_at(&whole, 0, 2, (uint64_t[]){0, size / 2, size});
    const tally_cut again = cut_at(&whole, 0, 2, (uint64_t[]){0, size / 4, size});
    const tally_cut fine = cut_at(&whole, 0, 2, (uint64_t[]){0, TALLY_BLOCK, size});
    const tally_cut other = cut_at(&whole, 1, 2, (uint64_t[]){0, TALLY_BLOCK, size});
    ck_assert_mem_eq(&again, &coarse, sizeof again);
    check_different((uint64_t[]){coarse.key, fine.key, other.key}, 3);
    const tally_diagonal square = shape_fill(SHAPE(9, 9));
    const tally_whole fill = read_whole(NULL, NULL, &square);
    const tally_cut rows = cut_at(&fill, 0, 1, (uint64_t[]){0, 9});
    const tally_cut columns = cut_at(&fill, 1, 1, (uint64_t[]){0, 9});
    check_different((uint64_t[]){rows.key, columns.key}, 2);
}
END_TEST

/* ---- Parts of reductions -------------------------------------------------------------------- */

START_TEST(states_of_blocks) {
    const uint64_t size = 3 * TALLY_BLOCK + 100, from = 2 * TALLY_BLOCK;
    const tally_reduce sum = shape_reduce(TALLY_LOG_SUM_EXP, TALLY_F16, SHAPE(size, 5), 1);
    const tally_whole whole = read_whole(&sum, NULL, NULL);
    const tally_cut cut = cut_at(&whole, 0, 2, (uint64_t[]){0, from, size});
    ck_assert_uint_eq(cut.lines, 5);
    ck_assert_uint_eq(cut.state_bytes, 8);
    const tally_problem part = part_of(&whole, &cut, from, size);
    ck_assert(part.partial.to_states && !part.partial.from_states);
    ck_assert_uint_eq(part.terms, TALLY_BLOCK + 100);
    ck_assert_uint_eq(part.count, size);
    ck_assert_uint_eq(part.partial.states, 2);
    ck_assert_uint_eq(part.output_extent, 2 * 5);
    ck_assert_uint_eq(part.input_extent, (TALLY_BLOCK + 100) * 5);
    const tally_problem all = combined(&whole, &cut, 4);
    ck_assert(all.partial.from_states && !all.partial.to_states);
    ck_assert_uint_eq(all.terms, 4);
    ck_assert_uint_eq(all.count, size);
    ck_assert_uint_eq(all.input_extent, 4 * 5);
    ck_assert_uint_eq(all.output_extent, 5);
}
END_TEST

/* With groups inside the terms of the outermost one are states themselves. */
START_TEST(states_of_single_terms) {
    const tally_reduce sum = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(2, 9, 3, 7), 10);
    const tally_whole whole = read_whole(&sum, NULL, NULL);
    const tally_cut cut = cut_at(&whole, 1, 2, (uint64_t[]){0, 4, 9});
    ck_assert_uint_eq(cut.grain, 1);
    const tally_problem part = part_of(&whole, &cut, 4, 9);
    ck_assert_uint_eq(part.terms, 7);
    ck_assert_uint_eq(part.groups, 1);
    ck_assert_uint_eq(part.output_extent, 5 * 2 * 3);
    ck_assert_uint_eq(tally_part_states(&cut, 4, 9), 5);
}
END_TEST

/* An index is that of the whole's terms, which go on inside of the axis. */
START_TEST(first_indices) {
    const tally_reduce arg = shape_reduce(TALLY_ARGMIN, TALLY_F32, SHAPE(2, 9, 3, 7), 10);
    const tally_whole whole = read_whole(&arg, NULL, NULL);
    const tally_cut cut = cut_at(&whole, 1, 2, (uint64_t[]){0, 4, 9});
    ck_assert_uint_eq(cut.state_bytes, 16);
    ck_assert_uint_eq(part_of(&whole, &cut, 0, 4).partial.first_index, 0);
    ck_assert_uint_eq(part_of(&whole, &cut, 4, 9).partial.first_index, 4 * 7);
}
END_TEST

START_TEST(empty_parts) {
    const tally_reduce sum = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(9000, 5), 1);
    const tally_reduce none = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(0, 5), 1);
    const tally_cumulative scan = shape_scan(TALLY_SUM, TALLY_I32, SHAPE(9000), 0);
    tally_whole whole = read_whole(&sum, NULL, NULL);
    tally_cut cut = cut_at(&whole, 0, 2, (uint64_t[]){0, 4096, 9000});
    ck_assert_uint_eq(part_of(&whole, &cut, 4096, 4096).output_extent, 0);
    cut = cut_at(&whole, 1, 2, (uint64_t[]){0, 2, 5});
    ck_assert_uint_eq(part_of(&whole, &cut, 2, 2).output_extent, 0);
    whole = read_whole(&none, NULL, NULL);
    cut = cut_at(&whole, 0, 2, (uint64_t[]){0, 0, 0});
    ck_assert_uint_eq(part_of(&whole, &cut, 0, 0).output_extent, 0);
    const tally_problem all = combined(&whole, &cut, 0);
    ck_assert_uint_eq(all.output_extent, 5);
    ck_assert_uint_eq(all.groups, 0);
    ck_assert(!all.has_input);
    whole = read_whole(NULL, &scan, NULL);
    cut = cut_at(&whole, 0, 2, (uint64_t[]){0, 4096, 9000});
    ck_assert_uint_eq(part_of(&whole, &cut, 4096, 4096).output_extent, 0);
    ck_assert(!scan_of(&whole, &cut, 4096, 4096).partial.has_carry);
}
END_TEST

/* ---- Parts of scans and fills --------------------------------------------------------------- */

START_TEST(carries) {
    const uint64_t size = 2 * TALLY_STRETCH + 100;
    tally_cumulative scan = shape_scan(TALLY_SUM, TALLY_F16, SHAPE(3, size), 1);
    for (int descending = 0; descending < 2; descending++) {
        scan.descending = descending != 0;
        const tally_whole whole = read_whole(NULL, &scan, NULL);
        const uint64_t at = descending ? size - TALLY_STRETCH : TALLY_STRETCH;
        const tally_cut cut = cut_at(&whole, 1, 2, (uint64_t[]){0, at, size});
        const tally_problem low = scan_of(&whole, &cut, 0, at);
        const tally_problem high = scan_of(&whole, &cut, at, size);
        const tally_problem *first = descending ? &high : &low, *then = descending ? &low : &high;
        ck_assert_uint_eq(tally_problem_carry_bytes(first), 0);
        ck_assert_uint_eq(tally_problem_carry_bytes(then), 4);
        ck_assert_uint_eq(then->terms, descending ? at : size - at);
        ck_assert_uint_eq(tally_part_states(&cut, 0, size), 2);
        const tally_problem carry = combined(&whole, &cut, 1);
        ck_assert(carry.partial.from_states && carry.partial.to_states);
        ck_assert_uint_eq(carry.output_extent, 3);
        ck_assert(!carry.descending && !carry.exclusive);
    }
}
END_TEST

/* A band is where low <= column - row < high: rows move it right, columns left, a batch does not.
 */
START_TEST(bands) {
    tally_diagonal fill = shape_fill(SHAPE(4, 20, 30));
    fill.begin = -2;
    fill.end = 3;
    const tally_whole whole = read_whole(NULL, NULL, &fill);
    static const int64_t by[] = {0, 2, -2};
    for (uint32_t axis = 0; axis < 3; axis++) {
        const tally_cut cut = cut_at(&whole, axis, 2, (uint64_t[]){0, 2, whole.output.size[axis]});
        const tally_problem part = part_of(&whole, &cut, 2, whole.output.size[axis]);
        ck_assert_int_eq(part.low, whole.problem.low + by[axis]);
        ck_assert_int_eq(part.high, whole.problem.high + by[axis]);
        ck_assert_uint_eq(part.inverted, whole.problem.inverted);
        ck_assert_uint_eq(part.value, whole.problem.value);
    }
}
END_TEST

Suite *suite_part(void);
Suite *suite_part(void) {
    Suite *suite = suite_create("part");
    TCase *tests = tcase_create("part");
    tcase_add_test(tests, keys_without_strides);
    tcase_add_test(tests, keys_of_reductions);
    tcase_add_test(tests, keys_of_scans_and_fills);
    tcase_add_test(tests, keys_of_cuts);
    tcase_add_test(tests, states_of_blocks);
    tcase_add_test(tests, states_of_single_terms);
    tcase_add_test(tests, first_indices);
    tcase_add_test(tests, empty_parts);
    tcase_add_test(tests, carries);
    tcase_add_test(tests, bands);
    suite_add_tcase(suite, tests);
    return suite;
}
