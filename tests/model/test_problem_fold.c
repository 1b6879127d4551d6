/*
 * Reductions, collapsed: the problem's lists of axes go to exactly the addresses that the
 * description names, in row-major order, and its groups follow from the sizes alone.
 */
#include "model/problem.h"

#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "model/dtype.h"
#include "support/descriptions/describe.h"
#include "support/descriptions/legal.h"
#include "support/descriptions/random_desc.h"
#include "support/descriptions/shape.h"
#include "support/numbers/values.h"
#include "support/oracle/oracle.h"
#include "support/plans/addresses.h"
#include "support/reference/order_reference.h"

static void fail_desc(const tally_reduce *desc, const char *what, uint64_t value) {
    text out = {{0}, 0};
    describe_reduce(&out, desc);
    ck_abort_msg("%s (%llu):\n%s", what, (unsigned long long)value, out.chars);
}

static tally_problem make(const tally_reduce *desc) {
    tally_problem problem;
    tally_error error = TALLY_ERROR_INIT;
    memset(&problem, 0xAB, sizeof problem);
    if (tally_problem_reduce(desc, &problem, &error) != TALLY_OK)
        fail_desc(desc, error.message, 0);
    return problem;
}

/* Output by output and, inside of it, term by term. */
static void check_addresses(const tally_reduce *desc, const tally_problem *problem) {
    const uint64_t outputs = addresses_count(&desc->input, ~desc->axes);
    const uint64_t terms = addresses_count(&desc->input, desc->axes);
    if (tally_dims_elements(&problem->kept) != outputs || problem->terms != terms)
        fail_desc(desc, "outputs or terms miscounted", problem->terms);
    for (uint64_t i = 0; i < outputs; i++) {
        const uint64_t in = addresses_of_axes(&desc->input, ~desc->axes, i);
        if (addresses_of_dims(&problem->kept, problem->kept.in, i) != in)
            fail_desc(desc, "an output begins to read elsewhere", i);
        if (addresses_of_dims(&problem->kept, problem->kept.out, i) !=
            oracle_offset(&desc->output, i))
            fail_desc(desc, "an output is written elsewhere", i);
    }
    for (uint64_t i = 0; i < terms; i++)
        if (addresses_of_groups(problem, i) != addresses_of_axes(&desc->input, desc->axes, i))
            fail_desc(desc, "a term is read elsewhere", i);
}

static void check_groups(const tally_reduce *desc, const tally_problem *problem) {
    uint64_t length[ORDER_GROUPS + 1] = {0};
    const uint32_t groups =
        problem->terms == 0 ? 0
                            : order_groups(desc->input.rank, desc->input.size, desc->axes, length);
    if (problem->groups != groups)
        fail_desc(desc, "another number of groups", problem->groups);
    for (uint32_t g = 0; g < groups; g++)
        if (tally_dims_elements(&problem->swept[g]) != length[g])
            fail_desc(desc, "a group of another length", g);
}

static void check_rest(const tally_reduce *desc, const tally_problem *problem) {
    const size_t in = tally_dtype_find(desc->input.dtype)->bytes;
    const size_t out = tally_dtype_find(desc->output.dtype)->bytes;
    const bool ordered = legal_is_order(desc->function);
    const bool floating = desc->input.dtype <= TALLY_F64;
    const bool indexed = legal_is_index(desc->function);
    if (problem->kind != TALLY_KIND_FOLD || problem->function != desc->function ||
        problem->input != desc->input.dtype || problem->output != desc->output.dtype)
        fail_desc(desc, "another kind, function or type", 0);
    if (problem->input_extent * in != oracle_extent(&desc->input) ||
        problem->output_extent * out != oracle_extent(&desc->output))
        fail_desc(desc, "another extent", problem->input_extent);
    if (problem->has_input != (problem->input_extent > 0) || problem->in_place ||
        problem->descending || problem->exclusive)
        fail_desc(desc, "a flag", 0);
    if (problem->nan != (ordered && floating ? desc->nan : TALLY_NAN_PROPAGATE) ||
        problem->tie != (indexed ? desc->tie : TALLY_TIE_FIRST))
        fail_desc(desc, "an option that does not bear on it is kept, or one that does is lost", 0);
}

START_TEST(any_reduction_goes_where_its_description_says) {
    const random_kind kind = {700, 6, true};
    uint64_t state = 21;
    uint32_t seen[ORDER_GROUPS + 1] = {0};
    for (int i = 0; i < 6000; i++) {
        tally_reduce desc;
        random_reduce(&kind, &state, &desc);
        const tally_problem problem = make(&desc);
        if (problem.input_extent > 0)
            check_addresses(&desc, &problem);
        check_groups(&desc, &problem);
        check_rest(&desc, &problem);
        seen[problem.groups]++;
    }
    for (uint32_t g = 0; g <= ORDER_GROUPS; g++)
        ck_assert_uint_gt(seen[g], 5);
}
END_TEST

/* However a tensor lies in memory, its reduction has the same groups: they decide the bits. */
START_TEST(strides_have_no_say_in_the_groups) {
    const random_kind kind = {100000, 0, false};
    uint64_t state = 22;
    for (int i = 0; i < 3000; i++) {
        tally_reduce packed, laid;
        random_reduce(&kind, &state, &packed);
        laid = packed;
        shape_random_input(&laid.input, &state);
        shape_random_output(&laid.output, &state);
        const tally_problem a = make(&packed), b = make(&laid);
        if (a.groups != b.groups || a.terms != b.terms ||
            tally_dims_elements(&a.kept) != tally_dims_elements(&b.kept))
            fail_desc(&laid, "other groups than packed", b.groups);
        for (uint32_t g = 0; g < a.groups; g++)
            if (tally_dims_elements(&a.swept[g]) != tally_dims_elements(&b.swept[g]))
                fail_desc(&laid, "a group of another length than packed", g);
    }
}
END_TEST

static bool same_dims(const tally_dims *a, const tally_dims *b) {
    const size_t bytes = a->count * sizeof a->size[0];
    return a->count == b->count && memcmp(a->size, b->size, bytes) == 0 &&
           memcmp(a->in, b->in, bytes) == 0 && memcmp(a->out, b->out, bytes) == 0;
}

static bool same_axes(const tally_problem *a, const tally_problem *b) {
    for (uint32_t g = 0; g < a->groups && g < b->groups; g++)
        if (!same_dims(&a->swept[g], &b->swept[g]))
            return false;
    return a->groups == b->groups && a->terms == b->terms && same_dims(&a->kept, &b->kept);
}

/* Nor do axes of size 1, wherever they are put and whether they are swept or kept. */
START_TEST(axes_of_size_1_have_no_say_in_the_groups) {
    const tally_reduce plain = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(3, 4, 5, 6), 0xA);
    const tally_problem wanted = make(&plain);
    ck_assert_uint_eq(wanted.groups, 2);
    for (uint32_t position = 0; position <= 4; position++) {
        for (uint32_t swept = 0; swept < 2; swept++) {
            shape wider = {5, {0}};
            uint32_t axes = swept << position;
            for (uint32_t k = 0; k < 5; k++)
                wider.size[k] = k == position ? 1 : plain.input.size[k < position ? k : k - 1];
            for (uint32_t k = 0; k < 4; k++)
                axes |= (plain.axes >> k & 1) << (k < position ? k : k + 1);
            const tally_reduce desc = shape_reduce(TALLY_SUM, TALLY_F32, wider, axes);
            const tally_problem problem = make(&desc);
            if (!same_axes(&problem, &wanted))
                fail_desc(&desc, "another problem than without the axis", position);
        }
    }
}
END_TEST

START_TEST(every_second_axis_makes_the_most_groups) {
    const tally_reduce desc =
        shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(2, 3, 4, 5, 6, 7, 8, 9), 0x55);
    const tally_problem problem = make(&desc);
    ck_assert_uint_eq(problem.groups, TALLY_MAX_GROUPS);
    ck_assert_uint_eq(problem.terms, 2 * 4 * 6 * 8);
    for (uint32_t g = 0; g < 4; g++)
        ck_assert_uint_eq(problem.swept[g].size[0], 8 - 2 * g);
    check_addresses(&desc, &problem);
}
END_TEST

START_TEST(nothing_swept_is_a_fold_of_one_term) {
    const tally_reduce desc = shape_reduce(TALLY_L1, TALLY_F32, SHAPE(4, 5), 0);
    const tally_problem problem = make(&desc);
    ck_assert_uint_eq(problem.groups, 0);
    ck_assert_uint_eq(problem.terms, 1);
    ck_assert_uint_eq(problem.kept.count, 1);
}
END_TEST

START_TEST(a_swept_axis_of_size_0_leaves_nothing_to_read) {
    const tally_reduce desc = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(4, 0, 3), 0x6);
    const tally_problem problem = make(&desc);
    ck_assert_uint_eq(problem.groups, 0);
    ck_assert_uint_eq(problem.terms, 0);
    ck_assert(!problem.has_input);
    ck_assert_uint_eq(problem.input_extent, 0);
    ck_assert_uint_eq(problem.output_extent, 4);
    ck_assert_uint_eq(tally_dims_elements(&problem.kept), 4);
}
END_TEST

/* 2^40 elements that are one, 2^31 of them a packed row: only counted, never walked. */
START_TEST(numbers_beyond_32_bits_are_counted) {
    tally_reduce desc = shape_reduce(TALLY_ARGMAX, TALLY_I8, SHAPE(1u << 20, 1u << 31), 0x2);
    const tally_problem rows = make(&desc);
    ck_assert_uint_eq(rows.terms, UINT64_C(1) << 31);
    ck_assert_uint_eq(rows.kept.in[0], UINT64_C(1) << 31);
    ck_assert_uint_eq(rows.input_extent, UINT64_C(1) << 51);
    shape_repeat(&desc.input, 3);
    ck_assert_uint_eq(make(&desc).input_extent, 1);
}
END_TEST

Suite *suite_problem_fold(void) {
    Suite *suite = suite_create("problem_fold");
    TCase *tests = tcase_create("problem_fold");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, any_reduction_goes_where_its_description_says);
    tcase_add_test(tests, strides_have_no_say_in_the_groups);
    tcase_add_test(tests, axes_of_size_1_have_no_say_in_the_groups);
    tcase_add_test(tests, every_second_axis_makes_the_most_groups);
    tcase_add_test(tests, nothing_swept_is_a_fold_of_one_term);
    tcase_add_test(tests, a_swept_axis_of_size_0_leaves_nothing_to_read);
    tcase_add_test(tests, numbers_beyond_32_bits_are_counted);
    suite_add_tcase(suite, tests);
    return suite;
}
