/*
 * test_enqueue.c: the way through queues: order by events alone on out-of-order queues, wait lists,
 * profiling, empty outputs.
 */
#include <check.h>

#include "support/descriptions/shape.h"
#include "support/fixtures/ndrange.h"
#include "support/fixtures/work.h"
#include "support/oracle/oracle.h"

Suite *suite_enqueue(void);

/*
 * A running sum and the sum of it, on an out-of-order queue, held together by events alone and
 * held up by a user event: nothing may start before, and all must be right after.
 */
START_TEST(chain_on_an_out_of_order_queue) {
    enum { LENGTH = 20000 };
    cl_command_queue queue = fixture_make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    const tally_cumulative scan = shape_scan(TALLY_SUM, TALLY_U32, SHAPE(LENGTH), 0);
    const tally_reduce sum = shape_reduce(TALLY_SUM, TALLY_U32, SHAPE(LENGTH), 1);
    tally_op *scan_op = work_scan(&scan), *sum_op = work_reduce(&sum);
    for (int round = 0; round < 10; round++) {
        image x = work_line(LENGTH, 1), sums = work_line(LENGTH, 0xDEAD);
        image total = work_line(1, 0xBEEF), scratch = work_scratch(sum_op);
        cl_event gate = work_gate();
        cl_event scanned = work_enqueue(scan_op, queue, &x, &sums, NULL, 1, &gate);
        cl_event summed = work_enqueue(sum_op, queue, &sums, &total, &scratch, 1, &scanned);
        fixture_check(clFlush(queue));
        work_linger();
        ck_assert_int_gt(work_state(scanned), CL_RUNNING);
        ck_assert_int_gt(work_state(summed), CL_RUNNING);
        ck_assert_uint_eq(work_element(&sums, 0), 0xDEAD); /* read on another queue */
        ck_assert_uint_eq(work_element(&total, 0), 0xBEEF);
        fixture_check(clSetUserEventStatus(gate, CL_COMPLETE));
        fixture_check(clWaitForEvents(1, &summed));
        ck_assert_int_eq(work_state(scanned), CL_COMPLETE);
        ck_assert_uint_eq(work_element(&sums, LENGTH - 1), LENGTH);
        ck_assert_uint_eq(work_element(&total, 0), (uint32_t)LENGTH * (LENGTH + 1) / 2);
        clReleaseEvent(gate);
        clReleaseEvent(scanned);
        clReleaseEvent(summed);
        image_free(&x);
        image_free(&sums);
        image_free(&total);
        image_free(&scratch);
    }
    tally_op_release(scan_op);
    tally_op_release(sum_op);
    clReleaseCommandQueue(queue);
}
END_TEST

/* The two kinds of queue: launches of one operator keep their order on both. */
static const cl_command_queue_properties orders[] = {CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};

/* Three launches, several events to wait for, and the last event covers all of the work. */
START_TEST(every_event_of_the_list_counts) {
    cl_command_queue queue = fixture_make_queue(orders[_i]);
    const tally_reduce sum = shape_reduce(TALLY_SUM, TALLY_U32, SHAPE(70, 2, 5000), 5);
    tally_op *op = work_reduce(&sum);
    image x = work_line(oracle_count(&sum.input), 1), scratch = work_scratch(op);
    for (size_t last = 0; last < 3; last++) {
        image total = work_line(2, 0xBEEF);
        cl_event gates[3] = {work_gate(), work_gate(), work_gate()};
        cl_event done = work_enqueue(op, queue, &x, &total, &scratch, 3, gates);
        fixture_check(clFlush(queue));
        work_linger();
        for (size_t k = 0; k < 3; k++) {
            if (k != last) {
                fixture_check(clSetUserEventStatus(gates[k], CL_COMPLETE));
            }
        }
        ck_assert_int_gt(work_state(done), CL_RUNNING);
        ck_assert_uint_eq(work_element(&total, 1), 0xBEEF);
        fixture_check(clSetUserEventStatus(gates[last], CL_COMPLETE));
        fixture_check(clWaitForEvents(1, &done));
        ck_assert_uint_eq(work_element(&total, 0), 350000);
        ck_assert_uint_eq(work_element(&total, 1), 350000);
        for (size_t k = 0; k < 3; k++) {
            clReleaseEvent(gates[k]);
        }
        clReleaseEvent(done);
        image_free(&total);
    }
    tally_op_release(op);
    image_free(&x);
    image_free(&scratch);
    clReleaseCommandQueue(queue);
}
END_TEST

/*
 * What each launch waits for, since a driver may keep an order that it need not: the first for the
 * list, on a queue of any order each other one for the one before it, elsewhere for nothing. Only
 * the last one's event is handed out, and none is asked for where nobody wants it.
 */
START_TEST(launches_are_chained_where_the_queue_is_not) {
    const bool any_order = orders[_i] != 0;
    cl_command_queue queue = fixture_make_queue(orders[_i]);
    const tally_reduce sum = shape_reduce(TALLY_SUM, TALLY_U32, SHAPE(70, 2, 5000), 5);
    tally_op *op = work_reduce(&sum);
    image x = work_line(oracle_count(&sum.input), 1), scratch = work_scratch(op);
    image total = work_line(2, 0xBEEF);
    cl_event gate = work_gate();
    fixture_check(clSetUserEventStatus(gate, CL_COMPLETE));
    ndrange_forget();
    cl_event done = work_enqueue(op, queue, &x, &total, &scratch, 1, &gate);
    fixture_check(clWaitForEvents(1, &done));
    const unsigned count = ndrange_count();
    ck_assert_uint_ge(count, 2);
    ck_assert_uint_le(count, 16);
    for (unsigned i = 0; i < count; i++) {
        const ndrange_launch launch = ndrange_at(i);
        const bool is_last = i + 1 == count;
        ck_assert_uint_eq(launch.waits, i == 0 || any_order ? 1 : 0);
        ck_assert_int_eq(launch.chained, i > 0 && any_order);
        ck_assert_int_eq(launch.has_event, any_order || is_last);
    }
    ck_assert_uint_eq(work_element(&total, 0), 350000);
    ck_assert_uint_eq(work_element(&total, 1), 350000);
    tally_op_release(op);
    clReleaseEvent(done);
    clReleaseEvent(gate);
    image_free(&x);
    image_free(&total);
    image_free(&scratch);
    clReleaseCommandQueue(queue);
}
END_TEST

/* An empty output is a marker that waits for the list, and looks at no buffer. */
START_TEST(empty_output_is_a_marker) {
    cl_command_queue queue = fixture_make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    const tally_reduce reduce = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(0, 3), 2);
    const tally_binding nothing = TALLY_BINDING_INIT;
    tally_error error;
    tally_op *op = work_reduce(&reduce);
    cl_event gate = work_gate(), done = NULL;
    ck_assert_uint_eq(tally_op_scratch_size(op), 0);
    ck_assert_str_ne(tally_op_describe(op), "");
    fixture_ok(tally_op_enqueue(op, queue, &nothing, 1, &gate, &done, &error), &error, "enqueue");
    fixture_check(clFlush(queue));
    work_linger();
    ck_assert_int_gt(work_state(done), CL_COMPLETE);
    fixture_check(clSetUserEventStatus(gate, CL_COMPLETE));
    fixture_check(clWaitForEvents(1, &done));
    clReleaseEvent(done);
    clReleaseEvent(gate);
    fixture_ok(tally_op_enqueue(op, queue, &nothing, 0, NULL, NULL, &error), &error, "enqueue");
    tally_op_release(op);
    clReleaseCommandQueue(queue);
}
END_TEST

START_TEST(event_has_profiling_times) {
    const tally_reduce sum = shape_reduce(TALLY_SUM, TALLY_U32, SHAPE(100000), 1);
    tally_op *op = work_reduce(&sum);
    image x = work_line(100000, 1), total = work_line(1, 0), scratch = work_scratch(op);
    cl_event done = work_enqueue(op, fixture_get()->queue, &x, &total, &scratch, 0, NULL);
    cl_ulong queued = 0, begin = 0, end = 0;
    fixture_check(clWaitForEvents(1, &done));
    fixture_check(
        clGetEventProfilingInfo(done, CL_PROFILING_COMMAND_QUEUED, sizeof queued, &queued, NULL));
    fixture_check(
        clGetEventProfilingInfo(done, CL_PROFILING_COMMAND_START, sizeof begin, &begin, NULL));
    fixture_check(clGetEventProfilingInfo(done, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL));
    ck_assert_uint_gt(queued, 0);
    ck_assert_uint_le(queued, begin);
    ck_assert_uint_lt(begin, end);
    clReleaseEvent(done);
    tally_op_release(op);
    image_free(&x);
    image_free(&total);
    image_free(&scratch);
}
END_TEST

static cl_ulong time_of(cl_event event, cl_profiling_info what) {
    cl_ulong time = 0;
    fixture_check(clGetEventProfilingInfo(event, what, sizeof time, &time, NULL));
    return time;
}

/* Each launch has an event with its times, one after the other; the last one covers all of the
 * work. */
START_TEST(each_launch_has_an_event) {
    cl_command_queue queue = fixture_make_queue(orders[_i] | CL_QUEUE_PROFILING_ENABLE);
    const tally_reduce sum = shape_reduce(TALLY_SUM, TALLY_U32, SHAPE(70, 2, 5000), 5);
    tally_op *op = work_reduce(&sum);
    image x = work_line(oracle_count(&sum.input), 1), scratch = work_scratch(op);
    image total = work_line(2, 0xBEEF);
    const tally_binding binding = {image_view(&x), image_view(&total), image_view(&scratch)};
    cl_event events[16], gate = work_gate();
    uint32_t count = 0;
    tally_error error;
    ck_assert_uint_le(tally_op_launches(op), 16);
    fixture_ok(tally_op_enqueue_launches(op, queue, &binding, 1, &gate, events, &count, &error),
               &error, "enqueue");
    ck_assert_uint_ge(count, 2);
    ck_assert_uint_eq(count, tally_op_launches(op));
    fixture_check(clFlush(queue));
    work_linger();
    for (uint32_t i = 0; i < count; i++)
        ck_assert_int_gt(work_state(events[i]), CL_COMPLETE);
    fixture_check(clSetUserEventStatus(gate, CL_COMPLETE));
    fixture_check(clWaitForEvents(1, &events[count - 1]));
    for (uint32_t i = 0; i < count; i++) {
        ck_assert_int_eq(work_state(events[i]), CL_COMPLETE);
        if (i > 0)
            ck_assert_uint_ge(time_of(events[i], CL_PROFILING_COMMAND_START),
                              time_of(events[i - 1], CL_PROFILING_COMMAND_END));
        clReleaseEvent(events[i]);
    }
    ck_assert_uint_eq(work_element(&total, 0), 350000);
    ck_assert_uint_eq(work_element(&total, 1), 350000);
    clReleaseEvent(gate);
    tally_op_release(op);
    image_free(&x);
    image_free(&total);
    image_free(&scratch);
    clReleaseCommandQueue(queue);
}
END_TEST

START_TEST(bad_events_of_launches) {
    const tally_reduce none = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(0, 3), 2);
    const tally_binding nothing = TALLY_BINDING_INIT;
    cl_command_queue queue = fixture_get()->queue;
    tally_op *op = work_reduce(&none);
    cl_event events[1];
    uint32_t count = 77;
    tally_error error;
    ck_assert_uint_eq(tally_op_launches(op), 1);
    ck_assert_uint_eq(tally_op_launches(NULL), 0);
    fixture_ok(tally_op_enqueue_launches(op, queue, &nothing, 0, NULL, events, &count, &error),
               &error, "a marker");
    ck_assert_uint_eq(count, 1);
    clReleaseEvent(events[0]);
    ck_assert_int_eq(
        tally_op_enqueue_launches(NULL, queue, &nothing, 0, NULL, events, &count, &error),
        TALLY_INVALID);
    ck_assert_uint_eq(count, 0);
    ck_assert_int_eq(tally_op_enqueue_launches(op, queue, &nothing, 0, NULL, NULL, &count, &error),
                     TALLY_INVALID);
    ck_assert_int_eq(tally_op_enqueue_launches(op, queue, &nothing, 0, NULL, events, NULL, &error),
                     TALLY_INVALID);
    count = 77;
    ck_assert_int_eq(tally_op_enqueue_launches(op, NULL, &nothing, 0, NULL, events, &count, &error),
                     TALLY_INVALID);
    ck_assert_uint_eq(count, 0);
    tally_op_release(op);
}
END_TEST

Suite *suite_enqueue(void) {
    Suite *suite = suite_create("enqueue");
    TCase *tests = tcase_create("enqueue");
    tcase_set_timeout(tests, 600);
    tcase_add_test(tests, chain_on_an_out_of_order_queue);
    tcase_add_loop_test(tests, every_event_of_the_list_counts, 0, 2);
    tcase_add_loop_test(tests, launches_are_chained_where_the_queue_is_not, 0, 2);
    tcase_add_test(tests, empty_output_is_a_marker);
    tcase_add_test(tests, event_has_profiling_times);
    tcase_add_loop_test(tests, each_launch_has_an_event, 0, 2);
    tcase_add_test(tests, bad_events_of_launches);
    suite_add_tcase(suite, tests);
    return suite;
}
