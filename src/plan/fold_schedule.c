/*
 * Who folds: the schedule of one launch, chosen by where its terms lie. It decides no bits: each
 * schedule follows the same order.
 *
 * The fast ones move 16 bytes per work-item and serve launches that read one swept axis: contiguous
 * rows straight (fold_rows) or, if short and packed, through local memory (fold_tile), and terms a
 * stride apart down columns (fold_columns). What is left goes to groups that share a block where
 * single work-items are few or far apart (fold_team), else to those (fold_item).
 */
#include "cl/order.h"
#include "model/dtype.h"
#include "plan/plan.h"
#include "plan/tuning.h"

/* Neighbouring work-items read neighbouring elements: the innermost kept axis has stride 1. */
static bool is_side_by_side(const tally_step *step) {
    uint8_t rank = step->spec.kept_rank;
    return step->spec.first && step->args.fold.kept_in[rank - 1] == 1;
}

static bool wants_team(const tally_step *step, const tally_limits *limits) {
    const tally_fold_args *args = &step->args.fold;
    if (limits->family == TALLY_FAMILY_CPU || args->terms < TALLY_TEAM_TERMS)
        return false;
    return args->head.units < (uint64_t)limits->units * TALLY_BUSY_ITEMS || !is_side_by_side(step);
}

/* The least power of two that is not below n, at most most. */
static uint32_t power_of_two(uint64_t n, uint32_t most) {
    uint32_t power = 1;
    while (power < n && power < most)
        power *= 2;
    return power;
}

/* One swept axis, read from elements: what the fast schedules of GPUs serve. */
static bool is_simple(const tally_problem *problem, const tally_limits *limits,
                      const tally_step *step) {
    return step->spec.first && limits->family == TALLY_FAMILY_GPU &&
           limits->group_max >= TALLY_WIDE_GROUP && limits->local_bytes >= 2 * TALLY_WIDE_LOCAL &&
           problem->groups > 0 && problem->swept[0].count == 1;
}

static uint32_t pack_of(const tally_problem *problem) {
    return 16 / tally_dtype_find(problem->input)->bytes;
}

/* Work-items of a group whose local memory holds so many bytes for each of them. */
static uint16_t wide_group(uint32_t bytes) {
    uint16_t group = TALLY_WIDE_GROUP;
    while (group * bytes > TALLY_WIDE_LOCAL)
        group = (uint16_t)(group / 2);
    return group;
}

static void plan_rows(const tally_problem *problem, tally_step *step) {
    uint32_t each = pack_of(problem);
    step->spec.schedule = TALLY_FOLD_ROWS;
    step->spec.each = (uint8_t)each;
    step->spec.group = wide_group(each * tally_spec_state_bytes(&step->spec));
    step->slots = step->spec.group * each / TALLY_LANES;
}

/* The rows lie one after the other. */
static bool is_packed(const tally_step *step) {
    uint64_t stride = step->args.fold.terms;
    for (uint32_t k = step->spec.kept_rank; k-- > 0;) {
        if (step->args.fold.kept_size[k] > 1 && step->args.fold.kept_in[k] != stride)
            return false;
        stride *= step->args.fold.kept_size[k];
    }
    return true;
}

static void plan_tile(tally_step *step) {
    tally_fold_args *args = &step->args.fold;
    uint64_t states = TALLY_TILE_BYTES / tally_spec_state_bytes(&step->spec);
    step->spec.schedule = TALLY_FOLD_TILE;
    step->spec.group = TALLY_WIDE_GROUP;
    args->slices = power_of_two(args->terms, TALLY_LANES);
    args->across = states / args->terms;
    args->head.units = args->outputs / args->across + (args->outputs % args->across != 0);
}

static void plan_columns(const tally_problem *problem, tally_step *step) {
    tally_fold_args *args = &step->args.fold;
    uint32_t pack = pack_of(problem), state = tally_spec_state_bytes(&step->spec);
    uint32_t each = TALLY_COLUMN_EACH;
    uint32_t slices = power_of_two(args->terms, TALLY_LANES) / each;
    slices = slices > 0 ? slices : 1;
    uint64_t columns = args->kept_size[step->spec.kept_rank - 1];
    uint64_t packs = columns / pack + (columns % pack != 0);
    step->spec.schedule = TALLY_FOLD_COLUMNS;
    step->spec.each = (uint8_t)each;
    step->spec.group = wide_group(pack * state);
    uint64_t most = step->spec.group / slices;
    most = most < TALLY_ACROSS_MAX ? most : TALLY_ACROSS_MAX;
    uint64_t strips = packs / most + (packs % most != 0);
    args->slices = slices;
    args->across = packs / strips + (packs % strips != 0);
    strips = packs / args->across + (packs % args->across != 0);
    args->head.units = args->outputs / columns * strips * args->blocks;
    step->slots = (uint32_t)(step->spec.group / (args->across * slices));
}

void tally_plan_fold_schedule(const tally_problem *problem, const tally_limits *limits,
                              tally_step *step) {
    bool simple = is_simple(problem, limits, step);
    bool contiguous = simple && problem->swept[0].in[0] == 1;
    if (contiguous && is_packed(step) && step->args.fold.terms <= TALLY_LANES) {
        plan_tile(step);
    } else if (contiguous && step->args.fold.terms >= TALLY_LANES) {
        plan_rows(problem, step);
    } else if (simple && is_side_by_side(step)) {
        plan_columns(problem, step);
    } else if (wants_team(step, limits)) {
        step->spec.schedule = TALLY_FOLD_TEAM;
        step->spec.group = tally_plan_team(limits);
    } else {
        step->spec.schedule = TALLY_FOLD_ITEM;
    }
}
