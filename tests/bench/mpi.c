/*
 * mpi.c: how fast operators on a distributed tensor are: the sum and the running sum of 2^L float32
 * that lie in the memory of the ranks' devices, one rank for each. A sample is the time from a
 * barrier to the end of the slowest rank's run. Rank 0 prints medians, what travels, and a checksum
 * of all bits of the output, which does not depend on the number of ranks.
 * Run by hand: mpirun -n RANKS bench_mpi [L] [SAMPLES]
 */
#include <stdio.h>
#include <stdlib.h>

#include <tally/mpi.h>

#include "bench/common.h"

enum { MOST_DEVICES = 64, MOST_SAMPLES = 101 };

typedef struct bench {
    bench_device on;
    tally_mpi *mpi;
    int rank, ranks;
    uint64_t terms;
    uint32_t samples;
} bench;

/* What a rank has of a tensor. */
typedef struct range {
    tally_mpi_layout layout;
    uint64_t outputs;
    cl_mem input, output;
} range;

/*
 * Numbers that make sums round, the same ones over and over. Ranges begin at multiples of 4096, so
 * each element of the whole has the same number whatever the ranks.
 */
static void fill(const bench *it, const range *of) {
    const uint64_t count = of->layout.end - of->layout.begin;
    float values[32]; /* OpenCL fills with no more */
    for (int i = 0; i < 32; i++)
        values[i] = (float)(i * 61 % 199) * 0.01f;
    if (count > 0)
        bench_require(clEnqueueFillBuffer(it->on.queue, of->input, values, sizeof values, 0,
                                          (size_t)count * sizeof *values, 0, NULL, NULL),
                      "clEnqueueFillBuffer");
}

static void open_range(const bench *it, const tally_desc *whole, range *of) {
    tally_error error;
    of->layout = (tally_mpi_layout)TALLY_MPI_LAYOUT_INIT;
    bench_check(tally_mpi_even(it->mpi, whole, 0, &of->layout, &error), &error);
    const uint64_t count = of->layout.end - of->layout.begin;
    of->outputs = whole->reduce == NULL ? count : it->rank == 0 ? 1 : 0;
    of->input = bench_buffer(&it->on, 0, count * sizeof(float) + 1);
    of->output = bench_buffer(&it->on, 0, of->outputs * sizeof(float) + 1);
    fill(it, of);
}

static void close_range(range *of) {
    clReleaseMemObject(of->input);
    clReleaseMemObject(of->output);
}

static double run(tally_mpi_op *op, const range *of) {
    tally_view input = TALLY_VIEW_INIT, output = TALLY_VIEW_INIT;
    tally_error error;
    double slowest = 0;
    input.buffer = of->input;
    output.buffer = of->output;
    MPI_Barrier(MPI_COMM_WORLD);
    const double began = bench_now();
    bench_check(tally_mpi_run(op, &input, of->outputs > 0 ? &output : NULL, 0, NULL, &error),
                &error);
    const double seconds = bench_now() - began;
    MPI_Allreduce(&seconds, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return slowest;
}

/* The sum of the bits of this rank's output as integers, which wrap. */
static uint32_t own_checksum(const bench *it, const range *of) {
    uint32_t bits = 0;
    tally_reduce sum = TALLY_REDUCE_INIT;
    tally_binding binding = TALLY_BINDING_INIT;
    tally_op *op = NULL;
    tally_error error;
    sum.function = TALLY_SUM;
    sum.input = tally_tensor_packed(TALLY_U32, 1, &of->outputs);
    sum.axes = 1;
    sum.output = tally_tensor_reduced(&sum.input, 1, TALLY_U32);
    bench_check(tally_reduce_create(it->on.runtime, &sum, &op, &error), &error);
    binding.input.buffer = of->output;
    binding.output.buffer = bench_buffer(&it->on, 0, sizeof bits);
    binding.scratch.buffer = bench_buffer(&it->on, 0, tally_op_scratch_size(op) + 1);
    bench_check(tally_op_enqueue(op, it->on.queue, &binding, 0, NULL, NULL, &error), &error);
    bench_require(clEnqueueReadBuffer(it->on.queue, binding.output.buffer, CL_TRUE, 0, sizeof bits,
                                      &bits, 0, NULL, NULL),
                  "clEnqueueReadBuffer");
    clReleaseMemObject(binding.output.buffer);
    clReleaseMemObject(binding.scratch.buffer);
    tally_op_release(op);
    return bits;
}

static uint32_t checksum(const bench *it, const range *of) {
    uint32_t own = of->outputs > 0 ? own_checksum(it, of) : 0, all = 0;
    MPI_Allreduce(&own, &all, 1, MPI_UINT32_T, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

static void measure(const bench *it, const char *name, const tally_desc *whole) {
    static double seconds[MOST_SAMPLES];
    tally_mpi_traffic traffic = TALLY_MPI_TRAFFIC_INIT;
    tally_mpi_op *op = NULL;
    tally_error error;
    range of;
    open_range(it, whole, &of);
    bench_check(tally_mpi_op_create(it->mpi, whole, &of.layout, &op, &error), &error);
    (void)run(op, &of);
    for (uint32_t i = 0; i < it->samples; i++)
        seconds[i] = run(op, &of);
    bench_check(tally_mpi_op_traffic(op, &traffic, &error), &error);
    const uint32_t bits = checksum(it, &of);
    if (it->rank == 0)
        printf("%-12s %2d ranks %10.3f ms, rank 0 gives %llu bytes and gathers %llu, bits %08lX\n",
               name, it->ranks, bench_median(seconds, it->samples) * 1e3,
               (unsigned long long)traffic.bytes_given, (unsigned long long)traffic.bytes_gathered,
               (unsigned long)bits);
    tally_mpi_op_release(op);
    close_range(&of);
}

static void measure_both(const bench *it) {
    tally_reduce sum = TALLY_REDUCE_INIT;
    tally_cumulative scan = TALLY_CUMULATIVE_INIT;
    tally_desc of_sum = TALLY_DESC_INIT, of_scan = TALLY_DESC_INIT;
    sum.function = scan.function = TALLY_SUM;
    sum.input = scan.input = scan.output = tally_tensor_packed(TALLY_F32, 1, &it->terms);
    sum.axes = 1;
    sum.output = tally_tensor_reduced(&sum.input, 1, TALLY_F32);
    of_sum.reduce = &sum;
    of_scan.cumulative = &scan;
    measure(it, "sum", &of_sum);
    measure(it, "running sum", &of_scan);
}

static uint32_t number(int argc, char **argv, int index, uint32_t usual, uint32_t most) {
    const unsigned long given = argc > index ? strtoul(argv[index], NULL, 10) : usual;
    if (given < 1 || given > most)
        bench_fail("usage", "bench_mpi [LOG2_TERMS up to 36] [SAMPLES up to 101]");
    return (uint32_t)given;
}

int main(int argc, char **argv) {
    cl_device_id devices[MOST_DEVICES];
    tally_error error;
    uint32_t index = 0;
    MPI_Init(&argc, &argv);
    bench it = {.terms = UINT64_C(1) << number(argc, argv, 1, 26, 36),
                .samples = number(argc, argv, 2, 11, MOST_SAMPLES)};
    MPI_Comm_rank(MPI_COMM_WORLD, &it.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &it.ranks);
    const uint32_t count = bench_find_devices(devices, MOST_DEVICES);
    bench_check(tally_mpi_pick_device(MPI_COMM_WORLD, count, &index, &error), &error);
    bench_open(&it.on, devices[index]);
    bench_check(tally_mpi_create(MPI_COMM_WORLD, it.on.runtime, it.on.queue, &it.mpi, &error),
                &error);
    measure_both(&it);
    tally_mpi_release(it.mpi);
    bench_close(&it.on);
    MPI_Finalize();
    return EXIT_SUCCESS;
}
