/*
 * schedules.c: what a schedule's groups are, and which rules it has; those of the wide
 * ones are in wide.c.
 */
#include <string.h>

#include "model/dtype.h"

#include "parts.h"
#include "support/descriptions/legal.h"
#include "support/numbers/number.h"

/* Bytes of a vector of a CPU. */
#define VECTOR_BYTES 32

uint64_t plan_rules_parts(uint64_t whole, uint64_t part) {
    return whole / part + (whole % part != 0);
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

/* ---- Folds on CPUs ------------------------------------------------------------------------- */

/* Of a number of those that a state is made of. */
static uint64_t part_bytes(const tally_spec *spec) {
    return tally_dtype_find((tally_dtype)spec->input)->compute_bytes;
}

const char *plan_rules_of_fold_cpu_rows(const plan_rules_case *it) {
    const tally_step *step = it->step;
    const tally_fold_args *args = &step->args.fold;
    const uint64_t parts = args->terms == 0 ? 1 : (args->terms - 1) / BLOCK + 1;
    if (step->spec.first && args->swept_in[step->spec.swept_rank - 1] != 1)
        return "a row's terms lie side by side";
    if (args->terms == 0 || (args->blocks == 1 && parts > LANES))
        return "a whole row has terms, and a lane for each block";
    return args->head.units != args->outputs * args->blocks
               ? "each block of each row, or the row, is a unit"
               : NULL;
}

const char *plan_rules_of_fold_cpu_short_rows(const plan_rules_case *it) {
    const tally_step *step = it->step;
    const tally_fold_args *args = &step->args.fold;
    if (args->terms > LANES || args->blocks != 1)
        return "a short row has a lane for each term";
    return plan_rules_of_fold_cpu_rows(it);
}

const char *plan_rules_of_fold_cpu_packed(const plan_rules_case *it) {
    const tally_step *step = it->step;
    const tally_fold_args *args = &step->args.fold;
    const tally_spec *spec = &step->spec;
    const uint64_t columns = args->kept_size[spec->kept_rank - 1];
    uint64_t lanes = 1;
    while (lanes < args->terms && lanes < LANES)
        lanes *= 2;
    if (args->kept_in[spec->kept_rank - 1] != 1 || args->outputs % columns != 0 ||
        args->swept_in[spec->swept_rank - 1] != columns)
        return "packed columns lie side by side, and so do their rows";
    if (args->terms == 0 || lanes * columns * part_bytes(spec) > TALLY_PACKED_BYTES)
        return "the states of packed columns fit";
    return args->head.units != args->outputs / columns * args->blocks
               ? "each block of packed columns is a unit"
               : NULL;
}

/* Whether a set's columns are those of whole axes, innermost ones, so far apart in the input. */
static bool is_set(const tally_step *step, uint64_t stride) {
    const tally_fold_cpu_columns_args *args = &step->args.fold_cpu_columns;
    uint64_t columns = 1;
    for (uint32_t k = step->spec.kept_rank; k-- > 0 && columns < args->columns;) {
        if (args->kept_in[k] != columns * stride)
            return false;
        columns *= args->kept_size[k];
    }
    return columns > 1 && columns == args->columns;
}

const char *plan_rules_of_fold_cpu_columns(const plan_rules_case *it) {
    const tally_step *step = it->step;
    const tally_fold_cpu_columns_args *args = &step->args.fold_cpu_columns;
    const tally_spec *spec = &step->spec;
    const uint64_t columns = args->columns;
    if (!is_set(step, 1))
        return "columns lie side by side";
    if (args->terms == 0 || args->strip_columns == 0 || columns < VECTOR_BYTES / part_bytes(spec) ||
        args->strip_columns < VECTOR_BYTES / part_bytes(spec))
        return "a strip is no narrower than a vector";
    const uint64_t strips = columns / args->strip_columns > 0 ? columns / args->strip_columns : 1;
    if ((columns - (strips - 1) * args->strip_columns) * part_bytes(spec) > TALLY_STRIP_BYTES)
        return "a strip's states fit";
    return args->head.units != args->outputs / columns * strips * args->blocks
               ? "each block of each strip of columns is a unit"
               : NULL;
}

const char *plan_rules_of_fold_cpu_spaced(const plan_rules_case *it) {
    const tally_step *step = it->step;
    const tally_fold_cpu_columns_args *args = &step->args.fold_cpu_columns;
    const tally_spec *spec = &step->spec;
    const uint64_t stride = args->kept_in[spec->kept_rank - 1];
    const uint64_t width = VECTOR_BYTES / part_bytes(spec);
    const uint64_t columns = args->columns;
    uint64_t lanes = 1;
    while (lanes < args->terms && lanes < (tally_spec_is_exact(spec) ? TALLY_SPACED_LANES : LANES))
        lanes *= 2;
    if (stride < 1 || !is_set(step, stride))
        return "spaced columns lie as far apart, each from the next";
    if (args->terms == 0 || args->sets_first != 0 || args->strip_columns == 0 ||
        args->strip_columns > columns)
        return "a strip of spaced columns has elements";
    const uint64_t strips = columns / args->strip_columns;
    const uint64_t widest = columns - (strips - 1) * args->strip_columns;
    if (lanes * ((widest - 1) / width + 1) > TALLY_SPACED_ROOM)
        return "the states of spaced columns fit";
    return args->head.units != args->outputs / columns * strips * args->blocks
               ? "each block of each strip of spaced columns is a unit"
               : NULL;
}

/*
 * Blocks of a single output, in whole rows of the axes inside the one that they are brought along.
 */
static const char *broken_cpu_line(const tally_step *step) {
    const tally_fold_cpu_panel_args *args = &step->args.fold_cpu_panel;
    const tally_spec *spec = &step->spec;
    const uint64_t room = TALLY_LINE_BYTES / number_bytes((tally_dtype)spec->input);
    uint64_t inside = 0;
    if (args->box_blocks == 0 || args->transposed_axis > spec->swept_rank)
        return "a line has blocks, and an axis along which it is brought";
    for (uint64_t k = args->transposed_axis + 1; k < spec->swept_rank; k++)
        inside = (inside > 0 ? inside : 1) * args->swept_size[k];
    if (args->transposed_axis < spec->swept_rank &&
        (inside < VECTOR_BYTES / part_bytes(spec) || args->swept_in[args->transposed_axis] != 1))
        return "squares of a line are whole ones";
    return args->box_blocks * BLOCK + 2 * inside + VECTOR_BYTES / part_bytes(spec) > room
               ? "a line's blocks fit"
               : NULL;
}

const char *plan_rules_of_fold_cpu_panel(const plan_rules_case *it) {
    const tally_step *step = it->step;
    const tally_fold_cpu_panel_args *args = &step->args.fold_cpu_panel;
    const tally_spec *spec = &step->spec;
    const uint64_t width = VECTOR_BYTES / part_bytes(spec), vectors = args->box_outputs / width;
    uint64_t lanes = 1;
    while (lanes < args->terms && lanes < LANES)
        lanes *= 2;
    if (!spec->first || args->terms == 0 || args->box_outputs == 0)
        return "a box has elements";
    if (args->box_outputs == 1 ? broken_cpu_line(step) != NULL : args->box_blocks != 1)
        return args->box_outputs == 1 ? broken_cpu_line(step) : "several outputs have a block";
    if (args->box_outputs == 1
            ? args->terms < width
            : vectors * width != args->box_outputs || args->box_outputs > TALLY_PANEL_COLUMNS)
        return "a box's outputs are whole vectors and not too many, or its terms are";
    /* Of pairs a lane's run is there at once; where combining is exact there is one lane. */
    lanes = tally_spec_is_exact(spec) ? 1 : lanes;
    const uint64_t rows = spec->function == TALLY_LOG_SUM_EXP ? 8 * lanes : lanes;
    if (lanes * vectors > TALLY_PANEL_STATES ||
        (rows < args->terms ? rows : args->terms) * vectors > TALLY_PANEL_BYTES / VECTOR_BYTES)
        return "a box's states and its lanes' next runs fit";
    return args->head.units != ((args->outputs - 1) / args->box_outputs + 1) *
                                   ((args->blocks - 1) / args->box_blocks + 1)
               ? "each part of each box is a unit"
               : NULL;
}

/* ---- Maps ---------------------------------------------------------------------------------- */

const char *plan_rules_of_fold_cpu_map(const plan_rules_case *it) {
    const tally_step *step = it->step;
    const tally_fold_cpu_map_args *args = &step->args.fold_cpu_map;
    const uint32_t rank = step->spec.kept_rank;
    const uint64_t columns = args->kept_size[rank - 1], piece = args->piece_elements;
    const uint64_t rows = rank > 1 ? args->kept_size[rank - 2] : 1, lines = TALLY_MAP_ROWS;
    if (it->problem->groups != 0 || args->terms != 1 || !step->spec.first || !step->spec.last)
        return "a map has one term for each output, and one launch";
    if (piece == 0)
        return "a map has pieces of lines";
    return args->head.units != args->outputs / (columns * rows) * ((columns - 1) / piece + 1) *
                                   ((rows - 1) / lines + 1)
               ? "each piece of lines is a unit of a map"
               : NULL;
}

/* Whether the innermost swept axes have so many terms. */
static bool are_lines(const tally_step *step, uint64_t line_terms) {
    const tally_fold_args *args = &step->args.fold;
    uint64_t terms = 1;
    for (uint32_t k = step->spec.swept_rank; k-- > 0 && terms < line_terms;)
        terms *= args->swept_size[k];
    return terms == line_terms && args->terms % line_terms == 0;
}

/* Pieces of lines beside each other for a unit. */
static const char *broken_lines(const tally_step *step) {
    const tally_fold_any_args *args = &step->args.fold_any;
    const uint64_t all = args->line_terms * args->lines;
    uint32_t axis = step->spec.swept_rank;
    for (uint64_t terms = 1; axis > 0 && terms < args->line_terms;)
        terms *= args->swept_size[--axis];
    if (all == 0 || args->terms % all != 0 || args->piece_terms == 0)
        return "an output's terms are whole lines";
    if (axis == 0 || args->lines != args->swept_size[axis - 1])
        return "lines lie beside each other along one axis";
    return args->head.units !=
                   args->outputs * (args->terms / all) *
                       plan_rules_parts(args->lines, step->spec.policy.fold_any.lines_at_once) *
                       plan_rules_parts(args->line_terms, args->piece_terms)
               ? "each piece of lines beside each other is a unit"
               : NULL;
}

/* One block of one output for a unit, or of a group that goes along lines a piece of some. */
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
    const bool indexed = legal_is_index((tally_function)step->spec.function);
    if ((lines || staged) && (!step->spec.first || (lines ? indexed : policy->indices)))
        return "lines are of elements without an index";
    if ((lines || staged) && !are_lines(step, args->line_terms))
        return "a line's terms are those of the innermost axes";
    if ((lines || staged) &&
        step->spec.group / (lines ? policy->lines_at_once : policy->lines_beside) >
            args->swept_size[step->spec.swept_rank - 1])
        return "a step along a line goes round its innermost axis once at most";
    if (lines)
        return broken_lines(step);
    return args->head.units != args->outputs * args->blocks ? "each block of each output is a unit"
                                                            : NULL;
}

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
    const bool one_axis = it->problem->groups > 0 && it->problem->swept[0].count == 1;
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
        schedule != TALLY_FOLD_CPU_MAP && step->spec.first && !one_axis)
        return "elements are read along one swept axis";
    return plan_rules_agent(it);
}
