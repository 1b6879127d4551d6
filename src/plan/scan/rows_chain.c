/*
 * The chain of few long rows: their units are spread over groups, which tell each other what comes
 * before, in one launch or in several. Which problems want a chain is not known here.
 */
#include "cl/core/order.h"
#include "model/dtype.h"
#include "plan/group.h"
#include "plan/scan/chain.h"
#include "plan/scan/rows.h"
#include "plan/tuning.h"

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
    uint64_t most = TALLY_FOLLOWED_STRETCHES(tally_rows_state_bytes(problem), policy->merged);
    uint64_t stretches = tally_plan_parts(args->terms, TALLY_STRETCH);
    uint64_t row = args->terms * policy->merged * tally_dtype_find(problem->input)->bytes;
    uint64_t bytes = args->rows * row;
    if (stretches > 1 && (stretches > most || bytes / TALLY_SCAN_FOLLOWED_BYTES >= limits->units))
        return false;
    if (!tally_rows_set_unit(limits, runs_followed(limits, args, policy->runs_per_item),
                             TALLY_FOLLOW, &small))
        return false;
    *spec = small;
    return true;
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
    const tally_chain units = {.chains = args->rows,
                               .units = it.jobs,
                               .columns = spec->policy.scan_rows.merged,
                               .unit_terms = tally_unit_terms(spec),
                               .state_bytes = tally_rows_state_bytes(problem),
                               .once = it.once};
    it.bytes = tally_chain_set(limits, &units, &it.base);
    return it;
}

void tally_rows_plan_chain(const tally_problem *problem, const tally_limits *limits,
                           tally_plan *plan) {
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

bool tally_rows_plan_states(const tally_problem *problem, const tally_limits *limits,
                            tally_plan *plan) {
    tally_limits several = *limits;
    several.single_pass = false;
    chain it = make_chain(problem, &several, &plan->step[0]);
    tally_scan_rows_args *args = &it.base.args.scan_rows;
    const uint64_t tiles = problem->partial.states * TALLY_TILES;
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
