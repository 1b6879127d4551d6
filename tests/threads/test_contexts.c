/*
 * test_contexts.c: contexts come and go by the thousand, at addresses that are used again, with
 * runtimes and operators on them: nothing of one may turn up in the next. And everything is
 * released while the work runs that needs it, by whoever has it.
 */
#include <check.h>
#include <pthread.h>
#include <stdio.h>

#include "support/descriptions/shape.h"
#include "support/fixtures/fixture.h"

/* Most contexts have a runtime only: an operator compiles. */
enum { CONTEXTS = 3000, OP_EVERY = 20, TERMS = 300 };

/* A context with all that the caller has of it. */
typedef struct world {
    cl_context context;
    cl_command_queue queue;
    cl_mem input, output;
    tally_runtime *runtime;
    tally_op *op;
} world;

static void open_world(world *it) {
    cl_int code = CL_SUCCESS;
    const cl_device_id device = fixture_get()->device;
    tally_config config = TALLY_CONFIG_INIT;
    tally_error error;
    *it = (world){.context = clCreateContext(NULL, 1, &device, NULL, NULL, &code)};
    fixture_check(code);
    config.context = it->context;
    fixture_ok(tally_runtime_create(&config, &it->runtime, &error), &error, "runtime");
}

static void open_op(world *it, uint32_t x) {
    uint32_t elements[TERMS];
    cl_int code = CL_SUCCESS;
    const tally_reduce sum = shape_reduce(TALLY_SUM, TALLY_U32, SHAPE(TERMS), 1);
    tally_error error;
    for (int i = 0; i < TERMS; i++)
        elements[i] = x;
    it->queue = clCreateCommandQueue(it->context, fixture_get()->device, 0, &code);
    fixture_check(code);
    it->input = clCreateBuffer(it->context, CL_MEM_COPY_HOST_PTR, sizeof elements, elements, &code);
    fixture_check(code);
    it->output = clCreateBuffer(it->context, CL_MEM_READ_WRITE, sizeof x, NULL, &code);
    fixture_check(code);
    fixture_ok(tally_reduce_create(it->runtime, &sum, &it->op, &error), &error, "reduce");
}

static cl_event enqueue(world *it, cl_uint wait_count, const cl_event *wait_list) {
    const tally_binding binding = {{.buffer = it->input}, {.buffer = it->output}, {.buffer = NULL}};
    cl_event done = NULL;
    tally_error error;
    fixture_ok(tally_op_enqueue(it->op, it->queue, &binding, wait_count, wait_list, &done, &error),
               &error, "tally_op_enqueue");
    return done;
}

static void check_sum(const world *it, cl_command_queue queue, uint32_t x) {
    uint32_t sum = 0;
    fixture_check(
        clEnqueueReadBuffer(queue, it->output, CL_TRUE, 0, sizeof sum, &sum, 0, NULL, NULL));
    ck_assert_uint_eq(sum, TERMS * x);
}

static void close_op(world *it) {
    tally_op_release(it->op);
    clReleaseMemObject(it->input);
    clReleaseMemObject(it->output);
    clReleaseCommandQueue(it->queue);
}

START_TEST(contexts_at_recycled_addresses) {
    static cl_context seen[CONTEXTS]; /* as addresses only */
    uint32_t addresses = 0, recycled = 0;
    for (uint32_t i = 0; i < CONTEXTS; i++) {
        world it;
        open_world(&it);
        uint32_t k = 0;
        while (k < addresses && seen[k] != it.context)
            k++;
        recycled += k < addresses;
        if (k == addresses)
            seen[addresses++] = it.context;
        if (i % OP_EVERY == 0) {
            open_op(&it, i + 1);
            clReleaseEvent(enqueue(&it, 0, NULL));
            check_sum(&it, it.queue, i + 1);
            /* By turns the operator outlives the runtime's owner. */
            if (i / OP_EVERY % 2 == 0) {
                tally_runtime_release(it.runtime);
                it.runtime = NULL;
            }
            close_op(&it);
        }
        tally_runtime_release(it.runtime);
        fixture_check_references(it.context, 1);
        fixture_check(clReleaseContext(it.context));
    }
#ifdef TESTS_SANITIZED /* sanitizers keep freed memory from use */
    recycled++;
#endif
    printf("contexts: %u at %u addresses\n", (unsigned)CONTEXTS, (unsigned)addresses);
    ck_assert_msg(recycled > 0, "no context came at the address of one before");
}
END_TEST

/* All is released while the work waits; the event alone is left. */
START_TEST(all_released_while_work_waits) {
    for (uint32_t x = 1; x <= 20; x++) {
        world it;
        cl_int code = CL_SUCCESS;
        open_world(&it);
        open_op(&it, x);
        cl_event gate = clCreateUserEvent(it.context, &code);
        fixture_check(code);
        cl_event done = enqueue(&it, 1, &gate);
        fixture_check(clFlush(it.queue));
        fixture_check(clRetainCommandQueue(it.queue));
        fixture_check(clRetainMemObject(it.output));
        tally_runtime_release(it.runtime);
        close_op(&it);
        fixture_check(clSetUserEventStatus(gate, CL_COMPLETE));
        fixture_check(clWaitForEvents(1, &done));
        check_sum(&it, it.queue, x);
        clReleaseEvent(done);
        clReleaseEvent(gate);
        clReleaseMemObject(it.output);
        clReleaseCommandQueue(it.queue);
        fixture_check(clReleaseContext(it.context));
    }
}
END_TEST

static void *release_op(void *op) {
    tally_op_release(op);
    return NULL;
}

/* The owner of the runtime and that of the operator let go at the same time, as its work runs. */
START_TEST(released_by_two_threads_while_work_runs) {
    world it;
    open_world(&it);
    open_op(&it, 5);
    const tally_reduce sum = shape_reduce(TALLY_SUM, TALLY_U32, SHAPE(TERMS), 1);
    for (int i = 0; i < 500; i++) {
        pthread_t other;
        tally_error error;
        tally_op *op = NULL;
        fixture_ok(tally_reduce_create(it.runtime, &sum, &op, &error), &error, "reduce");
        world now = it;
        now.op = op;
        cl_event done = enqueue(&now, 0, NULL);
        ck_assert_int_eq(pthread_create(&other, NULL, release_op, op), 0);
        clReleaseEvent(done);
        if (i == 499) {
            tally_op_release(it.op);
            tally_runtime_release(it.runtime);
        }
        ck_assert_int_eq(pthread_join(other, NULL), 0);
    }
    it.op = NULL;
    check_sum(&it, it.queue, 5);
    close_op(&it);
    fixture_check_references(it.context, 1);
    fixture_check(clReleaseContext(it.context));
}
END_TEST

Suite *suite_contexts(void);
Suite *suite_contexts(void) {
    Suite *suite = suite_create("contexts");
    TCase *tests = tcase_create("contexts");
    tcase_set_timeout(tests, 0);
    tcase_add_test(tests, contexts_at_recycled_addresses);
    tcase_add_test(tests, all_released_while_work_waits);
    tcase_add_test(tests, released_by_two_threads_while_work_runs);
    suite_add_tcase(suite, tests);
    return suite;
}
