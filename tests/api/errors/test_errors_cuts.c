/*
 * test_errors_cuts.c: every way in which a problem cannot be cut: the status, the whole sentence
 * with its value and its limit, and neither the cut nor the bounds changed. No device is asked.
 */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include <tally/part.h>

#include "support/descriptions/shape.h"
#include "support/refusal.h"

Suite *suite_errors_cuts(void);

#define STRETCH UINT64_C(262144)
#define MOST_BOUNDS 8
#define BOUNDS(...) ((const uint64_t[MOST_BOUNDS]){__VA_ARGS__})

/* ---- The two calls -------------------------------------------------------------------------- */

/* A cut and bounds that a refusal must leave as they are. */
typedef struct places {
    tally_cut cut;
    uint64_t bounds[MOST_BOUNDS];
} places;

static places make_places(void) {
    places made;
    memset(&made, 0x55, sizeof made);
    made.cut.struct_size = sizeof made.cut;
    return made;
}

/* With an error struct and without. */
static void refuse_even(const tally_desc *desc, uint32_t axis, uint32_t parts, refusal expected) {
    places given = make_places();
    const places before = given;
    tally_error error;
    memset(&error, 0x55, sizeof error);
    refusal_check(expected, tally_cut_even(desc, axis, parts, given.bounds, &given.cut, &error),
                  &error);
    ck_assert_int_eq(tally_cut_even(desc, axis, parts, given.bounds, &given.cut, NULL),
                     expected.status);
    ck_assert_mem_eq(&given, &before, sizeof given);
}

static void refuse_at(const tally_desc *desc, uint32_t axis, uint32_t parts, const uint64_t *bounds,
                      refusal expected) {
    places given = make_places();
    const places before = given;
    tally_error error;
    memset(&error, 0x55, sizeof error);
    refusal_check(expected, tally_cut_at(desc, axis, parts, bounds, &given.cut, &error), &error);
    ck_assert_int_eq(tally_cut_at(desc, axis, parts, bounds, &given.cut, NULL), expected.status);
    ck_assert_mem_eq(&given, &before, sizeof given);
}

/* Both refuse it like this. */
static void refuse_both(const tally_desc *desc, uint32_t axis, uint32_t parts, refusal expected) {
    refuse_even(desc, axis, parts, expected);
    refuse_at(desc, axis, parts, BOUNDS(0), expected);
}

static tally_desc of_reduce(const tally_reduce *reduce) {
    tally_desc desc = TALLY_DESC_INIT;
    desc.reduce = reduce;
    return desc;
}

static tally_desc of_scan(const tally_cumulative *scan) {
    tally_desc desc = TALLY_DESC_INIT;
    desc.cumulative = scan;
    return desc;
}

/* ---- Refusals ------------------------------------------------------------------------------- */

START_TEST(descriptions) {
    static tally_reduce reduce;
    const tally_cumulative scan = shape_scan_rows();
    tally_desc desc = TALLY_DESC_INIT;
    reduce = shape_sum_rows();
    refuse_both(NULL, 0, 2, INVALID("the tally_desc is NULL"));
    refuse_both(&desc, 0, 2, INVALID("0 of its three descriptions are given, not one"));
    desc.reduce = &reduce;
    desc.cumulative = &scan;
    refuse_both(&desc, 0, 2, INVALID("2 of its three descriptions are given, not one"));
    desc.cumulative = NULL;
    reduce.function = (tally_function)13;
    refuse_both(&desc, 0, 2, INVALID("function 13 is none of Tally's functions"));
    reduce = shape_sum_rows();
    reduce.reserved = 9;
    refuse_both(&desc, 0, 2, UNSUPPORTED("tally_reduce", "reserved", "9"));
    desc.struct_size = 3;
    refuse_both(&desc, 0, 2, INVALID("struct_size of the tally_desc is 3"));
}
END_TEST

START_TEST(numbers_of_parts) {
    const tally_reduce reduce = shape_sum_rows();
    const tally_desc desc = of_reduce(&reduce);
    refuse_both(&desc, 0, 0, INVALID("the number of parts is 0, but 1 to 2147483647 are possible"));
    refuse_both(&desc, 0, UINT32_C(1) << 31,
                INVALID("the number of parts is 2147483648, but 1 to 2147483647 are possible"));
}
END_TEST

START_TEST(missing_places) {
    const tally_reduce reduce = shape_sum_rows();
    const tally_desc desc = of_reduce(&reduce);
    const refusal no_cut = INVALID("the place for the cut is NULL");
    places given = make_places();
    const places before = given;
    tally_error error;
    refusal_check(INVALID("the place for the bounds is NULL"),
                  tally_cut_even(&desc, 0, 2, NULL, &given.cut, &error), &error);
    refusal_check(no_cut, tally_cut_even(&desc, 0, 2, given.bounds, NULL, &error), &error);
    refuse_at(&desc, 0, 2, NULL, INVALID("the list of bounds is NULL"));
    refusal_check(no_cut, tally_cut_at(&desc, 0, 2, BOUNDS(0, 1, 3), NULL, &error), &error);
    ck_assert_mem_eq(&given, &before, sizeof given);
}
END_TEST

/* A struct_size that is none: what it says is not written to. */
START_TEST(sizes_of_cuts) {
    const tally_reduce reduce = shape_sum_rows();
    const tally_desc desc = of_reduce(&reduce);
    const refusal expected = INVALID("struct_size of the tally_cut is 7, but a multiple of 4 from "
                                     "4 to 4096 is wanted; its initialiser fills it");
    places given = make_places();
    given.cut.struct_size = 7;
    const places before = given;
    tally_error error;
    refusal_check(expected, tally_cut_even(&desc, 0, 2, given.bounds, &given.cut, &error), &error);
    refusal_check(expected, tally_cut_at(&desc, 0, 2, BOUNDS(0, 1, 3), &given.cut, &error), &error);
    ck_assert_mem_eq(&given, &before, sizeof given);
}
END_TEST

START_TEST(axes) {
    const tally_reduce rows = shape_sum_rows();
    const tally_reduce all = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(1, 8, 512, 3), 0xFu);
    const tally_reduce apart = shape_reduce(TALLY_ARGMAX, TALLY_I32, SHAPE(8, 512, 3), 5u);
    const tally_reduce scalar = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE_SCALAR, 0);
    tally_desc desc = of_reduce(&rows);
    refuse_both(&desc, 3, 2, INVALID("axis 3 is not below the rank 3"));
    refuse_at(&desc, TALLY_ANY_AXIS, 2, BOUNDS(0, 1, 3),
              INVALID("axis 4294967295 is not below the rank 3"));
    /* An axis of one coordinate is not outside of any. */
    desc = of_reduce(&all);
    refuse_both(&desc, 2, 2,
                INVALID("axis 2 cannot be cut, because axis 1 outside of it is swept as well; "
                        "axis 1 can"));
    refuse_both(&desc, 3, 2, INVALID("axis 3 cannot be cut, because axis 1", "axis 1 can"));
    /* Of integers an index is not exact across an inner axis: its terms are not in one range. */
    desc = of_reduce(&apart);
    refuse_both(&desc, 2, 2, INVALID("axis 2 cannot be cut, because axis 0", "axis 0 can"));
    desc = of_reduce(&scalar);
    refuse_even(&desc, TALLY_ANY_AXIS, 2, INVALID("a tensor of rank 0 has no axis to cut"));
    refuse_both(&desc, 0, 2, INVALID("axis 0 is not below the rank 0"));
}
END_TEST

START_TEST(bounds_out_of_order) {
    const tally_reduce row = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(20000), 1);
    const tally_desc desc = of_reduce(&row);
    refuse_at(&desc, 0, 2, BOUNDS(4096, 8192, 20000),
              INVALID("the parts are from 4096 to 20000, but axis 0 from 0 to 20000"));
    refuse_at(&desc, 0, 2, BOUNDS(0, 8192, 16384),
              INVALID("the parts are from 0 to 16384, but axis 0 from 0 to 20000"));
    refuse_at(&desc, 0, 2, BOUNDS(0, 8192, 20001),
              INVALID("the parts are from 0 to 20001, but axis 0 from 0 to 20000"));
    refuse_at(&desc, 0, 3, BOUNDS(0, 8192, 4096, 20000),
              INVALID("part 1 ends at 4096, before it begins at 8192"));
    refuse_at(&desc, 0, 2, BOUNDS(0, 30000, 20000),
              INVALID("part 1 ends at 20000, before it begins at 30000"));
}
END_TEST

/* The nearest bound is named: below, above, and the end of the axis. */
START_TEST(unaligned_bounds) {
    const tally_reduce row = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(20000), 1);
    const tally_reduce merged = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(24, 512), 3);
    tally_desc desc = of_reduce(&row);
    static const uint64_t cases[][2] = {{1, 0},         {2048, 0},     {2049, 4096},
                                        {4095, 4096},   {4097, 4096},  {18000, 16384},
                                        {18193, 20000}, {19999, 20000}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char sentence[128];
        snprintf(sentence, sizeof sentence,
                 "axis 0 cannot be cut at %d: cuts are 4096 coordinates apart, the nearest is %d",
                 (int)cases[i][0], (int)cases[i][1]);
        refuse_at(&desc, 0, 2, BOUNDS(0, cases[i][0], 20000), INVALID(sentence));
    }
    desc = of_reduce(&merged);
    refuse_at(&desc, 0, 3, BOUNDS(0, 8, 13, 24),
              INVALID("axis 0 cannot be cut at 13: cuts are 8 coordinates apart, the nearest is "
                      "16"));
}
END_TEST

/* A descending scan visits the end first: its stretches are counted from there. */
START_TEST(unaligned_bounds_of_scans) {
    static tally_cumulative scan;
    const tally_desc desc = of_scan(&scan);
    const uint64_t size = 2 * STRETCH + 100;
    const uint64_t first[] = {0, 100, size};
    scan = shape_scan(TALLY_SUM, TALLY_F32, SHAPE(2, size), 1);
    refuse_at(&desc, 1, 2, first,
              INVALID("axis 1 cannot be cut at 100: cuts are 262144 coordinates apart, the nearest "
                      "is 0"));
    scan.descending = true;
    places given = make_places();
    tally_error error;
    ck_assert_int_eq(tally_cut_at(&desc, 1, 2, first, &given.cut, &error), TALLY_OK);
    refuse_at(&desc, 1, 2, BOUNDS(0, 49, size), INVALID("cut at 49: ", "the nearest is 0"));
    refuse_at(&desc, 1, 2, BOUNDS(0, 51, size), INVALID("cut at 51: ", "the nearest is 100"));
    refuse_at(&desc, 1, 2, BOUNDS(0, STRETCH, size),
              INVALID("cut at 262144: ", "the nearest is 262244"));
    refuse_at(&desc, 1, 2, BOUNDS(0, STRETCH + 101, size),
              INVALID("cut at 262245: ", "the nearest is 262244"));
    refuse_at(&desc, 1, 2, BOUNDS(0, size - 1, size),
              INVALID("cut at 524387: ", "the nearest is 524388"));
}
END_TEST

/* What has no status answers with nothing. */
START_TEST(answers_to_nonsense) {
    const tally_reduce row = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(20000), 1);
    const tally_desc desc = of_reduce(&row);
    const tally_cut none = TALLY_CUT_INIT;
    tally_cut cut = TALLY_CUT_INIT;
    ck_assert_int_eq(tally_cut_at(&desc, 0, 2, BOUNDS(0, 4096, 20000), &cut, NULL), TALLY_OK);
    ck_assert_uint_eq(tally_cut_states(&cut, 4096, 20000), 4);
    ck_assert_uint_eq(tally_cut_states(&cut, 4096, 4096), 0);
    ck_assert_uint_eq(tally_cut_states(&cut, 8192, 4096), 0);
    ck_assert_uint_eq(tally_cut_states(&cut, 0, 20001), 0);
    ck_assert_uint_eq(tally_cut_states(&none, 0, 1), 0);
    ck_assert_uint_eq(tally_cut_states(NULL, 0, 1), 0);
    tally_tensor tensor = tally_tensor_range(&row.input, 0, 8192, 4096);
    ck_assert_uint_eq(tensor.rank, 1);
    ck_assert_uint_eq(tensor.size[0], 0);
    tensor.rank = TALLY_MAX_RANK + 1;
    ck_assert_int_eq(tally_tensor_range(&tensor, 0, 0, 1).dtype, TALLY_DTYPE_NONE);
    ck_assert_int_eq(tally_tensor_range(NULL, 0, 0, 1).dtype, TALLY_DTYPE_NONE);
}
END_TEST

Suite *suite_errors_cuts(void) {
    Suite *suite = suite_create("errors_cuts");
    TCase *tests = tcase_create("errors_cuts");
    tcase_add_test(tests, descriptions);
    tcase_add_test(tests, numbers_of_parts);
    tcase_add_test(tests, missing_places);
    tcase_add_test(tests, sizes_of_cuts);
    tcase_add_test(tests, axes);
    tcase_add_test(tests, bounds_out_of_order);
    tcase_add_test(tests, unaligned_bounds);
    tcase_add_test(tests, unaligned_bounds_of_scans);
    tcase_add_test(tests, answers_to_nonsense);
    suite_add_tcase(suite, tests);
    return suite;
}
