/*
 * test_recording.c: eight threads record one operator, whose launch has a closing group, each into
 * command buffers of its own, enqueue it between, and are the first to ask whether it can be
 * recorded. Then all command buffers are replayed at once. A thread must not call Check.
 */
#include <check.h>
#include <pthread.h>
#include <string.h>

#include "support/descriptions/shape.h"
#include "support/fixtures/replay.h"
#include "support/fixtures/work.h"

enum { THREADS = 8, COPIES = 4, TERMS = 70000, ROUNDS = 3 };

/* What one recording sums, by itself. */
typedef struct job {
    image in, out, scratch;
    cl_command_buffer_khr commands;
    cl_event done;
} job;

typedef struct worker {
    pthread_t thread;
    tally_op *op;
    tally_runtime *runtime;
    cl_command_queue queue;
    job jobs[COPIES], enqueued;
    tally_error error; /* of the first call that failed */
} worker;

static tally_binding binding_of(const job *it) {
    const tally_binding binding = {image_view(&it->in), image_view(&it->out),
                                   image_view(&it->scratch)};
    return binding;
}

static void *work(void *given) {
    worker *it = given;
    tally_recording recording = TALLY_RECORDING_INIT;
    tally_status status = tally_runtime_recording(it->runtime, &recording, &it->error);
    for (int k = 0; k < COPIES && status == TALLY_OK; k++) {
        const tally_binding recorded = binding_of(&it->jobs[k]);
        const tally_binding enqueued = binding_of(&it->enqueued);
        cl_sync_point_khr done = 0;
        status = tally_op_record(it->op, it->jobs[k].commands, it->queue, &recorded, 0, NULL, &done,
                                 &it->error);
        if (status == TALLY_OK)
            status = tally_op_enqueue(it->op, it->queue, &enqueued, 0, NULL, NULL, &it->error);
    }
    return NULL;
}

static job open_job(const tally_op *op, uint32_t x) {
    job it = {.in = work_line(TERMS, x), .out = work_line(1, 0xDEAD), .scratch = work_scratch(op)};
    return it;
}

static void close_job(job *it) {
    image_free(&it->in);
    image_free(&it->out);
    image_free(&it->scratch);
}

static void open_worker(worker *it, tally_runtime *runtime, tally_op *op, uint32_t number) {
    *it = (worker){.op = op, .runtime = runtime, .queue = fixture_make_queue(0)};
    for (uint32_t k = 0; k < COPIES; k++) {
        it->jobs[k] = open_job(op, number * COPIES + k + 1);
        it->jobs[k].commands = replay_create(it->queue);
    }
    it->enqueued = open_job(op, 1000 + number);
}

static void close_worker(worker *it) {
    for (int k = 0; k < COPIES; k++) {
        replay_release(it->jobs[k].commands);
        close_job(&it->jobs[k]);
    }
    close_job(&it->enqueued);
    clReleaseCommandQueue(it->queue);
}

/* All command buffers under way together, each of which is one of an operator's recordings. */
static void replay_all(worker *workers) {
    for (int i = 0; i < THREADS * COPIES; i++) {
        job *it = &workers[i % THREADS].jobs[i / THREADS];
        it->done = replay_start(it->commands, 0, NULL);
    }
    for (int i = 0; i < THREADS * COPIES; i++) {
        job *it = &workers[i % THREADS].jobs[i / THREADS];
        replay_end(it->commands, it->done);
    }
}

START_TEST(threads_record_one_operator) {
    if (!replay_offered())
        return;
    static worker workers[THREADS];
    tally_runtime *runtime = fixture_make_runtime_with(TALLY_FAMILY_GPU, TALLY_SINGLE_PASS_OFF);
    const tally_reduce sum = shape_reduce(TALLY_SUM, TALLY_U32, SHAPE(TERMS), 1);
    tally_op *op = NULL;
    tally_error error;
    fixture_ok(tally_reduce_create(runtime, &sum, &op, &error), &error, "tally_reduce_create");
    ck_assert_ptr_nonnull(strstr(tally_op_describe(op), "_closing"));
    for (uint32_t i = 0; i < THREADS; i++)
        open_worker(&workers[i], runtime, op, i);
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    for (int i = 0; i < THREADS; i++) {
        ck_assert_int_eq(pthread_join(workers[i].thread, NULL), 0);
        ck_assert_str_eq(workers[i].error.message, "");
        fixture_check(clFinish(workers[i].queue));
        ck_assert_uint_eq(work_element(&workers[i].enqueued.out, 0), TERMS * (1000 + (uint32_t)i));
        for (int k = 0; k < COPIES; k++)
            replay_finalize(workers[i].jobs[k].commands);
    }
    for (int round = 0; round < ROUNDS; round++)
        replay_all(workers);
    for (uint32_t i = 0; i < THREADS * COPIES; i++)
        ck_assert_uint_eq(work_element(&workers[i / COPIES].jobs[i % COPIES].out, 0),
                          TERMS * (i + 1));
    for (int i = 0; i < THREADS; i++)
        close_worker(&workers[i]);
    tally_op_release(op);
    tally_runtime_release(runtime);
}
END_TEST

Suite *suite_recording(void);
Suite *suite_recording(void) {
    Suite *suite = suite_create("recording");
    TCase *tests = tcase_create("recording");
    tcase_set_timeout(tests, 300);
    tcase_add_test(tests, threads_record_one_operator);
    suite_add_tcase(suite, tests);
    return suite;
}
