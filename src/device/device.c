/*
 * Opening and closing a device in the caller's context.
 */
#include "device/device.h"

#include <string.h>

#include "base/text.h"
#include "device/clerror.h"

/* Bytes of the spare buffer: any will do. */
#define SPARE_BYTES 256

/*
 * Whether a device of a context is the one that the caller names: by itself, or as the device that
 * it is a part of. PoCL's contexts of sub-devices name the latter.
 */
static bool is_named(const cl_device_id *device, cl_device_id named) {
    cl_device_id parent = NULL;
    return *device == named || (clGetDeviceInfo(named, CL_DEVICE_PARENT_DEVICE, sizeof parent,
                                                (void *)&parent, NULL) == CL_SUCCESS &&
                                parent != NULL && parent == *device);
}

/* The device to use: the one named, which must be of the context, or the context's only one. */
static tally_status choose(const tally_config *config, cl_device_id *id, tally_error *error) {
    size_t bytes = 0;
    cl_int code = clGetContextInfo(config->context, CL_CONTEXT_DEVICES, 0, NULL, &bytes);
    if (code != CL_SUCCESS)
        return tally_cl_check(code, "clGetContextInfo", error);
    cl_device_id *devices = tally_host_take(config->allocator, bytes > 0 ? bytes : 1);
    if (devices == NULL)
        return tally_fail_memory(error, "a context's devices");
    size_t count = bytes / sizeof *devices, found = 0;
    code = clGetContextInfo(config->context, CL_CONTEXT_DEVICES, bytes, devices, NULL);
    while (config->device != NULL && found < count && !is_named(&devices[found], config->device))
        found++;
    *id = code != CL_SUCCESS || found >= count ? NULL
          : config->device != NULL             ? config->device
                                               : devices[found];
    tally_host_give(config->allocator, devices);
    if (code != CL_SUCCESS)
        return tally_cl_check(code, "clGetContextInfo", error);
    if (config->device == NULL && count != 1)
        return tally_fail(error, TALLY_INVALID,
                          "device is NULL, but the context has %zu devices to choose from", count);
    if (*id == NULL)
        return tally_fail(error, TALLY_INVALID,
                          count == 1 ? "the device is not the one of the context"
                                     : "the device is not one of the context's %zu devices",
                          count);
    return TALLY_OK;
}

static tally_status open_objects(tally_device *device, tally_error *error) {
    cl_int code = CL_SUCCESS;
    device->queue = clCreateCommandQueue(device->context, device->id, 0, &code);
    if (code != CL_SUCCESS)
        return tally_cl_check(code, "clCreateCommandQueue", error);
    device->spare = clCreateBuffer(device->context, CL_MEM_READ_WRITE, SPARE_BYTES, NULL, &code);
    return tally_cl_check(code, "clCreateBuffer", error);
}

/* Without a store nothing is remembered: that is no failure, but the caller's log gets the reason.
 */
static void open_recall(tally_device *device, const tally_config *config) {
    tally_error error;
    if (tally_recall_open(&device->recall, device->id, &device->allocator, config, &error))
        return;
    tally_text text = tally_text_from(&device->allocator);
    tally_text_format(&text, "the cache is not used: %s\n", error.message);
    if (!text.failed)
        tally_device_log(device, TALLY_LOG_WARNING, text.data);
    tally_text_free(&text);
}

tally_status tally_device_open(const tally_config *config, tally_family family,
                               tally_device *device, tally_error *error) {
    memset(device, 0, sizeof *device);
    if (config->allocator != NULL)
        device->allocator = *config->allocator;
    device->log = config->log;
    device->user = config->user;
    tally_status status = choose(config, &device->id, error);
    if (status == TALLY_OK)
        status = tally_device_probe(device->id, &device->allocator, &device->limits,
                                    &device->build_options, error);
    if (status == TALLY_OK)
        status = tally_pointers_open(device->id, &device->allocator, &device->pointers, error);
    if (status != TALLY_OK)
        return status;
    if (family != TALLY_FAMILY_AUTO)
        device->limits.family = family;
    if (!tally_lock_init(&device->log_lock))
        return tally_fail_memory(error, "a lock");
    cl_int code = clRetainContext(config->context);
    if (code == CL_SUCCESS)
        device->context = config->context;
    status = tally_cl_check(code, "clRetainContext", error);
    if (status == TALLY_OK)
        status = tally_cl_check(clRetainDevice(device->id), "clRetainDevice", error);
    if (status != TALLY_OK)
        device->id = NULL;
    if (status == TALLY_OK)
        status = open_objects(device, error);
    if (status != TALLY_OK)
        tally_device_close(device);
    else
        open_recall(device, config);
    return status;
}

void tally_device_close(tally_device *device) {
    tally_recall_close(&device->recall);
    if (device->spare != NULL)
        clReleaseMemObject(device->spare);
    if (device->queue != NULL)
        clReleaseCommandQueue(device->queue);
    if (device->id != NULL)
        clReleaseDevice(device->id);
    if (device->context != NULL)
        clReleaseContext(device->context);
    tally_lock_destroy(&device->log_lock);
}

void tally_device_log(tally_device *device, tally_log_level level, const char *text) {
    if (device->log == NULL)
        return;
    tally_lock_acquire(&device->log_lock);
    device->log(device->user, level, text);
    tally_lock_release(&device->log_lock);
}
