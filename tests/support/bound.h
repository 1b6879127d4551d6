/*
 * bound.h: operators with buffers for tests of bindings: each test starts from a binding that is
 * right and breaks one thing of it.
 */
#ifndef TESTS_SUPPORT_BOUND_H
#define TESTS_SUPPORT_BOUND_H

#include "image.h"
#include "refusal.h"

#define BOUND_TERMS 5000
#define BOUND_LINE 100

typedef struct bound_operators {
    tally_op *reduce;   /* BOUND_TERMS float32 in two launches, so it needs scratch */
    tally_op *scan;     /* BOUND_LINE float32 */
    tally_op *gap_scan; /* the same, but the output has a gap after each element */
    tally_op *fill;     /* a matrix of 10 x 10 float32, with an input */
    image input, output, scratch;
} bound_operators;

extern bound_operators bound;

/* Before and after each test. */
void bound_make(void);
void bound_free(void);

/* A binding that is right for all of them. */
tally_binding bound_binding(void);

/*
 * Enqueue, with an event and an error struct, and without: both must be refused like this, no event
 * may be left and no byte changed.
 */
void bound_refuse_call(tally_op *op, cl_command_queue queue, const tally_binding *binding,
                       cl_uint count, const cl_event *list, refusal expected);
void bound_refuse(tally_op *op, tally_binding binding, refusal expected);

/* Enqueue, which must work, and wait for it. */
void bound_accept(tally_op *op, tally_binding binding);

/* Fail the running test if the buffer has other bytes than it was filled with. */
void bound_unchanged(const image *memory);

/* Buffers, and parts of them; the caller releases them. */
cl_mem bound_buffer(cl_context context, cl_mem_flags flags, size_t size);
cl_mem bound_part(cl_mem parent, size_t origin, size_t size);

#endif
