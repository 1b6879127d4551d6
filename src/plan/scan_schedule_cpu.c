/*
 * Who scans on a CPU: a work-item is a group of its own, which takes units enough to be worth a
 * turn of a core and scans a vector of runs at a time. It decides no bits.
 */
#include "cl/order.h"
#include "model/dtype.h"
#include "plan/plan.h"
#include "plan/tuning.h"

static void plan_rows(const tally_problem *problem, const tally_limits *limits, tally_step *step) {
    uint64_t bytes = problem->terms * tally_dtype_find(problem->input)->bytes;
    bool tile = problem->terms <= TALLY_SHORT_TERMS;
    step->spec.schedule = tile ? TALLY_SCAN_CPU_TILE : TALLY_SCAN_CPU_ROWS;
    step->args.scan.slices = tally_plan_turn(limits, bytes, step);
}

/* Strips are as wide as their levels' place allows, but each core has some. */
static void plan_columns(const tally_problem *problem, const tally_limits *limits,
                         tally_step *step) {
    tally_scan_args *args = &step->args.scan;
    uint64_t columns = args->kept_size[step->spec.kept_rank - 1];
    uint64_t part = tally_dtype_find(problem->input)->compute_bytes;
    uint64_t width = step->spec.stack ? TALLY_SCAN_ACROSS : TALLY_SCAN_CPU_STRIP_BYTES / part;
    uint64_t outer = args->rows / columns;
    uint64_t turns = (uint64_t)limits->units * TALLY_CPU_TURNS;
    while (width > TALLY_SCAN_STRIP_MIN && (columns / width + 1) * outer < turns)
        width /= 2;
    uint64_t strips = columns / width > 0 ? columns / width : 1;
    step->spec.schedule = TALLY_SCAN_CPU_COLUMNS;
    args->columns = columns;
    args->across = width;
    args->head.units = outer * strips;
    step->args.scan.slices = tally_plan_turn(
        limits, problem->terms * columns / strips * tally_dtype_find(problem->input)->bytes, step);
}

bool tally_plan_scan_cpu(const tally_problem *problem, const tally_limits *limits,
                         tally_plan *plan) {
    tally_step *step = &plan->step[0];
    const tally_scan_args *args = &step->args.scan;
    const tally_dims *axis = &problem->swept[0];
    uint32_t inner = step->spec.kept_rank - 1u;
    uint64_t columns = args->kept_size[inner];
    uint64_t width = 32 / tally_dtype_find(problem->input)->compute_bytes;
    if (axis->in[0] == 1 && axis->out[0] == 1) {
        plan_rows(problem, limits, step);
        return true;
    }
    bool packed = axis->in[0] == columns && axis->out[0] == columns;
    bool across = axis->out[0] == 1 && columns >= width;
    if (args->kept_in[inner] != 1 || (args->kept_out[inner] != 1 && !across) ||
        (columns < width && !packed))
        return false;
    step->spec.stack = args->kept_out[inner] != 1;
    plan_columns(problem, limits, step);
    return true;
}
