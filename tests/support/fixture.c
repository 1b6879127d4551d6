/*
 * fixture.c: finding a device and making what all device tests share.
 */
#define _POSIX_C_SOURCE 200809L /* nanosleep */
#include "fixture.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <check.h>

static fixture shared;

void fixture_check_at(cl_int code, const char *call, const char *file, int line) {
    if (code != CL_SUCCESS) {
        ck_abort_msg("%s:%d: %s came back with OpenCL error %d", file, line, call, (int)code);
    }
}

void fixture_ok(tally_status status, const tally_error *error, const char *what) {
    if (status != TALLY_OK) {
        ck_abort_msg("%s failed with status %s: %s", what, tally_status_name(status),
                     error->message);
    }
}

static cl_device_id first_device(void) {
    cl_platform_id platforms[16];
    cl_uint count = 0;
    cl_device_id device = NULL;
    if (clGetPlatformIDs(16, platforms, &count) != CL_SUCCESS) {
        count = 0;
    }
    for (cl_uint k = 0; k < count && k < 16; k++) {
        if (clGetDeviceIDs(platforms[k], CL_DEVICE_TYPE_ALL, 1, &device, NULL) == CL_SUCCESS) {
            return device;
        }
    }
    ck_abort_msg("these tests need an OpenCL device, and none of the %u platforms has one",
                 (unsigned)count);
    return NULL;
}

void fixture_close(void) {
    if (shared.runtime == NULL) {
        return;
    }
    tally_runtime_release(shared.runtime);
    clReleaseCommandQueue(shared.queue);
    clReleaseContext(shared.context);
    shared.runtime = NULL;
}

static cl_command_queue make_queue(cl_command_queue_properties properties) {
    cl_int code = CL_SUCCESS;
    cl_command_queue queue = clCreateCommandQueue(shared.context, shared.device, properties, &code);
    fixture_check_at(code, "clCreateCommandQueue", __FILE__, __LINE__);
    return queue;
}

static tally_config make_config(void) {
    tally_config config = TALLY_CONFIG_INIT;
    config.context = shared.context;
    config.device = shared.device;
    return config;
}

tally_runtime *fixture_make_runtime_by(const tally_config *config) {
    tally_error error;
    tally_runtime *runtime = NULL;
    fixture_ok(tally_runtime_create(config, &runtime, &error), &error, "tally_runtime_create");
    return runtime;
}

const fixture *fixture_get(void) {
    cl_int code = CL_SUCCESS;
    cl_device_fp_config doubles = 0;
    if (shared.runtime != NULL) {
        return &shared;
    }
    shared.device = first_device();
    shared.context = clCreateContext(NULL, 1, &shared.device, NULL, NULL, &code);
    fixture_check_at(code, "clCreateContext", __FILE__, __LINE__);
    shared.queue = make_queue(CL_QUEUE_PROFILING_ENABLE);
    fixture_check(
        clGetDeviceInfo(shared.device, CL_DEVICE_DOUBLE_FP_CONFIG, sizeof doubles, &doubles, NULL));
    shared.has_f64 = doubles != 0;
    const tally_config config = make_config();
    shared.runtime = fixture_make_runtime_by(&config);
    atexit(fixture_close);
    return &shared;
}

tally_config fixture_config(void) {
    fixture_get();
    return make_config();
}

tally_runtime *fixture_make_runtime(void) {
    return fixture_make_runtime_of(TALLY_FAMILY_AUTO);
}

tally_runtime *fixture_make_runtime_of(tally_family family) {
    tally_config config = fixture_config();
    config.family = family;
    return fixture_make_runtime_by(&config);
}

tally_stats fixture_stats(tally_runtime *runtime) {
    tally_stats stats = TALLY_STATS_INIT;
    tally_error error;
    fixture_ok(tally_runtime_stats(runtime, &stats, &error), &error, "tally_runtime_stats");
    return stats;
}

cl_command_queue fixture_make_queue(cl_command_queue_properties properties) {
    fixture_get();
    return make_queue(properties);
}

cl_mem fixture_make_buffer(const void *data, uint64_t bytes) {
    cl_int code = CL_SUCCESS;
    const cl_mem_flags flags = CL_MEM_READ_WRITE | (data != NULL ? CL_MEM_COPY_HOST_PTR : 0);
    void *host = (void *)(uintptr_t)data; /* OpenCL copies from it, but asks for a writable one */
    cl_mem buffer = clCreateBuffer(fixture_get()->context, flags, (size_t)bytes, host, &code);
    fixture_check(code);
    return buffer;
}

cl_uint fixture_references(cl_context context) {
    cl_uint count = 0;
    fixture_check(
        clGetContextInfo(context, CL_CONTEXT_REFERENCE_COUNT, sizeof count, &count, NULL));
    return count;
}

void fixture_check_references(cl_context context, cl_uint wanted) {
    const struct timespec moment = {0, 1000 * 1000};
    for (int i = 0; i < 2000 && fixture_references(context) != wanted; i++)
        nanosleep(&moment, NULL);
    ck_assert_uint_eq(fixture_references(context), wanted);
}

void *fixture_make_memory(uint64_t bytes, int value) {
    void *memory = malloc((size_t)bytes + 1);
    ck_assert_ptr_nonnull(memory);
    memset(memory, value, (size_t)bytes);
    return memory;
}
