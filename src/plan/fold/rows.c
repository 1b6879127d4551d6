/*
 * Rows of many terms: how they are loaded, and how many work-items share their blocks; and the rows
 * of which one launch folds all blocks. Their terms lie side by side, so nothing here asks where.
 */
#include "cl/core/order.h"
#include "cl/core/sizes.h"
#include "model/dtype.h"
#include "model/monoid.h"
#include "plan/fold/schedule.h"
#include "plan/group.h"
#include "plan/tuning.h"

/* Bytes for each compute unit, and terms of a row, from which on work-items may be half as many. */
#define TALLY_ROWS_MANY ((uint64_t)4 << 20)
#define TALLY_ROWS_MANY_TERMS 65536

/* As many work-items of a group as its blocks have local memory for. */
static void fit_rows(tally_step *step, uint32_t group, uint32_t local_bytes) {
    uint64_t mates = tally_row_mates(&step->spec);
    step->spec.group = (uint16_t)group;
    while (step->spec.group > mates && tally_group_local_bytes(&step->spec) > local_bytes)
        step->spec.group = step->spec.group / 2;
}

/* Long rows of narrow elements, combined in any order, of which all compute units have many. */
static bool are_many(const tally_problem *problem, const tally_limits *limits, bool first) {
    uint64_t bytes = tally_dtype_find(problem->input)->bytes;
    return first && bytes < TALLY_ROWS_DWORD && tally_problem_is_exact(problem) &&
           problem->groups > 0 && problem->terms > 0 &&
           tally_dims_elements(&problem->swept[0]) >= TALLY_ROWS_MANY_TERMS &&
           tally_dims_elements(&problem->kept) >=
               limits->units * TALLY_ROWS_MANY / bytes / problem->terms;
}

/*
 * What a work-item loads at once: 16 bytes of rows that are short, of which it then has several
 * lanes; of others a dword, of which many are under way, so that more work-items share a block; of
 * narrow types two where these are many. Rows of LOG_SUM_EXP go by 16 bytes, which hides its
 * arithmetic best; of narrow types the states of as many lanes would not fit the registers, so a
 * dword is loaded.
 */
static void plan_loads(const tally_problem *problem, const tally_limits *limits, bool is_short,
                       tally_spec *spec) {
    uint32_t bytes = tally_dtype_find(problem->input)->bytes;
    uint32_t word = bytes > TALLY_ROWS_DWORD                 ? bytes
                    : are_many(problem, limits, spec->first) ? 2 * TALLY_ROWS_DWORD
                                                             : TALLY_ROWS_DWORD;
    bool shifted = tally_monoid_find(problem->function)->state == TALLY_STATE_SHIFTED;
    bool is_pack = shifted ? bytes >= TALLY_ROWS_DWORD : is_short;
    tally_fold_rows_policy *policy = &spec->policy.fold_rows;
    policy->pack = (uint16_t)(is_pack ? 16 : word);
    policy->lanes_per_item = (uint16_t)(policy->pack / bytes);
    policy->runs_at_once =
        (uint16_t)(is_short || shifted ? 1 : TALLY_ROWS_DEEP / policy->pack / TALLY_LANE_RUN);
}

/* Smaller packs, and so more work-items, where these would be few. */
static void spread_rows(const tally_problem *problem, const tally_limits *limits,
                        tally_step *step) {
    tally_fold_rows_policy *policy = &step->spec.policy.fold_rows;
    const bool shifted = tally_monoid_find(problem->function)->state == TALLY_STATE_SHIFTED;
    const uint64_t enough = (uint64_t)limits->units * TALLY_ROWS_ITEMS;
    while (!shifted && policy->pack > TALLY_ROWS_DWORD && policy->lanes_per_item > 1 &&
           step->args.head.units * tally_row_mates(&step->spec) < enough) {
        policy->pack = policy->pack / 2;
        policy->lanes_per_item = policy->lanes_per_item / 2;
    }
}

/* Blocks of short rows, as many as are left if there are to be enough groups. */
static uint16_t blocks_per_item(const tally_problem *problem, const tally_limits *limits,
                                const tally_step *step) {
    uint64_t bytes = step->args.fold.terms * tally_dtype_find(problem->input)->bytes;
    uint64_t slots = step->spec.group / tally_row_mates(&step->spec);
    uint16_t blocks = bytes <= TALLY_ROWS_BLOCKS_BYTES ? TALLY_ROWS_BLOCKS : 1;
    while (blocks > 1 && step->args.head.units < slots * blocks * limits->units * TALLY_ROWS_GROUPS)
        blocks /= 2;
    return blocks;
}

/*
 * Runs of all lanes, a power of two, that have room for a row which has no lane run: its terms are
 * then under way at once.
 */
static uint16_t stripes(uint64_t terms) {
    return terms < TALLY_LANE_RUN * TALLY_LANES
               ? (uint16_t)tally_plan_power(tally_plan_parts(terms, TALLY_LANES), TALLY_LANE_RUN)
               : 0;
}

void tally_plan_rows(const tally_problem *problem, const tally_limits *limits, tally_step *step) {
    tally_fold_rows_policy *policy = &step->spec.policy.fold_rows;
    step->spec.schedule = TALLY_FOLD_ROWS;
    policy->one_block = step->args.fold.terms <= TALLY_BLOCK;
    policy->stripes = stripes(step->args.fold.terms);
    policy->blocks_per_item = 1;
    plan_loads(problem, limits, policy->one_block, &step->spec);
    if (policy->one_block)
        spread_rows(problem, limits, step);
    fit_rows(step, TALLY_WIDE_GROUP, TALLY_ROWS_LOCAL);
    policy->blocks_per_item = blocks_per_item(problem, limits, step);
    while (policy->blocks_per_item > 1 && tally_group_local_bytes(&step->spec) > TALLY_ROWS_LOCAL)
        policy->blocks_per_item = policy->blocks_per_item / 2;
}

/* A launch over elements of one swept axis that lie side by side. */
static bool reads_rows(const tally_problem *problem, const tally_limits *limits, bool first) {
    return first && tally_plan_has_wide_groups(limits) && problem->groups > 0 &&
           problem->swept[0].count == 1 && problem->swept[0].in[0] == 1;
}

/* What a choice of loads asks of the spec of a launch over elements. */
static tally_spec spec_of_elements(const tally_problem *problem) {
    return (tally_spec){
        .function = (uint8_t)problem->function, .input = (uint8_t)problem->input, .first = true};
}

uint64_t tally_plan_block(const tally_problem *problem, const tally_limits *limits, bool first,
                          uint64_t terms) {
    tally_spec spec = spec_of_elements(problem);
    plan_loads(problem, limits, false, &spec);
    return terms <= TALLY_BLOCK || !reads_rows(problem, limits, first)
               ? TALLY_BLOCK
               : TALLY_BLOCK / TALLY_LANES * spec.policy.fold_rows.lanes_per_item *
                     tally_row_mates(&spec);
}

/* Blocks of a row that a group of whole rows has at a time. */
static uint64_t whole_slots(const tally_spec *spec) {
    return TALLY_WHOLE_GROUP / tally_row_mates(spec);
}

/*
 * What a work-item of whole rows loads: of rows whose order matters more lanes at once, as long as
 * that is how a group has all blocks of a row at a time, and two runs under way at least.
 * LOG_SUM_EXP, which its arithmetic keeps busy, loads as it does in other rows.
 */
static void plan_whole_loads(const tally_problem *problem, const tally_limits *limits,
                             uint64_t terms, tally_spec *spec) {
    tally_fold_rows_policy *policy = &spec->policy.fold_rows;
    plan_loads(problem, limits, false, spec);
    if (tally_problem_is_exact(problem) ||
        tally_monoid_find(problem->function)->state == TALLY_STATE_SHIFTED)
        return;
    while (policy->pack < 16 && tally_plan_parts(terms, TALLY_BLOCK) > whole_slots(spec)) {
        policy->pack *= 2;
        policy->lanes_per_item *= 2;
        policy->runs_at_once = policy->runs_at_once > 2 ? policy->runs_at_once / 2 : 2;
    }
}

/*
 * Whether rows are of elements, and a group has all blocks of one at a time: more of them take
 * longer than closing groups.
 */
static bool reads_whole_rows(const tally_problem *problem, const tally_limits *limits,
                             uint64_t outputs, uint64_t terms) {
    tally_spec spec = spec_of_elements(problem);
    if (!reads_rows(problem, limits, true) || outputs > TALLY_WHOLE_ELEMENTS / terms)
        return false;
    plan_whole_loads(problem, limits, terms, &spec);
    return tally_plan_parts(terms, tally_plan_block(problem, limits, true, terms)) <=
           whole_slots(&spec);
}

bool tally_plan_is_whole(const tally_problem *problem, const tally_limits *limits, bool first,
                         uint64_t outputs, uint64_t terms) {
    if (limits->family == TALLY_FAMILY_CPU)
        return tally_plan_cpu_is_whole(problem, limits, first, outputs, terms);
    if (!tally_plan_has_wide_groups(limits) || limits->group_max < TALLY_WHOLE_GROUP ||
        terms <= TALLY_BLOCK || terms > (uint64_t)TALLY_WHOLE_BLOCKS * TALLY_BLOCK)
        return false;
    return !first || reads_whole_rows(problem, limits, outputs, terms);
}

void tally_plan_whole(const tally_problem *problem, const tally_limits *limits, tally_step *step) {
    tally_fold_rows_args *args = &step->args.fold_rows;
    uint64_t block = tally_plan_block(problem, limits, step->spec.first, args->terms);
    step->spec.schedule = TALLY_FOLD_ROWS;
    step->spec.policy.fold_rows.whole_rows = true;
    args->row_blocks = tally_plan_parts(args->terms, block);
    if (step->spec.first) {
        plan_whole_loads(problem, limits, args->terms, &step->spec);
    } else { /* as many lanes as it takes to have all blocks at a time */
        plan_loads(problem, limits, false, &step->spec);
        step->spec.policy.fold_rows.lanes_per_item = (uint16_t)tally_plan_power(
            tally_plan_parts(args->row_blocks * TALLY_LANES, TALLY_WHOLE_GROUP), TALLY_WHOLE_LANES);
    }
    fit_rows(step, TALLY_WHOLE_GROUP, TALLY_WHOLE_LOCAL);
}
