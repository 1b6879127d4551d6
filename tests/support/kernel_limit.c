/*
 * kernel_limit.c: the driver's answer, lowered. The linker finds this definition before the
 * loader's, and the loader's behind it.
 */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "kernel_limit.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

#include <CL/cl.h>

#include "ndrange.h"

static size_t limit, step;
static unsigned questions;
static bool refuses; /* launches that the answers do not allow */

typedef cl_int(CL_API_CALL *question)(cl_kernel, cl_device_id, cl_kernel_work_group_info, size_t,
                                      void *, size_t *);

void kernel_limit_set(size_t most, size_t less) {
    limit = most;
    step = less;
    questions = 0;
    refuses = true;
    ndrange_refuse_above(most);
}

void kernel_limit_understate(size_t most) {
    kernel_limit_set(most, 0);
    refuses = false;
    ndrange_refuse_above(0);
}

unsigned kernel_limit_questions(void) {
    return questions;
}

cl_int CL_API_CALL clGetKernelWorkGroupInfo(cl_kernel kernel, cl_device_id device,
                                            cl_kernel_work_group_info what, size_t bytes,
                                            void *value, size_t *needed) {
    question ask = NULL;
    void *found = dlsym(RTLD_NEXT, "clGetKernelWorkGroupInfo");
    memcpy(&ask, &found, sizeof ask);
    const cl_int code = ask(kernel, device, what, bytes, value, needed);
    if (code != CL_SUCCESS || what != CL_KERNEL_WORK_GROUP_SIZE || value == NULL || limit == 0)
        return code;
    size_t most;
    memcpy(&most, value, sizeof most);
    const size_t lowered = step * questions < limit ? limit - step * questions : 0;
    questions++;
    if (refuses)
        ndrange_refuse_above(lowered > 0 ? lowered : 1);
    if (lowered < most)
        memcpy(value, &lowered, sizeof lowered);
    return code;
}
