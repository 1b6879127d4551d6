/*
 * Queues and slots. Each queue is flushed after what is enqueued: another queue waits for it, and a
 * driver may otherwise never begin it.
 */
#include "stream/transfer.h"

#include <string.h>

#include "base/host_memory.h"
#include "device/clerror.h"

/* ---- Queues --------------------------------------------------------------------------------- */

static tally_status make_queue(cl_context context, cl_device_id device, cl_command_queue *queue,
                               tally_error *error) {
    cl_int code;
    *queue = clCreateCommandQueue(context, device, 0, &code);
    return tally_cl_check(code, "clCreateCommandQueue", error);
}

tally_status tally_transfer_open(tally_transfer *transfer, cl_context context, cl_device_id device,
                                 bool copies, tally_error *error) {
    memset(transfer, 0, sizeof *transfer);
    transfer->context = context;
    transfer->copies = copies;
    tally_status status = make_queue(context, device, &transfer->up, error);
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

tally_status tally_slot_open(tally_transfer *transfer, tally_slot *slot, uint64_t bytes,
                             tally_error *error) {
    cl_int code;
    memset(slot, 0, sizeof *slot);
    slot->buffer =
        make_buffer(transfer, transfer->copies ? 0 : CL_MEM_ALLOC_HOST_PTR, bytes, &code);
    if (slot->buffer == NULL)
        return tally_cl_check(code, "clCreateBuffer", error);
    if (!transfer->copies)
        return TALLY_OK;
    open_pinned(transfer, slot, bytes);
    if (slot->pinned == NULL)
        slot->host = tally_host_take(NULL, (size_t)bytes);
    return slot->host != NULL ? TALLY_OK : tally_fail_memory(error, "a piece of a stream");
}

void tally_slot_keep(cl_event *kept, cl_event event) {
    if (*kept != NULL)
        clReleaseEvent(*kept);
    *kept = event;
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
    if (slot->pinned != NULL)
        clReleaseMemObject(slot->pinned);
    if (slot->buffer != NULL)
        clReleaseMemObject(slot->buffer);
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
        return unmap(transfer->up, slot, &slot->moved, error);
    const cl_int code =
        clEnqueueWriteBuffer(transfer->up, slot->buffer, CL_FALSE, 0, (size_t)bytes, slot->host,
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
        clEnqueueReadBuffer(transfer->down, slot->buffer, CL_FALSE, 0, (size_t)bytes, slot->host,
                            count_of(&slot->used), list_of(&slot->used), &made);
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
