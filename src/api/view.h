/*
 * A view of an enqueue: what it must fulfil, and which bytes it is. Knows no other view.
 */
#ifndef TALLY_API_VIEW_H
#define TALLY_API_VIEW_H

#include "device/device.h"
#include "device/launch.h"

/* What a view has to fulfil. */
typedef struct tally_view_rule {
    const char *role;
    uint64_t bytes;         /* not 0 */
    uint64_t alignment;     /* of a buffer's offset, and of the address by a pointer */
    cl_mem_flags forbidden; /* CL_MEM_READ_ONLY for what is written, CL_MEM_WRITE_ONLY for read */
} tally_view_rule;

/* A view's bytes. All zeros: no view. */
typedef struct tally_byte_range {
    const char *role;
    cl_mem root; /* the buffer that has the memory: a sub-buffer's parent; NULL: a pointer */
    uint64_t begin, end; /* bytes of the root, or addresses */
    uint64_t address;    /* of the first byte; 0: not known, or a buffer that is not asked yet */
} tally_byte_range;

/* Check one view and resolve it, for a launch and for comparisons. Both are zero before. */
tally_status tally_view_check(const tally_device *device, const tally_view_rule *rule,
                              const tally_view *view, tally_region *region, tally_byte_range *range,
                              tally_error *error);

/* The part of it for a view that has a pointer. */
tally_status tally_view_check_pointer(const tally_device *device, const tally_view_rule *rule,
                                      const tally_view *view, tally_region *region,
                                      tally_byte_range *range, tally_error *error);

/* Find out the address of a buffer's range, if the buffer uses memory of the caller's. */
tally_status tally_view_find_address(const tally_region *region, tally_byte_range *range,
                                     tally_error *error);

#endif
