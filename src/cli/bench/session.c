/*
 * The device and the memory of tally bench, opened once for all workloads, with the limits that
 * the benchmark is held against. Runs no operator.
 */
#include "cli/bench/session.h"

#include <inttypes.h>
#include <string.h>

/* Views that start later, and whole vectors behind the end. */
#define INPUT_EXTRA 256

/* The unit of limit_bytes. */
#define LIMIT_UNIT ((uint64_t)256 << 10)

static uint64_t least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

/* What each benchmark is held against. */
static const bool limit_kinds[BENCH_SUBJECTS][BENCH_LIMIT_KINDS] = {
    [BENCH_REDUCE] = {[BENCH_COPY] = true, [BENCH_READ] = true},
    [BENCH_SCAN] = {[BENCH_COPY] = true},
    [BENCH_DIAGONAL] = {[BENCH_COPY] = true, [BENCH_FILL] = true},
};

static int make_memory(bench_session *session, cli_error *error) {
    uint64_t wanted = UINT64_C(4) << session->log2;
    uint64_t most = device_number(session->device.id, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
    most = least(most, SIZE_MAX) / LIMIT_UNIT * LIMIT_UNIT;
    session->allocation_max = most;
    session->limit_bytes = (size_t)least(wanted, most);
    session->output_bytes = session->limit_bytes;
    session->input_bytes = (size_t)least(wanted + INPUT_EXTRA, most);
    const uint64_t needed = (uint64_t)session->input_bytes + session->output_bytes;
    const uint64_t there = device_number(session->device.id, CL_DEVICE_GLOBAL_MEM_SIZE);
    if (needed > there)
        return cli_fail(error,
                        "input and output of 2^%d elements have %" PRIu64
                        " bytes, but the device has %" PRIu64 "; a lower --log2 needs less",
                        session->log2, needed, there);
    int status =
        transfer_allocate(&session->device, "input", session->input_bytes, &session->input, error);
    if (status == CLI_DONE)
        status = transfer_allocate(&session->device, "output", session->output_bytes,
                                   &session->output, error);
    return status;
}

static int make_timer(bench_session *session, uint32_t samples, cli_error *error) {
    bench_limits *limits = &session->limits;
    cl_int code;
    session->untimed = clCreateCommandQueue(session->device.context, session->device.id, 0, &code);
    if (session->untimed == NULL)
        return cli_fail_cl(error, "clCreateCommandQueue", code);
    bench_limit *cover = &limits->limit[limits->count - 1]; /* whichever: all take long */
    session->timer = (bench_timer){.timed = session->device.queue,
                                   .untimed = session->untimed,
                                   .empty = bench_limits_empty,
                                   .empty_work = limits,
                                   .cover = cover->enqueue,
                                   .cover_work = cover,
                                   .samples = samples};
    return CLI_DONE;
}

int bench_session_open(bench_session *session, bench_subject subject, const common_options *common,
                       int log2, uint32_t samples, cli_error *error) {
    memset(session, 0, sizeof *session);
    session->subject = subject;
    const device_request request = options_request(common, true);
    int status = device_choose(&request, &session->device, error);
    if (status != CLI_DONE)
        return status;
    session->log2 = log2 != 0                           ? log2
                    : device_is_cpu(session->device.id) ? BENCH_LOG2_CPU
                                                        : BENCH_LOG2_GPU;
    status = make_memory(session, error);
    if (status == CLI_DONE)
        status = bench_limits_open(&session->limits, &session->device, limit_kinds[subject],
                                   session->input, session->output, session->limit_bytes, error);
    return status == CLI_DONE ? make_timer(session, samples, error) : status;
}

void bench_session_close(bench_session *session) {
    const cl_mem buffers[] = {session->input, session->output};
    bench_limits_close(&session->limits);
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++)
        if (buffers[i] != NULL)
            clReleaseMemObject(buffers[i]);
    transfer_release(&session->scratch);
    if (session->untimed != NULL)
        clReleaseCommandQueue(session->untimed);
    device_close(&session->device);
    memset(session, 0, sizeof *session);
}
