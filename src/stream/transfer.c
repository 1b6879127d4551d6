/*
 * Queues and slots. Each queue is flushed after what is enqueued: another queue waits for it, and a
 * driver may otherwise never begin it.
 */
#include "stream/transfer.h"

#include <string.h>

#include "base/host_memory.h"
#include "device/clerror.h"
#include "stream/host.h"

/* ---- Queues --------------------------------------------------------------------------------- */

static tally_status make_queue(cl_context context, cl_device_id device, cl_command_queue *queue,
                               tally_error *error) {
    cl_int code;
    *queue = clCreateCommandQueue(context, device, 0, &code);
    return tally_cl_check(code, "clCreateCommandQueue", error);
}

tally_status tally_transfer_open(tally_transfer *transfer, cl_context context, cl_device_id device,
                                 bool copies, tally_error *error) {
    cl_uint bits = 0;
    memset(transfer, 0, sizeof *transfer);
    transfer->context = context;
    transfer->copies = copies;
    tally_status status = tally_cl_check(
        clGetDeviceInfo(device, CL_DEVICE_MEM_BASE_ADDR_ALIGN, sizeof bits, &bits, NULL),
        "clGetDeviceInfo", error);
    transfer->alignment = bits >= 8 ? bits / 8 : 1;
    if (status == TALLY_OK)
        status = make_queue(context, device, &transfer->up, error);
    if (status == TALLY_OK)
        status = make_queue(context, device, &transfer->compute, error);
    if (status == TALLY_OK)
        status = make_queue(context, device, &transfer->down, error);
    return status;
}

tally_status tally_transfer_finish(tally_transfer *transfer, tally_error *error) {
    const cl_command_queue queues[] = {transfer->up, transfer->compute, transfer->down};
    tally_status status = TALLY_OK;
    for (size_t i = 0; i < sizeof queues / sizeof queues[0]; i++) {
        const cl_int code = queues[i] != NULL ? clFinish(queues[i]) : CL_SUCCESS;
        if (status == TALLY_OK)
            status = tally_cl_check(code, "clFinish", error);
    }
    return status;
}

void tally_transfer_close(tally_transfer *transfer) {
    const cl_command_queue queues[] = {transfer->up, transfer->compute, transfer->down};
    for (size_t i = 0; i < sizeof queues / sizeof queues[0]; i++)
        if (queues[i] != NULL)
            clReleaseCommandQueue(queues[i]);
    memset(transfer, 0, sizeof *transfer);
}

static tally_status flush(cl_command_queue queue, tally_error *error) {
    return tally_cl_check(clFlush(queue), "clFlush", error);
}

/* ---- Memory --------------------------------------------------------------------------------- */

static cl_mem make_buffer(const tally_transfer *transfer, cl_mem_flags flags, uint64_t bytes,
                          cl_int *code) {
    return clCreateBuffer(transfer->context, CL_MEM_READ_WRITE | flags, (size_t)bytes, NULL, code);
}

tally_status tally_transfer_buffer(tally_transfer *transfer, uint64_t bytes, cl_mem *buffer,
                                   tally_error *error) {
    cl_int code;
    *buffer = make_buffer(transfer, 0, bytes, &code);
    return tally_cl_check(code, "clCreateBuffer", error);
}

/* Pinned memory, mapped for as long as the slot is there. None is no failure: plain memory does. */
static void open_pinned(tally_transfer *transfer, tally_slot *slot, uint64_t bytes) {
    cl_int code;
    slot->pinned = make_buffer(transfer, CL_MEM_ALLOC_HOST_PTR, bytes, &code);
    if (slot->pinned == NULL)
        return;
    slot->host = clEnqueueMapBuffer(transfer->up, slot->pinned, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE,
                                    0, (size_t)bytes, 0, NULL, NULL, &code);
    slot->mapped = code == CL_SUCCESS;
    if (slot->mapped)
        return;
    clReleaseMemObject(slot->pinned);
    slot->pinned = NULL;
}

static tally_status open_host(tally_transfer *transfer, tally_slot *slot, uint64_t bytes,
                              tally_error *error) {
    open_pinned(transfer, slot, bytes);
    if (slot->pinned == NULL)
        slot->host = tally_host_take(NULL, (size_t)bytes);
    return slot->host != NULL ? TALLY_OK : tally_fail_memory(error, "a piece of a stream");
}

tally_status tally_slot_open(tally_transfer *transfer, tally_slot *slot, uint64_t bytes,
                             tally_error *error) {
    cl_int code = CL_SUCCESS;
    if (slot->own == NULL && (transfer->copies || slot->lent == NULL))
        slot->own =
            make_buffer(transfer, transfer->copies ? 0 : CL_MEM_ALLOC_HOST_PTR, bytes, &code);
    if (code != CL_SUCCESS)
        return tally_cl_check(code, "clCreateBuffer", error);
    if (slot->buffer == NULL)
        slot->buffer = slot->own;
    return transfer->copies && slot->lent == NULL && slot->host == NULL
               ? open_host(transfer, slot, bytes, error)
               : TALLY_OK;
}

void tally_slot_keep(cl_event *kept, cl_event event) {
    if (*kept != NULL)
        clReleaseEvent(*kept);
    *kept = event;
}

void tally_slot_take_back(tally_slot *slot) {
    if (slot->buffer != slot->own)
        clReleaseMemObject(slot->buffer);
    slot->buffer = slot->own;
    slot->offset = 0;
    slot->lent = NULL;
}

void tally_slot_close(tally_transfer *transfer, tally_slot *slot) {
    const cl_mem mapped = slot->pinned != NULL ? slot->pinned : slot->buffer;
    tally_slot_keep(&slot->moved, NULL);
    tally_slot_keep(&slot->used, NULL);
    if (slot->mapped &&
        clEnqueueUnmapMemObject(transfer->up, mapped, slot->host, 0, NULL, NULL) == CL_SUCCESS)
        clFinish(transfer->up);
    if (transfer->copies && slot->pinned == NULL)
        tally_host_give(NULL, slot->host);
    tally_slot_take_back(slot);
    if (slot->pinned != NULL)
        clReleaseMemObject(slot->pinned);
    if (slot->own != NULL)
        clReleaseMemObject(slot->own);
    memset(slot, 0, sizeof *slot);
}

/* ---- Transfers ------------------------------------------------------------------------------ */

static cl_uint count_of(const cl_event *event) {
    return *event != NULL ? 1 : 0;
}

static const cl_event *list_of(const cl_event *event) {
    return *event != NULL ? event : NULL;
}

/* Map the slot's buffer. An event that is NULL means that the call waits. */
static tally_status map(cl_command_queue queue, tally_slot *slot, cl_map_flags flags,
                        uint64_t bytes, cl_event *event, tally_error *error) {
    cl_int code;
    cl_event made = NULL;
    slot->host = clEnqueueMapBuffer(queue, slot->buffer, event == NULL ? CL_TRUE : CL_FALSE, flags,
                                    0, (size_t)bytes, count_of(&slot->used), list_of(&slot->used),
                                    event != NULL ? &made : NULL, &code);
    slot->mapped = code == CL_SUCCESS;
    if (slot->mapped && event != NULL)
        tally_slot_keep(event, made);
    return tally_cl_check(code, "clEnqueueMapBuffer", error);
}

/* What a driver leaves in the event of a call that fails is not looked at. */
static tally_status unmap(cl_command_queue queue, tally_slot *slot, cl_event *event,
                          tally_error *error) {
    cl_event made = NULL;
    const cl_int code = clEnqueueUnmapMemObject(queue, slot->buffer, slot->host, 0, NULL, &made);
    slot->mapped = code != CL_SUCCESS;
    tally_status status = tally_cl_check(code, "clEnqueueUnmapMemObject", error);
    if (status == TALLY_OK)
        tally_slot_keep(event, made);
    return status == TALLY_OK ? flush(queue, error) : status;
}

static tally_status wait_for(cl_event *event, tally_error *error) {
    if (*event == NULL)
        return TALLY_OK;
    tally_status status = tally_cl_check(clWaitForEvents(1, event), "clWaitForEvents", error);
    tally_slot_keep(event, NULL);
    return status;
}

/*
 * A buffer in memory that is lent, in the place of the slot's own. Kernels take it for aligned, so
 * that of an input may begin before the piece; what lies before an output is not to be written.
 */
static void wrap(const tally_transfer *transfer, tally_slot *slot, char *memory, uint64_t bytes,
                 bool output) {
    const size_t before = (uintptr_t)memory % transfer->alignment;
    const cl_mem_flags flags = output ? CL_MEM_READ_WRITE : CL_MEM_READ_ONLY;
    cl_int code;
    if (before >= TALLY_HOST_BEFORE || (output && before != 0))
        return;
    cl_mem buffer = clCreateBuffer(transfer->context, CL_MEM_USE_HOST_PTR | flags,
                                   before + (size_t)bytes, memory - before, &code);
    if (buffer == NULL)
        return;
    if (slot->own != NULL)
        clReleaseMemObject(slot->own);
    slot->own = NULL;
    slot->buffer = buffer;
    slot->offset = before;
    slot->lent = memory;
}

tally_status tally_slot_lend(tally_transfer *transfer, tally_slot *slot, void *memory,
                             uint64_t bytes, bool output, tally_error *error) {
    tally_status status = wait_for(&slot->moved, error);
    if (transfer->copies) {
        slot->lent = memory;
        return status;
    }
    if (status == TALLY_OK)
        status = wait_for(&slot->used, error);
    if (status == TALLY_OK)
        wrap(transfer, slot, memory, bytes, output);
    return status;
}

tally_status tally_slot_begin(tally_transfer *transfer, tally_slot *slot, uint64_t bytes,
                              tally_error *error) {
    tally_status status = wait_for(&slot->moved, error);
    if (status != TALLY_OK || transfer->copies)
        return status;
    status = map(transfer->up, slot, CL_MAP_WRITE_INVALIDATE_REGION, bytes, NULL, error);
    if (status == TALLY_OK)
        tally_slot_keep(&slot->used, NULL);
    return status;
}

tally_status tally_slot_send(tally_transfer *transfer, tally_slot *slot, uint64_t bytes,
                             tally_error *error) {
    cl_event made = NULL;
    if (!transfer->copies)
        return slot->lent != NULL ? TALLY_OK : unmap(transfer->up, slot, &slot->moved, error);
    const cl_int code = clEnqueueWriteBuffer(transfer->up, slot->buffer, CL_FALSE, 0, (size_t)bytes,
                                             slot->lent != NULL ? slot->lent : slot->host,
                                             count_of(&slot->used), list_of(&slot->used), &made);
    tally_status status = tally_cl_check(code, "clEnqueueWriteBuffer", error);
    if (status != TALLY_OK)
        return status;
    tally_slot_keep(&slot->moved, made);
    tally_slot_keep(&slot->used, NULL);
    return flush(transfer->up, error);
}

static tally_status read_back(tally_transfer *transfer, tally_slot *slot, uint64_t bytes,
                              tally_error *error) {
    cl_event made = NULL;
    const cl_int code =
        clEnqueueReadBuffer(transfer->down, slot->buffer, CL_FALSE, 0, (size_t)bytes,
                            slot->lent != NULL ? slot->lent : slot->host, count_of(&slot->used),
                            list_of(&slot->used), &made);
    tally_status status = tally_cl_check(code, "clEnqueueReadBuffer", error);
    if (status == TALLY_OK)
        tally_slot_keep(&slot->moved, made);
    return status;
}

tally_status tally_slot_fetch(tally_transfer *transfer, tally_slot *slot, uint64_t bytes,
                              tally_error *error) {
    tally_status status = transfer->copies
                              ? read_back(transfer, slot, bytes, error)
                              : map(transfer->down, slot, CL_MAP_READ, bytes, &slot->moved, error);
    if (status != TALLY_OK)
        return status;
    tally_slot_keep(&slot->used, NULL);
    return flush(transfer->down, error);
}

tally_status tally_slot_wait(tally_slot *slot, tally_error *error) {
    return wait_for(&slot->moved, error);
}

tally_status tally_slot_end(tally_transfer *transfer, tally_slot *slot, tally_error *error) {
    return transfer->copies ? TALLY_OK : unmap(transfer->down, slot, &slot->used, error);
}
