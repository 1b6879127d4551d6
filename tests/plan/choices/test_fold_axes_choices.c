/*
 * Which launches fold axes that are more than rows or columns: several groups of axes, outputs and
 * indices in another order than memory's, what repeats, and nothing swept at all. As in
 * test_plan_choices.c, a test says that a choice was made on purpose.
 */
#include <check.h>
#include <string.h>

#include "support/descriptions/shape.h"
#include "support/plans/sample.h"

/* Groups of few terms are folded in one launch, of many in one each. */
START_TEST(groups_of_few_terms_are_folded_at_once) {
    static const struct {
        shape sizes;
        uint32_t axes, steps;
    } cases[] = {{{4, {6, 50, 7, 64}}, 5, 1},
                 {{4, {129, 50, 7, 64}}, 5, 2}, /* no lane for each */
                 {{4, {128, 50, 17, 64}}, 5, 2} /* more entries than a table has */,
                 {{5, {2, 50, 2, 50, 4}}, 0x15, 1},
                 {{5, {128, 50, 2, 50, 4}}, 0x15, 1},
                 {{5, {129, 50, 2, 50, 4}}, 0x15, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const tally_reduce desc = shape_reduce(TALLY_SUM, TALLY_F32, cases[i].sizes, cases[i].axes);
        ck_assert_uint_eq(plan_sample_reduce(&desc, &plan_sample_gpu).count, cases[i].steps);
        ck_assert_uint_eq(plan_sample_reduce(&desc, &plan_sample_cpu).count,
                          cases[i].axes == 5 ? 2 : 3);
    }
}
END_TEST

/* Results far apart in the order in which terms are read: of few terms outputs are crossed. */
START_TEST(outputs_in_another_order_are_crossed) {
    for (uint64_t terms = 32; terms <= 33; terms++) {
        tally_reduce desc = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(terms, 1000, 1000), 1);
        desc.input.flags |= TALLY_STRIDED;
        desc.input.stride[0] = 1000000;
        desc.input.stride[1] = 1;
        desc.input.stride[2] = 1000;
        const tally_plan plan = plan_sample_reduce(&desc, &plan_sample_gpu);
        ck_assert_uint_eq(plan.count, 1);
        ck_assert_int_eq(plan.step[0].spec.schedule, TALLY_FOLD_OUTPUTS);
        ck_assert_int_eq(plan.step[0].spec.policy.fold_outputs.crossed != 0, terms <= 32);
    }
}
END_TEST

/*
 * Two columns of long terms: beside others, which are nearer than their own next terms, neighbours
 * read those; alone they are strips of columns.
 */
START_TEST(few_columns_beside_others_are_outputs) {
    static const uint64_t strides[2][4] = {{50000, 1000, 1, 2}, {4, 400000, 1, 8000}};
    static const uint8_t schedules[2] = {TALLY_FOLD_OUTPUTS, TALLY_FOLD_COLUMNS};
    for (int i = 0; i < 2; i++) {
        tally_reduce desc = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(2000, 50, 2, 500), 1);
        desc.input.flags |= TALLY_STRIDED;
        memcpy(desc.input.stride, strides[i], sizeof strides[i]);
        const tally_plan plan = plan_sample_reduce(&desc, &plan_sample_gpu);
        ck_assert_int_eq(plan.step[0].spec.schedule, schedules[i]);
    }
}
END_TEST

/* An index over two axes on a CPU: the axis that is nearest in memory is swept first, as rows. */
START_TEST(an_index_on_a_cpu_takes_the_nearest_axis_first) {
    tally_reduce desc = shape_reduce(TALLY_ARGMIN, TALLY_I32, SHAPE(4, 283, 33756), 6);
    desc.input.flags |= TALLY_STRIDED;
    desc.input.stride[0] = 283 * 33756;
    desc.input.stride[1] = 1;
    desc.input.stride[2] = 283;
    const tally_plan plan = plan_sample_reduce(&desc, &plan_sample_cpu);
    ck_assert_int_eq(plan.step[0].spec.schedule, TALLY_FOLD_CPU_ROWS);
    ck_assert_uint_eq(plan.step[0].args.fold.terms, 283);
    ck_assert_uint_eq(plan.step[0].args.fold.index_scale, 33756);
}
END_TEST

/*
 * Bytes that are loaded at once of float16 rows: more of long ones that fill the device many times,
 * even if another axis is folded behind them; a dword of few, and of short ones.
 */
START_TEST(many_long_rows_of_narrow_elements_come_by_two_dwords) {
    static const struct {
        uint64_t rows, others, terms;
        uint16_t pack;
    } cases[] = {{1, 1, 500000000, 8}, {1, 1, 5000000, 4}, {849, 6, 84867, 8}, {849, 121, 4290, 4}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tally_reduce desc = shape_reduce(TALLY_MIN, TALLY_F16,
                                         SHAPE(cases[i].rows, cases[i].others, cases[i].terms), 5);
        const tally_plan plan = plan_sample_reduce(&desc, &plan_sample_gpu);
        ck_assert_int_eq(plan.step[0].spec.schedule, TALLY_FOLD_ROWS);
        ck_assert_uint_eq(plan.step[0].spec.policy.fold_rows.pack, cases[i].pack);
    }
}
END_TEST

/* Rows in local memory, and work-items that fold them: rows of which few are there are shared. */
START_TEST(long_short_rows_are_shared) {
    static const struct {
        tally_dtype dtype;
        uint64_t terms;
        uint16_t sharers;
    } cases[] = {{TALLY_F64, 128, 4}, {TALLY_F64, 64, 2}, {TALLY_F32, 128, 2}, {TALLY_F32, 20, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const tally_reduce desc =
            shape_reduce(TALLY_SUM, cases[i].dtype, SHAPE(100000, cases[i].terms), 2);
        const tally_plan plan = plan_sample_reduce(&desc, &plan_sample_gpu);
        ck_assert_int_eq(plan.step[0].spec.schedule, TALLY_FOLD_SHORT_ROWS);
        ck_assert_uint_eq(plan.step[0].spec.policy.fold_short_rows.sharers, cases[i].sharers);
    }
}
END_TEST

/*
 * Pairs of columns one after the other, 190 terms of each: work-items that share a pair read a
 * cache line of it, or where there are enough of them a sector.
 */
START_TEST(narrow_outputs_are_shared_by_as_many_as_read_a_sector) {
    for (int many = 0; many <= 1; many++) {
        tally_reduce desc =
            shape_reduce(TALLY_SUM, TALLY_F16, SHAPE(many ? 100000 : 1000, 190, 2), 2);
        const tally_plan plan = plan_sample_reduce(&desc, &plan_sample_gpu);
        ck_assert_int_eq(plan.step[0].spec.schedule, TALLY_FOLD_OUTPUTS);
        const uint64_t slices = plan.step[0].args.fold_team.slices;
        ck_assert_msg(many ? slices * 4 == 32 : slices * 4 >= 128, "%d: %d slices", many,
                      (int)slices);
    }
}
END_TEST

/* Rows of an odd number of outputs are no packs: of few terms a work-item has several outputs. */
START_TEST(few_terms_of_odd_rows_are_spread) {
    for (uint64_t terms = 2; terms <= 200; terms *= 100)
        for (uint64_t odd = 0; odd <= 1; odd++) {
            const tally_reduce desc =
                shape_reduce(TALLY_MAX, TALLY_F32, SHAPE(16, terms, 1000000 + odd), 2);
            const tally_plan plan = plan_sample_reduce(&desc, &plan_sample_gpu);
            ck_assert_int_eq(plan.step[0].spec.schedule == TALLY_FOLD_OUTPUTS &&
                                 plan.step[0].spec.policy.fold_outputs.spread != 0,
                             terms == 2 && odd == 1);
        }
}
END_TEST

/* So are narrow elements, whatever the number of terms that a block has. */
START_TEST(narrow_odd_rows_are_spread) {
    static const struct {
        tally_function function;
        tally_dtype dtype;
        uint64_t terms, columns;
        bool spread;
    } cases[] = {{TALLY_SUM, TALLY_F16, 200, 1000001, true},
                 {TALLY_MAX, TALLY_U8, 4000, 1000001, true},
                 {TALLY_SUM, TALLY_F16, 5000, 1000001, false},
                 {TALLY_SUM, TALLY_F16, 200, 1000000, false},
                 {TALLY_SUM, TALLY_F16, 200, 101, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const tally_reduce desc = shape_reduce(cases[i].function, cases[i].dtype,
                                               SHAPE(3, cases[i].terms, cases[i].columns), 2);
        const tally_plan plan = plan_sample_reduce(&desc, &plan_sample_gpu);
        ck_assert_msg((plan.step[0].spec.schedule == TALLY_FOLD_OUTPUTS &&
                       plan.step[0].spec.policy.fold_outputs.spread != 0) == cases[i].spread,
                      "case %zu", i);
    }
}
END_TEST

/* Many states lie as their terms were read; few of them one output's after the other's. */
START_TEST(many_states_are_folded_down_columns) {
    for (uint64_t outputs = 100; outputs <= 10000; outputs *= 100) {
        const tally_reduce desc = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(150, outputs, 20), 5);
        const tally_plan plan = plan_sample_reduce(&desc, &plan_sample_gpu);
        const tally_step *last = &plan.step[plan.count - 1];
        ck_assert_uint_eq(last->args.fold.swept_in[last->spec.swept_rank - 1],
                          outputs > 100 ? outputs : 1);
    }
}
END_TEST

/* What repeats changes a sum, and the position of an extreme, but no extreme. */
START_TEST(terms_that_repeat_are_left_out_of_extremes) {
    static const tally_function functions[] = {TALLY_MAX, TALLY_SUM, TALLY_ARGMAX};
    const tally_limits *families[] = {&plan_sample_cpu, &plan_sample_gpu};
    for (size_t i = 0; i < 6; i++) {
        const tally_function function = functions[i / 2];
        tally_reduce desc = shape_reduce(function, TALLY_F32, SHAPE(5, 30, 100), 3);
        desc.input.flags |= TALLY_STRIDED;
        desc.input.stride[0] = 0;
        desc.input.stride[1] = 100;
        desc.input.stride[2] = 1;
        if (function == TALLY_ARGMAX)
            desc.output.dtype = TALLY_U32;
        const tally_step step = plan_sample_reduce(&desc, families[i % 2]).step[0];
        ck_assert_uint_eq(step.args.fold.terms, function == TALLY_MAX ? 30 : 150);
    }
}
END_TEST

/*
 * An index of axes that lie in another order: a long row by itself, then the others; all of them in
 * one launch where the nearest is short, or where there is little to read. Each launch knows what a
 * step adds to the index.
 */
START_TEST(axes_of_an_index_come_in_the_order_of_memory) {
    static const struct {
        uint64_t inner, outer;
        tally_schedule schedule;
        uint64_t scale; /* 1: each term's index is worked out */
    } cases[] = {{4000, 30000, TALLY_FOLD_ROWS, 30000},
                 {100, 1000000, TALLY_FOLD_ANY, 1},
                 {4000, 200, TALLY_FOLD_ANY, 1},
                 {10, 20, TALLY_FOLD_OUTPUTS, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const uint64_t inner = cases[i].inner, outer = cases[i].outer;
        tally_reduce desc = shape_reduce(TALLY_ARGMAX, TALLY_F32, SHAPE(inner, outer), 3);
        desc.output.dtype = TALLY_I64;
        desc.input.flags |= TALLY_STRIDED;
        desc.input.stride[0] = 1;
        desc.input.stride[1] = inner + 1;
        const tally_step step = plan_sample_reduce(&desc, &plan_sample_gpu).step[0];
        ck_assert_int_eq(step.spec.schedule, cases[i].schedule);
        ck_assert_uint_eq(step.args.fold.index_scale, cases[i].scale);
        ck_assert_uint_eq(step.args.fold_any.swept_index[step.spec.swept_rank - 1],
                          cases[i].scale == 1 ? outer : 0);
    }
}
END_TEST

/* Of columns an index's longest axis comes first, where the nearest would leave many states. */
START_TEST(few_states_are_left_of_columns_with_an_index) {
    for (uint64_t nearest = 63; nearest <= 64; nearest++) {
        tally_reduce desc = shape_reduce(TALLY_ARGMAX, TALLY_I8, SHAPE(nearest, 50000, 64), 3);
        desc.output.dtype = TALLY_I64;
        desc.input.flags |= TALLY_STRIDED;
        desc.input.stride[0] = 64;
        desc.input.stride[1] = 64 * nearest;
        desc.input.stride[2] = 1;
        const tally_step step = plan_sample_reduce(&desc, &plan_sample_gpu).step[0];
        ck_assert_uint_eq(step.args.fold.terms, nearest < 64 ? 50000 : nearest);
        ck_assert_uint_eq(step.args.fold.index_scale, nearest < 64 ? 1 : 50000);
    }
}
END_TEST

/* Nothing is swept: a fill on GPUs, by packs or transposed; of indices one of zeros. */
START_TEST(maps_are_fills_on_gpus) {
    static const tally_function functions[] = {TALLY_SUM_SQUARE, TALLY_MAX, TALLY_ARGMIN};
    for (size_t i = 0; i < 6; i++) {
        const tally_function function = functions[i / 2];
        const bool indexed = function == TALLY_ARGMIN, transposed = i % 2 == 1;
        tally_reduce desc = shape_reduce(function, TALLY_F32, SHAPE(2000, 3000), 0);
        desc.output.dtype = indexed ? TALLY_U64 : TALLY_F32;
        if (transposed)
            shape_transpose(&desc.input);
        const tally_spec spec = plan_sample_reduce(&desc, &plan_sample_gpu).step[0].spec;
        ck_assert_int_eq(spec.schedule,
                         transposed && !indexed ? TALLY_FILL_TRANSPOSE : TALLY_FILL_PACKS);
        ck_assert_int_eq(spec.function, indexed ? 0 : function);
        ck_assert_int_eq(spec.input, indexed ? TALLY_U64 : TALLY_F32);
        ck_assert_int_eq(spec.has_input, !indexed);
        ck_assert_int_eq(plan_sample_reduce(&desc, &plan_sample_cpu).step[0].spec.schedule,
                         TALLY_FOLD_CPU_MAP);
        ck_assert_int_eq(plan_sample_reduce(&desc, &plan_sample_narrow).step[0].spec.schedule,
                         TALLY_FOLD_ANY);
    }
}
END_TEST

Suite *suite_fold_axes_choices(void) {
    Suite *suite = suite_create("fold_axes_choices");
    TCase *tests = tcase_create("fold_axes_choices");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, groups_of_few_terms_are_folded_at_once);
    tcase_add_test(tests, outputs_in_another_order_are_crossed);
    tcase_add_test(tests, few_columns_beside_others_are_outputs);
    tcase_add_test(tests, many_long_rows_of_narrow_elements_come_by_two_dwords);
    tcase_add_test(tests, long_short_rows_are_shared);
    tcase_add_test(tests, narrow_outputs_are_shared_by_as_many_as_read_a_sector);
    tcase_add_test(tests, an_index_on_a_cpu_takes_the_nearest_axis_first);
    tcase_add_test(tests, few_terms_of_odd_rows_are_spread);
    tcase_add_test(tests, narrow_odd_rows_are_spread);
    tcase_add_test(tests, many_states_are_folded_down_columns);
    tcase_add_test(tests, terms_that_repeat_are_left_out_of_extremes);
    tcase_add_test(tests, axes_of_an_index_come_in_the_order_of_memory);
    tcase_add_test(tests, few_states_are_left_of_columns_with_an_index);
    tcase_add_test(tests, maps_are_fills_on_gpus);
    suite_add_tcase(suite, tests);
    return suite;
}
