/*
 * common.h: what the programs of this folder share: the end on a failure, the time, the device.
 */
#ifndef TESTS_BENCH_COMMON_H
#define TESTS_BENCH_COMMON_H

#include <CL/cl.h>
#include <tally/tally.h>

/* Print both and end the program. */
void bench_fail(const char *what, const char *why);
void bench_require(cl_int code, const char *call);
void bench_check(tally_status status, const tally_error *error);

/* Memory, which is there. */
void *bench_memory(uint64_t bytes);

/* Seconds since some moment. */
double bench_now(void);

/* Sorts them. */
double bench_median(double *seconds, uint32_t count);

/* All GPUs of this host, else all devices, but no more than most; returns how many. */
uint32_t bench_find_devices(cl_device_id *devices, uint32_t most);

/* Of one device. */
typedef struct bench_device {
    cl_device_id id;
    cl_context context;
    cl_command_queue queue;
    tally_runtime *runtime;
} bench_device;

/* NULL: the first one that bench_find_devices() finds. */
void bench_open(bench_device *on, cl_device_id id);
void bench_close(bench_device *on);
cl_mem bench_buffer(const bench_device *on, cl_mem_flags flags, uint64_t bytes);

#endif
