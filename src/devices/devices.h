/*
 * What is behind tally_devices: runtimes, queues and speeds. This layer computes by the
 * public calls alone; of the layers below it has what failing and locking need.
 */
#ifndef TALLY_DEVICES_DEVICES_H
#define TALLY_DEVICES_DEVICES_H

#include <CL/cl.h>
#include <tally/devices.h>

#include "base/count.h"
#include "device/clerror.h"

typedef struct tally_devices_entry {
    tally_runtime *runtime;
    cl_command_queue queue;
    cl_context context; /* the queue's, which holds them */
    cl_device_id id;
    double speed;
} tally_devices_entry;

struct tally_devices {
    tally_count count; /* the caller and every operator */
    uint32_t entries;
    tally_devices_entry entry[TALLY_DEVICES_MAX];
};

/* Measure how many bytes of an input a device reads in a second. */
tally_status tally_devices_measure(const tally_devices_entry *entry, double *speed,
                                   tally_error *error);

/* Put "device 2 of 3: " before the sentence of device 1; returns status. */
tally_status tally_devices_prefix(const tally_devices *devices, uint32_t device,
                                  tally_status status, tally_error *error);

#endif
