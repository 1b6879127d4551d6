/*
 * Which long rows are spread over groups on GPUs, in how many launches, and where a group has what
 * comes before its unit from. As in test_plan_choices.c, a test says that a choice was made on
 * purpose.
 */
#include <check.h>

#include "support/descriptions/shape.h"
#include "support/plans/sample.h"

/* Units of a row are spread over groups, in one pass or in two. */
static bool is_spread(const tally_step *step) {
    const uint16_t carry = tally_spec_carry(&step->spec);
    return carry == TALLY_CARRY_TWO_PASSES || carry == TALLY_CARRY_LOOK_BACK;
}

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
        ck_assert_int_ne(plan_sample_scan_step(&desc, &plan_sample_cpu).spec.schedule,
                         TALLY_SCAN_ROWS);
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

/* Of rows that do not begin at packs, and of many long ones, a work-item has fewer runs. */
START_TEST(rows_that_are_moved_slowly_have_more_work_items) {
    static const struct {
        uint64_t rows, terms, pitch;
        bool descending;
    } cases[] = {{1, 1u << 25, 1u << 25, false},
                 {1, (1u << 25) + 1, (1u << 25) + 1, true},
                 {8, 1u << 22, (1u << 22) + 1, false},
                 {1u << 13, 4096, 4096, false}};
    uint32_t packed = 0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tally_cumulative desc =
            shape_scan(TALLY_SUM, TALLY_F32, SHAPE(cases[i].rows, cases[i].terms), 1);
        desc.input.flags = TALLY_STRIDED;
        desc.input.stride[0] = cases[i].pitch;
        desc.input.stride[1] = 1;
        desc.descending = cases[i].descending;
        const tally_step step = plan_sample_scan_step(&desc, &plan_sample_large);
        const uint32_t runs = step.spec.policy.scan_rows.runs_per_item;
        ck_assert_int_eq(step.spec.schedule, TALLY_SCAN_ROWS);
        ck_assert_uint_eq(runs * step.spec.group, 256); /* a tile, whoever has it */
        if (i == 0)
            packed = runs;
        else
            ck_assert_uint_lt(runs, packed);
        tally_limits small = plan_sample_large;
        small.group_max = 64; /* which has a tile with four runs each */
        const tally_step few = plan_sample_scan_step(&desc, &small);
        ck_assert_uint_eq(few.spec.policy.scan_rows.runs_per_item * few.spec.group, 256);
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
        const tally_step step = plan_sample_scan_step(&desc, &plan_sample_large);
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
        const tally_step large = plan_sample_scan_step(&desc, &plan_sample_gpu);
        const tally_step step = plan_sample_scan_step(&desc, &small);
        ck_assert(is_spread(&large));
        ck_assert_int_eq(step.spec.schedule, TALLY_SCAN_ROWS);
        ck_assert_int_eq(is_spread(&step), bits == 36);
    }
}
END_TEST

Suite *suite_scan_spread_choices(void) {
    Suite *suite = suite_create("scan_spread_choices");
    TCase *tests = tcase_create("scan_spread_choices");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, few_long_rows_are_scanned_by_chains);
    tcase_add_test(tests, rows_of_few_bytes_follow_totals);
    tcase_add_test(tests, rows_that_are_moved_slowly_have_more_work_items);
    tcase_add_test(tests, units_that_follow_have_few_runs_per_item);
    tcase_add_test(tests, few_short_rows_are_scanned_in_one_launch);
    tcase_add_test(tests, steps_are_out_of_place_or_in_place);
    tcase_add_test(tests, chains_have_no_more_units_than_tickets);
    suite_add_tcase(suite, tests);
    return suite;
}
