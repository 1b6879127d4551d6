/*
 * One workload of tally bench: created, checked, timed next to the limits or to an empty kernel.
 * Prints nothing.
 */
#include "cli/bench/run.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/bench/op.h"

static uint64_t least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

/* ---- What does not fit --------------------------------------------------------------------- */

/* Fill in the refusal if the memory is not enough. */
static void check_memory(const bench_session *session, const bench_workload *workload,
                         bench_result *result) {
    const struct {
        const char *what;
        uint64_t needed, held;
    } buffers[] = {{"input", workload->offset + workload->input_bytes, session->input_bytes},
                   {"output", workload->output_bytes, session->output_bytes}};
    if (workload->missing_log2 > 0)
        snprintf(result->refusal, sizeof result->refusal,
                 "2^%d elements are too few for it; it needs --log2 %d", session->log2,
                 session->log2 + workload->missing_log2);
    for (size_t i = 0; i < 2 && result->refusal[0] == '\0'; i++)
        if (buffers[i].needed > buffers[i].held)
            snprintf(result->refusal, sizeof result->refusal,
                     "the %s has %" PRIu64 " bytes, but the device allocates %" PRIu64
                     " at most at once",
                     buffers[i].what, buffers[i].needed, session->allocation_max);
}

/* ---- One workload -------------------------------------------------------------------------- */

typedef tally_status creator(tally_runtime *runtime, const bench_workload *workload, tally_op **op,
                             tally_error *error);

static tally_status create_reduce(tally_runtime *runtime, const bench_workload *workload,
                                  tally_op **op, tally_error *error) {
    return tally_reduce_create(runtime, &workload->desc.reduce, op, error);
}

static tally_status create_scan(tally_runtime *runtime, const bench_workload *workload,
                                tally_op **op, tally_error *error) {
    return tally_cumulative_create(runtime, &workload->desc.scan, op, error);
}

static tally_status create_diagonal(tally_runtime *runtime, const bench_workload *workload,
                                    tally_op **op, tally_error *error) {
    tally_diagonal desc = workload->desc.diagonal;
    desc.input = workload->input_bytes > 0 ? &workload->tensor : NULL;
    return tally_diagonal_create(runtime, &desc, op, error);
}

static creator *const creators[BENCH_SUBJECTS] = {
    [BENCH_REDUCE] = create_reduce, [BENCH_SCAN] = create_scan, [BENCH_DIAGONAL] = create_diagonal};

static int bind(bench_session *session, const bench_workload *workload, bench_op *work,
                cli_error *error) {
    int status = transfer_grow(&session->device, "scratch memory", tally_op_scratch_size(work->op),
                               &session->scratch, error);
    work->binding.output = (tally_view){.buffer = session->output};
    work->binding.input = workload->in_place ? work->binding.output
                                             : (tally_view){.buffer = session->input,
                                                            .offset = (size_t)workload->offset};
    if (workload->input_bytes == 0)
        work->binding.input = (tally_view){.buffer = NULL};
    work->binding.scratch = (tally_view){.buffer = session->scratch.buffer};
    return status;
}

/* An end of the output: bytes from an offset on. */
typedef struct range {
    size_t at, bytes;
} range;

/* The first and the last bytes of the output, which do not overlap; the last may be none. */
static void both_ends(uint64_t output_bytes, range ends[2]) {
    const size_t all = (size_t)output_bytes;
    const size_t first = (size_t)least(all, BENCH_CHECKSUM_BYTES);
    const size_t last = (size_t)least(all - first, BENCH_CHECKSUM_BYTES);
    ends[0] = (range){0, first};
    ends[1] = (range){all - last, last};
}

/* Put the byte into both ends; or, in place, the input all over. */
static int prepare(bench_session *session, const bench_workload *workload, const range ends[2],
                   cl_uchar poison, cli_error *error) {
    cl_command_queue queue = session->device.queue;
    if (workload->in_place)
        return bench_limits_fill(&session->limits, queue, workload->tensor.dtype, session->output,
                                 session->output_bytes, error);
    for (size_t i = 0; i < 2 && ends[i].bytes > 0; i++) {
        cl_int code = clEnqueueFillBuffer(queue, session->output, &poison, sizeof poison,
                                          ends[i].at, ends[i].bytes, 0, NULL, NULL);
        if (code != CL_SUCCESS)
            return cli_fail_cl(error, "clEnqueueFillBuffer", code);
    }
    return CLI_DONE;
}

static int read_checksum(bench_session *session, const range ends[2], uint64_t *checksum,
                         cli_error *error) {
    unsigned char bytes[BENCH_CHECKSUM_BYTES];
    *checksum = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < 2 && ends[i].bytes > 0; i++) {
        cl_int code = clEnqueueReadBuffer(session->device.queue, session->output, CL_TRUE,
                                          ends[i].at, ends[i].bytes, bytes, 0, NULL, NULL);
        if (code != CL_SUCCESS)
            return cli_fail_cl(error, "clEnqueueReadBuffer", code);
        for (size_t k = 0; k < ends[i].bytes; k++)
            *checksum = (*checksum ^ bytes[k]) * UINT64_C(0x100000001b3);
    }
    return CLI_DONE;
}

/* Two runs over different bytes have to leave the same ones: all is written, and the same. */
static int check_output(bench_session *session, const bench_workload *workload, bench_op *work,
                        bench_result *result, cli_error *error) {
    const cl_uchar poison = (cl_uchar)(0xa0 + workload->tensor.dtype);
    uint64_t checksum[2] = {0, 0};
    range ends[2];
    int status = CLI_DONE;
    both_ends(workload->output_bytes, ends);
    for (size_t i = 0; i < 2 && status == CLI_DONE; i++) {
        status = prepare(session, workload, ends, i == 0 ? poison : (cl_uchar)~poison, error);
        if (status == CLI_DONE)
            status = bench_op_enqueue(work, session->device.queue, NULL, error);
        if (status == CLI_DONE)
            status = read_checksum(session, ends, &checksum[i], error);
    }
    result->checksum = checksum[0];
    if (status == CLI_DONE && checksum[0] != checksum[1])
        return cli_fail(error, "two runs left different outputs, %016" PRIx64 " and %016" PRIx64,
                        checksum[0], checksum[1]);
    return status;
}

static double rate(double bytes, double seconds) {
    return seconds > 0 ? bytes / seconds : -1;
}

/* Next to all limits. */
static int measure_large(bench_session *session, const bench_workload *workload, bench_op *work,
                         bench_result *result, cli_error *error) {
    bench_contestant all[BENCH_LIMITS_MAX + 1];
    size_t count = session->limits.count;
    for (size_t i = 0; i < count; i++) {
        bench_limit *limit = &session->limits.limit[i];
        all[i] = (bench_contestant){.enqueue = limit->enqueue, .work = limit};
    }
    all[count] = (bench_contestant){.enqueue = bench_op_enqueue, .work = work, .wall = true};
    int status = bench_measure(&session->timer, all, count + 1, error);
    for (size_t i = 0; i < count && status == CLI_DONE; i++) {
        const bench_limit *limit = &session->limits.limit[i];
        double *best = &result->best_rate[limit->kind];
        double own = rate(limit->bytes, all[i].times.event);
        result->limit_event[i] = all[i].times.event;
        if (own > *best)
            *best = own;
    }
    result->times = all[count].times;
    result->rate = rate((double)workload->bytes, result->times.event);
    return status;
}

/* Next to an empty kernel. */
static int measure_small(bench_session *session, bench_op *work, bench_result *result,
                         cli_error *error) {
    bench_contestant both[] = {
        {.enqueue = bench_limits_empty, .work = &session->limits, .wall = true},
        {.enqueue = bench_op_enqueue, .work = work, .wall = true}};
    int status = bench_measure(&session->timer, both, 2, error);
    result->empty = both[0].times;
    result->times = both[1].times;
    return status;
}

static int fill_input(bench_session *session, tally_dtype dtype, cli_error *error) {
    if (session->filled == dtype)
        return CLI_DONE;
    session->filled = dtype;
    return bench_limits_fill(&session->limits, session->device.queue, dtype, session->input,
                             session->input_bytes, error);
}

int bench_run(bench_session *session, const bench_workload *workload, bench_result *result,
              cli_error *error) {
    bench_op work = {NULL, TALLY_BINDING_INIT};
    tally_error refusal;
    memset(result, 0, sizeof *result);
    result->rate = -1;
    for (size_t i = 0; i < BENCH_LIMIT_KINDS; i++)
        result->best_rate[i] = -1;
    check_memory(session, workload, result);
    if (result->refusal[0] != '\0')
        return CLI_DONE;
    tally_status made =
        creators[workload->subject](session->device.runtime, workload, &work.op, &refusal);
    if (made == TALLY_UNSUPPORTED)
        snprintf(result->refusal, sizeof result->refusal, "%s", refusal.message);
    if (made != TALLY_OK)
        return made == TALLY_UNSUPPORTED ? CLI_DONE : cli_fail(error, "%s", refusal.message);
    int status = bind(session, workload, &work, error);
    if (status == CLI_DONE)
        status = fill_input(session, workload->tensor.dtype, error);
    if (status == CLI_DONE)
        status = check_output(session, workload, &work, result, error);
    if (status == CLI_DONE)
        status = workload->small ? measure_small(session, &work, result, error)
                                 : measure_large(session, workload, &work, result, error);
    tally_op_release(work.op);
    return status;
}
