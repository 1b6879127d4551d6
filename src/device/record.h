/*
 * Recording a plan's steps into a command buffer of the caller's. Knows plans and buffers, no
 * operators.
 */
#ifndef TALLY_DEVICE_RECORD_H
#define TALLY_DEVICE_RECORD_H

#include "device/commands.h"
#include "device/executable.h"
#include "device/launch.h"

/*
 * Record the steps that serve the launch's memory, the first behind these points, each other one
 * behind the one before; a plan of no steps is a barrier. Of the launch only the memory is looked
 * at. *done, unless it is NULL, becomes the last one's sync point if all goes well. Nobody else
 * records a plan of the executable meanwhile.
 */
tally_status tally_record_plan(tally_executable *of, const tally_launch *bound,
                               const tally_recorder *recorder, const tally_points *behind,
                               cl_sync_point_khr *done, tally_error *error);

#endif
