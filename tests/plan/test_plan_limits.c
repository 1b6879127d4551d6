/*
 * What a device can't do, refused when planning: float64 without fp64, tensors and scratch beyond
 * its address space. Both sides of each limit.
 */
#include "plan/plan.h"

#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "support/descriptions/shape.h"
#include "support/expect.h"

static const tally_limits gpu = {.group_max = 256,
                                 .local_bytes = 32768,
                                 .units = 16,
                                 .address_bits = 64,
                                 .family = TALLY_FAMILY_GPU,
                                 .has_f64 = true};

static tally_limits limits_of(uint32_t address_bits, bool has_f64) {
    tally_limits limits = gpu;
    limits.address_bits = address_bits;
    limits.has_f64 = has_f64;
    return limits;
}

static tally_status plan_reduce(const tally_reduce *desc, const tally_limits *limits,
                                tally_error *error) {
    tally_plan plan;
    tally_problem problem;
    expect_ok("the problem", tally_problem_reduce(desc, &problem, error), error);
    return tally_plan_make(&problem, limits, &plan, error);
}

/* ---- float64 ------------------------------------------------------------------------------- */

START_TEST(arithmetic_on_f64_needs_fp64) {
    const tally_limits without = limits_of(64, false), with = limits_of(64, true);
    const expect wanted = {TALLY_UNSUPPORTED, {"fp64", "f64"}};
    for (int function = TALLY_ARGMAX; function <= TALLY_SUM_SQUARE; function++) {
        tally_error error = TALLY_ERROR_INIT;
        const tally_reduce desc = shape_reduce((tally_function)function, TALLY_F64, SHAPE(5, 6), 2);
        expect_refusal("a fold", &wanted, plan_reduce(&desc, &without, &error), &error);
        expect_ok("a fold", plan_reduce(&desc, &with, &error), &error);
        const tally_reduce f32 = shape_reduce((tally_function)function, TALLY_F32, SHAPE(5, 6), 2);
        expect_ok("a fold of f32", plan_reduce(&f32, &without, &error), &error);
    }
}
END_TEST

START_TEST(a_scan_of_f64_needs_fp64) {
    const tally_limits without = limits_of(64, false);
    const expect wanted = {TALLY_UNSUPPORTED, {"fp64", "f64"}};
    tally_plan plan;
    tally_problem problem;
    tally_error error = TALLY_ERROR_INIT;
    const tally_cumulative desc = shape_scan(TALLY_MAX, TALLY_F64, SHAPE(5, 6), 1);
    ck_assert_int_eq(tally_problem_cumulative(&desc, &problem, &error), TALLY_OK);
    expect_refusal("a scan", &wanted, tally_plan_make(&problem, &without, &plan, &error), &error);
}
END_TEST

START_TEST(a_fill_of_f64_needs_no_fp64) {
    const tally_limits without = limits_of(64, false);
    tally_plan plan;
    tally_problem problem;
    tally_error error = TALLY_ERROR_INIT;
    tally_diagonal desc = TALLY_DIAGONAL_INIT;
    desc.output = shape_tensor(TALLY_F64, SHAPE(5, 6));
    ck_assert_int_eq(tally_problem_diagonal(&desc, &problem, &error), TALLY_OK);
    expect_ok("a fill", tally_plan_make(&problem, &without, &plan, &error), &error);
    ck_assert_int_eq(plan.step[0].spec.input, TALLY_U64);
}
END_TEST

START_TEST(an_empty_output_needs_nothing) {
    const tally_limits without = limits_of(32, false);
    tally_plan plan;
    tally_problem problem;
    tally_error error = TALLY_ERROR_INIT;
    const tally_reduce desc = shape_reduce(TALLY_SUM, TALLY_F64, SHAPE(0, UINT64_C(1) << 40), 2);
    ck_assert_int_eq(tally_problem_reduce(&desc, &problem, &error), TALLY_OK);
    expect_ok("nothing", tally_plan_make(&problem, &without, &plan, &error), &error);
    ck_assert_uint_eq(plan.count, 0);
    ck_assert_uint_eq(plan.scratch, 0);
}
END_TEST

/* ---- Address space ------------------------------------------------------------------------- */

/* One element more or less: 2^32 - 1 bytes are the most that 32 bits can count. */
typedef struct address_case {
    const char *what;
    tally_dtype dtype;
    uint64_t size;
    bool fits;
    const char *bytes; /* that the sentence names, if not */
} address_case;

static const address_case addresses[] = {
    {"2^32 - 1 bytes", TALLY_U8, UINT32_MAX, true, NULL},
    {"2^32 bytes", TALLY_U8, UINT64_C(1) << 32, false, "4294967296 bytes"},
    {"2^30 - 1 floats", TALLY_F32, (1 << 30) - 1, true, NULL},
    {"2^30 floats", TALLY_F32, 1 << 30, false, "4294967296 bytes"},
    {"2^29 longs", TALLY_I64, 1 << 29, false, "4294967296 bytes"},
    {"2^60 - 1 longs", TALLY_I64, (UINT64_C(1) << 60) - 1, false, "9223372036854775800 bytes"},
};
#define ADDRESSES ((int)(sizeof addresses / sizeof addresses[0]))

START_TEST(an_input_ends_within_the_address_space) {
    const address_case *it = &addresses[_i];
    const tally_limits narrow = limits_of(32, true), wide = limits_of(64, true);
    const expect wanted = {TALLY_UNSUPPORTED, {"input", it->bytes, "32", "4294967295"}};
    tally_error error = TALLY_ERROR_INIT;
    const tally_reduce desc = shape_reduce(TALLY_MAX, it->dtype, SHAPE(it->size), 1);
    expect_ok(it->what, plan_reduce(&desc, &wide, &error), &error);
    const tally_status status = plan_reduce(&desc, &narrow, &error);
    if (it->fits)
        expect_ok(it->what, status, &error);
    else
        expect_refusal(it->what, &wanted, status, &error);
}
END_TEST

START_TEST(an_output_ends_within_the_address_space) {
    const address_case *it = &addresses[_i];
    const tally_limits narrow = limits_of(32, true), wide = limits_of(64, true);
    const expect wanted = {TALLY_UNSUPPORTED, {"output", it->bytes, "32", "4294967295"}};
    tally_error error = TALLY_ERROR_INIT;
    tally_reduce desc = shape_reduce(TALLY_MAX, it->dtype, SHAPE(it->size), 0);
    shape_repeat(&desc.input, 1);
    expect_ok(it->what, plan_reduce(&desc, &wide, &error), &error);
    const tally_status status = plan_reduce(&desc, &narrow, &error);
    if (it->fits)
        expect_ok(it->what, status, &error);
    else
        expect_refusal(it->what, &wanted, status, &error);
}
END_TEST

/*
 * An index per pair of elements and then one over the pairs: each of 2^28 outputs has two states of
 * 8 bytes on the way, 2^32 bytes, though the tensors need 2^30 at most.
 */
START_TEST(the_scratch_ends_within_the_address_space) {
    tally_limits narrow = limits_of(32, true), wide = limits_of(64, true);
    tally_error error = TALLY_ERROR_INIT;
    tally_reduce desc = shape_reduce(TALLY_ARGMAX, TALLY_U8, SHAPE(2, UINT64_C(1) << 28, 2), 5);
    narrow.family = wide.family = TALLY_FAMILY_GENERIC; /* which folds a group at a time */
    expect_ok("scratch of 2^32 bytes", plan_reduce(&desc, &wide, &error), &error);
    const expect wanted = {TALLY_UNSUPPORTED, {"scratch", "4294967296", "32", "4294967295"}};
    expect_refusal("scratch of 2^32 bytes", &wanted, plan_reduce(&desc, &narrow, &error), &error);
    desc = shape_reduce(TALLY_ARGMAX, TALLY_U8, SHAPE(2, (UINT64_C(1) << 28) - 64, 2), 5);
    expect_ok("a little less", plan_reduce(&desc, &narrow, &error), &error);
}
END_TEST

/* The same where the bytes of the states pass 64 bits: 2^60 of 16. */
START_TEST(the_scratch_does_not_wrap_around) {
    tally_error error = TALLY_ERROR_INIT;
    tally_reduce desc = shape_reduce(TALLY_ARGMAX, TALLY_U8, SHAPE(2, UINT64_C(1) << 59, 2), 5);
    tally_limits generic = gpu;
    generic.family = TALLY_FAMILY_GENERIC;
    desc.output.dtype = TALLY_U64;
    const expect wanted = {TALLY_UNSUPPORTED, {"scratch"}};
    expect_refusal("scratch of 2^64 bytes", &wanted, plan_reduce(&desc, &generic, &error), &error);
}
END_TEST

Suite *suite_plan_limits(void) {
    Suite *suite = suite_create("plan_limits");
    TCase *tests = tcase_create("plan_limits");
    tcase_add_test(tests, arithmetic_on_f64_needs_fp64);
    tcase_add_test(tests, a_scan_of_f64_needs_fp64);
    tcase_add_test(tests, a_fill_of_f64_needs_no_fp64);
    tcase_add_test(tests, an_empty_output_needs_nothing);
    tcase_add_loop_test(tests, an_input_ends_within_the_address_space, 0, ADDRESSES);
    tcase_add_loop_test(tests, an_output_ends_within_the_address_space, 0, ADDRESSES);
    tcase_add_test(tests, the_scratch_ends_within_the_address_space);
    tcase_add_test(tests, the_scratch_does_not_wrap_around);
    suite_add_tcase(suite, tests);
    return suite;
}
