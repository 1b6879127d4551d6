/*
 * recorded.h: an operator with memory of its own, to be recorded into a command buffer and replayed
 * with one input after another; an enqueue of the same operator says what must come out. Which
 * recordings there are side by side is the tests' to choose.
 */
#ifndef TESTS_API_RUNTIME_RECORDED_H
#define TESTS_API_RUNTIME_RECORDED_H

#include "support/fixtures/image.h"

typedef enum recorded_kind { RECORDED_SUM, RECORDED_SCAN, RECORDED_FILL } recorded_kind;

/* An operator of float32 along one axis, by the way in which it is launched. */
typedef struct recorded_subject {
    const char *plan; /* in the plan's words */
    tally_family family;
    tally_single_pass single_pass;
    recorded_kind kind;
    uint64_t rows, columns;
    bool in_place;
} recorded_subject;

typedef struct recorded {
    tally_op *op;
    image in, out, scratch;
} recorded;

/* The operator, which the caller releases. */
tally_op *recorded_make_op(const recorded_subject *what);

/* Memory for the operator, which it keeps. In place there is no input beside the output. */
recorded recorded_open(const recorded_subject *what, tally_op *op);
void recorded_close(recorded *it);

/* Record it; its sync point. */
cl_sync_point_khr recorded_record(const recorded_subject *what, const recorded *it,
                                  cl_command_buffer_khr commands, cl_command_queue queue,
                                  uint32_t count, const cl_sync_point_khr *list);

/* Fill the input with numbers whose sums round. */
void recorded_renew(recorded *it, uint64_t seed);

/* Every byte, those around the elements too, is as an enqueue leaves it. */
void recorded_check(const recorded_subject *what, const recorded *it);

#endif
