/*
 * Why a launch has its schedule and its carry, in one sentence. The sentence is of the schedule, as
 * schedule.def has it, and of what the planners look at first: the family and whether states are
 * read.
 */
#include "plan/explain/explain.h"

/* The schedule's reason, or what a policy makes of it. */
static const char *reason_of(const tally_spec *spec) {
    if (spec->schedule == TALLY_FOLD_ROWS && spec->policy.fold_rows.whole_rows)
        return "an output has a few blocks: one group folds all of them and joins them too, which "
               "saves a launch";
    if (spec->schedule == TALLY_FOLD_SHORT_ROWS && spec->policy.fold_short_rows.of_columns)
        return "the columns are few, short and close to each other: a group brings whole ones into "
               "local memory, 16 bytes for each work-item";
    if (spec->schedule == TALLY_FOLD_ANY && spec->group > 0)
        return "a group shares a block, as single work-items would be too few or would not read "
               "side by side";
    if (spec->schedule == TALLY_FILL_PACKS && spec->policy.fill_packs.picks)
        return "elements of the output lie side by side over some axes: a work-item puts together "
               "16 bytes at a time, of elements that it reads one by one";
    if (spec->schedule == TALLY_SCAN_ANY && spec->group > 0)
        return "a group walks a row together, as single work-items would be too few or would not "
               "read side by side";
    return tally_schedule_find(spec->schedule)->reason;
}

/* Where a scan has what comes before its terms from, and why from there. */
static const char *const carries[] = {
    [TALLY_CARRY_NONE] = "",
    [TALLY_CARRY_WALK] = "; a group goes down its rows to their ends, as they are many or short",
    [TALLY_CARRY_RECOMPUTE] = "; of few rows the units are spread over groups, and each reads "
                              "again what comes before its unit, which saves launches",
    [TALLY_CARRY_TWO_PASSES] = "; of few long rows the units are spread over groups, and what "
                               "comes before each is from an earlier launch",
    [TALLY_CARRY_LOOK_BACK] = "; of few long rows the units are spread over groups, which tell "
                              "each other what comes before, in one pass over memory",
};

/* The schedules of the family generic, which all families fall back to. */
static bool serves_everything(uint8_t schedule) {
    return schedule == TALLY_FOLD_ANY || schedule == TALLY_SCAN_ANY || schedule == TALLY_FILL;
}

/* Whether a fill has several positions of an element. */
static bool repeats(const tally_step *fill) {
    for (uint32_t k = 0; k < fill->spec.kept_rank; k++)
        if (fill->args.fill.kept_in[k] == 0 && fill->args.fill.kept_size[k] > 1)
            return true;
    return false;
}

/* Why a fold has a fill. */
static const char *lead_of_fill(const tally_step *step) {
    if (step->source == TALLY_IN_SCRATCH && !repeats(step))
        return "Results that are neighbours in the input lie far apart in the output, so they are "
               "folded packed, and then copied: ";
    if (step->source == TALLY_IN_SCRATCH)
        return "The input repeats along kept axes, and each result, folded once, is copied to all "
               "of its places: ";
    return step->spec.function != 0
               ? "Nothing is swept, and each output is the function of one element: "
               : "Nothing is swept, and each output is the index 0: ";
}

/* Why none of the family's faster schedules; "" of a launch that has one of those. */
static const char *lead_of(const tally_problem *problem, const tally_limits *limits,
                           const tally_step *step) {
    const bool fold = problem->kind == TALLY_KIND_FOLD;
    if (fold && tally_schedule_find(step->spec.schedule)->kind == TALLY_KIND_FILL)
        return lead_of_fill(step);
    if (fold && (!step->spec.first || step->source == TALLY_IN_SCRATCH))
        return "It reads the states of the launch before: ";
    if (!serves_everything(step->spec.schedule))
        return "";
    if (limits->family == TALLY_FAMILY_GENERIC)
        return "The family generic has only schedules that serve all strides: ";
    if (fold && limits->family == TALLY_FAMILY_GPU && !tally_plan_has_wide_groups(limits))
        return "The device's groups or local memory are too small for faster schedules: ";
    return "No faster schedule of the family serves these strides and sizes: ";
}

/* Units of several lines on a CPU are cut where they are few, and else whole. */
static const char *carry_of(const tally_spec *spec) {
    uint16_t carry = tally_spec_carry(spec);
    if ((tally_schedule_find(spec->schedule)->variants & TALLY_VARIANT_NO_SPINE) == 0)
        return carries[carry];
    return carry == TALLY_CARRY_TWO_PASSES ? "; units are so few that each is cut into pieces, and "
                                             "what comes before a piece is "
                                             "from an earlier launch"
                                           : "";
}

void tally_plan_reason(const tally_problem *problem, const tally_limits *limits,
                       const tally_step *step, tally_text *text) {
    const char *lead = lead_of(problem, limits, step);
    const char *reason = reason_of(&step->spec);
    char first = reason[0];
    if (lead[0] == '\0')
        first = (char)(first - 'a' + 'A');
    tally_text_format(text, "%s%c%s%s.", lead, first, reason + 1, carry_of(&step->spec));
}

/* What each launch of a scan in several does. */
static const char *const phases[TALLY_PHASES] = {
    [TALLY_PASS] = "writes the units, while groups tell each other totals of all levels",
    [TALLY_TOTALS] = "reads each tile and keeps its total",
    [TALLY_SPINE] = "makes of the totals what comes before each tile, or span",
    [TALLY_APPLY] = "writes the units onto what comes before them",
    [TALLY_FOLLOW] = "folds the totals of all tiles before each unit, and writes it",
    [TALLY_STRETCHES] = "makes of the tiles' totals those of stretches, a part's states",
};

const char *tally_plan_part(const tally_step *step) {
    uint32_t variants = tally_schedule_find(step->spec.schedule)->variants;
    if ((variants & TALLY_VARIANT_PIECES) != 0 && step->spec.phase == TALLY_PASS)
        return "writes the first piece of each row and keeps the totals of the other pieces' tiles";
    if ((variants & TALLY_VARIANT_NO_SPINE) != 0 && step->spec.phase == TALLY_TOTALS)
        return "keeps the totals of all tiles before the last piece of each unit";
    return step->spec.phase < TALLY_PHASES ? phases[step->spec.phase] : NULL;
}
