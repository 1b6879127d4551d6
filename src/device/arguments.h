/*
 * The arguments of a step's kernel, as a list: for a kernel that is launched, and for a command
 * that was recorded. Knows plans and memory, no queues.
 */
#ifndef TALLY_DEVICE_ARGUMENTS_H
#define TALLY_DEVICE_ARGUMENTS_H

#include "device/endings.h"
#include "device/memory/memory.h"
#include "plan/plan.h"

/* A region of a plan: memory, and where in it the region begins. */
typedef struct tally_region {
    tally_memory memory;
    uint64_t offset; /* bytes */
} tally_region;

/* The most arguments that a kernel has. */
#define TALLY_ARGUMENTS 7

/* An argument: a pointer of a kind, or bytes, those of a buffer's handle or of a value. */
typedef struct tally_argument {
    const tally_pointer_kind *kind; /* NULL: bytes */
    size_t bytes;
    const void *value; /* the pointer, or where the bytes are */
} tally_argument;

/* All of a kernel's, in its order. It must stay where it was filled: its list points into it. */
typedef struct tally_arguments {
    uint32_t count;
    tally_argument list[TALLY_ARGUMENTS];
    tally_memory memory[TALLY_ARGUMENTS]; /* of the entries that have some */
    tally_args step;
    tally_fold_args close; /* of the step that closing groups do */
} tally_arguments;

/*
 * The arguments of a step, with memory for each role. Counts and boards are in the endings' memory,
 * which is NULL for a step that has none; of the ending the index and the launch are looked at.
 */
void tally_arguments_find(const tally_plan *plan, uint32_t index,
                          const tally_region region[TALLY_ROLES], cl_mem endings,
                          const tally_ending *ending, tally_arguments *of);

/* Those of a launch with no units of work, for which any buffer will do. */
void tally_arguments_find_dry(const tally_step *step, cl_mem spare, tally_arguments *of);

/* Set them. The kernel is nobody else's meanwhile. */
tally_status tally_arguments_set(const tally_arguments *of, cl_kernel kernel, tally_error *error);

#endif
