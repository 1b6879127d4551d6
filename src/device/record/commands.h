/*
 * Command buffers, OpenCL's extension cl_khr_command_buffer, and changing what they have, its
 * extension cl_khr_command_buffer_mutable_dispatch: whether a device has them, in which versions,
 * and their functions. Knows no plans.
 */
#ifndef TALLY_DEVICE_RECORD_COMMANDS_H
#define TALLY_DEVICE_RECORD_COMMANDS_H

#include "device/device.h"

/*
 * Functions of the extensions, as all their versions have them. CL/cl_ext.h has those of one
 * version, or of none, so they are written out here. A command's handle is a pointer to something
 * that only the driver knows.
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

/*
 * Changing commands: of cl_khr_command_buffer_mutable_dispatch up to 0.9.1 by a chain of structs,
 * from 0.9.2 on by a list of them with their types beside it.
 */
typedef cl_int(CL_API_CALL *tally_update_chain)(cl_command_buffer_khr commands, const void *base);
typedef cl_int(CL_API_CALL *tally_update_list)(cl_command_buffer_khr commands, cl_uint count,
                                               const cl_uint *types, const void **configs);

/* Kernels' arguments, as a bit of what can be changed: of a device, and of a command. */
#define TALLY_UPDATES_ARGUMENTS 8u

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

    bool updatable;                  /* commands can be changed; only where they are supported */
    uint32_t update_version;         /* of the extension for that, likewise */
    char update_reason[256];         /* why not */
    tally_update_chain update_chain; /* of these two one is there */
    tally_update_list update_list;
} tally_commands;

bool tally_commands_init(tally_commands *commands);
void tally_commands_free(tally_commands *commands);

/*
 * Find out, once, what the device has. What a failed question leaves unknown is asked again the
 * next time. There is one exception: if the driver refuses the question about changes, commands
 * can't be changed, and the reason has its code.
 */
tally_status tally_commands_ask(tally_commands *commands, const tally_device *device,
                                tally_error *error);

#endif
