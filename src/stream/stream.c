/*
 * The public calls of streams.
 */
#include <tally/stream.h>

#include <inttypes.h>
#include <string.h>

#include "base/host_memory.h"
#include "base/struct.h"
#include "device/clerror.h"
#include "stream/budget.h"

/* A stream as it was given, with its device. */
typedef struct opened {
    tally_stream stream;
    tally_runtime *runtime;
    cl_context context;
    cl_device_id device;
    bool copies;
    tally_flat flat;
    tally_budget budget;
} opened;

static tally_status choose_copies(opened *of, tally_error *error) {
    cl_bool unified = CL_FALSE;
    if (of->stream.copies > TALLY_STREAM_COPY_OFF)
        return tally_fail(error, TALLY_INVALID,
                          "copies of the stream is %" PRIu32 ", but 0 to %d are known",
                          of->stream.copies, TALLY_STREAM_COPY_OFF);
    of->copies = of->stream.copies == TALLY_STREAM_COPY_ON;
    if (of->stream.copies != TALLY_STREAM_COPY_AUTO)
        return TALLY_OK;
    const cl_int code =
        clGetDeviceInfo(of->device, CL_DEVICE_HOST_UNIFIED_MEMORY, sizeof unified, &unified, NULL);
    of->copies = unified == CL_FALSE;
    return tally_cl_check(code, "clGetDeviceInfo", error);
}

static tally_status open_stream(tally_runtime *runtime, const tally_desc *whole,
                                const tally_stream *given, opened *of, tally_error *error) {
    tally_device_limits limits = TALLY_DEVICE_LIMITS_INIT;
    memset(of, 0, sizeof *of);
    tally_error_clear(error);
    of->runtime = runtime;
    tally_status status = tally_runtime_device(runtime, &of->context, &of->device, error);
    if (status == TALLY_OK)
        status = tally_struct_take(given, &of->stream, sizeof of->stream, "tally_stream", error);
    if (status == TALLY_OK)
        status = tally_struct_check_reserved(of->stream.reserved, "tally_stream", error);
    if (status == TALLY_OK)
        status = tally_runtime_limits(runtime, &limits, error);
    if (status == TALLY_OK)
        status = tally_flat_read(whole, &limits, &of->flat, error);
    if (status == TALLY_OK)
        status = choose_copies(of, error);
    return status;
}

static bool is_empty(const tally_flat *flat) {
    uint64_t bytes = 0;
    (void)tally_tensor_bytes(&flat->output, &bytes, NULL);
    return bytes == 0;
}

/* ---- Running -------------------------------------------------------------------------------- */

/* All that the device does ends here, whatever has failed. */
static tally_status run(opened *of, tally_flow *flow, tally_error *error) {
    tally_error late;
    tally_status status =
        tally_transfer_open(&flow->slots.transfer, of->context, of->device, of->copies, error);
    if (status == TALLY_OK)
        status = tally_flow_open(flow, error);
    if (status == TALLY_OK)
        status = tally_flow_run(flow, error);
    const tally_status ended = tally_transfer_finish(&flow->slots.transfer, &late);
    if (status == TALLY_OK && ended != TALLY_OK) {
        status = ended;
        if (error != NULL)
            *error = late;
    }
    tally_flow_close(flow);
    tally_transfer_close(&flow->slots.transfer);
    return status;
}

static tally_flow *make_flow(const tally_flat *flat, tally_error *error) {
    tally_flow *flow = tally_host_take_zeros(NULL, 1, sizeof *flow);
    if (flow == NULL)
        (void)tally_fail_memory(error, "a stream");
    else
        flow->flat = flat;
    return flow;
}

static tally_budget_way way_of(const opened *of, const tally_io *io) {
    if (of->copies)
        return TALLY_BUDGET_COPIED;
    return tally_io_shares_cache(io) ? TALLY_BUDGET_CACHED : TALLY_BUDGET_LENT;
}

/* has_ends: the source and the sink are needed. */
static tally_status open_flow(opened *of, bool has_ends, tally_flow *flow, tally_error *error) {
    tally_status status =
        tally_io_open(&flow->slots.io, &of->flat, &of->stream, has_ends, of->copies, error);
    if (status == TALLY_OK)
        status = tally_budget_read(&of->stream, of->device, way_of(of, &flow->slots.io),
                                   &of->budget, error);
    return status;
}

static tally_status run_opened(opened *of, tally_error *error) {
    tally_flow *flow = make_flow(&of->flat, error);
    if (flow == NULL)
        return TALLY_OUT_OF_MEMORY;
    tally_status status = open_flow(of, true, flow, error);
    if (status == TALLY_OK && !is_empty(&of->flat)) {
        status = tally_budget_settle(&of->budget, of->runtime, flow, error);
        if (status == TALLY_OK) {
            status = run(of, flow, error);
            tally_ops_release(&flow->ops);
            tally_pieces_release(&flow->pieces);
        }
    }
    tally_host_give(NULL, flow);
    return status;
}

tally_status tally_stream_run(tally_runtime *runtime, const tally_desc *whole,
                              const tally_stream *stream, tally_error *error) {
    opened of;
    tally_status status = open_stream(runtime, whole, stream, &of, error);
    if (status == TALLY_OK)
        status = run_opened(&of, error);
    if (status == TALLY_OK)
        tally_error_clear(error);
    return status;
}

/* ---- Asking --------------------------------------------------------------------------------- */

static tally_status plan_opened(opened *of, tally_stream_plan *plan, tally_error *error) {
    tally_flow *flow = make_flow(&of->flat, error);
    if (flow == NULL)
        return TALLY_OUT_OF_MEMORY;
    tally_status status = open_flow(of, false, flow, error);
    if (status == TALLY_OK)
        status = tally_budget_least(&of->budget, of->runtime, flow, &plan->least_memory, error);
    if (status == TALLY_OK)
        status = tally_budget_settle(&of->budget, of->runtime, flow, error);
    if (status == TALLY_OK) {
        plan->slots = flow->slots.count;
        plan->pieces = flow->pieces.boxes * flow->pieces.parts;
        plan->input_bytes = flow->pieces.input_bytes;
        plan->output_bytes = flow->pieces.output_bytes;
        plan->memory = tally_flow_memory(&flow->pieces, flow->slots.count, flow->ops.scratch);
        tally_ops_release(&flow->ops);
        tally_pieces_release(&flow->pieces);
    }
    tally_host_give(NULL, flow);
    return status;
}

tally_status tally_stream_query(tally_runtime *runtime, const tally_desc *whole,
                                const tally_stream *stream, tally_stream_plan *plan,
                                tally_error *error) {
    opened of;
    tally_stream_plan known = TALLY_STREAM_PLAN_INIT;
    tally_status status = open_stream(runtime, whole, stream, &of, error);
    if (status == TALLY_OK)
        status = tally_struct_check(plan, "tally_stream_plan", error);
    if (status == TALLY_OK && !is_empty(&of.flat))
        status = plan_opened(&of, &known, error);
    if (status != TALLY_OK)
        return status;
    tally_struct_give(&known, sizeof known, plan);
    tally_error_clear(error);
    return TALLY_OK;
}
