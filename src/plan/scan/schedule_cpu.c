/*
 * Who scans on a CPU: a work-item is a group of its own, which takes units enough to be worth a
 * grain of a core and scans a vector of runs at a time. It decides no bits.
 */
#include "cl/core/order.h"
#include "model/dtype.h"
#include "plan/plan.h"
#include "plan/tuning.h"

/*
 * The same of a scan's strip; bytes of a row of one, at most, and so that it is worth a grain; and
 * of a cache line.
 */
#define TALLY_SCAN_STRIP_MIN 32
#define TALLY_SCAN_STRIP 8192
#define TALLY_SCAN_STRIP_WORTH 4096
#define TALLY_SCAN_STRIP_CACHE_LINE 64

/*
 * Two launches of a line's pieces for each work-item that it has to itself; see
 * cl/agent/scan_cpu/scan_cpu_rows.cl.
 */
static void plan_pieces(const tally_limits *limits, uint64_t bytes, tally_plan *plan) {
    tally_step base = plan->step[0];
    tally_scan_cpu_rows_args *args = &base.args.scan_cpu_rows;
    uint64_t lines = args->head.units;
    base.spec.policy.scan_cpu_line.carry = TALLY_CARRY_TWO_PASSES;
    base.spec.word = (uint8_t)tally_spec_state_bytes(&base.spec);
    base.spec.group = 1;
    args->grain = 1;
    args->line_pieces = tally_plan_scan_cpu_pieces(limits, lines, bytes);
    args->head.units = lines * args->line_pieces;
    args->tiles_per_row = tally_plan_parts(args->terms, TALLY_TILE);
    plan->scratch = tally_plan_scratch(args->rows * args->tiles_per_row * base.spec.word);
    const uint64_t units[TALLY_PHASES] = {
        [TALLY_PASS] = args->head.units, [TALLY_APPLY] = args->head.units};
    tally_plan_launches(base, 1u << TALLY_PASS | 1u << TALLY_APPLY, units, plan);
}

/* Lines of so many columns, which are 1 or as many as a vector holds once or several times; one by
 * one they may lie in any way. */
static void plan_lines(const tally_problem *problem, const tally_limits *limits, uint64_t columns,
                       tally_plan *plan) {
    tally_step *step = &plan->step[0];
    tally_scan_cpu_rows_args *args = &step->args.scan_cpu_rows;
    uint64_t bytes = problem->terms * columns * tally_dtype_find(problem->input)->bytes;
    args->head.units = args->rows / columns;
    step->spec.policy.scan_cpu_line.carry = TALLY_CARRY_WALK;
    step->spec.policy.scan_cpu_line.merged = (uint16_t)columns;
    step->spec.policy.scan_cpu_line.strided =
        columns == 1 && (problem->swept[0].in[0] != 1 || problem->swept[0].out[0] != 1);
    step->spec.schedule = TALLY_SCAN_CPU_ROWS;
    if (tally_plan_scan_cpu_pieces(limits, args->head.units, bytes) > 1)
        plan_pieces(limits, bytes, plan);
    else
        args->grain = tally_plan_grain(limits, bytes, step);
}

/* Columns that lie as one line, of vectors of them: 1 of a row, 0 if there are none. */
static uint64_t line_columns(const tally_problem *problem, const tally_step *step) {
    const tally_scan_args *args = &step->args.scan;
    const tally_dims *axis = &problem->swept[0];
    const uint32_t inner = step->spec.kept_rank - 1u;
    const uint64_t columns = args->kept_size[inner];
    const uint64_t width = 32 / tally_dtype_find(problem->input)->compute_bytes;
    const bool states = problem->partial.to_states; /* which lie in a way of their own */
    if (axis->in[0] == 1 && (states || axis->out[0] == 1))
        return 1;
    return axis->in[0] == columns && (states || axis->out[0] == columns) && width % columns == 0 &&
                   args->kept_in[inner] == 1 && args->kept_out[inner] == 1
               ? columns
               : 0;
}

bool tally_plan_scan_cpu_states(const tally_problem *problem, const tally_limits *limits,
                                tally_plan *plan) {
    tally_step base = plan->step[0];
    tally_scan_cpu_rows_args *args = &base.args.scan_cpu_rows;
    const uint64_t columns = line_columns(problem, &base), states = problem->partial.states;
    if (columns == 0)
        return false;
    const uint64_t lines = args->rows / columns;
    const uint64_t most = tally_plan_parts(limits->units * TALLY_CPU_GRAINS, lines);
    base.spec.schedule = TALLY_SCAN_CPU_ROWS;
    base.spec.policy.scan_cpu_line.carry = TALLY_CARRY_TWO_PASSES;
    base.spec.policy.scan_cpu_line.merged = (uint16_t)columns;
    base.spec.word = (uint8_t)tally_spec_state_bytes(&base.spec);
    base.spec.group = 1;
    args->grain = 1;
    args->line_pieces = tally_plan_least(most, states * TALLY_TILES);
    args->tiles_per_row = states * TALLY_TILES;
    plan->scratch = tally_plan_scratch_of(args->rows * args->tiles_per_row, base.spec.word);
    const uint64_t units[TALLY_PHASES] = {
        [TALLY_PASS] = lines * args->line_pieces, [TALLY_STRETCHES] = args->rows * states};
    tally_plan_launches(base, 1u << TALLY_PASS | 1u << TALLY_STRETCHES, units, plan);
    return true;
}

bool tally_plan_scan_cpu_carried(const tally_problem *problem, const tally_limits *limits,
                                 tally_plan *plan) {
    const uint64_t columns = line_columns(problem, &plan->step[0]);
    plan_lines(problem, limits, columns > 0 ? columns : 1, plan);
    return true;
}

static void plan_short_rows(const tally_problem *problem, const tally_limits *limits,
                            tally_step *step) {
    uint64_t bytes = problem->terms * tally_dtype_find(problem->input)->bytes;
    step->spec.schedule = TALLY_SCAN_CPU_SHORT_ROWS;
    step->args.scan_cpu.grain = tally_plan_grain(limits, bytes, step);
}

static uint64_t greatest(uint64_t a, uint64_t b) {
    return a < b ? b : a;
}

/*
 * Columns of a strip, at most so many, and whole cache lines: fewer of no fewer than worth each
 * where not all grains have a strip, and fewer still where cores have none.
 */
static uint64_t strip_width(const tally_limits *limits, uint64_t columns, uint64_t outer,
                            uint64_t most, uint64_t worth, uint64_t line) {
    uint64_t grains = (uint64_t)limits->units * TALLY_CPU_GRAINS;
    uint64_t strips = tally_plan_parts(columns, most);
    if (strips * outer < grains)
        strips =
            greatest(strips, tally_plan_least(tally_plan_parts(grains, outer), columns / worth));
    if (strips * outer < limits->units)
        strips = greatest(strips, tally_plan_least(tally_plan_parts(limits->units, outer),
                                                   columns / TALLY_SCAN_STRIP_MIN));
    return greatest(columns / strips / line * line, TALLY_SCAN_STRIP_MIN);
}

static void plan_columns(const tally_problem *problem, const tally_limits *limits,
                         tally_plan *plan) {
    tally_step *step = &plan->step[0];
    tally_scan_cpu_columns_args *args = &step->args.scan_cpu_columns;
    uint64_t columns = args->kept_size[step->spec.kept_rank - 1];
    const tally_dtype_row *type = tally_dtype_find(problem->input);
    uint64_t outer = args->rows / columns;
    uint64_t most = tally_plan_least(TALLY_SCAN_STRIP / type->bytes,
                                     TALLY_SCAN_CPU_STRIP_BYTES / type->compute_bytes);
    uint64_t width = strip_width(limits, columns, outer, most, TALLY_SCAN_STRIP_WORTH / type->bytes,
                                 TALLY_SCAN_STRIP_CACHE_LINE / type->bytes);
    uint64_t strips = columns / width > 0 ? columns / width : 1;
    step->spec.schedule = TALLY_SCAN_CPU_COLUMNS;
    step->spec.policy.scan_cpu_pieces.carry = TALLY_CARRY_WALK;
    args->columns = columns;
    args->strip_columns = width;
    args->head.units = outer * strips;
    uint64_t bytes = problem->terms * columns / strips * type->bytes;
    step->args.scan_cpu.grain = tally_plan_grain(limits, bytes, step);
    /* The last strip has the rest too. Units so few have strips of so few columns that rows go
       through the stage, as pieces need. */
    tally_plan_scan_cpu_cut(limits, bytes, 2 * width, plan);
}

/*
 * By boxes, if there are lines enough for vectors. Fewer are walked one by one, and cut for all
 * cores if they are long; terms that repeat an element are few.
 */
static bool plan_panel(const tally_problem *problem, const tally_limits *limits, tally_plan *plan) {
    tally_step *step = &plan->step[0];
    uint64_t rows = step->args.scan.rows;
    if (rows >= TALLY_SCAN_PANEL_ROWS)
        tally_plan_scan_panel(problem, limits, plan);
    else if (problem->swept[0].in[0] != 0)
        plan_lines(problem, limits, 1, plan);
    else
        return false;
    return true;
}

/*
 * Whether rows of columns are pieces of memory that are worth a visit of each: if one follows the
 * other, all of them together.
 */
static bool has_wide_columns(const tally_problem *problem, uint64_t columns, bool packed) {
    uint64_t bytes = columns * tally_dtype_find(problem->input)->bytes;
    return (packed ? bytes * problem->terms : bytes) >= TALLY_SCAN_PANEL_PIECE;
}

bool tally_plan_scan_cpu(const tally_problem *problem, const tally_limits *limits,
                         tally_plan *plan) {
    tally_step *step = &plan->step[0];
    const tally_scan_args *args = &step->args.scan;
    const tally_dims *axis = &problem->swept[0];
    uint32_t inner = step->spec.kept_rank - 1u;
    uint64_t columns = args->kept_size[inner];
    uint64_t width = 32 / tally_dtype_find(problem->input)->compute_bytes;
    bool is_short = problem->terms <= TALLY_SHORT_TERMS;
    bool row = axis->in[0] == 1 && axis->out[0] == 1;
    bool packed = axis->in[0] == columns && axis->out[0] == columns;
    bool side = args->kept_in[inner] == 1 && args->kept_out[inner] == 1;
    bool stride = step->spec.kept_rank > 1 && is_short; /* where each row lies takes divisions */
    if (row && (problem->terms < width || stride) && args->rows >= TALLY_SCAN_PANEL_ROWS)
        return plan_panel(problem, limits, plan);
    if (row && is_short) {
        plan_short_rows(problem, limits, step);
        return true;
    }
    if (row || (packed && !is_short && width % columns == 0 && side)) {
        plan_lines(problem, limits, row ? 1 : columns, plan);
        return true;
    }
    uint32_t set;
    if (tally_plan_scan_set(problem, &set) > 1)
        return plan_panel(problem, limits, plan);
    if (!side || (columns < width && !packed) ||
        (!has_wide_columns(problem, columns, packed) && args->rows >= TALLY_SCAN_PANEL_ROWS))
        return plan_panel(problem, limits, plan);
    plan_columns(problem, limits, plan);
    return true;
}
