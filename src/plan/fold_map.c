/*
 * The planner of folds without swept axes: each output is the function of one element. See
 * cl/fold_map.cl and cl/fold_cpu_map.cl.
 */
#include "model/dtype.h"
#include "plan/plan.h"
#include "plan/tuning.h"

/* Put the axis at from to another place; those between move by one. */
static void move_axis(tally_fold_args *args, uint32_t from, uint32_t to) {
    tally_u64 *const lists[] = {args->kept_size, args->kept_in, args->kept_out};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        const tally_u64 moved = lists[i][from];
        for (uint32_t k = from; k < to; k++)
            lists[i][k] = lists[i][k + 1];
        for (uint32_t k = from; k > to; k--)
            lists[i][k] = lists[i][k - 1];
        lists[i][to] = moved;
    }
}

/*
 * The axes in descending order of the output's strides; those of size 1, which fill up the list,
 * stay in front.
 */
static void sort_by_output(tally_fold_args *args, uint32_t rank) {
    for (uint32_t k = 1; k < rank; k++) {
        uint32_t at = k;
        while (at > 0 && args->kept_size[at - 1] > 1 && args->kept_out[at - 1] < args->kept_out[k])
            at--;
        move_axis(args, k, at);
    }
}

/* The input's innermost axis beside the output's. */
static void move_innermost(tally_fold_args *args, uint32_t rank) {
    uint32_t inner = rank - 1;
    for (uint32_t k = 0; k < rank; k++)
        if (args->kept_size[k] > 1 && args->kept_in[k] != 0 &&
            (args->kept_in[inner] == 0 || args->kept_in[k] < args->kept_in[inner]))
            inner = k;
    if (inner + 1 < rank)
        move_axis(args, inner, rank - 2);
}

/* Pieces of lines, and so many lines together. */
static void plan_pieces(const tally_limits *limits, uint32_t bytes, tally_step *step) {
    tally_fold_args *args = &step->args.fold;
    const uint32_t rank = step->spec.kept_rank;
    const uint64_t columns = args->kept_size[rank - 1];
    const uint64_t rows = rank > 1 ? args->kept_size[rank - 2] : 1;
    const uint64_t most = TALLY_CPU_BYTES_MIN / bytes;
    args->across = tally_plan_parts(columns, tally_plan_parts(columns, most));
    args->head.units = args->outputs / (columns * rows) * tally_plan_parts(columns, args->across) *
                       tally_plan_parts(rows, TALLY_MAP_ROWS);
    const uint64_t lines = rows < TALLY_MAP_ROWS ? rows : TALLY_MAP_ROWS;
    args->slices = tally_plan_turn(limits, args->across * lines * bytes, step);
}

static void plan_packs(uint32_t bytes, tally_step *step) {
    tally_fold_args *args = &step->args.fold;
    const uint32_t last = step->spec.kept_rank - 1u, pack = 16 / bytes;
    const bool beside = args->kept_in[last] == 1 && args->kept_out[last] == 1;
    const uint64_t columns = args->kept_size[last];
    const bool packs = beside && columns >= pack;
    step->spec.pack = (uint8_t)(packs ? 16 : bytes);
    step->spec.group = TALLY_WIDE_GROUP;
    step->slots = TALLY_WIDE_GROUP;
    args->head.units = args->outputs / columns * tally_plan_parts(columns, packs ? pack : 1);
}

bool tally_plan_map(const tally_problem *problem, const tally_limits *limits, tally_step *step) {
    const uint32_t bytes = tally_dtype_find(problem->input)->bytes, rank = step->spec.kept_rank;
    const bool cpu = limits->family == TALLY_FAMILY_CPU;
    if (problem->groups > 0 || problem->terms != 1 || !(cpu || tally_plan_has_wide_groups(limits)))
        return false;
    step->spec.schedule = cpu ? TALLY_FOLD_CPU_MAP : TALLY_FOLD_MAP;
    sort_by_output(&step->args.fold, rank);
    if (cpu) {
        move_innermost(&step->args.fold, rank);
        plan_pieces(limits, bytes, step);
    } else {
        plan_packs(bytes, step);
    }
    return true;
}
