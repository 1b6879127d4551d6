/*
 * check.c: planning and judging.
 */
#include "check.h"

#include <inttypes.h>
#include <string.h>

#include "devices.h"
#include "support/fail.h"
#include "support/rules/rules.h"

void plan_check_fail(const text *desc, const tally_limits *limits, const tally_plan *plan,
                     const char *broken) {
    tally_text steps = TALLY_TEXT_INIT;
    tally_plan_describe(plan, &steps);
    fail_with("%sgroup_max %" PRIu64 ", local_bytes %" PRIu64 ", units %u, address_bits %u, "
              "family %d, word_bytes %d, single_pass %d, has_f64 %d\n%snot so: %s",
              desc->chars, limits->group_max, limits->local_bytes, limits->units,
              limits->address_bits, (int)limits->family, limits->word_bytes, limits->single_pass,
              limits->has_f64, steps.data, broken);
}

/* Whether the plan was refused for its scratch, and that is too large indeed. */
static bool is_beyond(const tally_limits *limits, const tally_plan *plan,
                      const tally_error *error) {
    const uint64_t most = limits->address_bits == 32 ? UINT32_MAX : TALLY_SCRATCH_MAX - 1;
    return error->status == TALLY_UNSUPPORTED && strstr(error->message, "scratch") != NULL &&
           plan->scratch > most;
}

bool plan_check(const text *desc, const tally_problem *problem, const tally_limits *limits,
                tally_plan *plan) {
    tally_error error = TALLY_ERROR_INIT;
    memset(plan, 0xAB, sizeof *plan);
    const tally_status status = tally_plan_make(problem, limits, plan, &error);
    if (!plan_devices_can_run(problem, limits)) {
        if (status != TALLY_UNSUPPORTED)
            plan_check_fail(desc, limits, plan, "what the device can't run is refused");
        return false;
    }
    if (status != TALLY_OK && is_beyond(limits, plan, &error))
        return false;
    if (status != TALLY_OK)
        fail_with("%s%s", desc->chars, error.message);
    const char *broken = plan_rules_broken(problem, limits, plan);
    if (broken != NULL)
        plan_check_fail(desc, limits, plan, broken);
    return true;
}
