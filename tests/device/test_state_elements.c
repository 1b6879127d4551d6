/*
 * test_state_elements.c: states that a CPU's launches fold as elements, of all kinds that are
 * numbers, in rows, packed and in columns, of a block of terms and of several. Each family has the
 * same bits, and those of CPUs are planned that way.
 */
#include <check.h>
#include <string.h>

#include "api/runtime.h"
#include "cases/families.h"
#include "support/descriptions/shape.h"
#include "support/fixtures/fixture.h"
#include "support/share.h"

static const struct {
    tally_function function;
    tally_dtype dtype;
    shape sizes;
    uint32_t axes;
    const char *second; /* the launch that reads states, so far as it is the same on all CPUs */
} cases[] = {
    {TALLY_SUM, TALLY_F32, {3, {24, 2731, 3}}, 5, "2: tally_fold_cpu_columns_sum_f32"},
    {TALLY_L2, TALLY_F32, {3, {24, 2731, 3}}, 5, "2: tally_fold_cpu_columns_sum_f32"},
    {TALLY_SUM, TALLY_F16, {4, {3, 5500, 5, 2}}, 10, "2: tally_fold_cpu_packed_sum_f32"},
    {TALLY_MIN, TALLY_F32, {3, {8, 8200, 9}}, 5, "2: tally_fold_cpu_columns_min_i32"},
    {TALLY_SUM_SQUARE, TALLY_I32, {4, {8, 2, 4100, 9}}, 10, "2: tally_fold_cpu_columns_sum_u32"},
    {TALLY_MULTIPLY, TALLY_U32, {3, {8, 8200, 9}}, 5, "2: tally_fold_cpu_columns_multiply_u32"},
    {TALLY_MAX, TALLY_I8, {3, {9, 8000, 8}}, 5, "2: tally_fold_cpu_columns_max_i32"},
    {TALLY_AVERAGE, TALLY_F32, {4, {40, 1700, 2, 3}}, 10, "2: tally_fold_cpu_packed_average_f32"},
    {TALLY_L1, TALLY_F16, {4, {8, 2, 5, 6000}}, 5, "2: tally_fold_cpu_columns_sum_f32"}};
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static tally_reduce make_desc(size_t i) {
    return shape_reduce(cases[i].function, cases[i].dtype, cases[i].sizes, cases[i].axes);
}

START_TEST(states_have_the_bits_of_other_families) {
    const tally_reduce desc = make_desc((size_t)_i);
    uint64_t outputs = 1;
    for (uint32_t k = 0; k < desc.output.rank; k++)
        outputs *= desc.output.size[k];
    if (share_has((size_t)_i, 3))
        families_reduce(&desc, 0, outputs * tally_dtype_size(desc.output.dtype));
}
END_TEST

START_TEST(cpus_fold_states_as_elements) {
    tally_runtime *runtime = fixture_make_runtime_of(TALLY_FAMILY_CPU);
    const tally_reduce desc = make_desc((size_t)_i);
    tally_op *op = NULL;
    tally_error error;
    if (share_has((size_t)_i, 3)) { /* of the others kernels would be compiled for this alone */
        fixture_ok(tally_reduce_create(runtime, &desc, &op, &error), &error, "tally_reduce_create");
        ck_assert_msg(strstr(tally_op_describe(op), cases[_i].second) != NULL, "%s",
                      tally_op_describe(op));
        tally_op_release(op);
    }
    tally_runtime_release(runtime);
}
END_TEST

Suite *suite_state_elements(void);
Suite *suite_state_elements(void) {
    Suite *suite = suite_create("state_elements");
    TCase *of = tcase_create("state_elements");
    tcase_set_timeout(of, 0);
    tcase_add_unchecked_fixture(of, families_open, families_close);
    tcase_add_loop_test(of, states_have_the_bits_of_other_families, 0, (int)COUNT(cases));
    tcase_add_loop_test(of, cpus_fold_states_as_elements, 0, (int)COUNT(cases));
    suite_add_tcase(suite, of);
    return suite;
}
