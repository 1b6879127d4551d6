/*
 * device.c: one context, queue and runtime for all cases, and the steps of a run.
 */
#include "device.h"

#include <stdlib.h>
#include <string.h>

enum { PLATFORMS = 16 };

static bool check(cl_int code, const char *call, outcome *out) {
    return code == CL_SUCCESS || outcome_fail(out, "%s: OpenCL error %d", call, (int)code);
}

static bool check_tally(tally_status status, const char *call, const tally_error *error,
                        outcome *out) {
    return status == TALLY_OK ||
           outcome_fail(out, "%s: %s: %s", call, tally_status_name(status), error->message);
}

/* ---- Open and close ------------------------------------------------------------------------ */

static bool find_device(device *it, outcome *out) {
    cl_platform_id platforms[PLATFORMS];
    cl_uint count = 0;
    if (clGetPlatformIDs(PLATFORMS, platforms, &count) != CL_SUCCESS) {
        count = 0;
    }
    for (cl_uint k = 0; k < count && k < PLATFORMS; k++) {
        if (clGetDeviceIDs(platforms[k], CL_DEVICE_TYPE_ALL, 1, &it->id, NULL) == CL_SUCCESS) {
            return true;
        }
    }
    return outcome_fail(out, "there is no OpenCL device on any of %u platforms", (unsigned)count);
}

bool device_open(device *it, outcome *out) {
    tally_config config = TALLY_CONFIG_INIT;
    tally_error error;
    cl_int code = CL_SUCCESS;
    *it = (device){0};
    if (!find_device(it, out) ||
        !check(clGetDeviceInfo(it->id, CL_DEVICE_NAME, sizeof it->name, it->name, NULL),
               "clGetDeviceInfo", out)) {
        return false;
    }
    it->context = clCreateContext(NULL, 1, &it->id, NULL, NULL, &code);
    if (!check(code, "clCreateContext", out)) {
        goto fail;
    }
    it->queue = clCreateCommandQueue(it->context, it->id, 0, &code);
    if (!check(code, "clCreateCommandQueue", out)) {
        goto fail;
    }
    config.context = it->context;
    config.device = it->id;
    if (check_tally(tally_runtime_create(&config, &it->runtime, &error), "tally_runtime_create",
                    &error, out)) {
        return true;
    }
fail:
    device_close(it);
    return false;
}

void device_close(device *it) {
    tally_runtime_release(it->runtime);
    if (it->queue != NULL) {
        clReleaseCommandQueue(it->queue);
    }
    if (it->context != NULL) {
        clReleaseContext(it->context);
    }
    *it = (device){0};
}

/* ---- A run --------------------------------------------------------------------------------- */

/* OpenCL has no empty buffers: one for no bytes has one. Without data it is full of 0xA5. */
static bool make_buffer(const device *it, size_t bytes, const void *data, cl_mem *buffer,
                        outcome *out) {
    const size_t room = bytes + (bytes == 0);
    unsigned char *start = malloc(room);
    cl_int code = CL_OUT_OF_HOST_MEMORY;
    if (start != NULL) {
        memset(start, 0xA5, room);
        if (data != NULL) {
            memcpy(start, data, bytes);
        }
        *buffer = clCreateBuffer(it->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, room, start,
                                 &code);
    }
    free(start);
    return check(code, "clCreateBuffer", out);
}

static void free_buffer(cl_mem buffer) {
    if (buffer != NULL) {
        clReleaseMemObject(buffer);
    }
}

static bool enqueue(const device *it, tally_op *op, const tally_binding *binding, array *result,
                    outcome *out) {
    const size_t bytes = (size_t)result->count * result->width;
    tally_error error;
    cl_event done = NULL;
    bool fine = false;
    if (!check_tally(tally_op_enqueue(op, it->queue, binding, 0, NULL, &done, &error),
                     "tally_op_enqueue", &error, out)) {
        return false;
    }
    fine = check(clWaitForEvents(1, &done), "clWaitForEvents", out);
    clReleaseEvent(done);
    if (fine && bytes > 0) {
        fine = check(clEnqueueReadBuffer(it->queue, binding->output.buffer, CL_TRUE, 0, bytes,
                                         result->data, 0, NULL, NULL),
                     "clEnqueueReadBuffer", out);
    }
    return fine;
}

bool device_run(const device *it, task *to, outcome *out) {
    tally_binding binding = TALLY_BINDING_INIT;
    tally_error error;
    tally_op *op = NULL;
    bool done = false;
    if (!check_tally(to->create(it->runtime, to, &op, &error), "create", &error, out)) {
        return false;
    }
    if (to->input != NULL && !make_buffer(it, (size_t)to->input->count * to->input->width,
                                          to->input->data, &binding.input.buffer, out)) {
        goto release;
    }
    if (!make_buffer(it, (size_t)to->result.count * to->result.width, NULL, &binding.output.buffer,
                     out) ||
        !make_buffer(it, tally_op_scratch_size(op), NULL, &binding.scratch.buffer, out)) {
        goto release;
    }
    done = enqueue(it, op, &binding, &to->result, out);
release:
    free_buffer(binding.input.buffer);
    free_buffer(binding.output.buffer);
    free_buffer(binding.scratch.buffer);
    tally_op_release(op);
    return done;
}
