/*
 * devices.h: devices that nobody has, to plan for.
 */
#ifndef TESTS_SUPPORT_PLANS_DEVICES_H
#define TESTS_SUPPORT_PLANS_DEVICES_H

#include "model/problem.h"
#include "plan/limits.h"

/* Every combination of some values of each limit. */
uint32_t plan_devices_count(void);
tally_limits plan_devices_at(uint32_t index);

/* Whether the device has what the problem itself needs: fp64, address space for its tensors. */
bool plan_devices_can_run(const tally_problem *problem, const tally_limits *limits);

#endif
