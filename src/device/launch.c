/*
 * Enqueueing a plan's steps. On a queue that may run them in any order they are chained by events;
 * one that keeps their order needs none, and is faster without.
 */
#include "device/launch.h"

#include "device/clerror.h"

/* The fourth argument, of steps whose groups tell each other of their work, is the scratch. */
static tally_status set_arguments(cl_kernel kernel, const tally_step *step,
                                  const tally_args *arguments, cl_mem source, cl_mem target,
                                  cl_mem scratch, tally_error *error) {
    cl_int code = clSetKernelArg(kernel, 0, sizeof source, &source);
    if (code == CL_SUCCESS)
        code = clSetKernelArg(kernel, 1, sizeof target, &target);
    if (code == CL_SUCCESS)
        code = clSetKernelArg(kernel, 2, tally_spec_args_bytes(&step->spec), arguments);
    if (code == CL_SUCCESS && step->spec.phase != 0)
        code = clSetKernelArg(kernel, 3, sizeof scratch, &scratch);
    return tally_cl_check(code, "clSetKernelArg", error);
}

static cl_int enqueue(cl_command_queue queue, cl_kernel kernel, const tally_step *step,
                      cl_uint wait_count, const cl_event *wait_list, cl_event *event) {
    size_t local = step->group;
    size_t global = (size_t)step->groups * local;
    return clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, wait_count, wait_list,
                                  event);
}

static tally_status launch_step(const tally_plan *plan, uint32_t index, const tally_launch *launch,
                                cl_uint wait_count, const cl_event *wait_list, cl_event *event,
                                tally_error *error) {
    const tally_step *step = &plan->step[index];
    const tally_span *source = &launch->place[step->source];
    const tally_span *target = &launch->place[step->target];
    tally_args arguments = step->args;
    arguments.head.in_offset = (source->offset + step->source_offset) / step->source_bytes;
    arguments.head.out_offset = (target->offset + step->target_offset) / step->target_bytes;
    const tally_span *scratch = &launch->place[TALLY_IN_SCRATCH];
    if (step->spec.phase != 0)
        arguments.scan.words = scratch->offset / step->spec.word;
    /* A step that reads nothing still has the argument; some drivers refuse a NULL there. */
    cl_mem in = source->buffer != NULL ? source->buffer : target->buffer;
    tally_status status = set_arguments(launch->kernel[index], step, &arguments, in, target->buffer,
                                        scratch->buffer, error);
    if (status != TALLY_OK)
        return status;
    return tally_cl_check(
        enqueue(launch->queue, launch->kernel[index], step, wait_count, wait_list, event),
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

tally_status tally_launch_plan(const tally_plan *plan, const tally_launch *launch,
                               tally_error *error) {
    bool any_order = false;
    uint32_t first = 0, count = tally_plan_steps(plan, launch->in_place, &first);
    if (count == 0)
        return tally_cl_check(clEnqueueMarkerWithWaitList(launch->queue, launch->wait_count,
                                                          launch->wait_list, launch->event),
                              "clEnqueueMarkerWithWaitList", error);
    tally_status status = count > 1 ? query_any_order(launch->queue, &any_order, error) : TALLY_OK;
    cl_event before = NULL;
    for (uint32_t i = 0; i < count && status == TALLY_OK; i++) {
        bool last = i + 1 == count, chained = before != NULL;
        cl_event done = NULL;
        status = launch_step(plan, first + i, launch,
                             chained  ? 1
                             : i == 0 ? launch->wait_count
                                      : 0,
                             chained  ? &before
                             : i == 0 ? launch->wait_list
                                      : NULL,
                             last        ? launch->event
                             : any_order ? &done
                                         : NULL,
                             error);
        if (before != NULL)
            clReleaseEvent(before);
        before = status == TALLY_OK ? done : NULL; /* what a failed call left there is no event */
    }
    if (before != NULL)
        clReleaseEvent(before);
    return status;
}

tally_status tally_launch_dry(const tally_plan *plan, const cl_kernel *kernel,
                              const tally_device *device, bool *fits, tally_error *error) {
    *fits = true;
    for (uint32_t i = 0; i < plan->count && *fits; i++) {
        const tally_step *step = &plan->step[i];
        tally_args arguments = step->args;
        arguments.head.units = 0;
        tally_status status = set_arguments(kernel[i], step, &arguments, device->spare,
                                            device->spare, device->spare, error);
        if (status != TALLY_OK)
            return status;
        cl_int code = enqueue(device->queue, kernel[i], step, 0, NULL, NULL);
        *fits = code != CL_INVALID_WORK_GROUP_SIZE;
        if (*fits && code != CL_SUCCESS)
            return tally_cl_check(code, "clEnqueueNDRangeKernel", error);
    }
    return tally_cl_check(clFinish(device->queue), "clFinish", error);
}
