/*
 * Which ending a launch gets. Knows queues and events, no plans.
 */
#include "device/endings.h"

#include <string.h>

#include "base/host_memory.h"
#include "device/clerror.h"

/* A buffer of zeros; NULL if that fails. */
static tally_status make_zeros(const tally_device *device, size_t count, size_t bytes,
                               cl_mem *memory, tally_error *error) {
    cl_int code = CL_SUCCESS;
    *memory = NULL;
    void *zeros = tally_host_take_zeros(&device->allocator, count, bytes);
    if (zeros == NULL)
        return tally_fail_memory(error, "an operator's own memory");
    cl_mem made = clCreateBuffer(device->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                 count * bytes, zeros, &code);
    tally_host_give(&device->allocator, zeros);
    if (code == CL_SUCCESS) /* what a failed call left there is no buffer */
        *memory = made;
    return tally_cl_check(code, "clCreateBuffer", error);
}

tally_status tally_endings_make(tally_endings *endings, const tally_device *device, uint64_t bytes,
                                tally_error *error) {
    const bool counts = bytes == sizeof(cl_uint);
    endings->queues = counts ? TALLY_ENDINGS_QUEUES : TALLY_BOARD_QUEUES;
    endings->count = counts ? TALLY_ENDINGS : TALLY_BOARDS;
    return make_zeros(device, endings->count, (size_t)bytes, &endings->memory, error);
}

tally_status tally_endings_record(tally_endings *endings, const tally_device *device,
                                  uint64_t bytes, cl_mem *memory, tally_error *error) {
    const size_t used = endings->recorded_count * sizeof(cl_mem);
    cl_mem *list =
        tally_host_grow(&device->allocator, (void *)endings->recorded, used, used + sizeof(cl_mem));
    *memory = NULL;
    if (list == NULL)
        return tally_fail_memory(error, "a list of an operator's recordings");
    endings->recorded = list;
    endings->allocator = &device->allocator;
    tally_status status = make_zeros(device, 1, (size_t)bytes, memory, error);
    if (status == TALLY_OK)
        endings->recorded[endings->recorded_count++] = *memory;
    return status;
}

void tally_endings_free(tally_endings *endings) {
    for (uint32_t i = 0; i < TALLY_ENDINGS; i++)
        if (endings->event[i] != NULL)
            clReleaseEvent(endings->event[i]);
    for (uint32_t i = 0; i < TALLY_ENDINGS_QUEUES; i++)
        if (endings->queue[i] != NULL)
            clReleaseCommandQueue(endings->queue[i]);
    if (endings->memory != NULL)
        clReleaseMemObject(endings->memory);
    for (uint32_t i = 0; i < endings->recorded_count; i++)
        clReleaseMemObject(endings->recorded[i]);
    tally_host_give(endings->allocator, (void *)endings->recorded);
    memset(endings, 0, sizeof *endings);
}

/* Whether the launch of an event is over, be it by an error. */
static tally_status query_over(cl_event event, bool *over, tally_error *error) {
    cl_int state = CL_COMPLETE;
    cl_int code =
        clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
    *over = state <= CL_COMPLETE;
    return tally_cl_check(code, "clGetEventInfo", error);
}

/* A shared ending that no launch has; if there is none, the one that was taken longest ago. */
static tally_status take_shared(tally_endings *endings, tally_ending *ending, tally_error *error) {
    ending->shared = true;
    for (uint32_t i = endings->queues; i < endings->count; i++) {
        bool over = true;
        tally_status status =
            endings->event[i] != NULL ? query_over(endings->event[i], &over, error) : TALLY_OK;
        ending->index = i;
        if (status != TALLY_OK || over)
            return status;
    }
    if (endings->next < endings->queues || endings->next >= endings->count)
        endings->next = endings->queues;
    ending->index = endings->next++;
    ending->before = endings->event[ending->index];
    return TALLY_OK;
}

static tally_status take_ending(tally_endings *endings, cl_command_queue queue, bool any_order,
                                tally_ending *ending, tally_error *error) {
    for (uint32_t i = 0; i < endings->queues && !any_order; i++) {
        ending->index = i;
        if (endings->queue[i] == queue)
            return TALLY_OK;
        if (endings->queue[i] != NULL)
            continue;
        tally_status status =
            tally_cl_check(clRetainCommandQueue(queue), "clRetainCommandQueue", error);
        if (status == TALLY_OK)
            endings->queue[i] = queue;
        return status;
    }
    return take_shared(endings, ending, error);
}

tally_status tally_endings_begin(tally_endings *endings, cl_command_queue queue, bool any_order,
                                 tally_ending *ending, tally_error *error) {
    *ending = (tally_ending){0};
    tally_status status = take_ending(endings, queue, any_order, ending, error);
    if (status == TALLY_OK && ++endings->launches[ending->index] == 0)
        endings->launches[ending->index] = 1; /* 0 is what no launch left in a board */
    if (status == TALLY_OK)
        ending->launch = endings->launches[ending->index];
    return status;
}

void tally_endings_end(tally_endings *endings, const tally_ending *ending, cl_event event) {
    if (endings->event[ending->index] != NULL)
        clReleaseEvent(endings->event[ending->index]);
    endings->event[ending->index] = event;
}
