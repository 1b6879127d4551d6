/*
 * buffer_bytes.c: the driver's clCreateBuffer with a count, and with a callback that takes away.
 */
#define _GNU_SOURCE
#include "buffer_bytes.h"

#include <CL/cl.h>
#include <dlfcn.h>
#include <stdatomic.h>
#include <string.h>

static atomic_uint_fast64_t now, most;
static atomic_uint_fast32_t round_number;
static atomic_int refused_after = -1;

void buffer_bytes_begin(void) {
    atomic_fetch_add(&round_number, 1);
    now = most = 0;
    refused_after = -1;
}

uint64_t buffer_bytes_now(void) {
    return now;
}

uint64_t buffer_bytes_most(void) {
    return most;
}

void buffer_bytes_refuse(int after) {
    refused_after = after;
}

/* What is not of this round was not counted. The bytes of a test's buffers fit 48 bits. */
static void CL_CALLBACK take_away(cl_mem buffer, void *user) {
    const uint64_t both = (uint64_t)(uintptr_t)user;
    (void)buffer;
    if (both >> 48 == (round_number & 0xFFFF))
        now -= both & 0xFFFFFFFFFFFF;
}

cl_mem CL_API_CALL clCreateBuffer(cl_context context, cl_mem_flags flags, size_t bytes, void *data,
                                  cl_int *code) {
    static cl_mem(CL_API_CALL * make)(cl_context, cl_mem_flags, size_t, void *, cl_int *);
    if (make == NULL) {
        void *found = dlsym(RTLD_NEXT, "clCreateBuffer");
        memcpy(&make, &found, sizeof make);
    }
    if (refused_after >= 0 && refused_after-- == 0) {
        if (code != NULL)
            *code = CL_MEM_OBJECT_ALLOCATION_FAILURE;
        return NULL;
    }
    cl_mem buffer = make(context, flags, bytes, data, code);
    if (buffer == NULL || (flags & CL_MEM_USE_HOST_PTR) != 0)
        return buffer;
    const uint64_t user = (uint64_t)bytes | (uint64_t)(round_number & 0xFFFF) << 48;
    clSetMemObjectDestructorCallback(buffer, take_away, (void *)(uintptr_t)user);
    now += bytes;
    if (now > most)
        most = (uint64_t)now;
    return buffer;
}
