/*
 * Recording a plan's steps. A replay is the same launches once more, with the same arguments, at a
 * time that nobody here gets to know. So a recording shares nothing that a launch changes.
 *
 *   kernels   Each recorded launch has a kernel of its own, which the command buffer keeps. OpenCL
 *             says that arguments are taken over when they are recorded, but PoCL 3.1 reads those
 *             that the kernel has when it is replayed.
 *   endings   A recording has an ending of its own. A count of groups is 0 again behind each
 * replay. A board is not: its words carry the launch's tag, and those of the replay before have the
 * same one. So zeros are recorded in front of a launch that looks back.
 *
 * The plan is that of enqueues, and so is its scratch.
 */
#include "device/record.h"

/* Record a step, and the zeros in front of it if its groups look back. */
static tally_status record_step(const tally_executable *of, uint32_t index,
                                const tally_launch *launch, const tally_recorder *recorder,
                                tally_points behind, cl_sync_point_khr *done, tally_error *error) {
    const tally_step *step = &of->plan.step[index];
    const tally_program_key key = tally_executable_program(of, index);
    const size_t local = step->group, global = (size_t)step->groups * local;
    cl_sync_point_khr cleared = 0;
    cl_kernel kernel = NULL;
    bool loaded = false;
    tally_status status =
        tally_kernels_make(of->kernels, of->device, &key, &step->spec, &kernel, &loaded, error);
    if (status == TALLY_OK)
        status = tally_launch_arguments(&of->plan, index, launch, kernel, error);
    if (status == TALLY_OK && tally_spec_carry(&step->spec) == TALLY_CARRY_LOOK_BACK) {
        status = tally_recorder_zeros(recorder, launch->endings->memory, (size_t)of->plan.board,
                                      &behind, &cleared, error);
        behind = (tally_points){1, &cleared};
    }
    if (status == TALLY_OK)
        status = tally_recorder_kernel(recorder, kernel, global, local, &behind, done, error);
    if (kernel != NULL)
        clReleaseKernel(kernel);
    return status;
}

/*
 * The steps are chained by sync points on any queue. An in-order one would do without, but what it
 * says about the order has changed from version to version of the extension.
 */
tally_status tally_record_plan(tally_executable *of, const tally_launch *bound,
                               const tally_recorder *recorder, const tally_points *behind,
                               cl_sync_point_khr *done, tally_error *error) {
    const uint64_t own = tally_executable_ending(of);
    tally_endings endings = {.memory = NULL};
    tally_launch launch = *bound;
    tally_points waits = *behind;
    cl_sync_point_khr points[2] = {0}; /* by turns of the command under way and the one before */
    uint32_t first = 0;
    const uint32_t count = tally_plan_steps(&of->plan, bound->in_place, &first) - of->plan.closing;
    tally_status status = TALLY_OK;
    if (count == 0)
        status = tally_recorder_barrier(recorder, behind, &points[0], error);
    else if (own > 0)
        status = tally_endings_record(&of->endings, of->device, own, &endings.memory, error);
    launch.endings = &endings;
    launch.ending = 0;
    launch.tag = 1; /* 0 is what zeros have */
    for (uint32_t i = 0; i < count && status == TALLY_OK; i++) {
        status = record_step(of, first + i, &launch, recorder, waits, &points[i % 2], error);
        waits = (tally_points){1, &points[i % 2]};
    }
    if (status == TALLY_OK && done != NULL)
        *done = points[count > 0 ? (count - 1) % 2 : 0];
    return status;
}
