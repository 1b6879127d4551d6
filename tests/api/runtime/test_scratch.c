/*
 * test_scratch.c: scratch buffers that grow: they have what an operator needs, never less than
 * before, and may be replaced and released while launches still use them.
 */
#include <check.h>

#include "support/descriptions/shape.h"
#include "support/fixtures/work.h"
#include "support/refusal.h"

static tally_scratch *make_scratch(void) {
    tally_scratch *scratch = NULL;
    tally_error error;
    fixture_ok(tally_scratch_create(fixture_get()->runtime, &scratch, &error), &error, "create");
    ck_assert_uint_eq(tally_scratch_bytes(scratch), 0);
    return scratch;
}

static tally_op *make_op(uint64_t terms) {
    const tally_reduce sum = shape_reduce(TALLY_SUM, TALLY_U32, SHAPE(terms), 1);
    return work_reduce(&sum);
}

static tally_view view_of(tally_scratch *scratch, const tally_op *op) {
    tally_view view;
    tally_error error;
    memset(&view, 0x55, sizeof view);
    fixture_ok(tally_scratch_view(scratch, op, &view, &error), &error, "view");
    ck_assert_uint_eq(view.offset, 0);
    ck_assert_uint_eq(view.reserved[0] | view.reserved[1], 0);
    return view;
}

START_TEST(it_grows_and_never_shrinks) {
    tally_scratch *scratch = make_scratch();
    tally_op *none = make_op(10), *some = make_op(300000), *more = make_op(30000000);
    ck_assert_uint_gt(tally_op_scratch_size(more), tally_op_scratch_size(some));
    ck_assert_uint_eq(tally_op_scratch_size(none), 0);
    ck_assert_ptr_null(view_of(scratch, none).buffer);
    const cl_mem first = view_of(scratch, some).buffer;
    ck_assert_ptr_nonnull(first);
    ck_assert_uint_eq(tally_scratch_bytes(scratch), tally_op_scratch_size(some));
    ck_assert_ptr_eq(view_of(scratch, some).buffer, first);
    const cl_mem second = view_of(scratch, more).buffer;
    ck_assert_uint_eq(tally_scratch_bytes(scratch), tally_op_scratch_size(more));
    ck_assert_ptr_eq(view_of(scratch, some).buffer, second);
    tally_op_release(none);
    tally_op_release(some);
    tally_op_release(more);
    tally_scratch_release(scratch);
}
END_TEST

/* A launch that waits has the old buffer while a new one is made, and both end with the scratch. */
START_TEST(launches_keep_what_they_were_enqueued_with) {
    cl_command_queue queue = fixture_make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    tally_scratch *scratch = make_scratch();
    tally_op *some = make_op(300000), *more = make_op(30000000);
    image x = work_line(300000, 1), total = work_line(1, 0);
    tally_binding binding = {image_view(&x), image_view(&total), view_of(scratch, some)};
    cl_event gate = work_gate(), done = NULL;
    tally_error error;
    fixture_ok(tally_op_enqueue(some, queue, &binding, 1, &gate, &done, &error), &error, "enqueue");
    ck_assert_ptr_nonnull(view_of(scratch, more).buffer);
    tally_scratch_release(scratch);
    fixture_check(clSetUserEventStatus(gate, CL_COMPLETE));
    fixture_check(clWaitForEvents(1, &done));
    uint32_t sum = 0;
    fixture_check(
        clEnqueueReadBuffer(queue, total.buffer, CL_TRUE, 0, sizeof sum, &sum, 0, NULL, NULL));
    ck_assert_uint_eq(sum, 300000);
    clReleaseEvent(gate);
    clReleaseEvent(done);
    image_free(&x);
    image_free(&total);
    tally_op_release(some);
    tally_op_release(more);
    clReleaseCommandQueue(queue);
}
END_TEST

/* Buffers of one context are nothing to another. */
static void check_other_context(const tally_op *op) {
    cl_int code = CL_SUCCESS;
    tally_config config = fixture_config();
    config.context = clCreateContext(NULL, 1, &fixture_get()->device, NULL, NULL, &code);
    fixture_check(code);
    tally_runtime *runtime = fixture_make_runtime_by(&config);
    tally_scratch *scratch = NULL;
    tally_view view = TALLY_VIEW_INIT;
    tally_error error;
    fixture_ok(tally_scratch_create(runtime, &scratch, &error), &error, "create");
    refusal_check(INVALID("another context"), tally_scratch_view(scratch, op, &view, &error),
                  &error);
    ck_assert_ptr_null(view.buffer);
    tally_scratch_release(scratch);
    tally_runtime_release(runtime);
    clReleaseContext(config.context);
}

START_TEST(bad_scratch) {
    tally_error error;
    tally_scratch *scratch = (tally_scratch *)(void *)&error; /* anything that is not NULL */
    tally_op *op = make_op(300000);
    tally_view view = {.offset = 7};
    refusal_check(INVALID("runtime", "NULL"), tally_scratch_create(NULL, &scratch, &error), &error);
    ck_assert_ptr_null(scratch);
    refusal_check(INVALID("place", "NULL"),
                  tally_scratch_create(fixture_get()->runtime, NULL, &error), &error);
    refusal_check(INVALID("scratch", "NULL"), tally_scratch_view(NULL, op, &view, &error), &error);
    ck_assert_uint_eq(view.offset, 0);
    ck_assert_ptr_null(view.buffer);
    scratch = make_scratch();
    refusal_check(INVALID("operator", "NULL"), tally_scratch_view(scratch, NULL, &view, &error),
                  &error);
    refusal_check(INVALID("view", "NULL"), tally_scratch_view(scratch, op, NULL, &error), &error);
    tally_scratch_release(scratch);
    tally_scratch_release(NULL);
    check_other_context(op);
    ck_assert_uint_eq(tally_scratch_bytes(NULL), 0);
    tally_op_release(op);
}
END_TEST

Suite *suite_scratch(void);
Suite *suite_scratch(void) {
    Suite *suite = suite_create("scratch");
    TCase *tests = tcase_create("scratch");
    tcase_set_timeout(tests, 300);
    tcase_add_test(tests, it_grows_and_never_shrinks);
    tcase_add_test(tests, launches_keep_what_they_were_enqueued_with);
    tcase_add_test(tests, bad_scratch);
    suite_add_tcase(suite, tests);
    return suite;
}
