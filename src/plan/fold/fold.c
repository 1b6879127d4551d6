/*
 * The planner of folds. A launch folds blocks of TALLY_BLOCK terms; while an output has more than
 * one block, its blocks' states are the terms of the next launch; then the next group of axes
 * outward is swept. All of it follows the order that the problem's sizes prescribe; what is chosen
 * here is whether work-items or groups do the blocks.
 */
#include <string.h>

#include "cl/core/order.h"
#include "cl/core/sizes.h"
#include "model/dtype.h"
#include "plan/fold/axes.h"
#include "plan/fold/closing.h"
#include "plan/fold/elements.h"
#include "plan/plan.h"

/*
 * A plan in the making, and what all of its steps have in common. What is left to fold is known
 * with the strides of the memory where it lies: the input's, or those of the states of the step
 * before.
 */
typedef struct fold_draft {
    const tally_problem *problem;
    const tally_limits *limits;
    tally_spec common;
    uint32_t nested; /* groups of swept axes that the first launch folds */
    uint64_t parts;  /* groups of work-items that share a block of it */
    tally_problem left;
    uint32_t folded; /* groups of it that are folded */
    tally_fold_axes axes[TALLY_MAX_STEPS];
    tally_plan *plan;
} fold_draft;

/* Whether the next step is the first of the plan, and reads elements. */
static bool reads_elements(const fold_draft *draft) {
    return draft->plan->count == 0 && !draft->problem->partial.from_states;
}

/* States of each output that are left in the end, of which the last group has several at most. */
static uint64_t states_left(const tally_problem *problem, uint32_t folded) {
    return problem->partial.to_states && folded + 1 >= problem->groups ? problem->partial.states
                                                                       : 1;
}

/* A step over terms of each of outputs. It leaves a state for each block of so many terms. */
static tally_step *add_step(const fold_draft *draft, uint64_t outputs, uint64_t terms,
                            uint64_t block) {
    tally_step *step = &draft->plan->step[draft->plan->count++];
    uint64_t blocks = tally_plan_parts(terms, block);
    step->spec = draft->common;
    step->args.fold.outputs = outputs;
    step->args.fold.terms = terms;
    step->args.fold.blocks =
        blocks > 0 ? blocks : 1; /* no terms: a block writes the empty result */
    step->args.fold.parts = 1;
    step->args.head.units = outputs * step->args.fold.blocks;
    return step;
}

/* The axes of a step that folds the next groups, up to those; states of its blocks may be left. */
static void set_axes(fold_draft *draft, uint32_t folded) {
    tally_fold_axes *axes = &draft->axes[draft->plan->count - 1];
    const tally_step *step = &draft->plan->step[draft->plan->count - 1];
    bool first = draft->plan->count == 1;
    bool last = folded >= draft->left.groups && step->args.fold.blocks == 1 &&
                !tally_fold_has_end_launch(draft->problem, draft->limits, folded - 1);
    tally_states_order order = states_left(draft->problem, folded - 1) > 1
                                   ? TALLY_STATES_IN_ROWS
                                   : tally_fold_states_order(draft->problem, draft->limits, folded);
    tally_problem states = tally_fold_states(&draft->left, folded, order);
    axes->outputs = tally_fold_outputs(&draft->left, folded, last ? NULL : &states);
    axes->terms = first ? tally_fold_terms(&draft->left, folded) : draft->left.swept[folded - 1];
    draft->left = states;
    draft->folded = folded;
}

/* The axes of a step that folds what lies side by side: the states of each output's blocks. */
static void set_block_axes(fold_draft *draft) {
    const tally_step *step = &draft->plan->step[draft->plan->count - 1];
    const tally_fold_args *args = &step->args.fold;
    tally_fold_axes *axes = &draft->axes[draft->plan->count - 1];
    axes->terms = (tally_dims){0};
    tally_dims_append(&axes->terms, args->terms, 1, 0);
    axes->outputs = (tally_dims){.count = 1, .size = {args->outputs}, .in = {1}, .out = {1}};
    if (draft->folded >= draft->left.groups && args->blocks == 1)
        axes->outputs = tally_fold_outputs(&draft->left, draft->folded, NULL);
    for (uint32_t k = 0; k < axes->outputs.count; k++)
        axes->outputs.in[k] *= args->terms;
}

/*
 * Divide each block of the first step, and combine its parts and then the blocks in a second one.
 */
static void add_parts(fold_draft *draft) {
    tally_fold_args *args = &draft->plan->step[0].args.fold;
    uint64_t blocks = args->blocks, states = blocks * draft->parts;
    args->parts = draft->parts;
    args->blocks = states;
    args->head.units *= draft->parts;
    set_axes(draft, draft->nested);
    tally_step *step = add_step(draft, args->outputs, states, states);
    step->args.fold.nest[0] = draft->parts;
    step->args.fold.nest[1] = blocks;
    set_block_axes(draft);
}

/* Whether the next group's terms lie side by side, as kernels of whole rows of states have it. */
static bool has_rows(const fold_draft *draft) {
    return reads_elements(draft) || draft->left.swept[draft->folded].in[0] == 1;
}

/*
 * All launches of the next group of axes, which leave one state for each output, or of the last
 * group as many as are wanted.
 */
static void add_group(fold_draft *draft, uint64_t outputs, uint64_t terms, uint64_t index_scale) {
    bool of_blocks = false, rows = has_rows(draft);
    const uint64_t wanted = states_left(draft->problem, draft->folded);
    for (uint64_t left = terms;; of_blocks = true, rows = true) {
        bool first = reads_elements(draft);
        uint64_t block =
            wanted == 1 && rows &&
                    tally_plan_is_whole(draft->problem, draft->limits, first, outputs, left)
                ? left
                : tally_plan_block(draft->problem, draft->limits, first, left);
        tally_step *step = add_step(draft, outputs, left, block);
        step->args.fold.index_scale =
            of_blocks || draft->problem->partial.from_states ? 0 : index_scale;
        if (first && draft->parts > 1) {
            add_parts(draft);
            return;
        }
        if (of_blocks)
            set_block_axes(draft);
        else
            set_axes(draft, draft->folded + 1);
        left = step->args.fold.blocks;
        if (left <= wanted && (of_blocks || !tally_fold_has_end_launch(
                                                draft->problem, draft->limits, draft->folded - 1)))
            return;
    }
}

/* One launch of the innermost groups, whose terms are one block's. */
static void add_nested(fold_draft *draft, uint64_t outputs) {
    tally_dims axes = tally_fold_terms(draft->problem, draft->nested);
    uint64_t terms = tally_dims_elements(&axes);
    tally_step *step = add_step(draft, outputs, terms, terms);
    step->args.fold.index_scale = tally_fold_index_scale(&axes);
    for (uint32_t g = 0; g < draft->nested; g++)
        step->args.fold.nest[g] = tally_dims_elements(&draft->problem->swept[g]);
    if (draft->parts > 1)
        add_parts(draft);
    else
        set_axes(draft, draft->nested);
}

static void add_steps(fold_draft *draft) {
    const tally_problem *problem = draft->problem;
    uint64_t outputs = tally_dims_elements(&problem->kept);
    if (problem->terms <= 1) { /* nothing swept, or an axis of size 0: no order to follow */
        add_group(draft, outputs, problem->terms, 0);
        return;
    }
    for (uint32_t g = 1; g < problem->groups; g++)
        outputs *= tally_dims_elements(&problem->swept[g]);
    for (uint32_t g = 0; g < problem->groups; g++) {
        const tally_dims *swept = &problem->swept[g];
        if (draft->nested > 1 && g + 1 == draft->nested)
            add_nested(draft, outputs);
        else if (g >= draft->nested || draft->nested == 1)
            add_group(draft, outputs, tally_dims_elements(swept), tally_fold_index_scale(swept));
        if (g + 1 < problem->groups)
            outputs /= tally_dims_elements(&problem->swept[g + 1]);
    }
}

/* Where each step reads and writes: states go to and fro between two parts of the scratch. */
static void position(const tally_problem *problem, tally_plan *plan) {
    uint32_t state = tally_spec_state_bytes(&plan->step[0].spec);
    uint64_t part[2] = {0, 0};
    for (uint32_t i = 0; i + 1 < plan->count; i++) {
        uint64_t bytes = tally_plan_scratch_of(plan->step[i].args.head.units, state);
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
        step->source_bytes = first ? tally_problem_input_bytes(problem) : state;
        step->target_bytes = last ? tally_problem_output_bytes(problem) : state;
    }
    plan->scratch = part[0] + part[1];
}

static void finalize_step(const fold_draft *draft, uint32_t i) {
    const tally_problem *problem = draft->problem;
    const tally_limits *limits = draft->limits;
    bool indexed = tally_plan_is_indexed(problem);
    tally_step *step = &draft->plan->step[i];
    tally_dims outputs = draft->axes[i].outputs, terms = draft->axes[i].terms;
    tally_fold_args *args = &step->args.fold;
    args->count = problem->count;
    for (uint32_t g = 0; g < TALLY_NEST; g++)
        args->nest[g] = args->nest[g] > 0 ? args->nest[g] : g == 0 ? args->terms : 1;
    if (step->spec.last && indexed)
        step->spec.output = (uint8_t)tally_dtype_unsigned(tally_dtype_find(problem->output)->bytes);
    if (tally_plan_is_map(problem, limits))
        tally_plan_map_axes(&outputs);
    tally_plan_axes(&outputs, step->spec.kept_rank, args->kept_size, args->kept_in, args->kept_out);
    tally_plan_axes(&terms, step->spec.swept_rank, args->swept_size, args->swept_in, NULL);
    bool indices = tally_plan_has_indices(problem, step);
    if (i == 0 || !tally_fold_plan_elements(problem, limits, step))
        tally_plan_fold_schedule(problem, limits, step);
    if (indices) {
        args->index_scale = 1; /* of indices that are worked out */
        tally_plan_axes(&terms, step->spec.swept_rank, args->swept_size, args->swept_in,
                        step->args.fold_any.swept_index);
    }
    tally_plan_range(step, limits);
}

/* All steps, the blocks of the first of which have so many parts each. */
static void make(const tally_problem *problem, const tally_limits *limits, uint32_t nested,
                 uint64_t parts, tally_plan *plan) {
    fold_draft draft = {.problem = problem,
                        .limits = limits,
                        .common = {.function = (uint8_t)problem->function,
                                   .input = (uint8_t)problem->input,
                                   .nan = (uint8_t)problem->nan,
                                   .tie = (uint8_t)problem->tie},
                        .nested = nested,
                        .parts = parts,
                        .left = *problem,
                        .plan = plan};
    memset(plan, 0, sizeof *plan);
    add_steps(&draft);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < plan->count; i++)
        kept = draft.axes[i].outputs.count > kept ? draft.axes[i].outputs.count : kept;
    uint8_t index_bits = tally_plan_index_bits(problem, plan->step[0].args.head.units);
    if (tally_plan_has_states(problem) && tally_plan_is_indexed(problem))
        index_bits = 64; /* of the whole, whose states are alike in all parts */
    for (uint32_t i = 0; i < plan->count; i++) {
        plan->step[i].spec.kept_rank = tally_plan_rank(kept);
        plan->step[i].spec.swept_rank = tally_plan_rank(draft.axes[0].terms.count);
        plan->step[i].spec.index_bits = index_bits;
        plan->step[i].spec.first = i == 0 && !problem->partial.from_states;
        plan->step[i].spec.last = i + 1 == plan->count && !problem->partial.to_states;
    }
    position(problem, plan);
    for (uint32_t i = 0; i < plan->count; i++)
        finalize_step(&draft, i);
}

/* All steps, the first of which has the groups of axes and the parts that suit the device. */
static void make_best(const tally_problem *problem, const tally_limits *limits, tally_plan *plan) {
    const bool several = problem->partial.to_states && problem->partial.states > 1;
    uint32_t nested = tally_plan_nested(problem, limits);
    if (several && nested > 1 && nested == problem->groups)
        nested--; /* the last group is left in blocks */
    make(problem, limits, nested, 1, plan);
    if (several || problem->partial.from_states)
        return;
    uint64_t parts = tally_plan_split(problem, limits, &plan->step[0]);
    if (parts > 1)
        make(problem, limits, nested, parts, plan);
}

void tally_plan_fold(const tally_problem *problem, const tally_limits *limits, tally_plan *plan) {
    tally_problem one;
    if (tally_plan_has_states(problem)) {
        one = problem->partial.from_states ? *problem : tally_plan_fold_problem(problem, limits);
        make_best(&one, limits, plan);
        if (problem->partial.to_states)
            tally_plan_hand_on(problem, limits, plan);
        else
            tally_plan_close(limits, plan);
        return;
    }
    if (tally_plan_fold_packed(problem, limits,
                               &one)) { /* the fill is the last launch, so none closes */
        make_best(&one, limits, plan);
        tally_plan_copy_results(problem, limits, plan);
        return;
    }
    one = tally_plan_fold_problem(problem, limits);
    if (limits->family == TALLY_FAMILY_GPU && tally_plan_is_map(&one, limits)) {
        const tally_problem fill = tally_plan_map_fill(&one);
        tally_plan_fill(&fill, limits, plan);
        return;
    }
    make_best(&one, limits, plan);
    tally_plan_close(limits, plan);
}
