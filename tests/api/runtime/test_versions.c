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
        uint32_t more[2];                                                                          \
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

/* The other two descriptions, and what decides besides. */
START_TEST(longer_descriptions) {
    TOMORROW(tally_cumulative) scan = {shape_scan_rows(), {0, 0}};
    TOMORROW(tally_diagonal) fill = {shape_fill(SHAPE(2, 2)), {0, 0}};
    TOMORROW(tally_device_limits) limits = {TALLY_DEVICE_LIMITS_INIT, {0, 0}};
    tally_error error;
    scan.today.struct_size = sizeof scan;
    fill.today.struct_size = sizeof fill;
    limits.today.struct_size = sizeof limits;
    fixture_ok(tally_cumulative_check(&scan.today, &limits.today, &error), &error, "scan");
    fixture_ok(tally_diagonal_check(&fill.today, &limits.today, &error), &error, "fill");
    limits.more[1] = 1;
    refusal_check(UNSUPPORTED("tally_device_limits"),
                  tally_diagonal_check(&fill.today, &limits.today, &error), &error);
    scan.more[0] = fill.more[1] = 1;
    refuse_cumulative(&scan.today, UNSUPPORTED("tally_cumulative"));
    refuse_diagonal(&fill.today, UNSUPPORTED("tally_diagonal"));
}
END_TEST

static tally_status make_with(const tally_overrides *overrides, tally_error *error) {
    tally_config config = fixture_config();
    tally_runtime *runtime = NULL;
    config.overrides = overrides;
    const tally_status status = tally_runtime_create(&config, &runtime, error);
    tally_runtime_release(runtime);
    return status;
}

START_TEST(overriding) {
    TOMORROW(tally_overrides) longer = {TALLY_OVERRIDES_INIT, {0, 0}};
    const tally_overrides shorter = {offsetof(tally_overrides, single_pass), TALLY_FAMILY_AUTO,
                                     (tally_single_pass)77}; /* which is not there */
    tally_error error;
    longer.today.struct_size = sizeof longer;
    fixture_ok(make_with(&longer.today, &error), &error, "longer");
    longer.more[0] = 1;
    refusal_check(UNSUPPORTED("tally_overrides"), make_with(&longer.today, &error), &error);
    fixture_ok(make_with(&shorter, &error), &error, "shorter");
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
    const uint32_t others[] = {sizeof(tally_desc), 4096}; /* a larger one reaches beyond the list */
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        list[1].today.struct_size = others[i];
        refusal_check(REFUSAL(TALLY_INVALID, "operator 2 of 2", "the first one"),
                      tally_warm_up(runtime, &list[0].today, 2, NULL, NULL, &error), &error);
    }
}
END_TEST

START_TEST(answers) {
    TOMORROW(tally_stats) stats;
    TOMORROW(tally_scans) scans;
    TOMORROW(tally_numerics) numerics;
    TOMORROW(tally_recording) recording;
    TOMORROW(tally_device_limits) limits;
    TOMORROW(tally_estimate) estimate;
    const tally_reduce sum = shape_sum_rows();
    tally_desc desc = TALLY_DESC_INIT;
    tally_runtime *runtime = fixture_get()->runtime;
    tally_error error;
    desc.reduce = &sum;
#define ASK(answer, call)                                                                          \
    memset(&(answer), 0x55, sizeof(answer));                                                       \
    (answer).today.struct_size = sizeof(answer);                                                   \
    fixture_ok(call, &error, #call);                                                               \
    ck_assert_uint_eq((answer).more[0] | (answer).more[1], 0);                                     \
    ck_assert_uint_eq((answer).today.struct_size, sizeof(answer))
    ASK(stats, tally_runtime_stats(runtime, &stats.today, &error));
    ASK(scans, tally_runtime_scans(runtime, &scans.today, &error));
    ASK(numerics, tally_runtime_numerics(runtime, &numerics.today, &error));
    ASK(recording, tally_runtime_recording(runtime, &recording.today, &error));
    ASK(limits, tally_runtime_limits(runtime, &limits.today, &error));
    ASK(estimate, tally_runtime_estimate(runtime, &desc, &estimate.today, &error));
    ck_assert_ptr_nonnull(scans.today.reason);
    ck_assert_ptr_nonnull(numerics.today.reasons);
    ck_assert_ptr_nonnull(recording.today.reason);
    ck_assert_ptr_nonnull(recording.today.update_reason);
#define ASK_SHORTER(answer, type, member, call)                                                    \
    (answer).today.struct_size = offsetof(type, member);                                           \
    memset(&(answer).today.member, 0x55, sizeof(answer).today.member);                             \
    fixture_ok(call, &error, #call);                                                               \
    ck_assert_int_eq(((const unsigned char *)&(answer).today.member)[0], 0x55)
    ASK_SHORTER(stats, tally_stats, cache_hits, tally_runtime_stats(runtime, &stats.today, &error));
    ASK_SHORTER(scans, tally_scans, reason, tally_runtime_scans(runtime, &scans.today, &error));
    ASK_SHORTER(recording, tally_recording, version,
                tally_runtime_recording(runtime, &recording.today, &error));
    ASK_SHORTER(recording, tally_recording, update_version,
                tally_runtime_recording(runtime, &recording.today, &error));
    ASK_SHORTER(numerics, tally_numerics, reasons,
                tally_runtime_numerics(runtime, &numerics.today, &error));
    ASK_SHORTER(estimate, tally_estimate, scratch,
                tally_runtime_estimate(runtime, &desc, &estimate.today, &error));
}
END_TEST

/* Each reserved word of each view of a binding, of an operator that needs all three. */
static void check_views(void) {
    const tally_reduce desc = shape_reduce(TALLY_SUM, TALLY_U32, SHAPE(300000), 1);
    tally_op *op = NULL;
    tally_error error;
    tally_binding binding = TALLY_BINDING_INIT;
    tally_view *views[] = {&binding.input, &binding.output, &binding.scratch};
    static const char *const roles[] = {"the input's", "the output's", "the scratch's"};
    fixture_ok(tally_reduce_create(fixture_get()->runtime, &desc, &op, &error), &error, "create");
    ck_assert_uint_gt(tally_op_scratch_size(op), 0);
    for (int i = 0; i < 3; i++)
        views[i]->buffer = fixture_make_buffer(NULL, 300000 * 4);
    for (int i = 0; i < 6; i++) {
        views[i / 2]->reserved[i % 2] = 9;
        refusal_check(REFUSAL(TALLY_UNSUPPORTED, roles[i / 2], "reserved", "9"),
                      tally_op_enqueue(op, fixture_get()->queue, &binding, 0, NULL, NULL, &error),
                      &error);
        views[i / 2]->reserved[i % 2] = 0;
    }
    tally_op_release(op);
    for (int i = 0; i < 3; i++)
        clReleaseMemObject(views[i]->buffer);
}

/* Members without a meaning yet: what a later version may say there is refused, not passed over. */
START_TEST(reserved_members) {
    tally_reduce reduce = shape_sum_rows();
    tally_cumulative scan = shape_scan_rows();
    tally_error error;
    reduce.reserved = scan.reserved = 9;
    refuse_reduce(&reduce, UNSUPPORTED("tally_reduce", "reserved", "9"));
    refuse_cumulative(&scan, UNSUPPORTED("tally_cumulative", "reserved", "9"));
    check_views();
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
    tcase_add_test(tests, longer_descriptions);
    tcase_add_test(tests, overriding);
    tcase_add_test(tests, lists_of_descriptions);
    tcase_add_test(tests, answers);
    tcase_add_test(tests, reserved_members);
    suite_add_tcase(suite, tests);
    return suite;
}
