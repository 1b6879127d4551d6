/*
 * rules.c: the rules of single steps, and the list of all rules. Each rule is a function that
 * returns the sentence that is not true.
 */
#include "rules.h"

#include <string.h>

#include "model/dtype.h"
#include "parts.h"
#include "plan/program/variants.h"
#include "support/numbers/number.h"

/* ---- Every step ---------------------------------------------------------------------------- */

static const char *broken_range(const tally_step *step, const tally_limits *limits) {
    const uint64_t units = step->args.head.units;
    const uint64_t slots = step->spec.group == 0 ? step->group : plan_rules_slots(step);
    if (units == 0)
        return "a step has work";
    if (step->group == 0 || step->groups == 0)
        return "a step has groups and a group has work-items";
    if (step->group > limits->group_max)
        return "a group is no larger than the device allows";
    if (step->groups > UINT32_MAX || step->groups * step->group > UINT64_C(1) << 31)
        return "the number of work-items fits 32 bits";
    if (slots == 0)
        return "a group has room for a unit";
    if ((step->groups - 1) * slots >= units)
        return "no group is without work";
    return NULL;
}

static const char *broken_group(const tally_step *step, const tally_limits *limits) {
    const uint32_t group = step->spec.group;
    if (plan_rules_shares(&step->spec) != (group != 0))
        return "the size of a group that shares work is compiled in, and no other's";
    if (group == 0)
        return NULL;
    if (plan_rules_is_for_cpus(step->spec.schedule) != (limits->family == TALLY_FAMILY_CPU))
        return "no groups that share work in the family for CPUs, which has groups of its own";
    if (limits->family != TALLY_FAMILY_GPU && plan_rules_is_wide(step->spec.schedule))
        return "wide groups are of the family for GPUs alone";
    if (group != step->group)
        return "a group has the size that is compiled in";
    if (plan_rules_is_for_cpus(step->spec.schedule)) /* a group is a work-item, with its grain */
        return group != 1 || tally_group_slots(step) == 0
                   ? "a work-item of a CPU's agent is a group, and takes some units"
                   : NULL;
    const bool by_spans = step->spec.schedule == TALLY_SCAN_COLUMNS; /* 16 of them in a tile */
    if (by_spans || plan_rules_is_staged(&step->spec) ? group % 16 != 0
                                                      : (group & (group - 1)) != 0)
        return "a group is a power of two of work-items, or whole runs of a span";
    return tally_group_local_bytes(&step->spec) > limits->local_bytes
               ? "a group's local memory fits the device's"
               : NULL;
}

static bool is_rank(uint32_t rank) {
    return rank == 1 || rank == 2 || rank == 4 || rank == 8;
}

typedef struct search {
    const tally_spec *wanted;
    uint32_t found;
} search;

static void count_variant(const tally_spec *variant, void *user) {
    search *it = user;
    it->found += tally_spec_equal(variant, it->wanted);
}

static const char *broken_spec(const tally_problem *problem, const tally_step *step) {
    const tally_spec *spec = &step->spec;
    const bool fill = problem->kind == TALLY_KIND_FILL;
    const bool moves = fill && problem->function == 0;
    search it = {spec, 0};
    if (tally_schedule_find(spec->schedule) == NULL ||
        tally_schedule_find(spec->schedule)->kind != problem->kind)
        return "a step's kernel is of the problem's kind";
    if (!is_rank(spec->kept_rank) || (fill ? spec->swept_rank != 0 : !is_rank(spec->swept_rank)))
        return "ranks are 1, 2, 4 or 8";
    if (spec->index_bits != 32 && spec->index_bits != 64)
        return "an index has 32 or 64 bits";
    const bool elements = spec->first && plan_rules_reads_states(problem, step);
    const char *broken = elements ? plan_rules_fold_of_states(problem, step) : NULL;
    if (broken != NULL)
        return broken;
    if ((!elements && spec->function != (uint8_t)problem->function) ||
        spec->nan != (uint8_t)problem->nan || spec->tie != (uint8_t)problem->tie)
        return "function and options are the problem's";
    if (!elements && spec->input != (uint8_t)(moves ? tally_dtype_unsigned(
                                                          (uint32_t)number_bytes(problem->input))
                                                    : problem->input))
        return "the input type is the problem's, of a fill the unsigned type of its size";
    const bool scan = problem->kind == TALLY_KIND_SCAN;
    if (!scan && (spec->levels != 0 || spec->word != 0 || spec->phase != 0))
        return "levels, words and phases are of scans";
    if (scan && !plan_rules_is_spread(spec) && spec->word != 0)
        return "groups whose rows are not spread publish no word";
    tally_source_each_variant(spec, count_variant, &it);
    if (it.found != 1)
        return "the kernel is one of its program's, once";
    if (!plan_rules_has_own_policy(spec))
        return "a spec has the policy of its own agent, and no other's";
    if (!plan_rules_has_own_args(step))
        return "a step has the arguments of its own agent, and no other's";
    return NULL;
}

/* ---- Index width --------------------------------------------------------------------------- */

/* Elements of a step's fill, or 0. */
static uint64_t filled_by(const tally_step *step) {
    uint64_t elements = tally_schedule_find(step->spec.schedule)->kind == TALLY_KIND_FILL ? 1 : 0;
    for (uint32_t k = 0; k < step->spec.kept_rank; k++)
        elements *= step->args.fill.kept_size[k];
    return elements;
}

/*
 * Elements of a unit, to whose end a fill counts: so near to the limit indices are wide, and some
 * units before it they may be.
 */
#define UNIT_ELEMENTS 16384
#define UNITS_BEHIND 4

static bool has_its_bits(const tally_step *step, bool small, uint64_t limit) {
    const uint64_t filled = filled_by(step);
    if (small && filled + UNIT_ELEMENTS < limit && filled + UNITS_BEHIND * UNIT_ELEMENTS >= limit)
        return true;
    return step->spec.index_bits == (small && filled + UNIT_ELEMENTS < limit ? 32 : 64);
}

static const char *broken_bits(const tally_problem *problem, const tally_plan *plan) {
    const uint64_t limit = UINT64_C(1) << 31;
    bool small =
        problem->input_extent < limit && problem->output_extent < limit && problem->terms < limit;
    for (uint32_t i = 0; i < plan->count; i++) {
        const tally_fold_args *args = &plan->step[i].args.fold;
        const bool fold = problem->kind == TALLY_KIND_FOLD;
        small = small && (fold ? args->outputs * args->blocks : args->head.units) < limit;
    }
    for (uint32_t i = 0; i < plan->count; i++)
        if (!has_its_bits(&plan->step[i], small, limit))
            return "an index has 32 bits exactly if all numbers are below 2^31, in every step";
    return NULL;
}

/* ---- All of it ----------------------------------------------------------------------------- */

/*
 * The problem whose rules a plan keeps: what a fold's planner makes of it, and of one that fills
 * serve a fill.
 */
static tally_problem served(const tally_problem *problem, const tally_limits *limits,
                            const tally_plan *plan) {
    if (problem->kind != TALLY_KIND_FOLD)
        return *problem;
    const tally_problem folded = tally_plan_fold_problem(problem, limits);
    const bool map = folded.groups == 0 && folded.terms == 1;
    return map && tally_schedule_find(plan->step[0].spec.schedule)->kind == TALLY_KIND_FILL
               ? tally_plan_map_fill(&folded)
               : folded;
}

/* Of the steps that solve a problem, as its planner has it: not of none. */
static const char *broken_solution(const tally_problem *problem, const tally_limits *limits,
                                   const tally_plan *plan) {
    static const char *(*const of_kind[])(const tally_problem *, const tally_plan *) = {
        [TALLY_KIND_FOLD] = plan_rules_fold,
        [TALLY_KIND_SCAN] = plan_rules_scan,
        [TALLY_KIND_FILL] = plan_rules_fill,
    };
    const char *broken = NULL;
    for (uint32_t i = 0; i < plan->count && broken == NULL; i++) {
        broken = broken_range(&plan->step[i], limits);
        if (broken == NULL)
            broken = broken_group(&plan->step[i], limits);
        if (broken == NULL)
            broken = broken_spec(problem, &plan->step[i]);
        if (plan->step[i].args.head.in_offset != 0 || plan->step[i].args.head.out_offset != 0)
            broken = "offsets are left to the enqueue";
    }
    if (broken == NULL)
        broken = broken_bits(problem, plan);
    if (broken == NULL)
        broken = plan_rules_scratch(problem, plan);
    if (broken == NULL)
        broken = plan_rules_chain_limits(limits, plan);
    if (broken != NULL)
        return broken;
    return of_kind[problem->kind](problem, plan);
}

/*
 * A fold and, behind it, a fill that copies its results: each is a plan, the one as if it wrote
 * the output and the other as if it read the input, but both mean the end of the scratch.
 */
static const char *broken_copy(const tally_problem *problem, const tally_limits *limits,
                               const tally_plan *plan) {
    static tally_plan fold, fill;
    tally_problem packed;
    if (!tally_plan_fold_packed(problem, limits, &packed))
        return "results are copied where the planner says so";
    fold = *plan;
    fill = (tally_plan){.count = 1};
    tally_step *last = &fold.step[--fold.count - 1], *copy = &fill.step[0];
    *copy = plan->step[plan->count - 1];
    if (last->target != TALLY_IN_SCRATCH || copy->source != TALLY_IN_SCRATCH ||
        last->target_offset != copy->source_offset || last->target_bytes != copy->source_bytes)
        return "results that are copied are read where they were written";
    const uint64_t results = tally_dims_elements(&packed.kept), before = copy->source_offset;
    const uint64_t end = before + results * copy->source_bytes;
    if (before % TALLY_SCRATCH_ALIGNMENT != 0 || plan->scratch < end ||
        plan->scratch - end >= TALLY_SCRATCH_ALIGNMENT)
        return "results that are copied are the end of the scratch, aligned";
    if (plan->closing || plan->out_of_place_steps > 0)
        return "each step of a plan that copies results is a launch";
    fold.scratch = before;
    last->target = TALLY_IN_OUTPUT;
    copy->source = TALLY_IN_INPUT;
    last->target_offset = copy->source_offset = 0;
    const char *broken = broken_solution(&packed, limits, &fold);
    const tally_problem copied = tally_plan_results_fill(problem);
    return broken != NULL ? broken : broken_solution(&copied, limits, &fill);
}

/* Of the steps that serve one enqueue. */
static const char *broken_steps(const tally_problem *problem, const tally_limits *limits,
                                const tally_plan *plan) {
    if ((plan->count == 0) != (problem->output_extent == 0))
        return "there are steps exactly if there are outputs";
    if (plan->count > TALLY_MAX_STEPS)
        return "there is room for the steps";
    if (plan->count == 0)
        return plan->scratch == 0 ? NULL : "nothing needs no scratch";
    const tally_step *last = &plan->step[plan->count - 1];
    if (problem->kind == TALLY_KIND_FOLD && last->source == TALLY_IN_SCRATCH &&
        tally_schedule_find(last->spec.schedule)->kind == TALLY_KIND_FILL)
        return broken_copy(problem, limits, plan);
    const tally_problem it = served(problem, limits, plan);
    return broken_solution(&it, limits, plan);
}

static bool has_recompute(const tally_plan *plan) {
    bool found = false;
    for (uint32_t i = 0; i < plan->count; i++)
        found = found || tally_spec_carry(&plan->step[i].spec) == TALLY_CARRY_RECOMPUTE;
    return found;
}

/* A fill in place leaves what stays as it is, which else nobody writes. */
static bool is_in_its_place(const tally_problem *problem, const tally_plan *part, bool in_place) {
    return problem->kind != TALLY_KIND_FILL || part->count == 0 ||
           (part->step[0].args.fill.in_place != 0) == in_place;
}

/* Of the steps for calls in place or out of place; where memory is, or may be, one: in_one. */
static const char *broken_way(const tally_problem *problem, const tally_limits *limits,
                              const tally_plan *plan, bool in_place, bool in_one) {
    if (has_recompute(plan) && in_one)
        return "no group reads again what another may have written";
    if (!is_in_its_place(problem, plan, in_place))
        return "what stays is left out where input and output are one, and nowhere else";
    return broken_steps(problem, limits, plan);
}

/* Each part of a plan for both ways is a plan; the one for out-of-place calls has no scratch. */
const char *plan_rules_broken(const tally_problem *problem, const tally_limits *limits,
                              const tally_plan *plan) {
    static tally_plan part;
    const char *broken = NULL;
    if (plan->out_of_place_steps == 0)
        return broken_way(problem, limits, plan, false, problem->in_place);
    const bool fill = problem->kind == TALLY_KIND_FILL; /* which may have nothing to write */
    if (plan->out_of_place_steps > plan->count ||
        (plan->out_of_place_steps == plan->count && !fill) || !problem->in_place)
        return "steps are told apart where input and output may be one";
    for (int in_place = 0; in_place <= 1 && broken == NULL; in_place++) {
        uint32_t first = 0;
        part = (tally_plan){.scratch = in_place ? plan->scratch : 0,
                            .board = in_place ? plan->board : 0};
        part.count = tally_plan_steps(plan, in_place, &first);
        if (in_place && part.count == 0)
            return plan_rules_has_nothing_to_fill(problem)
                       ? NULL
                       : "nothing is to be written where there is no step";
        memcpy(part.step, plan->step + first, part.count * sizeof part.step[0]);
        broken = broken_way(problem, limits, &part, in_place != 0, in_place != 0);
    }
    return broken;
}
