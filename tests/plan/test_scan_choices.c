/*
 * Which schedule scans what, on GPUs mostly. As in test_plan_choices.c, a test says that a choice
 * was made on purpose.
 */
#include <check.h>

#include "support/descriptions/shape.h"
#include "support/plans/sample.h"

static tally_step scan_step(const tally_cumulative *desc, const tally_limits *limits) {
    return plan_sample_scan(desc, limits).step[0];
}

/* Units of a row are spread over groups, in one pass or in two. */
static bool is_spread(const tally_step *step) {
    const uint16_t carry = tally_spec_carry(&step->spec);
    return carry == TALLY_CARRY_TWO_PASSES || carry == TALLY_CARRY_LOOK_BACK;
}

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
        ck_assert_int_eq(scan_step(&desc, &plan_sample_gpu).spec.schedule == TALLY_SCAN_SHORT_ROWS,
                         cases[i].tile);
        ck_assert_int_ne(scan_step(&desc, &plan_sample_narrow).spec.schedule,
                         TALLY_SCAN_SHORT_ROWS);
        ck_assert_int_ne(scan_step(&desc, &little_memory).spec.schedule, TALLY_SCAN_SHORT_ROWS);
        ck_assert_int_ne(scan_step(&desc, &plan_sample_cpu).spec.schedule, TALLY_SCAN_SHORT_ROWS);
        shape_pad(&desc.output, 1);
        ck_assert_int_ne(scan_step(&desc, &plan_sample_gpu).spec.schedule, TALLY_SCAN_SHORT_ROWS);
        desc = shape_scan(TALLY_MAX, cases[i].type, SHAPE(2000, cases[i].terms), 1);
        shape_pad(&desc.input, 1);
        ck_assert_int_ne(scan_step(&desc, &plan_sample_gpu).spec.schedule, TALLY_SCAN_SHORT_ROWS);
    }
}
END_TEST

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
        {{2, {64, 300000}}, TALLY_F32, TALLY_SCAN_COLUMNS, 1, 32, 1, 128, 4},
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
        const tally_step step = scan_step(&desc, &plan_sample_large);
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
 * Packs are as wide as rows are aligned where they are narrow, or half of 16 bytes. Narrow elements
 * whose rows are no whole dwords go by boxes (0), and so do columns that are too few for work-items
 * with packs, but not next to none, and a few terms.
 */
START_TEST(packs_of_columns_begin_where_rows_do) {
    static const struct {
        uint64_t terms, columns;
        tally_dtype type;
        uint32_t pack;
    } cases[] = {
        {64, 300000, TALLY_F32, 16}, {64, 300002, TALLY_F32, 8}, {64, 300001, TALLY_F32, 16},
        {64, 300001, TALLY_F64, 16}, {64, 900000, TALLY_F16, 8}, {64, 900002, TALLY_F16, 4},
        {64, 900001, TALLY_F16, 0},  {16, 900001, TALLY_I8, 0},  {16, 900002, TALLY_I8, 0},
        {16, 900004, TALLY_I8, 4},   {40, 90001, TALLY_I8, 0},   {64, 4000, TALLY_F32, 0},
        {64, 900, TALLY_F32, 4},     {4, 300000, TALLY_F32, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const tally_cumulative desc =
            shape_scan(TALLY_MAX, cases[i].type, SHAPE(cases[i].terms, cases[i].columns), 0);
        const tally_step step = scan_step(&desc, &plan_sample_gpu);
        ck_assert_msg(step.spec.schedule ==
                          (cases[i].pack > 0 ? TALLY_SCAN_COLUMNS : TALLY_SCAN_STAGED),
                      "case %zu", i);
        ck_assert_msg(cases[i].pack == 0 || step.spec.policy.scan_columns.pack == cases[i].pack,
                      "case %zu", i);
    }
}
END_TEST

/* A larger group where it holds more of them: 44 runs twice in 128 and five times in 256. */
START_TEST(scanned_short_rows_waste_few_runs) {
    static const uint64_t cases[][3] = {{100, 128, 18}, {1000, 128, 2}, {700, 256, 5},
                                        {2048, 256, 2}, {16, 128, 128}, {2, 128, 1024}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const tally_cumulative desc = shape_scan(TALLY_SUM, TALLY_F32, SHAPE(2000, cases[i][0]), 1);
        const tally_step step = scan_step(&desc, &plan_sample_gpu);
        ck_assert_uint_eq(step.spec.group, cases[i][1]);
        ck_assert_uint_eq(step.args.scan_short_rows.staged_rows, cases[i][2]);
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
        const tally_step step = scan_step(&desc, &plan_sample_large);
        ck_assert_int_eq(step.spec.schedule, TALLY_SCAN_COLUMNS);
        ck_assert_uint_eq(step.spec.policy.scan_columns.results, cases[i / 2].results);
        ck_assert_uint_eq(step.spec.policy.scan_columns.pack, cases[i / 2].pack);
        /* Half as much where groups are smaller and there is less local memory. */
        ck_assert_uint_eq(scan_step(&desc, &plan_sample_gpu).spec.group, step.spec.group / 2);
        shape_pad(&desc.output, 1);
        ck_assert_int_eq(scan_step(&desc, &plan_sample_large).spec.schedule, TALLY_SCAN_STAGED);
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
        ck_assert_int_eq(scan_step(&desc, &plan_sample_large).spec.schedule, cases[i].schedule);
        ck_assert_int_ne(scan_step(&desc, &plan_sample_narrow).spec.schedule, TALLY_SCAN_STAGED);
    }
}
END_TEST

/*
 * 16 compute units are busy with 64 rows; fewer are spread if they have more than two units each,
 * or more than one where groups may wait for one another: then in one launch if the board is not
 * too large, else in two as long as no stretch is before another.
 */
START_TEST(few_long_rows_are_scanned_by_chains) {
    static const struct {
        uint64_t rows, terms;
        bool chain, once;
    } cases[] = {{1, 4096, false, false},
                 {1, 4097, false, true},
                 {63, 8192, false, true},
                 {63, 8193, true, true},
                 {63, 1 << 18, true, true},
                 {64, 65537, false, false},
                 {1, 1 << 24, true, true},
                 {1000, 1 << 20, false, false},
                 {1, UINT64_C(1) << 40, true, false}};
    for (size_t i = 0; i < 2 * sizeof cases / sizeof cases[0]; i++) {
        const uint64_t rows = cases[i / 2].rows, terms = cases[i / 2].terms;
        const tally_cumulative desc = shape_scan(TALLY_SUM, TALLY_F32, SHAPE(rows, terms), 1);
        tally_limits limits = plan_sample_gpu;
        limits.single_pass = i % 2 != 0;
        const tally_plan plan = plan_sample_scan(&desc, &limits);
        ck_assert_int_eq(plan.step[0].spec.schedule, TALLY_SCAN_ROWS);
        const bool once = limits.single_pass && cases[i / 2].once;
        ck_assert_int_eq(is_spread(&plan.step[0]), once || cases[i / 2].chain);
        ck_assert_int_eq(tally_spec_carry(&plan.step[0].spec) == TALLY_CARRY_LOOK_BACK, once);
        ck_assert_int_eq(plan.board > 0, once);
        ck_assert_uint_eq(plan.count, once || !cases[i / 2].chain ? 1 : terms <= 1 << 18 ? 2 : 3);
        ck_assert_uint_eq(
            plan.step[0].spec.group * plan.step[0].spec.policy.scan_rows.runs_per_item, 256);
        ck_assert_int_ne(scan_step(&desc, &plan_sample_cpu).spec.schedule, TALLY_SCAN_ROWS);
    }
}
END_TEST

/*
 * A unit of rows of several stretches follows all tiles before it as long as 16 compute units have
 * less than 256 KB each, and the totals of their tiles have room; in one launch if all groups have
 * few looks.
 */
START_TEST(rows_of_few_bytes_follow_totals) {
    static const struct {
        tally_dtype type;
        uint64_t rows, terms, columns;
        bool follows;
    } cases[] = {{TALLY_F32, 1, (1 << 20) - 1, 1, true}, {TALLY_F32, 1, 1 << 20, 1, false},
                 {TALLY_F32, 3, 300000, 1, true},        {TALLY_F32, 4, 300000, 1, false},
                 {TALLY_I8, 1, 4194303, 1, true},        {TALLY_I8, 1, 4194304, 1, false},
                 {TALLY_I8, 1, 299999, 13, true},        {TALLY_I8, 1, 270000, 15, true},
                 {TALLY_I8, 1, 270000, 17, false},       {TALLY_F64, 1, 500000, 1, true}};
    for (size_t i = 0; i < 2 * sizeof cases / sizeof cases[0]; i++) {
        const tally_cumulative desc =
            shape_scan(cases[i / 2].type == TALLY_I8 ? TALLY_MAX : TALLY_SUM, cases[i / 2].type,
                       SHAPE(cases[i / 2].rows, cases[i / 2].terms, cases[i / 2].columns), 1);
        tally_limits limits = plan_sample_large;
        limits.single_pass = i % 2 != 0;
        limits.units = cases[i / 2].columns < 16 ? 16 : 32;
        const tally_plan plan = plan_sample_scan(&desc, &limits);
        ck_assert(is_spread(&plan.step[0]));
        ck_assert_uint_eq(plan.count, limits.single_pass ? 1 : cases[i / 2].follows ? 2 : 3);
        const uint64_t tiles = (cases[i / 2].terms + 4095) / 4096;
        const bool few_looks = plan.step[0].args.head.units * tiles <= 16384;
        const bool follows = cases[i / 2].follows && (few_looks || !limits.single_pass);
        ck_assert_int_eq(plan.step[plan.count - 1].spec.phase, follows              ? TALLY_FOLLOW
                                                               : limits.single_pass ? TALLY_PASS
                                                                                    : TALLY_APPLY);
    }
}
END_TEST

/* A work-item has one run, and more where 16 compute units have more than 1024 work-items each. */
START_TEST(units_that_follow_have_few_runs_per_item) {
    static const struct {
        uint64_t terms;
        uint8_t each;
    } cases[] = {{262144, 1}, {262145, 2}, {524288, 2}, {524289, 4}, {2000000, 4}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const tally_cumulative desc = shape_scan(TALLY_MAX, TALLY_I8, SHAPE(1, cases[i].terms), 1);
        const tally_step step = scan_step(&desc, &plan_sample_large);
        ck_assert_uint_eq(step.spec.policy.scan_rows.runs_per_item, cases[i].each);
        ck_assert_uint_eq(step.spec.group, 256 / cases[i].each);
    }
}
END_TEST

/*
 * Rows of up to 256 KB, while 16 compute units have not too much to read again: in one launch where
 * input and output lie apart. Two others are for scans in place.
 */
START_TEST(few_short_rows_are_scanned_in_one_launch) {
    static const struct {
        tally_dtype type;
        uint64_t rows, terms, columns;
        const tally_limits *limits;
        uint32_t group; /* 0: not so */
    } cases[] = {{TALLY_F32, 1, 8192, 1, &plan_sample_large, 0},
                 {TALLY_F32, 1, 8193, 1, &plan_sample_large, 256},
                 {TALLY_F32, 2, 65536, 1, &plan_sample_large, 256},
                 {TALLY_F32, 3, 65536, 1, &plan_sample_large, 0},
                 {TALLY_F32, 1, 65537, 1, &plan_sample_large, 0},
                 {TALLY_F32, 1, 65536, 1, &plan_sample_gpu, 128},
                 {TALLY_F32, 1, 65536, 1, &plan_sample_narrow, 128},
                 {TALLY_F16, 1, 65536, 1, &plan_sample_large, 256},
                 {TALLY_U32, 1, 65537, 1, &plan_sample_large, 0},
                 {TALLY_F64, 1, 32768, 1, &plan_sample_large, 128},
                 {TALLY_F64, 1, 32769, 1, &plan_sample_large, 0},
                 {TALLY_F64, 1, 32768, 1, &plan_sample_gpu, 0},
                 {TALLY_F32, 1, 32768, 2, &plan_sample_large, 128},
                 {TALLY_F32, 1, 32769, 2, &plan_sample_large, 0},
                 {TALLY_F32, 1, 16384, 4, &plan_sample_large, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tally_cumulative desc = shape_scan(
            TALLY_SUM, cases[i].type, SHAPE(cases[i].rows, cases[i].terms, cases[i].columns), 1);
        tally_plan plan = plan_sample_scan(&desc, cases[i].limits);
        const bool alone = tally_spec_carry(&plan.step[0].spec) == TALLY_CARRY_RECOMPUTE;
        ck_assert_msg(alone == (cases[i].group != 0), "case %zu", i);
        ck_assert_uint_eq(plan.out_of_place_steps, alone);
        if (!alone)
            continue;
        ck_assert_uint_eq(plan.step[0].spec.group, cases[i].group);
        ck_assert_uint_eq(plan.count, 3);
        ck_assert_int_eq(plan.step[1].spec.phase, TALLY_TOTALS);
        ck_assert_int_eq(plan.step[2].spec.phase, TALLY_FOLLOW);
        ck_assert_uint_gt(plan.scratch, 0);
    }
}
END_TEST

/* Which steps an enqueue has; of rows that can't be in place there are no others. */
START_TEST(steps_are_out_of_place_or_in_place) {
    tally_cumulative desc = shape_scan(TALLY_SUM, TALLY_F32, SHAPE(2, 20000), 1);
    tally_plan plan = plan_sample_scan(&desc, &plan_sample_large);
    uint32_t first = 7;
    ck_assert_uint_eq(tally_plan_steps(&plan, false, &first), 1);
    ck_assert_uint_eq(first, 0);
    ck_assert_uint_eq(tally_plan_steps(&plan, true, &first), 2);
    ck_assert_uint_eq(first, 1);
    shape_pad(&desc.output, 0);
    desc.output.stride[0] += 3;
    plan = plan_sample_scan(&desc, &plan_sample_large);
    ck_assert_int_eq(tally_spec_carry(&plan.step[0].spec), TALLY_CARRY_RECOMPUTE);
    ck_assert_uint_eq(plan.out_of_place_steps, 0);
    ck_assert_uint_eq(plan.scratch, 0);
    ck_assert_uint_eq(tally_plan_steps(&plan, false, &first), 1);
    desc = shape_scan(TALLY_SUM, TALLY_F32, SHAPE(1, 70000), 1);
    plan = plan_sample_scan(&desc, &plan_sample_large);
    for (int in_place = 0; in_place <= 1; in_place++) {
        ck_assert_uint_eq(tally_plan_steps(&plan, in_place != 0, &first), 2);
        ck_assert_uint_eq(first, 0);
    }
}
END_TEST

/* Tickets have 32 bits: of more units than that a group walks the row. */
START_TEST(chains_have_no_more_units_than_tickets) {
    tally_limits small = plan_sample_gpu;
    small.group_max = 4; /* units of 256 terms */
    for (uint64_t bits = 36; bits <= 40; bits += 4) {
        const tally_cumulative desc =
            shape_scan(TALLY_SUM, TALLY_F32, SHAPE(UINT64_C(1) << bits), 0);
        const tally_step large = scan_step(&desc, &plan_sample_gpu);
        const tally_step step = scan_step(&desc, &small);
        ck_assert(is_spread(&large));
        ck_assert_int_eq(step.spec.schedule, TALLY_SCAN_ROWS);
        ck_assert_int_eq(is_spread(&step), bits == 36);
    }
}
END_TEST

/* As if they were a row, if nothing is between them; rows with something between them as well. */
START_TEST(few_packed_columns_are_scanned_as_rows) {
    for (uint64_t columns = 2; columns <= 9; columns++) {
        tally_cumulative desc = shape_scan(TALLY_SUM, TALLY_F32, SHAPE(5, 300, columns), 1);
        const tally_step step = scan_step(&desc, &plan_sample_gpu);
        ck_assert_int_eq(step.spec.schedule, columns < 9 ? TALLY_SCAN_ROWS : TALLY_SCAN_STAGED);
        if (columns < 9)
            ck_assert_uint_eq(step.spec.policy.scan_rows.merged, columns);
        ck_assert_uint_eq(step.args.scan.rows, columns < 9 ? 5 : 5 * columns);
        desc.descending = true; /* a pack of 16 bytes has half of the columns */
        ck_assert_int_eq(scan_step(&desc, &plan_sample_gpu).spec.schedule,
                         columns < 8    ? TALLY_SCAN_ROWS
                         : columns == 8 ? TALLY_SCAN_COLUMNS
                                        : TALLY_SCAN_STAGED);
        shape_space_rows(&desc.output, 1);
        ck_assert_int_ne(scan_step(&desc, &plan_sample_gpu).spec.schedule, TALLY_SCAN_ROWS);
    }
    for (uint64_t terms = 255; terms <= 256; terms++) {
        tally_cumulative desc = shape_scan(TALLY_SUM, TALLY_F32, SHAPE(5, terms), 1);
        shape_pad(&desc.input, 0);
        desc.input.stride[0] += 3;
        ck_assert_int_eq(scan_step(&desc, &plan_sample_gpu).spec.schedule,
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
        const tally_step step = scan_step(&desc, &limits);
        const bool units = step.spec.schedule == TALLY_SCAN_ROWS;
        ck_assert_int_eq(units, cases[i].group != 0);
        if (units)
            ck_assert_uint_eq(step.spec.group, cases[i].group);
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
    tcase_add_test(tests, columns_are_scanned_by_strips);
    tcase_add_test(tests, few_work_items_of_strips_idle);
    tcase_add_test(tests, packs_of_columns_begin_where_rows_do);
    tcase_add_test(tests, strided_results_are_staged);
    tcase_add_test(tests, columns_are_found_among_the_axes);
    tcase_add_test(tests, other_layouts_are_scanned_by_boxes);
    tcase_add_test(tests, few_long_rows_are_scanned_by_chains);
    tcase_add_test(tests, rows_of_few_bytes_follow_totals);
    tcase_add_test(tests, units_that_follow_have_few_runs_per_item);
    tcase_add_test(tests, few_short_rows_are_scanned_in_one_launch);
    tcase_add_test(tests, steps_are_out_of_place_or_in_place);
    tcase_add_test(tests, chains_have_no_more_units_than_tickets);
    tcase_add_test(tests, few_packed_columns_are_scanned_as_rows);
    tcase_add_test(tests, scanned_units_need_room);
    suite_add_tcase(suite, tests);
    return suite;
}
