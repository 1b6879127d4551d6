/*
 * schedules.c: what a schedule's groups are, and which rules it has: those of all, and those of
 * fold_any; the wide ones' are in wide.c and outputs.c, those of CPUs in fold_cpu.c.
 */
#include <string.h>

#include "parts.h"
#include "support/descriptions/legal.h"
#include "support/numbers/number.h"

uint64_t plan_rules_parts(uint64_t whole, uint64_t part) {
    return whole / part + (whole % part != 0);
}

uint64_t plan_rules_element_bytes(const tally_step *step) {
    return number_bytes((tally_dtype)step->spec.input);
}

uint64_t plan_rules_elements(const tally_spec *spec, uint64_t bytes) {
    return bytes / number_bytes((tally_dtype)spec->input);
}

bool plan_rules_is_power_of_two(uint64_t n) {
    return n > 0 && (n & (n - 1)) == 0;
}

bool plan_rules_is_for_cpus(uint8_t schedule) {
    return strstr(tally_schedule_find(schedule)->name, "_cpu_") != NULL;
}

bool plan_rules_shares(const tally_spec *spec) {
    const uint8_t schedule = spec->schedule;
    const bool any =
        schedule == TALLY_FOLD_ANY || schedule == TALLY_SCAN_ANY || schedule == TALLY_SCAN_CARRY;
    return any ? spec->group != 0 : schedule != TALLY_FILL;
}

bool plan_rules_is_wide(uint8_t schedule) {
    return !plan_rules_is_for_cpus(schedule) && schedule != TALLY_FOLD_ANY &&
           schedule != TALLY_SCAN_ANY && schedule != TALLY_SCAN_CARRY && schedule != TALLY_FILL;
}

bool plan_rules_has_own_policy(const tally_spec *spec) {
    for (size_t i = tally_spec_policy(spec)->count; i < TALLY_POLICY_FIELDS; i++)
        if (spec->policy.field[i] != 0)
            return false;
    return true;
}

bool plan_rules_has_own_args(const tally_step *step) {
    for (size_t i = tally_spec_args_bytes(&step->spec) / 8; i < TALLY_ARGS_MEMBERS; i++)
        if (step->args.all[i] != 0)
            return false;
    return true;
}

bool plan_rules_has_indices(const tally_spec *spec) {
    return spec->schedule == TALLY_FOLD_OUTPUTS
               ? spec->policy.fold_outputs.indices != 0
               : spec->schedule == TALLY_FOLD_ANY && spec->policy.fold_any.indices != 0;
}

bool plan_rules_has_carry(const tally_spec *spec) {
    const tally_policy_row *policy = tally_spec_policy(spec);
    return policy->count > 0 && strcmp(policy->fields[0].name, "carry") == 0;
}

uint64_t plan_rules_block(const tally_spec *spec) {
    const bool rows = spec->schedule == TALLY_FOLD_ROWS;
    return rows ? BLOCK / LANES * tally_row_mates(spec) * spec->policy.fold_rows.lanes_per_item
                : BLOCK;
}

/* Units of a group at a time, where a step's planner does not choose them. */
uint64_t plan_rules_slots(const tally_step *step) {
    const uint64_t share = tally_group_slots(step);
    if (tally_schedule_find(step->spec.schedule)->kind == TALLY_KIND_FILL && share == 0)
        return step->slots > 0 ? step->slots : 1;
    return share > 0 ? share : 1;
}

/* ---- Any strides --------------------------------------------------------------------------- */

/* Whether the innermost swept axes have so many terms. */
static bool are_lines(const tally_step *step, uint64_t line_terms) {
    const tally_fold_args *args = &step->args.fold;
    uint64_t terms = 1;
    for (uint32_t k = step->spec.swept_rank; k-- > 0 && terms < line_terms;)
        terms *= args->swept_size[k];
    return terms == line_terms && args->terms % line_terms == 0;
}

/* Pieces of so many lines beside each other for a unit. */
const char *plan_rules_lines(const tally_step *step, uint64_t line_terms, uint64_t lines,
                             uint64_t piece_terms, uint64_t at_once) {
    const tally_fold_args *args = &step->args.fold;
    const uint64_t all = line_terms * lines;
    uint32_t axis = step->spec.swept_rank;
    uint64_t terms = 1;
    while (axis > 0 && terms < line_terms)
        terms *= args->swept_size[--axis];
    if (!step->spec.first || legal_is_index((tally_function)step->spec.function))
        return "lines are of elements without an index";
    if (all == 0 || args->terms % all != 0 || piece_terms == 0 || terms != line_terms)
        return "an output's terms are whole lines, of the innermost axes";
    if (axis == 0 || lines != args->swept_size[axis - 1])
        return "lines lie beside each other along one axis";
    return args->head.units != args->outputs * (args->terms / all) *
                                   plan_rules_parts(lines, at_once) *
                                   plan_rules_parts(line_terms, piece_terms)
               ? "each piece of lines beside each other is a unit"
               : NULL;
}

/* Whether elements are beside each other along one axis, and all packs of those begin at packs. */
static bool are_packs(const tally_step *step, uint64_t lines, uint64_t pack) {
    const tally_fold_args *args = &step->args.fold;
    uint32_t beside = 0;
    for (uint32_t k = 0; k < step->spec.swept_rank; k++)
        if (args->swept_size[k] > 1 && args->swept_in[k] % pack != 0)
            beside += args->swept_in[k] == 1 && args->swept_size[k] == lines ? 1 : 2;
    for (uint32_t k = 0; k < step->spec.kept_rank; k++)
        if (args->kept_size[k] > 1 && args->kept_in[k] % pack != 0)
            return false;
    return beside == 1 && lines % pack == 0;
}

/*
 * A block of an output for a unit, or some that are staged together; or of a group that goes along
 * lines a piece of some.
 */
const char *plan_rules_of_fold_any(const plan_rules_case *it) {
    const tally_step *step = it->step;
    const tally_fold_any_args *args = &step->args.fold_any;
    const tally_fold_any_policy *policy = &step->spec.policy.fold_any;
    const bool lines = policy->lines_at_once > 0, staged = policy->lines_beside > 0;
    if (lines + staged + (policy->outputs_at_once > 0) > 1)
        return "a group has several outputs, goes along lines, or stages a block";
    const uint32_t beside = lines ? policy->lines_at_once : policy->outputs_at_once;
    if (beside > 0 && (step->spec.group == 0 || step->spec.group % beside != 0))
        return "each of a group's outputs or lines has as many work-items";
    if (staged && (!step->spec.first || policy->indices || !are_lines(step, args->line_terms)))
        return "lines that are staged are of elements without an index, of the innermost axes";
    const uint64_t pack = plan_rules_elements(&step->spec, policy->pack);
    if (pack == 0 || (lines ? beside % pack != 0 : pack > 1))
        return "groups that go along lines load packs of them, others elements";
    if (pack > 1 && !are_packs(step, args->lines, pack))
        return "packs of lines begin at whole ones";
    /* with fewer lines than there is room for, a step along a staged one is up to twice as long */
    if ((lines || staged) &&
        step->spec.group / (lines ? policy->lines_at_once / pack : policy->lines_beside) >
            args->swept_size[step->spec.swept_rank - 1] / (staged ? 2 : 1))
        return "a step along a line goes round its innermost axis once at most";
    if (lines)
        return plan_rules_lines(step, args->line_terms, args->lines, args->piece_terms,
                                policy->lines_at_once);
    const uint64_t together = policy->blocks_at_once > 0 ? policy->blocks_at_once : 1;
    if (together > 1 && (!staged || step->spec.group % together != 0))
        return "a group has several blocks of an output where it stages them";
    return args->head.units != args->outputs * ((args->blocks - 1) / together + 1)
               ? "each block of each output is in a unit"
               : NULL;
}

/* ---- Each schedule ------------------------------------------------------------------------- */

const char *plan_rules_agent(const plan_rules_case *it) {
#define TALLY_SCHEDULE(enumerator, name, ...) [TALLY_##enumerator] = plan_rules_of_##name,
    static const char *(*const rules[TALLY_SCHEDULES])(const plan_rules_case *) = {
#include "plan/schedule.def"
    };
#undef TALLY_SCHEDULE
    return rules[it->step->spec.schedule](it);
}

const char *plan_rules_schedule(const plan_rules_case *it) {
    const tally_step *step = it->step;
    const uint8_t schedule = step->spec.schedule;
    const bool one_axis = plan_rules_reads_states(it->problem, step) ||
                          (it->problem->groups > 0 && it->problem->swept[0].count == 1);
    const bool wide = plan_rules_is_wide(schedule), cpu = plan_rules_is_for_cpus(schedule);
    if (tally_group_slots(step) > 0 ? step->slots != tally_group_slots(step) : step->slots > 1)
        return "a step knows how many units its groups work on at a time";
    if (schedule == TALLY_FOLD_OUTPUTS)
        return plan_rules_agent(it);
    const tally_u64 *nest = step->args.fold.nest;
    if (nest[0] != step->args.fold.terms && step->args.fold.terms > 0 && nest[0] != 1)
        return "the terms of one group are those of the launch";
    if (nest[1] != 1 || nest[2] != 1 || nest[3] != 1 || step->args.fold.parts != 1)
        return "folds by outputs alone have several groups and parts of blocks";
    if (wide && step->spec.first && !one_axis)
        return "wide groups read elements along one swept axis";
    if (wide && !step->spec.first && !plan_rules_is_whole(&step->spec))
        return "of the wide groups those of whole rows alone read states";
    if (cpu && schedule != TALLY_FOLD_CPU_PANEL && schedule != TALLY_FOLD_CPU_SPACED &&
        schedule != TALLY_FOLD_CPU_LINES && schedule != TALLY_FOLD_CPU_MAP && step->spec.first &&
        !one_axis)
        return "elements are read along one swept axis";
    return plan_rules_agent(it);
}
