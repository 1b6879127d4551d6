/*
 * The planner of scans by boxes in local memory, for layouts that no other schedule of GPUs serves
 * well: narrow, odd or padded columns, results in another order than the terms, steps.
 */
#include "cl/core/order.h"
#include "model/dtype.h"
#include "plan/group.h"
#include "plan/scan/chain.h"
#include "plan/scan/rows.h"
#include "plan/scan/staged.h"
#include "plan/scan/tuning.h"

/* Name the box's axes: after the terms those that it cuts, by their distance in the output. */
static void name_axes(tally_staged *it) {
    uint32_t order[TALLY_BOX_DIMS];
    tally_box_order(&it->wish, true, order);
    it->rank = 1;
    it->axis[0] = 0;
    for (uint32_t k = 0; k < it->wish.axes; k++)
        if (order[k] != 0 && it->size[order[k]] > 1)
            it->axis[it->rank++] = order[k];
}

/* The box's axes as they lie in one memory, two bits each. */
static uint8_t order_of(const tally_staged *it, bool output) {
    uint32_t order[TALLY_BOX_DIMS], code = 0, at = 0;
    tally_box_order(&it->wish, output, order);
    for (uint32_t k = 0; k < it->wish.axes; k++)
        for (uint32_t b = 0; b < it->rank; b++)
            if (it->axis[b] == order[k])
                code |= b << 2 * at++;
    return (uint8_t)code;
}

/* The kept axes with those of the box innermost, counted and stepped by boxes. */
static tally_dims dims_of(const tally_staged *it) {
    tally_dims dims = {0};
    uint32_t order[TALLY_BOX_DIMS];
    tally_box_order(&it->wish, true, order);
    for (uint32_t k = it->wish.axes; k-- > 0;)
        if (order[k] != 0 && it->size[order[k]] == 1) {
            const tally_box_axis *axis = &it->wish.axis[order[k]];
            tally_dims_append(&dims, axis->size, axis->in, axis->out);
        }
    tally_dims_merge(&dims);
    for (uint32_t b = it->rank; b-- > 1;) {
        const tally_box_axis *axis = &it->wish.axis[it->axis[b]];
        uint64_t size = it->size[it->axis[b]];
        dims.size[dims.count] = tally_plan_parts(axis->size, size);
        dims.in[dims.count] = axis->in * size;
        dims.out[dims.count++] = axis->out * size;
    }
    return dims;
}

static void set_box(const tally_staged *it, tally_scan_staged_args *args) {
    for (uint32_t b = 0; b < it->rank; b++) {
        const tally_box_axis *axis = &it->wish.axis[it->axis[b]];
        uint64_t size = it->size[it->axis[b]];
        uint64_t last = axis->size - (tally_plan_parts(axis->size, size) - 1) * size;
        args->box_size[b] = size;
        args->last_size[b] = last;
        args->box_magic[b] = tally_staged_magic(size);
        args->last_magic[b] = tally_staged_magic(last);
        args->box_in[b] = axis->in;
        args->box_out[b] = axis->out;
    }
}

/* The size of a step's box, and who has it; it is placed in local memory. */
static void set_size(const tally_staged *it, tally_step *step) {
    step->spec.group = (uint16_t)it->group;
    step->spec.policy.scan_staged.runs_per_item = (uint16_t)it->runs_per_item;
    set_box(it, &step->args.scan_staged);
    tally_staged_lay_out(it, step);
}

static void set_step(const tally_problem *problem, const tally_staged *it, tally_step *step) {
    tally_scan_staged_args *args = &step->args.scan_staged;
    tally_spec *spec = &step->spec;
    tally_scan_staged_policy *policy = &spec->policy.scan_staged;
    tally_dims dims = dims_of(it);
    spec->schedule = TALLY_SCAN_STAGED;
    policy->carry = TALLY_CARRY_WALK;
    policy->run_terms = (uint16_t)tally_staged_run_terms(it);
    spec->kept_rank = tally_plan_rank(dims.count);
    policy->box_rank = (uint16_t)it->rank;
    policy->read_order = order_of(it, false);
    policy->write_order = order_of(it, true);
    spec->levels = tally_plan_combined_levels(problem);
    policy->reversed_terms = problem->descending;
    policy->skewed = tally_staged_lines(it) <= TALLY_SCAN_STAGED_FEW && it->size[0] > TALLY_RUN;
    tally_plan_axes(&dims, spec->kept_rank, args->kept_size, args->kept_in, args->kept_out);
    set_size(it, step);
    tally_staged_set_moves(it, step);
    args->head.units = tally_staged_boxes(it);
}

/*
 * The box of the launch that publishes totals: of as many terms as work-items can load into
 * registers, beside those of neighbouring lines, as then no image takes room; or else as the launch
 * has it that writes, of a span at most where units are tiles.
 */
static void set_totals_box(const tally_limits *limits, tally_staged *it, tally_step *step) {
    const uint64_t wide = tally_plan_least(TALLY_SCAN_STAGED_WIDEST, limits->group_max);
    const tally_staged given = *it;
    for (it->size[0] = TALLY_SPAN; it->size[0] >= it->wish.least; it->size[0] /= 2) {
        tally_step tried = *step;
        tally_staged_set_group(it, wide / TALLY_SCAN_GROUP_STEP * TALLY_SCAN_GROUP_STEP);
        set_size(it, &tried);
        if (!tally_staged_set_loads(it, &tried) ||
            tally_group_local_bytes(&tried.spec) > limits->local_bytes)
            continue;
        *step = tried;
        return;
    }
    *it = given;
    if (it->size[0] <= TALLY_SPAN || !tally_staged_has_tile_totals(limits, it))
        return;
    it->size[0] = TALLY_SPAN;
    tally_staged_set_group(it, it->group);
    set_size(it, step);
    tally_staged_set_moves(it, step);
}

/*
 * The launch that publishes what pieces come to. Of parts of tiles it goes over tiles, where these
 * are enough for all of the device, and does a part of the spine's work.
 */
static void set_totals(const tally_limits *limits, const tally_staged *it, tally_step *step) {
    tally_scan_staged_args *args = &step->args.scan_staged;
    tally_staged own = *it;
    if (it->parts) {
        set_totals_box(limits, &own, step);
        step->spec.policy.scan_staged.only_phase = TALLY_TOTALS;
    }
    if (tally_staged_has_tile_totals(limits, it)) {
        step->spec.policy.scan_staged.tile_totals = 1;
        own.parts = false;
    }
    /* Nobody asks what last pieces come to, unless they are in a spine. */
    args->head.units = args->all_boxes * (tally_staged_pieces(&own) - it->follows);
}

/* The launch between both passes. */
static void set_spine(const tally_limits *limits, const tally_staged *it, tally_step *step) {
    tally_scan_staged_policy *policy = &step->spec.policy.scan_staged;
    const tally_scan_staged_args *args = &step->args.scan_staged;
    step->args.head.units = tally_plan_parts(args->all_boxes * args->box_lines,
                                             policy->skewed ? 1 : TALLY_SPINE_COLUMNS);
    if (!it->parts)
        return;
    step->spec.group = (uint16_t)tally_staged_spine_group(limits, it);
    policy->only_phase = TALLY_SPINE;
    policy->tile_totals = tally_staged_has_tile_totals(limits, it);
}

/* Turn the plan's one step into the launch of a chain, whose units are boxes. */
static void plan_chain(const tally_problem *problem, const tally_limits *limits,
                       const tally_staged *it, tally_plan *plan) {
    tally_step base = plan->step[0];
    tally_scan_staged_args *args = &base.args.scan_staged;
    tally_scan_staged_policy *policy = &base.spec.policy.scan_staged;
    policy->carry = TALLY_CARRY_LOOK_BACK;
    policy->chain_lines = (uint16_t)tally_staged_lines(it);
    policy->chain_spans = (uint16_t)(it->size[0] / TALLY_SPAN);
    base.spec.word = limits->word_bytes;
    base.slots = 1;
    args->all_boxes = tally_staged_boxes(it);
    args->box_lines = tally_staged_lines(it);
    const uint64_t units = args->all_boxes * tally_staged_pieces(it);
    const tally_chain chain = {.chains = args->all_boxes,
                               .units = units,
                               .columns = args->box_lines,
                               .unit_terms = it->size[0],
                               .state_bytes = tally_rows_state_bytes(problem),
                               .once = true};
    plan->board = tally_plan_scratch(tally_chain_set(limits, &chain, &base));
    const uint64_t all[TALLY_PHASES] = {[TALLY_PASS] = units};
    tally_plan_launches(base, tally_carry_phases(TALLY_CARRY_LOOK_BACK), all, plan);
}

/* Turn the plan's one step into launches over pieces. */
static void plan_pieces(const tally_problem *problem, const tally_limits *limits,
                        const tally_staged *it, tally_plan *plan) {
    tally_step base = plan->step[0];
    tally_scan_staged_args *args = &base.args.scan_staged;
    base.spec.policy.scan_staged.carry = TALLY_CARRY_TWO_PASSES;
    base.spec.policy.scan_staged.tile_parts = it->parts;
    base.spec.word = (uint8_t)tally_dtype_find(problem->input)->compute_bytes;
    args->all_boxes = tally_staged_boxes(it);
    args->box_lines = tally_staged_lines(it);
    uint64_t lines = args->all_boxes * args->box_lines;
    uint64_t tiles = tally_plan_parts(args->terms, TALLY_TILE);
    uint64_t stretches = tally_plan_parts(args->terms, TALLY_STRETCH);
    args->stretches = lines * tiles * (it->parts ? TALLY_RUN : 1);
    uint64_t words = args->stretches + (it->follows ? 0 : lines * stretches);
    plan->scratch = tally_plan_scratch(words * base.spec.word);
    const uint64_t units = args->all_boxes * tally_staged_pieces(it);
    const uint64_t all[TALLY_PHASES] = {
        [TALLY_TOTALS] = units, [TALLY_SPINE] = 1, [TALLY_APPLY] = units, [TALLY_FOLLOW] = units};
    tally_plan_launches(base,
                        it->follows ? 1u << TALLY_TOTALS | 1u << TALLY_FOLLOW
                                    : tally_carry_phases(TALLY_CARRY_TWO_PASSES),
                        all, plan);
    set_totals(limits, it, &plan->step[0]);
    if (!it->follows)
        set_spine(limits, it, &plan->step[1]);
}

/* Whether boxes can serve a problem: one that is not tiny, on a device with wide groups. */
static bool can_stage(const tally_limits *limits, const tally_problem *problem,
                      const tally_plan *plan) {
    return tally_plan_has_wide_groups(limits) &&
           plan->step[0].args.scan.rows * problem->terms > TALLY_ITEM_GROUP;
}

static void plan_boxes(const tally_problem *problem, const tally_limits *limits, tally_staged *it,
                       tally_plan *plan) {
    name_axes(it);
    set_step(problem, it, &plan->step[0]);
    if (it->chains)
        plan_chain(problem, limits, it, plan);
    else if (it->pieces)
        plan_pieces(problem, limits, it, plan);
}

bool tally_plan_scan_staged(const tally_problem *problem, const tally_limits *limits,
                            tally_plan *plan) {
    tally_staged it = {0};
    if (!can_stage(limits, problem, plan) || tally_plan_scan_is_direct(problem, limits))
        return false;
    tally_staged_choose(problem, limits, &it);
    if (it.pieces && !it.chains && tally_plan_scan_has_columns(problem))
        return false;
    plan_boxes(problem, limits, &it, plan);
    return true;
}

/*
 * Few long columns: they go by a chain of boxes where that is the cheapest of boxes, and those
 * whose rows begin anywhere by other boxes too, as they leave as whole packs by way of one. One
 * that walks is planned here too, unless it is for schedules that come later, as it is chosen
 * already.
 */
bool tally_plan_scan_pieces(const tally_problem *problem, const tally_limits *limits,
                            tally_plan *plan) {
    const tally_plan before = *plan;
    tally_staged it = {0};
    if (!tally_plan_scan_columns(problem, limits, plan) ||
        tally_spec_carry(&plan->step[0].spec) != TALLY_CARRY_TWO_PASSES ||
        plan->step[0].spec.policy.scan_columns.results != TALLY_SIDE_BY_SIDE) {
        *plan = before;
        return false;
    }
    const tally_plan columns = *plan;
    *plan = before;
    const bool aligned = tally_plan_scan_has_columns(problem);
    const bool boxes = (limits->single_pass || !aligned) && can_stage(limits, problem, plan);
    if (boxes)
        tally_staged_choose(problem, limits, &it);
    if (!it.chains && aligned) {
        *plan = columns;
        return true;
    }
    if (!boxes || (!it.pieces && tally_plan_scan_is_direct(problem, limits)))
        return false;
    plan_boxes(problem, limits, &it, plan);
    return true;
}

/* Short lines of which there are boxes for all of the device. */
bool tally_plan_scan_short(const tally_problem *problem, const tally_limits *limits,
                           tally_plan *plan) {
    tally_plan before = *plan;
    if (problem->terms > TALLY_SCAN_STAGED_SHORT || !tally_plan_scan_staged(problem, limits, plan))
        return false;
    bool many = plan->step[0].args.head.units >= limits->units;
    if (!many)
        *plan = before;
    return many;
}
