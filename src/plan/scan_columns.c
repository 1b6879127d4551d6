/*
 * The planner of scans down columns on GPUs: rows that are neighbours lie side by side in memory.
 * What it chooses is how wide a strip of columns is, and whether a work-item goes down its columns
 * alone or shares each span of them; or whether few long columns are spread over groups.
 */
#include "cl/order.h"
#include "model/dtype.h"
#include "plan/plan.h"
#include "plan/group.h"
#include "plan/tuning.h"

/*
 * The kept axis whose coordinates lie side by side in the input, and best in the output as well;
 * their number if there is none.
 */
static uint32_t find_columns(const tally_dims *kept) {
    uint32_t found = kept->count;
    for (uint32_t k = 0; k < kept->count; k++)
        if (kept->in[k] == 1 && (found == kept->count || kept->out[k] == 1))
            found = k;
    return found;
}

/* The same axes, that one innermost. */
static tally_dims move_inward(const tally_dims *kept, uint32_t axis) {
    tally_dims moved = {0};
    for (uint32_t k = 0; k < kept->count; k++)
        if (k != axis)
            tally_dims_append(&moved, kept->size[k], kept->in[k], kept->out[k]);
    tally_dims_append(&moved, kept->size[axis], kept->in[axis], kept->out[axis]);
    tally_dims_merge(&moved);
    return moved;
}

/* Alone where there is but a run, or where columns fill the device. */
static bool goes_alone(const tally_limits *limits, uint64_t terms, uint64_t packs) {
    return terms <= TALLY_RUN || packs / TALLY_SCAN_WHOLE_ITEMS >= limits->units;
}

/*
 * Packs of a strip of so many side by side, at most so many: strips of one size, as far as whole
 * sectors of memory allow.
 */
static uint64_t plan_across(uint64_t packs, uint64_t most, uint64_t sector) {
    uint64_t across = tally_plan_parts(packs, tally_plan_parts(packs, most));
    uint64_t whole = tally_plan_parts(across, sector) * sector;
    return whole <= most ? whole : across;
}

/* The least pack of a work-item. */
static uint8_t least_pack(const tally_dtype_row *type) {
    return (uint8_t)(type->bytes > TALLY_SCAN_PACK_MIN ? type->bytes : TALLY_SCAN_PACK_MIN);
}

/* Bytes, 16 at most, that rows of columns are multiples of, in both memories. */
static uint64_t aligned_bytes(const tally_step *step, const tally_dtype_row *type) {
    const tally_scan_columns_args *args = &step->args.scan_columns;
    uint64_t strides = args->axis_in | args->axis_out | 16;
    for (uint32_t k = 0; k + 1u < step->spec.kept_rank; k++)
        if (args->kept_size[k] > 1)
            strides |= args->kept_in[k] | args->kept_out[k];
    return (strides & (0 - strides)) * type->bytes;
}

/*
 * The widest pack of a work-item: half of the usual one where rows begin at halves only, as those
 * are moved whole, or where narrow elements would be moved one by one. Work-items that move wider
 * elements one by one are faster with many of them.
 */
static uint8_t widest_pack(const tally_step *step, const tally_dtype_row *type) {
    uint8_t most = type->bytes < 4 ? 8 : 16;
    uint64_t aligned = aligned_bytes(step, type);
    if (step->spec.policy.scan_columns.results != TALLY_SIDE_BY_SIDE || aligned >= most)
        return most;
    return type->bytes < 4 || (type->bytes == 4 && aligned == 8) ? most / 2 : most;
}

/*
 * Have results that lie one after the other along the axis go through local memory, if they fit:
 * of strips of a line of memory, or half of one, of which each work-item has a word, or an element.
 */
static void plan_stage(const tally_limits *limits, tally_step *step, const tally_dtype_row *type) {
    const tally_scan_columns_policy *policy = &step->spec.policy.scan_columns;
    const tally_scan_columns_args *args = &step->args.scan_columns;
    bool along = args->axis_out == 1 || args->axis_out == UINT64_MAX;
    if (policy->results == TALLY_SIDE_BY_SIDE || !along || args->terms <= TALLY_SPAN - TALLY_RUN)
        return;
    tally_spec staged = step->spec;
    staged.policy.scan_columns.results = TALLY_RESULTS_STAGED;
    staged.policy.scan_columns.pack = least_pack(type);
    for (uint64_t line = TALLY_SCAN_LINE; line >= TALLY_SECTOR; line /= 2) {
        staged.group = (uint16_t)(line / least_pack(type) * TALLY_RUN);
        if (staged.group > limits->group_max ||
            tally_group_local_bytes(&staged) > limits->local_bytes)
            continue;
        step->spec = staged;
        return;
    }
}

/* Spans that a group of at most so many work-items has room for, so many side by side. */
static uint64_t spans_at_once(uint64_t runs, uint64_t across, uint64_t group) {
    uint64_t spans = 1;
    while (spans < TALLY_RUN && spans * TALLY_RUN < runs && 2 * spans * TALLY_RUN * across <= group)
        spans *= 2;
    return spans;
}

/*
 * Columns so few that a span of all of them leaves the device idle: groups have several spans at a
 * time, of strips as wide as leaves every compute unit enough to have under way.
 */
static bool plan_spans(const tally_limits *limits, tally_step *step, const tally_dtype_row *type) {
    tally_scan_columns_policy *policy = &step->spec.policy.scan_columns;
    tally_scan_columns_args *args = &step->args.scan_columns;
    uint64_t outer = args->rows / args->columns, runs = tally_plan_parts(args->terms, TALLY_RUN);
    uint64_t enough = limits->units * TALLY_SCAN_SPANS_BYTES;
    uint64_t span = (uint64_t)type->bytes * TALLY_SPAN;
    if (policy->results != TALLY_SIDE_BY_SIDE || runs <= TALLY_RUN || args->rows * span >= enough)
        return false;
    uint8_t pack = least_pack(type);
    uint64_t packs = tally_plan_parts(args->columns, pack / type->bytes);
    uint64_t sector = TALLY_SECTOR / pack, most = TALLY_SCAN_STRIP_BYTES / pack;
    uint64_t group = TALLY_SCAN_SPANS_TOTALS / (pack / type->bytes * type->compute_bytes);
    group = group < limits->group_max ? group : limits->group_max;
    while (most > sector &&
           (most * TALLY_RUN > group || outer * tally_plan_parts(packs, most) * most * pack *
                                                spans_at_once(runs, most, group) * TALLY_SPAN <
                                            enough))
        most /= 2;
    uint64_t spans = spans_at_once(runs, most, group);
    if (spans == 1)
        return false;
    policy->pack = pack;
    policy->spans_at_once = (uint16_t)spans;
    args->across = plan_across(packs, most, sector);
    args->down = tally_plan_parts(runs, TALLY_RUN) * TALLY_RUN;
    args->down = args->down < spans * TALLY_RUN ? args->down : spans * TALLY_RUN;
    args->head.units = outer * tally_plan_parts(packs, args->across);
    step->spec.group = (uint16_t)(args->across * args->down);
    return true;
}

/* Work-items that have runs of a span of all columns, a pack each. */
static uint64_t items_of(const tally_step *step, const tally_dtype_row *type) {
    const tally_scan_columns_args *args = &step->args.scan_columns;
    uint64_t runs = tally_plan_parts(args->terms, TALLY_RUN);
    uint64_t packs =
        tally_plan_parts(args->columns, step->spec.policy.scan_columns.pack / type->bytes);
    return args->rows / args->columns * packs * (runs < TALLY_RUN ? runs : TALLY_RUN);
}

/* Have more work-items of less each, where they are few. */
static void narrow_packs(const tally_limits *limits, tally_step *step,
                         const tally_dtype_row *type) {
    tally_scan_columns_policy *policy = &step->spec.policy.scan_columns;
    uint64_t each = type->bytes < 4 ? TALLY_SCAN_NARROW_ITEMS : TALLY_SCAN_COLUMNS_ITEMS;
    while (policy->results == TALLY_SIDE_BY_SIDE && policy->pack > least_pack(type) &&
           items_of(step, type) < limits->units * each)
        policy->pack /= 2;
}

/*
 * Choose the pack, and whether a work-item is alone with it: then it may have a single narrow
 * element, as strips are wide all the same.
 */
static void set_pack(const tally_limits *limits, tally_step *step, const tally_dtype_row *type) {
    tally_scan_columns_policy *policy = &step->spec.policy.scan_columns;
    const tally_scan_columns_args *args = &step->args.scan_columns;
    uint64_t aligned = aligned_bytes(step, type);
    narrow_packs(limits, step, type);
    uint64_t packs = tally_plan_parts(args->columns, policy->pack / type->bytes);
    policy->whole_spans = policy->results != TALLY_RESULTS_STAGED &&
                          goes_alone(limits, args->terms, args->rows / args->columns * packs);
    /* Of few terms a single element would leave too few loads under way. */
    if (policy->whole_spans && policy->results == TALLY_SIDE_BY_SIDE && type->bytes < 4 &&
        args->terms > TALLY_SCAN_STAGED_LITTLE && aligned < policy->pack)
        policy->pack = (uint16_t)aligned;
}

static void plan_strips(const tally_limits *limits, tally_step *step, const tally_dtype_row *type) {
    const tally_scan_columns_policy *policy = &step->spec.policy.scan_columns;
    tally_scan_columns_args *args = &step->args.scan_columns;
    const bool staged = policy->results == TALLY_RESULTS_STAGED;
    set_pack(limits, step, type);
    uint32_t pack = policy->pack / type->bytes, compute = type->compute_bytes;
    uint64_t packs = tally_plan_parts(args->columns, pack), outer = args->rows / args->columns;
    uint64_t runs = tally_plan_parts(args->terms, TALLY_RUN);
    uint64_t sector = TALLY_SECTOR / policy->pack;
    if (!staged)
        step->spec.group = policy->whole_spans ? TALLY_SCAN_WHOLE_GROUP : TALLY_SCAN_COLUMNS_GROUP;
    while (step->spec.group > limits->group_max ||
           (!staged && step->spec.group * pack * compute > TALLY_SCAN_TOTALS))
        step->spec.group /= 2;
    args->down = policy->whole_spans ? 1 : runs < TALLY_RUN ? runs : TALLY_RUN;
    uint64_t most = TALLY_SCAN_STRIP_BYTES / policy->pack;
    while (most * args->down > step->spec.group)
        most /= 2;
    while (most > sector && outer * tally_plan_parts(packs, most) < limits->units / 2)
        most /= 2; /* enough of them to keep the device busy: wide ones pay for some that idle */
    args->across = plan_across(packs, most, sector);
    args->head.units = outer * tally_plan_parts(packs, args->across);
    while (step->spec.group > TALLY_SCAN_GROUP_MIN &&
           step->spec.group / 2 >= args->across * args->down &&
           args->head.units <
               (uint64_t)limits->units * step->spec.group / (args->across * args->down))
        step->spec.group /= 2;
}

/*
 * Whether columns are so long that their tiles, or parts of these, may be spread over groups:
 * groups that go down strips, or box by box, would have several steps to go, one after the other.
 */
static bool is_long(const tally_problem *problem, const tally_step *step) {
    const tally_scan_columns_args *args = &step->args.scan_columns;
    bool alone = step->spec.policy.scan_columns.whole_spans != 0;
    uint64_t steps = alone ? 1 : tally_plan_parts(args->terms, args->down * TALLY_RUN);
    return args->terms > TALLY_TILE || steps >= TALLY_SCAN_STRIPS_STEPS ||
           (!tally_plan_scan_is_direct(problem) &&
            tally_plan_parts(args->terms, TALLY_SPAN) >= TALLY_SCAN_STRIPS_SPANS);
}

/* And so few that groups that go down strips would leave the device idle. */
static bool are_few(const tally_limits *limits, const tally_step *step, uint32_t bytes) {
    return step->args.scan_columns.rows * bytes / TALLY_SCAN_STRIPS_ROW < limits->units;
}

/* The same of large groups that go down strips, of which the last ones are alone. */
static bool are_uneven(const tally_limits *limits, const tally_step *step) {
    uint64_t groups = step->args.head.units;
    uint64_t turns = tally_plan_parts(groups, limits->units);
    return step->spec.policy.scan_columns.spans_at_once > 1 &&
           step->spec.group > TALLY_SCAN_COLUMNS_GROUP &&
           groups * TALLY_SCAN_STRIPS_UNEVEN < turns * limits->units * 8;
}

/*
 * The pack of pieces. Where joins round each column takes registers for its levels, so it is the
 * least, and where work-items would be few as well; of narrow elements whose rows begin anywhere a
 * single one, as they are moved one by one, if strips are no narrower for that.
 */
static void set_piece_pack(const tally_problem *problem, const tally_limits *limits,
                           tally_step *step, const tally_dtype_row *type) {
    tally_scan_columns_policy *policy = &step->spec.policy.scan_columns;
    const tally_scan_columns_args *args = &step->args.scan_columns;
    uint64_t tiles = tally_plan_parts(args->terms, TALLY_TILE), aligned = aligned_bytes(step, type);
    uint64_t enough = (uint64_t)limits->units * TALLY_SCAN_STRIPS_FEW;
    if (!tally_plan_is_exact(problem) || items_of(step, type) * tiles < enough)
        policy->pack = least_pack(type);
    bool narrow = args->columns * TALLY_RUN <= TALLY_SCAN_STRIPS_GROUP ||
                  items_of(step, type) * tiles < enough;
    if (policy->results == TALLY_SIDE_BY_SIDE && type->bytes < 4 && aligned < policy->pack &&
        narrow)
        policy->pack = (uint16_t)aligned;
}

/* Work-items that have a run of each column of a strip. */
static uint64_t strip_items(const tally_step *step) {
    return step->args.scan_columns.across * TALLY_RUN;
}

/* Whether what all tiles of a strip came to has room in a group's local memory. */
static bool is_followed(const tally_limits *limits, const tally_step *step,
                        const tally_dtype_row *type) {
    const tally_scan_columns_args *args = &step->args.scan_columns;
    uint64_t width = args->across * (step->spec.policy.scan_columns.pack / type->bytes);
    tally_spec spec = step->spec;
    spec.policy.scan_columns.spans_at_once = 0;
    spec.group = (uint16_t)strip_items(step);
    spec.phase = TALLY_FOLLOW;
    return (args->tiles_each + TALLY_RUN) * width * type->compute_bytes <= TALLY_FOLLOWED_BYTES &&
           tally_group_local_bytes(&spec) <= limits->local_bytes;
}

/* Whether a group may have twice as many spans at a time. */
static bool has_room(const tally_limits *limits, const tally_step *step, uint64_t spans,
                     const tally_dtype_row *type) {
    uint64_t group = 2 * spans * strip_items(step);
    uint64_t pack = step->spec.policy.scan_columns.pack / type->bytes * type->compute_bytes;
    return step->spec.policy.scan_columns.results != TALLY_RESULTS_STAGED && spans < TALLY_RUN &&
           group <= limits->group_max && group <= TALLY_SCAN_STRIPS_GROUP &&
           group * pack <= TALLY_SCAN_SPANS_TOTALS;
}

/*
 * Choose what a unit is, and the spans that a group has at a time: a tile, or a part of one where
 * work-items would be few, or each had a span at a time only.
 */
static bool set_pieces(const tally_limits *limits, tally_step *step, const tally_dtype_row *type) {
    tally_scan_columns_policy *policy = &step->spec.policy.scan_columns;
    tally_scan_columns_args *args = &step->args.scan_columns;
    uint64_t width = args->across * (policy->pack / type->bytes), spans = 1;
    uint64_t lines = args->rows / args->columns * tally_plan_parts(args->columns, width);
    uint64_t items = lines * args->tiles_each * strip_items(step);
    bool staged = policy->results == TALLY_RESULTS_STAGED;
    bool follows = is_followed(limits, step, type);
    policy->tile_parts =
        follows && (staged || items < (uint64_t)limits->units * TALLY_SCAN_STRIPS_PARTS);
    while (!policy->tile_parts && has_room(limits, step, spans, type) &&
           items * 2 * spans <= (uint64_t)limits->units * TALLY_SCAN_STRIPS_ITEMS)
        spans *= 2;
    policy->spans_at_once = (uint16_t)(spans > 1 ? spans : 0);
    args->down = spans * TALLY_RUN;
    step->spec.group = (uint16_t)(args->across * args->down);
    uint64_t piece = policy->tile_parts ? spans * TALLY_SPAN : TALLY_TILE;
    args->head.units = lines * tally_plan_parts(args->terms, piece);
    return follows;
}

/* Packs of a strip, at most. */
static uint64_t widest_strip(const tally_limits *limits, const tally_step *step,
                             const tally_dtype_row *type) {
    const tally_scan_columns_policy *policy = &step->spec.policy.scan_columns;
    uint64_t most = TALLY_SCAN_STRIP_BYTES / policy->pack;
    if (policy->results == TALLY_RESULTS_STAGED)
        return step->spec.group / TALLY_RUN;
    while (most * TALLY_RUN > limits->group_max || most * TALLY_RUN > TALLY_SCAN_STRIPS_GROUP ||
           most * TALLY_RUN * (policy->pack / type->bytes) * type->compute_bytes >
               TALLY_SCAN_TOTALS)
        most /= 2;
    return most;
}

/* Whether a step has less work-items than it should have, or larger groups. */
static bool wants_narrower(const tally_limits *limits, const tally_step *step) {
    const tally_scan_columns_policy *policy = &step->spec.policy.scan_columns;
    if (policy->results == TALLY_RESULTS_STAGED)
        return false;
    return policy->tile_parts ? step->spec.group > TALLY_SCAN_STRIPS_PART_GROUP
                              : step->args.head.units * step->spec.group <
                                    (uint64_t)limits->units * TALLY_SCAN_STRIPS_FEW;
}

/*
 * Choose the strips: as wide as leaves work-items enough, unless narrower ones would leave some of
 * them without columns. One that has all columns is exactly as wide.
 */
static bool set_strips(const tally_limits *limits, tally_step *step, const tally_dtype_row *type) {
    const tally_scan_columns_policy *policy = &step->spec.policy.scan_columns;
    tally_scan_columns_args *args = &step->args.scan_columns;
    uint64_t packs = tally_plan_parts(args->columns, policy->pack / type->bytes);
    uint64_t most = widest_strip(limits, step, type), sector = TALLY_SECTOR / policy->pack;
    args->tiles_each = tally_plan_parts(args->terms, TALLY_TILE);
    args->stretches_each = tally_plan_parts(args->terms, TALLY_STRETCH);
    args->across = packs <= most ? packs : plan_across(packs, most, sector);
    bool follows = set_pieces(limits, step, type);
    while (most / 2 >= sector && wants_narrower(limits, step)) {
        most /= 2;
        uint64_t across = packs <= most ? packs : plan_across(packs, most, sector);
        if (across * tally_plan_parts(packs, across) * 4 > packs * 5)
            break;
        args->across = across;
        follows = set_pieces(limits, step, type);
    }
    return follows;
}

/* Turn the plan's one step into launches over pieces of columns. */
static void plan_long(const tally_problem *problem, const tally_limits *limits, tally_plan *plan) {
    tally_step base = plan->step[0];
    tally_scan_columns_policy *policy = &base.spec.policy.scan_columns;
    tally_scan_columns_args *args = &base.args.scan_columns;
    const tally_dtype_row *type = tally_dtype_find(problem->input);
    policy->carry = TALLY_CARRY_TWO_PASSES;
    base.spec.word = (uint8_t)type->compute_bytes;
    plan_stage(limits, &base, type);
    set_piece_pack(problem, limits, &base, type);
    bool follows = set_strips(limits, &base, type);
    uint64_t width = args->across * (policy->pack / type->bytes);
    uint64_t outer = args->rows / args->columns;
    uint64_t columns = tally_plan_parts(args->columns, width) * width;
    args->stretches = base.args.head.units / (columns / width) * columns *
                      (policy->tile_parts ? args->down / TALLY_RUN : 1);
    uint64_t words = args->stretches + (follows ? 0 : outer * args->stretches_each * columns);
    plan->scratch = tally_plan_scratch(words * base.spec.word);
    uint64_t units[TALLY_PHASES] = {0};
    units[TALLY_TOTALS] = units[TALLY_APPLY] = units[TALLY_FOLLOW] = base.args.head.units;
    units[TALLY_SPINE] = outer * tally_plan_parts(columns, TALLY_SPINE_COLUMNS);
    tally_plan_launches(base,
                        follows ? 1u << TALLY_TOTALS | 1u << TALLY_FOLLOW
                                : tally_carry_phases(TALLY_CARRY_TWO_PASSES),
                        units, plan);
}

bool tally_plan_scan_columns(const tally_problem *problem, const tally_limits *limits,
                             tally_plan *plan) {
    tally_step *step = &plan->step[0];
    tally_scan_columns_policy *policy = &step->spec.policy.scan_columns;
    tally_scan_columns_args *args = &step->args.scan_columns;
    const tally_dtype_row *type = tally_dtype_find(problem->input);
    uint32_t bytes = type->bytes;
    uint32_t axis = find_columns(&problem->kept);
    if (!tally_plan_has_wide_groups(limits) || axis == problem->kept.count ||
        problem->kept.size[axis] * bytes < TALLY_SECTOR)
        return false;
    tally_dims kept = move_inward(&problem->kept, axis);
    step->spec.schedule = TALLY_SCAN_COLUMNS;
    policy->carry = TALLY_CARRY_WALK;
    step->spec.kept_rank = tally_plan_rank(kept.count);
    step->spec.levels = tally_plan_joined_levels(problem);
    tally_plan_axes(&kept, step->spec.kept_rank, args->kept_size, args->kept_in, args->kept_out);
    args->columns = kept.size[kept.count - 1];
    policy->results = kept.out[kept.count - 1] == 1 ? TALLY_SIDE_BY_SIDE : TALLY_RESULTS_APART;
    policy->pack = widest_pack(step, type);
    tally_step whole = *step;
    plan_stage(limits, &whole, type);
    if (!plan_spans(limits, &whole, type))
        plan_strips(limits, &whole, type);
    bool wanted =
        is_long(problem, &whole) && (are_few(limits, step, bytes) || are_uneven(limits, &whole));
    if (wanted)
        plan_long(problem, limits, plan);
    /* One tile in two launches pays by parts alone. */
    if (!wanted || (args->tiles_each == 1 && policy->tile_parts == 0)) {
        plan->count = 1;
        plan->scratch = 0;
        *step = whole;
    }
    return true;
}

bool tally_plan_scan_pieces(const tally_problem *problem, const tally_limits *limits,
                            tally_plan *plan) {
    tally_plan before = *plan;
    if (tally_plan_scan_has_columns(problem) && tally_plan_scan_columns(problem, limits, plan) &&
        tally_spec_carry(&plan->step[0].spec) == TALLY_CARRY_TWO_PASSES)
        return true;
    *plan = before;
    return false;
}
