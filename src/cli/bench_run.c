/*
 * The device and the memory of tally bench, and one workload run on them: created, checked, timed
 * next to the limits or to an empty kernel. Prints nothing.
 */
#include "cli/bench_run.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/transfer.h"

/* Views that start later, and whole vectors behind the end. */
#define INPUT_EXTRA 256

/* The unit of limit_bytes. */
#define LIMIT_UNIT ((uint64_t)256 << 10)

/* ---- The session --------------------------------------------------------------------------- */

static uint64_t least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

static int make_memory(bench_session *session, cli_error *error) {
    uint64_t wanted = UINT64_C(4) << session->log2;
    uint64_t most = device_number(session->device.id, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
    most = least(most, SIZE_MAX) / LIMIT_UNIT * LIMIT_UNIT;
    session->allocation_max = most;
    session->limit_bytes = (size_t)least(wanted, most);
    session->output_bytes = session->limit_bytes;
    session->input_bytes = (size_t)least(wanted + INPUT_EXTRA, most);
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
    bench_limit *cover = &limits->limit[limits->count - 1]; /* one that reads, if any does */
    session->timer = (bench_timer){.timed = session->device.queue,
                                   .untimed = session->untimed,
                                   .empty = bench_limits_empty,
                                   .empty_work = limits,
                                   .cover = cover->enqueue,
                                   .cover_work = cover,
                                   .samples = samples};
    return CLI_DONE;
}

int bench_session_open(bench_session *session, const common_options *common, int log2,
                       uint32_t samples, cli_error *error) {
    memset(session, 0, sizeof *session);
    device_request request = {common->device, common->family, .timed = true};
    int status = device_choose(&request, &session->device, error);
    if (status != CLI_DONE)
        return status;
    bool is_cpu = (device_number(session->device.id, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_CPU) != 0;
    session->log2 = log2 != 0 ? log2 : is_cpu ? BENCH_LOG2_CPU : BENCH_LOG2_GPU;
    status = make_memory(session, error);
    if (status == CLI_DONE)
        status = bench_limits_open(&session->limits, &session->device, session->input,
                                   session->output, session->limit_bytes, error);
    return status == CLI_DONE ? make_timer(session, samples, error) : status;
}

void bench_session_close(bench_session *session) {
    const cl_mem buffers[] = {session->input, session->output, session->scratch};
    bench_limits_close(&session->limits);
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++)
        if (buffers[i] != NULL)
            clReleaseMemObject(buffers[i]);
    if (session->untimed != NULL)
        clReleaseCommandQueue(session->untimed);
    device_close(&session->device);
    memset(session, 0, sizeof *session);
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

typedef struct op_work {
    tally_op *op;
    tally_binding binding;
} op_work;

static int enqueue_op(void *work, cl_command_queue queue, cl_event *event, cli_error *error) {
    const op_work *own = work;
    tally_error refusal;
    if (tally_op_enqueue(own->op, queue, &own->binding, 0, NULL, event, &refusal) == TALLY_OK)
        return CLI_DONE;
    return cli_fail(error, "%s", refusal.message);
}

/* The scratch buffer grows to what the hungriest workload needs. */
static int bind(bench_session *session, const bench_workload *workload, op_work *work,
                cli_error *error) {
    size_t scratch = tally_op_scratch_size(work->op);
    int status = CLI_DONE;
    if (scratch > session->scratch_bytes) {
        if (session->scratch != NULL)
            clReleaseMemObject(session->scratch);
        session->scratch = NULL;
        session->scratch_bytes = 0;
        status = transfer_allocate(&session->device, "scratch memory", scratch, &session->scratch,
                                   error);
        if (status == CLI_DONE)
            session->scratch_bytes = scratch;
    }
    work->binding.input = (tally_view){session->input, NULL, (size_t)workload->offset};
    work->binding.output = (tally_view){session->output, NULL, 0};
    work->binding.scratch = (tally_view){session->scratch, NULL, 0};
    return status;
}

/* Run once over an output full of that byte. */
static int run_checked(bench_session *session, op_work *work, size_t bytes, cl_uchar poison,
                       uint64_t *checksum, cli_error *error) {
    unsigned char head[BENCH_CHECKSUM_BYTES];
    cl_command_queue queue = session->device.queue;
    cl_int code = clEnqueueFillBuffer(queue, session->output, &poison, sizeof poison, 0, bytes, 0,
                                      NULL, NULL);
    if (code != CL_SUCCESS)
        return cli_fail_cl(error, "clEnqueueFillBuffer", code);
    int status = enqueue_op(work, queue, NULL, error);
    if (status != CLI_DONE)
        return status;
    code = clEnqueueReadBuffer(queue, session->output, CL_TRUE, 0, bytes, head, 0, NULL, NULL);
    if (code != CL_SUCCESS)
        return cli_fail_cl(error, "clEnqueueReadBuffer", code);
    *checksum = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < bytes; i++)
        *checksum = (*checksum ^ head[i]) * UINT64_C(0x100000001b3);
    return CLI_DONE;
}

/* Two runs over different bytes have to leave the same ones: all is written, and the same. */
static int check_output(bench_session *session, const bench_workload *workload, op_work *work,
                        bench_result *result, cli_error *error) {
    size_t bytes = (size_t)least(workload->output_bytes, BENCH_CHECKSUM_BYTES);
    cl_uchar poison = (cl_uchar)(0xa0 + workload->desc.input.dtype);
    uint64_t again = 0;
    int status = run_checked(session, work, bytes, poison, &result->checksum, error);
    if (status == CLI_DONE)
        status = run_checked(session, work, bytes, (cl_uchar)~poison, &again, error);
    if (status == CLI_DONE && again != result->checksum)
        return cli_fail(error, "two runs left different outputs, %016" PRIx64 " and %016" PRIx64,
                        result->checksum, again);
    return status;
}

static double rate(double bytes, double seconds) {
    return seconds > 0 ? bytes / seconds : -1;
}

/* Next to all limits. */
static int measure_large(bench_session *session, const bench_workload *workload, op_work *work,
                         bench_result *result, cli_error *error) {
    bench_contestant all[BENCH_LIMITS_MAX + 1];
    size_t count = session->limits.count;
    for (size_t i = 0; i < count; i++) {
        bench_limit *limit = &session->limits.limit[i];
        all[i] = (bench_contestant){.enqueue = limit->enqueue, .work = limit};
    }
    all[count] = (bench_contestant){.enqueue = enqueue_op, .work = work, .wall = true};
    int status = bench_measure(&session->timer, all, count + 1, error);
    for (size_t i = 0; i < count && status == CLI_DONE; i++) {
        const bench_limit *limit = &session->limits.limit[i];
        double *best = limit->copies ? &result->copy_rate : &result->read_rate;
        double own = rate(limit->bytes, all[i].times.event);
        result->limit_event[i] = all[i].times.event;
        if (own > *best)
            *best = own;
    }
    result->times = all[count].times;
    result->rate =
        rate((double)(workload->input_bytes + workload->output_bytes), result->times.event);
    return status;
}

/* Next to an empty kernel. */
static int measure_small(bench_session *session, op_work *work, bench_result *result,
                         cli_error *error) {
    bench_contestant both[] = {
        {.enqueue = bench_limits_empty, .work = &session->limits, .wall = true},
        {.enqueue = enqueue_op, .work = work, .wall = true}};
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
    op_work work = {NULL, TALLY_BINDING_INIT};
    tally_error refusal;
    memset(result, 0, sizeof *result);
    result->rate = result->copy_rate = result->read_rate = -1;
    check_memory(session, workload, result);
    if (result->refusal[0] != '\0')
        return CLI_DONE;
    tally_status made =
        tally_reduce_create(session->device.runtime, &workload->desc, &work.op, &refusal);
    if (made == TALLY_UNSUPPORTED)
        snprintf(result->refusal, sizeof result->refusal, "%s", refusal.message);
    if (made != TALLY_OK)
        return made == TALLY_UNSUPPORTED ? CLI_DONE : cli_fail(error, "%s", refusal.message);
    int status = bind(session, workload, &work, error);
    if (status == CLI_DONE)
        status = fill_input(session, workload->desc.input.dtype, error);
    if (status == CLI_DONE)
        status = check_output(session, workload, &work, result, error);
    if (status == CLI_DONE)
        status = workload->small ? measure_small(session, &work, result, error)
                                 : measure_large(session, workload, &work, result, error);
    tally_op_release(work.op);
    return status;
}
