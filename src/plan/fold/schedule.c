/*
 * Who folds: the schedule of one launch, chosen by where its terms lie. It decides no bits: each
 * schedule follows the same order.
 *
 * The fast ones move 16 bytes per work-item and serve launches that read one swept axis: contiguous
 * rows straight (fold_rows) or, if short and packed, through local memory (fold_short_rows), few
 * columns without a gap as one run (fold_sets), and long ones down (fold_columns). What is left
 * goes by outputs (fold_outputs), or to groups that share a block where single work-items are few
 * or far apart, else to those (fold_any).
 */
#include "cl/core/order.h"
#include "cl/core/sizes.h"
#include "model/dtype.h"
#include "model/monoid.h"
#include "plan/group.h"
#include "plan/plan.h"
#include "plan/tuning.h"

bool tally_plan_is_side_by_side(const tally_step *step) {
    uint8_t rank = step->spec.kept_rank;
    return step->spec.first && step->args.fold.kept_in[rank - 1] == 1;
}

/* One swept axis, read from elements: what the fast schedules of GPUs serve. */
static bool is_simple(const tally_problem *problem, const tally_limits *limits,
                      const tally_step *step) {
    return step->spec.first && tally_plan_has_wide_groups(limits) && problem->groups > 0 &&
           problem->swept[0].count == 1 && step->args.fold.nest[1] == 1;
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

/* As many work-items of a group as its blocks have local memory for. */
static void fit_rows(tally_step *step, uint32_t group, uint32_t local_bytes) {
    uint64_t mates = tally_row_mates(&step->spec);
    step->spec.group = (uint16_t)group;
    while (step->spec.group > mates && tally_group_local_bytes(&step->spec) > local_bytes)
        step->spec.group = step->spec.group / 2;
}

/*
 * What a work-item loads at once: 16 bytes of rows that are short, of which it then has several
 * lanes; of others a dword, of which many are under way, so that more work-items share a block.
 * Rows of LOG_SUM_EXP go by 16 bytes, which hides its arithmetic best; of narrow types the states
 * of as many lanes would not fit the registers, so a dword is loaded.
 */
static void plan_loads(const tally_problem *problem, bool is_short, tally_spec *spec) {
    uint32_t bytes = tally_dtype_find(problem->input)->bytes;
    uint32_t word = bytes > TALLY_ROWS_DWORD ? bytes : TALLY_ROWS_DWORD;
    bool shifted = tally_monoid_find(problem->function)->state == TALLY_STATE_SHIFTED;
    bool is_pack = shifted ? bytes >= TALLY_ROWS_DWORD : is_short;
    tally_fold_rows_policy *policy = &spec->policy.fold_rows;
    policy->pack = (uint16_t)(is_pack ? 16 : word);
    policy->lanes_per_item = (uint16_t)(policy->pack / bytes);
    policy->runs_at_once =
        (uint16_t)(is_short || shifted ? 1 : TALLY_ROWS_DEEP / policy->pack / TALLY_LANE_RUN);
}

/* Smaller packs, and so more work-items, where these would be few. */
static void spread_rows(const tally_problem *problem, const tally_limits *limits,
                        tally_step *step) {
    tally_fold_rows_policy *policy = &step->spec.policy.fold_rows;
    const bool shifted = tally_monoid_find(problem->function)->state == TALLY_STATE_SHIFTED;
    const uint64_t enough = (uint64_t)limits->units * TALLY_ROWS_ITEMS;
    while (!shifted && policy->pack > TALLY_ROWS_DWORD && policy->lanes_per_item > 1 &&
           step->args.head.units * tally_row_mates(&step->spec) < enough) {
        policy->pack = policy->pack / 2;
        policy->lanes_per_item = policy->lanes_per_item / 2;
    }
}

/* Blocks of short rows, as many as are left if there are to be enough groups. */
static uint16_t blocks_per_item(const tally_problem *problem, const tally_limits *limits,
                                const tally_step *step) {
    uint64_t bytes = step->args.fold.terms * tally_dtype_find(problem->input)->bytes;
    uint64_t slots = step->spec.group / tally_row_mates(&step->spec);
    uint16_t blocks = bytes <= TALLY_ROWS_BLOCKS_BYTES ? TALLY_ROWS_BLOCKS : 1;
    while (blocks > 1 && step->args.head.units < slots * blocks * limits->units * TALLY_ROWS_GROUPS)
        blocks /= 2;
    return blocks;
}

/*
 * Runs of all lanes, a power of two, that have room for a row which has no lane run: its terms are
 * then under way at once.
 */
static uint16_t stripes(uint64_t terms) {
    return terms < TALLY_LANE_RUN * TALLY_LANES
               ? (uint16_t)tally_plan_power(tally_plan_parts(terms, TALLY_LANES), TALLY_LANE_RUN)
               : 0;
}

static void plan_rows(const tally_problem *problem, const tally_limits *limits, tally_step *step) {
    tally_fold_rows_policy *policy = &step->spec.policy.fold_rows;
    step->spec.schedule = TALLY_FOLD_ROWS;
    policy->one_block = step->args.fold.terms <= TALLY_BLOCK;
    policy->stripes = stripes(step->args.fold.terms);
    policy->blocks_per_item = 1;
    plan_loads(problem, policy->one_block, &step->spec);
    if (policy->one_block)
        spread_rows(problem, limits, step);
    fit_rows(step, TALLY_WIDE_GROUP, TALLY_ROWS_LOCAL);
    policy->blocks_per_item = blocks_per_item(problem, limits, step);
    while (policy->blocks_per_item > 1 && tally_group_local_bytes(&step->spec) > TALLY_ROWS_LOCAL)
        policy->blocks_per_item = policy->blocks_per_item / 2;
}

/* A launch over elements of one swept axis that lie side by side. */
static bool reads_rows(const tally_problem *problem, const tally_limits *limits, bool first) {
    return first && tally_plan_has_wide_groups(limits) && problem->groups > 0 &&
           problem->swept[0].count == 1 && problem->swept[0].in[0] == 1;
}

uint64_t tally_plan_block(const tally_problem *problem, const tally_limits *limits, bool first,
                          uint64_t terms) {
    tally_spec spec = {
        .function = (uint8_t)problem->function, .input = (uint8_t)problem->input, .first = true};
    plan_loads(problem, false, &spec);
    return terms <= TALLY_BLOCK || !reads_rows(problem, limits, first)
               ? TALLY_BLOCK
               : TALLY_BLOCK / TALLY_LANES * spec.policy.fold_rows.lanes_per_item *
                     tally_row_mates(&spec);
}

bool tally_plan_is_whole(const tally_problem *problem, const tally_limits *limits, bool first,
                         uint64_t outputs, uint64_t terms) {
    if (limits->family == TALLY_FAMILY_CPU)
        return tally_plan_cpu_is_whole(problem, limits, first, outputs, terms);
    if (!tally_plan_has_wide_groups(limits) || limits->group_max < TALLY_WHOLE_GROUP ||
        terms <= TALLY_BLOCK || terms > (uint64_t)TALLY_WHOLE_BLOCKS * TALLY_BLOCK)
        return false;
    return !first ||
           (reads_rows(problem, limits, first) && outputs <= TALLY_WHOLE_ELEMENTS / terms);
}

static void plan_whole(const tally_problem *problem, const tally_limits *limits, tally_step *step) {
    tally_fold_rows_args *args = &step->args.fold_rows;
    uint64_t block = tally_plan_block(problem, limits, step->spec.first, args->terms);
    step->spec.schedule = TALLY_FOLD_ROWS;
    step->spec.policy.fold_rows.whole_rows = true;
    plan_loads(problem, false, &step->spec);
    args->row_blocks = tally_plan_parts(args->terms, block);
    if (!step->spec.first) /* as many as it takes to have all blocks at a time */
        step->spec.policy.fold_rows.lanes_per_item = (uint16_t)tally_plan_power(
            tally_plan_parts(args->row_blocks * TALLY_LANES, TALLY_WHOLE_GROUP), TALLY_WHOLE_LANES);
    fit_rows(step, TALLY_WHOLE_GROUP, TALLY_WHOLE_LOCAL);
}

/*
 * How many rows of length elements lie one after the other: the kept axes but the last inner ones,
 * whose elements are in such a row.
 */
static uint64_t packed_rows(const tally_step *step, uint64_t length, uint32_t inner) {
    uint64_t rows = 1;
    for (uint32_t k = step->spec.kept_rank - inner; k-- > 0; rows *= step->args.fold.kept_size[k])
        if (step->args.fold.kept_size[k] > 1 && step->args.fold.kept_in[k] != length * rows)
            break;
    return rows;
}

/* Whether those are all rows, or fill local memory several times, of so many bytes. */
static bool is_packed(const tally_problem *problem, const tally_step *step, uint64_t length,
                      uint32_t inner, uint32_t staged_bytes) {
    uint64_t columns = length / step->args.fold.terms, rows = packed_rows(step, length, inner);
    uint32_t bytes = tally_dtype_find(problem->input)->bytes;
    return rows * columns == step->args.fold.outputs ||
           rows * length * bytes >= (uint64_t)TALLY_SHORT_ROWS_PACKED * staged_bytes;
}

/*
 * Short rows of length elements. Rows of whole packs, and whole packs of columns, are folded
 * pack by pack. They lie so many packs apart that the work-items which read a pack each, strips of
 * them in one row, meet different banks of local memory.
 */
static void plan_short_rows(const tally_problem *problem, tally_step *step, uint64_t length,
                            bool whole, uint64_t strips, uint32_t staged_bytes,
                            uint32_t group_max) {
    tally_fold_short_rows_args *args = &step->args.fold_short_rows;
    tally_fold_short_rows_policy *policy = &step->spec.policy.fold_short_rows;
    uint32_t pack = pack_of(problem), packs = staged_bytes / 16;
    uint64_t stride = strips & (0 - strips), pitch = length / pack;
    pitch += stride < 8 && pitch / stride % 4 == 0 ? stride : 0;
    policy->leaf_elements = (uint16_t)(whole ? pack : 1);
    policy->terms_room = args->terms <= 16 ? 16 : args->terms <= 64 ? 64 : TALLY_LANES;
    args->pitch_packs = whole ? pitch : 0;
    args->staged_rows = whole ? packs / pitch : (packs - 1) * pack / length;
    step->spec.group = (uint16_t)group_max;
    while (step->spec.group > TALLY_SHORT_ROWS_GROUP &&
           step->spec.group > args->staged_rows * strips)
        step->spec.group = step->spec.group / 2;
    if (args->staged_rows * strips > step->spec.group && strips <= step->spec.group)
        args->staged_rows -= args->staged_rows % (step->spec.group / strips);
    uint64_t rows = args->outputs / (length / args->terms);
    args->packed_rows = packed_rows(step, length, policy->of_columns);
    args->head.units =
        rows / args->packed_rows * tally_plan_parts(args->packed_rows, args->staged_rows);
}

static void plan_short_row_groups(const tally_problem *problem, tally_step *step) {
    step->spec.schedule = TALLY_FOLD_SHORT_ROWS;
    uint64_t terms = step->args.fold.terms;
    plan_short_rows(problem, step, terms, terms % pack_of(problem) == 0, 1, TALLY_SHORT_ROWS_BYTES,
                    TALLY_WIDE_GROUP / 2);
}

static void plan_short_columns(const tally_problem *problem, tally_step *step) {
    uint64_t columns = step->args.fold.kept_size[step->spec.kept_rank - 1];
    step->spec.schedule = TALLY_FOLD_SHORT_ROWS;
    step->spec.policy.fold_short_rows.of_columns = true;
    bool whole = columns % pack_of(problem) == 0;
    plan_short_rows(problem, step, columns * step->args.fold.terms, whole,
                    whole ? columns / pack_of(problem) : columns, TALLY_SHORT_COLUMNS_BYTES,
                    TALLY_WIDE_GROUP);
}

/*
 * Columns that are taken as short rows: few, and with few terms, packed; whole packs, or so few
 * terms that a unit has many outputs.
 */
static bool has_short_columns(const tally_problem *problem, const tally_step *step) {
    const tally_fold_args *args = &step->args.fold;
    uint64_t columns = args->kept_size[step->spec.kept_rank - 1];
    uint32_t bytes = tally_dtype_find(problem->input)->bytes;
    bool shifted = tally_monoid_find(problem->function)->state == TALLY_STATE_SHIFTED;
    uint64_t most = shifted ? TALLY_SHORT_COLUMNS_SHIFTED : TALLY_SHORT_COLUMNS_ROW;
    bool whole = columns % pack_of(problem) == 0;
    bool many = args->terms * bytes * TALLY_SHORT_COLUMNS_OUTPUTS <= TALLY_SHORT_COLUMNS_BYTES &&
                args->terms >= TALLY_OUTPUTS_NARROW;
    return args->terms <= TALLY_LANES && columns * bytes <= most && (whole || many) &&
           args->swept_in[step->spec.swept_rank - 1] == columns &&
           is_packed(problem, step, columns * args->terms, 1, TALLY_SHORT_COLUMNS_BYTES) &&
           columns * args->terms * bytes <= TALLY_SHORT_COLUMNS_BYTES / 2;
}

/*
 * Lanes that a work-item takes of so many, of strips of so many bytes: fewer where those are
 * narrow, so that its neighbours are beside it. Where combining is exact it has nothing to keep for
 * each lane.
 */
static uint32_t lanes_per_item(const tally_problem *problem, const tally_step *step, uint32_t lanes,
                               uint64_t packs) {
    if (lanes <= TALLY_COLUMN_LANES_ALL)
        return lanes;
    if (packs * step->spec.policy.fold_columns.pack > TALLY_COLUMN_NARROW)
        return tally_dtype_find(problem->input)->bytes == 2 ? TALLY_COLUMN_LANES_HALF
                                                            : TALLY_COLUMN_LANES;
    uint32_t each = TALLY_COLUMN_LANES_NARROW;
    while (lanes / each * packs > step->spec.group)
        each *= 2;
    return each;
}

/*
 * Float16 is loaded 8 bytes at a time, as the states of 16 would fill the registers, and so are
 * bytes of which rows are short.
 */
static void plan_columns(const tally_problem *problem, tally_step *step) {
    tally_fold_team_args *args = &step->args.fold_team;
    tally_fold_columns_policy *policy = &step->spec.policy.fold_columns;
    uint32_t bytes = tally_dtype_find(problem->input)->bytes;
    uint64_t columns = args->kept_size[step->spec.kept_rank - 1];
    policy->pack = bytes == 2 || (bytes == 1 && columns < 16) ? 8 : 16;
    uint32_t pack = policy->pack / bytes;
    uint64_t packs = tally_plan_parts(columns, pack);
    uint32_t lanes = (uint32_t)tally_plan_power(args->terms, TALLY_LANES);
    step->spec.group = wide_group(pack * tally_spec_state_bytes(&step->spec));
    uint32_t each = lanes_per_item(problem, step, lanes, packs), slices = lanes / each;
    step->spec.schedule = TALLY_FOLD_COLUMNS;
    policy->lanes_per_item = (uint16_t)(tally_problem_is_exact(problem) ? 1 : each);
    policy->whole_block = slices == 1;
    uint64_t most = step->spec.group / slices;
    most = most < TALLY_TEAM_WIDTH_MAX ? most : TALLY_TEAM_WIDTH_MAX;
    uint64_t strips = tally_plan_parts(packs, most);
    args->slices = slices;
    args->team_width = tally_plan_parts(packs, strips);
    strips = tally_plan_parts(packs, args->team_width);
    args->head.units = args->outputs / columns * strips * args->blocks;
}

/*
 * Columns that fold_columns takes: long ones, or of so few terms that a work-item has them all. Of
 * 16 bits only the narrow and the aligned ones, and of LOG_SUM_EXP the aligned ones, those with few
 * terms of 4 bytes: the states of others would fill the registers.
 */
static bool are_columns(const tally_problem *problem, const tally_step *step) {
    const tally_fold_args *args = &step->args.fold;
    uint32_t pack = pack_of(problem), bytes = 16 / pack;
    uint64_t columns = args->kept_size[step->spec.kept_rank - 1];
    uint32_t least = bytes == 2 ? pack / 2 : pack; /* as plan_columns has it */
    bool aligned = columns % least == 0 && args->swept_in[step->spec.swept_rank - 1] % least == 0;
    bool shifted = tally_monoid_find(problem->function)->state == TALLY_STATE_SHIFTED;
    const bool whole = args->terms <= TALLY_COLUMN_LANES_ALL;
    if (aligned && (bytes == 1 || (shifted && bytes == 4 && whole)))
        return true;
    if (args->terms >= TALLY_COLUMN_LONG)
        return aligned || (!shifted && (bytes >= 4 || columns * bytes < TALLY_OUTPUTS_CACHE_LINE));
    return args->terms <= TALLY_COLUMN_FEW && bytes >= 4 && !tally_problem_is_exact(problem) &&
           columns * bytes > TALLY_COLUMN_NARROW;
}

/* Plan columns; whether their strips are enough groups to keep the device busy. */
static bool fills_device(const tally_limits *limits, const tally_problem *problem,
                         tally_step *step) {
    tally_step columns = *step;
    plan_columns(problem, &columns);
    if (columns.args.head.units < limits->units * tally_group_slots(&columns))
        return false;
    *step = columns;
    return true;
}

/*
 * Whether outputs had better be written in an order that is not that of their columns, which hide
 * LOG_SUM_EXP's arithmetic better.
 */
static bool is_crossed(const tally_problem *problem, const tally_limits *limits,
                       const tally_step *step) {
    tally_step crossed = *step;
    bool shifted = tally_monoid_find(problem->function)->state == TALLY_STATE_SHIFTED;
    return !shifted && tally_plan_crossed(problem, limits, &crossed);
}

void tally_plan_fold_schedule(const tally_problem *problem, const tally_limits *limits,
                              tally_step *step) {
    const tally_fold_args *args = &step->args.fold;
    if (tally_plan_is_map(problem, limits)) {
        tally_plan_map_cpu(problem, limits, step);
        return;
    }
    if (limits->family == TALLY_FAMILY_CPU && tally_plan_fold_cpu(problem, limits, step))
        return;
    if (args->parts > 1) { /* what this step had when its blocks were whole */
        tally_plan_outputs(problem, limits, step);
        return;
    }
    bool simple = is_simple(problem, limits, step);
    bool contiguous = simple && problem->swept[0].in[0] == 1;
    bool beside = simple && tally_plan_is_side_by_side(step);
    bool crossed = (contiguous || beside) && is_crossed(problem, limits, step);
    bool columns = beside && !crossed;
    if (args->blocks == 1 &&
        tally_plan_is_whole(problem, limits, step->spec.first, args->outputs, args->terms)) {
        plan_whole(problem, limits, step);
    } else if (contiguous && !crossed && args->terms <= TALLY_LANES &&
               is_packed(problem, step, args->terms, 0, TALLY_SHORT_ROWS_BYTES)) {
        plan_short_row_groups(problem, step);
    } else if (contiguous && args->terms >= TALLY_LANES) {
        plan_rows(problem, limits, step);
    } else if (columns && has_short_columns(problem, step)) {
        plan_short_columns(problem, step);
    } else if (columns && (tally_plan_sets(problem, limits, step) ||
                           (are_columns(problem, step) && fills_device(limits, problem, step)))) {
        return;
    } else if (crossed || tally_plan_has_outputs(problem, limits, step)) {
        tally_plan_outputs(problem, limits, step);
    } else {
        tally_plan_any(problem, limits, step);
    }
}
