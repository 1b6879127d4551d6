/*
 * common.c: see common.h.
 */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */

#include "bench/common.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

void bench_fail(const char *what, const char *why) {
    fprintf(stderr, "%s: %s\n", what, why);
    exit(EXIT_FAILURE);
}

void bench_require(cl_int code, const char *call) {
    if (code != CL_SUCCESS)
        bench_fail(call, "it failed");
}

void bench_check(tally_status status, const tally_error *error) {
    if (status != TALLY_OK)
        bench_fail(tally_status_name(status), error->message);
}

void *bench_memory(uint64_t bytes) {
    void *memory = malloc((size_t)bytes + 1);
    if (memory == NULL)
        bench_fail("malloc", "no memory");
    return memory;
}

double bench_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_median(double *seconds, uint32_t count) {
    qsort(seconds, count, sizeof *seconds, compare);
    return seconds[count / 2];
}

static uint32_t find(cl_device_type type, cl_device_id *devices, uint32_t most) {
    cl_platform_id platforms[16];
    cl_uint count = 0, found = 0;
    uint32_t all = 0;
    bench_require(clGetPlatformIDs(16, platforms, &count), "clGetPlatformIDs");
    for (cl_uint i = 0; i < count && i < 16 && all < most; i++)
        if (clGetDeviceIDs(platforms[i], type, most - all, devices + all, &found) == CL_SUCCESS)
            all += found < most - all ? found : most - all;
    return all;
}

uint32_t bench_find_devices(cl_device_id *devices, uint32_t most) {
    const uint32_t gpus = find(CL_DEVICE_TYPE_GPU, devices, most);
    const uint32_t count = gpus > 0 ? gpus : find(CL_DEVICE_TYPE_ALL, devices, most);
    if (count == 0)
        bench_fail("clGetDeviceIDs", "there is no device");
    return count;
}

void bench_open(bench_device *on, cl_device_id id) {
    cl_int code;
    tally_error error;
    tally_config config = TALLY_CONFIG_INIT;
    on->id = id;
    if (id == NULL)
        (void)bench_find_devices(&on->id, 1);
    on->context = clCreateContext(NULL, 1, &on->id, NULL, NULL, &code);
    bench_require(code, "clCreateContext");
    on->queue = clCreateCommandQueue(on->context, on->id, 0, &code);
    bench_require(code, "clCreateCommandQueue");
    config.context = on->context;
    bench_check(tally_runtime_create(&config, &on->runtime, &error), &error);
}

void bench_close(bench_device *on) {
    tally_runtime_release(on->runtime);
    clReleaseCommandQueue(on->queue);
    clReleaseContext(on->context);
}

cl_mem bench_buffer(const bench_device *on, cl_mem_flags flags, uint64_t bytes) {
    cl_int code;
    cl_mem buffer =
        clCreateBuffer(on->context, CL_MEM_READ_WRITE | flags, (size_t)bytes, NULL, &code);
    bench_require(code, "clCreateBuffer");
    return buffer;
}
