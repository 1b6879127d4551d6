/*
 * Who folds on a CPU: a work-item is a group of its own, which takes units enough to be worth a
 * grain of a core and has its lanes in vectors. It decides no bits.
 */
#include "cl/core/order.h"
#include "model/dtype.h"
#include "model/monoid.h"
#include "plan/fold/lines.h"
#include "plan/plan.h"
#include "plan/tuning.h"

/* Columns of a strip that are worth a grain of their own. */
#define TALLY_CPU_STRIP_MIN 256

/* Bytes of a line of a CPU's memory. */
#define TALLY_CPU_LINE_BYTES 64

/*
 * Columns that are folded straight from the input: elements from one to the next, at most, and
 * elements of a block of them, at least.
 */
#define TALLY_SPACED_STEP 4
#define TALLY_SPACED_ELEMENTS 64

/*
 * Terms of an output, at least, that are brought one after the other rather than with others', and
 * those of the axis along which they lie nearest to each other.
 */
#define TALLY_CPU_LINE_TERMS 64
#define TALLY_CPU_LINE_SIDE 8

/* Terms that one work-item folds in one launch rather than several in two. */
#define TALLY_CPU_SMALL 65536

bool tally_plan_cpu_is_whole(const tally_problem *problem, const tally_limits *limits, bool first,
                             uint64_t outputs, uint64_t terms) {
    bool rows = !first || (problem->groups > 0 && problem->swept[0].count == 1 &&
                           problem->swept[0].in[0] == 1);
    if (!rows || terms <= TALLY_BLOCK || terms > (uint64_t)TALLY_BLOCK * TALLY_LANES)
        return false;
    return outputs >= (uint64_t)limits->units * TALLY_CPU_GRAINS ||
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
    step->spec.schedule = tile ? TALLY_FOLD_CPU_SHORT_ROWS : TALLY_FOLD_CPU_ROWS;
    step->args.fold_cpu.grain = tally_plan_grain(limits, args->terms / args->blocks * bytes, step);
}

static void plan_packed(const tally_problem *problem, const tally_limits *limits,
                        tally_step *step) {
    tally_fold_args *args = &step->args.fold;
    uint64_t columns = args->kept_size[step->spec.kept_rank - 1];
    step->spec.schedule = TALLY_FOLD_CPU_PACKED;
    args->head.units = args->outputs / columns * args->blocks;
    step->args.fold_cpu.grain = tally_plan_grain(
        limits, block_terms(args) * columns * tally_dtype_find(problem->input)->bytes, step);
}

/*
 * Outputs that lie a distance apart in the input, whatever their axes. Once there are enough, an
 * axis along which results lie nearer to each other than theirs is left out.
 */
static uint64_t columns_of(const tally_step *step, uint64_t stride, uint64_t enough) {
    const tally_fold_args *args = &step->args.fold;
    uint32_t last = step->spec.kept_rank - 1;
    uint64_t columns = 1;
    for (uint32_t k = step->spec.kept_rank; k-- > 0 && args->kept_in[k] == columns * stride;) {
        if (columns >= enough && args->kept_out[k] < args->kept_out[last])
            break;
        columns *= args->kept_size[k];
    }
    return columns;
}

/* How outputs of sets of columns share cache lines. */
typedef enum sharing { UNSHARED, FEW_OF_A_SET, ONE_OF_A_SET } sharing;

/* Of how many outputs of a set are cache lines that have outputs of several sets. */
static sharing shared_cache_lines(const tally_problem *problem, const tally_step *step) {
    const tally_fold_cpu_columns_args *args = &step->args.fold_cpu_columns;
    uint64_t bytes = step->spec.last ? tally_dtype_find(problem->output)->bytes
                                     : tally_spec_state_bytes(&step->spec) * args->blocks;
    uint64_t columns = 1, within = UINT64_MAX, between = UINT64_MAX;
    for (uint32_t k = step->spec.kept_rank; k-- > 0;) {
        uint64_t *nearest = columns < args->columns ? &within : &between;
        if (args->kept_size[k] > 1 && args->kept_out[k] < *nearest)
            *nearest = args->kept_out[k];
        columns *= args->kept_size[k];
    }
    if (between > TALLY_CPU_LINE_BYTES / 2 / bytes || within <= between)
        return UNSHARED;
    return within > TALLY_CPU_LINE_BYTES / bytes ? ONE_OF_A_SET : FEW_OF_A_SET;
}

/*
 * Strips are as wide as their states' position allows, but each core has some. Where results of
 * several sets of columns share cache lines a core takes a strip of all sets, so that these
 * lines are in its cache until they are full; strips are narrow if each column has its own line.
 */
static void plan_columns(const tally_problem *problem, const tally_limits *limits,
                         tally_step *step) {
    tally_fold_cpu_columns_args *args = &step->args.fold_cpu_columns;
    uint64_t columns = args->columns = columns_of(step, 1, TALLY_CPU_STRIP_MIN);
    uint64_t sets = args->outputs / columns;
    uint64_t width = TALLY_STRIP_BYTES / 2 / part_bytes(problem);
    uint64_t blocks = sets * args->blocks;
    uint64_t grains = (uint64_t)limits->units * TALLY_CPU_GRAINS;
    sharing shared = shared_cache_lines(problem, step);
    while (width > TALLY_CPU_STRIP_MIN &&
           (shared == ONE_OF_A_SET || (columns / width + 1) * blocks < grains))
        width /= 2;
    uint64_t strips = columns / width > 0 ? columns / width : 1;
    step->spec.schedule = TALLY_FOLD_CPU_COLUMNS;
    args->strip_columns = width;
    args->sets_first = shared != UNSHARED;
    args->head.units = blocks * strips;
    args->grain = tally_plan_grain(limits,
                                   block_terms(&step->args.fold) * columns / strips *
                                       tally_dtype_find(problem->input)->bytes,
                                   step);
    if (shared != UNSHARED && strips * args->blocks >= grains)
        args->grain = sets;
}

/* Whether a box is one output: enough of its terms lie nearer to each other than other outputs'. */
static bool is_single_output(const tally_step *step) {
    const tally_fold_args *args = &step->args.fold;
    const uint32_t axis = tally_plan_nearest_axis(step).axis;
    if (args->terms < TALLY_CPU_LINE_TERMS)
        return false;
    return args->outputs == 1 || (args->swept_size[axis] >= TALLY_CPU_LINE_SIDE &&
                                  args->swept_in[axis] < args->kept_in[step->spec.kept_rank - 1]);
}

/*
 * Columns a few elements apart, nearer to each other than terms, with enough of these. LOG_SUM_EXP
 * takes runs of its lanes from a panel.
 */
static bool has_spaced(const tally_problem *problem, const tally_step *step) {
    const tally_fold_args *args = &step->args.fold;
    uint64_t stride = args->kept_in[step->spec.kept_rank - 1];
    if (tally_monoid_find(problem->function)->state == TALLY_STATE_SHIFTED || stride < 1 ||
        stride > TALLY_SPACED_STEP || args->swept_in[tally_plan_nearest_axis(step).axis] < stride)
        return false;
    uint64_t columns = columns_of(step, stride, UINT64_MAX);
    return columns > 1 && columns * block_terms(args) >= TALLY_SPACED_ELEMENTS;
}

/* Strips whose states of all lanes have room, but each core has some. */
static void plan_spaced(const tally_problem *problem, const tally_limits *limits,
                        tally_step *step) {
    tally_fold_cpu_columns_args *args = &step->args.fold_cpu_columns;
    uint64_t stride = args->kept_in[step->spec.kept_rank - 1];
    uint64_t columns = args->columns = columns_of(step, stride, UINT64_MAX);
    uint64_t lanes = tally_plan_power(
        args->terms, tally_problem_is_exact(problem) ? TALLY_SPACED_LANES : TALLY_LANES);
    uint64_t width = 32 / part_bytes(problem), sets = args->outputs / columns * args->blocks;
    uint64_t most = TALLY_SPACED_STATES / lanes * width;
    uint64_t grains = (uint64_t)limits->units * TALLY_CPU_GRAINS;
    while (most > width && tally_plan_parts(columns, most) * sets < grains)
        most /= 2;
    step->spec.schedule = TALLY_FOLD_CPU_SPACED;
    args->strip_columns = columns / tally_plan_parts(columns, most);
    uint64_t strips = columns / args->strip_columns;
    args->head.units = sets * strips;
    args->grain = tally_plan_grain(limits,
                                   block_terms(&step->args.fold) * columns / strips * stride *
                                       tally_dtype_find(problem->input)->bytes,
                                   step);
}

/* Vectors of outputs that a box's states and terms have room for, but each core has some boxes. */
static uint64_t panel_vectors(const tally_problem *problem, const tally_limits *limits,
                              const tally_fold_args *args) {
    bool shifted = tally_monoid_find(problem->function)->state == TALLY_STATE_SHIFTED;
    uint64_t width = 32 / part_bytes(problem), terms = block_terms(args),
             lanes = tally_plan_power(args->terms, TALLY_LANES);
    uint64_t rows = shifted ? lanes * TALLY_LANE_RUN : lanes;
    rows = tally_problem_is_exact(problem) ? TALLY_LANE_RUN : rows;
    rows = tally_plan_least(terms, rows);
    uint64_t wanted = tally_plan_parts(args->outputs, width);
    const uint64_t most[] = {TALLY_PANEL_STATES / (tally_problem_is_exact(problem) ? 1 : lanes),
                             TALLY_PANEL_BYTES / 32 / rows, TALLY_PANEL_COLUMNS / width};
    uint64_t vectors = wanted, grains = (uint64_t)limits->units * TALLY_CPU_GRAINS;
    for (uint32_t i = 0; i < sizeof most / sizeof most[0]; i++)
        vectors = vectors < most[i] ? vectors : most[i];
    while (vectors > 1 && tally_plan_parts(wanted, vectors) * args->blocks < grains)
        vectors /= 2;
    return vectors;
}

/*
 * A single output's terms: along the axis that is the nearest, by so many blocks that of each line
 * of memory that is read all or much is used at once, where squares of these fit and are worth it.
 */
static void plan_line(const tally_problem *problem, const tally_limits *limits,
                      tally_fold_cpu_panel_args *args, uint32_t axis, uint32_t rank) {
    uint64_t width = 32 / part_bytes(problem), inside = 1;
    uint64_t room = TALLY_LINE_BYTES / tally_dtype_find(problem->input)->bytes - width;
    for (uint32_t k = axis + 1; k < rank; k++)
        inside *= args->swept_size[k];
    args->box_outputs = args->box_blocks = 1;
    args->transposed_axis = rank;
    if (args->swept_in[axis] != 1 || args->swept_size[axis] < width / 2 || inside < width ||
        inside > TALLY_BLOCK)
        return;
    uint64_t blocks = tally_plan_least((room - 2 * inside) / TALLY_BLOCK, args->blocks);
    uint64_t grains = (uint64_t)limits->units * TALLY_CPU_GRAINS;
    while (blocks > 1 && tally_plan_parts(args->blocks, blocks) * args->outputs < grains)
        blocks--;
    args->transposed_axis = axis;
    args->box_blocks = blocks;
}

static void plan_panel(const tally_problem *problem, const tally_limits *limits, tally_step *step) {
    tally_fold_cpu_panel_args *args = &step->args.fold_cpu_panel;
    uint64_t width = 32 / part_bytes(problem);
    step->spec.schedule = TALLY_FOLD_CPU_PANEL;
    args->transposed_axis = step->spec.swept_rank;
    args->box_blocks = 1;
    args->box_outputs = panel_vectors(problem, limits, &step->args.fold) * width;
    if (is_single_output(step))
        plan_line(problem, limits, args, tally_plan_nearest_axis(step).axis, step->spec.swept_rank);
    args->head.units = tally_plan_parts(args->outputs, args->box_outputs) *
                       tally_plan_parts(args->blocks, args->box_blocks);
    args->grain = tally_plan_grain(limits,
                                   block_terms(&step->args.fold) * args->box_outputs *
                                       args->box_blocks * tally_dtype_find(problem->input)->bytes,
                                   step);
}

bool tally_plan_fold_cpu(const tally_problem *problem, const tally_limits *limits,
                         tally_step *step) {
    const tally_fold_args *args = &step->args.fold;
    if (problem->groups == 0 || args->terms == 0)
        return false;
    uint64_t columns = args->kept_size[step->spec.kept_rank - 1];
    uint64_t stride = problem->swept[0].in[0];
    bool single = problem->swept[0].count == 1;
    bool beside = args->kept_in[step->spec.kept_rank - 1] == 1;
    if (!step->spec.first && args->terms > 1 && args->swept_in[step->spec.swept_rank - 1] != 1)
        return false; /* states of parts, of which lines lie side by side */
    if (!step->spec.first || (single && stride == 1))
        plan_rows(problem, limits, step);
    else if (single && beside && stride == columns &&
             tally_plan_power(args->terms, TALLY_LANES) * columns <=
                 TALLY_PACKED_BYTES / part_bytes(problem))
        plan_packed(problem, limits, step);
    else if (single && columns_of(step, 1, UINT64_MAX) >= 256 / part_bytes(problem))
        plan_columns(problem, limits, step);
    else if (has_spaced(problem, step))
        plan_spaced(problem, limits, step);
    else if (!tally_plan_cpu_lines(problem, limits, step))
        plan_panel(problem, limits, step);
    return true;
}
