/*
 * test_lifetime.c: work that outlives its operator, references that an enqueue must give back, and
 * one operator in the hands of many threads.
 */
#include <check.h>
#include <pthread.h>
#include <string.h>

#include "support/descriptions/shape.h"
#include "support/fixtures/work.h"

Suite *suite_lifetime(void);

START_TEST(operator_released_while_its_work_waits) {
    cl_command_queue queue = fixture_make_queue(0);
    const tally_reduce sum = shape_reduce(TALLY_SUM, TALLY_U32, SHAPE(10000), 1);
    tally_op *op = work_reduce(&sum);
    image x = work_line(10000, 3), total = work_line(1, 0), scratch = work_scratch(op);
    cl_event gate = work_gate();
    cl_event done = work_enqueue(op, queue, &x, &total, &scratch, 1, &gate);
    fixture_check(clFlush(queue));
    tally_op_release(op);
    fixture_check(clSetUserEventStatus(gate, CL_COMPLETE));
    fixture_check(clWaitForEvents(1, &done));
    ck_assert_uint_eq(work_element(&total, 0), 30000);
    clReleaseEvent(done);
    clReleaseEvent(gate);
    image_free(&x);
    image_free(&total);
    image_free(&scratch);
    clReleaseCommandQueue(queue);
}
END_TEST

static cl_uint references_of_buffer(const image *memory) {
    cl_uint count = 0;
    fixture_check(
        clGetMemObjectInfo(memory->buffer, CL_MEM_REFERENCE_COUNT, sizeof count, &count, NULL));
    return count;
}

static cl_uint references_of_queue(cl_command_queue queue) {
    cl_uint count = 0;
    fixture_check(
        clGetCommandQueueInfo(queue, CL_QUEUE_REFERENCE_COUNT, sizeof count, &count, NULL));
    return count;
}

static cl_uint references_of_event(cl_event event) {
    cl_uint count = 0;
    fixture_check(clGetEventInfo(event, CL_EVENT_REFERENCE_COUNT, sizeof count, &count, NULL));
    return count;
}

typedef struct reference_counts {
    cl_uint queue, context, buffers[3], waited;
} reference_counts;

static reference_counts count_references(cl_command_queue queue, const image *x, const image *total,
                                         const image *scratch, cl_event waited) {
    const reference_counts counts = {
        references_of_queue(queue),
        fixture_references(fixture_get()->context),
        {references_of_buffer(x), references_of_buffer(total), references_of_buffer(scratch)},
        references_of_event(waited)};
    return counts;
}

/* A thousand enqueues of two launches hold on to nothing once they are done. */
START_TEST(enqueues_leave_no_references) {
    cl_command_queue queue = fixture_make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    const tally_reduce sum = shape_reduce(TALLY_SUM, TALLY_U32, SHAPE(5000), 1);
    tally_op *op = work_reduce(&sum);
    image x = work_line(5000, 1), total = work_line(1, 0), scratch = work_scratch(op);
    cl_event done = work_enqueue(op, queue, &x, &total, &scratch, 0, NULL), waited = work_gate();
    fixture_check(clSetUserEventStatus(waited, CL_COMPLETE));
    clReleaseEvent(done);
    fixture_check(clFinish(queue));
    const reference_counts before = count_references(queue, &x, &total, &scratch, waited);
    cl_event kept = NULL; /* not the last one: a driver may keep that for itself */
    for (int k = 0; k < 1000; k++) {
        done = work_enqueue(op, queue, &x, &total, &scratch, 1, &waited);
        fixture_check(clWaitForEvents(1, &done));
        if (k == 500) {
            kept = done;
        } else {
            clReleaseEvent(done);
        }
    }
    fixture_check(clFinish(queue));
    ck_assert_uint_eq(references_of_event(kept), 1);
    clReleaseEvent(kept);
    /* A driver's thread may drop its holds a moment after clFinish has returned. */
    reference_counts after = count_references(queue, &x, &total, &scratch, waited);
    for (int tries = 0; tries < 200 && memcmp(&after, &before, sizeof after) != 0; tries++) {
        work_linger();
        after = count_references(queue, &x, &total, &scratch, waited);
    }
    ck_assert_mem_eq(&after, &before, sizeof after);
    clReleaseEvent(waited);
    tally_op_release(op);
    image_free(&x);
    image_free(&total);
    image_free(&scratch);
    clReleaseCommandQueue(queue);
}
END_TEST

#define THREADS 8
#define ROUNDS 50
#define THREAD_TERMS 9000

/* One thread's queue and memory, and what it found; it must not call Check. */
typedef struct worker {
    tally_op *op;
    cl_command_queue queue;
    image x, total, scratch;
    uint32_t should;
    int failures;
} worker;

static void *work(void *argument) {
    worker *self = argument;
    const tally_binding binding = {image_view(&self->x), image_view(&self->total),
                                   image_view(&self->scratch)};
    for (int round = 0; round < ROUNDS; round++) {
        uint32_t sum = 0;
        cl_event done = NULL;
        tally_error error;
        if (tally_op_enqueue(self->op, self->queue, &binding, 0, NULL, &done, &error) != TALLY_OK ||
            clEnqueueReadBuffer(self->queue, self->total.buffer, CL_TRUE, 0, sizeof sum, &sum, 1,
                                &done, NULL) != CL_SUCCESS ||
            sum != self->should) {
            self->failures++;
        }
        if (done != NULL) {
            clReleaseEvent(done);
        }
    }
    return NULL;
}

/* One operator of two launches from eight threads, each with memory and a queue of its own. */
START_TEST(one_operator_from_many_threads) {
    const tally_reduce sum = shape_reduce(TALLY_SUM, TALLY_U32, SHAPE(THREAD_TERMS), 1);
    tally_op *op = work_reduce(&sum);
    worker workers[THREADS];
    pthread_t threads[THREADS];
    for (uint32_t k = 0; k < THREADS; k++) {
        const cl_command_queue_properties order =
            k % 2 == 0 ? 0 : CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
        workers[k] = (worker){op,
                              fixture_make_queue(order),
                              work_line(THREAD_TERMS, k + 1),
                              work_line(1, 0),
                              work_scratch(op),
                              (k + 1) * THREAD_TERMS,
                              0};
    }
    for (int k = 0; k < THREADS; k++) {
        ck_assert_int_eq(pthread_create(&threads[k], NULL, work, &workers[k]), 0);
    }
    for (int k = 0; k < THREADS; k++) {
        ck_assert_int_eq(pthread_join(threads[k], NULL), 0);
        ck_assert_msg(workers[k].failures == 0, "thread %d: %d of %d sums failed", k,
                      workers[k].failures, ROUNDS);
        image_free(&workers[k].x);
        image_free(&workers[k].total);
        image_free(&workers[k].scratch);
        clReleaseCommandQueue(workers[k].queue);
    }
    tally_op_release(op);
}
END_TEST

/* As many releases as there are holds: the last one ends the object, and the operator keeps its
 * runtime. */
START_TEST(holds_are_counted) {
    const tally_reduce sum = shape_reduce(TALLY_SUM, TALLY_U32, SHAPE(5000), 1);
    tally_runtime *runtime = fixture_make_runtime();
    tally_op *op = NULL;
    tally_error error;
    const cl_uint before = fixture_references(fixture_get()->context);
    fixture_ok(tally_reduce_create(runtime, &sum, &op, &error), &error, "create");
    tally_runtime_retain(runtime);
    tally_op_retain(op);
    tally_runtime_release(runtime);
    tally_op_release(op);
    ck_assert_uint_gt(tally_op_scratch_size(op) + strlen(tally_op_describe(op)), 0);
    ck_assert_uint_ge(fixture_stats(runtime).programs, 1);
    tally_runtime_release(runtime);
    ck_assert_uint_ge(fixture_references(fixture_get()->context), before);
    tally_op_release(op);
    ck_assert_uint_lt(fixture_references(fixture_get()->context), before);
    tally_op_retain(NULL);
    tally_runtime_retain(NULL);
}
END_TEST

Suite *suite_lifetime(void) {
    Suite *suite = suite_create("lifetime");
    TCase *tests = tcase_create("lifetime");
    tcase_set_timeout(tests, 600);
    tcase_add_test(tests, operator_released_while_its_work_waits);
    tcase_add_test(tests, enqueues_leave_no_references);
    tcase_add_test(tests, holds_are_counted);
    tcase_add_test(tests, one_operator_from_many_threads);
    suite_add_tcase(suite, tests);
    return suite;
}
