/*
 * test_stream_errors.c: what a stream refuses, and what stops it: sources and sinks that fail at
 * each of their calls, progress that stops. Its memory is test_stream_budget.c's.
 */
#include <check.h>

#include "attempt.h"
#include "support/fixtures/fixture.h"

Suite *suite_stream_errors(void);

/* ---- Functions of the caller's -------------------------------------------------------------- */

START_TEST(a_source_that_fails) {
    attempt of;
    attempt_make(&of, 5, 100);
    of.stream.copies = 1 + (uint32_t)_i % 2;
    of.in.fail_at = 1 + (uint64_t)_i / 2;
    of.in.fail_with = _i % 4 < 2 ? TALLY_STOPPED : TALLY_UNSUPPORTED;
    (void)attempt_query(&of);
    const cl_uint before = fixture_references(fixture_get()->context);
    refusal_check(REFUSAL(of.in.fail_with, "the disk is gone"), attempt_run(&of), &of.error);
    ck_assert_uint_eq(of.in.calls, of.in.fail_at);
    fixture_check_references(fixture_get()->context, before);
    attempt_drop(&of);
}
END_TEST

START_TEST(a_sink_that_fails) {
    attempt of;
    attempt_make(&of, 5, 100);
    of.stream.copies = 1 + (uint32_t)_i % 2;
    of.out.fail_at = 1 + (uint64_t)_i / 2;
    (void)attempt_query(&of);
    const cl_uint before = fixture_references(fixture_get()->context);
    refusal_check(REFUSAL(TALLY_STOPPED, "the disk is full"), attempt_run(&of), &of.error);
    ck_assert_uint_eq(of.out.calls, of.out.fail_at);
    fixture_check_references(fixture_get()->context, before);
    attempt_drop(&of);
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
    attempt_make(&of, 5, 100);
    tally_status status = given[_i];
    of.source.read = say_nothing;
    of.source.user = &status;
    attempt_refuse(&of, REFUSAL(wanted[_i], "source"));
    attempt_drop(&of);
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
    attempt_make(&of, 5, 100);
    of.stream.progress = note;
    of.stream.user = &seen;
    if (_i == 0) {
        fixture_ok(attempt_run(&of), &of.error, "tally_stream_run");
        ck_assert_uint_eq(seen.all, 2 * 5 * 100 * 4);
        ck_assert_uint_eq(seen.last, seen.all);
        ck_assert_uint_eq(seen.calls, 10);
    } else {
        refusal_check(REFUSAL(TALLY_STOPPED, "stopped", "4000"), attempt_run(&of), &of.error);
        ck_assert_uint_eq(seen.calls, (uint64_t)_i);
    }
    attempt_drop(&of);
}
END_TEST

/* ---- Refusals ------------------------------------------------------------------------------- */

START_TEST(wrong_members) {
    attempt of;
    attempt_make(&of, 5, 100);
    of.stream.source = NULL;
    attempt_refuse(&of, INVALID("tally_source", "NULL"));
    of.stream.source = &of.source;
    of.stream.sink = NULL;
    attempt_refuse(&of, INVALID("tally_sink", "NULL"));
    of.stream.sink = &of.sink;
    of.source.read = NULL;
    attempt_refuse(&of, INVALID("source", "NULL"));
    of.source = streamed_source(&of.in);
    of.sink.write = NULL;
    attempt_refuse(&of, INVALID("sink", "NULL"));
    of.sink = streamed_sink(&of.out);
    of.sink.flags = 4;
    attempt_refuse(&of, INVALID("sink", "0x4"));
    of.sink.flags = 0;
    of.stream.copies = 3;
    attempt_refuse(&of, INVALID("copies", "3"));
    of.stream.copies = 0;
    of.stream.reserved = 1;
    attempt_refuse(&of, UNSUPPORTED("reserved"));
    of.stream.reserved = 0;
    of.scan.axis = 2;
    attempt_refuse(&of, INVALID("axis"));
    ck_assert_uint_eq(of.in.calls, 0);
    refusal_check(INVALID("runtime"), tally_stream_run(NULL, &of.desc, &of.stream, &of.error),
                  &of.error);
    refusal_check(INVALID("tally_stream", "NULL"),
                  tally_stream_run(fixture_get()->runtime, &of.desc, NULL, &of.error), &of.error);
    attempt_drop(&of);
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
    suite_add_tcase(suite, tests);
    return suite;
}
