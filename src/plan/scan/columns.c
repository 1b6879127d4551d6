/*
 * The planner of scans down columns on GPUs: rows that are neighbours lie side by side in memory.
 * What it chooses is how wide a strip of columns is, and whether a work-item goes down its columns
 * alone or shares each span of them; or that pieces of few long columns are spread over groups,
 * which columns_pieces.c plans.
 */
#include "cl/core/order.h"
#include "model/dtype.h"
#include "plan/group.h"
#include "plan/scan/columns.h"
#include "plan/scan/tuning.h"

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

/* Narrow elements whose rows begin anywhere are moved one by one. */
static bool move_one_by_one(const tally_step *step, const tally_dtype_row *type) {
    return type->bytes < 4 && tally_columns_aligned(step, type) < 4;
}

/*
 * Alone where there is but a run, or where columns fill the device several times; of two runs of
 * elements that are moved one by one they need not fill all of it.
 */
static bool has_whole_spans(const tally_limits *limits, const tally_step *step,
                            const tally_dtype_row *type, uint64_t packs) {
    uint64_t terms = step->args.scan_columns.terms;
    bool slow = terms <= 2 * TALLY_RUN && move_one_by_one(step, type);
    uint64_t enough = slow ? TALLY_SCAN_WHOLE_SLOW : TALLY_SCAN_WHOLE_ITEMS;
    return terms <= TALLY_RUN || packs / enough >= limits->units;
}

uint8_t tally_columns_least_pack(const tally_dtype_row *type) {
    return (uint8_t)(type->bytes > TALLY_SCAN_PACK_MIN ? type->bytes : TALLY_SCAN_PACK_MIN);
}

uint64_t tally_columns_aligned(const tally_step *step, const tally_dtype_row *type) {
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
 * elements one by one are faster with many of them, if there are many work-items.
 */
static uint8_t widest_pack(const tally_step *step, const tally_dtype_row *type) {
    uint8_t most = type->bytes < 4 ? 8 : 16;
    uint64_t aligned = tally_columns_aligned(step, type);
    if (step->spec.policy.scan_columns.results != TALLY_SIDE_BY_SIDE || aligned >= most)
        return most;
    return type->bytes < 4 || (type->bytes == 4 && aligned == 8) ? most / 2 : most;
}

void tally_columns_stage(const tally_limits *limits, tally_step *step,
                         const tally_dtype_row *type) {
    const tally_scan_columns_policy *policy = &step->spec.policy.scan_columns;
    const tally_scan_columns_args *args = &step->args.scan_columns;
    bool along = args->axis_out == 1 || args->axis_out == UINT64_MAX;
    if (policy->results == TALLY_SIDE_BY_SIDE || !along || args->terms <= TALLY_SPAN - TALLY_RUN)
        return;
    tally_spec staged = step->spec;
    staged.policy.scan_columns.results = TALLY_RESULTS_STAGED;
    staged.policy.scan_columns.pack = tally_columns_least_pack(type);
    for (uint64_t line = TALLY_SCAN_CACHE_LINE; line >= TALLY_SECTOR; line /= 2) {
        staged.group = (uint16_t)(line / tally_columns_least_pack(type) * TALLY_RUN);
        if (staged.group > limits->group_max ||
            tally_group_local_bytes(&staged) > limits->local_bytes)
            continue;
        step->spec = staged;
        return;
    }
}

/* Spans that a group of at most so many work-items has room for, so many side by side. */
static uint64_t spans_at_once(uint64_t runs, uint64_t team_width, uint64_t group) {
    uint64_t spans = 1;
    while (spans < TALLY_RUN && spans * TALLY_RUN < runs &&
           2 * spans * TALLY_RUN * team_width <= group)
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
    uint8_t pack = tally_columns_least_pack(type);
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
    tally_columns_set_width(step, packs, most, sector);
    args->slices = tally_plan_parts(runs, TALLY_RUN) * TALLY_RUN;
    args->slices = args->slices < spans * TALLY_RUN ? args->slices : spans * TALLY_RUN;
    step->spec.group = (uint16_t)(args->team_width * args->slices);
    return true;
}

uint64_t tally_columns_items(const tally_step *step, const tally_dtype_row *type) {
    const tally_scan_columns_args *args = &step->args.scan_columns;
    uint64_t runs = tally_plan_parts(args->terms, TALLY_RUN);
    uint64_t packs =
        tally_plan_parts(args->columns, step->spec.policy.scan_columns.pack / type->bytes);
    return args->rows / args->columns * packs * (runs < TALLY_RUN ? runs : TALLY_RUN);
}

/*
 * Choose the pack, and whether a work-item is alone with it: then it may have a single narrow
 * element, as strips are wide all the same.
 */
static void set_pack(const tally_limits *limits, tally_step *step, const tally_dtype_row *type) {
    tally_scan_columns_policy *policy = &step->spec.policy.scan_columns;
    const tally_scan_columns_args *args = &step->args.scan_columns;
    uint64_t aligned = tally_columns_aligned(step, type);
    tally_columns_narrow_packs(limits, step, type);
    uint64_t packs = tally_plan_parts(args->columns, policy->pack / type->bytes);
    policy->whole_spans = policy->results != TALLY_RESULTS_STAGED &&
                          has_whole_spans(limits, step, type, args->rows / args->columns * packs);
    /* Of few terms a single element would leave too few loads under way. */
    if (policy->whole_spans && policy->results == TALLY_SIDE_BY_SIDE && type->bytes < 4 &&
        args->terms > TALLY_SCAN_STAGED_LITTLE && aligned < policy->pack)
        policy->pack = (uint16_t)aligned;
}

/*
 * Whether groups are so few that they should have half as many strips at a time: so few that
 * compute units have none, or, as registers have room for more work-items of small groups, a few
 * only.
 */
static bool has_few_groups(const tally_limits *limits, const tally_step *step) {
    const tally_scan_columns_args *args = &step->args.scan_columns;
    uint64_t strips = step->spec.group / (args->team_width * args->slices);
    uint64_t groups = tally_plan_parts(args->head.units, strips);
    return (step->spec.group > TALLY_SCAN_GROUP_MIN && groups < limits->units) ||
           (step->spec.group > TALLY_SCAN_WHOLE_GROUP &&
            groups < (uint64_t)limits->units * TALLY_SCAN_COLUMNS_GROUPS);
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
    args->slices = policy->whole_spans ? 1 : runs < TALLY_RUN ? runs : TALLY_RUN;
    uint64_t most = TALLY_SCAN_STRIP_BYTES / policy->pack;
    while (most * args->slices > step->spec.group)
        most /= 2;
    while (most > sector && outer * tally_plan_parts(packs, most) < limits->units / 2)
        most /= 2; /* enough of them to keep the device busy: wide ones pay for some that idle */
    tally_columns_set_width(step, packs, most, sector);
    while (step->spec.group / 2 >= args->team_width * args->slices && has_few_groups(limits, step))
        step->spec.group /= 2;
    if (!policy->whole_spans && !staged)
        tally_columns_fit_groups(limits, step, type, packs, most);
}

/*
 * Whether columns are so long that their tiles, or parts of these, may be spread over groups:
 * groups that go down strips, or box by box, would have several steps to go, one after the other.
 */
static bool is_long(const tally_problem *problem, const tally_limits *limits,
                    const tally_step *step, const tally_dtype_row *type) {
    const tally_scan_columns_args *args = &step->args.scan_columns;
    bool whole_spans = step->spec.policy.scan_columns.whole_spans != 0;
    uint64_t steps = whole_spans ? 1 : tally_plan_parts(args->terms, args->slices * TALLY_RUN);
    bool slow = move_one_by_one(step, type); /* a step takes long */
    return args->terms > TALLY_TILE || steps >= TALLY_SCAN_STRIPS_STEPS ||
           ((slow || !tally_plan_scan_is_direct(problem, limits)) &&
            tally_plan_parts(args->terms, TALLY_SPAN) >= TALLY_SCAN_STRIPS_SPANS);
}

/* And so few that groups that go down strips would leave the device idle. */
static bool are_few(const tally_limits *limits, const tally_step *step, uint32_t bytes) {
    return step->args.scan_columns.rows * bytes / TALLY_SCAN_STRIPS_ROW < limits->units;
}

/* The same of large groups that go down strips, of which the last ones are alone. */
static bool are_uneven(const tally_limits *limits, const tally_step *step) {
    uint64_t groups = step->args.head.units;
    uint64_t rounds = tally_plan_parts(groups, limits->units);
    return step->spec.policy.scan_columns.spans_at_once > 1 &&
           step->spec.group > TALLY_SCAN_COLUMNS_GROUP &&
           groups * TALLY_SCAN_STRIPS_UNEVEN < rounds * limits->units * 8;
}

bool tally_plan_scan_columns(const tally_problem *problem, const tally_limits *limits,
                             tally_plan *plan) {
    tally_step *step = &plan->step[0];
    tally_scan_columns_policy *policy = &step->spec.policy.scan_columns;
    tally_scan_columns_args *args = &step->args.scan_columns;
    const tally_dtype_row *type = tally_dtype_find(problem->input);
    uint32_t bytes = type->bytes;
    uint32_t axis = find_columns(&problem->kept);
    const bool carried = problem->partial.has_carry; /* of rows in their order */
    if (!tally_plan_has_wide_groups(limits) || axis == problem->kept.count ||
        (carried && axis + 1 < problem->kept.count) ||
        problem->kept.size[axis] * bytes < TALLY_SECTOR)
        return false;
    tally_dims kept = move_inward(&problem->kept, axis);
    step->spec.schedule = TALLY_SCAN_COLUMNS;
    policy->carry = TALLY_CARRY_WALK;
    step->spec.kept_rank = tally_plan_rank(kept.count);
    step->spec.levels = tally_plan_combined_levels(problem);
    tally_plan_axes(&kept, step->spec.kept_rank, args->kept_size, args->kept_in, args->kept_out);
    args->columns = kept.size[kept.count - 1];
    policy->results = kept.out[kept.count - 1] == 1 ? TALLY_SIDE_BY_SIDE : TALLY_RESULTS_STRIDED;
    policy->pack = widest_pack(step, type);
    tally_step whole = *step;
    tally_columns_stage(limits, &whole, type);
    if (!plan_spans(limits, &whole, type))
        plan_strips(limits, &whole, type);
    bool wanted = !carried && is_long(problem, limits, &whole, type) &&
                  (are_few(limits, step, bytes) || are_uneven(limits, &whole));
    if (wanted)
        tally_columns_spread(problem, limits, plan);
    /* One tile is worth two launches by parts alone. */
    if (!wanted || (args->tiles_per_row == 1 && policy->tile_parts == 0)) {
        plan->count = 1;
        plan->scratch = 0;
        *step = whole;
    }
    return true;
}
