/*
 * plan_desc.h: descriptions and devices from bytes. Most descriptions are legal, some are so but
 * for a few of their bytes; devices are any that OpenCL allows, and some that it does not.
 */
#ifndef TESTS_FUZZ_PLAN_DESC_H
#define TESTS_FUZZ_PLAN_DESC_H

#include "bytes.h"
#include "support/simulation/case.h"

/* A description with what it points to: it has to stay where it is. */
typedef struct plan_desc {
    tally_reduce reduce;
    tally_cumulative scan;
    tally_diagonal fill;
    tally_tensor input; /* of a fill */
} plan_desc;

/* Draw one of the three, as a case with values for it. */
sim_case plan_desc_draw(byte_source *from, plan_desc *desc);

sim_device plan_device_draw(byte_source *from);

#endif
