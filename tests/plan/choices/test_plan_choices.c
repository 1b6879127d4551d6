/*
 * Which schedule folds what, rows and columns of one group of axes, and which family is kept to;
 * several groups and other orders are test_fold_axes_choices.c's. The choices are the planners' to
 * change; a test here says that they were made on purpose.
 */
#include <stdlib.h>

#include <check.h>

#include "support/descriptions/shape.h"
#include "support/plans/sample.h"

static tally_schedule first_schedule(const tally_reduce *desc, const tally_limits *limits) {
    return (tally_schedule)plan_sample_reduce(desc, limits).step[0].spec.schedule;
}

/* Whether a group shares a block, of what any device can fold. */
static bool first_any(const tally_reduce *desc, const tally_limits *limits) {
    const tally_step step = plan_sample_reduce(desc, limits).step[0];
    ck_assert_int_eq(step.spec.schedule, TALLY_FOLD_ANY);
    return step.spec.group > 0;
}

/* Neighbours side by side need no team, if there are enough of them. */
START_TEST(columns_are_folded_by_items_where_there_are_enough) {
    const uint64_t enough = 16 * 1024;
    for (uint64_t columns = enough - 1; columns <= enough; columns++) {
        const tally_reduce desc = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(100, columns), 1);
        ck_assert_int_eq(first_any(&desc, &plan_sample_narrow), columns < enough);
        ck_assert_int_eq(first_schedule(&desc, &plan_sample_gpu), TALLY_FOLD_OUTPUTS);
        ck_assert_int_eq(first_schedule(&desc, &plan_sample_cpu), TALLY_FOLD_CPU_COLUMNS);
    }
}
END_TEST

START_TEST(short_rows_are_folded_by_items) {
    for (uint64_t terms = 63; terms <= 64; terms++) {
        const tally_reduce desc = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(1000000, terms), 2);
        ck_assert_int_eq(first_any(&desc, &plan_sample_narrow), terms >= 64);
    }
}
END_TEST

/* Up to a lane for each term, if there is nothing or little between the rows. */
START_TEST(short_rows_are_folded_together) {
    for (uint64_t terms = 2; terms <= 129; terms++) {
        tally_reduce desc = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(1000, terms), 2);
        ck_assert_int_eq(first_schedule(&desc, &plan_sample_gpu),
                         terms <= 128 ? TALLY_FOLD_SHORT_ROWS : TALLY_FOLD_ROWS);
        desc.input.flags |= TALLY_STRIDED;
        desc.input.stride[0] = terms + 1;
        desc.input.stride[1] = 1;
        if (terms >= 32 && terms <= 64)
            ck_assert_int_eq(first_schedule(&desc, &plan_sample_gpu), TALLY_FOLD_SHORT_ROWS);
        desc.input.stride[0] = 2 * terms;
        ck_assert_int_eq(first_schedule(&desc, &plan_sample_gpu),
                         terms < 128 ? TALLY_FOLD_OUTPUTS : TALLY_FOLD_ROWS);
    }
}
END_TEST

/*
 * Long columns that are enough to keep the device busy, and short ones of 4 bytes and more of which
 * a work-item has all terms. What is between goes to outputs, and so do unaligned narrow types and
 * what is too little.
 */
START_TEST(columns_are_long_or_of_few_terms) {
    static const struct {
        tally_dtype type;
        uint64_t terms, columns;
        tally_schedule schedule;
    } cases[] = {
        {TALLY_F32, 512, 100001, TALLY_FOLD_COLUMNS}, {TALLY_F32, 511, 100001, TALLY_FOLD_OUTPUTS},
        {TALLY_F32, 5, 100001, TALLY_FOLD_OUTPUTS},   {TALLY_F32, 4, 100001, TALLY_FOLD_COLUMNS},
        {TALLY_F32, 512, 64, TALLY_FOLD_OUTPUTS},     {TALLY_F16, 512, 100000, TALLY_FOLD_COLUMNS},
        {TALLY_F16, 512, 100002, TALLY_FOLD_OUTPUTS}, {TALLY_I8, 512, 100000, TALLY_FOLD_COLUMNS},
        {TALLY_I8, 511, 100000, TALLY_FOLD_OUTPUTS},  {TALLY_I8, 512, 100008, TALLY_FOLD_OUTPUTS}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const tally_function function = cases[i].type == TALLY_I8 ? TALLY_MAX : TALLY_SUM;
        const tally_reduce desc =
            shape_reduce(function, cases[i].type, SHAPE(cases[i].terms, cases[i].columns), 1);
        ck_assert_int_eq(first_schedule(&desc, &plan_sample_gpu), cases[i].schedule);
    }
}
END_TEST

/*
 * Packed, 64 bytes at most, and short: whole packs of them, if a group has many rows of these at a
 * time, or so short that a unit has many.
 */
START_TEST(short_columns_are_folded_together) {
    static const struct {
        tally_dtype type;
        uint64_t terms, columns;
        bool tiles;
    } cases[] = {{TALLY_F32, 2, 4, true},  {TALLY_F32, 50, 8, false}, {TALLY_F32, 129, 4, false},
                 {TALLY_F32, 20, 3, true}, {TALLY_F32, 20, 6, true},  {TALLY_F32, 20, 20, false},
                 {TALLY_F16, 20, 8, true}, {TALLY_F16, 20, 16, true}, {TALLY_F16, 20, 4, true},
                 {TALLY_I8, 20, 32, true}, {TALLY_I8, 20, 8, true},   {TALLY_F64, 20, 2, true}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tally_reduce desc =
            shape_reduce(TALLY_MAX, cases[i].type, SHAPE(50, cases[i].terms, cases[i].columns), 2);
        ck_assert_int_eq(first_schedule(&desc, &plan_sample_gpu),
                         cases[i].tiles ? TALLY_FOLD_SHORT_ROWS : TALLY_FOLD_OUTPUTS);
        shape_space_rows(&desc.input, 3);
        ck_assert_int_eq(first_schedule(&desc, &plan_sample_gpu), TALLY_FOLD_OUTPUTS);
    }
}
END_TEST

/*
 * Few columns without a gap that come to long sets are read as one run, whatever their number is,
 * and of bytes short ones too.
 */
START_TEST(few_columns_are_folded_by_sets) {
    static const struct {
        tally_dtype type;
        uint64_t terms, columns;
        bool sets;
    } cases[] = {
        {TALLY_F32, 3000, 2, true},  {TALLY_F32, 3000, 3, true},  {TALLY_F32, 600, 32, true},
        {TALLY_F32, 200, 32, false}, {TALLY_F32, 200, 12, true},  {TALLY_F32, 3000, 33, false},
        {TALLY_F32, 128, 2, false},  {TALLY_F32, 7, 2, false},    {TALLY_F16, 6000, 2, true},
        {TALLY_F16, 200, 64, false}, {TALLY_I8, 200, 2, true},    {TALLY_I8, 300, 100, true},
        {TALLY_F64, 2000, 3, true},  {TALLY_F64, 2000, 17, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tally_reduce desc = shape_reduce(TALLY_MAX, cases[i].type,
                                         SHAPE(50000, cases[i].terms, cases[i].columns), 2);
        ck_assert_int_eq(first_schedule(&desc, &plan_sample_gpu) == TALLY_FOLD_SETS, cases[i].sets);
        shape_space_rows(&desc.input, 1);
        ck_assert_int_ne(first_schedule(&desc, &plan_sample_gpu), TALLY_FOLD_SETS);
    }
}
END_TEST

/* Rows, short rows and columns, and what takes their place where a device is too small for them. */
START_TEST(wide_groups_need_room) {
    static const struct {
        shape sizes;
        uint32_t axes;
        tally_schedule wide, cpu;
        bool team;
    } cases[] = {
        {{1, {10000}}, 1, TALLY_FOLD_ROWS, TALLY_FOLD_CPU_ROWS, true},
        {{2, {1000, 20}}, 2, TALLY_FOLD_SHORT_ROWS, TALLY_FOLD_CPU_SHORT_ROWS, false},
        {{2, {1000, 20}}, 1, TALLY_FOLD_OUTPUTS, TALLY_FOLD_CPU_PACKED, true},
        {{3, {5, 20, 20}}, 2, TALLY_FOLD_OUTPUTS, TALLY_FOLD_CPU_PACKED, false},
        {{2, {1000, 100000}}, 1, TALLY_FOLD_COLUMNS, TALLY_FOLD_CPU_COLUMNS, false},
        /* one group of two */
        {{4, {300, 3, 3000, 3}}, 5, TALLY_FOLD_SETS, TALLY_FOLD_CPU_PACKED, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const tally_reduce desc = shape_reduce(TALLY_SUM, TALLY_F32, cases[i].sizes, cases[i].axes);
        tally_limits few_items = plan_sample_gpu, little_memory = plan_sample_gpu;
        few_items.group_max--;
        little_memory.local_bytes--;
        ck_assert_int_eq(first_schedule(&desc, &plan_sample_gpu), cases[i].wide);
        ck_assert_int_eq(first_any(&desc, &few_items), cases[i].team);
        ck_assert_int_eq(first_any(&desc, &little_memory), cases[i].team);
        ck_assert_int_eq(first_schedule(&desc, &plan_sample_cpu), cases[i].cpu);
    }
}
END_TEST

/* What each family makes of a device that has room for all of them. */
START_TEST(a_family_is_kept_to) {
    static const struct {
        shape sizes;
        uint32_t axes;
        tally_schedule gpu, cpu;
        bool team;
    } cases[] = {
        {{1, {10000}}, 1, TALLY_FOLD_ROWS, TALLY_FOLD_CPU_ROWS, true},
        {{2, {1000, 20}}, 2, TALLY_FOLD_SHORT_ROWS, TALLY_FOLD_CPU_SHORT_ROWS, false},
        {{2, {1000, 20}}, 1, TALLY_FOLD_OUTPUTS, TALLY_FOLD_CPU_PACKED, true},
        {{3, {5, 20, 20}}, 2, TALLY_FOLD_OUTPUTS, TALLY_FOLD_CPU_PACKED, false},
    };
    tally_limits limits = plan_sample_gpu;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const tally_reduce desc = shape_reduce(TALLY_SUM, TALLY_F32, cases[i].sizes, cases[i].axes);
        limits.family = TALLY_FAMILY_GENERIC;
        ck_assert_int_eq(first_any(&desc, &limits), cases[i].team);
        limits.family = TALLY_FAMILY_GPU;
        ck_assert_int_eq(first_schedule(&desc, &limits), cases[i].gpu);
        limits.family = TALLY_FAMILY_CPU;
        ck_assert_int_eq(first_schedule(&desc, &limits), cases[i].cpu);
    }
}
END_TEST

/* Groups share the blocks of few columns until each compute unit has two groups, or all lanes. */
START_TEST(blocks_of_few_columns_are_shared) {
    static const struct {
        tally_function function;
        uint64_t terms, columns, parts;
    } cases[] = {{TALLY_SUM, 185784, 14, 8}, /* 16 work-items of a group share a block */
                 {TALLY_SUM, 21312, 75, 4},
                 {TALLY_MAX, 55763, 29, 32},
                 {TALLY_SUM, 2048, 14, 1},
                 {TALLY_SUM, 185784, 8000, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const tally_reduce desc =
            shape_reduce(cases[i].function, TALLY_F32, SHAPE(cases[i].terms, cases[i].columns), 1);
        tally_limits limits = plan_sample_gpu;
        limits.units = 128;
        const tally_plan plan = plan_sample_reduce(&desc, &limits);
        ck_assert_uint_eq(plan.step[0].args.fold.parts, cases[i].parts);
        if (cases[i].parts > 1)
            ck_assert_uint_eq(plan.count, 2);
    }
}
END_TEST

/* Later launches read states. */
START_TEST(later_launches_are_folded_by_outputs) {
    const tally_reduce desc = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(3, 4096 * 200), 2);
    const tally_plan plan = plan_sample_reduce(&desc, &plan_sample_gpu);
    ck_assert_uint_eq(plan.count, 2);
    ck_assert_int_eq(plan.step[0].spec.schedule, TALLY_FOLD_ROWS);
    ck_assert_int_eq(plan.step[1].spec.schedule, TALLY_FOLD_OUTPUTS);
}
END_TEST

START_TEST(a_team_is_as_large_as_the_device_allows) {
    static const uint32_t sizes[][2] = {{1, 1},    {2, 2},    {3, 2},     {7, 4},     {64, 64},
                                        {100, 64}, {127, 64}, {128, 128}, {129, 128}, {4096, 128}};
    const tally_reduce desc = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(10000), 1);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        tally_limits limits = plan_sample_gpu;
        limits.local_bytes = 16384; /* else wide groups do it */
        limits.group_max = sizes[i][0];
        ck_assert_uint_eq(plan_sample_reduce(&desc, &limits).step[0].group, sizes[i][1]);
    }
}
END_TEST

/* Rows of which there are many are not: their blocks keep all groups busy, and then their states.
 */
START_TEST(only_few_rows_of_elements_are_folded_whole) {
    for (uint64_t rows = 4; rows <= 5; rows++) {
        const tally_reduce desc = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(rows, 65536), 2);
        const tally_plan plan = plan_sample_reduce(&desc, &plan_sample_large);
        ck_assert_int_eq(plan.step[0].spec.schedule, TALLY_FOLD_ROWS);
        ck_assert_uint_eq(plan.step[0].spec.policy.fold_rows.whole_rows, rows == 4);
    }
    const tally_reduce desc = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(3, 4096 * 5000), 2);
    const tally_plan plan = plan_sample_reduce(&desc, &plan_sample_large);
    ck_assert_uint_eq(plan.count, 2);
    ck_assert_int_eq(plan.step[1].spec.schedule, TALLY_FOLD_ROWS);
    ck_assert_uint_eq(plan.step[1].spec.policy.fold_rows.whole_rows, 1);
    ck_assert_uint_eq(plan.step[1].args.fold_rows.row_blocks, 2);
}
END_TEST

/* Rows that have no lane run know their stripes, of whatever type and function; longer ones do not.
 */
START_TEST(rows_without_a_lane_run_know_their_stripes) {
    static const uint16_t cases[][2] = {{128, 1},  {129, 2},  {211, 2}, {256, 2},
                                        {257, 4},  {512, 4},  {513, 8}, {896, 8},
                                        {1023, 8}, {1024, 0}, {4096, 0}};
    static const tally_dtype dtypes[] = {TALLY_F16, TALLY_F32, TALLY_F64};
    static const tally_function functions[] = {TALLY_SUM, TALLY_ARGMAX, TALLY_LOG_SUM_EXP};
    for (size_t i = 0; i < 9 * sizeof cases / sizeof cases[0]; i++) {
        const uint16_t *it = cases[i / 9];
        tally_reduce desc =
            shape_reduce(functions[i % 3], dtypes[i / 3 % 3], SHAPE(100000, it[0]), 2);
        desc.input.flags |= TALLY_STRIDED; /* those of a stripe that lie closer are short rows */
        desc.input.stride[0] = 2u * it[0] + 1;
        desc.input.stride[1] = 1;
        const tally_plan plan = plan_sample_reduce(&desc, &plan_sample_large);
        ck_assert_int_eq(plan.step[0].spec.schedule, TALLY_FOLD_ROWS);
        ck_assert_uint_eq(plan.step[0].spec.policy.fold_rows.stripes, it[1]);
    }
}
END_TEST

Suite *suite_plan_choices(void) {
    Suite *suite = suite_create("plan_choices");
    TCase *tests = tcase_create("plan_choices");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, columns_are_folded_by_items_where_there_are_enough);
    tcase_add_test(tests, short_rows_are_folded_by_items);
    tcase_add_test(tests, short_rows_are_folded_together);
    tcase_add_test(tests, short_columns_are_folded_together);
    tcase_add_test(tests, few_columns_are_folded_by_sets);
    tcase_add_test(tests, wide_groups_need_room);
    tcase_add_test(tests, a_family_is_kept_to);
    tcase_add_test(tests, later_launches_are_folded_by_outputs);
    tcase_add_test(tests, blocks_of_few_columns_are_shared);
    tcase_add_test(tests, columns_are_long_or_of_few_terms);
    tcase_add_test(tests, a_team_is_as_large_as_the_device_allows);
    tcase_add_test(tests, only_few_rows_of_elements_are_folded_whole);
    tcase_add_test(tests, rows_without_a_lane_run_know_their_stripes);
    suite_add_tcase(suite, tests);
    return suite;
}
