/*
 * The life of an operator: made, enqueued, released.
 */
#include "api/operator.h"

#include "device/clerror.h"

tally_status tally_op_begin(const tally_runtime *runtime, tally_op **op, tally_error *error) {
    tally_error_clear(error);
    if (op == NULL)
        return tally_fail(error, TALLY_INVALID, "the place for the operator is NULL");
    *op = NULL;
    if (runtime == NULL)
        return tally_fail(error, TALLY_INVALID, "the runtime is NULL");
    return TALLY_OK;
}

tally_status tally_op_make(tally_runtime *runtime, const tally_problem *problem, tally_op **op,
                           tally_error *error) {
    tally_limits limits = runtime->device.limits;
    if (problem->kind == TALLY_KIND_SCAN)
        tally_trial_settle(&runtime->trial, &runtime->device, &runtime->kernels, problem, &limits);
    const tally_allocator *allocator = &runtime->device.allocator;
    tally_op *made = tally_host_take_zeros(allocator, 1, sizeof *made);
    if (made == NULL)
        return tally_fail_memory(error, "an operator");
    tally_count_init(&made->count);
    if (!tally_lock_init(&made->lock)) {
        tally_host_give(allocator, made);
        return tally_fail_memory(error, "a lock");
    }
    tally_runtime_retain(runtime);
    made->runtime = runtime;
    made->problem = *problem;
    made->description = tally_text_from(allocator);
    tally_status status = tally_executable_make(&made->executable, &runtime->device,
                                                &runtime->kernels, problem, &limits, error);
    if (status == TALLY_OK) {
        tally_plan_describe(&made->executable.plan, &made->description);
        if (made->description.failed)
            status = tally_fail_memory(error, "a plan's description");
    }
    if (status != TALLY_OK) {
        tally_op_release(made);
        return status;
    }
    *op = made;
    return TALLY_OK;
}

void tally_op_retain(tally_op *op) {
    if (op != NULL)
        tally_count_retain(&op->count);
}

void tally_op_release(tally_op *op) {
    if (op == NULL || !tally_count_release(&op->count))
        return;
    tally_executable_free(&op->executable);
    tally_text_free(&op->description);
    tally_lock_destroy(&op->lock);
    tally_runtime *runtime = op->runtime;
    tally_host_give(&runtime->device.allocator, op);
    tally_runtime_release(runtime);
}

size_t tally_op_scratch_size(const tally_op *op) {
    return op != NULL ? (size_t)op->executable.plan.scratch : 0;
}

const char *tally_op_describe(const tally_op *op) {
    return op != NULL ? op->description.data : "";
}

tally_status tally_check_queue(const tally_op *op, cl_command_queue queue, tally_error *error) {
    cl_context context = NULL;
    cl_device_id device = NULL;
    if (queue == NULL)
        return tally_fail(error, TALLY_INVALID, "the queue is NULL");
    cl_int code =
        clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof(cl_context), (void *)&context, NULL);
    if (code == CL_SUCCESS)
        code = clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof(cl_device_id), (void *)&device,
                                     NULL);
    if (code != CL_SUCCESS)
        return tally_cl_check(code, "clGetCommandQueueInfo", error);
    if (context != op->runtime->device.context)
        return tally_fail(error, TALLY_INVALID, "the queue is of another context than the runtime");
    if (device != op->runtime->device.id)
        return tally_fail(error, TALLY_INVALID, "the queue is of another device than the runtime");
    return TALLY_OK;
}

tally_status tally_check_waits(uint32_t wait_count, const void *wait_list, tally_error *error) {
    if ((wait_count == 0) != (wait_list == NULL))
        return tally_fail(error, TALLY_INVALID, "wait_count is %u, but wait_list is %s",
                          (unsigned)wait_count, wait_list == NULL ? "NULL" : "not NULL");
    return TALLY_OK;
}

static tally_status check_events(uint32_t wait_count, const cl_event *wait_list,
                                 tally_error *error) {
    tally_status status = tally_check_waits(wait_count, (const void *)wait_list, error);
    for (cl_uint i = 0; i < wait_count && status == TALLY_OK; i++)
        if (wait_list[i] == NULL)
            return tally_fail(error, TALLY_INVALID, "event %u of %u to wait for is NULL",
                              (unsigned)i, (unsigned)wait_count);
    return status;
}

/* Check what all ways to enqueue are given, and enqueue. */
static tally_status enqueue(tally_op *op, const tally_binding *binding, const tally_view *carry,
                            tally_launch *launch, tally_error *error) {
    tally_status status = tally_check_queue(op, launch->queue, error);
    if (status == TALLY_OK)
        status = check_events(launch->wait_count, launch->wait_list, error);
    if (status == TALLY_OK)
        status = tally_binding_check(op, binding, carry, launch, error);
    if (status != TALLY_OK)
        return status;
    launch->allocator = &op->runtime->device.allocator;
    launch->kernel = op->executable.kernel;
    launch->endings = &op->executable.endings;
    tally_lock_acquire(&op->lock);
    status = tally_launch_plan(&op->executable.plan, launch, error);
    tally_lock_release(&op->lock);
    return status;
}

tally_status tally_op_enqueue_with(tally_op *op, cl_command_queue queue,
                                   const tally_binding *binding, const tally_view *carry,
                                   uint32_t wait_count, const cl_event *wait_list, cl_event *event,
                                   tally_error *error) {
    tally_launch launch = {
        .queue = queue, .wait_count = wait_count, .wait_list = wait_list, .event = event};
    tally_error_clear(error);
    if (event != NULL)
        *event = NULL;
    if (op == NULL)
        return tally_fail(error, TALLY_INVALID, "the operator is NULL");
    tally_status status = enqueue(op, binding, carry, &launch, error);
    if (status != TALLY_OK && event != NULL)
        *event = NULL;
    return status;
}

tally_status tally_op_enqueue(tally_op *op, cl_command_queue queue, const tally_binding *binding,
                              uint32_t wait_count, const cl_event *wait_list, cl_event *event,
                              tally_error *error) {
    return tally_op_enqueue_with(op, queue, binding, NULL, wait_count, wait_list, event, error);
}

uint32_t tally_op_launches(const tally_op *op) {
    return op != NULL ? tally_plan_most_launches(&op->executable.plan) : 0;
}

tally_status tally_op_enqueue_launches(tally_op *op, cl_command_queue queue,
                                       const tally_binding *binding, uint32_t wait_count,
                                       const cl_event *wait_list, cl_event *events, uint32_t *count,
                                       tally_error *error) {
    tally_launch launch = {.queue = queue,
                           .wait_count = wait_count,
                           .wait_list = wait_list,
                           .events = events,
                           .launched = count};
    tally_error_clear(error);
    if (count != NULL)
        *count = 0;
    if (op == NULL || events == NULL || count == NULL)
        return tally_fail(error, TALLY_INVALID, "the %s is NULL",
                          op == NULL       ? "operator"
                          : events == NULL ? "place for the events"
                                           : "place for their number");
    tally_status status = enqueue(op, binding, NULL, &launch, error);
    for (uint32_t i = 0; status != TALLY_OK && i < *count; i++)
        clReleaseEvent(events[i]);
    if (status != TALLY_OK)
        *count = 0;
    return status;
}
