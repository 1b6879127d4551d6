/*
 * Command buffers, OpenCL's extension cl_khr_command_buffer: whether a device has it, and recording
 * into one by whichever version it has. Knows no plans.
 */
#ifndef TALLY_DEVICE_COMMANDS_H
#define TALLY_DEVICE_COMMANDS_H

#include "device/device.h"

/*
 * Functions of the extension, as all its versions have them. CL/cl_ext.h has those of one version,
 * or of none, so they are written out here.
 */
typedef cl_int(CL_API_CALL *tally_get_info)(cl_command_buffer_khr commands, cl_uint what,
                                            size_t bytes, void *value, size_t *needed);
typedef cl_int(CL_API_CALL *tally_record_kernel)(cl_command_buffer_khr commands,
                                                 cl_command_queue queue, const void *properties,
                                                 cl_kernel kernel, cl_uint dimensions,
                                                 const size_t *offset, const size_t *global,
                                                 const size_t *local, cl_uint wait_count,
                                                 const cl_sync_point_khr *wait_list,
                                                 cl_sync_point_khr *done, void *handle);

/* Up to 0.9.4, and from 0.9.5 on: a list of properties came to the calls that had none. */
typedef cl_int(CL_API_CALL *tally_record_fill_4)(cl_command_buffer_khr commands,
                                                 cl_command_queue queue, cl_mem buffer,
                                                 const void *pattern, size_t pattern_bytes,
                                                 size_t offset, size_t bytes, cl_uint wait_count,
                                                 const cl_sync_point_khr *wait_list,
                                                 cl_sync_point_khr *done, void *handle);
typedef cl_int(CL_API_CALL *tally_record_fill_5)(
    cl_command_buffer_khr commands, cl_command_queue queue, const void *properties, cl_mem buffer,
    const void *pattern, size_t pattern_bytes, size_t offset, size_t bytes, cl_uint wait_count,
    const cl_sync_point_khr *wait_list, cl_sync_point_khr *done, void *handle);
typedef cl_int(CL_API_CALL *tally_record_barrier_4)(cl_command_buffer_khr commands,
                                                    cl_command_queue queue, cl_uint wait_count,
                                                    const cl_sync_point_khr *wait_list,
                                                    cl_sync_point_khr *done, void *handle);
typedef cl_int(CL_API_CALL *tally_record_barrier_5)(cl_command_buffer_khr commands,
                                                    cl_command_queue queue, const void *properties,
                                                    cl_uint wait_count,
                                                    const cl_sync_point_khr *wait_list,
                                                    cl_sync_point_khr *done, void *handle);

/* What is known of a device's command buffers. */
typedef struct tally_commands {
    tally_lock lock; /* of what follows, which stays as it is once it is known */
    bool known;
    bool supported;   /* if not, nobody calls the functions */
    bool by_address;  /* a list of queues is answered by its address */
    uint32_t version; /* as OpenCL packs it; 0: the device has no such extension */
    char reason[256]; /* why not */
    tally_get_info info;
    tally_record_kernel kernel;
    tally_record_fill_4 fill_4; /* of these two one is there, */
    tally_record_fill_5 fill_5;
    tally_record_barrier_4 barrier_4; /* and of these */
    tally_record_barrier_5 barrier_5;
} tally_commands;

bool tally_commands_init(tally_commands *commands);
void tally_commands_free(tally_commands *commands);

/*
 * Find out, once, what the device has. What a failed question leaves unknown is asked again the
 * next time.
 */
tally_status tally_commands_ask(tally_commands *commands, const tally_device *device,
                                tally_error *error);

/* Where commands are recorded. */
typedef struct tally_recorder {
    const tally_commands *by;
    const tally_allocator *allocator;
    cl_command_buffer_khr commands;
    cl_command_queue queue; /* NULL: the command buffer's only one, as calls then want it */
} tally_recorder;

/*
 * Record into the caller's command buffer, for this queue of it. Refuses one that is NULL, that is
 * no longer recorded into, or that has no such queue.
 */
tally_status tally_recorder_open(const tally_commands *by, const tally_allocator *allocator,
                                 cl_command_buffer_khr commands, cl_command_queue queue,
                                 tally_recorder *recorder, tally_error *error);

/* The commands that one is behind. */
typedef struct tally_points {
    cl_uint count;
    const cl_sync_point_khr *list;
} tally_points;

/* Record a command, and set its sync point if all goes well. */
tally_status tally_recorder_kernel(const tally_recorder *recorder, cl_kernel kernel, size_t global,
                                   size_t local, const tally_points *behind,
                                   cl_sync_point_khr *done, tally_error *error);
tally_status tally_recorder_zeros(const tally_recorder *recorder, cl_mem buffer, size_t bytes,
                                  const tally_points *behind, cl_sync_point_khr *done,
                                  tally_error *error);
tally_status tally_recorder_barrier(const tally_recorder *recorder, const tally_points *behind,
                                    cl_sync_point_khr *done, tally_error *error);

#endif
