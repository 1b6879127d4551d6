/*
 * replay.c: what a launch costs on the host, enqueued and replayed. Small sums, 1, 4 or 16 of them,
 * are enqueued one by one, and replayed from one command buffer, in turns; each time until all have
 * ended. Prints medians per operator. Run by hand: bench_replay [ROUNDS]
 */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <check.h>

#include "support/descriptions/shape.h"
#include "support/fixtures/replay.h"

enum { MOST = 16, TERMS = 1024, ROUNDS = 2000 };

static const int counts[] = {1, 4, 16};
static int rounds;

/* Times of one way, a sample for each round: until the calls came back, and until all had ended. */
typedef struct times {
    double *calls, *all;
} times;

/* Operators with their memory, and a command buffer with all of them. */
typedef struct bench {
    cl_command_queue queue;
    tally_op *op;
    cl_mem input, output[MOST];
    cl_command_buffer_khr commands;
    int count;
} bench;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec * 1e-3;
}

static tally_binding binding_of(const bench *it, int k) {
    tally_binding binding = TALLY_BINDING_INIT;
    binding.input.buffer = it->input;
    binding.output.buffer = it->output[k];
    return binding;
}

static void enqueue(const bench *it) {
    tally_error error;
    for (int k = 0; k < it->count; k++) {
        const tally_binding binding = binding_of(it, k);
        fixture_ok(tally_op_enqueue(it->op, it->queue, &binding, 0, NULL, NULL, &error), &error,
                   "tally_op_enqueue");
    }
}

static void record(bench *it) {
    tally_error error;
    it->commands = replay_create(it->queue);
    for (int k = 0; k < it->count; k++) {
        const tally_binding binding = binding_of(it, k);
        fixture_ok(
            tally_op_record(it->op, it->commands, it->queue, &binding, 0, NULL, NULL, &error),
            &error, "tally_op_record");
    }
    replay_finalize(it->commands);
}

static void measure(const bench *it, int round, const times *enqueued, const times *replayed) {
    double began = now();
    enqueue(it);
    enqueued->calls[round] = now() - began;
    fixture_check(clFinish(it->queue));
    enqueued->all[round] = now() - began;
    began = now();
    cl_event done = replay_start(it->commands, 0, NULL);
    replayed->calls[round] = now() - began;
    fixture_check(clFinish(it->queue));
    replayed->all[round] = now() - began;
    replay_end(it->commands, done);
}

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *samples) {
    qsort(samples, (size_t)rounds, sizeof *samples, compare);
    return samples[rounds / 2];
}

static times make_times(void) {
    const uint64_t bytes = (uint64_t)rounds * sizeof(double);
    return (times){fixture_make_memory(bytes, 0), fixture_make_memory(bytes, 0)};
}

static void free_times(times *it) {
    free(it->calls);
    free(it->all);
}

static void run(bench *it) {
    times enqueued = make_times(), replayed = make_times();
    record(it);
    for (int i = 0; i < rounds / 10; i++) /* what the first times take more */
        measure(it, 0, &enqueued, &replayed);
    for (int i = 0; i < rounds; i++)
        measure(it, i, &enqueued, &replayed);
    printf("%9d  %8.2f  %8.2f  %8.2f  %8.2f\n", it->count, median(enqueued.calls) / it->count,
           median(replayed.calls) / it->count, median(enqueued.all) / it->count,
           median(replayed.all) / it->count);
    replay_release(it->commands);
    free_times(&enqueued);
    free_times(&replayed);
}

/* A test of Check's, as the fixtures report to one what fails. */
START_TEST(launches) {
    const tally_reduce desc = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(TERMS), 1);
    const float zeros[TERMS] = {0};
    bench it = {.queue = fixture_make_queue(0)};
    tally_error error;
    fixture_ok(tally_reduce_create(fixture_get()->runtime, &desc, &it.op, &error), &error,
               "tally_reduce_create");
    it.input = fixture_make_buffer(zeros, sizeof zeros);
    for (int k = 0; k < MOST; k++)
        it.output[k] = fixture_make_buffer(NULL, sizeof(float));
    printf("microseconds per operator, medians of %d rounds: sums of %d float32\n", rounds, TERMS);
    printf("           the calls alone     until all have ended\n");
    printf("operators   enqueue    replay   enqueue    replay\n");
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        it.count = counts[i];
        run(&it);
    }
    tally_op_release(it.op);
    clReleaseMemObject(it.input);
    for (int k = 0; k < MOST; k++)
        clReleaseMemObject(it.output[k]);
    clReleaseCommandQueue(it.queue);
    fixture_close();
}
END_TEST

int main(int argc, char **argv) {
    const long given = argc > 1 ? strtol(argv[1], NULL, 10) : ROUNDS;
    if (given < 1 || given > 1000000) {
        fprintf(stderr, "usage: bench_replay [ROUNDS], 1 to 1000000\n");
        return EXIT_FAILURE;
    }
    rounds = (int)given;
    Suite *suite = suite_create("replay");
    TCase *only = tcase_create("replay");
    tcase_set_timeout(only, 0);
    tcase_add_test(only, launches);
    suite_add_tcase(suite, only);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_MINIMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed > 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
