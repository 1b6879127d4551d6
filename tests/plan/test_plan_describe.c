/*
 * How a plan is told in words, a line for each launch, and where its launches leave their states.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "support/descriptions/random_desc.h"
#include "support/descriptions/shape.h"
#include "support/plans/sample.h"

static void expect_text(const tally_plan *plan, const char *wanted) {
    tally_text words = TALLY_TEXT_INIT;
    tally_plan_describe(plan, &words);
    ck_assert(!words.failed);
    ck_assert_str_eq(words.data, wanted);
    tally_text_free(&words);
}

START_TEST(nothing_to_do_is_said) {
    const tally_reduce desc = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(0, 5), 2);
    const tally_plan plan = plan_sample_reduce(&desc, &plan_sample_gpu);
    expect_text(&plan, "nothing to do: the output is empty\n");
}
END_TEST

/* A group of 256, a lane for each, has room for 2 blocks. */
START_TEST(a_long_row_is_folded_by_wide_groups) {
    const tally_reduce desc = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(10000), 1);
    const tally_plan plan = plan_sample_reduce(&desc, &plan_sample_gpu);
    expect_text(
        &plan,
        "1: tally_fold_rows_sum_f32_k1_s1_i32_g256_lanes1_p4_runsatonce4_blocks1_first_closing, 2 "
        "groups of 256 for 3 units, input -> scratch + 0, from there to the output by the groups "
        "that end last\n");
}
END_TEST

/* A group of 512 with a lane for each does up to 16 blocks of a row, and what they come to. */
START_TEST(a_long_row_is_folded_whole_by_large_groups) {
    static const uint64_t lengths[] = {4096, 4097, 65536, 65537};
    for (int i = 0; i < 4; i++) {
        const uint64_t terms = lengths[i];
        const tally_reduce desc = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(terms), 1);
        const tally_plan plan = plan_sample_reduce(&desc, &plan_sample_large);
        const bool whole = terms > 4096 && terms <= 65536;
        ck_assert_uint_eq(plan.count, terms > 65536 ? 2 : 1);
        ck_assert_int_eq(plan.step[0].spec.schedule, TALLY_FOLD_ROWS);
        ck_assert_uint_eq(plan.step[0].spec.policy.fold_rows.whole_rows, whole);
    }
    const tally_reduce desc = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(10000), 1);
    const tally_plan plan = plan_sample_reduce(&desc, &plan_sample_large);
    expect_text(
        &plan,
        "1: tally_fold_rows_sum_f32_k1_s1_i32_g512_lanes1_p4_runsatonce4_wholerows1_first_last, "
        "1 groups of 512 for 1 units, input -> output\n");
}
END_TEST

START_TEST(a_long_row_is_folded_by_teams) {
    const tally_reduce desc = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(10000), 1);
    const tally_plan plan = plan_sample_reduce(&desc, &plan_sample_narrow);
    expect_text(&plan, "1: tally_fold_any_sum_f32_k1_s1_i32_g128_p4_first, 3 groups of 128 for 3 "
                       "units, input -> scratch + 0\n"
                       "2: tally_fold_any_sum_f32_k1_s1_i32_p4_last, 1 groups of 64 for 1 units, "
                       "scratch + 0 -> output\n");
}
END_TEST

START_TEST(a_long_row_is_folded_whole_on_a_cpu) {
    const tally_reduce desc = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(10000), 1);
    const tally_plan plan = plan_sample_reduce(&desc, &plan_sample_cpu);
    expect_text(&plan, "1: tally_fold_cpu_rows_sum_f32_k1_s1_i32_g1_first_last, 1 groups of 1 for "
                       "1 units, input -> output\n");
}
END_TEST

/* Where each launch of several groups leaves its states: to and fro between two parts. */
START_TEST(states_go_to_and_fro) {
    const tally_reduce desc =
        shape_reduce(TALLY_MAX, TALLY_I16, SHAPE(2, 3, 2, 3, 2, 3, 5000), 0x55);
    const tally_plan plan = plan_sample_reduce(&desc, &plan_sample_narrow);
    ck_assert_uint_eq(plan.count, 5);
    /* 27 outputs x 8 x 2 blocks of 4 bytes each are 1728, aligned 1792; without blocks 864, 1024 */
    ck_assert_uint_eq(plan.scratch, 1792 + 1024);
    for (uint32_t i = 0; i < 4; i++) {
        const uint64_t position = i % 2 == 0 ? 0 : 1792;
        ck_assert_uint_eq(plan.step[i].target_offset, position);
        ck_assert_uint_eq(plan.step[i + 1].source_offset, position);
    }
}
END_TEST

/* States are not laid out as the output is: its strides keep no axes of the input apart. */
START_TEST(states_are_listed_by_the_inputs_strides_alone) {
    tally_reduce desc = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(5, 3, 4, 7), 9);
    shape_transpose(&desc.output);
    const tally_plan plan = plan_sample_reduce(&desc, &plan_sample_cpu);
    ck_assert_uint_eq(plan.count, 2);
    ck_assert_uint_eq(plan.step[0].spec.kept_rank, 2);         /* 5 and 12, not 5, 3 and 4 */
    ck_assert_uint_eq(plan.step[0].args.fold.kept_size[0], 5); /* the widest stride is outermost */
    ck_assert_uint_eq(plan.step[0].args.fold.kept_in[0], 84);
    ck_assert_uint_eq(plan.step[0].args.fold.kept_out[0], 1); /* the next launch's terms */
    ck_assert_uint_eq(plan.step[0].args.fold.kept_size[1], 12);
    ck_assert_uint_eq(plan.step[0].args.fold.kept_in[1], 7);
    ck_assert_uint_eq(plan.step[0].args.fold.kept_out[1], 5);
    ck_assert_uint_eq(plan.step[1].args.fold.kept_size[0], 3);
    ck_assert_uint_eq(plan.step[1].args.fold.kept_out[1], 3);
}
END_TEST

/* Each line has its number, its kernel's name, and where it reads and writes. */
START_TEST(every_launch_has_its_line) {
    const random_kind kind = {UINT64_C(1) << 36, 4, true};
    uint64_t state = 81;
    for (int i = 0; i < 500; i++) {
        tally_reduce desc;
        random_reduce(&kind, &state, &desc);
        const tally_plan plan =
            plan_sample_reduce(&desc, i % 2 == 0 ? &plan_sample_gpu : &plan_sample_cpu);
        tally_text words = TALLY_TEXT_INIT;
        tally_plan_describe(&plan, &words);
        const char *line = words.data;
        for (uint32_t step = 0; step < tally_plan_launch_count(&plan); step++) {
            char name[TALLY_NAME_BYTES], head[TALLY_NAME_BYTES + 16];
            tally_spec_name(&plan.step[step].spec, name);
            snprintf(head, sizeof head, "%" PRIu32 ": %s, ", step + 1, name);
            if (strncmp(line, head, strlen(head)) != 0)
                ck_abort_msg("line %u does not begin with \"%s\":\n%s", step, head, words.data);
            line = strchr(line, '\n') + 1;
        }
        if (plan.count > 0 && (*line != '\0' || strstr(words.data, ": tally_") == NULL))
            ck_abort_msg("not a line for each launch:\n%s", words.data);
        tally_text_free(&words);
    }
}
END_TEST

Suite *suite_plan_describe(void) {
    Suite *suite = suite_create("plan_describe");
    TCase *tests = tcase_create("plan_describe");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, nothing_to_do_is_said);
    tcase_add_test(tests, a_long_row_is_folded_by_wide_groups);
    tcase_add_test(tests, a_long_row_is_folded_whole_by_large_groups);
    tcase_add_test(tests, a_long_row_is_folded_by_teams);
    tcase_add_test(tests, a_long_row_is_folded_whole_on_a_cpu);
    tcase_add_test(tests, states_go_to_and_fro);
    tcase_add_test(tests, states_are_listed_by_the_inputs_strides_alone);
    tcase_add_test(tests, every_launch_has_its_line);
    suite_add_tcase(suite, tests);
    return suite;
}
