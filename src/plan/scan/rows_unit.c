/*
 * The unit of a scan along long rows: as many terms of a tile as a group has local memory for. Who
 * follows whom from unit to unit is not known here.
 */
#include "cl/core/order.h"
#include "model/dtype.h"
#include "plan/group.h"
#include "plan/scan/rows.h"
#include "plan/tuning.h"

/* Local memory of a scan's group, at most. */
#define TALLY_SCAN_LOCAL 40960

uint32_t tally_rows_state_bytes(const tally_problem *problem) {
    return tally_dtype_find(problem->input)->compute_bytes;
}

uint64_t tally_rows_local_bytes(tally_spec spec, uint16_t carry, uint8_t phase) {
    spec.schedule = TALLY_SCAN_ROWS;
    spec.policy.scan_rows.carry = carry;
    spec.phase = phase;
    return tally_group_local_bytes(&spec);
}

uint64_t tally_rows_room(const tally_limits *limits, uint8_t phase) {
    bool looks_back = phase == TALLY_FOLLOW && limits->single_pass;
    return tally_plan_least(limits->local_bytes,
                            looks_back ? TALLY_SCAN_FOLLOWED_LOCAL : TALLY_SCAN_LOCAL);
}

/* A chain that is planned to follow may turn out to take the other launches: these must fit too. */
static bool has_room(const tally_limits *limits, uint8_t phase, const tally_spec *spec) {
    return tally_rows_local_bytes(*spec, TALLY_CARRY_TWO_PASSES, phase) <=
               tally_rows_room(limits, phase) &&
           tally_rows_local_bytes(*spec, TALLY_CARRY_TWO_PASSES, TALLY_PASS) <= limits->local_bytes;
}

bool tally_rows_set_unit(const tally_limits *limits, uint16_t each, uint8_t phase,
                         tally_spec *spec) {
    tally_scan_rows_policy *policy = &spec->policy.scan_rows;
    policy->runs_per_item = each;
    spec->group = (uint16_t)(TALLY_SPAN / policy->runs_per_item);
    while (spec->group * policy->runs_per_item > TALLY_RUN &&
           (spec->group > limits->group_max || !has_room(limits, phase, spec)))
        spec->group /= 2;
    return spec->group <= limits->group_max && has_room(limits, phase, spec) &&
           spec->group >= policy->merged;
}
