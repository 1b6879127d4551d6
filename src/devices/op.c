/*
 * An operator on several devices: which part each of them has, and all that a run needs.
 */
#include "devices/op.h"

#include <inttypes.h>
#include <string.h>

#include "base/host_memory.h"
#include "base/struct.h"

/* ---- Parts ---------------------------------------------------------------------------------- */

/* A device's tensor of a range: packed as the whole's is, or with the strides of the whole's. */
static tally_tensor tensor_of(const tally_tensor *whole, const tally_cut *cut,
                              const tally_devices_work *work) {
    tally_tensor tensor = *whole;
    if ((whole->flags & TALLY_STRIDED) == 0)
        return tally_tensor_range(whole, cut->axis, work->begin, work->end);
    tensor.size[cut->axis] = work->end - work->begin;
    return tensor;
}

/* The tensors of a device, and their bytes. Of states the first device has the whole output. */
static tally_status set_tensors(tally_devices_op *op, const tally_desc *whole, uint32_t device,
                                tally_error *error) {
    tally_devices_work *work = &op->work[device];
    const tally_tensor *input = tally_desc_input(whole), *output = tally_desc_output(whole);
    const bool states = op->cut.kind == TALLY_CUT_STATES;
    tally_status status = TALLY_OK;
    op->has_input = input != NULL;
    work->output = states ? *output : tensor_of(output, &op->cut, work);
    work->input = input != NULL ? tensor_of(input, &op->cut, work) : work->output;
    if (input != NULL)
        status = tally_tensor_bytes(&work->input, &work->input_bytes, error);
    if (status == TALLY_OK && (!states || device == 0))
        status = tally_tensor_bytes(&work->output, &work->output_bytes, error);
    return status;
}

/* Parts that are not empty, in the order in which their states follow each other. */
static void set_order(tally_devices_op *op, const tally_desc *whole) {
    const uint32_t count = op->devices->entries;
    const bool descending = op->cut.kind == TALLY_CUT_TOTALS && whole->cumulative->descending;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t device = descending ? count - 1 - i : i;
        if (op->work[device].begin < op->work[device].end)
            op->order[op->parts++] = device;
    }
}

static tally_status cut_parts(tally_devices_op *op, const tally_desc *whole, uint32_t axis,
                              tally_error *error) {
    uint64_t bounds[TALLY_DEVICES_MAX + 1];
    tally_status status = tally_devices_cut(op->devices, whole, axis, bounds, &op->cut, error);
    for (uint32_t i = 0; i < op->devices->entries && status == TALLY_OK; i++) {
        op->work[i].begin = bounds[i];
        op->work[i].end = bounds[i + 1];
        status = set_tensors(op, whole, i, error);
    }
    if (status == TALLY_OK)
        set_order(op, whole);
    return status;
}

/* ---- What a device needs -------------------------------------------------------------------- */

/* OpenCL has no empty buffers. */
static tally_status make_buffer(const tally_devices_entry *entry, uint64_t bytes, cl_mem *buffer,
                                tally_error *error) {
    cl_int code = CL_SUCCESS;
    *buffer = clCreateBuffer(entry->context, CL_MEM_READ_WRITE, bytes > 0 ? (size_t)bytes : 1, NULL,
                             &code);
    return tally_cl_check(code, "clCreateBuffer", error);
}

static uint64_t state_bytes(const tally_devices_op *op, uint32_t device) {
    const tally_devices_work *work = &op->work[device];
    return tally_cut_states(&op->cut, work->begin, work->end) * op->cut.lines * op->cut.state_bytes;
}

/* The scratch becomes as large as the operator needs, so that no run has to make it larger. */
static tally_status grow_scratch(tally_devices_work *work, const tally_op *op, tally_error *error) {
    tally_view view;
    return tally_scratch_view(work->scratch, op, &view, error);
}

static tally_part part_of(const tally_devices_op *op, const tally_desc *whole,
                          const tally_devices_work *work) {
    tally_part part = TALLY_PART_INIT;
    part.begin = work->begin;
    part.end = work->end;
    if (op->has_input && (tally_desc_input(whole)->flags & TALLY_STRIDED) == 0)
        part.input = &work->input;
    if ((tally_desc_output(whole)->flags & TALLY_STRIDED) == 0)
        part.output = &work->output;
    return part;
}

/* The operator that gives results or states, and where states go. */
static tally_status make_part(tally_devices_op *op, const tally_desc *whole, uint32_t device,
                              tally_error *error) {
    const tally_devices_entry *entry = &op->devices->entry[device];
    tally_devices_work *work = &op->work[device];
    const tally_part part = part_of(op, whole, work);
    tally_status status =
        tally_part_create(entry->runtime, whole, &op->cut, &part, &work->part, error);
    if (status == TALLY_OK)
        status = grow_scratch(work, work->part, error);
    if (status != TALLY_OK || op->cut.kind == TALLY_CUT_RESULTS)
        return status;
    /* The first device's states are where it combines them, before those of others. */
    const uint64_t bytes = state_bytes(op, device);
    if (op->cut.kind == TALLY_CUT_STATES && device == 0) {
        work->own_bytes = bytes;
        return TALLY_OK;
    }
    work->sent_bytes = bytes;
    status = make_buffer(entry, bytes, &work->states, error);
    if (status == TALLY_OK && bytes > 0)
        status = tally_devices_pin(entry, bytes, &work->out, error);
    return status;
}

/* The operator that combines states of all parts before one, or of all, and where they come to. */
static tally_status make_combine(tally_devices_op *op, const tally_desc *whole, uint32_t device,
                                 uint64_t states, tally_error *error) {
    const tally_devices_entry *entry = &op->devices->entry[device];
    tally_devices_work *work = &op->work[device];
    const uint64_t bytes = states * op->cut.lines * op->cut.state_bytes;
    tally_status status =
        tally_combine_create(entry->runtime, whole, &op->cut, states, &work->combine, error);
    if (status == TALLY_OK)
        status = grow_scratch(work, work->combine, error);
    if (status == TALLY_OK)
        status = make_buffer(entry, bytes, &work->received, error);
    work->received_bytes = bytes - work->own_bytes;
    if (status == TALLY_OK && work->received_bytes > 0)
        status = tally_devices_pin(entry, work->received_bytes, &work->in, error);
    return status;
}

/* The operator of a scan's part, and its carry if parts with states are before. */
static tally_status make_scan(tally_devices_op *op, const tally_desc *whole, uint32_t device,
                              uint64_t before, tally_error *error) {
    const tally_devices_entry *entry = &op->devices->entry[device];
    tally_devices_work *work = &op->work[device];
    const tally_part part = part_of(op, whole, work);
    tally_status status =
        tally_part_scan_create(entry->runtime, whole, &op->cut, &part, &work->scan, error);
    if (status == TALLY_OK)
        status = grow_scratch(work, work->scan, error);
    if (status != TALLY_OK || before == 0 || op->cut.lines == 0)
        return status;
    status = make_combine(op, whole, device, before, error);
    if (status == TALLY_OK)
        status = make_buffer(entry, op->cut.lines * op->cut.state_bytes, &work->carry, error);
    return status;
}

/* All of the n-th part; before is the number of states of those before it. */
static tally_status make_work(tally_devices_op *op, const tally_desc *whole, uint32_t n,
                              uint64_t before, tally_error *error) {
    const uint32_t device = op->order[n];
    const bool totals = op->cut.kind == TALLY_CUT_TOTALS;
    tally_status status = TALLY_OK;
    if (!totals || n + 1 < op->parts) /* nobody needs the last part's totals */
        status = make_part(op, whole, device, error);
    if (status == TALLY_OK && totals)
        status = make_scan(op, whole, device, before, error);
    return tally_devices_prefix(op->devices, device, status, error);
}

static tally_status make_scratches(tally_devices_op *op, tally_error *error) {
    tally_status status = TALLY_OK;
    for (uint32_t i = 0; i < op->devices->entries && status == TALLY_OK; i++)
        status = tally_devices_prefix(
            op->devices, i,
            tally_scratch_create(op->devices->entry[i].runtime, &op->work[i].scratch, error),
            error);
    return status;
}

static tally_status make_works(tally_devices_op *op, const tally_desc *whole, tally_error *error) {
    uint64_t before = 0;
    tally_status status = make_scratches(op, error);
    for (uint32_t n = 0; n < op->parts && status == TALLY_OK; n++) {
        const tally_devices_work *work = &op->work[op->order[n]];
        status = make_work(op, whole, n, before, error);
        before += tally_cut_states(&op->cut, work->begin, work->end);
    }
    if (status == TALLY_OK && op->cut.kind == TALLY_CUT_STATES)
        status =
            tally_devices_prefix(op->devices, 0, make_combine(op, whole, 0, before, error), error);
    return status;
}

/* ---- The calls ------------------------------------------------------------------------------ */

/* Check what is cut before anybody looks into it. */
static tally_status check_whole(const tally_desc *given, uint32_t axis, tally_desc *whole,
                                tally_error *error) {
    uint64_t bounds[2];
    tally_cut cut = TALLY_CUT_INIT;
    tally_status status = tally_cut_even(given, axis, 1, bounds, &cut, error);
    return status == TALLY_OK ? tally_struct_take(given, whole, sizeof *whole, "tally_desc", error)
                              : status;
}

tally_status tally_devices_op_create(tally_devices *devices, const tally_desc *whole, uint32_t axis,
                                     tally_devices_op **op, tally_error *error) {
    tally_desc known;
    tally_error_clear(error);
    if (op == NULL)
        return tally_fail(error, TALLY_INVALID, "the place for the operator is NULL");
    *op = NULL;
    if (devices == NULL)
        return tally_fail(error, TALLY_INVALID, "the devices are NULL");
    tally_status status = check_whole(whole, axis, &known, error);
    if (status != TALLY_OK)
        return status;
    tally_devices_op *made = tally_host_take_zeros(NULL, 1, sizeof *made);
    if (made == NULL)
        return tally_fail_memory(error, "an operator on devices");
    if (!tally_lock_init(&made->lock)) {
        tally_host_give(NULL, made);
        return tally_fail_memory(error, "a lock");
    }
    tally_count_retain(&devices->count);
    made->devices = devices;
    known.struct_size = sizeof known;
    status = cut_parts(made, &known, axis, error);
    if (status == TALLY_OK)
        status = make_works(made, &known, error);
    if (status == TALLY_OK)
        *op = made;
    else
        tally_devices_op_release(made);
    return status;
}

static void drop_work(const tally_devices_entry *entry, tally_devices_work *work) {
    const cl_mem buffers[] = {work->states, work->received, work->carry};
    tally_op_release(work->part);
    tally_op_release(work->combine);
    tally_op_release(work->scan);
    tally_scratch_release(work->scratch);
    tally_devices_unpin(entry, &work->out);
    tally_devices_unpin(entry, &work->in);
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++)
        if (buffers[i] != NULL)
            clReleaseMemObject(buffers[i]);
}

void tally_devices_op_release(tally_devices_op *op) {
    if (op == NULL)
        return;
    for (uint32_t i = 0; i < op->devices->entries; i++)
        drop_work(&op->devices->entry[i], &op->work[i]);
    tally_lock_destroy(&op->lock);
    tally_devices_release(op->devices);
    tally_host_give(NULL, op);
}

tally_status tally_devices_op_part(const tally_devices_op *op, uint32_t device,
                                   tally_devices_part *part, tally_error *error) {
    tally_devices_part answer = TALLY_DEVICES_PART_INIT;
    tally_error_clear(error);
    if (op == NULL)
        return tally_fail(error, TALLY_INVALID, "the operator is NULL");
    if (device >= op->devices->entries)
        return tally_fail(error, TALLY_INVALID,
                          "device %" PRIu32 " is asked for, but there are %" PRIu32, device,
                          op->devices->entries);
    tally_status status = tally_struct_check(part, "tally_devices_part", error);
    if (status != TALLY_OK)
        return status;
    const tally_devices_work *work = &op->work[device];
    answer.axis = op->cut.axis;
    answer.begin = work->begin;
    answer.end = work->end;
    answer.input_bytes = work->input_bytes;
    answer.output_bytes = work->output_bytes;
    answer.input = work->input;
    answer.output = work->output;
    tally_struct_give(&answer, sizeof answer, part);
    return TALLY_OK;
}

tally_status tally_devices_op_cut(const tally_devices_op *op, tally_cut *cut, tally_error *error) {
    tally_error_clear(error);
    if (op == NULL)
        return tally_fail(error, TALLY_INVALID, "the operator is NULL");
    tally_status status = tally_struct_check(cut, "tally_cut", error);
    if (status == TALLY_OK)
        tally_struct_give(&op->cut, sizeof op->cut, cut);
    return status;
}
