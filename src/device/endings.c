/*
 * Which ending a launch gets. Knows queues and events, no plans.
 */
#include "device/endings.h"

#include <string.h>

#include "device/clerror.h"

tally_status tally_endings_make(tally_endings *endings, const tally_device *device, uint64_t bytes,
                                tally_error *error) {
    const bool counts = bytes == sizeof(cl_uint);
    cl_int code = CL_SUCCESS;
    endings->queues = counts ? TALLY_ENDINGS_QUEUES : TALLY_BOARD_QUEUES;
    endings->count = counts ? TALLY_ENDINGS : TALLY_BOARDS;
    void *zeros = tally_memory_take_zeros(&device->allocator, endings->count, (size_t)bytes);
    if (zeros == NULL)
        return tally_fail_memory(error, "an operator's own memory");
    endings->memory = clCreateBuffer(device->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                     endings->count * (size_t)bytes, zeros, &code);
    tally_memory_give(&device->allocator, zeros);
    if (code != CL_SUCCESS)
        endings->memory = NULL; /* what a failed call left there is no buffer */
    return tally_cl_check(code, "clCreateBuffer", error);
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
