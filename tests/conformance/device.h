/*
 * device.h: the OpenCL device that the cases run on, and running a task there through Tally's
 * public API. It knows nothing of ONNX.
 */
#ifndef TESTS_CONFORMANCE_DEVICE_H
#define TESTS_CONFORMANCE_DEVICE_H

#include "operator.h"

typedef struct device {
    cl_device_id id; /* the first device of the first platform that has one */
    cl_context context;
    cl_command_queue queue;
    tally_runtime *runtime;
    char name[128];
} device;

/* On failure there is nothing to close. */
bool device_open(device *it, outcome *out);
void device_close(device *it);

/* Run the task and write the elements of its result. */
bool device_run(const device *it, task *to, outcome *out);

#endif
