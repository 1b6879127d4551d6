/*
 * The run of a stream. The host reads a piece into a slot, enqueues its way through the device, and
 * goes on with the next slot; it waits only for a slot that is in use still. Kernels run in the
 * order of the pieces, on a queue of their own, so states and scratch need no events.
 */
#include "stream/flow.h"

#include <inttypes.h>

#include "device/clerror.h"

/* ---- Memory --------------------------------------------------------------------------------- */

uint64_t tally_flow_memory(const tally_pieces *pieces, uint32_t slots, uint64_t scratch) {
    return slots * (pieces->input_bytes + pieces->output_bytes) +
           pieces->state_buffers * pieces->state_bytes + scratch;
}

static tally_status open_states(tally_flow *flow, tally_error *error) {
    tally_status status = TALLY_OK;
    if (flow->pieces.state_bytes == 0)
        return TALLY_OK;
    for (uint32_t i = 0; i < flow->pieces.state_buffers && status == TALLY_OK; i++)
        status = tally_transfer_buffer(&flow->slots.transfer, flow->pieces.state_bytes,
                                       &flow->states[i], error);
    return status;
}

tally_status tally_flow_open(tally_flow *flow, tally_error *error) {
    flow->slots.input_bytes = flow->pieces.input_bytes;
    flow->slots.output_bytes = flow->pieces.output_bytes;
    tally_status status = open_states(flow, error);
    if (status == TALLY_OK && flow->ops.scratch > 0)
        status =
            tally_transfer_buffer(&flow->slots.transfer, flow->ops.scratch, &flow->scratch, error);
    return status;
}

void tally_flow_close(tally_flow *flow) {
    const cl_mem buffers[] = {flow->states[0], flow->states[1], flow->scratch};
    tally_slots_close(&flow->slots);
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++)
        if (buffers[i] != NULL)
            clReleaseMemObject(buffers[i]);
    flow->states[0] = flow->states[1] = flow->scratch = NULL;
}

/* ---- Operators ------------------------------------------------------------------------------ */

/* What an operator is enqueued with; slots that are NULL are not used. */
typedef struct step {
    tally_ops_task task;
    tally_slot *input, *output;
    tally_view in, out, carry;
    bool last; /* no later operator reads the input */
} step;

static tally_view view_of(cl_mem buffer, uint64_t offset) {
    tally_view view = TALLY_VIEW_INIT;
    view.buffer = buffer;
    view.offset = (size_t)offset;
    return view;
}

/* The events that a step waits for: the input has come, and the output was read. */
static cl_uint list_waits(const step *of, cl_event waits[2]) {
    cl_uint count = 0;
    if (of->input != NULL && of->input->moved != NULL)
        waits[count++] = of->input->moved;
    if (of->output != NULL && of->output->used != NULL)
        waits[count++] = of->output->used;
    return count;
}

/* Slots are free again, or ready, when this event is over. */
static tally_status keep_event(const step *of, cl_event event, tally_error *error) {
    cl_int code = CL_SUCCESS;
    if (of->input != NULL && of->last && of->output != NULL)
        code = clRetainEvent(event);
    if (code == CL_SUCCESS && of->input != NULL && of->last)
        tally_slot_keep(&of->input->used, event);
    if (code == CL_SUCCESS && of->output != NULL)
        tally_slot_keep(&of->output->used, event);
    if (code != CL_SUCCESS || ((of->input == NULL || !of->last) && of->output == NULL))
        clReleaseEvent(event);
    return tally_cl_check(code, "clRetainEvent", error);
}

/* What was prepared has the most scratch that is needed; another plan would be a surprise. */
static tally_status check_scratch(const tally_flow *flow, uint64_t before, tally_error *error) {
    if (flow->ops.scratch == before)
        return TALLY_OK;
    return tally_fail(error, TALLY_OUT_OF_MEMORY,
                      "a piece needs %" PRIu64 " bytes of scratch, but %" PRIu64 " are there",
                      flow->ops.scratch, before);
}

static tally_status enqueue(tally_flow *flow, const step *of, const tally_flat_box *part,
                            tally_error *error) {
    tally_part_binding binding = TALLY_PART_BINDING_INIT;
    tally_op *op = NULL;
    cl_event waits[2], event = NULL;
    const cl_uint count = list_waits(of, waits);
    const cl_command_queue queue = flow->slots.transfer.compute;
    const uint64_t scratch = flow->ops.scratch;
    tally_status status = tally_ops_find(&flow->ops, of->task, part, &op, error);
    if (status == TALLY_OK)
        status = check_scratch(flow, scratch, error);
    if (status != TALLY_OK)
        return status;
    binding.binding.input = of->in;
    binding.binding.output = of->out;
    binding.binding.scratch = view_of(flow->scratch, 0);
    binding.carry = of->carry;
    status =
        tally_part_enqueue(op, queue, &binding, count, count > 0 ? waits : NULL, &event, error);
    if (status == TALLY_OK)
        status = keep_event(of, event, error);
    return status == TALLY_OK ? tally_cl_check(clFlush(queue), "clFlush", error) : status;
}

static tally_view view_slot(const tally_slot *slot) {
    return slot != NULL ? view_of(slot->buffer, slot->offset) : view_of(NULL, 0);
}

/* ---- Boxes ---------------------------------------------------------------------------------- */

static tally_status run_results(tally_flow *flow, const tally_flat_box *box, tally_error *error) {
    step of = {.task = TALLY_OPS_RESULTS, .last = true};
    tally_status status = tally_slots_read(&flow->slots, box, &of.input, error);
    if (status == TALLY_OK)
        status = tally_slots_output(&flow->slots, box, &of.output, error);
    of.in = view_slot(of.input);
    of.out = view_slot(of.output);
    if (status == TALLY_OK)
        status = enqueue(flow, &of, box, error);
    return status == TALLY_OK ? tally_slots_fetch(&flow->slots, box, error) : status;
}

/* All parts to their states, and these to the output. */
static tally_status run_states(tally_flow *flow, const tally_flat_box *box, tally_error *error) {
    uint64_t done = 0, states = 0, bytes = 0;
    tally_status status = TALLY_OK;
    for (uint32_t i = 0; i < flow->pieces.parts && status == TALLY_OK; i++, done += states) {
        const tally_flat_box part = tally_pieces_part(&flow->pieces, box, i);
        step of = {.task = TALLY_OPS_STATES, .last = true};
        status = tally_slots_read(&flow->slots, &part, &of.input, error);
        if (status == TALLY_OK)
            status = tally_ops_states(&flow->ops, &part, &states, &bytes, error);
        of.in = view_slot(of.input);
        of.out = view_of(flow->states[0], done * bytes);
        if (status == TALLY_OK)
            status = enqueue(flow, &of, &part, error);
    }
    step of = {.task = TALLY_OPS_COMBINE};
    if (status == TALLY_OK)
        status = tally_slots_output(&flow->slots, box, &of.output, error);
    of.in = view_of(flow->states[0], 0);
    of.out = view_slot(of.output);
    if (status == TALLY_OK)
        status = enqueue(flow, &of, box, error);
    return status == TALLY_OK ? tally_slots_fetch(&flow->slots, box, error) : status;
}

/*
 * The carry of the next part. A buffer of states begins with the carry of its part, behind which
 * come the states of what the part's stretches come to.
 */
static tally_status carry_on(tally_flow *flow, const tally_flat_box *part, uint32_t number,
                             tally_slot *input, tally_error *error) {
    const cl_mem here = flow->states[number % 2], next = flow->states[(number + 1) % 2];
    uint64_t states = 0, bytes = 0;
    step of = {.task = TALLY_OPS_STATES, .input = input};
    tally_status status = tally_ops_states(&flow->ops, part, &states, &bytes, error);
    of.in = view_slot(input);
    of.out = view_of(here, bytes);
    if (status == TALLY_OK)
        status = enqueue(flow, &of, part, error);
    step carry = {.task = number == 0 ? TALLY_OPS_CARRY_FIRST : TALLY_OPS_CARRY};
    carry.in = view_of(here, number == 0 ? bytes : 0);
    carry.out = view_of(next, 0);
    return status == TALLY_OK ? enqueue(flow, &carry, part, error) : status;
}

/* The last results of a part, of each line, as the carry of the next one. */
static tally_status copy_carry(tally_flow *flow, const tally_flat_box *part, uint32_t number,
                               cl_mem output, tally_error *error) {
    const tally_flat *flat = flow->flat;
    size_t inner = (size_t)flat->output_bytes, outer = 1;
    for (uint32_t k = 0; k < flat->rank; k++)
        if (k < flat->swept)
            outer *= (size_t)part->size[k];
        else if (k > flat->swept)
            inner *= (size_t)part->size[k];
    const size_t terms = (size_t)part->size[flat->swept];
    const size_t from[] = {flow->pieces.descending ? 0 : (terms - 1) * inner, 0, 0};
    const size_t to[] = {0, 0, 0}, region[] = {inner, outer, 1};
    const cl_int code = clEnqueueCopyBufferRect(flow->slots.transfer.compute, output,
                                                flow->states[(number + 1) % 2], from, to, region,
                                                terms * inner, 0, inner, 0, 0, NULL, NULL);
    return tally_cl_check(code, "clEnqueueCopyBufferRect", error);
}

/* Parts in the direction of the scan. */
static tally_status run_scan(tally_flow *flow, const tally_flat_box *box, tally_error *error) {
    tally_status status = TALLY_OK;
    for (uint32_t i = 0; i < flow->pieces.parts && status == TALLY_OK; i++) {
        const tally_flat_box part = tally_pieces_part(&flow->pieces, box, i);
        step of = {.task = TALLY_OPS_SCAN, .last = true};
        status = tally_slots_read(&flow->slots, &part, &of.input, error);
        const bool carries = i + 1 < flow->pieces.parts, chained = flow->pieces.chained;
        if (status == TALLY_OK && carries && !chained)
            status = carry_on(flow, &part, i, of.input, error);
        if (status == TALLY_OK)
            status = tally_slots_output(&flow->slots, &part, &of.output, error);
        of.in = view_slot(of.input);
        of.out = view_slot(of.output);
        of.carry = view_of(flow->states[i % 2], 0);
        if (status == TALLY_OK)
            status = enqueue(flow, &of, &part, error);
        if (status == TALLY_OK && carries && chained)
            status = copy_carry(flow, &part, i, of.output->buffer, error);
        if (status == TALLY_OK)
            status = tally_slots_fetch(&flow->slots, &part, error);
    }
    return status;
}

tally_status tally_flow_run(tally_flow *flow, tally_error *error) {
    tally_status status = TALLY_OK;
    for (uint64_t n = 0; n < flow->pieces.boxes && status == TALLY_OK; n++) {
        const tally_flat_box box = tally_pieces_box(&flow->pieces, n);
        status = flow->pieces.parts == 1               ? run_results(flow, &box, error)
                 : flow->flat->kind == TALLY_FLAT_SCAN ? run_scan(flow, &box, error)
                                                       : run_states(flow, &box, error);
    }
    return status == TALLY_OK ? tally_slots_write_rest(&flow->slots, error) : status;
}
