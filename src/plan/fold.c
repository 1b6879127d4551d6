/*
 * The planner of folds. A launch folds blocks of TALLY_BLOCK terms; while an output has more than
 * one block, its blocks' states are the terms of the next launch; then the next group of axes
 * outward is swept. All of it follows the order that the problem's sizes prescribe; what is chosen
 * here is whether work-items or groups do the blocks.
 */
#include <string.h>

#include "cl/order.h"
#include "model/dtype.h"
#include "model/monoid.h"
#include "plan/plan.h"
#include "plan/tuning.h"

/* The kept axes and then those swept groups that the first launch leaves for later ones. */
static tally_dims first_outputs(const tally_problem *problem) {
    tally_dims dims = problem->kept;
    if (problem->groups > 1) /* the first launch writes states, not to the output's strides */
        memset(dims.out, 0, sizeof dims.out);
    for (uint32_t g = problem->groups; g-- > 1;)
        for (uint32_t k = 0; k < problem->swept[g].count; k++)
            tally_dims_append(&dims, problem->swept[g].size[k], problem->swept[g].in[k], 0);
    tally_dims_merge(&dims);
    return dims;
}

/* Neighbouring work-items read neighbouring elements: the innermost kept axis has stride 1. */
static bool is_side_by_side(const tally_step *step) {
    uint8_t rank = step->spec.kept_rank;
    return step->spec.first && step->args.fold.kept_in[rank - 1] == 1;
}

static bool wants_team(const tally_step *step, const tally_limits *limits) {
    const tally_fold_args *args = &step->args.fold;
    if (limits->is_cpu || args->terms < TALLY_TEAM_TERMS)
        return false;
    return args->head.units < (uint64_t)limits->units * TALLY_BUSY_ITEMS || !is_side_by_side(step);
}

/* A step over terms of each of outputs, with the spec that all steps of the plan have in common. */
static tally_step *add_step(tally_plan *plan, const tally_spec *common, uint64_t outputs,
                            uint64_t terms) {
    tally_step *step = &plan->step[plan->count++];
    uint64_t blocks = terms / TALLY_BLOCK + (terms % TALLY_BLOCK != 0);
    step->spec = *common;
    step->args.fold.outputs = outputs;
    step->args.fold.terms = terms;
    step->args.fold.blocks =
        blocks > 0 ? blocks : 1; /* no terms: a block writes the empty result */
    step->args.head.units = outputs * step->args.fold.blocks;
    return step;
}

/* All launches of one group of axes; returns the outputs' states left, one each. */
static void add_group(tally_plan *plan, const tally_spec *common, uint64_t outputs, uint64_t terms,
                      uint64_t index_scale) {
    for (uint64_t left = terms;; index_scale = 0) {
        tally_step *step = add_step(plan, common, outputs, left);
        step->args.fold.index_scale = index_scale;
        left = step->args.fold.blocks;
        if (left == 1)
            return;
    }
}

static void add_steps(const tally_problem *problem, const tally_spec *common, tally_plan *plan) {
    uint64_t outputs = tally_dims_elements(&problem->kept);
    if (problem->terms <= 1) { /* nothing swept, or an axis of size 0: no order to follow */
        add_group(plan, common, outputs, problem->terms, 0);
        return;
    }
    for (uint32_t g = 1; g < problem->groups; g++)
        outputs *= tally_dims_elements(&problem->swept[g]);
    uint64_t folded = 1;
    for (uint32_t g = 0; g < problem->groups; g++) {
        uint64_t terms = tally_dims_elements(&problem->swept[g]);
        add_group(plan, common, outputs, terms, folded);
        folded *= terms;
        if (g + 1 < problem->groups)
            outputs /= tally_dims_elements(&problem->swept[g + 1]);
    }
}

/* Where each step reads and writes: states go to and fro between two parts of the scratch. */
static void place(const tally_problem *problem, tally_plan *plan) {
    uint32_t state = tally_spec_state_bytes(&plan->step[0].spec);
    uint64_t part[2] = {0, 0};
    for (uint32_t i = 0; i + 1 < plan->count; i++) {
        uint64_t units = plan->step[i].args.head.units;
        uint64_t bytes = units < TALLY_SCRATCH_MAX / state ? units * state : TALLY_SCRATCH_MAX;
        bytes += (0 - bytes) % TALLY_SCRATCH_ALIGNMENT;
        part[i % 2] = bytes > part[i % 2] ? bytes : part[i % 2];
    }
    for (uint32_t i = 0; i < plan->count; i++) {
        tally_step *step = &plan->step[i];
        bool first = i == 0, last = i + 1 == plan->count;
        step->source = !first               ? TALLY_IN_SCRATCH
                       : problem->has_input ? TALLY_IN_INPUT
                                            : TALLY_IN_NOTHING;
        step->target = last ? TALLY_IN_OUTPUT : TALLY_IN_SCRATCH;
        step->source_offset = first || i % 2 == 1 ? 0 : part[0];
        step->target_offset = last || i % 2 == 0 ? 0 : part[0];
        step->source_bytes = first ? tally_dtype_find(problem->input)->bytes : state;
        step->target_bytes = last ? tally_dtype_find(problem->output)->bytes : state;
    }
    plan->scratch = part[0] + part[1];
}

static void finish_step(const tally_problem *problem, const tally_limits *limits, bool first,
                        bool last, tally_step *step) {
    static const tally_dims none = {0};
    bool indexed = tally_monoid_find(problem->function)->state == TALLY_STATE_INDEXED;
    tally_dims outer = first_outputs(problem);
    const tally_dims *swept = problem->groups > 0 ? &problem->swept[0] : &none;
    tally_fold_args *args = &step->args.fold;
    args->count = problem->terms;
    step->spec.first = first;
    step->spec.last = last;
    if (last && indexed)
        step->spec.output = (uint8_t)tally_dtype_unsigned(tally_dtype_find(problem->output)->bytes);
    tally_plan_axes(first ? &outer : &problem->kept, step->spec.kept_rank, args->kept_size,
                    args->kept_in, args->kept_out);
    tally_plan_axes(swept, step->spec.swept_rank, args->swept_size, args->swept_in, NULL);
    bool team = wants_team(step, limits);
    step->spec.schedule = team ? TALLY_FOLD_TEAM : TALLY_FOLD_ITEM;
    step->spec.group = team ? tally_plan_team(limits) : 0;
    tally_plan_range(step, limits);
}

void tally_plan_fold(const tally_problem *problem, const tally_limits *limits, tally_plan *plan) {
    tally_dims outer = first_outputs(problem);
    uint32_t kept = outer.count > problem->kept.count ? outer.count : problem->kept.count;
    tally_spec common = {
        .function = (uint8_t)problem->function,
        .input = (uint8_t)problem->input,
        .kept_rank = tally_plan_rank(kept),
        .swept_rank = tally_plan_rank(problem->groups > 0 ? problem->swept[0].count : 0),
        .nan = (uint8_t)problem->nan,
        .tie = (uint8_t)problem->tie,
    };
    add_steps(problem, &common, plan);
    uint8_t index_bits = tally_plan_index_bits(problem, plan->step[0].args.head.units);
    for (uint32_t i = 0; i < plan->count; i++)
        plan->step[i].spec.index_bits = index_bits;
    place(problem, plan);
    for (uint32_t i = 0; i < plan->count; i++)
        finish_step(problem, limits, i == 0, i + 1 == plan->count, &plan->step[i]);
}
