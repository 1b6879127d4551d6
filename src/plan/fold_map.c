/*
 * The planner of folds without swept axes: each output is the function of one element. See
 * cl/fold_map.cl and cl/fold_cpu_map.cl.
 */
#include "model/dtype.h"
#include "plan/plan.h"
#include "plan/tuning.h"

bool tally_plan_is_map(const tally_problem *problem, const tally_limits *limits) {
    const bool can = limits->family == TALLY_FAMILY_CPU || tally_plan_has_wide_groups(limits);
    return can && problem->groups == 0 && problem->terms == 1;
}

/* The input's innermost axis beside the output's. */
static void move_innermost(tally_dims *axes) {
    uint32_t inner = axes->count - 1;
    for (uint32_t k = 0; k < axes->count; k++)
        if (axes->in[k] != 0 && (axes->in[inner] == 0 || axes->in[k] < axes->in[inner]))
            inner = k;
    if (inner + 1 < axes->count)
        tally_dims_move(axes, inner, axes->count - 2);
}

void tally_plan_map_axes(const tally_limits *limits, tally_dims *axes) {
    tally_dims_sort(axes, true);
    if (limits->family == TALLY_FAMILY_CPU && axes->count > 0)
        move_innermost(axes);
}

/* Pieces of lines, and so many lines together. */
static void plan_pieces(const tally_limits *limits, uint32_t bytes, tally_step *step) {
    tally_fold_cpu_map_args *args = &step->args.fold_cpu_map;
    const uint32_t rank = step->spec.kept_rank;
    const uint64_t columns = args->kept_size[rank - 1];
    const uint64_t rows = rank > 1 ? args->kept_size[rank - 2] : 1;
    const uint64_t most = TALLY_CPU_BYTES_MIN / bytes;
    args->piece_elements = tally_plan_parts(columns, tally_plan_parts(columns, most));
    args->head.units = args->outputs / (columns * rows) *
                       tally_plan_parts(columns, args->piece_elements) *
                       tally_plan_parts(rows, TALLY_MAP_ROWS);
    const uint64_t lines = rows < TALLY_MAP_ROWS ? rows : TALLY_MAP_ROWS;
    args->turn = tally_plan_turn(limits, args->piece_elements * lines * bytes, step);
}

static void plan_packs(uint32_t bytes, tally_step *step) {
    tally_fold_args *args = &step->args.fold;
    const uint32_t last = step->spec.kept_rank - 1u, pack = 16 / bytes;
    const bool beside = args->kept_in[last] == 1 && args->kept_out[last] == 1;
    const uint64_t columns = args->kept_size[last];
    const bool packs = beside && columns >= pack;
    step->spec.policy.fold_map.pack = (uint16_t)(packs ? 16 : bytes);
    step->spec.group = TALLY_WIDE_GROUP;
    args->head.units = args->outputs / columns * tally_plan_parts(columns, packs ? pack : 1);
}

void tally_plan_map(const tally_problem *problem, const tally_limits *limits, tally_step *step) {
    const uint32_t bytes = tally_dtype_find(problem->input)->bytes;
    const bool cpu = limits->family == TALLY_FAMILY_CPU;
    step->spec.schedule = cpu ? TALLY_FOLD_CPU_MAP : TALLY_FOLD_MAP;
    if (cpu)
        plan_pieces(limits, bytes, step);
    else
        plan_packs(bytes, step);
}
