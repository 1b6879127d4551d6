/*
 * Who folds on a CPU: a work-item is a group of its own, which takes units enough to be worth a
 * turn of a core and has its lanes in vectors. It decides no bits.
 */
#include "cl/order.h"
#include "model/dtype.h"
#include "plan/plan.h"
#include "plan/tuning.h"

bool tally_plan_cpu_is_whole(const tally_problem *problem, const tally_limits *limits, bool first,
                             uint64_t outputs, uint64_t terms) {
    bool rows = !first || (problem->groups > 0 && problem->swept[0].count == 1 &&
                           problem->swept[0].in[0] == 1);
    if (!rows || terms <= TALLY_BLOCK || terms > (uint64_t)TALLY_BLOCK * TALLY_LANES)
        return false;
    return outputs >= (uint64_t)limits->units * TALLY_CPU_TURNS ||
           outputs * terms <= TALLY_CPU_SMALL;
}

/* Bytes of the numbers that a state is made of: what a vector has in a lane. */
static uint64_t part_bytes(const tally_problem *problem) {
    return tally_dtype_find(problem->input)->compute_bytes;
}

static uint64_t block_terms(const tally_fold_args *args) {
    return args->blocks > 1 || args->terms > TALLY_BLOCK ? TALLY_BLOCK : args->terms;
}

static void plan_rows(const tally_problem *problem, const tally_limits *limits, tally_step *step) {
    const tally_fold_args *args = &step->args.fold;
    uint64_t bytes = step->spec.first ? tally_dtype_find(problem->input)->bytes
                                      : tally_spec_state_bytes(&step->spec);
    bool tile = step->spec.first && args->terms <= TALLY_LANES;
    step->spec.schedule = tile ? TALLY_FOLD_CPU_TILE : TALLY_FOLD_CPU_ROWS;
    step->args.fold.slices = tally_plan_turn(limits, args->terms / args->blocks * bytes, step);
}

static void plan_slab(const tally_problem *problem, const tally_limits *limits, tally_step *step) {
    tally_fold_args *args = &step->args.fold;
    uint64_t columns = args->kept_size[step->spec.kept_rank - 1];
    step->spec.schedule = TALLY_FOLD_CPU_SLAB;
    args->head.units = args->outputs / columns * args->blocks;
    step->args.fold.slices = tally_plan_turn(
        limits, block_terms(args) * columns * tally_dtype_find(problem->input)->bytes, step);
}

/* Strips are as wide as their states' place allows, but each core has some. */
static void plan_columns(const tally_problem *problem, const tally_limits *limits,
                         tally_step *step) {
    tally_fold_args *args = &step->args.fold;
    uint64_t columns = args->kept_size[step->spec.kept_rank - 1];
    uint64_t width = TALLY_STRIP_BYTES / 2 / part_bytes(problem);
    uint64_t blocks = args->outputs / columns * args->blocks;
    uint64_t turns = (uint64_t)limits->units * TALLY_CPU_TURNS;
    while (width > TALLY_CPU_STRIP_MIN && (columns / width + 1) * blocks < turns)
        width /= 2;
    uint64_t strips = columns / width > 0 ? columns / width : 1;
    step->spec.schedule = TALLY_FOLD_CPU_COLUMNS;
    args->across = width;
    args->head.units = blocks * strips;
    step->args.fold.slices = tally_plan_turn(
        limits, block_terms(args) * columns / strips * tally_dtype_find(problem->input)->bytes,
        step);
}

bool tally_plan_fold_cpu(const tally_problem *problem, const tally_limits *limits,
                         tally_step *step) {
    const tally_fold_args *args = &step->args.fold;
    if (problem->groups == 0 || (step->spec.first && problem->swept[0].count != 1))
        return false;
    uint64_t columns = args->kept_size[step->spec.kept_rank - 1];
    uint64_t stride = problem->swept[0].in[0];
    uint64_t lanes = args->terms < TALLY_LANES ? 2 * args->terms : TALLY_LANES;
    if (!step->spec.first || stride == 1) {
        plan_rows(problem, limits, step);
        return true;
    }
    if (args->kept_in[step->spec.kept_rank - 1] != 1)
        return false;
    if (stride == columns && lanes * columns <= TALLY_SLAB_BYTES / part_bytes(problem)) {
        plan_slab(problem, limits, step);
        return true;
    }
    if (columns < 32 / part_bytes(problem))
        return false;
    plan_columns(problem, limits, step);
    return true;
}
