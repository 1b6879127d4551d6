/*
 * The planners of folds without swept axes, maps: each output is the function of one element. On
 * CPUs they have a kernel of their own, see cl/agent/fold_cpu/fold_cpu_map.cl; on GPUs they are
 * fills of nothing, see cl/agent/fill/fill_map.cl.
 */
#include "model/dtype.h"
#include "plan/plan.h"
#include "plan/tuning.h"

bool tally_plan_is_map(const tally_problem *problem, const tally_limits *limits) {
    return tally_plan_has_own_schedules(limits) && problem->groups == 0 && problem->terms == 1 &&
           !tally_plan_has_states(problem);
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

void tally_plan_map_axes(tally_dims *axes) {
    tally_dims_sort(axes, true);
    if (axes->count > 0)
        move_innermost(axes);
}

/* Pieces of lines, and so many lines together. */
void tally_plan_map_cpu(const tally_problem *problem, const tally_limits *limits,
                        tally_step *step) {
    tally_fold_cpu_map_args *args = &step->args.fold_cpu_map;
    const uint32_t rank = step->spec.kept_rank, bytes = tally_dtype_find(problem->input)->bytes;
    const uint64_t columns = args->kept_size[rank - 1];
    const uint64_t rows = rank > 1 ? args->kept_size[rank - 2] : 1;
    const uint64_t most = TALLY_CPU_BYTES_MIN / bytes;
    step->spec.schedule = TALLY_FOLD_CPU_MAP;
    args->piece_elements = tally_plan_parts(columns, tally_plan_parts(columns, most));
    args->head.units = args->outputs / (columns * rows) *
                       tally_plan_parts(columns, args->piece_elements) *
                       tally_plan_parts(rows, TALLY_MAP_ROWS);
    const uint64_t lines = rows < TALLY_MAP_ROWS ? rows : TALLY_MAP_ROWS;
    args->grain = tally_plan_grain(limits, args->piece_elements * lines * bytes, step);
}

/* Two axes at least, as fills have them: of one position those that are not there. */
static tally_dims matrix_of(const tally_dims *axes) {
    const uint32_t lead = axes->count < 2 ? 2 - axes->count : 0;
    tally_dims matrix = {.count = lead + axes->count, .size = {1, 1}};
    for (uint32_t k = 0; k < axes->count; k++) {
        matrix.size[lead + k] = axes->size[k];
        matrix.in[lead + k] = axes->in[k];
        matrix.out[lead + k] = axes->out[k];
    }
    return matrix;
}

tally_problem tally_plan_copy_fill(const tally_problem *problem) {
    tally_problem fill = *problem;
    fill.kind = TALLY_KIND_FILL;
    fill.kept = matrix_of(&problem->kept);
    fill.function = 0;
    fill.nan = 0;
    fill.tie = 0;
    fill.input = problem->output;
    return fill;
}

tally_problem tally_plan_map_fill(const tally_problem *problem) {
    tally_problem fill = tally_plan_copy_fill(problem);
    fill.has_input = !tally_plan_is_indexed(problem);
    if (!fill.has_input)
        return fill;
    fill.function = problem->function;
    fill.nan = problem->nan;
    fill.tie = problem->tie;
    return fill;
}
