/*
 * Which scans go down columns on GPUs, by strips of how many columns and runs, and packs of which
 * width. As in test_plan_choices.c, a test says that a choice was made on purpose.
 */
#include <check.h>

#include "support/descriptions/shape.h"
#include "support/plans/sample.h"

/*
 * Columns of more than a sector, or of one that are many elements; a work-item is alone with a run,
 * or where there are very many. Of few columns there are several spans at a time.
 */
START_TEST(columns_are_scanned_by_strips) {
    static const struct {
        shape sizes;
        tally_dtype type;
        tally_schedule schedule;
        uint32_t whole, team_width, slices, group, slots;
    } cases[] = {
        {{2, {1000, 7}}, TALLY_F32, TALLY_SCAN_ROWS, 0, 0, 0, 32, 0},
        {{2, {1000, 8}}, TALLY_F32, TALLY_SCAN_ROWS, 0, 0, 0, 32, 0},
        {{2, {1000, 12}}, TALLY_F32, TALLY_SCAN_COLUMNS, 0, 8, 32, 256, 1},
        {{2, {1000, 4}}, TALLY_F64, TALLY_SCAN_ROWS, 0, 0, 0, 32, 0},
        {{2, {1000, 6}}, TALLY_F64, TALLY_SCAN_COLUMNS, 0, 4, 64, 256, 1},
        {{2, {1000, 15}}, TALLY_F16, TALLY_SCAN_ROWS, 0, 0, 0, 32, 0},
        {{2, {1000, 16}}, TALLY_F16, TALLY_SCAN_COLUMNS, 0, 8, 32, 256, 1},
        {{2, {1000, 4096}}, TALLY_F32, TALLY_SCAN_COLUMNS, 0, 16, 16, 256, 1},
        {{2, {1000, 1024}}, TALLY_F32, TALLY_SCAN_COLUMNS, 0, 16, 16, 256, 1},
        {{2, {1000, 1000}}, TALLY_F64, TALLY_SCAN_COLUMNS, 0, 16, 16, 256, 1},
        {{2, {40, 1000}}, TALLY_F32, TALLY_SCAN_COLUMNS, 0, 64, 3, 256, 1},
        {{2, {40, 16000}}, TALLY_F32, TALLY_SCAN_COLUMNS, 0, 20, 3, 64, 1},
        {{2, {40, 30000}}, TALLY_F32, TALLY_SCAN_COLUMNS, 0, 32, 3, 256, 2},
        {{2, {16, 4000}}, TALLY_F32, TALLY_SCAN_COLUMNS, 1, 128, 1, 128, 1},
        {{2, {64, 3000000}}, TALLY_F32, TALLY_SCAN_COLUMNS, 1, 32, 1, 128, 4},
        {{2, {1000, 4098}}, TALLY_F32, TALLY_SCAN_COLUMNS, 0, 16, 16, 256, 1},
        {{2, {1000, 4097}}, TALLY_F64, TALLY_SCAN_COLUMNS, 0, 16, 16, 256, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const tally_cumulative desc = shape_scan(TALLY_SUM, cases[i].type, cases[i].sizes, 0);
        const tally_plan plan = plan_sample_scan(&desc, &plan_sample_gpu);
        const tally_scan_columns_args *args = &plan.step[0].args.scan_columns;
        ck_assert_int_eq(plan.step[0].spec.schedule, cases[i].schedule);
        if (cases[i].schedule == TALLY_SCAN_COLUMNS)
            ck_assert_uint_eq(plan.step[0].spec.policy.scan_columns.whole_spans, cases[i].whole);
        ck_assert_uint_eq(args->team_width, cases[i].team_width);
        ck_assert_uint_eq(args->slices, cases[i].slices);
        ck_assert_uint_eq(plan.step[0].spec.group, cases[i].group);
        ck_assert_uint_eq(plan.step[0].slots, cases[i].slots);
        ck_assert_int_ne(plan_sample_scan(&desc, &plan_sample_narrow).step[0].spec.schedule,
                         TALLY_SCAN_COLUMNS);
        ck_assert_int_ne(plan_sample_scan(&desc, &plan_sample_cpu).step[0].spec.schedule,
                         TALLY_SCAN_COLUMNS);
    }
}
END_TEST

/* A strip of fewer runs than a group of a power of two has work-items has a group of its own size.
 */
START_TEST(few_work_items_of_strips_idle) {
    static const struct {
        uint64_t terms, columns;
        tally_dtype type;
    } cases[] = {{160, 210000, TALLY_I16}, {80, 300002, TALLY_F32}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const tally_cumulative desc =
            shape_scan(TALLY_MAX, cases[i].type, SHAPE(cases[i].terms, cases[i].columns), 0);
        const tally_step step = plan_sample_scan_step(&desc, &plan_sample_large);
        const tally_scan_columns_args *args = &step.args.scan_columns;
        const uint64_t strip = args->team_width * args->slices;
        ck_assert_int_eq(step.spec.schedule, TALLY_SCAN_COLUMNS);
        ck_assert_msg(step.spec.group % strip * 8 <= step.spec.group,
                      "case %zu: strips of %llu in a group of %u", i, (unsigned long long)strip,
                      (unsigned)step.spec.group);
    }
}
END_TEST

/*
 * Half of 16 bytes are the packs of rows that begin at such, and of those that begin anywhere, too,
 * if these are few and not long. Narrow elements whose rows are no such packs go by boxes (0), and
 * so do columns that are too few for
 * work-items with packs, but not next to none, and a few terms.
 */
START_TEST(packs_of_columns_begin_where_rows_do) {
    static const struct {
        uint64_t terms, columns;
        tally_dtype type;
        uint32_t pack;
    } cases[] = {
        {64, 300000, TALLY_F32, 16}, {64, 300002, TALLY_F32, 8},   {64, 300001, TALLY_F32, 16},
        {64, 300001, TALLY_F64, 16}, {64, 900000, TALLY_F16, 8},   {64, 900004, TALLY_F16, 8},
        {64, 900002, TALLY_F16, 0},  {64, 900001, TALLY_F16, 0},   {16, 900001, TALLY_I8, 0},
        {16, 900002, TALLY_I8, 0},   {16, 900004, TALLY_I8, 0},    {16, 900008, TALLY_I8, 8},
        {40, 90001, TALLY_I8, 0},    {64, 4000, TALLY_F32, 0},     {64, 900, TALLY_F32, 4},
        {4, 300000, TALLY_F32, 0},   {150, 30001, TALLY_F32, 8},   {150, 30004, TALLY_F32, 16},
        {150, 9001, TALLY_F64, 8},   {16381, 16383, TALLY_F32, 16}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const tally_cumulative desc =
            shape_scan(TALLY_MAX, cases[i].type, SHAPE(cases[i].terms, cases[i].columns), 0);
        const tally_step step = plan_sample_scan_step(&desc, &plan_sample_gpu);
        ck_assert_msg(step.spec.schedule ==
                          (cases[i].pack > 0 ? TALLY_SCAN_COLUMNS : TALLY_SCAN_STAGED),
                      "case %zu", i);
        ck_assert_msg(cases[i].pack == 0 || step.spec.policy.scan_columns.pack == cases[i].pack,
                      "case %zu", i);
    }
}
END_TEST

/* Where they are neighbours along the axis, of a span at least, if there is local memory for it. */
START_TEST(strided_results_are_staged) {
    static const struct {
        uint64_t columns, terms;
        tally_dtype type;
        uint32_t results, pack;
    } cases[] = {{4096, 1025, TALLY_F32, 2, 4},
                 {4097, 1100, TALLY_F32, 2, 4},
                 {4096, 3000, TALLY_I8, 2, 4},
                 {4096, 1100, TALLY_F64, 2, 8},
                 {4096, 2100, TALLY_F16, 2, 4}};
    for (size_t i = 0; i < 2 * sizeof cases / sizeof cases[0]; i++) {
        tally_cumulative desc = shape_scan(TALLY_MAX, cases[i / 2].type,
                                           SHAPE(cases[i / 2].columns, cases[i / 2].terms), 1);
        shape_transpose(&desc.input);
        desc.descending = i % 2 != 0;
        const tally_step step = plan_sample_scan_step(&desc, &plan_sample_large);
        ck_assert_int_eq(step.spec.schedule, TALLY_SCAN_COLUMNS);
        ck_assert_uint_eq(step.spec.policy.scan_columns.results, cases[i / 2].results);
        ck_assert_uint_eq(step.spec.policy.scan_columns.pack, cases[i / 2].pack);
        /* Half as much where groups are smaller and there is less local memory. */
        ck_assert_uint_eq(plan_sample_scan_step(&desc, &plan_sample_gpu).spec.group,
                          step.spec.group / 2);
        shape_pad(&desc.output, 1);
        ck_assert_int_eq(plan_sample_scan_step(&desc, &plan_sample_large).spec.schedule,
                         TALLY_SCAN_STAGED);
    }
}
END_TEST

/* Columns of the input, whatever becomes of them: the axis of stride 1 is moved inward. */
START_TEST(columns_are_found_among_the_axes) {
    tally_cumulative desc = shape_scan(TALLY_SUM, TALLY_F32, SHAPE(40, 20, 1300), 2);
    ck_assert_int_ne(plan_sample_scan(&desc, &plan_sample_gpu).step[0].spec.schedule,
                     TALLY_SCAN_COLUMNS);
    shape_transpose(&desc.input);
    const tally_plan plan = plan_sample_scan(&desc, &plan_sample_gpu);
    const tally_scan_columns_args *args = &plan.step[0].args.scan_columns;
    ck_assert_int_eq(plan.step[0].spec.schedule, TALLY_SCAN_COLUMNS);
    ck_assert_uint_eq(args->columns, 40);
    ck_assert_uint_eq(args->kept_in[1], 1);
    ck_assert_uint_eq(args->kept_out[1], 26000);
    ck_assert_uint_eq(args->kept_in[0], 40);
    ck_assert_uint_eq(args->kept_out[0], 1300);
}
END_TEST

Suite *suite_scan_columns_choices(void) {
    Suite *suite = suite_create("scan_columns_choices");
    TCase *tests = tcase_create("scan_columns_choices");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, columns_are_scanned_by_strips);
    tcase_add_test(tests, few_work_items_of_strips_idle);
    tcase_add_test(tests, packs_of_columns_begin_where_rows_do);
    tcase_add_test(tests, strided_results_are_staged);
    tcase_add_test(tests, columns_are_found_among_the_axes);
    suite_add_tcase(suite, tests);
    return suite;
}
