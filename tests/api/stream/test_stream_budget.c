/*
 * test_stream_budget.c: the device memory of a stream: the least that it needs, a budget that is
 * kept at any time, what is lent and so takes none, and memory that is not there.
 */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "attempt.h"
#include "support/descriptions/shape.h"
#include "support/fixtures/fixture.h"
#include "support/stream/buffer_bytes.h"

Suite *suite_stream_budget(void);

/* The least budget is enough, and a byte less is refused with it. */
START_TEST(the_least_budget) {
    attempt of;
    char words[32];
    attempt_make(&of, 50, 1000);
    of.stream.piece = 0;
    const tally_stream_plan plan = attempt_query(&of);
    ck_assert_uint_gt(plan.least_memory, 0);
    of.stream.memory = plan.least_memory - 1;
    snprintf(words, sizeof words, "at least %llu", (unsigned long long)plan.least_memory);
    attempt_refuse(&of, INVALID(words));
    ck_assert_uint_eq(of.in.calls, 0);
    of.stream.memory = plan.least_memory;
    ck_assert_uint_eq(attempt_query(&of).slots, 1);
    ck_assert_uint_eq(attempt_query(&of).memory, plan.least_memory);
    fixture_ok(attempt_run(&of), &of.error, "tally_stream_run");
    attempt_drop(&of);
}
END_TEST

/* Buffers have no more bytes than the budget at any time, and none when the call is back. */
static void check_memory(const tally_desc *whole, uint64_t memory) {
    tally_error error;
    tally_stream stream = TALLY_STREAM_INIT;
    tally_stream_plan plan = TALLY_STREAM_PLAN_INIT;
    streamed_end in, out;
    streamed_open(whole, &(streamed_how){.values = VALUES_SMALL}, &in, &out);
    const tally_source source = streamed_source(&in);
    const tally_sink sink = streamed_sink(&out);
    stream.source = &source;
    stream.sink = &sink;
    stream.memory = memory;
    stream.copies = TALLY_STREAM_COPY_OFF; /* pinned memory is not the device's */
    fixture_ok(tally_stream_query(fixture_get()->runtime, whole, &stream, &plan, &error), &error,
               "tally_stream_query");
    buffer_bytes_begin();
    fixture_ok(tally_stream_run(fixture_get()->runtime, whole, &stream, &error), &error,
               "tally_stream_run");
    ck_assert_uint_le(plan.memory, memory);
    /* Operators have some bytes of their own, and a slot that no piece came to has none. */
    ck_assert_uint_ge(buffer_bytes_most(), plan.memory - plan.memory / 20);
    ck_assert_uint_le(buffer_bytes_most(), memory + memory / 20);
    streamed_close(&in, &out);
}

START_TEST(budgets_are_kept) {
    tally_scans scans = TALLY_SCANS_INIT;
    tally_error error;
    tally_desc desc = TALLY_DESC_INIT;
    fixture_ok(tally_runtime_scans(fixture_get()->runtime, &scans, &error), &error, "scans");
    const tally_reduce sum = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(3, 500000), 2);
    const tally_reduce columns = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(9000, 100), 1);
    const tally_cumulative scan = shape_scan(TALLY_SUM, TALLY_I32, SHAPE(1500000), 0);
    static const uint64_t budgets[] = {200000, 333333, 1000000, 4000000};
    desc.reduce = &sum;
    check_memory(&desc, budgets[_i]);
    desc.reduce = &columns;
    check_memory(&desc, budgets[_i]);
    desc.reduce = NULL;
    desc.cumulative = &scan;
    check_memory(&desc, budgets[_i]);
}
END_TEST

/* What is lent takes no memory: of a scan in the host's there is none, pinned it is once on the
 * device. */
START_TEST(lent_memory_is_not_taken_again) {
    const tally_cumulative scan = shape_scan(TALLY_SUM, TALLY_I32, SHAPE(300, 1024), 1);
    const tally_desc *whole = SHAPE_DESC(cumulative, &scan);
    const uint64_t piece = 30 * 1024 * sizeof(int32_t);
    streamed_memory of;
    tally_error error;
    streamed_end in, out;
    streamed_open(whole, &(streamed_how){.values = VALUES_SMALL}, &in, &out);
    streamed_lend(&of, &in.memory, &out.memory);
    of.stream.piece = 2 * piece;
    of.stream.copies = 1 + (uint32_t)_i;
    fixture_ok(tally_stream_run(fixture_get()->runtime, whole, &of.stream, &error), &error,
               "a run");
    buffer_bytes_begin();
    fixture_ok(tally_stream_run(fixture_get()->runtime, whole, &of.stream, &error), &error,
               "a run");
    ck_assert_uint_lt(buffer_bytes_most(), _i == 0 ? 6 * piece + piece / 2 : piece / 2);
    streamed_close(&in, &out);
}
END_TEST

/* Each buffer in turn is refused; pinned memory is done without. */
START_TEST(no_device_memory) {
    attempt of;
    int failures = 0;
    attempt_make(&of, 5, 100);
    of.stream.copies = 1 + (uint32_t)_i;
    fixture_ok(attempt_run(&of), &of.error, "tally_stream_run"); /* compiles */
    for (int after = 0; after < 20; after++) {
        const cl_uint before = fixture_references(fixture_get()->context);
        buffer_bytes_begin();
        buffer_bytes_refuse(after);
        const tally_status status = attempt_run(&of);
        buffer_bytes_begin();
        failures += status != TALLY_OK;
        if (status != TALLY_OK) {
            ck_assert_int_eq(status, TALLY_OUT_OF_MEMORY);
            ck_assert_int_eq(of.error.cl_code, CL_MEM_OBJECT_ALLOCATION_FAILURE);
            ck_assert_ptr_nonnull(strstr(of.error.message, "clCreateBuffer"));
        }
        fixture_check_references(fixture_get()->context, before);
    }
    ck_assert_int_eq(failures, 6);
    attempt_drop(&of);
}
END_TEST

Suite *suite_stream_budget(void) {
    Suite *suite = suite_create("stream_budget");
    TCase *tests = tcase_create("stream");
    tcase_set_timeout(tests, 300);
    tcase_add_test(tests, the_least_budget);
    tcase_add_loop_test(tests, budgets_are_kept, 0, 4);
    tcase_add_loop_test(tests, lent_memory_is_not_taken_again, 0, 2);
    tcase_add_loop_test(tests, no_device_memory, 0, 2);
    suite_add_tcase(suite, tests);
    return suite;
}
