/*
 * The planner of folds by outputs, on GPUs: who shares the terms of an output, and how many of them
 * are under way. See cl/agent/fold/fold_outputs.cl.
 */
#include "cl/core/order.h"
#include "cl/core/sizes.h"
#include "model/dtype.h"
#include "model/monoid.h"
#include "plan/fold/outputs.h"
#include "plan/tuning.h"

/*
 * Outputs that a work-item has, at most, where it has no pack of them; strips of them along a row,
 * at least; and work-items for each compute unit, at least.
 */
#define TALLY_SPREAD_MOST 4
#define TALLY_SPREAD_STRIPS 8
#define TALLY_SPREAD_ITEMS 2048

bool tally_plan_has_outputs(const tally_problem *problem, const tally_limits *limits,
                            const tally_step *step) {
    bool plain = !step->spec.first || problem->groups == 0 || problem->swept[0].count == 1;
    return tally_plan_has_wide_groups(limits) && (plain || tally_outputs_table(problem, step) > 0);
}

/* Whether all rows of packs begin at a multiple of so many elements, if the first does. */
static bool are_multiples(const tally_step *step, uint32_t elements) {
    const tally_fold_args *args = &step->args.fold;
    for (uint32_t k = 0; k < step->spec.kept_rank - 1u; k++)
        if (args->kept_size[k] > 1 && args->kept_in[k] % elements != 0)
            return false;
    for (uint32_t k = 0; k < step->spec.swept_rank; k++)
        if (args->swept_size[k] > 1 && args->swept_in[k] % elements != 0)
            return false;
    return true;
}

/* Outputs that a work-item has: more where it has few terms, and of narrow types a dword. */
static uint32_t outputs_per_item(const tally_problem *problem, const tally_step *step) {
    const tally_fold_args *args = &step->args.fold;
    uint32_t bytes = tally_dtype_find(problem->input)->bytes, last = step->spec.kept_rank - 1u;
    bool shifted = tally_monoid_find(problem->function)->state == TALLY_STATE_SHIFTED;
    if (!tally_plan_is_side_by_side(step) || args->terms == 0)
        return 1;
    bool packs = !shifted && args->terms <= 4 && args->kept_out[last] == 1;
    uint32_t most = (!packs ? 4 : args->terms > 2 ? 8 : 16) / bytes;
    for (; most > 1 && most * bytes >= 4; most /= 2) /* the least pack is a dword */
        if (args->kept_size[last] % most == 0 && (args->terms <= 4 || are_multiples(step, most)))
            return most;
    return 1;
}

/*
 * Outputs that a work-item has where it has no pack of them, its neighbours' between them: with no
 * more terms together than there may be loads under way, or of narrow elements with all terms,
 * whose places are worked out once for all of them; in rows of many strips, and so that the device
 * is busy; 0: one.
 */
static uint32_t spread_outputs(const tally_problem *problem, const tally_limits *limits,
                               const tally_step *step) {
    const tally_fold_args *args = &step->args.fold;
    uint32_t bytes = tally_dtype_find(problem->input)->bytes, last = step->spec.kept_rank - 1u;
    bool shifted = tally_monoid_find(problem->function)->state == TALLY_STATE_SHIFTED;
    if (!tally_plan_is_side_by_side(step) || args->terms == 0 || shifted)
        return 0;
    uint64_t rows = args->outputs / args->kept_size[last];
    for (uint32_t most = TALLY_SPREAD_MOST; most > 1; most /= 2) {
        uint64_t strips = args->kept_size[last] / (most * TALLY_SPREAD_STRIDE);
        bool few = most * args->terms <= TALLY_OUTPUTS_LOADS;
        if (most * bytes <= 16 && (few || (bytes < 4 && args->terms <= TALLY_BLOCK)) &&
            strips >= TALLY_SPREAD_STRIPS &&
            rows * strips * TALLY_SPREAD_STRIDE >= (uint64_t)limits->units * TALLY_SPREAD_ITEMS)
            return most;
    }
    return 0;
}

/* Work-items with a block of so many outputs each: packs, or of strips. */
static uint64_t units_of(const tally_step *step, uint32_t width) {
    const tally_fold_args *args = &step->args.fold;
    uint64_t columns = args->kept_size[step->spec.kept_rank - 1];
    uint64_t strips = tally_plan_parts(columns, (uint64_t)width * TALLY_SPREAD_STRIDE);
    return step->spec.policy.fold_outputs.spread > 0
               ? args->outputs / columns * strips * TALLY_SPREAD_STRIDE
               : args->outputs / width * args->blocks;
}

/* Lanes of a block, or where combining is exact terms. */
static uint64_t block_lanes(const tally_problem *problem, const tally_step *step, uint64_t table) {
    uint64_t terms = step->args.fold.terms < TALLY_BLOCK ? step->args.fold.terms : TALLY_BLOCK;
    if (tally_problem_is_exact(problem))
        return tally_plan_power(terms, TALLY_BLOCK);
    if (table == 0)
        return tally_plan_power(terms, TALLY_LANES);
    uint64_t lanes = 1;
    for (uint32_t g = 0; g < TALLY_NEST; g++)
        lanes *= tally_plan_power(step->args.fold.nest[g], TALLY_LANES);
    return lanes;
}

/*
 * Terms that are neighbours lie closer than outputs that are; but for those few terms between two
 * outputs that come together.
 */
static bool are_rows(const tally_step *step) {
    const tally_fold_args *args = &step->args.fold;
    uint64_t least = UINT64_MAX;
    for (uint32_t k = 0; k < step->spec.swept_rank; k++)
        if (args->swept_size[k] > 1 && args->swept_in[k] > 0 && args->swept_in[k] < least)
            least = args->swept_in[k];
    uint32_t last = step->spec.kept_rank - 1u;
    bool near = args->nest[1] > 1 && step->spec.first && args->kept_in[last] <= TALLY_TABLE_NEAR;
    return args->kept_size[last] <= 1 || (least < args->kept_in[last] && !near);
}

/* Packs of outputs that lie side by side in rows of terms one after the other, if they are few. */
static uint64_t narrow_packs(const tally_step *step, uint32_t width, uint32_t bytes) {
    const tally_fold_args *args = &step->args.fold;
    uint64_t columns = args->kept_size[step->spec.kept_rank - 1];
    bool plain = step->spec.policy.fold_outputs.table == 0 && args->terms >= TALLY_OUTPUTS_NARROW &&
                 args->kept_in[step->spec.kept_rank - 1] == 1;
    return plain && columns * bytes < TALLY_OUTPUTS_CACHE_LINE &&
                   args->swept_in[step->spec.swept_rank - 1] <= 2 * columns
               ? columns / width
               : 0;
}

/*
 * Work-items that share a block, which are side by side in rows. Of packs that lie as one run they
 * read a cache line at a time, or a sector if work-items are enough without sharing.
 */
static uint64_t slices_of(const tally_limits *limits, const tally_step *step, uint32_t row_bytes,
                          uint64_t narrow, uint64_t lanes) {
    uint64_t units = step->args.head.units / step->args.fold.parts, slices = 1;
    uint64_t enough = (uint64_t)limits->units * TALLY_BUSY_ITEMS;
    uint64_t beside = units >= enough ? TALLY_SECTOR : TALLY_OUTPUTS_CACHE_LINE;
    uint64_t most = TALLY_WIDE_GROUP; /* so that a block with parts has as many slices as without */
    if (narrow > 0) {
        most = TALLY_WIDE_GROUP / narrow;
        while (slices * narrow * row_bytes < beside)
            slices *= 2;
    } else if (are_rows(step)) {
        const uint64_t terms = step->args.fold.terms;
        while (terms >= TALLY_OUTPUTS_ROW && slices * TALLY_OUTPUTS_PER_ITEM <= terms &&
               slices < TALLY_OUTPUTS_ROW)
            slices *= 2;
    } else
        most = most * row_bytes / TALLY_OUTPUTS_BYTES;
    while (slices * units < enough && 2 * slices <= most)
        slices *= 2;
    return slices < lanes ? slices : lanes;
}

/* Terms of each of a work-item's lanes in a block, or where combining is exact of its one lane. */
static uint64_t lane_terms(const tally_problem *problem, const tally_step *step) {
    const tally_fold_team_args *args = &step->args.fold_team;
    bool exact = tally_problem_is_exact(problem);
    uint64_t terms =
        step->spec.policy.fold_outputs.table > 0 && !exact ? args->nest[0] : args->terms;
    terms = terms < TALLY_BLOCK ? terms : TALLY_BLOCK;
    return tally_plan_parts(terms, exact ? args->slices * args->parts : TALLY_LANES);
}

/*
 * Work-items enough that other ones' loads are under way while one waits. Rows of columns that lie
 * far apart meet more of each other's lines in the caches, of which it takes fewer; pieces of less
 * than a line it does not take.
 */
static bool is_busy(const tally_limits *limits, const tally_step *step, uint32_t width,
                    uint32_t bytes) {
    const tally_fold_team_args *args = &step->args.fold_team;
    uint32_t last = step->spec.kept_rank - 1u;
    bool lines =
        args->kept_in[last] == 1 && args->kept_size[last] * bytes >= TALLY_OUTPUTS_CACHE_LINE;
    bool near = args->swept_in[step->spec.swept_rank - 1] * bytes <= TALLY_OUTPUTS_NEAR;
    return lines && args->outputs / width * args->blocks * args->slices >=
                        (uint64_t)limits->units * TALLY_BUSY_ITEMS / (near ? 1 : 4);
}

/*
 * How many of a work-item's terms are under way together where combining is exact: all of few,
 * without a loop; else several one after the other. On a busy device they are fewer where they come
 * by packs, or where the last ones of so many would be few.
 */
static void plan_exact_loads(const tally_problem *problem, const tally_limits *limits,
                             uint32_t width, tally_step *step) {
    tally_fold_outputs_policy *policy = &step->spec.policy.fold_outputs;
    uint64_t terms = lane_terms(problem, step), units = step->args.head.units;
    bool busy = units * step->args.fold_team.slices >= (uint64_t)limits->units * TALLY_BUSY_ITEMS;
    bool few = terms <= TALLY_OUTPUTS_FEW;
    uint64_t missing = tally_plan_parts(terms, TALLY_LANE_RUN) * TALLY_LANE_RUN - terms;
    bool half = busy && policy->spread == 0 && (width > 1 || missing > terms / 4);
    policy->lanes_at_once = (uint16_t)(few ? tally_plan_power(terms, TALLY_OUTPUTS_FEW) : 1);
    policy->depth =
        (uint16_t)(few ? 0 : tally_plan_power(terms, half ? TALLY_LANE_RUN / 2 : TALLY_LANE_RUN));
}

/*
 * How many of a work-item's lanes are under way together, and how many terms of each: several where
 * lanes are few, or work-items. No sum is kept of lanes that have one term at most. LOG_SUM_EXP
 * sees runs of terms as a whole.
 */
static void plan_loads(const tally_problem *problem, const tally_limits *limits, uint32_t width,
                       uint64_t lanes, tally_step *step) {
    tally_fold_outputs_policy *policy = &step->spec.policy.fold_outputs;
    uint32_t bytes = step->source_bytes;
    bool shifted = tally_monoid_find(problem->function)->state == TALLY_STATE_SHIFTED;
    bool busy = is_busy(limits, step, width, bytes);
    uint64_t terms = lane_terms(problem, step), most = (bytes < 4 ? 16 : 8) / width;
    uint64_t depth = tally_plan_power(terms, TALLY_LANE_RUN);
    if (tally_problem_is_exact(problem)) {
        plan_exact_loads(problem, limits, width, step);
        return;
    }
    if (shifted && step->spec.first)
        most = TALLY_LANE_RUN / depth;
    policy->lanes_at_once = (uint16_t)tally_plan_power(lanes, most > 0 ? most : 1);
    policy->visits = (uint16_t)(lanes / policy->lanes_at_once);
    if (!shifted || !step->spec.first) {
        most = (bytes > 4 ? TALLY_OUTPUTS_LOADS / 2u : TALLY_OUTPUTS_LOADS) / policy->lanes_at_once;
        most = busy ? 1 : most;
        for (depth = 1; 2 * depth <= terms && 2 * depth <= most && depth < TALLY_LANE_RUN;)
            depth *= 2;
    }
    policy->depth = (uint16_t)(terms <= 1 ? 0 : depth);
}

void tally_plan_outputs(const tally_problem *problem, const tally_limits *limits,
                        tally_step *step) {
    tally_fold_team_args *args = &step->args.fold_team;
    tally_fold_outputs_policy *policy = &step->spec.policy.fold_outputs;
    uint64_t table = tally_outputs_table(problem, step);
    bool crossed = tally_plan_crossed(problem, limits, step);
    uint32_t width = crossed ? 1 : outputs_per_item(problem, step), bytes = step->source_bytes;
    uint64_t lanes = block_lanes(problem, step, table);
    step->spec.schedule = TALLY_FOLD_OUTPUTS;
    step->spec.group = TALLY_WIDE_GROUP;
    policy->pack = (uint16_t)(width * tally_dtype_find(problem->input)->bytes);
    policy->table =
        (uint16_t)(table > 0 ? tally_plan_power(table > 64 ? table : 64, TALLY_TABLE_MAX) : 0);
    policy->indices = table > 0 && tally_plan_has_indices(problem, step);
    if (!crossed) {
        policy->spread = (uint16_t)(width > 1 ? 0 : spread_outputs(problem, limits, step));
        width = policy->spread > 0 ? policy->spread : width;
        args->head.units = units_of(step, width);
        uint64_t narrow = narrow_packs(step, width, bytes);
        const bool single = width > 4 || policy->spread > 0; /* who has all of its terms */
        args->slices = single ? 1 : slices_of(limits, step, width * bytes, narrow, lanes);
        args->team_width =
            narrow == 0 || args->slices == 1 ? TALLY_WIDE_GROUP / args->slices : narrow;
        if (are_rows(step) && args->slices > 1)
            args->team_width = 1;
    }
    plan_loads(problem, limits, width, lanes / args->slices / args->parts, step);
    policy->whole_outputs = args->slices == 1;
}

/* Times that a work-item of a step waits for loads, one after the other. */
static uint64_t waits_of(const tally_problem *problem, const tally_step *step, uint64_t parts) {
    const tally_fold_team_args *args = &step->args.fold_team;
    uint64_t terms = args->terms < TALLY_BLOCK ? args->terms : TALLY_BLOCK;
    uint64_t loads = TALLY_OUTPUTS_LOADS;
    if (!tally_problem_is_exact(problem) && args->slices * parts * TALLY_LANE_RUN > TALLY_LANES)
        loads = TALLY_LANE_RUN * TALLY_LANES / (args->slices * parts);
    return tally_plan_parts(tally_plan_parts(terms, args->slices * parts),
                            loads < TALLY_OUTPUTS_LOADS ? loads : TALLY_OUTPUTS_LOADS);
}

uint64_t tally_plan_split(const tally_problem *problem, const tally_limits *limits,
                          const tally_step *step) {
    const tally_fold_team_args *args = &step->args.fold_team;
    bool exact = tally_problem_is_exact(problem);
    uint64_t table = tally_outputs_table(problem, step), most = block_lanes(problem, step, table),
             parts = 1;
    if (step->spec.schedule != TALLY_FOLD_OUTPUTS || !step->spec.first ||
        step->spec.policy.fold_outputs.whole_outputs ||
        waits_of(problem, step, 1) <= (args->blocks == 1 ? TALLY_SPLIT_WAITS : 1))
        return 1;
    most = most / args->slices < TALLY_LANES ? most / args->slices : TALLY_LANES;
    while (2 * parts <= most &&
           parts * step->groups < (uint64_t)limits->units * TALLY_SPLIT_GROUPS &&
           waits_of(problem, step, parts) > 1) {
        const uint64_t nest[] = {2 * parts, args->blocks};
        if (exact ? 2 * parts * args->blocks > TALLY_BLOCK
                  : tally_outputs_entries(nest, 2, exact) == 0)
            break;
        parts *= 2;
    }
    return parts;
}
