/*
 * What tally bench devices times. Each device has the whole input, the same on all of them, so that
 * any cut of it is resident; a part is a view into it.
 */
#include "cli/bench/devices/work.h"

#include <string.h>

#include "cli/bench/limits/limits.h"
#include "cli/transfer.h"
#include "platform/system.h"

#define LOG2_GPU 28
#define LOG2_CPU 25

/* ---- The session ---------------------------------------------------------------------------- */

/* Random values, the same on every device. */
static int fill_input(const device *on, cl_mem input, cl_mem output, uint64_t bytes,
                      cli_error *error) {
    const bool kinds[BENCH_LIMIT_KINDS] = {[BENCH_READ] = true};
    bench_limits limits;
    int status = bench_limits_open(&limits, on, kinds, input, output, (size_t)bytes, error);
    if (status == CLI_DONE)
        status = bench_limits_fill(&limits, on->queue, TALLY_F32, input, (size_t)bytes, error);
    if (status == CLI_DONE)
        status = bench_finish(on->queue, error);
    bench_limits_close(&limits);
    return status;
}

static int make_memory(devices_session *at, uint32_t i, cli_error *error) {
    const device *on = &at->on.device[i];
    const uint64_t bytes = at->elements * sizeof(float);
    int status = transfer_allocate(on, "input", bytes, &at->input[i], error);
    if (status == CLI_DONE)
        status = transfer_allocate(on, "output", bytes, &at->output[i], error);
    return status == CLI_DONE ? fill_input(on, at->input[i], at->output[i], bytes, error) : status;
}

static int measure_speeds(devices_session *at, cli_error *error) {
    tally_devices *devices = NULL;
    int status = several_list(&at->on, at->on.count, NULL, &devices, error);
    for (uint32_t i = 0; i < at->on.count; i++)
        at->speeds[i] = tally_devices_speed(devices, i);
    tally_devices_release(devices);
    return status;
}

int devices_session_open(devices_session *at, const common_options *common, int log2,
                         cli_error *error) {
    device_request request = options_request(common, false);
    memset(at, 0, sizeof *at);
    if (request.text == NULL)
        request.text = "all";
    int status = several_open(&request, &at->on, error);
    if (status != CLI_DONE)
        return status;
    at->elements = UINT64_C(1) << (log2 != 0                            ? log2
                                   : device_is_cpu(at->on.device[0].id) ? LOG2_CPU
                                                                        : LOG2_GPU);
    for (uint32_t i = 0; i < at->on.count && status == CLI_DONE; i++)
        status = make_memory(at, i, error);
    return status == CLI_DONE ? measure_speeds(at, error) : status;
}

void devices_session_close(devices_session *at) {
    for (uint32_t i = 0; i < at->on.count; i++) {
        if (at->input[i] != NULL)
            clReleaseMemObject(at->input[i]);
        if (at->output[i] != NULL)
            clReleaseMemObject(at->output[i]);
    }
    several_close(&at->on);
}

/* ---- Work ----------------------------------------------------------------------------------- */

typedef struct descriptions {
    tally_reduce sum;
    tally_cumulative scan;
    tally_desc whole;
} descriptions;

static void describe(const devices_work *work, descriptions *of) {
    *of = (descriptions){TALLY_REDUCE_INIT, TALLY_CUMULATIVE_INIT, TALLY_DESC_INIT};
    of->sum.function = of->scan.function = TALLY_SUM;
    of->sum.axes = 1;
    of->sum.input = tally_tensor_packed(TALLY_F32, 1, &work->at->elements);
    of->sum.output = tally_tensor_reduced(&of->sum.input, 1, TALLY_F32);
    of->scan.input = of->scan.output = of->sum.input;
    of->whole.reduce = work->scan ? NULL : &of->sum;
    of->whole.cumulative = work->scan ? &of->scan : NULL;
}

/* By an operator of one device. */
static tally_status open_one(devices_work *work, const descriptions *of, tally_error *error) {
    const devices_session *at = work->at;
    tally_runtime *runtime = at->on.device[work->first].runtime;
    tally_binding *binding = &work->bindings[work->first];
    tally_status status = tally_op_create(runtime, &of->whole, &work->op, error);
    if (status == TALLY_OK)
        status = tally_scratch_create(runtime, &work->scratch, error);
    if (status == TALLY_OK)
        status = tally_scratch_view(work->scratch, work->op, &binding->scratch, error);
    binding->input.buffer = at->input[work->first];
    binding->output.buffer = at->output[work->first];
    work->end[work->first] = work->scan ? at->elements : 1;
    return status;
}

/* What a device has of the tensors: views into its whole ones. */
static tally_status bind(devices_work *work, uint32_t i, tally_error *error) {
    tally_devices_part part = TALLY_DEVICES_PART_INIT;
    tally_status status = tally_devices_op_part(work->several, i, &part, error);
    const size_t offset = (size_t)part.begin * sizeof(float);
    work->bindings[i].input.buffer = work->at->input[i];
    work->bindings[i].input.offset = offset;
    work->bindings[i].output.buffer = work->at->output[i];
    work->bindings[i].output.offset = work->scan ? offset : 0;
    work->begin[i] = work->scan ? part.begin : 0;
    work->end[i] = work->begin[i] + part.output_bytes / sizeof(float);
    return status;
}

static int open_several(devices_work *work, const descriptions *of, tally_error *refusal,
                        cli_error *error) {
    tally_devices *devices = NULL;
    int status = several_list(&work->at->on, work->count, work->at->speeds, &devices, error);
    if (status != CLI_DONE)
        return status;
    tally_status made =
        tally_devices_op_create(devices, &of->whole, TALLY_ANY_AXIS, &work->several, refusal);
    tally_devices_release(devices);
    for (uint32_t i = 0; i < work->count && made == TALLY_OK; i++)
        made = bind(work, i, refusal);
    return made == TALLY_OK ? CLI_DONE : cli_fail(error, "%s", refusal->message);
}

int devices_work_open(devices_work *work, const devices_session *at, bool scan, uint32_t first,
                      uint32_t count, cli_error *error) {
    descriptions of;
    tally_error refusal;
    *work = (devices_work){.at = at, .scan = scan, .first = first, .count = count};
    describe(work, &of);
    if (count > 0)
        return open_several(work, &of, &refusal, error);
    return open_one(work, &of, &refusal) == TALLY_OK ? CLI_DONE
                                                     : cli_fail(error, "%s", refusal.message);
}

void devices_work_close(devices_work *work) {
    tally_devices_op_release(work->several);
    tally_op_release(work->op);
    tally_scratch_release(work->scratch);
}

int devices_work_run(devices_work *work, double *seconds, cli_error *error) {
    tally_error refusal;
    tally_status status = TALLY_OK;
    const cl_command_queue queue = work->at->on.device[work->first].queue;
    const double began = tally_clock();
    if (work->several != NULL)
        status = tally_devices_op_run(work->several, work->bindings, &refusal);
    else
        status = tally_op_enqueue(work->op, queue, &work->bindings[work->first], 0, NULL, NULL,
                                  &refusal);
    if (status != TALLY_OK)
        return cli_fail(error, "%s", refusal.message);
    const int finished = work->several != NULL ? CLI_DONE : bench_finish(queue, error);
    *seconds = tally_clock() - began;
    return finished;
}

/* ---- Results -------------------------------------------------------------------------------- */

/* Read the sum that was made in the binding's output. */
static int read_sum(const device *on, tally_op *op, tally_binding *binding, uint32_t *sum,
                    cli_error *error) {
    tally_error refusal;
    cl_int code = CL_SUCCESS;
    binding->output.buffer =
        clCreateBuffer(on->context, CL_MEM_READ_WRITE, sizeof *sum, NULL, &code);
    if (code != CL_SUCCESS)
        return cli_fail_cl(error, "clCreateBuffer", code);
    tally_status status = tally_op_enqueue(op, on->queue, binding, 0, NULL, NULL, &refusal);
    if (status == TALLY_OK)
        code = clEnqueueReadBuffer(on->queue, binding->output.buffer, CL_TRUE, 0, sizeof *sum, sum,
                                   0, NULL, NULL);
    clReleaseMemObject(binding->output.buffer);
    if (status != TALLY_OK)
        return cli_fail(error, "%s", refusal.message);
    return code == CL_SUCCESS ? CLI_DONE : cli_fail_cl(error, "clEnqueueReadBuffer", code);
}

/* The bits of a device's results, as integers that wrap. */
static int add_checksum(const devices_work *work, uint32_t i, uint32_t *sum, cli_error *error) {
    const uint64_t size = work->end[i] - work->begin[i];
    const device *on = &work->at->on.device[i];
    tally_reduce desc = TALLY_REDUCE_INIT;
    tally_binding binding = TALLY_BINDING_INIT;
    tally_op *op = NULL;
    tally_scratch *scratch = NULL;
    tally_error refusal;
    uint32_t part = 0;
    desc.function = TALLY_SUM;
    desc.axes = 1;
    desc.input = tally_tensor_packed(TALLY_U32, 1, &size);
    desc.output = tally_tensor_reduced(&desc.input, 1, TALLY_U32);
    binding.input = work->bindings[i].output;
    tally_status status = tally_reduce_create(on->runtime, &desc, &op, &refusal);
    if (status == TALLY_OK)
        status = tally_scratch_create(on->runtime, &scratch, &refusal);
    if (status == TALLY_OK)
        status = tally_scratch_view(scratch, op, &binding.scratch, &refusal);
    const int done = status == TALLY_OK ? read_sum(on, op, &binding, &part, error)
                                        : cli_fail(error, "%s", refusal.message);
    tally_scratch_release(scratch);
    tally_op_release(op);
    *sum += part;
    return done;
}

int devices_work_checksum(const devices_work *work, uint32_t *sum, cli_error *error) {
    int status = CLI_DONE;
    *sum = 0;
    for (uint32_t i = 0; i < work->at->on.count && status == CLI_DONE; i++)
        if (work->begin[i] < work->end[i])
            status = add_checksum(work, i, sum, error);
    return status;
}
