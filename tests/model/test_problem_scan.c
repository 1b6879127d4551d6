/*
 * Scans, collapsed: rows and the axis along them go to exactly the addresses that the description
 * names, in input and output.
 */
#include "model/problem.h"

#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "support/descriptions/describe.h"
#include "support/descriptions/legal.h"
#include "support/descriptions/random_desc.h"
#include "support/descriptions/shape.h"
#include "support/numbers/values.h"
#include "support/oracle/oracle.h"
#include "support/plans/addresses.h"

static void fail_desc(const tally_cumulative *desc, const char *what, uint64_t value) {
    text out = {{0}, 0};
    describe_cumulative(&out, desc);
    ck_abort_msg("%s (%llu):\n%s", what, (unsigned long long)value, out.chars);
}

static tally_problem make(const tally_cumulative *desc) {
    tally_problem problem;
    tally_error error = TALLY_ERROR_INIT;
    memset(&problem, 0xAB, sizeof problem);
    if (tally_problem_cumulative(desc, &problem, &error) != TALLY_OK)
        fail_desc(desc, error.message, 0);
    return problem;
}

static void check_addresses(const tally_cumulative *desc, const tally_problem *problem) {
    const uint32_t axis = 1u << desc->axis;
    const uint64_t rows = addresses_count(&desc->input, ~axis);
    if (tally_dims_elements(&problem->kept) != rows)
        fail_desc(desc, "rows miscounted", tally_dims_elements(&problem->kept));
    for (uint64_t i = 0; i < rows; i++) {
        if (addresses_of_dims(&problem->kept, problem->kept.in, i) !=
            addresses_of_axes(&desc->input, ~axis, i))
            fail_desc(desc, "a row is read elsewhere", i);
        if (addresses_of_dims(&problem->kept, problem->kept.out, i) !=
            addresses_of_axes(&desc->output, ~axis, i))
            fail_desc(desc, "a row is written elsewhere", i);
    }
    for (uint64_t i = 0; i < desc->input.size[desc->axis]; i++) {
        if (i * problem->swept[0].in[0] != addresses_of_axes(&desc->input, axis, i))
            fail_desc(desc, "a term is read elsewhere", i);
        if (i * problem->swept[0].out[0] != addresses_of_axes(&desc->output, axis, i))
            fail_desc(desc, "a term is written elsewhere", i);
    }
}

static bool lie_alike(const tally_tensor *a, const tally_tensor *b) {
    for (uint64_t i = 0; i < oracle_count(a); i++)
        if (oracle_offset(a, i) != oracle_offset(b, i))
            return false;
    return true;
}

static void check_rest(const tally_cumulative *desc, const tally_problem *problem) {
    const bool floating = desc->input.dtype <= TALLY_F64;
    const bool ordered = legal_is_order(desc->function);
    if (problem->kind != TALLY_KIND_SCAN || problem->function != desc->function ||
        problem->input != desc->input.dtype || problem->output != desc->input.dtype)
        fail_desc(desc, "another kind, function or type", 0);
    if (problem->groups != 1 || problem->swept[0].count != 1 ||
        problem->terms != desc->input.size[desc->axis] ||
        problem->swept[0].size[0] != problem->terms)
        fail_desc(desc, "another axis", problem->terms);
    if (problem->descending != desc->descending || problem->exclusive != desc->exclusive ||
        problem->nan != (ordered && floating ? desc->nan : TALLY_NAN_PROPAGATE) ||
        problem->tie != TALLY_TIE_FIRST)
        fail_desc(desc, "an option", 0);
    if (problem->output_extent > 0 && problem->in_place != lie_alike(&desc->input, &desc->output))
        fail_desc(desc,
                  problem->in_place ? "in place, though the tensors lie differently"
                                    : "not in place, though the tensors lie alike",
                  0);
}

START_TEST(any_scan_goes_where_its_description_says) {
    const random_kind kind = {700, 6, true};
    uint64_t state = 31;
    int in_place = 0;
    for (int i = 0; i < 6000; i++) {
        tally_cumulative desc;
        random_cumulative(&kind, &state, &desc);
        const tally_problem problem = make(&desc);
        if (problem.output_extent > 0)
            check_addresses(&desc, &problem);
        check_rest(&desc, &problem);
        in_place += problem.in_place;
    }
    ck_assert_int_gt(in_place, 1000);
    ck_assert_int_lt(in_place, 5000);
}
END_TEST

START_TEST(an_axis_of_size_1_is_walked_too) {
    const tally_cumulative desc = shape_scan(TALLY_SUM, TALLY_F32, SHAPE(4, 1, 5), 1);
    const tally_problem problem = make(&desc);
    ck_assert_uint_eq(problem.terms, 1);
    ck_assert_uint_eq(problem.swept[0].count, 1);
    ck_assert_uint_eq(problem.kept.count, 1);
    ck_assert_uint_eq(problem.kept.size[0], 20);
}
END_TEST

START_TEST(axes_do_not_merge_across_the_one_scanned) {
    const tally_cumulative desc = shape_scan(TALLY_SUM, TALLY_F32, SHAPE(2, 3, 4, 5), 2);
    const tally_problem problem = make(&desc);
    ck_assert_uint_eq(problem.kept.count, 2);
    ck_assert_uint_eq(problem.kept.size[0], 6);
    ck_assert_uint_eq(problem.kept.in[0], 20);
    ck_assert_uint_eq(problem.kept.size[1], 5);
    ck_assert_uint_eq(problem.swept[0].in[0], 5);
}
END_TEST

START_TEST(numbers_beyond_32_bits_are_counted) {
    const tally_cumulative desc =
        shape_scan(TALLY_SUM, TALLY_I32, SHAPE(1u << 20, UINT64_C(1) << 33, 4), 1);
    const tally_problem problem = make(&desc);
    ck_assert_uint_eq(problem.terms, UINT64_C(1) << 33);
    ck_assert_uint_eq(problem.output_extent, UINT64_C(1) << 55);
    ck_assert_uint_eq(problem.kept.in[0], UINT64_C(1) << 35);
}
END_TEST

Suite *suite_problem_scan(void) {
    Suite *suite = suite_create("problem_scan");
    TCase *tests = tcase_create("problem_scan");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, any_scan_goes_where_its_description_says);
    tcase_add_test(tests, an_axis_of_size_1_is_walked_too);
    tcase_add_test(tests, axes_do_not_merge_across_the_one_scanned);
    tcase_add_test(tests, numbers_beyond_32_bits_are_counted);
    suite_add_tcase(suite, tests);
    return suite;
}
