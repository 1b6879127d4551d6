/*
 * scratch.c: what steps read and write, and where in the scratch.
 */
#include "parts.h"
#include "support/numbers/number.h"

typedef struct region {
    tally_role role;
    uint64_t begin, end;
} region;

/* What a step reads or writes of states; where it is elements, the whole tensor. */
static region source_region(const tally_problem *problem, const tally_step *step) {
    region part = {step->source, step->source_offset, 0};
    part.end =
        step->source == TALLY_IN_SCRATCH
            ? part.begin + step->args.fold.outputs * step->args.fold.terms * step->source_bytes
            : problem->input_extent * step->source_bytes;
    return part;
}

static region target_region(const tally_problem *problem, const tally_step *step) {
    region part = {step->target, step->target_offset, 0};
    part.end =
        step->target == TALLY_IN_SCRATCH
            ? part.begin + step->args.fold.outputs * step->args.fold.blocks * step->target_bytes
            : problem->output_extent * step->target_bytes;
    return part;
}

static const char *broken_ends(const tally_problem *problem, const tally_plan *plan) {
    const tally_step *first = &plan->step[0], *last = &plan->step[plan->count - 1];
    const bool reads =
        problem->kind == TALLY_KIND_FILL ? first->spec.has_input : problem->has_input;
    if (first->source != (reads ? TALLY_IN_INPUT : TALLY_IN_NOTHING) ||
        last->target != TALLY_IN_OUTPUT || first->source_offset != 0 || last->target_offset != 0)
        return "the first step reads the input, if there is one, the last writes the output";
    if (first->source_bytes != number_bytes(problem->input) ||
        last->target_bytes != number_bytes(problem->output))
        return "elements have their types' sizes";
    if (plan->count == 1 && plan->scratch != 0)
        return "one step needs no scratch";
    return NULL;
}

const char *plan_rules_scratch(const tally_problem *problem, const tally_plan *plan) {
    const char *broken = broken_ends(problem, plan);
    uint64_t most = 0;
    if (broken != NULL)
        return broken;
    for (uint32_t i = 0; i < plan->count; i++) {
        const region from = source_region(problem, &plan->step[i]);
        const region to = target_region(problem, &plan->step[i]);
        const bool is_last = i + 1 == plan->count;
        if (problem->kind == TALLY_KIND_SCAN) {
            if (from.role != TALLY_IN_INPUT || to.role != TALLY_IN_OUTPUT || from.begin != 0 ||
                to.begin != 0 || plan->step[i].source_bytes != plan->step[0].source_bytes ||
                plan->step[i].target_bytes != plan->step[plan->count - 1].target_bytes)
                return "all launches of a scan read the input and write the output";
            continue;
        }
        if (from.role == to.role && from.begin < to.end && to.begin < from.end)
            return "no step writes where it reads";
        if (is_last)
            break;
        const region next = source_region(problem, &plan->step[i + 1]);
        if (to.role != TALLY_IN_SCRATCH || next.role != to.role || next.begin != to.begin ||
            next.end != to.end || plan->step[i].target_bytes != plan->step[i + 1].source_bytes)
            return "what a step reads is what the step before wrote, all of it and no more";
        if (plan->step[i].target_bytes != tally_spec_state_bytes(&plan->step[i].spec))
            return "states have their function's size";
        if (to.begin % TALLY_SCRATCH_ALIGNMENT != 0 || to.end < to.begin || to.end > plan->scratch)
            return "states lie in the scratch, aligned";
        most = to.end > most ? to.end : most;
    }
    if (problem->kind == TALLY_KIND_SCAN)
        return NULL; /* of words: see chain.c */
    if (plan->scratch % TALLY_SCRATCH_ALIGNMENT != 0 ||
        plan->scratch - most >= TALLY_SCRATCH_ALIGNMENT)
        return "the scratch is no larger than it need be";
    return NULL;
}
