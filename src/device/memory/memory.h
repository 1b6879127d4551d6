/*
 * Memory as a kernel gets it: a buffer or a pointer. Knows no views, no plans, and not whose it is.
 */
#ifndef TALLY_DEVICE_MEMORY_MEMORY_H
#define TALLY_DEVICE_MEMORY_MEMORY_H

#include <CL/cl.h>
#include <tally/tally.h>

/* The call that hands a kernel pointers of one kind; all of OpenCL's have these parameters. */
typedef cl_int(CL_API_CALL *tally_set_pointer)(cl_kernel kernel, cl_uint index,
                                               const void *pointer);
typedef struct tally_pointer_kind {
    const char *call;      /* its name */
    tally_set_pointer set; /* NULL: the device takes no pointers of this kind */
} tally_pointer_kind;

/* The union is NULL where there is none. */
typedef struct tally_memory {
    const tally_pointer_kind *kind; /* NULL: a buffer */
    union {
        cl_mem buffer;
        const void *pointer;
    };
} tally_memory;

#endif
