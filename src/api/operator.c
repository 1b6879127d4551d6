/*
 * The life of an operator: planned, given kernels, enqueued, released.
 */
#include "api/operator.h"

#include <inttypes.h>
#include <stdlib.h>

#include "device/clerror.h"

/* Plans made anew because a built kernel allows smaller groups than its device promised. */
#define REPLANS 3

static void release_kernels(tally_op *op) {
    for (uint32_t i = 0; i < TALLY_MAX_STEPS; i++) {
        if (op->kernel[i] != NULL)
            clReleaseKernel(op->kernel[i]);
        op->kernel[i] = NULL;
    }
}

/*
 * The work-items that the kernel's groups may have; registers may leave less than the device's. A
 * driver may have built a kernel for larger groups than it owns up to (NVIDIA's says 256 of most of
 * its kernels): those are trusted until a dry launch is refused.
 */
static tally_status query_group_max(const tally_op *op, uint32_t step, bool trusting,
                                    uint64_t *group_max, tally_error *error) {
    const cl_kernel kernel = op->kernel[step];
    const cl_device_id device = op->runtime->device.id;
    size_t most = 0, built[3] = {0};
    cl_int code = clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_WORK_GROUP_SIZE, sizeof most,
                                           &most, NULL);
    if (code == CL_SUCCESS && trusting)
        code = clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
                                        sizeof built, built, NULL);
    *group_max = built[0] > most ? built[0] : most;
    return tally_cl_check(code, "clGetKernelWorkGroupInfo", error);
}

tally_program_key tally_op_program(const tally_op *op, uint32_t step) {
    const tally_spec *specs[TALLY_MAX_STEPS] = {NULL};
    for (uint32_t i = 0; i < tally_plan_launch_count(&op->plan); i++)
        specs[i] = &op->plan.step[i].spec;
    return tally_kernels_key(&op->runtime->device, specs[step], specs,
                             tally_plan_launch_count(&op->plan));
}

/* Kernels for the plan. *fits is false if one of them can't run in the plan's groups. */
static tally_status make_kernels(tally_op *op, bool trusting, tally_limits *limits, bool *fits,
                                 tally_error *error) {
    *fits = true;
    for (uint32_t i = 0; i < tally_plan_launch_count(&op->plan) && *fits; i++) {
        const tally_step *step = &op->plan.step[i];
        const tally_program_key key = tally_op_program(op, i);
        uint64_t group_max = 0;
        bool loaded = false;
        tally_status status = tally_kernels_make(&op->runtime->kernels, &op->runtime->device, &key,
                                                 &step->spec, &op->kernel[i], &loaded, error);
        op->loaded = op->loaded || loaded;
        if (status == TALLY_OK)
            status = query_group_max(op, i, trusting, &group_max, error);
        if (status != TALLY_OK)
            return status;
        *fits = group_max >= step->group;
        if (!*fits)
            limits->group_max = group_max > 0 ? group_max : 1;
    }
    return TALLY_OK;
}

static void keep_programs(const tally_op *op) {
    for (uint32_t i = 0; i < tally_plan_launch_count(&op->plan); i++) {
        const tally_program_key key = tally_op_program(op, i);
        tally_kernels_keep(&op->runtime->kernels, &op->runtime->device, &key);
    }
}

static tally_status plan_and_build(tally_op *op, tally_limits limits, tally_error *error) {
    bool fits = false, trusting = true;
    op->loaded = false;
    for (int attempt = 0; attempt <= REPLANS && !fits; attempt++) {
        release_kernels(op);
        op->limits = limits;
        tally_status status = tally_plan_make(&op->problem, &limits, &op->plan, error);
        if (status == TALLY_OK)
            status = make_kernels(op, trusting, &limits, &fits, error);
        if (status == TALLY_OK && fits) {
            status = tally_launch_dry(&op->plan, op->kernel, &op->runtime->device, &fits, error);
            trusting = trusting && fits;
        }
        if (status != TALLY_OK)
            return status;
        keep_programs(op); /* the next process will ask for those that do not fit as well */
    }
    if (fits)
        return TALLY_OK;
    return tally_fail(error, TALLY_UNSUPPORTED,
                      "the device's kernels allow groups of %" PRIu64
                      " work-items, fewer than any plan found in %d attempts",
                      limits.group_max, REPLANS + 1);
}

/*
 * A binary that the driver took and can't use after all is no reason to fail: its program is built
 * from source. That another thread has just done so is one to try again too.
 */
static tally_status build(tally_op *op, const tally_limits *limits, tally_error *error) {
    tally_status status = plan_and_build(op, *limits, error);
    if (status == TALLY_OK || status == TALLY_OUT_OF_MEMORY || !op->loaded)
        return status;
    for (uint32_t i = 0; i < tally_plan_launch_count(&op->plan); i++) {
        const tally_program_key key = tally_op_program(op, i);
        tally_kernels_renew(&op->runtime->kernels, &op->runtime->device, &key);
    }
    tally_error_clear(error);
    return plan_and_build(op, *limits, error);
}

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
        tally_trial_settle(runtime, problem, &limits);
    return tally_op_make_within(runtime, problem, &limits, op, error);
}

tally_status tally_op_make_within(tally_runtime *runtime, const tally_problem *problem,
                                  const tally_limits *limits, tally_op **op, tally_error *error) {
    tally_op *made = calloc(1, sizeof *made);
    if (made == NULL)
        return tally_fail_memory(error, "an operator");
    if (!tally_lock_init(&made->lock)) {
        free(made);
        return tally_fail_memory(error, "a lock");
    }
    tally_count_retain(&runtime->count);
    made->runtime = runtime;
    made->problem = *problem;
    tally_status status = build(made, limits, error);
    const uint64_t own = made->plan.closing ? sizeof(cl_uint) : made->plan.board;
    if (status == TALLY_OK && own > 0)
        status = tally_endings_make(&made->endings, &runtime->device, own, error);
    if (status == TALLY_OK) {
        tally_plan_describe(&made->plan, &made->description);
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

void tally_op_release(tally_op *op) {
    if (op == NULL)
        return;
    release_kernels(op);
    tally_endings_free(&op->endings);
    tally_text_free(&op->description);
    tally_lock_destroy(&op->lock);
    tally_runtime_release(op->runtime);
    free(op);
}

size_t tally_op_scratch_size(const tally_op *op) {
    return op != NULL ? (size_t)op->plan.scratch : 0;
}

const char *tally_op_describe(const tally_op *op) {
    return op != NULL ? op->description.data : "";
}

/* A queue takes kernels of its own context and device only. */
static tally_status check_queue(const tally_op *op, cl_command_queue queue, tally_error *error) {
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

static tally_status check_events(cl_uint wait_count, const cl_event *wait_list,
                                 tally_error *error) {
    if ((wait_count == 0) != (wait_list == NULL))
        return tally_fail(error, TALLY_INVALID, "wait_count is %u, but wait_list is %s",
                          (unsigned)wait_count, wait_list == NULL ? "NULL" : "not NULL");
    for (cl_uint i = 0; i < wait_count; i++)
        if (wait_list[i] == NULL)
            return tally_fail(error, TALLY_INVALID, "event %u of %u to wait for is NULL",
                              (unsigned)i, (unsigned)wait_count);
    return TALLY_OK;
}

tally_status tally_op_enqueue(tally_op *op, cl_command_queue queue, const tally_binding *binding,
                              cl_uint wait_count, const cl_event *wait_list, cl_event *event,
                              tally_error *error) {
    tally_launch launch = {
        .queue = queue, .wait_count = wait_count, .wait_list = wait_list, .event = event};
    tally_error_clear(error);
    if (event != NULL)
        *event = NULL;
    if (op == NULL)
        return tally_fail(error, TALLY_INVALID, "the operator is NULL");
    tally_status status = check_queue(op, queue, error);
    if (status == TALLY_OK)
        status = check_events(wait_count, wait_list, error);
    if (status == TALLY_OK)
        status = tally_binding_check(op, binding, &launch, error);
    if (status != TALLY_OK)
        return status;
    launch.kernel = op->kernel;
    launch.endings = &op->endings;
    tally_lock_acquire(&op->lock);
    status = tally_launch_plan(&op->plan, &launch, error);
    tally_lock_release(&op->lock);
    if (status != TALLY_OK && event != NULL)
        *event = NULL;
    return status;
}
