/*
 * Which pointers a device takes, found out once, and which of them a pointer is. Knows no views.
 */
#ifndef TALLY_DEVICE_MEMORY_POINTERS_H
#define TALLY_DEVICE_MEMORY_POINTERS_H

#include "device/memory/memory.h"
#include "device/memory/opencl.h"

typedef struct tally_pointers {
    tally_pointer_kind svm; /* shared virtual memory */
    tally_pointer_kind usm; /* Intel's unified shared memory */
    tally_usm_info usm_info;
    const char *no_svm; /* why svm has no call, in words that follow "but" */
} tally_pointers;

tally_status tally_pointers_open(cl_device_id id, const tally_allocator *allocator,
                                 tally_pointers *pointers, tally_error *error);

/* Where a pointer points. */
typedef struct tally_allocation {
    const tally_pointer_kind *kind; /* NULL: the device takes no such pointer */
    uintptr_t base;                 /* of shared virtual memory, of which OpenCL does not say it, */
    size_t bytes;                   /* 0 and SIZE_MAX: all addresses */
} tally_allocation;

tally_status tally_pointers_find(const tally_pointers *pointers, cl_context context,
                                 const void *pointer, tally_allocation *found, tally_error *error);

#endif
