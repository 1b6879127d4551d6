/*
 * plan.h: runs a plan on the host, work-item by work-item, from nothing but the plan's data:
 * what the kernels of cl/ do with it, in plain C. A plan that gives right results here goes to
 * every output and every term once, without a device.
 */
#ifndef TESTS_SUPPORT_SIMULATION_PLAN_H
#define TESTS_SUPPORT_SIMULATION_PLAN_H

#include "memory.h"

/* At most groups_max groups run, so that they have to loop; 0: as many as the plan says. */
void sim_plan_run(const tally_plan *plan, uint64_t groups_max, sim_memory *memory);

#endif
