/*
 * test_sharing.c: eight threads with one runtime and one operator of each kind: they make the same
 * operators at once, with a cache on disk and without, one of them warming up, enqueue them on
 * queues of their own and on shared ones, of both orders, ask the runtime, and release. Every
 * result is checked. A thread must not call Check.
 */
#include <check.h>
#include <pthread.h>
#include <string.h>

#include "support/descriptions/shape.h"
#include "support/fixtures/fixture.h"
#include "support/fixtures/folder.h"

enum { THREADS = 8, QUEUES = 4, KINDS = 3, ROUNDS = 40, TERMS = 9000 };

/* Sums of two launches, scans and fills of TERMS elements. */
typedef struct descriptions {
    tally_reduce sum;
    tally_cumulative scan;
    tally_diagonal fill;
} descriptions;

static descriptions describe(void) {
    descriptions all = {shape_reduce(TALLY_SUM, TALLY_U32, SHAPE(TERMS), 1),
                        shape_scan(TALLY_SUM, TALLY_U32, SHAPE(TERMS), 0), TALLY_DIAGONAL_INIT};
    all.fill.output = shape_tensor(TALLY_U32, SHAPE(TERMS / 90, 90));
    all.fill.value.u32 = 7;
    all.fill.end = 1;
    return all;
}

static tally_status make_op(tally_runtime *runtime, int kind, tally_op **op, tally_error *error) {
    const descriptions all = describe();
    return kind == 0   ? tally_reduce_create(runtime, &all.sum, op, error)
           : kind == 1 ? tally_cumulative_create(runtime, &all.scan, op, error)
                       : tally_diagonal_create(runtime, &all.fill, op, error);
}

static tally_status warm_up(tally_runtime *runtime) {
    const descriptions all = describe();
    tally_desc each[KINDS] = {TALLY_DESC_INIT, TALLY_DESC_INIT, TALLY_DESC_INIT};
    each[0].diagonal = &all.fill; /* the other way round than operators are made */
    each[1].cumulative = &all.scan;
    each[2].reduce = &all.sum;
    return tally_warm_up(runtime, each, KINDS, NULL, NULL, NULL);
}

/* What element i of the output must be, if all of the input are x. */
static uint32_t expected(int kind, uint32_t i, uint32_t x) {
    return kind == 0 ? TERMS * x : kind == 1 ? (i + 1) * x : i % 90 == i / 90 ? 7 : 0;
}

static uint32_t outputs(int kind) {
    return kind == 0 ? 1 : TERMS;
}

/* ---- A thread -------------------------------------------------------------------------------- */

/* What all share. */
typedef struct shared {
    tally_runtime *runtime;
    tally_op *op[KINDS];
    cl_command_queue queue[QUEUES]; /* every other one keeps no order */
    pthread_barrier_t start;
} shared;

typedef struct worker {
    shared *all;
    uint32_t number;
    cl_command_queue own;
    cl_mem input, output, scratch;
    uint32_t elements[TERMS];
    int failures;
} worker;

static void count(worker *self, bool is_wrong) {
    self->failures += is_wrong;
}

/* Enqueue, read what came out, compare. */
static void compute(worker *self, tally_op *op, int kind, cl_command_queue queue) {
    const tally_binding binding = {
        {.buffer = self->input}, {.buffer = self->output}, {.buffer = self->scratch}};
    const size_t bytes = outputs(kind) * sizeof(uint32_t);
    cl_event done = NULL;
    memset(self->elements, 0xA5, bytes);
    if (tally_op_enqueue(op, queue, &binding, 0, NULL, &done, NULL) != TALLY_OK) {
        self->failures++;
        return;
    }
    count(self, clEnqueueReadBuffer(queue, self->output, CL_TRUE, 0, bytes, self->elements, 1,
                                    &done, NULL) != CL_SUCCESS);
    clReleaseEvent(done);
    for (uint32_t i = 0; i < outputs(kind); i++)
        count(self, self->elements[i] != expected(kind, i, self->number + 1));
}

static void *enqueue_shared(void *argument) {
    worker *self = argument;
    shared *all = self->all;
    pthread_barrier_wait(&all->start);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        const int kind = (int)((round + self->number) % KINDS);
        const cl_command_queue queue = all->queue[(round + self->number) % QUEUES];
        compute(self, all->op[kind], kind, round % 2 == 0 ? self->own : queue);
        count(self, tally_op_describe(all->op[kind])[0] == '\0');
    }
    return NULL;
}

/* Operators that nobody has made before; and the verdict, that all ask for at once. */
static void *make_and_ask(void *argument) {
    worker *self = argument;
    shared *all = self->all;
    pthread_barrier_wait(&all->start);
    if (self->number == 0)
        count(self, warm_up(all->runtime) != TALLY_OK);
    for (int kind = 0; kind < KINDS; kind++) {
        tally_op *op = NULL;
        tally_stats stats = {.struct_size = sizeof stats};
        count(self, make_op(all->runtime, kind, &op, NULL) != TALLY_OK);
        count(self, tally_runtime_stats(all->runtime, &stats, NULL) != TALLY_OK);
        if (op != NULL)
            compute(self, op, kind, all->queue[self->number % QUEUES]);
        tally_op_release(op);
    }
    tally_numerics numerics = TALLY_NUMERICS_INIT;
    count(self, tally_runtime_numerics(all->runtime, &numerics, NULL) != TALLY_OK);
    count(self, !numerics.guaranteed);
    return NULL;
}

/* ---- Setting up ------------------------------------------------------------------------------ */

static cl_command_queue_properties order(uint32_t index) {
    return index % 2 == 0 ? 0 : CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
}

static size_t scratch_bytes(const shared *all) {
    size_t most = 256;
    for (int kind = 0; kind < KINDS; kind++)
        if (tally_op_scratch_size(all->op[kind]) > most)
            most = tally_op_scratch_size(all->op[kind]);
    return most;
}

static void open_workers(worker *workers, shared *all) {
    for (uint32_t k = 0; k < THREADS; k++) {
        worker *self = &workers[k];
        for (uint32_t i = 0; i < TERMS; i++)
            self->elements[i] = k + 1;
        self->all = all;
        self->number = k;
        self->own = fixture_make_queue(order(k));
        self->input = fixture_make_buffer(self->elements, sizeof self->elements);
        self->output = fixture_make_buffer(NULL, sizeof self->elements);
        self->scratch = fixture_make_buffer(NULL, scratch_bytes(all));
        self->failures = 0;
    }
}

static void run(worker *workers, void *(*body)(void *)) {
    pthread_t threads[THREADS];
    for (int k = 0; k < THREADS; k++)
        ck_assert_int_eq(pthread_create(&threads[k], NULL, body, &workers[k]), 0);
    for (int k = 0; k < THREADS; k++)
        ck_assert_int_eq(pthread_join(threads[k], NULL), 0);
    for (int k = 0; k < THREADS; k++)
        ck_assert_msg(workers[k].failures == 0, "thread %d: %d failures", k, workers[k].failures);
}

static void close_workers(worker *workers) {
    for (int k = 0; k < THREADS; k++) {
        clReleaseMemObject(workers[k].input);
        clReleaseMemObject(workers[k].output);
        clReleaseMemObject(workers[k].scratch);
        clReleaseCommandQueue(workers[k].own);
    }
}

/* The caller's hold on the runtime, with a cache unless it is NULL. */
static void open_shared(shared *all, const char *cache_dir) {
    tally_config config = fixture_config();
    config.cache_dir = cache_dir;
    all->runtime = fixture_make_runtime_by(&config);
    for (uint32_t k = 0; k < QUEUES; k++)
        all->queue[k] = fixture_make_queue(order(k));
    ck_assert_int_eq(pthread_barrier_init(&all->start, NULL, THREADS), 0);
}

static void close_shared(shared *all) {
    tally_runtime_release(all->runtime);
    for (int k = 0; k < QUEUES; k++)
        clReleaseCommandQueue(all->queue[k]);
    pthread_barrier_destroy(&all->start);
}

static worker workers[THREADS];

/* The caller's hold on the runtime goes first: its operators keep it. */
START_TEST(eight_threads_enqueue_the_same_operators) {
    shared all;
    tally_error error;
    open_shared(&all, NULL);
    for (int kind = 0; kind < KINDS; kind++)
        fixture_ok(make_op(all.runtime, kind, &all.op[kind], &error), &error, "make_op");
    open_workers(workers, &all);
    tally_runtime_release(all.runtime);
    all.runtime = NULL;
    run(workers, enqueue_shared);
    close_workers(workers);
    for (int kind = 0; kind < KINDS; kind++)
        tally_op_release(all.op[kind]);
    close_shared(&all);
}
END_TEST

/* Each program is built or loaded once, whoever comes first; what is on disk is not built. */
static tally_stats make_together(const char *cache_dir) {
    shared all;
    tally_error error;
    tally_stats stats = TALLY_STATS_INIT;
    open_shared(&all, cache_dir);
    for (int kind = 0; kind < KINDS; kind++) /* for the scratch's size */
        fixture_ok(make_op(fixture_get()->runtime, kind, &all.op[kind], &error), &error, "make_op");
    open_workers(workers, &all);
    run(workers, make_and_ask);
    close_workers(workers);
    for (int kind = 0; kind < KINDS; kind++)
        tally_op_release(all.op[kind]);
    fixture_ok(tally_runtime_stats(all.runtime, &stats, &error), &error, "stats");
    close_shared(&all);
    ck_assert_uint_eq(stats.programs_built + stats.programs_loaded, stats.programs);
    ck_assert_uint_ge(stats.program_requests, THREADS * stats.programs);
    return stats;
}

START_TEST(eight_threads_make_the_same_operators) {
    char path[FOLDER_PATH_BYTES];
    ck_assert_uint_eq(make_together(NULL).programs_loaded, 0);
    folder_make(path);
    const tally_stats first = make_together(path);
    ck_assert_uint_eq(first.programs_loaded, 0);
    ck_assert_uint_ge(first.cache_writes, first.programs);
    ck_assert_uint_eq(make_together(path).programs_built, 0);
    folder_remove(path);
}
END_TEST

Suite *suite_sharing(void);
Suite *suite_sharing(void) {
    Suite *suite = suite_create("sharing");
    TCase *tests = tcase_create("sharing");
    tcase_set_timeout(tests, 0);
    tcase_add_test(tests, eight_threads_enqueue_the_same_operators);
    tcase_add_test(tests, eight_threads_make_the_same_operators);
    suite_add_tcase(suite, tests);
    return suite;
}
