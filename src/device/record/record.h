/*
 * Recording a plan's steps into a command buffer of the caller's, and giving them other memory.
 * Knows plans and memory, no operators.
 */
#ifndef TALLY_DEVICE_RECORD_RECORD_H
#define TALLY_DEVICE_RECORD_RECORD_H

#include "device/executable.h"
#include "device/launch.h"
#include "device/record/recorder.h"
#include "device/record/update.h"

/* What was recorded of a plan, to be given other memory. */
typedef struct tally_recorded_plan {
    uint32_t first, count; /* of the plan's steps */
    bool in_place;         /* they serve an input that is the output; see tally_plan_steps */
    cl_mem endings;        /* the recording's own; NULL: its steps need none */
    void *handle[TALLY_MAX_STEPS]; /* of the command of each step, from the first one on */
} tally_recorded_plan;

/*
 * Record the steps that serve the launch's memory, the first behind these points, each other one
 * behind the one before; a plan of no steps is a barrier. Of the launch only the memory is looked
 * at. *done, unless it is NULL, becomes the last one's sync point if all goes well. With a place
 * for what was recorded it can be given other memory. Nobody else records a plan of the executable
 * meanwhile.
 */
tally_status tally_record_plan(tally_executable *of, const tally_launch *bound,
                               const tally_recorder *recorder, const tally_points *behind,
                               cl_sync_point_khr *done, tally_recorded_plan *made,
                               tally_error *error);

/*
 * Add to an update that these steps have the launch's memory. Refuses memory for which the plan has
 * other steps.
 */
tally_status tally_record_change(const tally_executable *of, const tally_launch *bound,
                                 const tally_recorded_plan *recorded, tally_update *update,
                                 tally_error *error);

#endif
