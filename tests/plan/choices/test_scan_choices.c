/*
 * Which schedule scans what, on GPUs mostly: the family, short rows, columns that lie as one row,
 * boxes. As in test_plan_choices.c, a test says that a choice was made on purpose.
 */
#include <check.h>

#include "support/descriptions/shape.h"
#include "support/plans/check.h"
#include "support/plans/devices.h"
#include "support/plans/sample.h"

/* A scan has its own planner: few long rows go to groups, but not in the family for CPUs. */
START_TEST(a_scan_keeps_to_its_family) {
    static const tally_schedule wanted[] = {[TALLY_FAMILY_GENERIC] = TALLY_SCAN_ANY,
                                            [TALLY_FAMILY_GPU] = TALLY_SCAN_ROWS,
                                            [TALLY_FAMILY_CPU] = TALLY_SCAN_CPU_ROWS};
    const tally_cumulative desc = shape_scan(TALLY_SUM, TALLY_F32, SHAPE(3, 5000), 1);
    for (int family = TALLY_FAMILY_GENERIC; family <= TALLY_FAMILY_CPU; family++) {
        tally_limits limits = plan_sample_gpu;
        limits.family = (tally_family)family;
        ck_assert_int_eq(plan_sample_scan(&desc, &limits).step[0].spec.schedule, wanted[family]);
    }
}
END_TEST

/* As long as a unit has room for two, on a device that has room for the group. */
START_TEST(short_packed_rows_are_scanned_together) {
    static const struct {
        tally_dtype type;
        uint64_t terms;
        bool tile;
    } cases[] = {{TALLY_F32, 1, false},   {TALLY_F32, 2, true},    {TALLY_F32, 16, true},
                 {TALLY_F32, 100, true},  {TALLY_F32, 2048, true}, {TALLY_F32, 2049, false},
                 {TALLY_F16, 2048, true}, {TALLY_I8, 2049, false}, {TALLY_F64, 1024, true},
                 {TALLY_F64, 1025, false}};
    tally_limits little_memory = plan_sample_gpu;
    little_memory.local_bytes--;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tally_cumulative desc =
            shape_scan(TALLY_MAX, cases[i].type, SHAPE(2000, cases[i].terms), 1);
        ck_assert_int_eq(plan_sample_scan_step(&desc, &plan_sample_gpu).spec.schedule ==
                             TALLY_SCAN_SHORT_ROWS,
                         cases[i].tile);
        ck_assert_int_ne(plan_sample_scan_step(&desc, &plan_sample_narrow).spec.schedule,
                         TALLY_SCAN_SHORT_ROWS);
        ck_assert_int_ne(plan_sample_scan_step(&desc, &little_memory).spec.schedule,
                         TALLY_SCAN_SHORT_ROWS);
        ck_assert_int_ne(plan_sample_scan_step(&desc, &plan_sample_cpu).spec.schedule,
                         TALLY_SCAN_SHORT_ROWS);
        shape_pad(&desc.output, 1);
        ck_assert_int_ne(plan_sample_scan_step(&desc, &plan_sample_gpu).spec.schedule,
                         TALLY_SCAN_SHORT_ROWS);
        desc = shape_scan(TALLY_MAX, cases[i].type, SHAPE(2000, cases[i].terms), 1);
        shape_pad(&desc.input, 1);
        ck_assert_int_ne(plan_sample_scan_step(&desc, &plan_sample_gpu).spec.schedule,
                         TALLY_SCAN_SHORT_ROWS);
    }
}
END_TEST

/* A larger group where it holds more of them: 44 runs twice in 128 and five times in 256. */
START_TEST(scanned_short_rows_waste_few_runs) {
    static const uint64_t cases[][3] = {{100, 128, 18}, {1000, 128, 2}, {700, 256, 5},
                                        {2048, 256, 2}, {16, 128, 128}, {2, 128, 1024}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const tally_cumulative desc = shape_scan(TALLY_SUM, TALLY_F32, SHAPE(2000, cases[i][0]), 1);
        const tally_step step = plan_sample_scan_step(&desc, &plan_sample_gpu);
        ck_assert_uint_eq(step.spec.group, cases[i][1]);
        ck_assert_uint_eq(step.args.scan_short_rows.staged_rows, cases[i][2]);
    }
}
END_TEST

/*
 * Narrow columns whose rows begin anywhere, results in another order than the terms, short rows
 * with gaps, steps: boxes in local memory. Few long lines are spread tile by tile.
 */
START_TEST(other_layouts_are_scanned_by_boxes) {
    static const struct {
        shape sizes;
        uint32_t axis;
        bool transposed, padded;
        tally_schedule schedule;
    } cases[] = {
        {{3, {3000, 50, 9}}, 1, false, false, TALLY_SCAN_STAGED},
        {{3, {3000, 50, 16}}, 1, false, false, TALLY_SCAN_COLUMNS},
        {{2, {100, 40000}}, 0, true, false, TALLY_SCAN_STAGED},
        {{2, {100000, 60}}, 1, true, false, TALLY_SCAN_STAGED},
        {{2, {5000, 300}}, 1, false, true, TALLY_SCAN_STAGED},
        {{2, {5000, 30000}}, 1, false, true, TALLY_SCAN_STAGED},
        {{1, {10000000}}, 0, false, true, TALLY_SCAN_STAGED},
        {{2, {2, 5000000}}, 1, true, false, TALLY_SCAN_STAGED},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tally_cumulative desc = shape_scan(TALLY_SUM, TALLY_F32, cases[i].sizes, cases[i].axis);
        if (cases[i].transposed)
            shape_transpose(&desc.input);
        if (cases[i].padded)
            shape_pad(&desc.input, 1);
        ck_assert_int_eq(plan_sample_scan_step(&desc, &plan_sample_large).spec.schedule,
                         cases[i].schedule);
        ck_assert_int_ne(plan_sample_scan_step(&desc, &plan_sample_narrow).spec.schedule,
                         TALLY_SCAN_STAGED);
    }
}
END_TEST

/*
 * Results in another order than the terms: by boxes of whole lines, of tensors that no cache holds.
 * Not where terms lie closest in a memory, nor where lines are few.
 */
START_TEST(many_lines_in_another_order_are_walked_alone) {
    static const struct {
        shape sizes;
        uint32_t axis;
        tally_schedule schedule;
    } cases[] = {
        {{3, {300, 20, 700}}, 1, TALLY_SCAN_TRANSPOSE},
        {{3, {301, 2000, 701}}, 1, TALLY_SCAN_TRANSPOSE},
        {{4, {31, 17, 20, 700}}, 2, TALLY_SCAN_TRANSPOSE},
        {{3, {30, 4, 70}}, 1, TALLY_SCAN_STAGED},
        {{3, {300, 20, 700}}, 0, TALLY_SCAN_STAGED},
        {{3, {20, 40000, 30}}, 1, TALLY_SCAN_STAGED},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tally_cumulative desc = shape_scan(TALLY_SUM, TALLY_F32, cases[i].sizes, cases[i].axis);
        shape_transpose(&desc.input);
        const tally_step step = plan_sample_scan_step(&desc, &plan_sample_large);
        ck_assert_msg(step.spec.schedule == cases[i].schedule, "%zu: %s", i,
                      tally_schedule_find(step.spec.schedule)->name);
        ck_assert_int_ne(plan_sample_scan_step(&desc, &plan_sample_narrow).spec.schedule,
                         TALLY_SCAN_TRANSPOSE);
    }
}
END_TEST

/* As if they were a row, if nothing is between them; rows with something between them as well. */
START_TEST(few_packed_columns_are_scanned_as_rows) {
    for (uint64_t columns = 2; columns <= 9; columns++) {
        tally_cumulative desc = shape_scan(TALLY_SUM, TALLY_F32, SHAPE(5, 300, columns), 1);
        const tally_step step = plan_sample_scan_step(&desc, &plan_sample_gpu);
        ck_assert_int_eq(step.spec.schedule, columns < 9 ? TALLY_SCAN_ROWS : TALLY_SCAN_STAGED);
        if (columns < 9)
            ck_assert_uint_eq(step.spec.policy.scan_rows.merged, columns);
        ck_assert_uint_eq(step.args.scan.rows, columns < 9 ? 5 : 5 * columns);
        desc.descending = true; /* a pack of 16 bytes has half of the columns */
        ck_assert_int_eq(plan_sample_scan_step(&desc, &plan_sample_gpu).spec.schedule,
                         columns < 8    ? TALLY_SCAN_ROWS
                         : columns == 8 ? TALLY_SCAN_COLUMNS
                                        : TALLY_SCAN_STAGED);
        shape_space_rows(&desc.output, 1);
        ck_assert_int_ne(plan_sample_scan_step(&desc, &plan_sample_gpu).spec.schedule,
                         TALLY_SCAN_ROWS);
    }
    for (uint64_t terms = 255; terms <= 256; terms++) {
        tally_cumulative desc = shape_scan(TALLY_SUM, TALLY_F32, SHAPE(5, terms), 1);
        shape_pad(&desc.input, 0);
        desc.input.stride[0] += 3;
        ck_assert_int_eq(plan_sample_scan_step(&desc, &plan_sample_gpu).spec.schedule,
                         terms < 256 ? TALLY_SCAN_STAGED : TALLY_SCAN_ROWS);
    }
}
END_TEST

/* A unit is as large as the device has room for, and never less than a span. */
START_TEST(scanned_units_need_room) {
    static const struct {
        uint64_t group_max, local_bytes;
        uint32_t columns, group; /* 0: a schedule that serves any device */
    } cases[] = {{64, 32768, 1, 64}, {63, 32768, 1, 32}, {4, 32768, 1, 4},
                 {3, 32768, 1, 0},   {64, 16384, 1, 64}, {64, 1024, 1, 0},
                 {64, 32768, 7, 32}, {16, 32768, 7, 16}, {15, 32768, 7, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const uint64_t columns = cases[i].columns;
        const tally_cumulative desc = shape_scan(TALLY_SUM, TALLY_F32, SHAPE(9000, columns), 0);
        tally_limits limits = plan_sample_gpu;
        limits.group_max = cases[i].group_max;
        limits.local_bytes = cases[i].local_bytes;
        const tally_step step = plan_sample_scan_step(&desc, &limits);
        const bool units = step.spec.schedule == TALLY_SCAN_ROWS;
        ck_assert_int_eq(units, cases[i].group != 0);
        if (units)
            ck_assert_uint_eq(step.spec.group, cases[i].group);
    }
}
END_TEST

/*
 * Few packed columns of every number, on devices of all kinds: whether units follow is known after
 * they were sized, and what does not follow needs more local memory.
 */
START_TEST(few_packed_columns_have_room_on_any_device) {
    static const uint64_t terms[] = {257, 1184, 70000, (UINT64_C(1) << 24) + 1};
    static const tally_dtype types[] = {TALLY_U8, TALLY_F16, TALLY_F32, TALLY_F64};
    static tally_plan plan;
    static text out;
    for (uint64_t columns = 2; columns <= 40; columns++)
        for (uint32_t k = 0; k < 16; k++) {
            tally_problem problem;
            tally_cumulative desc =
                shape_scan(TALLY_MIN, types[k / 4], SHAPE(terms[k % 4], columns), 0);
            ck_assert_int_eq(tally_problem_cumulative(&desc, &problem, NULL), TALLY_OK);
            out.length = 0;
            describe_cumulative(&out, &desc);
            for (uint32_t i = 0; i < plan_devices_count(); i++) {
                const tally_limits limits = plan_devices_at(i);
                if (limits.family == TALLY_FAMILY_GPU && limits.address_bits == 64)
                    plan_check(&out, &problem, &limits, &plan);
            }
        }
}
END_TEST

Suite *suite_scan_choices(void) {
    Suite *suite = suite_create("scan_choices");
    TCase *tests = tcase_create("scan_choices");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, a_scan_keeps_to_its_family);
    tcase_add_test(tests, short_packed_rows_are_scanned_together);
    tcase_add_test(tests, scanned_short_rows_waste_few_runs);
    tcase_add_test(tests, other_layouts_are_scanned_by_boxes);
    tcase_add_test(tests, many_lines_in_another_order_are_walked_alone);
    tcase_add_test(tests, few_packed_columns_are_scanned_as_rows);
    tcase_add_test(tests, scanned_units_need_room);
    tcase_add_test(tests, few_packed_columns_have_room_on_any_device);
    suite_add_tcase(suite, tests);
    return suite;
}
