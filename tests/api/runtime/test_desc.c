/*
 * test_desc.c: what takes a tally_desc, which is the description of any operator.
 */
#include <check.h>

#include "support/descriptions/shape.h"
#include "support/fixtures/fixture.h"
#include "support/refusal.h"

Suite *suite_desc(void);

/* A description of each kind. */
typedef struct kinds {
    tally_reduce sum;
    tally_cumulative scan;
    tally_diagonal fill;
} kinds;

static kinds make_kinds(void) {
    return (kinds){shape_sum_rows(), shape_scan_rows(), shape_fill(SHAPE(3, 4))};
}

static tally_desc describe(const kinds *of, int kind) {
    tally_desc desc = TALLY_DESC_INIT;
    desc.reduce = kind == 0 ? &of->sum : NULL;
    desc.cumulative = kind == 1 ? &of->scan : NULL;
    desc.diagonal = kind == 2 ? &of->fill : NULL;
    return desc;
}

static tally_op *make_by_kind(const kinds *of, int kind) {
    tally_runtime *runtime = fixture_get()->runtime;
    tally_op *op = NULL;
    tally_error error;
    fixture_ok(kind == 0   ? tally_reduce_create(runtime, &of->sum, &op, &error)
               : kind == 1 ? tally_cumulative_create(runtime, &of->scan, &op, &error)
                           : tally_diagonal_create(runtime, &of->fill, &op, &error),
               &error, "create");
    return op;
}

START_TEST(an_operator_of_any_kind) {
    const kinds of = make_kinds();
    const tally_desc desc = describe(&of, _i);
    tally_op *own = make_by_kind(&of, _i), *op = NULL;
    tally_error error;
    fixture_ok(tally_op_create(fixture_get()->runtime, &desc, &op, &error), &error,
               "tally_op_create");
    ck_assert_str_eq(tally_op_describe(op), tally_op_describe(own));
    ck_assert_uint_eq(tally_op_launches(op), tally_op_launches(own));
    tally_op_release(op);
    tally_op_release(own);
}
END_TEST

START_TEST(descriptions_that_make_no_operator) {
    kinds of = make_kinds();
    tally_runtime *runtime = fixture_get()->runtime;
    const tally_desc none = TALLY_DESC_INIT, one = describe(&of, 0);
    tally_desc two = one;
    tally_op *op = (tally_op *)&of; /* not NULL, and never touched */
    tally_error error;
    two.cumulative = &of.scan;
    refusal_check(INVALID("0 of its three"), tally_op_create(runtime, &none, &op, &error), &error);
    ck_assert_ptr_null(op);
    refusal_check(INVALID("2 of its three"), tally_op_create(runtime, &two, &op, &error), &error);
    refusal_check(INVALID("tally_desc", "NULL"), tally_op_create(runtime, NULL, &op, &error),
                  &error);
    refusal_check(INVALID("runtime", "NULL"), tally_op_create(NULL, &one, &op, &error), &error);
    refusal_check(INVALID("operator", "NULL"), tally_op_create(runtime, &one, NULL, &error),
                  &error);
    of.sum.axes = 1u << 5; /* cppcheck-suppress unreadVariable; read through one */
    refusal_check(INVALID("axes"), tally_op_create(runtime, &one, &op, &error), &error);
    ck_assert_ptr_null(op);
}
END_TEST

START_TEST(tensors_of_descriptions) {
    kinds of = make_kinds();
    const tally_tensor kept = of.fill.output;
    const tally_desc sum = describe(&of, 0), scan = describe(&of, 1), fill = describe(&of, 2);
    const tally_desc none = TALLY_DESC_INIT;
    ck_assert_ptr_eq(tally_desc_input(&sum), &of.sum.input);
    ck_assert_ptr_eq(tally_desc_output(&sum), &of.sum.output);
    ck_assert_ptr_eq(tally_desc_input(&scan), &of.scan.input);
    ck_assert_ptr_eq(tally_desc_output(&scan), &of.scan.output);
    ck_assert_ptr_null(tally_desc_input(&fill));
    ck_assert_ptr_eq(tally_desc_output(&fill), &of.fill.output);
    of.fill.input = &kept; /* cppcheck-suppress unreadVariable; read through fill */
    ck_assert_ptr_eq(tally_desc_input(&fill), &kept);
    ck_assert_ptr_null(tally_desc_input(&none));
    ck_assert_ptr_null(tally_desc_output(&none));
    ck_assert_ptr_null(tally_desc_input(NULL));
    ck_assert_ptr_null(tally_desc_output(NULL));
}
END_TEST

/* A description of an older header may end after its reduction; the rest is not read. */
START_TEST(short_descriptions) {
    const kinds of = make_kinds();
    tally_desc desc = describe(&of, 0);
    desc.struct_size = (uint32_t)offsetof(tally_desc, cumulative);
    desc.diagonal = &of.fill;
    ck_assert_ptr_eq(tally_desc_input(&desc), &of.sum.input);
    ck_assert_ptr_eq(tally_desc_output(&desc), &of.sum.output);
    desc.struct_size = 1;
    ck_assert_ptr_null(tally_desc_input(&desc));
    ck_assert_ptr_null(tally_desc_output(&desc));
}
END_TEST

Suite *suite_desc(void) {
    Suite *suite = suite_create("desc");
    TCase *tests = tcase_create("desc");
    tcase_set_timeout(tests, 300);
    tcase_add_loop_test(tests, an_operator_of_any_kind, 0, 3);
    tcase_add_test(tests, descriptions_that_make_no_operator);
    tcase_add_test(tests, tensors_of_descriptions);
    tcase_add_test(tests, short_descriptions);
    suite_add_tcase(suite, tests);
    return suite;
}
