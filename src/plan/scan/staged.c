/*
 * The planner of scans by boxes in local memory, for layouts that no other schedule of GPUs serves
 * well: narrow, odd or padded columns, results in another order than the terms, steps.
 */
#include "cl/core/order.h"
#include "model/dtype.h"
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

static void set_step(const tally_problem *problem, const tally_staged *it, tally_step *step) {
    tally_scan_staged_args *args = &step->args.scan_staged;
    tally_spec *spec = &step->spec;
    tally_scan_staged_policy *policy = &spec->policy.scan_staged;
    tally_dims dims = dims_of(it);
    spec->schedule = TALLY_SCAN_STAGED;
    spec->group = (uint16_t)it->group;
    policy->carry = TALLY_CARRY_WALK;
    policy->runs_per_item = (uint16_t)it->runs_per_item;
    policy->run_terms = (uint16_t)tally_staged_run_terms(it);
    spec->kept_rank = tally_plan_rank(dims.count);
    policy->box_rank = (uint16_t)it->rank;
    policy->read_order = order_of(it, false);
    policy->write_order = order_of(it, true);
    spec->levels = tally_plan_combined_levels(problem);
    policy->reversed_terms = problem->descending;
    policy->skewed = tally_staged_lines(it) <= TALLY_SCAN_STAGED_FEW && it->size[0] > TALLY_RUN;
    tally_plan_axes(&dims, spec->kept_rank, args->kept_size, args->kept_in, args->kept_out);
    set_box(it, args);
    tally_staged_lay_out(it, step);
    tally_staged_set_moves(it, step);
    args->head.units = tally_staged_boxes(it);
}

/* Turn the plan's one step into launches over pieces. */
static void plan_pieces(const tally_problem *problem, const tally_staged *it, tally_plan *plan) {
    tally_step base = plan->step[0];
    tally_scan_staged_args *args = &base.args.scan_staged;
    base.spec.policy.scan_staged.carry = TALLY_CARRY_TWO_PASSES;
    base.spec.policy.scan_staged.tile_parts = it->parts;
    base.spec.word = (uint8_t)tally_dtype_find(problem->input)->compute_bytes;
    args->all_boxes = tally_staged_boxes(it);
    args->box_lines = tally_staged_lines(it);
    args->tiles_per_row = tally_plan_parts(args->terms, TALLY_TILE);
    args->stretches_per_row = tally_plan_parts(args->terms, TALLY_STRETCH);
    uint64_t lines = args->all_boxes * args->box_lines;
    args->stretches = lines * args->tiles_per_row * (it->parts ? TALLY_RUN : 1);
    uint64_t words = args->stretches + (it->follows ? 0 : lines * args->stretches_per_row);
    plan->scratch = tally_plan_scratch(words * base.spec.word);
    /* Nobody asks what last pieces come to, unless they are in a spine. */
    uint64_t pieces = tally_staged_pieces(it), told = it->follows ? pieces - 1 : pieces;
    const uint64_t units[TALLY_PHASES] = {[TALLY_TOTALS] = args->all_boxes * told,
                                          [TALLY_SPINE] = lines,
                                          [TALLY_APPLY] = args->all_boxes * pieces,
                                          [TALLY_FOLLOW] = args->all_boxes * pieces};
    tally_plan_launches(base,
                        it->follows ? 1u << TALLY_TOTALS | 1u << TALLY_FOLLOW
                                    : tally_carry_phases(TALLY_CARRY_TWO_PASSES),
                        units, plan);
}

bool tally_plan_scan_staged(const tally_problem *problem, const tally_limits *limits,
                            tally_plan *plan) {
    tally_staged it = {0};
    if (!tally_plan_has_wide_groups(limits) || tally_plan_scan_is_direct(problem, limits) ||
        plan->step[0].args.scan.rows * problem->terms <= TALLY_ITEM_GROUP)
        return false;
    tally_staged_choose(problem, limits, &it);
    if (it.pieces && tally_plan_scan_has_columns(problem))
        return false;
    name_axes(&it);
    set_step(problem, &it, &plan->step[0]);
    if (it.pieces)
        plan_pieces(problem, &it, plan);
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
