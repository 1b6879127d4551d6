/*
 * Why a launch has its schedule and its carry, in one sentence. The sentence is of the schedule and
 * of what the planners look at first: the family and whether states are read. It repeats no
 * threshold, so that it stays true when tuning.h changes.
 */
#include "plan/explain.h"

/* What the planners look for in a problem, and what the schedule then does with it. */
static const char *const reasons[TALLY_SCHEDULES] = {
    [TALLY_FOLD_ANY] = "a work-item folds a block by itself, as blocks are short, or enough of "
                       "them to keep the device busy, or there are no terms",
    [TALLY_FOLD_ROWS] = "the terms of an output lie side by side and are many: several work-items "
                        "share a block, 16 bytes each at a time",
    [TALLY_FOLD_SETS] = "the terms of few columns lie as one run of memory",
    [TALLY_FOLD_COLUMNS] = "neighbouring outputs lie side by side and the terms of each a stride "
                           "apart: a work-item goes down 8 or 16 bytes of columns",
    [TALLY_FOLD_TILE] = "the rows are short and packed: a group brings whole rows into local "
                        "memory, 16 bytes for each work-item",
    [TALLY_FOLD_CPU_ROWS] = "the terms of an output lie side by side: a work-item folds a block "
                            "of them, or all blocks, in vectors",
    [TALLY_FOLD_CPU_TILE] = "the terms of an output lie side by side and are few: a work-item "
                            "folds a vector of outputs at a time",
    [TALLY_FOLD_CPU_SLAB] = "the columns are narrow and packed: a block is contiguous, and a "
                            "work-item reads it from one end to the other",
    [TALLY_FOLD_CPU_COLUMNS] = "neighbouring outputs lie side by side and the terms of each a "
                               "stride apart: a work-item folds a strip of columns in vectors",
    [TALLY_FOLD_CPU_SPACED] = "neighbouring outputs lie a few elements apart and terms further: a "
                              "work-item folds a strip of them in vectors, a row after the other",
    [TALLY_FOLD_CPU_PANEL] = "outputs and terms lie anywhere: a work-item brings a box of them "
                             "into private memory and folds it there, in vectors",
    [TALLY_FOLD_CPU_MAP] = "nothing is swept: each output is the function of one element, a "
                           "vector of them at a time",
    [TALLY_FOLD_OUTPUTS] =
        "outputs lie in any order, their terms in one or several groups of axes: "
        "a work-item has some outputs side by side in the input's memory",
    [TALLY_SCAN_ANY] = "a work-item walks a row by itself, as rows are short, or enough of them "
                       "to keep the device busy, or the device is a CPU",
    [TALLY_SCAN_ROWS] = "the rows are contiguous, or columns so few that they lie as one row: a "
                        "group has a unit of one at a time in local memory",
    [TALLY_SCAN_TILE] = "the rows are short and packed: a group brings several into local memory, "
                        "scans them there and takes them back",
    [TALLY_SCAN_CPU_ROWS] =
        "the rows are contiguous, or fewer than 4, or columns so few that they lie as one row: a "
        "work-item has a vector of runs of one at a time",
    [TALLY_SCAN_CPU_TILE] = "the rows are contiguous and short: a work-item scans a vector of "
                            "rows at a time",
    [TALLY_SCAN_CPU_COLUMNS] = "neighbouring rows lie side by side and the terms of each a stride "
                               "apart: a work-item scans a strip of columns",
    [TALLY_SCAN_COLUMNS] = "neighbouring rows lie side by side and the terms of each a stride "
                           "apart: a work-item has a run of some columns in registers",
    [TALLY_SCAN_STAGED] = "input and output lie in any order: a group brings a box of rows and "
                          "terms into local memory and scans it there",
    [TALLY_SCAN_CPU_PANEL] = "input and output lie in any order: a work-item brings a box of rows "
                             "and terms into private memory and scans it there",
    [TALLY_BAND_PACKS] = "elements of input and output lie side by side over some axes: a "
                         "work-item puts together 16 bytes at a time, of several rows if need be",
    [TALLY_BAND_BOX] = "few elements lie side by side in both tensors: a group fills a box along "
                       "the output's innermost axes, through local memory if orders differ",
    [TALLY_BAND_TURN] = "input and output lie in different orders: a group takes a box through "
                        "local memory, by words whose elements are turned in registers",
    [TALLY_BAND_CPU_CHUNKS] = "rows are short: a work-item chooses elements of a chunk of several "
                              "rows by a pattern that repeats",
    [TALLY_BAND_CPU_LINES] = "rows are long, or only the band's part of each is written: a "
                             "work-item goes along each, before the band, in it and behind it",
    [TALLY_BAND_CPU_TILE] = "input and output lie in different orders: a work-item takes a box "
                            "through private memory, in lines of both",
    [TALLY_BAND] = "a work-item writes an element",
    [TALLY_BAND_ROWS] = "the rows of the matrices are contiguous: a work-item writes 16 bytes at "
                        "a time",
};

/* The same of what a policy makes of a schedule. */
static const char *reason_of(const tally_spec *spec) {
    if (spec->schedule == TALLY_FOLD_ROWS && spec->policy.fold_rows.whole_rows)
        return "an output has a few blocks: one group folds all of them and joins them too, which "
               "saves a launch";
    if (spec->schedule == TALLY_FOLD_TILE && spec->policy.fold_tile.of_columns)
        return "the columns are few, short and packed: a group brings whole ones into local "
               "memory, 16 bytes for each work-item";
    if (spec->schedule == TALLY_FOLD_ANY && spec->group > 0)
        return "a group shares a block, as single work-items would be too few or would not read "
               "side by side";
    if (spec->schedule == TALLY_BAND_PACKS && spec->policy.band_packs.picks)
        return "elements of the output lie side by side over some axes: a work-item puts together "
               "16 bytes at a time, of elements that it reads one by one";
    if (spec->schedule == TALLY_SCAN_ANY && spec->group > 0)
        return "a group walks a row together, as single work-items would be too few or would not "
               "read side by side";
    return reasons[spec->schedule];
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
    return schedule == TALLY_FOLD_ANY || schedule == TALLY_SCAN_ANY || schedule == TALLY_BAND;
}

/* Why none of the family's faster schedules; "" of a launch that has one of those. */
static const char *lead_of(const tally_problem *problem, const tally_limits *limits,
                           const tally_step *step) {
    const bool fold = problem->kind == TALLY_KIND_FOLD;
    if (fold && tally_schedule_find(step->spec.schedule)->kind == TALLY_KIND_BAND)
        return step->spec.function != 0
                   ? "Nothing is swept, and each output is the function of one element: "
                   : "Nothing is swept, and each output is the index 0: ";
    if (fold && !step->spec.first)
        return "It reads the states of the launch before: ";
    if (!serves_everything(step->spec.schedule))
        return "";
    if (limits->family == TALLY_FAMILY_GENERIC)
        return "The family generic has only schedules that serve all strides: ";
    if (fold && limits->family == TALLY_FAMILY_GPU && !tally_plan_has_wide_groups(limits))
        return "The device's groups or local memory are too small for faster schedules: ";
    return "No faster schedule of the family serves these strides and sizes: ";
}

void tally_plan_reason(const tally_problem *problem, const tally_limits *limits,
                       const tally_step *step, tally_text *text) {
    const char *lead = lead_of(problem, limits, step);
    const char *reason = reason_of(&step->spec);
    if (reason == NULL)
        return;
    char first = reason[0];
    if (lead[0] == '\0')
        first = (char)(first - 'a' + 'A');
    tally_text_format(text, "%s%c%s%s.", lead, first, reason + 1,
                      carries[tally_spec_carry(&step->spec)]);
}

/* What each launch of a scan in several does. */
static const char *const phases[TALLY_PHASES] = {
    [TALLY_PASS] = "writes the units, while groups tell each other totals of all levels",
    [TALLY_TOTALS] = "reads each tile and keeps its total",
    [TALLY_SPINE] = "makes of the tiles' totals what comes before each",
    [TALLY_APPLY] = "writes the units onto what comes before them",
    [TALLY_FOLLOW] = "folds the totals of all tiles before each unit, and writes it",
};

const char *tally_plan_part(const tally_step *step) {
    bool pieces = (tally_schedule_find(step->spec.schedule)->variants & TALLY_VARIANT_PIECES) != 0;
    if (pieces && step->spec.phase == TALLY_PASS)
        return "writes the first piece of each row and keeps the totals of the other pieces' tiles";
    return step->spec.phase < TALLY_PHASES ? phases[step->spec.phase] : NULL;
}
