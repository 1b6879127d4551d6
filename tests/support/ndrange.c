/*
 * ndrange.c: launches, looked at and handed on. The linker finds this definition before the
 * loader's, and the loader's behind it.
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "ndrange.h"

#include <dlfcn.h>
#include <string.h>

#include <CL/cl.h>

enum { LAUNCHES = 16 };

static size_t limit;
static unsigned refused, count;
static ndrange_launch launches[LAUNCHES];
static cl_event last; /* of the launch before; only compared */

typedef cl_int(CL_API_CALL *enqueue)(cl_command_queue, cl_kernel, cl_uint, const size_t *,
                                     const size_t *, const size_t *, cl_uint, const cl_event *,
                                     cl_event *);

void ndrange_refuse_above(size_t most) {
    limit = most;
}

unsigned ndrange_refused(void) {
    return refused;
}

void ndrange_forget(void) {
    refused = 0;
    count = 0;
    last = NULL;
}

unsigned ndrange_count(void) {
    return count;
}

ndrange_launch ndrange_at(unsigned i) {
    return launches[i % LAUNCHES];
}

cl_int CL_API_CALL clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel,
                                          cl_uint dimensions, const size_t *offset,
                                          const size_t *global, const size_t *local,
                                          cl_uint wait_count, const cl_event *wait_list,
                                          cl_event *event) {
    enqueue next = NULL;
    void *found = dlsym(RTLD_NEXT, "clEnqueueNDRangeKernel");
    memcpy(&next, &found, sizeof next);
    if (limit > 0 && local != NULL && local[0] > limit) {
        refused++;
        return CL_INVALID_WORK_GROUP_SIZE;
    }
    launches[count++ % LAUNCHES] =
        (ndrange_launch){.waits = wait_count,
                         .chained = wait_count == 1 && last != NULL && wait_list[0] == last,
                         .has_event = event != NULL};
    const cl_int code =
        next(queue, kernel, dimensions, offset, global, local, wait_count, wait_list, event);
    last = code == CL_SUCCESS && event != NULL ? *event : NULL;
    return code;
}
