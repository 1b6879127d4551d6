/*
 * Planning a problem and getting the kernels of the plan, until both fit each other.
 */
#include "device/executable.h"

#include <inttypes.h>

#include "device/clerror.h"
#include "device/launch.h"

/* Plans made anew because a built kernel allows smaller groups than its device promised. */
#define REPLANS 3

static void release_kernels(tally_executable *of) {
    for (uint32_t i = 0; i < TALLY_MAX_STEPS; i++) {
        if (of->kernel[i] != NULL)
            clReleaseKernel(of->kernel[i]);
        of->kernel[i] = NULL;
    }
}

/*
 * The work-items that the kernel's groups may have; registers may leave less than the device's. A
 * driver may have built a kernel for larger groups than it owns up to (NVIDIA's says 256 of most of
 * its kernels): those are trusted until a dry launch is refused.
 */
static tally_status query_group_max(const tally_executable *of, uint32_t step, bool trusting,
                                    uint64_t *group_max, tally_error *error) {
    const cl_kernel kernel = of->kernel[step];
    const cl_device_id device = of->device->id;
    size_t most = 0, built[3] = {0};
    cl_int code = clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_WORK_GROUP_SIZE, sizeof most,
                                           &most, NULL);
    if (code == CL_SUCCESS && trusting)
        code = clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
                                        sizeof built, built, NULL);
    *group_max = built[0] > most ? built[0] : most;
    return tally_cl_check(code, "clGetKernelWorkGroupInfo", error);
}

tally_program_key tally_executable_program(const tally_executable *of, uint32_t step) {
    const tally_spec *specs[TALLY_MAX_STEPS] = {NULL};
    for (uint32_t i = 0; i < tally_plan_launch_count(&of->plan); i++)
        specs[i] = &of->plan.step[i].spec;
    return tally_kernels_key(of->device, specs[step], specs, tally_plan_launch_count(&of->plan));
}

/* Kernels for the plan. *fits is false if one of them can't run in the plan's groups. */
static tally_status make_kernels(tally_executable *of, bool trusting, tally_limits *limits,
                                 bool *fits, tally_error *error) {
    *fits = true;
    for (uint32_t i = 0; i < tally_plan_launch_count(&of->plan) && *fits; i++) {
        const tally_step *step = &of->plan.step[i];
        const tally_program_key key = tally_executable_program(of, i);
        uint64_t group_max = 0;
        bool loaded = false;
        tally_status status = tally_kernels_make(of->kernels, of->device, &key, &step->spec,
                                                 &of->kernel[i], &loaded, error);
        of->loaded = of->loaded || loaded;
        if (status == TALLY_OK)
            status = query_group_max(of, i, trusting, &group_max, error);
        if (status != TALLY_OK)
            return status;
        *fits = group_max >= step->group;
        if (!*fits)
            limits->group_max = group_max > 0 ? group_max : 1;
    }
    return TALLY_OK;
}

static void keep_programs(const tally_executable *of) {
    for (uint32_t i = 0; i < tally_plan_launch_count(&of->plan); i++) {
        const tally_program_key key = tally_executable_program(of, i);
        tally_kernels_keep(of->kernels, of->device, &key);
    }
}

static tally_status plan_and_build(tally_executable *of, const tally_problem *problem,
                                   tally_limits limits, tally_error *error) {
    bool fits = false, trusting = true;
    of->loaded = false;
    for (int attempt = 0; attempt <= REPLANS && !fits; attempt++) {
        release_kernels(of);
        of->limits = limits;
        tally_status status = tally_plan_make(problem, &limits, &of->plan, error);
        if (status == TALLY_OK)
            status = make_kernels(of, trusting, &limits, &fits, error);
        if (status == TALLY_OK && fits) {
            status = tally_launch_dry(&of->plan, of->kernel, of->device, &fits, error);
            trusting = trusting && fits;
        }
        if (status != TALLY_OK)
            return status;
        keep_programs(of); /* the next process will ask for those that do not fit as well */
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
static tally_status build(tally_executable *of, const tally_problem *problem,
                          const tally_limits *limits, tally_error *error) {
    tally_status status = plan_and_build(of, problem, *limits, error);
    if (status == TALLY_OK || status == TALLY_OUT_OF_MEMORY || !of->loaded)
        return status;
    for (uint32_t i = 0; i < tally_plan_launch_count(&of->plan); i++) {
        const tally_program_key key = tally_executable_program(of, i);
        tally_kernels_renew(of->kernels, of->device, &key);
    }
    tally_error_clear(error);
    return plan_and_build(of, problem, *limits, error);
}

tally_status tally_executable_make(tally_executable *made, tally_device *device,
                                   tally_kernels *kernels, const tally_problem *problem,
                                   const tally_limits *limits, tally_error *error) {
    *made = (tally_executable){.device = device, .kernels = kernels};
    tally_status status = build(made, problem, limits, error);
    const uint64_t own = tally_executable_ending(made);
    if (status == TALLY_OK && own > 0)
        status = tally_endings_make(&made->endings, device, own, error);
    if (status != TALLY_OK)
        tally_executable_free(made);
    return status;
}

uint64_t tally_executable_ending(const tally_executable *of) {
    return of->plan.closing ? sizeof(cl_uint) : of->plan.board;
}

void tally_executable_free(tally_executable *executable) {
    release_kernels(executable);
    tally_endings_free(&executable->endings);
    *executable = (tally_executable){0};
}
