/*
 * test_versions.c: callers that were built with an older or a newer header: each struct with a size
 * is given shorter, and longer with and without something in what the library does not know.
 */
#include <check.h>
#include <string.h>

#include "support/descriptions/shape.h"
#include "support/fixtures/fixture.h"
#include "support/refusal.h"

/* A struct of tomorrow, with something behind the members of today. */
#define TOMORROW(type)                                                                             \
    struct {                                                                                       \
        type today;                                                                                \
        uint64_t more[2];                                                                          \
    }

START_TEST(configs) {
    TOMORROW(tally_config) config = {fixture_config(), {0, 0}};
    tally_runtime *runtime = NULL;
    tally_error error;
    config.today.struct_size = sizeof config;
    fixture_ok(tally_runtime_create(&config.today, &runtime, &error), &error, "longer");
    tally_runtime_release(runtime);
    config.more[1] = 1;
    refusal_check(REFUSAL(TALLY_UNSUPPORTED, "tally_config"),
                  tally_runtime_create(&config.today, &runtime, &error), &error);
    ck_assert_ptr_null(runtime);
    config.today.struct_size = offsetof(tally_config, cache_limit);
    config.today.overrides = (const tally_overrides *)(const void *)&error; /* not there */
    fixture_ok(tally_runtime_create(&config.today, &runtime, &error), &error, "shorter");
    tally_runtime_release(runtime);
}
END_TEST

START_TEST(descriptions) {
    TOMORROW(tally_reduce) reduce = {shape_sum_rows(), {0, 0}};
    tally_runtime *runtime = fixture_get()->runtime;
    tally_op *op = NULL;
    tally_error error;
    reduce.today.struct_size = sizeof reduce;
    fixture_ok(tally_reduce_create(runtime, &reduce.today, &op, &error), &error, "longer");
    tally_op_release(op);
    reduce.more[0] = 1;
    refusal_check(REFUSAL(TALLY_UNSUPPORTED, "tally_reduce"),
                  tally_reduce_create(runtime, &reduce.today, &op, &error), &error);
    reduce.today.struct_size = offsetof(tally_reduce, tie);
    reduce.today.tie = (tally_tie)77; /* not there */
    fixture_ok(tally_reduce_create(runtime, &reduce.today, &op, &error), &error, "shorter");
    tally_op_release(op);
    tally_cumulative scan = shape_scan_rows();
    scan.struct_size = offsetof(tally_cumulative, nan);
    scan.nan = (tally_nan)77;
    fixture_ok(tally_cumulative_create(runtime, &scan, &op, &error), &error, "shorter");
    tally_op_release(op);
    tally_diagonal fill = shape_fill(SHAPE(2, 2));
    fill.struct_size = offsetof(tally_diagonal, value);
    fixture_ok(tally_diagonal_create(runtime, &fill, &op, &error), &error, "shorter");
    tally_op_release(op);
}
END_TEST

/* Descriptions side by side are as far apart as the first one says. */
START_TEST(lists_of_descriptions) {
    const tally_reduce reduce = shape_sum_rows();
    TOMORROW(tally_desc) list[2] = {{TALLY_DESC_INIT, {0, 0}}, {TALLY_DESC_INIT, {0, 0}}};
    tally_runtime *runtime = fixture_get()->runtime;
    tally_error error;
    list[0].today.struct_size = list[1].today.struct_size = sizeof list[0];
    list[0].today.reduce = list[1].today.reduce = &reduce;
    fixture_ok(tally_warm_up(runtime, &list[0].today, 2, NULL, NULL, &error), &error, "longer");
    list[1].more[0] = 1;
    refusal_check(REFUSAL(TALLY_UNSUPPORTED, "operator 2 of 2", "tally_desc"),
                  tally_warm_up(runtime, &list[0].today, 2, NULL, NULL, &error), &error);
    list[1].today.struct_size = sizeof(tally_desc);
    refusal_check(REFUSAL(TALLY_INVALID, "operator 2 of 2", "the first one"),
                  tally_warm_up(runtime, &list[0].today, 2, NULL, NULL, &error), &error);
}
END_TEST

START_TEST(answers) {
    TOMORROW(tally_stats) stats;
    TOMORROW(tally_scans) scans;
    tally_runtime *runtime = fixture_get()->runtime;
    tally_error error;
    memset(&stats, 0x55, sizeof stats);
    memset(&scans, 0x55, sizeof scans);
    stats.today.struct_size = sizeof stats;
    scans.today.struct_size = sizeof scans;
    fixture_ok(tally_runtime_stats(runtime, &stats.today, &error), &error, "longer");
    fixture_ok(tally_runtime_scans(runtime, &scans.today, &error), &error, "longer");
    ck_assert_uint_eq(stats.more[0] | stats.more[1] | scans.more[0] | scans.more[1], 0);
    ck_assert_uint_eq(stats.today.struct_size, sizeof stats);
    ck_assert_ptr_nonnull(scans.today.reason);
    stats.today.struct_size = offsetof(tally_stats, cache_hits);
    stats.today.cache_hits = 77; /* not there */
    fixture_ok(tally_runtime_stats(runtime, &stats.today, &error), &error, "shorter");
    ck_assert_uint_eq(stats.today.cache_hits, 77);
}
END_TEST

/* Members without a meaning yet: what a later version may say there is refused, not passed over. */
START_TEST(reserved_members) {
    const tally_reduce desc = shape_sum_rows();
    tally_op *op = NULL;
    tally_error error;
    tally_binding binding = TALLY_BINDING_INIT;
    fixture_ok(tally_reduce_create(fixture_get()->runtime, &desc, &op, &error), &error, "create");
    binding.input.reserved[1] = 9;
    refusal_check(REFUSAL(TALLY_UNSUPPORTED, "the input's reserved", "9"),
                  tally_op_enqueue(op, fixture_get()->queue, &binding, 0, NULL, NULL, &error),
                  &error);
    tally_op_release(op);
    memset(&error, 0x55, sizeof error);
    refusal_check(REFUSAL(TALLY_INVALID, "NULL"), tally_warm_up(NULL, NULL, 0, NULL, NULL, &error),
                  &error);
    ck_assert_uint_eq(error.reserved, 0);
}
END_TEST

Suite *suite_versions(void);
Suite *suite_versions(void) {
    Suite *suite = suite_create("versions");
    TCase *tests = tcase_create("versions");
    tcase_set_timeout(tests, 300);
    tcase_add_test(tests, configs);
    tcase_add_test(tests, descriptions);
    tcase_add_test(tests, lists_of_descriptions);
    tcase_add_test(tests, answers);
    tcase_add_test(tests, reserved_members);
    suite_add_tcase(suite, tests);
    return suite;
}
