/*
 * Which launches over states fold these as elements, and where states lie: on CPUs, where a number
 * is carried. A test says that a choice was made on purpose.
 */
#include <check.h>

#include "support/descriptions/shape.h"
#include "support/plans/sample.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* States of numbers lie as they were read, and are elements; pairs and few states are in rows. */
START_TEST(many_numbers_are_elements_on_cpus) {
    static const struct {
        tally_function function, of;
        tally_dtype dtype, type;
        uint64_t columns;
        bool elements, end;
    } cases[] = {{TALLY_SUM, TALLY_SUM, TALLY_F32, TALLY_F32, 10000, true, false},
                 {TALLY_SUM, TALLY_SUM, TALLY_F16, TALLY_F32, 10000, true, true},
                 {TALLY_L2, TALLY_SUM, TALLY_F64, TALLY_F64, 10000, true, true},
                 {TALLY_LOG_SUM, TALLY_LOG_SUM, TALLY_F32, TALLY_F32, 10000, true, false},
                 {TALLY_L1, TALLY_SUM, TALLY_I64, TALLY_U64, 10000, true, false},
                 {TALLY_MAX, TALLY_MAX, TALLY_U8, TALLY_U32, 10000, true, true},
                 {TALLY_MIN, TALLY_MIN, TALLY_I32, TALLY_I32, 10000, true, false},
                 {TALLY_SUM, TALLY_SUM, TALLY_F32, TALLY_F32, 100, false, false},
                 {TALLY_LOG_SUM_EXP, TALLY_LOG_SUM_EXP, TALLY_F32, TALLY_F32, 10000, false, false}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        const tally_reduce desc =
            shape_reduce(cases[i].function, cases[i].dtype, SHAPE(50, cases[i].columns, 40), 5);
        const tally_plan plan = plan_sample_reduce(&desc, &plan_sample_cpu);
        const tally_step *step = &plan.step[1];
        ck_assert_uint_eq(plan.count, cases[i].end ? 3 : 2);
        ck_assert_uint_eq(step->spec.first, cases[i].elements);
        ck_assert_uint_eq(step->spec.function, cases[i].of);
        ck_assert_uint_eq(step->spec.input, cases[i].type);
        ck_assert_uint_eq(step->args.fold.swept_in[step->spec.swept_rank - 1],
                          cases[i].elements ? cases[i].columns : 1);
        ck_assert(!cases[i].elements || step->spec.schedule == TALLY_FOLD_CPU_COLUMNS);
    }
}
END_TEST

/* Of few terms an end of its own would cost more than rows of states do. */
START_TEST(results_of_few_terms_have_no_end) {
    for (uint64_t terms = 2; terms <= 50; terms += 48) {
        const tally_reduce desc = shape_reduce(TALLY_SUM, TALLY_F16, SHAPE(terms, 100000, 7), 5);
        ck_assert_uint_eq(plan_sample_reduce(&desc, &plan_sample_cpu).count, terms == 2 ? 2 : 3);
    }
}
END_TEST

/*
 * Extremes of few terms side by side go down the outermost axis first, if it reads much for what it
 * leaves; few of a row of memory or many.
 */
START_TEST(extremes_go_down_columns_first) {
    static const struct {
        tally_dtype dtype;
        uint64_t outer, kept, inner;
        bool columns;
    } cases[] = {{TALLY_F32, 2000, 100, 8, true},  {TALLY_F32, 50, 10000, 8, true},
                 {TALLY_F32, 5, 100000, 8, false}, {TALLY_I8, 20, 100000, 8, false},
                 {TALLY_I8, 50, 100000, 8, true},  {TALLY_F32, 50, 10000, 40, false}};
    for (size_t i = 0; i < COUNT(cases); i++) {
        const tally_reduce desc = shape_reduce(
            TALLY_MIN, cases[i].dtype, SHAPE(cases[i].outer, cases[i].kept, cases[i].inner), 5);
        const tally_plan plan = plan_sample_reduce(&desc, &plan_sample_cpu);
        ck_assert_int_eq(plan.step[0].spec.schedule == TALLY_FOLD_CPU_COLUMNS, cases[i].columns);
    }
}
END_TEST

Suite *suite_fold_states_choices(void);
Suite *suite_fold_states_choices(void) {
    Suite *suite = suite_create("fold_states_choices");
    TCase *tests = tcase_create("fold_states_choices");
    tcase_add_test(tests, many_numbers_are_elements_on_cpus);
    tcase_add_test(tests, results_of_few_terms_have_no_end);
    tcase_add_test(tests, extremes_go_down_columns_first);
    suite_add_tcase(suite, tests);
    return suite;
}
