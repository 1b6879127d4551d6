/*
 * test_scan_cpu_choices.c: which schedule scans what on a CPU, as test_scan_choices.c has it for
 * GPUs.
 */
#include <check.h>

#include "support/descriptions/shape.h"
#include "support/plans/sample.h"

/* Rows, short rows and columns; fewer columns than a vector if nothing lies between their rows. */
START_TEST(scans_on_cpus_are_chosen_by_layout) {
    static const struct {
        shape sizes;
        uint32_t axis;
        tally_dtype type;
        uint64_t gap;
        tally_schedule wanted;
    } cases[] = {
        {{3, {3, 2, 5000}}, 2, TALLY_F32, 0, TALLY_SCAN_CPU_ROWS},
        {{3, {3, 2, 129}}, 2, TALLY_F32, 3, TALLY_SCAN_CPU_ROWS},
        {{3, {3, 2, 128}}, 2, TALLY_F64, 3, TALLY_SCAN_CPU_SHORT_ROWS},
        {{3, {3, 50, 9}}, 2, TALLY_F32, 0, TALLY_SCAN_CPU_SHORT_ROWS},
        {{3, {3, 50, 7}}, 2, TALLY_F32, 0, TALLY_SCAN_CPU_PANEL},
        {{3, {3, 5, 7}}, 1, TALLY_F32, 0, TALLY_SCAN_CPU_PANEL},
        {{3, {3, 50, 1025}}, 1, TALLY_F32, 0, TALLY_SCAN_CPU_COLUMNS},
        {{3, {3, 50, 40}}, 1, TALLY_F32, 0, TALLY_SCAN_CPU_COLUMNS},
        {{3, {3, 128, 4}}, 1, TALLY_F32, 0, TALLY_SCAN_CPU_COLUMNS},
        {{3, {3, 129, 4}}, 1, TALLY_F32, 0, TALLY_SCAN_CPU_ROWS},
        {{3, {3, 129, 8}}, 1, TALLY_F16, 0, TALLY_SCAN_CPU_ROWS},
        {{3, {3, 129, 8}}, 1, TALLY_I64, 0, TALLY_SCAN_CPU_COLUMNS},
        {{3, {3, 129, 3}}, 1, TALLY_F32, 0, TALLY_SCAN_CPU_COLUMNS},
        {{3, {3, 129, 8}}, 1, TALLY_F16, 1, TALLY_SCAN_CPU_PANEL},
        {{3, {3, 50, 300}}, 1, TALLY_F16, 1, TALLY_SCAN_CPU_COLUMNS},
        {{3, {3, 50, 7}}, 1, TALLY_F16, 1, TALLY_SCAN_CPU_PANEL},
        {{3, {3, 50, 7}}, 1, TALLY_F16, 0, TALLY_SCAN_CPU_COLUMNS},
        {{3, {3, 50, 4}}, 1, TALLY_F64, 1, TALLY_SCAN_CPU_PANEL},
        {{3, {3, 50, 3}}, 1, TALLY_F64, 1, TALLY_SCAN_CPU_PANEL},
    };
    for (size_t i = 0; i < 2 * sizeof cases / sizeof cases[0]; i++) {
        tally_cumulative desc =
            shape_scan(TALLY_SUM, cases[i / 2].type, cases[i / 2].sizes, cases[i / 2].axis);
        shape_space_rows(&desc.input, cases[i / 2].gap);
        desc.descending = i % 2 != 0;
        ck_assert_int_eq(plan_sample_scan_step(&desc, &plan_sample_cpu).spec.schedule,
                         cases[i / 2].wanted);
        desc.input.stride[2] = 2;
        desc.input.stride[1] *= 2;
        ck_assert_int_eq(plan_sample_scan_step(&desc, &plan_sample_cpu).spec.schedule,
                         TALLY_SCAN_CPU_PANEL);
    }
}
END_TEST

/* A row that half the cores are too many for is cut for all of them, if pieces are large. */
START_TEST(few_long_lines_are_cut_on_cpus) {
    static const struct {
        uint32_t units;
        shape sizes;
        uint64_t pieces; /* 0: none, a row is walked from end to end */
    } cases[] = {
        {2, {2, {1, 1 << 18}}, 2},   {2, {2, {1, (1 << 18) - 1}}, 0}, {2, {2, {2, 1 << 20}}, 0},
        {1, {2, {1, 1 << 20}}, 0},   {16, {2, {1, 1 << 18}}, 2},      {16, {2, {1, 1 << 20}}, 8},
        {16, {2, {1, 1 << 24}}, 16}, {16, {2, {5, 1 << 20}}, 3},      {16, {2, {8, 1 << 20}}, 2},
        {16, {2, {9, 1 << 20}}, 0},  {2, {3, {1, 1 << 16, 4}}, 2},    {6, {3, {3, 1 << 18, 2}}, 2}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const tally_cumulative desc = shape_scan(TALLY_SUM, TALLY_F32, cases[i].sizes, 1);
        tally_limits limits = plan_sample_cpu;
        limits.units = cases[i].units;
        const tally_plan plan = plan_sample_scan(&desc, &limits);
        const bool cut = cases[i].pieces > 0;
        ck_assert_int_eq(plan.step[0].spec.schedule, TALLY_SCAN_CPU_ROWS);
        ck_assert_int_eq(plan.step[0].spec.phase, cut ? TALLY_PASS : 0);
        ck_assert_uint_eq(plan.count, cut ? 2 : 1);
        ck_assert_uint_eq(plan.step[0].args.scan_cpu_rows.line_pieces, cases[i].pieces);
        ck_assert_uint_eq(plan.step[plan.count - 1].groups,
                          cut ? cases[i].pieces * cases[i].sizes.size[0] : plan.step[0].groups);
    }
}
END_TEST

/* Rows of columns that are neither long nor follow each other in both memories need a box. */
START_TEST(narrow_columns_of_scans_have_boxes_on_cpus) {
    static const struct {
        uint64_t columns;
        bool transposed; /* the outer kept axis lies inside the terms, in the input */
        tally_schedule schedule;
    } cases[] = {{16, false, TALLY_SCAN_CPU_COLUMNS},
                 {16, true, TALLY_SCAN_CPU_PANEL},
                 {1024, true, TALLY_SCAN_CPU_COLUMNS}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tally_cumulative desc =
            shape_scan(TALLY_SUM, TALLY_F32, SHAPE(50, 200, cases[i].columns), 1);
        if (cases[i].transposed) {
            desc.input.flags |= TALLY_STRIDED;
            desc.input.stride[2] = 1;
            desc.input.stride[0] = cases[i].columns;
            desc.input.stride[1] = 50 * cases[i].columns;
        }
        ck_assert_int_eq(plan_sample_scan_step(&desc, &plan_sample_cpu).spec.schedule,
                         cases[i].schedule);
    }
}
END_TEST

/* The schedule's box has whole rows of the output, of so many columns; the input is reversed. */
static void expect_whole_rows(tally_dtype type, uint64_t columns, uint32_t units) {
    tally_cumulative desc = shape_scan(TALLY_MIN, type, SHAPE(5, 1 << 20, columns), 1);
    tally_limits limits = plan_sample_cpu;
    limits.units = units;
    desc.input.flags |= TALLY_STRIDED;
    desc.input.stride[0] = 1;
    desc.input.stride[1] = 5;
    desc.input.stride[2] = 5 << 20;
    const tally_step step = plan_sample_scan_step(&desc, &limits);
    ck_assert_int_eq(step.spec.schedule, TALLY_SCAN_CPU_PANEL);
    ck_assert_uint_eq(step.args.scan_cpu_panel.kept_box[step.spec.kept_rank - 1], columns);
}

/* A row of the output of a cache line at most is one box's, which else two cores write. */
START_TEST(boxes_on_cpus_cut_no_short_row_of_the_output) {
    static const uint32_t units[] = {2, 8, 64};
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        for (uint64_t columns = 2; columns <= 16; columns++) {
            expect_whole_rows(TALLY_F32, columns, units[i]);
            if (columns <= 8)
                expect_whole_rows(TALLY_F64, columns, units[i]);
        }
}
END_TEST

/*
 * Short rows that begin anywhere in a cache line are one box's, whose lines are cut into pieces, in
 * two launches. Two boxes share those that begin with one, or of few terms. The input has its
 * groups of columns in another order.
 */
START_TEST(boxes_on_cpus_cut_no_ragged_row_of_long_lines) {
    static const struct {
        uint64_t terms, groups;
        uint32_t launches;
    } cases[] = {{1 << 19, 28, 2}, {1 << 19, 32, 1}, {2000, 28, 1}};
    tally_limits limits = plan_sample_cpu;
    limits.units = 2;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const uint64_t groups = cases[i].groups;
        tally_cumulative desc =
            shape_scan(TALLY_MIN, TALLY_F32, SHAPE(cases[i].terms, groups, 3), 0);
        desc.input.flags |= TALLY_STRIDED;
        desc.input.stride[0] = 3 * groups;
        desc.input.stride[1] = 1;
        desc.input.stride[2] = groups;
        const tally_plan plan = plan_sample_scan(&desc, &limits);
        ck_assert_int_eq(plan.step[0].spec.schedule, TALLY_SCAN_CPU_PANEL);
        ck_assert_uint_eq(plan.count, cases[i].launches);
    }
}
END_TEST

/* Where there are rows for all cores none is cut, though there are not as many as grains. */
START_TEST(boxes_on_cpus_cut_no_ragged_row_of_many) {
    tally_cumulative desc = shape_scan(TALLY_SUM, TALLY_F32, SHAPE(3, 2, 45876, 2, 47), 2);
    tally_limits limits = plan_sample_cpu;
    limits.units = 2;
    desc.input.flags |= TALLY_STRIDED;
    desc.input.stride[0] = 1;
    desc.input.stride[1] = 3;
    desc.input.stride[2] = 564;
    desc.input.stride[3] = 6;
    desc.input.stride[4] = 12;
    const tally_step step = plan_sample_scan_step(&desc, &limits);
    ck_assert_int_eq(step.spec.schedule, TALLY_SCAN_CPU_PANEL);
    ck_assert_uint_eq(step.args.scan_cpu_panel.kept_box[step.spec.kept_rank - 1], 47);
    ck_assert_uint_eq(step.args.scan_cpu_panel.kept_box[step.spec.kept_rank - 2], 2);
}
END_TEST

/* Rows for more than half of the cores are cut, so that no core idles. */
START_TEST(boxes_on_cpus_leave_no_core_idle) {
    tally_cumulative desc = shape_scan(TALLY_MIN, TALLY_F32, SHAPE(5, 1 << 20, 60), 1);
    tally_limits limits = plan_sample_cpu;
    limits.units = 8;
    desc.input.flags |= TALLY_STRIDED;
    desc.input.stride[0] = 60 << 20;
    desc.input.stride[1] = 1;
    desc.input.stride[2] = 1 << 20;
    const tally_step step = plan_sample_scan_step(&desc, &limits);
    ck_assert_int_eq(step.spec.schedule, TALLY_SCAN_CPU_PANEL);
    ck_assert_uint_ge(step.args.head.units, limits.units);
}
END_TEST

/* Of many packed sets that are short, or of few columns, each is a line; whole vectors never are.
 */
START_TEST(packed_sets_of_columns_are_lines_on_cpus) {
    static const struct {
        uint64_t sets, terms, columns, wanted; /* 0: strips */
    } cases[] = {{100, 20, 9, 9},  {64, 200, 3, 3},   {100, 14, 23, 23}, {50, 20, 9, 0},
                 {100, 40, 16, 0}, {100, 200, 65, 0}, {100, 500, 9, 0},  {100, 2000, 17, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const tally_cumulative desc = shape_scan(
            TALLY_SUM, TALLY_F32, SHAPE(cases[i].sets, cases[i].terms, cases[i].columns), 1);
        const tally_step step = plan_sample_scan_step(&desc, &plan_sample_cpu);
        const bool strips = cases[i].wanted == 0;
        ck_assert_int_eq(step.spec.schedule,
                         strips ? TALLY_SCAN_CPU_COLUMNS : TALLY_SCAN_CPU_PANEL);
        if (!strips)
            ck_assert_uint_eq(step.args.scan_cpu_panel.columns, cases[i].wanted);
    }
}
END_TEST

/* Too few for the vectors of a box, whatever their strides. */
START_TEST(few_strided_rows_are_lines_on_cpus) {
    for (uint64_t rows = 1; rows <= 4; rows++) {
        tally_cumulative desc = shape_scan(TALLY_SUM, TALLY_F32, SHAPE(rows, 1 << 20), 1);
        desc.input.flags |= TALLY_STRIDED;
        desc.input.stride[1] = 3;
        desc.input.stride[0] = 3 << 20;
        const tally_step step = plan_sample_scan_step(&desc, &plan_sample_cpu);
        ck_assert_int_eq(step.spec.schedule, rows < 4 ? TALLY_SCAN_CPU_ROWS : TALLY_SCAN_CPU_PANEL);
        if (rows < 4)
            ck_assert_int_eq(step.spec.policy.scan_cpu_line.strided, 1);
    }
}
END_TEST

/* Rows of the output are cut at cache lines: what two boxes wrote of one would be read by both. */
START_TEST(boxes_of_scans_have_whole_cache_lines) {
    static const uint64_t columns[] = {608, 611, 1000, 5003};
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++) {
        tally_cumulative desc = shape_scan(TALLY_SUM, TALLY_F32, SHAPE(28816, columns[i]), 0);
        desc.input.flags |= TALLY_STRIDED;
        desc.input.stride[0] = 1;
        desc.input.stride[1] = 28816;
        const tally_step step = plan_sample_scan_step(&desc, &plan_sample_cpu);
        const uint64_t box = step.args.scan_cpu_panel.kept_box[0];
        ck_assert_int_eq(step.spec.schedule, TALLY_SCAN_CPU_PANEL);
        ck_assert_uint_lt(box, columns[i]);
        ck_assert_uint_eq(box * sizeof(float) % 64, 0);
    }
}
END_TEST

/* Strips are narrow where there would be too few for the cores. */
START_TEST(strips_of_scans_keep_the_cores_busy) {
    static const uint64_t wanted[][2] = {{100000, 2032}, {4000, 496}, {1000, 112}, {64, 32}};
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
        const tally_cumulative desc = shape_scan(TALLY_SUM, TALLY_F32, SHAPE(500, wanted[i][0]), 0);
        const tally_step step = plan_sample_scan_step(&desc, &plan_sample_cpu);
        ck_assert_uint_eq(step.args.scan_cpu_columns.strip_columns, wanted[i][1]);
        ck_assert_uint_eq(step.args.head.units, wanted[i][0] / wanted[i][1]);
    }
}
END_TEST

Suite *suite_scan_cpu_choices(void) {
    Suite *suite = suite_create("scan_cpu_choices");
    TCase *tests = tcase_create("scan_cpu_choices");
    tcase_add_test(tests, scans_on_cpus_are_chosen_by_layout);
    tcase_add_test(tests, few_long_lines_are_cut_on_cpus);
    tcase_add_test(tests, narrow_columns_of_scans_have_boxes_on_cpus);
    tcase_add_test(tests, boxes_on_cpus_cut_no_short_row_of_the_output);
    tcase_add_test(tests, boxes_on_cpus_cut_no_ragged_row_of_long_lines);
    tcase_add_test(tests, boxes_on_cpus_cut_no_ragged_row_of_many);
    tcase_add_test(tests, boxes_on_cpus_leave_no_core_idle);
    tcase_add_test(tests, packed_sets_of_columns_are_lines_on_cpus);
    tcase_add_test(tests, few_strided_rows_are_lines_on_cpus);
    tcase_add_test(tests, boxes_of_scans_have_whole_cache_lines);
    tcase_add_test(tests, strips_of_scans_keep_the_cores_busy);
    suite_add_tcase(suite, tests);
    return suite;
}
