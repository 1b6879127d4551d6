/*
 * test_stream_errors.c: what a stream refuses, what stops it, and its budget: sources and sinks
 * that fail at each of their calls, progress that stops, memory that is counted.
 */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "support/descriptions/shape.h"
#include "support/fixtures/fixture.h"
#include "support/refusal.h"
#include "support/stream/buffer_bytes.h"
#include "support/stream/streamed.h"

Suite *suite_stream_errors(void);

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* A scan of four rows, one a piece, and what a test changes of it. */
typedef struct attempt {
    tally_cumulative scan;
    tally_desc desc;
    streamed_end in, out;
    tally_source source;
    tally_sink sink;
    tally_stream stream;
    tally_error error;
} attempt;

static void make(attempt *of, uint64_t rows, uint64_t columns) {
    memset(of, 0, sizeof *of);
    of->scan = shape_scan(TALLY_SUM, TALLY_I32, SHAPE(rows, columns), 1);
    of->desc = (tally_desc)TALLY_DESC_INIT;
    of->desc.cumulative = &of->scan;
    streamed_open(&of->desc, &(streamed_how){.values = VALUES_SMALL}, &of->in, &of->out);
    of->source = streamed_source(&of->in);
    of->sink = streamed_sink(&of->out);
    of->stream = (tally_stream)TALLY_STREAM_INIT;
    of->stream.source = &of->source;
    of->stream.sink = &of->sink;
    of->stream.piece = 8 * columns;
}

/* Compile what the stream needs, which the runtime then holds. */
static void warm_up(attempt *of) {
    tally_stream_plan plan = TALLY_STREAM_PLAN_INIT;
    fixture_ok(
        tally_stream_query(fixture_get()->runtime, &of->desc, &of->stream, &plan, &of->error),
        &of->error, "tally_stream_query");
}

static void drop(attempt *of) {
    streamed_close(&of->in, &of->out);
}

static tally_status run(attempt *of) {
    return tally_stream_run(fixture_get()->runtime, &of->desc, &of->stream, &of->error);
}

static void refuse(attempt *of, refusal expected) {
    refusal_check(expected, run(of), &of->error);
    ck_assert_int_eq(tally_stream_run(fixture_get()->runtime, &of->desc, &of->stream, NULL),
                     expected.status);
}

/* ---- Functions of the caller's -------------------------------------------------------------- */

START_TEST(a_source_that_fails) {
    attempt of;
    make(&of, 5, 100);
    of.stream.copies = 1 + (uint32_t)_i % 2;
    of.in.fail_at = 1 + (uint64_t)_i / 2;
    of.in.fail_with = _i % 4 < 2 ? TALLY_STOPPED : TALLY_UNSUPPORTED;
    warm_up(&of);
    const cl_uint before = fixture_references(fixture_get()->context);
    refusal_check(REFUSAL(of.in.fail_with, "the disk is gone"), run(&of), &of.error);
    ck_assert_uint_eq(of.in.calls, of.in.fail_at);
    fixture_check_references(fixture_get()->context, before);
    drop(&of);
}
END_TEST

START_TEST(a_sink_that_fails) {
    attempt of;
    make(&of, 5, 100);
    of.stream.copies = 1 + (uint32_t)_i % 2;
    of.out.fail_at = 1 + (uint64_t)_i / 2;
    warm_up(&of);
    const cl_uint before = fixture_references(fixture_get()->context);
    refusal_check(REFUSAL(TALLY_STOPPED, "the disk is full"), run(&of), &of.error);
    ck_assert_uint_eq(of.out.calls, of.out.fail_at);
    fixture_check_references(fixture_get()->context, before);
    drop(&of);
}
END_TEST

static tally_status say_nothing(void *user, const uint64_t *begin, const uint64_t *size,
                                void *elements, tally_error *error) {
    (void)begin;
    (void)size;
    (void)elements;
    (void)error;
    return *(const tally_status *)user;
}

START_TEST(a_source_without_a_sentence) {
    static const tally_status given[] = {TALLY_INVALID, (tally_status)77};
    static const tally_status wanted[] = {TALLY_INVALID, TALLY_STOPPED};
    attempt of;
    make(&of, 5, 100);
    tally_status status = given[_i];
    of.source.read = say_nothing;
    of.source.user = &status;
    refuse(&of, REFUSAL(wanted[_i], "source"));
    drop(&of);
}
END_TEST

/* Bytes go up to all, and false stops. */
typedef struct watch {
    uint64_t calls, last, all, stop_at;
} watch;

static bool note(void *user, uint64_t done, uint64_t all) {
    watch *of = user;
    ck_assert_uint_gt(done, of->last);
    ck_assert_uint_le(done, all);
    of->last = done;
    of->all = all;
    return ++of->calls != of->stop_at;
}

START_TEST(progress) {
    attempt of;
    watch seen = {.stop_at = (uint64_t)_i};
    make(&of, 5, 100);
    of.stream.progress = note;
    of.stream.user = &seen;
    if (_i == 0) {
        fixture_ok(run(&of), &of.error, "tally_stream_run");
        ck_assert_uint_eq(seen.all, 2 * 5 * 100 * 4);
        ck_assert_uint_eq(seen.last, seen.all);
        ck_assert_uint_eq(seen.calls, 10);
    } else {
        refusal_check(REFUSAL(TALLY_STOPPED, "stopped", "4000"), run(&of), &of.error);
        ck_assert_uint_eq(seen.calls, (uint64_t)_i);
    }
    drop(&of);
}
END_TEST

/* ---- Refusals ------------------------------------------------------------------------------- */

START_TEST(wrong_members) {
    attempt of;
    make(&of, 5, 100);
    of.stream.source = NULL;
    refuse(&of, INVALID("tally_source", "NULL"));
    of.stream.source = &of.source;
    of.stream.sink = NULL;
    refuse(&of, INVALID("tally_sink", "NULL"));
    of.stream.sink = &of.sink;
    of.source.read = NULL;
    refuse(&of, INVALID("source", "NULL"));
    of.source = streamed_source(&of.in);
    of.sink.write = NULL;
    refuse(&of, INVALID("sink", "NULL"));
    of.sink = streamed_sink(&of.out);
    of.sink.flags = 4;
    refuse(&of, INVALID("sink", "0x4"));
    of.sink.flags = 0;
    of.stream.copies = 3;
    refuse(&of, INVALID("copies", "3"));
    of.stream.copies = 0;
    of.stream.reserved = 1;
    refuse(&of, UNSUPPORTED("reserved"));
    of.stream.reserved = 0;
    of.scan.axis = 2;
    refuse(&of, INVALID("axis"));
    ck_assert_uint_eq(of.in.calls, 0);
    refusal_check(INVALID("runtime"), tally_stream_run(NULL, &of.desc, &of.stream, &of.error),
                  &of.error);
    refusal_check(INVALID("tally_stream", "NULL"),
                  tally_stream_run(fixture_get()->runtime, &of.desc, NULL, &of.error), &of.error);
    drop(&of);
}
END_TEST

/* ---- The budget ----------------------------------------------------------------------------- */

static tally_stream_plan query(attempt *of) {
    tally_stream_plan plan = TALLY_STREAM_PLAN_INIT;
    fixture_ok(
        tally_stream_query(fixture_get()->runtime, &of->desc, &of->stream, &plan, &of->error),
        &of->error, "tally_stream_query");
    return plan;
}

/* The least budget is enough, and a byte less is refused with it. */
START_TEST(the_least_budget) {
    attempt of;
    char words[32];
    make(&of, 50, 1000);
    of.stream.piece = 0;
    const tally_stream_plan plan = query(&of);
    ck_assert_uint_gt(plan.least_memory, 0);
    of.stream.memory = plan.least_memory - 1;
    snprintf(words, sizeof words, "at least %llu", (unsigned long long)plan.least_memory);
    refuse(&of, INVALID(words));
    ck_assert_uint_eq(of.in.calls, 0);
    of.stream.memory = plan.least_memory;
    ck_assert_uint_eq(query(&of).slots, 1);
    ck_assert_uint_eq(query(&of).memory, plan.least_memory);
    fixture_ok(run(&of), &of.error, "tally_stream_run");
    drop(&of);
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
    make(&of, 5, 100);
    of.stream.copies = 1 + (uint32_t)_i;
    fixture_ok(run(&of), &of.error, "tally_stream_run"); /* compiles */
    for (int after = 0; after < 20; after++) {
        const cl_uint before = fixture_references(fixture_get()->context);
        buffer_bytes_begin();
        buffer_bytes_refuse(after);
        const tally_status status = run(&of);
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
    drop(&of);
}
END_TEST

Suite *suite_stream_errors(void) {
    Suite *suite = suite_create("stream_errors");
    TCase *tests = tcase_create("stream");
    tcase_set_timeout(tests, 300);
    tcase_add_loop_test(tests, a_source_that_fails, 0, 10);
    tcase_add_loop_test(tests, a_sink_that_fails, 0, 10);
    tcase_add_loop_test(tests, a_source_without_a_sentence, 0, 2);
    tcase_add_loop_test(tests, progress, 0, 11);
    tcase_add_test(tests, wrong_members);
    tcase_add_test(tests, the_least_budget);
    tcase_add_loop_test(tests, budgets_are_kept, 0, 4);
    tcase_add_loop_test(tests, lent_memory_is_not_taken_again, 0, 2);
    tcase_add_loop_test(tests, no_device_memory, 0, 2);
    suite_add_tcase(suite, tests);
    return suite;
}
