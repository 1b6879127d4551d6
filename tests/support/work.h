/*
 * work.h: operators and memory for tests of queues and events, where what is computed is simple
 * and when it is computed counts. Whatever fails here fails the running test.
 */
#ifndef TESTS_SUPPORT_WORK_H
#define TESTS_SUPPORT_WORK_H

#include "image.h"

tally_op *work_reduce(const tally_reduce *desc);
tally_op *work_scan(const tally_cumulative *desc);

/* Memory for count elements of 32 bits, all x; one element of it now. */
image work_line(uint64_t count, uint32_t x);
uint32_t work_element(const image *memory, uint64_t index);

/* As much as the operator asks for. */
image work_scratch(const tally_op *op);

/* The event of an enqueue; scratch may be NULL. The caller releases it. */
cl_event work_enqueue(tally_op *op, cl_command_queue queue, const image *in, const image *out,
                      const image *scratch, cl_uint count, const cl_event *list);

/* Time for a device to do what it should not do yet. */
void work_linger(void);

/* A user event, which holds up what waits for it; and how far an event's command is. */
cl_event work_gate(void);
cl_int work_state(cl_event event);

#endif
