/*
 * Recording a plan's steps. A replay is the same launches once more, with the same arguments, at a
 * time that nobody here gets to know. So a recording shares nothing that a launch changes.
 *
 *   kernels   Each recorded launch has a kernel of its own, which the command buffer keeps. OpenCL
 *             says that arguments are taken over when they are recorded, but PoCL 3.1 reads those
 *             that the kernel has when it is replayed.
 *   endings   A recording has an ending of its own. A count of groups is 0 again behind each
 *             replay. A board is not: its words carry the launch's tag, and those of the replay
 *             before have the same one. So zeros are recorded in front of a launch that looks back.
 *
 * The plan is that of enqueues, and so is its scratch. Other memory changes the arguments of the
 * kernels. It changes no zeros, as the board is the recording's own.
 */
#include "device/record/record.h"

/* An ending that no launch had before; 0 is the tag that zeros have. */
static const tally_ending own_ending = {.index = 0, .launch = 1};

/* Record a step, and the zeros in front of it if its groups look back. */
static tally_status record_step(const tally_executable *of, uint32_t index,
                                const tally_region *region, cl_mem endings,
                                const tally_recorder *recorder, tally_points behind,
                                cl_sync_point_khr *done, void **handle, tally_error *error) {
    const tally_step *step = &of->plan.step[index];
    const tally_program_key key = tally_executable_program(of, index);
    const size_t local = step->group, global = (size_t)step->groups * local;
    cl_sync_point_khr cleared = 0;
    cl_kernel kernel = NULL;
    bool loaded = false;
    tally_arguments arguments;
    tally_arguments_find(&of->plan, index, region, endings, &own_ending, &arguments);
    tally_status status =
        tally_kernels_make(of->kernels, of->device, &key, &step->spec, &kernel, &loaded, error);
    if (status == TALLY_OK)
        status = tally_arguments_set(&arguments, kernel, error);
    if (status == TALLY_OK && tally_spec_carry(&step->spec) == TALLY_CARRY_LOOK_BACK) {
        status = tally_recorder_zeros(recorder, endings, (size_t)of->plan.board, &behind, &cleared,
                                      error);
        behind = (tally_points){1, &cleared};
    }
    if (status == TALLY_OK)
        status =
            tally_recorder_kernel(recorder, kernel, global, local, &behind, done, handle, error);
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
                               cl_sync_point_khr *done, tally_recorded_plan *made,
                               tally_error *error) {
    const uint64_t own = tally_executable_ending(of);
    tally_recorded_plan recorded = {.in_place = bound->in_place};
    tally_points waits = *behind;
    cl_sync_point_khr points[2] = {0}; /* by turns of the command under way and the one before */
    recorded.count =
        tally_plan_steps(&of->plan, bound->in_place, &recorded.first) - of->plan.closing;
    tally_status status = TALLY_OK;
    if (recorded.count == 0)
        status = tally_recorder_barrier(recorder, behind, &points[0], error);
    else if (own > 0)
        status = tally_endings_record(&of->endings, of->device, own, &recorded.endings, error);
    for (uint32_t i = 0; i < recorded.count && status == TALLY_OK; i++) {
        status =
            record_step(of, recorded.first + i, bound->region, recorded.endings, recorder, waits,
                        &points[i % 2], made != NULL ? &recorded.handle[i] : NULL, error);
        waits = (tally_points){1, &points[i % 2]};
    }
    if (status == TALLY_OK && done != NULL)
        *done = points[recorded.count > 0 ? (recorded.count - 1) % 2 : 0];
    if (status == TALLY_OK && made != NULL)
        *made = recorded;
    return status;
}

tally_status tally_record_change(const tally_executable *of, const tally_launch *bound,
                                 const tally_recorded_plan *recorded, tally_update *update,
                                 tally_error *error) {
    const bool both = of->plan.out_of_place_steps == 0; /* the same steps serve them */
    if (!both && bound->in_place != recorded->in_place)
        return tally_fail(
            error, TALLY_INVALID,
            "the operator was recorded for input and output %s, and has other launches "
            "for this binding, in which they are %s; record it anew",
            recorded->in_place ? "in place" : "that lie apart",
            bound->in_place ? "in place" : "apart");
    for (uint32_t i = 0; i < recorded->count; i++)
        tally_arguments_find(&of->plan, recorded->first + i, bound->region, recorded->endings,
                             &own_ending, tally_update_add(update, recorded->handle[i]));
    return TALLY_OK;
}
