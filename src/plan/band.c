/*
 * The planner of diagonal fills: one launch, no scratch. Rows whose elements lie side by side are
 * filled by packs on GPUs and by lines on CPUs; what has any other strides, or is narrower than a
 * pack, by work-items that have an element each.
 */
#include "model/dtype.h"
#include "plan/plan.h"
#include "plan/tuning.h"

static uint64_t columns_of(const tally_problem *problem) {
    return problem->kept.size[problem->kept.count - 1];
}

/* What every schedule starts from: a work-item for an element. */
static void plan_elements(const tally_problem *problem, tally_step *step) {
    tally_band_args *args = &step->args.band;
    uint32_t bytes = tally_dtype_find(problem->output)->bytes;
    args->head.units = tally_dims_elements(&problem->kept);
    step->spec = (tally_spec){
        .schedule = TALLY_BAND,
        .input = (uint8_t)tally_dtype_unsigned(bytes),
        .kept_rank = tally_plan_rank(problem->kept.count),
        .index_bits = tally_plan_index_bits(problem, args->head.units),
        .has_input = problem->has_input,
    };
    args->low = problem->low;
    args->high = problem->high;
    args->inverted = problem->inverted;
    args->value = problem->value;
    tally_plan_axes(&problem->kept, step->spec.kept_rank, args->kept_size, args->kept_in,
                    args->kept_out);
    step->source = problem->has_input ? TALLY_IN_INPUT : TALLY_IN_NOTHING;
    step->target = TALLY_IN_OUTPUT;
    step->source_bytes = step->target_bytes = bytes;
}

static bool is_contiguous(const tally_problem *problem, const tally_step *step) {
    uint32_t last = problem->kept.count - 1;
    return problem->kept.out[last] == 1 && (!problem->has_input || problem->kept.in[last] == 1) &&
           columns_of(problem) >= TALLY_BAND_BYTES / step->target_bytes;
}

/*
 * A work-item has a few packs of a row, or of a narrow one fewer and those of several rows. A row
 * is cut into pieces where it has more than a group has in hand.
 */
static void plan_rows(const tally_problem *problem, const tally_limits *limits, tally_step *step) {
    tally_band_args *args = &step->args.band;
    uint64_t packs = tally_plan_parts(columns_of(problem), TALLY_BAND_BYTES / step->target_bytes);
    uint32_t group = TALLY_WIDE_GROUP;
    uint32_t most = packs > TALLY_BAND_NARROW ? TALLY_BAND_PACKS : TALLY_BAND_PACKS_NARROW;
    uint32_t stack = most;
    while (group > limits->group_max)
        group /= 2;
    while (stack > 1 && stack > packs)
        stack /= 2;
    step->spec.schedule = TALLY_BAND_ROWS;
    step->spec.group = (uint16_t)group;
    step->spec.stack = (uint16_t)stack;
    step->spec.each = (uint8_t)(most / stack);
    args->rows = args->head.units / columns_of(problem);
    args->pieces = tally_plan_parts(packs, (uint64_t)group * stack);
    args->across = tally_plan_parts(packs, args->pieces * stack);
    args->head.units =
        tally_plan_parts(args->rows, group / args->across * step->spec.each) * args->pieces;
}

/* A turn of a core is several rows or a piece of one; see fold_schedule_cpu.c for its bytes. */
static void plan_cpu(const tally_problem *problem, const tally_limits *limits, tally_step *step) {
    tally_band_args *args = &step->args.band;
    uint64_t columns = columns_of(problem), row = columns * step->target_bytes;
    args->rows = args->head.units / columns;
    uint64_t turn = tally_plan_parts(args->rows * row, (uint64_t)limits->units * TALLY_CPU_TURNS);
    turn = turn < TALLY_CPU_BYTES ? turn : TALLY_CPU_BYTES;
    turn = turn > TALLY_CPU_BYTES_MIN ? turn : TALLY_CPU_BYTES_MIN;
    args->across = tally_plan_parts(columns, tally_plan_parts(row, turn));
    args->pieces = tally_plan_parts(columns, args->across);
    args->head.units = args->rows * args->pieces;
    args->slices = tally_plan_parts(turn, row);
    args->slices = args->slices < args->head.units ? args->slices : args->head.units;
    args->stream = args->rows * row >= TALLY_BAND_STREAM;
    step->spec.schedule = TALLY_BAND_CPU;
    step->spec.group = 1;
    step->slots = (uint32_t)args->slices;
}

void tally_plan_band(const tally_problem *problem, const tally_limits *limits, tally_plan *plan) {
    tally_step *step = &plan->step[plan->count++];
    plan_elements(problem, step);
    if (is_contiguous(problem, step)) {
        if (limits->family == TALLY_FAMILY_GPU && limits->group_max >= TALLY_BAND_GROUP_MIN)
            plan_rows(problem, limits, step);
        if (limits->family == TALLY_FAMILY_CPU)
            plan_cpu(problem, limits, step);
    }
    tally_plan_range(step, limits);
}
