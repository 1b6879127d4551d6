/*
 * Enqueueing a plan's steps. They are chained by events, so that queues of either order are right.
 */
#include "device/launch.h"

#include "device/clerror.h"

static tally_status set_arguments(cl_kernel kernel, const tally_step *step,
                                  const tally_args *arguments, cl_mem source, cl_mem target,
                                  tally_error *error) {
    cl_int code = clSetKernelArg(kernel, 0, sizeof source, &source);
    if (code == CL_SUCCESS)
        code = clSetKernelArg(kernel, 1, sizeof target, &target);
    if (code == CL_SUCCESS)
        code = clSetKernelArg(kernel, 2, tally_spec_args_bytes(&step->spec), arguments);
    return tally_cl_check(code, "clSetKernelArg", error);
}

static tally_status enqueue(cl_command_queue queue, cl_kernel kernel, const tally_step *step,
                            cl_uint wait_count, const cl_event *wait_list, cl_event *event,
                            tally_error *error) {
    size_t local = step->group;
    size_t global = (size_t)step->groups * local;
    cl_int code = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, wait_count,
                                         wait_list, event);
    return tally_cl_check(code, "clEnqueueNDRangeKernel", error);
}

static tally_status launch_step(const tally_plan *plan, uint32_t index, const tally_launch *launch,
                                const cl_event *before, cl_event *event, tally_error *error) {
    const tally_step *step = &plan->step[index];
    const tally_span *source = &launch->place[step->source];
    const tally_span *target = &launch->place[step->target];
    tally_args arguments = step->args;
    arguments.head.in_offset = (source->offset + step->source_offset) / step->source_bytes;
    arguments.head.out_offset = (target->offset + step->target_offset) / step->target_bytes;
    /* A step that reads nothing still has the argument; some drivers refuse a NULL there. */
    cl_mem in = source->buffer != NULL ? source->buffer : target->buffer;
    tally_status status =
        set_arguments(launch->kernel[index], step, &arguments, in, target->buffer, error);
    if (status != TALLY_OK)
        return status;
    bool chained = *before != NULL;
    return enqueue(launch->queue, launch->kernel[index], step, chained ? 1 : launch->wait_count,
                   chained ? before : launch->wait_list, event, error);
}

tally_status tally_launch_plan(const tally_plan *plan, const tally_launch *launch,
                               tally_error *error) {
    if (plan->count == 0)
        return tally_cl_check(clEnqueueMarkerWithWaitList(launch->queue, launch->wait_count,
                                                          launch->wait_list, launch->event),
                              "clEnqueueMarkerWithWaitList", error);
    tally_status status = TALLY_OK;
    cl_event before = NULL;
    for (uint32_t i = 0; i < plan->count && status == TALLY_OK; i++) {
        bool last = i + 1 == plan->count;
        cl_event done = NULL;
        status = launch_step(plan, i, launch, &before, last ? launch->event : &done, error);
        if (before != NULL)
            clReleaseEvent(before);
        before = done;
    }
    if (before != NULL)
        clReleaseEvent(before);
    return status;
}

tally_status tally_launch_dry(const tally_plan *plan, const cl_kernel *kernel,
                              const tally_device *device, tally_error *error) {
    for (uint32_t i = 0; i < plan->count; i++) {
        const tally_step *step = &plan->step[i];
        tally_args arguments = step->args;
        arguments.head.units = 0;
        tally_status status =
            set_arguments(kernel[i], step, &arguments, device->spare, device->spare, error);
        if (status == TALLY_OK)
            status = enqueue(device->queue, kernel[i], step, 0, NULL, NULL, error);
        if (status != TALLY_OK)
            return status;
    }
    return tally_cl_check(clFinish(device->queue), "clFinish", error);
}
