/*
 * ndrange.h: launches as the driver sees them. It stands before the driver's clEnqueueNDRangeKernel
 * in the executable that uses it: it can refuse large groups, and remembers what launches wait for.
 */
#ifndef TESTS_SUPPORT_NDRANGE_H
#define TESTS_SUPPORT_NDRANGE_H

#include <stdbool.h>
#include <stddef.h>

/* From now on groups of more work-items are refused as too large. 0: none are. */
void ndrange_refuse_above(size_t most);

/* What a launch was enqueued with. */
typedef struct ndrange_launch {
    unsigned waits; /* events to wait for */
    bool chained;   /* to wait for the launch before, and for nothing else */
    bool has_event; /* it was asked for one */
} ndrange_launch;

/* Forget all launches; how many were taken and refused since; of the former the i-th, 16 at most.
 */
void ndrange_forget(void);
unsigned ndrange_count(void);
unsigned ndrange_refused(void);
ndrange_launch ndrange_at(unsigned i);

#endif
