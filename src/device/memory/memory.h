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

/* All zeros: none. */
typedef struct tally_memory {
    cl_mem buffer;       /* NULL: a pointer */
    const void *pointer; /* NULL: a buffer */
    const tally_pointer_kind *kind;
} tally_memory;

bool tally_memory_is_none(const tally_memory *memory);

/* Make it the argument of that index. */
tally_status tally_memory_set(const tally_memory *memory, cl_kernel kernel, cl_uint index,
                              tally_error *error);

#endif
