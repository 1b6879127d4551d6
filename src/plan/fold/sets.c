/*
 * The planner of folds of sets of few columns, on GPUs: how many rows of them are a period, and who
 * shares it. See cl/agent/fold/fold_sets.cl.
 */
#include "cl/core/order.h"
#include "model/dtype.h"
#include "model/monoid.h"
#include "plan/group.h"
#include "plan/plan.h"
#include "plan/tuning.h"

/*
 * Sets of few columns: bytes of a row, at most; terms, at least, in any row, in rows of two sectors
 * and more, which outputs read as well, and in the longest rows; bytes of a set of wider types than
 * bytes, at least; lanes that a work-item has to itself, and where combining is exact runs of terms
 * of each element of its packs, if they can be so many; states that a group has local memory for,
 * and their bytes, at most.
 */
#define TALLY_SETS_ROW 128
#define TALLY_SETS_TERMS 8
#define TALLY_SETS_TERMS_SECTORS 200
#define TALLY_SETS_TERMS_LONGEST 512
#define TALLY_SETS_BYTES 8192
#define TALLY_SETS_LANES 4
#define TALLY_SETS_RUNS 8
#define TALLY_SETS_STATES 8192
#define TALLY_SETS_LOCAL 16384

/* The groups' share: see group.h. */
uint64_t tally_slots_sets(const tally_step *step) {
    return step->spec.group / step->args.fold_sets.mates;
}

uint64_t tally_local_sets(const tally_spec *spec) {
    return spec->policy.fold_sets.states * tally_spec_state_bytes(spec);
}

/* The least rows of so many columns whose elements are whole packs of so many, a power of two. */
static uint64_t whole_rows(uint64_t columns, uint64_t pack) {
    for (; columns % 2 == 0 && pack > 1; columns /= 2)
        pack /= 2;
    return pack;
}

/* Terms that are worth it, of rows of so many bytes. */
static uint64_t least_terms(uint64_t row) {
    return row >= TALLY_SETS_ROW     ? TALLY_SETS_TERMS_LONGEST
           : row >= 2 * TALLY_SECTOR ? TALLY_SETS_TERMS_SECTORS
                                     : TALLY_SETS_TERMS;
}

/*
 * Columns of which each row follows the one before, in rows of no more than a few sectors, and with
 * so many terms that combining what work-items have is little; of bytes with any.
 */
static bool are_sets(const tally_problem *problem, const tally_step *step) {
    const tally_fold_args *args = &step->args.fold;
    uint64_t columns = args->kept_size[step->spec.kept_rank - 1];
    uint64_t bytes = tally_dtype_find(problem->input)->bytes;
    uint64_t least = bytes == 1 ? 0 : TALLY_SETS_BYTES;
    return tally_monoid_find(problem->function)->state != TALLY_STATE_SHIFTED &&
           args->swept_in[step->spec.swept_rank - 1] == columns &&
           args->terms >= least_terms(columns * bytes) && args->terms * columns * bytes >= least &&
           columns * bytes <= TALLY_SETS_ROW;
}

/* Where the order matters: those of its lanes that a work-item does not have to itself. */
static void plan_lanes(uint64_t whole, tally_step *step) {
    tally_fold_sets_args *args = &step->args.fold_sets;
    uint64_t lanes = tally_plan_power(args->terms, TALLY_LANES);
    args->rows = lanes / TALLY_SETS_LANES > whole ? lanes / TALLY_SETS_LANES : whole;
    step->spec.policy.fold_sets.lanes_per_item = (uint16_t)(lanes / args->rows);
}

/* Where combining is exact: as many rows as leave a work-item so many runs of terms. */
static void plan_runs(uint64_t whole, uint64_t pack, uint64_t runs, tally_step *step) {
    tally_fold_sets_args *args = &step->args.fold_sets;
    uint64_t terms = args->terms < TALLY_BLOCK ? args->terms : TALLY_BLOCK;
    uint64_t most = step->spec.group * pack / args->columns / whole;
    uint64_t parts = tally_plan_parts(terms, runs * TALLY_LANE_RUN * whole);
    args->rows = whole * (parts < most ? parts : most);
    step->spec.policy.fold_sets.lanes_per_item = TALLY_SETS_LANES;
}

/* What follows from a period; whether a group has room for it and all compute units have work. */
static bool plan_period(const tally_limits *limits, uint64_t pack, tally_step *step) {
    tally_fold_sets_args *args = &step->args.fold_sets;
    tally_fold_sets_policy *policy = &step->spec.policy.fold_sets;
    uint64_t packs = args->rows * args->columns / pack;
    args->mates = packs < step->spec.group ? packs : step->spec.group;
    args->head.units = args->outputs / args->columns * args->blocks;
    uint64_t slots = tally_group_slots(step), states = slots * args->rows * args->columns;
    policy->states = (uint16_t)tally_plan_power(states, TALLY_SETS_STATES);
    return policy->lanes_per_item > 0 && states <= policy->states &&
           tally_group_local_bytes(&step->spec) <= TALLY_SETS_LOCAL &&
           args->head.units >= limits->units * slots;
}

bool tally_plan_sets(const tally_problem *problem, const tally_limits *limits, tally_step *step) {
    tally_step sets = *step;
    tally_fold_sets_args *args = &sets.args.fold_sets;
    uint32_t bytes = tally_dtype_find(problem->input)->bytes;
    uint16_t pack_bytes = bytes < 4 ? 8 : 16;
    uint64_t pack = pack_bytes / bytes;
    if (!are_sets(problem, step))
        return false;
    args->columns = args->kept_size[step->spec.kept_rank - 1];
    sets.spec.schedule = TALLY_FOLD_SETS;
    sets.spec.group = TALLY_WIDE_GROUP;
    sets.spec.policy.fold_sets.pack = pack_bytes;
    uint64_t whole = whole_rows(args->columns, pack);
    bool exact = tally_problem_is_exact(problem), fits = false;
    for (uint64_t runs = exact ? TALLY_SETS_RUNS : 1; !fits && runs > 0; runs /= 2) {
        if (exact)
            plan_runs(whole, pack, runs, &sets);
        else
            plan_lanes(whole, &sets);
        fits = plan_period(limits, pack, &sets);
    }
    if (fits)
        *step = sets;
    return fits;
}
