/*
 * Enqueueing a plan's steps. On a queue that may run them in any order they are chained by events;
 * one that keeps their order needs none, and is faster without.
 */
#include "device/launch.h"

#include "device/clerror.h"

static cl_int enqueue(cl_command_queue queue, cl_kernel kernel, const tally_step *step,
                      cl_uint wait_count, const cl_event *wait_list, cl_event *event) {
    size_t local = step->group;
    size_t global = (size_t)step->groups * local;
    return clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, wait_count, wait_list,
                                  event);
}

/* Whether a step has an ending. */
static bool has_ending(const tally_step *step) {
    return step->spec.closing != 0 || tally_spec_carry(&step->spec) == TALLY_CARRY_LOOK_BACK;
}

static tally_status launch_step(const tally_plan *plan, uint32_t index, const tally_launch *launch,
                                cl_uint wait_count, const cl_event *wait_list, cl_event *event,
                                tally_error *error) {
    const cl_kernel kernel = launch->kernel[index];
    const cl_mem endings = launch->endings != NULL ? launch->endings->memory : NULL;
    tally_arguments arguments;
    tally_arguments_find(plan, index, launch->region, endings, &launch->ending, &arguments);
    tally_status status = tally_arguments_set(&arguments, kernel, error);
    if (status != TALLY_OK)
        return status;
    return tally_cl_check(
        enqueue(launch->queue, kernel, &plan->step[index], wait_count, wait_list, event),
        "clEnqueueNDRangeKernel", error);
}

/* Whether the queue may start a command before the one enqueued before it has ended. */
static tally_status query_any_order(cl_command_queue queue, bool *any_order, tally_error *error) {
    cl_command_queue_properties properties = 0;
    cl_int code =
        clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof properties, &properties, NULL);
    *any_order = (properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) != 0;
    return tally_cl_check(code, "clGetCommandQueueInfo", error);
}

/* Give the caller, if it wants one, an event that somebody else keeps as well. */
static tally_status share_event(cl_event kept, cl_event *event, tally_error *error) {
    if (event == NULL)
        return TALLY_OK;
    tally_status status = tally_cl_check(clRetainEvent(kept), "clRetainEvent", error);
    if (status == TALLY_OK)
        *event = kept;
    return status;
}

/*
 * The launch of a step that has an ending: behind the one that had the ending before, if any. A
 * shared ending takes over the launch's event before anything else can fail, so that nobody else
 * gets the ending while the kernel runs.
 */
static tally_status launch_with_ending(const tally_plan *plan, uint32_t index,
                                       const tally_launch *of_plan, bool any_order,
                                       cl_uint wait_count, const cl_event *wait_list,
                                       cl_event *event, tally_error *error) {
    tally_launch launch = *of_plan;
    const tally_ending *ending = &launch.ending;
    cl_event own = NULL, *list = NULL;
    tally_status status =
        tally_endings_begin(launch.endings, launch.queue, any_order, &launch.ending, error);
    if (status == TALLY_OK && ending->before != NULL) {
        list = tally_host_take_zeros(launch.allocator, (size_t)wait_count + 1, sizeof *list);
        if (list == NULL)
            return tally_fail_memory(error, "a list of events");
        for (cl_uint i = 0; i < wait_count; i++)
            list[i] = wait_list[i];
        list[wait_count++] = ending->before;
        wait_list = list;
    }
    if (status == TALLY_OK)
        status = launch_step(plan, index, &launch, wait_count, wait_list,
                             ending->shared ? &own : event, error);
    tally_host_give(launch.allocator, list);
    if (status == TALLY_OK && ending->shared) {
        tally_endings_end(launch.endings, ending, own);
        status = share_event(own, event, error);
    }
    return status;
}

/* What a launch waits for: the one before, or if it is the first what the caller says. */
typedef struct waits {
    cl_uint count;
    const cl_event *list;
} waits;

static waits waits_of(const tally_launch *launch, uint32_t number, const cl_event *before) {
    if (*before != NULL)
        return (waits){1, before};
    return number == 0 ? (waits){launch->wait_count, launch->wait_list} : (waits){0, NULL};
}

static tally_status launch_one(const tally_plan *plan, uint32_t index, const tally_launch *launch,
                               bool any_order, const waits *behind, cl_event *event,
                               tally_error *error) {
    if (has_ending(&plan->step[index]))
        return launch_with_ending(plan, index, launch, any_order, behind->count, behind->list,
                                  event, error);
    return launch_step(plan, index, launch, behind->count, behind->list, event, error);
}

/* Where the i-th launch's event goes: to the caller, to the next launch (done), or nowhere. */
static cl_event *event_of(const tally_launch *launch, uint32_t i, bool last, bool any_order,
                          cl_event *done) {
    if (launch->events != NULL)
        return &launch->events[i];
    return last ? launch->event : any_order ? done : NULL;
}

/*
 * Enqueue them one after the other. What a launch waits for is the caller's, or one of our own that
 * goes when the launch is enqueued. What a failed call left as its event is none.
 */
static tally_status launch_all(const tally_plan *plan, uint32_t first, uint32_t count,
                               const tally_launch *launch, bool any_order, tally_error *error) {
    tally_status status = TALLY_OK;
    cl_event own = NULL;
    for (uint32_t i = 0; i < count && status == TALLY_OK; i++) {
        cl_event done = NULL, *event = event_of(launch, i, i + 1 == count, any_order, &done);
        const bool theirs = launch->events != NULL && any_order && i > 0;
        const cl_event before = theirs ? launch->events[i - 1] : own;
        const waits behind = waits_of(launch, i, &before);
        status = launch_one(plan, first + i, launch, any_order, &behind, event, error);
        if (own != NULL)
            clReleaseEvent(own);
        own = status == TALLY_OK ? done : NULL;
        if (status == TALLY_OK && launch->events != NULL)
            ++*launch->launched;
    }
    if (own != NULL)
        clReleaseEvent(own);
    return status;
}

tally_status tally_launch_plan(const tally_plan *plan, const tally_launch *launch,
                               tally_error *error) {
    bool any_order = false;
    uint32_t first = 0;
    const uint32_t count = tally_plan_steps(plan, launch->in_place, &first) - plan->closing;
    if (count == 0) {
        cl_event *event = event_of(launch, 0, true, any_order, NULL);
        tally_status status =
            tally_cl_check(clEnqueueMarkerWithWaitList(launch->queue, launch->wait_count,
                                                       launch->wait_list, event),
                           "clEnqueueMarkerWithWaitList", error);
        if (launch->events != NULL)
            *launch->launched = status == TALLY_OK;
        return status;
    }
    tally_status status = count > 1 || plan->closing || plan->board > 0
                              ? query_any_order(launch->queue, &any_order, error)
                              : TALLY_OK;
    return status == TALLY_OK ? launch_all(plan, first, count, launch, any_order, error) : status;
}

tally_status tally_launch_dry(const tally_plan *plan, const cl_kernel *kernel,
                              const tally_device *device, bool *fits, tally_error *error) {
    *fits = true;
    for (uint32_t i = 0; i < tally_plan_launch_count(plan) && *fits; i++) {
        const tally_step *step = &plan->step[i];
        tally_arguments arguments;
        tally_arguments_find_dry(step, device->spare, &arguments);
        tally_status status = tally_arguments_set(&arguments, kernel[i], error);
        if (status != TALLY_OK)
            return status;
        cl_int code = enqueue(device->queue, kernel[i], step, 0, NULL, NULL);
        *fits = code != CL_INVALID_WORK_GROUP_SIZE;
        if (*fits && code != CL_SUCCESS)
            return tally_cl_check(code, "clEnqueueNDRangeKernel", error);
    }
    return tally_cl_check(clFinish(device->queue), "clFinish", error);
}
