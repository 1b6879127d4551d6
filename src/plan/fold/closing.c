/*
 * When the last groups of a launch fold the states that it leaves: where they are done with that as
 * soon as another launch would be.
 */
#include "plan/fold/closing.h"

#include "cl/core/order.h"
#include "cl/core/sizes.h"
#include "model/monoid.h"
#include "plan/group.h"
#include "plan/tuning.h"

/* Work-items that a closing group has for an output: one for each lane, or for several. */
static uint64_t closing_items(const tally_spec *spec, const tally_fold_args *args) {
    bool exact = tally_spec_is_exact(spec);
    uint64_t loads = TALLY_CLOSING_BYTES / tally_spec_state_bytes(spec);
    uint64_t inner = exact ? args->terms : args->nest[0], outer = exact ? 1 : args->nest[1];
    bool several = exact || inner <= TALLY_LANES;
    uint64_t lanes = several ? tally_plan_parts(inner, loads) : inner;
    return tally_plan_power(lanes, exact ? spec->group : TALLY_LANES) *
           tally_plan_power(outer, TALLY_LANES);
}

/* Rounds that a step's closing groups may take. */
static uint64_t closing_rounds(const tally_limits *limits, const tally_step *step) {
    bool shifted = tally_monoid_find(step->spec.function)->state == TALLY_STATE_SHIFTED;
    uint64_t bytes = step->args.fold.outputs * step->args.fold.terms * step->source_bytes;
    uint64_t closers = step->groups < TALLY_CLOSERS ? step->groups : TALLY_CLOSERS;
    if (bytes > (uint64_t)limits->units * TALLY_CLOSING_BYTES_FEW)
        return shifted ? TALLY_CLOSING_ROUNDS_SHIFTED : TALLY_CLOSING_ROUNDS;
    return closers * TALLY_CLOSING_ROUNDS_FEW;
}

/* Whether a step's last groups fold the states of a last step as soon as another launch would. */
static bool is_closing_work(const tally_limits *limits, const tally_step *step,
                            const tally_fold_args *args) {
    const tally_spec *spec = &step->spec;
    uint64_t items = closing_items(spec, args), group = spec->group;
    uint64_t terms = tally_spec_is_exact(spec) ? TALLY_CLOSING_EXACT : TALLY_CLOSING_TERMS;
    bool rows = args->swept_in[spec->swept_rank - 1] == 1;
    return rows && args->nest[1] <= TALLY_LANES && args->nest[2] == 1 && items <= group &&
           args->terms <= terms &&
           args->outputs <= closing_rounds(limits, step) * (group / items) &&
           step->groups < (uint64_t)1 << TALLY_ENDED_BITS;
}

void tally_plan_close(const tally_limits *limits, tally_plan *plan) {
    if (!tally_plan_has_wide_groups(limits) || plan->count < 2)
        return;
    tally_step *step = &plan->step[plan->count - 2];
    const tally_step *last = &plan->step[plan->count - 1];
    bool closes = (tally_schedule_find(step->spec.schedule)->variants & TALLY_VARIANT_CLOSING) != 0;
    if (!closes || !is_closing_work(limits, step, &last->args.fold))
        return;
    tally_spec spec = step->spec;
    spec.closing = 1;
    spec.output = last->spec.output;
    plan->closing = tally_group_local_bytes(&spec) <= limits->local_bytes;
    if (plan->closing)
        step->spec = spec;
}
