/*
 * parts.c: what it costs to compute a problem in parts, on the first GPU, else the first device:
 * the sum and the running sum of 2^L float32, at once and in P parts: by their states, and running
 * sums also in a chain, each part from the last result of the one before. With several queues,
 * parts that need nothing of each other go to them in turn, so one part's end overlaps the next
 * one's begin. Samples of both ways take turns. Prints medians, and whether the bits are equal. Run
 * by hand: bench_parts [L] [P] [SAMPLES] [QUEUES]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/ways.h"

/* ---- Measuring ------------------------------------------------------------------------------ */

/* The last event of each queue; of the phase before, and of this one. */
typedef struct lasts {
    cl_event events[WAYS_MOST_QUEUES];
    cl_uint count;
} lasts;

static void forget(lasts *of) {
    for (cl_uint i = 0; i < of->count; i++)
        clReleaseEvent(of->events[i]);
    of->count = 0;
}

/* Events are for several queues alone: one is in order. */
static void enqueue(const ways_bench *it, const ways_step *at, const lasts *before,
                    cl_event *last) {
    tally_error error;
    cl_event event = NULL;
    bench_check(tally_part_enqueue(at->op, it->queues[at->queue], &at->binding, before->count,
                                   before->count > 0 ? before->events : NULL,
                                   it->queue_count > 1 ? &event : NULL, &error),
                &error);
    if (*last != NULL)
        clReleaseEvent(*last);
    *last = event;
}

static void finish(const ways_bench *it) {
    for (uint32_t q = 0; q < it->queue_count; q++)
        bench_require(clFlush(it->queues[q]), "clFlush");
    for (uint32_t q = 0; q < it->queue_count; q++)
        bench_require(clFinish(it->queues[q]), "clFinish");
}

static void enqueue_all(const ways_bench *it, const ways_way *of) {
    lasts before = {.count = 0};
    for (uint32_t i = 0; i < of->count;) {
        const uint32_t phase = of->steps[i].phase;
        cl_event last[WAYS_MOST_QUEUES] = {NULL};
        for (; i < of->count && of->steps[i].phase == phase; i++)
            enqueue(it, &of->steps[i], &before, &last[of->steps[i].queue]);
        forget(&before);
        for (uint32_t q = 0; q < it->queue_count; q++) {
            clFlush(it->queues[q]);
            if (last[q] != NULL)
                before.events[before.count++] = last[q];
        }
    }
    forget(&before);
}

static double run(ways_bench *it, ways_way *of) {
    tally_error error;
    for (uint32_t i = 0; i < of->count; i++)
        bench_check(tally_scratch_view(it->scratch[of->steps[i].queue], of->steps[i].op,
                                       &of->steps[i].binding.binding.scratch, &error),
                    &error);
    finish(it);
    const double begin = bench_now();
    enqueue_all(it, of);
    finish(it);
    return bench_now() - begin;
}

static float *read_output(const ways_bench *it, uint64_t count) {
    float *bits = bench_memory(count * sizeof *bits);
    bench_require(clEnqueueReadBuffer(it->on.queue, it->output, CL_TRUE, 0, count * sizeof *bits,
                                      bits, 0, NULL, NULL),
                  "clEnqueueReadBuffer");
    return bits;
}

static bool measure(ways_bench *it, const char *name, const tally_desc *desc, uint64_t outputs,
                    bool chain) {
    static ways_way whole, parts;
    ways_make_whole(it, desc, &whole);
    ways_make_parts(it, desc, chain, &parts);
    run(it, &whole);
    float *expected = read_output(it, outputs);
    run(it, &parts);
    float *found = read_output(it, outputs);
    const bool equal = memcmp(expected, found, outputs * sizeof *found) == 0;
    free(expected);
    free(found);
    for (uint32_t s = 0; s < it->samples; s++) {
        whole.seconds[s] = run(it, &whole);
        parts.seconds[s] = run(it, &parts);
    }
    const double at_once = bench_median(whole.seconds, it->samples);
    const double in_parts = bench_median(parts.seconds, it->samples);
    printf("%-12s %10.3f ms at once %10.3f ms in %u parts, %.3f times, bits %s\n", name,
           at_once * 1e3, in_parts * 1e3, (unsigned)it->parts, in_parts / at_once,
           equal ? "equal" : "DIFFERENT");
    ways_release(&whole);
    ways_release(&parts);
    return equal;
}

/* ---- The device ----------------------------------------------------------------------------- */

/* Numbers of a few digits, so that sums round. */
static void fill(const ways_bench *it) {
    float *values = bench_memory(it->terms * sizeof *values);
    for (uint64_t i = 0; i < it->terms; i++)
        values[i] = (float)(i * UINT64_C(2654435761) % 1999) * 0.01f;
    bench_require(clEnqueueWriteBuffer(it->on.queue, it->input, CL_TRUE, 0,
                                       it->terms * sizeof *values, values, 0, NULL, NULL),
                  "clEnqueueWriteBuffer");
    free(values);
}

static void open_device(ways_bench *it) {
    tally_error error;
    bench_open(&it->on, NULL);
    for (uint32_t q = 0; q < it->queue_count; q++) {
        cl_int code;
        it->queues[q] = clCreateCommandQueue(it->on.context, it->on.id, 0, &code);
        bench_require(code, "clCreateCommandQueue");
        bench_check(tally_scratch_create(it->on.runtime, &it->scratch[q], &error), &error);
        it->carry[q] = bench_buffer(&it->on, 0, 4096);
    }
    it->input = bench_buffer(&it->on, 0, it->terms * sizeof(float));
    it->output = bench_buffer(&it->on, 0, it->terms * sizeof(float));
    it->states = bench_buffer(&it->on, 0, it->terms / 4096 * sizeof(float) + 4096);
}

static void close_device(ways_bench *it) {
    for (uint32_t q = 0; q < it->queue_count; q++) {
        tally_scratch_release(it->scratch[q]);
        clReleaseMemObject(it->carry[q]);
        clReleaseCommandQueue(it->queues[q]);
    }
    clReleaseMemObject(it->input);
    clReleaseMemObject(it->output);
    clReleaseMemObject(it->states);
    bench_close(&it->on);
}

static uint32_t number(int argc, char **argv, int index, uint32_t usual, uint32_t most) {
    const unsigned long given = argc > index ? strtoul(argv[index], NULL, 10) : usual;
    if (given < 1 || given > most)
        bench_fail("usage",
                   "bench_parts [LOG2_TERMS up to 32] [PARTS up to 64] [SAMPLES up to 101] "
                   "[QUEUES up to 4]");
    return (uint32_t)given;
}

int main(int argc, char **argv) {
    ways_bench it = {.terms = UINT64_C(1) << number(argc, argv, 1, 26, 32),
                     .parts = number(argc, argv, 2, 4, WAYS_MOST_PARTS),
                     .samples = number(argc, argv, 3, 11, WAYS_MOST_SAMPLES),
                     .queue_count = number(argc, argv, 4, 1, WAYS_MOST_QUEUES)};
    tally_reduce sum = TALLY_REDUCE_INIT;
    tally_cumulative scan = TALLY_CUMULATIVE_INIT;
    tally_desc of_sum = TALLY_DESC_INIT, of_scan = TALLY_DESC_INIT;
    sum.function = scan.function = TALLY_SUM;
    sum.input = scan.input = scan.output = tally_tensor_packed(TALLY_F32, 1, &it.terms);
    sum.axes = 1;
    sum.output = tally_tensor_reduced(&sum.input, 1, TALLY_F32);
    of_sum.reduce = &sum;
    of_scan.cumulative = &scan;
    open_device(&it);
    fill(&it);
    const bool sums = measure(&it, "sum", &of_sum, 1, false);
    const bool scans = measure(&it, "running sum", &of_scan, it.terms, false);
    const bool chains = measure(&it, "in a chain", &of_scan, it.terms, true);
    close_device(&it);
    return sums && scans && chains ? EXIT_SUCCESS : EXIT_FAILURE;
}
