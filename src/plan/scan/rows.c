/*
 * Scans along long contiguous rows, and of columns so few that they lie as one row: many rows are
 * walked by a group each; of few the units are spread over groups, in one launch and one pass over
 * memory where the device is known to do that well, else in two passes, or where they are short in
 * one launch that reads again what comes before each unit.
 */
#include <string.h>

#include "cl/core/order.h"
#include "model/dtype.h"
#include "plan/plan.h"
#include "plan/group.h"
#include "plan/tuning.h"

/*
 * Columns so few that a scan takes them as one row: less than so many bytes of a row, or just as
 * many if they are so few elements, since each work-item has a run of every column.
 */
#define TALLY_SCAN_NARROW 32
#define TALLY_SCAN_NARROW_COLUMNS 8

/* Local memory of a scan's group, at most, and the terms of rows that are worth a group. */
#define TALLY_SCAN_LOCAL 40960
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

static uint32_t state_bytes(const tally_problem *problem) {
    return tally_dtype_find(problem->input)->compute_bytes;
}

/* Local memory of a group if the spec's carry and phase were these. */
static uint64_t local_bytes(tally_spec spec, uint16_t carry, uint8_t phase) {
    spec.schedule = TALLY_SCAN_ROWS;
    spec.policy.scan_rows.carry = carry;
    spec.phase = phase;
    return tally_group_local_bytes(&spec);
}

/* What a group may take of the device's: more where it spares a launch, and others a wait. */
static uint64_t room_of(const tally_limits *limits, uint8_t phase) {
    bool looks_back = phase == TALLY_FOLLOW && limits->single_pass;
    return tally_plan_least(limits->local_bytes,
                            looks_back ? TALLY_SCAN_FOLLOWED_LOCAL : TALLY_SCAN_LOCAL);
}

/*
 * Set the sizes of a unit of so many runs for each work-item: a tile, or as much of one as the
 * device has room for beside what a group of that phase looks back at.
 */
static bool set_unit(const tally_limits *limits, uint16_t each, uint8_t phase, tally_spec *spec) {
    tally_scan_rows_policy *policy = &spec->policy.scan_rows;
    policy->runs_per_item = each;
    spec->group = (uint16_t)(TALLY_SPAN / policy->runs_per_item);
    uint64_t room = room_of(limits, phase);
    while (spec->group * policy->runs_per_item > TALLY_RUN &&
           (spec->group > limits->group_max ||
            local_bytes(*spec, TALLY_CARRY_TWO_PASSES, phase) > room))
        spec->group /= 2;
    return spec->group <= limits->group_max &&
           local_bytes(*spec, TALLY_CARRY_TWO_PASSES, phase) <= room &&
           spec->group >= policy->merged;
}

/*
 * Whether rows begin at packs if the first does, and a descending walk of them too: others go
 * through local memory element by element.
 */
static bool has_packed_rows(const tally_problem *problem, uint32_t columns) {
    uint64_t bytes = tally_dtype_find(problem->input)->bytes;
    uint32_t last = problem->kept.count - (columns > 1); /* columns are no rows */
    bool packed = !problem->descending || problem->terms * columns * bytes % 16 == 0;
    for (uint32_t k = 0; k < last; k++)
        packed = packed && problem->kept.in[k] * bytes % 16 == 0;
    return packed;
}

/*
 * Runs of each column that a work-item has where each unit counts, as many as registers hold. Rows
 * that do not begin at packs take more instructions to move, and of many rows each group has one at
 * a time: both want more work-items, unless many of them would have nothing.
 */
static uint16_t runs_per_item(const tally_problem *problem, uint32_t columns, bool many) {
    uint32_t bytes = columns * tally_dtype_find(problem->input)->bytes;
    if (bytes > 4)
        return bytes <= 8 ? 2 : 1;
    bool wide = many ? problem->terms > TALLY_TILE / 4 * 3 : !has_packed_rows(problem, columns);
    return wide ? 2 : 4;
}

/*
 * Runs of each column that a work-item has where rows have few bytes: one, as groups are as fast as
 * their longest chain of combinations, unless work-items are more than run side by side.
 */
static uint16_t runs_followed(const tally_limits *limits, const tally_scan_args *args,
                              uint16_t most) {
    uint64_t runs = args->rows * tally_plan_parts(args->terms, TALLY_RUN);
    uint16_t each = 1;
    while (each < most && runs > (uint64_t)limits->units * TALLY_SCAN_FOLLOWED_ITEMS * each)
        each = (uint16_t)(each * 2);
    return each;
}

/*
 * Set the unit of rows that may be followed: those of a stretch, and those of several if they have
 * few bytes for each compute unit, which the last cache keeps from one of two launches to the
 * other.
 */
static bool set_followed(const tally_problem *problem, const tally_limits *limits,
                         const tally_scan_args *args, tally_spec *spec) {
    const tally_scan_rows_policy *policy = &spec->policy.scan_rows;
    tally_spec small = *spec;
    uint64_t most = TALLY_FOLLOWED_STRETCHES(state_bytes(problem), policy->merged);
    uint64_t stretches = tally_plan_parts(args->terms, TALLY_STRETCH);
    uint64_t row = args->terms * policy->merged * tally_dtype_find(problem->input)->bytes;
    uint64_t bytes = args->rows * row;
    if (stretches > 1 && (stretches > most || bytes / TALLY_SCAN_FOLLOWED_BYTES >= limits->units))
        return false;
    if (!set_unit(limits, runs_followed(limits, args, policy->runs_per_item), TALLY_FOLLOW, &small))
        return false;
    *spec = small;
    return true;
}

/* Lay out the words of scan_rows_words.cl behind one another; returns how many there are. */
static uint64_t lay_out_words(tally_scan_rows_args *args, const tally_spec *spec, uint64_t head,
                              uint64_t part) {
    bool parts = tally_unit_terms(spec) < TALLY_TILE;
    args->tiles_per_row = args->terms / TALLY_TILE + 1;
    args->stretches_per_row = args->terms / TALLY_STRETCH + 1;
    args->spans = head;
    args->tiles = args->spans + (parts ? args->rows * args->tiles_per_row * TALLY_RUN * part : 0);
    args->stretches = args->tiles + args->rows * args->tiles_per_row * part;
    args->prefixes = args->stretches + args->rows * args->stretches_per_row * part;
    return args->prefixes + args->rows * args->stretches_per_row * part;
}

/*
 * A chain: its step, its units, the bytes of its words; whether it is one launch, its work-items
 * have few runs each, and its units follow.
 */
typedef struct chain {
    tally_step base;
    uint64_t jobs, bytes;
    bool once, small, follows;
} chain;

/*
 * Whether small units follow. In one launch each group reads the words of all tiles before its own,
 * and all read the same few lines of the last cache: where these are many, groups look for the
 * totals of stretches instead.
 */
static bool follows(const chain *it) {
    const tally_scan_rows_args *args = &it->base.args.scan_rows;
    uint64_t tiles = tally_plan_parts(args->terms, TALLY_TILE);
    return it->small && (!it->once || it->jobs * tiles <= TALLY_SCAN_FOLLOWED_LOOKS);
}

/* The chain of a step, in one launch where groups may wait for one another. */
static chain make_chain(const tally_problem *problem, const tally_limits *limits,
                        const tally_step *step) {
    chain it = {.base = *step, .once = limits->single_pass};
    tally_spec *spec = &it.base.spec;
    tally_scan_rows_args *args = &it.base.args.scan_rows;
    it.small = set_followed(problem, limits, &it.base.args.scan, spec);
    spec->policy.scan_rows.carry = it.once ? TALLY_CARRY_LOOK_BACK : TALLY_CARRY_TWO_PASSES;
    spec->word = limits->word_bytes;
    it.base.slots = 1;
    it.jobs = args->rows * tally_plan_parts(args->terms, tally_unit_terms(spec));
    it.follows = follows(&it);
    uint64_t part = spec->policy.scan_rows.merged * 2 * state_bytes(problem) / spec->word;
    uint64_t marks = tally_plan_parts(it.jobs * sizeof(uint32_t), spec->word);
    uint64_t head = it.once ? TALLY_BOARD_COUNTERS + marks : 0;
    it.bytes = lay_out_words(args, spec, head, part) * spec->word;
    return it;
}

/* Turn the plan's one step into the launches of a chain: one, if its board is not too large. */
static void plan_chain(const tally_problem *problem, const tally_limits *limits, tally_plan *plan) {
    tally_limits several = *limits;
    several.single_pass = false;
    chain it = make_chain(problem, limits, &plan->step[0]);
    if (it.once && it.bytes > TALLY_SCAN_BOARD_MAX)
        it = make_chain(problem, &several, &plan->step[0]);
    const tally_scan_rows_policy *policy = &it.base.spec.policy.scan_rows;
    tally_scan_rows_args *args = &it.base.args.scan_rows;
    uint64_t unit = tally_unit_terms(&it.base.spec);
    args->lead =
        it.small
            ? it.jobs /* nothing is brought ahead */
            : tally_plan_parts((uint64_t)limits->units * TALLY_SCAN_LEAD,
                               unit * policy->merged * tally_dtype_find(problem->input)->bytes);
    args->spin_limit = TALLY_SCAN_SPIN_LIMIT;
    args->tickets = it.once && it.jobs > (uint64_t)limits->units * TALLY_SCAN_NUMBERED;
    args->tag = 1;
    *(it.once ? &plan->board : &plan->scratch) = tally_plan_scratch(it.bytes);
    const uint64_t units[TALLY_PHASES] = {
        [TALLY_PASS] = it.jobs,
        [TALLY_TOTALS] = args->rows * tally_plan_parts(args->terms, TALLY_TILE),
        [TALLY_SPINE] = args->rows,
        [TALLY_APPLY] = it.jobs,
        [TALLY_FOLLOW] = it.jobs};
    uint32_t few = 1u << TALLY_FOLLOW | (it.once ? 0 : 1u << TALLY_TOTALS);
    tally_plan_launches(it.base, it.follows ? few : tally_carry_phases(policy->carry), units, plan);
}

/* What the stretches of a part come to: the launch of totals of a chain, and one for states. */
static bool plan_states(const tally_problem *problem, const tally_limits *limits,
                        tally_plan *plan) {
    tally_limits several = *limits;
    several.single_pass = false;
    chain it = make_chain(problem, &several, &plan->step[0]);
    tally_scan_rows_args *args = &it.base.args.scan_rows;
    const uint64_t tiles = problem->partial.states * TALLY_TILES;
    args->tag = 1;
    plan->scratch = tally_plan_scratch(it.bytes);
    const uint64_t units[TALLY_PHASES] = {[TALLY_TOTALS] = args->rows * tiles,
                                          [TALLY_STRETCHES] = args->rows *
                                                              it.base.spec.policy.scan_rows.merged *
                                                              problem->partial.states};
    tally_plan_launches(it.base, 1u << TALLY_TOTALS | 1u << TALLY_STRETCHES, units, plan);
    tally_step *states = &plan->step[plan->count - 1];
    states->slots = states->spec.group;
    states->args.scan.rows *= states->spec.policy.scan_rows.merged;
    return true;
}

/* Local memory of a group that recomputes, with as much to spare as one of a chain looks back at.
 */
static uint64_t recompute_bytes(const tally_spec *spec) {
    return local_bytes(*spec, TALLY_CARRY_RECOMPUTE, 0) +
           local_bytes(*spec, TALLY_CARRY_LOOK_BACK, TALLY_PASS) -
           local_bytes(*spec, TALLY_CARRY_WALK, 0);
}

/* Make it the step that scans the rows by groups that read again what is before their units. */
static bool set_recompute(const tally_problem *problem, const tally_limits *limits,
                          tally_step *step) {
    tally_spec *spec = &step->spec;
    tally_scan_rows_policy *policy = &spec->policy.scan_rows;
    const tally_scan_args *args = &step->args.scan;
    uint64_t each = policy->merged * (uint64_t)state_bytes(problem);
    if (args->terms > TALLY_RECOMPUTE_BYTES / each || !has_packed_rows(problem, policy->merged))
        return false;
    uint64_t bytes = args->terms * each;
    policy->carry = TALLY_CARRY_RECOMPUTE;
    policy->runs_per_item = 1;
    spec->group = TALLY_SCAN_RECOMPUTE_GROUP;
    while (spec->group >= TALLY_SCAN_RECOMPUTE_GROUP_MIN &&
           (spec->group > limits->group_max || recompute_bytes(spec) > room_of(limits, 0)))
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
    if (!set_unit(limits, runs_per_item(problem, columns, many), TALLY_PASS, &spec))
        return false;
    uint64_t unit = tally_unit_terms(&spec);
    args->rows /= columns;
    args->head.units = args->rows;
    spec.schedule = TALLY_SCAN_ROWS;
    spec.policy.scan_rows.carry = TALLY_CARRY_WALK;
    spec.levels = tally_plan_scan_levels(problem);
    step->spec = spec;
    if (problem->partial.to_states)
        return plan_states(problem, limits, plan);
    bool countable = args->terms / unit < TALLY_SCAN_JOBS / args->rows;
    uint64_t small = limits->single_pass ? unit : TALLY_SCAN_SMALL_UNITS * unit;
    if (many || !countable || args->terms <= small)
        return true;
    tally_step out_of_place_steps = *step;
    plan_chain(problem, limits, plan);
    if (!limits->single_pass && !problem->partial.has_carry &&
        set_recompute(problem, limits, &out_of_place_steps))
        put_out_of_place(problem, &out_of_place_steps, plan);
    return true;
}
