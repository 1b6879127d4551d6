/*
 * Scans along long contiguous rows, and of columns so few that they lie as one row: many rows are
 * walked by a group each; of few the units are spread over groups, in one launch and one pass over
 * memory where the device is known to do that well, else in two passes, or where they are short in
 * one launch that reads again what comes before each unit.
 */
#include "plan/scan/rows.h"

#include <string.h>

#include "cl/core/order.h"
#include "model/dtype.h"
#include "plan/group.h"
#include "plan/tuning.h"

/*
 * Columns so few that a scan takes them as one row: less than so many bytes of a row, or just as
 * many if they are so few elements, since each work-item has a run of every column.
 */
#define TALLY_SCAN_NARROW 32
#define TALLY_SCAN_NARROW_COLUMNS 8

/* The terms of rows that are worth a group. */
#define TALLY_SCAN_ROW_TERMS 256

/*
 * Rows for each compute unit that keep it busy; fewer are spread over groups, unless they have so
 * few units that one launch is faster, or a single one where groups look back in one launch.
 */
#define TALLY_SCAN_BUSY_ROWS 4
#define TALLY_SCAN_SMALL_UNITS 2

/*
 * Rows that are scanned in one launch, by groups that read again what is before their units:
 * work-items of a group, at most and at least, and bytes of rows for each compute unit, as if each
 * group read all of its row.
 */
#define TALLY_SCAN_RECOMPUTE_GROUP 256
#define TALLY_SCAN_RECOMPUTE_GROUP_MIN 128
#define TALLY_SCAN_RECOMPUTE_BYTES (2 * TALLY_RECOMPUTE_BYTES)

/* Columns that lie side by side and packed, if they are few; else 0, and of a contiguous row 1. */
static uint32_t columns_of(const tally_problem *problem) {
    const tally_dims *axis = &problem->swept[0], *kept = &problem->kept;
    const bool states = problem->partial.to_states; /* which lie in a way of their own */
    if (axis->in[0] == 1 && (states || axis->out[0] == 1))
        return 1;
    uint32_t last = kept->count - 1;
    if (kept->count == 0 || kept->in[last] != 1 || kept->out[last] != 1)
        return 0;
    uint64_t columns = kept->size[last];
    uint64_t bytes = columns * tally_dtype_find(problem->input)->bytes;
    bool few = bytes < TALLY_SCAN_NARROW ||
               (bytes == TALLY_SCAN_NARROW && columns <= TALLY_SCAN_NARROW_COLUMNS &&
                !problem->descending); /* a reversed pack would need its neighbour */
    return few && axis->in[0] == columns && (states || axis->out[0] == columns) ? (uint32_t)columns
                                                                                : 0;
}

/*
 * Whether rows of the input begin at packs if the first does, and a descending walk of them too:
 * others are moved cell by cell within local memory.
 */
static bool has_packed_rows(const tally_problem *problem, uint32_t columns) {
    uint64_t bytes = tally_dtype_find(problem->input)->bytes;
    uint32_t last = problem->kept.count - (columns > 1); /* columns are no rows */
    bool packed = !problem->descending || problem->terms * columns * bytes % 16 == 0;
    for (uint32_t k = 0; k < last; k++)
        packed = packed && problem->kept.in[k] * bytes % 16 == 0;
    return packed;
}

/* Runs of each column that a work-item has where each unit counts, as many as registers hold. */
static uint16_t runs_per_item(const tally_problem *problem, uint32_t columns) {
    uint32_t bytes = columns * tally_dtype_find(problem->input)->bytes;
    return bytes <= 4 ? 4 : bytes <= 8 ? 2 : 1;
}

/*
 * Whether work-items should have two runs each instead of four: of few rows if these do not begin
 * at packs, as they take more instructions to move; of many, which groups walk one at a time, if
 * they have more than three quarters of a unit, as other work-items would have nothing.
 */
static bool wants_more_items(const tally_problem *problem, uint32_t columns, bool many) {
    return runs_per_item(problem, columns) == 4 &&
           (many ? problem->terms > TALLY_TILE / 4 * 3 : !has_packed_rows(problem, columns));
}

/* Set the unit of a group, by more work-items if the unit is as large with them. */
static bool set_unit(const tally_problem *problem, const tally_limits *limits, bool many,
                     tally_spec *spec) {
    uint32_t columns = spec->policy.scan_rows.merged;
    tally_spec more = *spec;
    if (!tally_rows_set_unit(limits, runs_per_item(problem, columns), TALLY_PASS, spec))
        return false;
    if (wants_more_items(problem, columns, many) &&
        tally_rows_set_unit(limits, 2, TALLY_PASS, &more) &&
        tally_unit_terms(&more) >= tally_unit_terms(spec))
        *spec = more;
    return true;
}

/* Local memory of a group that recomputes, with as much to spare as one of a chain looks back at.
 */
static uint64_t recompute_bytes(const tally_spec *spec) {
    return tally_rows_local_bytes(*spec, TALLY_CARRY_RECOMPUTE, 0) +
           tally_rows_local_bytes(*spec, TALLY_CARRY_LOOK_BACK, TALLY_PASS) -
           tally_rows_local_bytes(*spec, TALLY_CARRY_WALK, 0);
}

/*
 * Make it the step that scans the rows by groups that read again what is before their units. Rows
 * that do not begin at packs would take longer so than another launch does.
 */
static bool set_recompute(const tally_problem *problem, const tally_limits *limits,
                          tally_step *step) {
    tally_spec *spec = &step->spec;
    tally_scan_rows_policy *policy = &spec->policy.scan_rows;
    const tally_scan_args *args = &step->args.scan;
    uint64_t each = policy->merged * (uint64_t)tally_rows_state_bytes(problem);
    if (args->terms > TALLY_RECOMPUTE_BYTES / each || !has_packed_rows(problem, policy->merged))
        return false;
    uint64_t bytes = args->terms * each;
    policy->carry = TALLY_CARRY_RECOMPUTE;
    policy->runs_per_item = 1;
    spec->group = TALLY_SCAN_RECOMPUTE_GROUP;
    while (spec->group >= TALLY_SCAN_RECOMPUTE_GROUP_MIN &&
           (spec->group > limits->group_max || recompute_bytes(spec) > tally_rows_room(limits, 0)))
        spec->group /= 2;
    uint64_t jobs = args->rows * tally_plan_parts(args->terms, tally_unit_terms(spec));
    step->args.head.units = jobs;
    return spec->group >= TALLY_SCAN_RECOMPUTE_GROUP_MIN &&
           jobs <= (uint64_t)limits->units * TALLY_SCAN_RECOMPUTE_BYTES / bytes;
}

/* Put a step before a plan's, which are then for scans in place, if there can be such. */
static void put_out_of_place(const tally_problem *problem, const tally_step *step,
                             tally_plan *plan) {
    if (!problem->in_place)
        plan->scratch = plan->count = 0;
    memmove(plan->step + 1, plan->step, plan->count * sizeof plan->step[0]);
    plan->step[0] = *step;
    plan->out_of_place_steps = plan->count > 0 ? 1 : 0;
    plan->count++;
}

bool tally_plan_scan_rows(const tally_problem *problem, const tally_limits *limits,
                          tally_plan *plan) {
    tally_step *step = &plan->step[0];
    tally_scan_args *args = &step->args.scan;
    uint32_t columns = columns_of(problem);
    tally_spec spec = step->spec;
    spec.policy.scan_rows.merged = (uint16_t)columns;
    if (columns == 0 || args->terms < TALLY_SCAN_ROW_TERMS)
        return false;
    bool many = args->rows / columns >= (uint64_t)limits->units * TALLY_SCAN_BUSY_ROWS;
    if (!set_unit(problem, limits, many && !problem->partial.to_states, &spec))
        return false;
    uint64_t unit = tally_unit_terms(&spec);
    args->rows /= columns;
    args->head.units = args->rows;
    spec.schedule = TALLY_SCAN_ROWS;
    spec.policy.scan_rows.carry = TALLY_CARRY_WALK;
    spec.levels = tally_plan_scan_levels(problem);
    step->spec = spec;
    if (problem->partial.to_states)
        return tally_rows_plan_states(problem, limits, plan);
    bool countable = args->terms / unit < TALLY_SCAN_JOBS / args->rows;
    uint64_t small = limits->single_pass ? unit : TALLY_SCAN_SMALL_UNITS * unit;
    if (many || !countable || args->terms <= small)
        return true;
    tally_step out_of_place_steps = *step;
    tally_rows_plan_chain(problem, limits, plan);
    if (!limits->single_pass && !problem->partial.has_carry &&
        set_recompute(problem, limits, &out_of_place_steps))
        put_out_of_place(problem, &out_of_place_steps, plan);
    return true;
}
