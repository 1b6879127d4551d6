/*
 * Recording commands into a command buffer of the caller's. Knows no plans.
 */
#ifndef TALLY_DEVICE_RECORD_RECORDER_H
#define TALLY_DEVICE_RECORD_RECORDER_H

#include "device/record/commands.h"

/* Where commands are recorded, and changed later. */
typedef struct tally_recorder {
    const tally_commands *by;
    const tally_allocator *allocator;
    cl_command_buffer_khr commands;
    cl_command_queue queue; /* NULL: the command buffer's only one, as calls then want it */
    bool updatable;    /* what it has can be changed; asked by tally_recorder_check_updatable */
    bool simultaneous; /* also while a replay is under way; likewise */
} tally_recorder;

/*
 * Record into the caller's command buffer, for this queue of it. Refuses one that is NULL, that is
 * no longer recorded into, or that has no such queue.
 */
tally_status tally_recorder_open(const tally_commands *by, const tally_allocator *allocator,
                                 cl_command_buffer_khr commands, cl_command_queue queue,
                                 tally_recorder *recorder, tally_error *error);

/* Refuse a command buffer whose commands can't be changed, on a device where some can. */
tally_status tally_recorder_check_updatable(tally_recorder *recorder, tally_error *error);

/* Refuse a change of one that is still recorded into, or that is being replayed. */
tally_status tally_recorder_check_update(const tally_recorder *recorder, tally_error *error);

/* The commands that one is behind. */
typedef struct tally_points {
    cl_uint count;
    const cl_sync_point_khr *list;
} tally_points;

/*
 * Record a command, and set its sync point if all goes well. With a place for a handle the
 * arguments of the kernel can be changed.
 */
tally_status tally_recorder_kernel(const tally_recorder *recorder, cl_kernel kernel, size_t global,
                                   size_t local, const tally_points *behind,
                                   cl_sync_point_khr *done, void **handle, tally_error *error);
tally_status tally_recorder_zeros(const tally_recorder *recorder, cl_mem buffer, size_t bytes,
                                  const tally_points *behind, cl_sync_point_khr *done,
                                  tally_error *error);
tally_status tally_recorder_barrier(const tally_recorder *recorder, const tally_points *behind,
                                    cl_sync_point_khr *done, tally_error *error);

#endif
