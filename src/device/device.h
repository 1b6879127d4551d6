/*
 * A device with all that talking to it takes: the caller's context, limits, a queue of our own for
 * work that create calls do, the caller's log. Knows no operators.
 */
#ifndef TALLY_DEVICE_DEVICE_H
#define TALLY_DEVICE_DEVICE_H

#include <CL/cl.h>
#include <tally/tally.h>

#include "base/host_memory.h"
#include "device/memory/pointers.h"
#include "device/recall.h"
#include "plan/limits.h"
#include "platform/system.h"

typedef struct tally_device {
    tally_allocator allocator; /* of the runtime's host memory; zeros: the C library's */
    cl_context context;
    cl_device_id id;
    cl_command_queue queue; /* in-order; for dry launches */
    cl_mem spare;           /* a small buffer, bound where a kernel will not look */
    tally_limits limits;
    tally_pointers pointers; /* that it takes */
    const char *build_options;
    void (*log)(void *, tally_log_level, const char *);
    void *user;
    tally_lock log_lock;
    tally_recall recall; /* what is remembered between processes */
} tally_device;

/* Retains the context and device of config. On failure there is nothing to close. */
tally_status tally_device_open(const tally_config *config, tally_family family,
                               tally_device *device, tally_error *error);
void tally_device_close(tally_device *device);

/* Hand a text to the caller's log, if there is one. */
void tally_device_log(tally_device *device, tally_log_level level, const char *text);

/* Refuse a device that Tally can't run on; else fill in limits and the options to build with. */
tally_status tally_device_probe(cl_device_id id, const tally_allocator *allocator,
                                tally_limits *limits, const char **build_options,
                                tally_error *error);

#endif
