/*
 * The planner of scans whose results lie in another order than their terms, where there are many
 * lines: of boxes of many sizes that one is taken which costs least for an element. See
 * cl/agent/scan/scan_transpose.cl.
 */
#include "cl/core/order.h"
#include "plan/group.h"
#include "plan/plan.h"
#include "plan/positions.h"
#include "plan/scan/staged.h"
#include "plan/scan/tuning.h"

/*
 * Boxes whose lines work-items go down alone, where results lie in another order: bytes of input
 * and output for each compute unit, at least, as caches put together the sectors of less;
 * work-items of a group, at most, and of a compute unit at a time; local memory, and elements that
 * a work-item has under way, at most.
 */
#define TALLY_SCAN_TRANSPOSE_BYTES 262144
#define TALLY_SCAN_TRANSPOSE_WIDEST 512
#define TALLY_SCAN_TRANSPOSE_ITEMS 512
#define TALLY_SCAN_TRANSPOSE_LOCAL 45056
#define TALLY_SCAN_TRANSPOSE_ELEMENTS 16

/*
 * What things cost, as bytes that memory moves meanwhile: the ends of a piece that is read, and of
 * one that is written, whose sectors are read first; what a work-item does for a term of a line; a
 * group's beginning, and so many times that where a compute unit has one group at a time; what it
 * waits for its groups' first terms, and each time that they bring terms; and hundredths that are
 * added to all of it, as the time of scan_staged is known better.
 */
#define TALLY_SCAN_TRANSPOSE_READ 32
#define TALLY_SCAN_TRANSPOSE_WRITTEN 256
#define TALLY_SCAN_TRANSPOSE_STEP 3
#define TALLY_SCAN_TRANSPOSE_BOX 12288
#define TALLY_SCAN_TRANSPOSE_SINGLE 4
#define TALLY_SCAN_TRANSPOSE_START 24576
#define TALLY_SCAN_TRANSPOSE_WAIT 49152
#define TALLY_SCAN_TRANSPOSE_DOUBT 10

/*
 * The same of the other boxes: sectors that could be moved while a piece is written that begins
 * anywhere in one; what is done for a term; what a compute unit waits for each box; and work-items
 * of it at a time.
 */
#define TALLY_SCAN_STAGED_ENDS 8
#define TALLY_SCAN_STAGED_STEP 2
#define TALLY_SCAN_STAGED_BOX 98304
#define TALLY_SCAN_STAGED_RESIDENT 1024

/* Local memory is a multiple of it, so that boxes of nearly one size have one program. */
#define LOCAL_STEP 1024u

/* Lines of a work-item, a power of two, at most. */
#define MOST_LINES 16u

/* What a group has; see group.h. */
uint64_t tally_local_scan_transpose(const tally_spec *spec) {
    return spec->policy.scan_transpose.box_bytes;
}

/* A box that is tried, how a group goes through it, and what is the best one so far. */
typedef struct tried {
    const tally_problem *problem;
    const tally_limits *limits;
    tally_step step;
    uint64_t cost;
} tried;

static tally_boxes boxes_of(tally_step *step) {
    tally_scan_transpose_args *args = &step->args.scan_transpose;
    return (tally_boxes){&args->box, step->spec.kept_rank, args->kept_size, args->kept_in,
                         args->kept_out};
}

/* Blocks of so many work-items side by side that a group has. */
static uint64_t blocks_of(const tally_step *step, uint64_t columns) {
    return step->spec.group / tally_plan_least(columns, step->spec.group);
}

/* Lines of a work-item, a power of two. */
static uint32_t lines_of(const tally_step *step) {
    const tally_box_args *box = &step->args.scan_transpose.box;
    const uint64_t each = tally_plan_parts(box->writes, blocks_of(step, box->reads));
    uint32_t lines = 1;
    while (lines < each)
        lines *= 2;
    return lines;
}

/* Local memory of so many terms of the box, and of its tables. */
static uint64_t local_of(const tally_step *step, uint64_t terms) {
    const tally_box_args *box = &step->args.scan_transpose.box;
    const uint64_t image = box->reads * box->local_pitch * terms * step->source_bytes;
    const uint64_t lines = step->spec.policy.scan_transpose.lines_per_item;
    const uint64_t own = blocks_of(step, box->reads) * (lines > 4 ? lines : 4);
    const uint64_t taken = blocks_of(step, box->writes);
    const uint64_t rows = tally_plan_parts(tally_plan_parts(box->reads, taken), 4) * 4;
    return tally_plan_parts(image, 16) * 16 + (own + taken * rows) * (step->spec.index_bits / 8u);
}

static uint64_t most_of(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

/* ---- The choice ---------------------------------------------------------------------------- */

/* Elements that a work-item has under way, at most. */
static uint64_t under_way(const tally_step *step) {
    return step->source_bytes == 8 ? TALLY_SCAN_TRANSPOSE_ELEMENTS / 2
                                   : TALLY_SCAN_TRANSPOSE_ELEMENTS;
}

/*
 * As many terms at once as fit, a power of two; false if not one does, or work-items would have too
 * many lines.
 */
static bool set_terms(const tried *it, tally_step *step) {
    const uint64_t all = tally_plan_least(TALLY_SCAN_TRANSPOSE_LOCAL, it->limits->local_bytes);
    const uint64_t room = all / LOCAL_STEP * LOCAL_STEP;
    const uint32_t most =
        step->spec.levels > 2 || step->source_bytes == 8 ? MOST_LINES / 2 : MOST_LINES;
    tally_scan_transpose_policy *policy = &step->spec.policy.scan_transpose;
    const uint32_t lines = lines_of(step);
    policy->lines_per_item = (uint16_t)lines;
    if (lines > most || local_of(step, 1) > room)
        return false;
    uint64_t terms = 1;
    while (terms < TALLY_RUN && terms < it->problem->terms &&
           2 * terms * lines <= under_way(step) && local_of(step, 2 * terms) <= room)
        terms *= 2;
    policy->terms_at_once = (uint16_t)terms;
    policy->box_bytes =
        (uint16_t)(tally_plan_parts(local_of(step, terms), LOCAL_STEP) * LOCAL_STEP);
    return true;
}

/* The part of the terms that a box has at a time, as an axis of a memory. */
static tally_cut terms_of(const tally_problem *problem, const tally_step *step, bool output) {
    const tally_dims *axis = &problem->swept[0];
    return (tally_cut){TALLY_AXES, problem->terms, step->spec.policy.scan_transpose.terms_at_once,
                       output ? axis->out[0] : axis->in[0]};
}

/* Bytes that memory moves for a box at so many terms, and what work-items do meanwhile. */
static uint64_t moved_of(const tried *it, const tally_boxes *boxes, const tally_step *step) {
    const tally_cut in = terms_of(it->problem, step, false),
                    out = terms_of(it->problem, step, true);
    const tally_scan_transpose_policy *policy = &step->spec.policy.scan_transpose;
    const uint32_t bytes = step->source_bytes;
    const uint64_t gap = TALLY_SECTOR / bytes;
    return tally_boxes_moved(boxes, boxes->in, &in, bytes, gap, TALLY_SCAN_TRANSPOSE_READ) +
           tally_boxes_moved(boxes, boxes->out, &out, bytes, gap, TALLY_SCAN_TRANSPOSE_WRITTEN) +
           (uint64_t)step->spec.group * policy->lines_per_item * policy->terms_at_once *
               TALLY_SCAN_TRANSPOSE_STEP;
}

/*
 * The time for all boxes of a compute unit, as bytes. If there are fewer boxes than compute units,
 * each box takes two thirds of the time. It is never less than the groups wait, one after the
 * other.
 */
static uint64_t cost_of(const tried *it, const tally_boxes *boxes, const tally_step *step) {
    const uint64_t count = step->args.head.units, units = it->limits->units;
    const uint64_t together = units * TALLY_SCAN_TRANSPOSE_ITEMS / step->spec.group;
    const uint64_t times =
        tally_plan_parts(it->problem->terms, step->spec.policy.scan_transpose.terms_at_once);
    const bool single = step->spec.group >= TALLY_SCAN_TRANSPOSE_ITEMS;
    const uint64_t begins =
        TALLY_SCAN_TRANSPOSE_BOX * (single ? (uint64_t)TALLY_SCAN_TRANSPOSE_SINGLE : 1);
    const uint64_t moved = times * moved_of(it, boxes, step) + begins;
    const uint64_t waits = times * TALLY_SCAN_TRANSPOSE_WAIT + TALLY_SCAN_TRANSPOSE_START;
    const uint64_t busy = tally_plan_least(units, count + count / 2);
    const uint64_t cost = most_of(count * moved / busy, tally_plan_parts(count, together) * waits);
    return cost + cost / 100 * TALLY_SCAN_TRANSPOSE_DOUBT;
}

/* The same of the boxes that scan_staged would have. */
static uint64_t staged_cost_of(const tally_problem *problem, const tally_limits *limits) {
    tally_staged it = {0};
    tally_staged_choose(problem, limits, &it);
    const uint64_t boxes = tally_staged_boxes(&it), units = limits->units;
    const uint64_t elements = tally_dims_elements(&problem->kept) * problem->terms;
    const uint64_t together = units * (TALLY_SCAN_STAGED_RESIDENT / it.group);
    const uint64_t moved =
        elements * it.wish.bytes * tally_box_cost(&it.wish, it.size, TALLY_SCAN_STAGED_ENDS) / 64;
    const uint64_t cost = (moved + elements * TALLY_SCAN_STAGED_STEP) / units;
    const uint64_t waits = tally_plan_parts(boxes, together) *
                           tally_plan_parts(problem->terms, it.size[0]) * TALLY_SCAN_STAGED_BOX;
    return it.pieces ? cost + cost / 2 : most_of(cost, waits);
}

/*
 * Take a box of so many positions if it is better than others. Returns false if it is too large, or
 * axes are too short for it.
 */
static bool try_box(tried *it, tally_plan *plan, uint64_t reads, uint64_t writes) {
    tally_step *step = &it->step;
    tally_box_args *box = &step->args.scan_transpose.box;
    const tally_boxes boxes = boxes_of(step);
    tally_boxes_cross(&boxes, reads, writes, false);
    box->local_pitch = tally_boxes_pitch(box->writes, step->source_bytes);
    if (!set_terms(it, step))
        return false;
    step->args.head.units = tally_boxes_count(&boxes);
    const uint64_t cost = cost_of(it, &boxes, step);
    if (cost < it->cost) {
        it->cost = cost;
        plan->step[0] = *step;
    }
    return writes <= 4 * box->writes;
}

/* Try boxes of many sizes for groups of so many work-items. */
static void try_boxes(tried *it, tally_plan *plan, uint16_t group) {
    const uint64_t sector = TALLY_SECTOR / it->step.source_bytes;
    it->step.spec.group = group;
    for (uint64_t reads = sector; reads <= group; reads += sector)
        for (uint64_t writes = sector; writes <= group; writes += sector)
            if (!try_box(it, plan, reads, writes))
                break;
}

/* Whether other axes are closest in the two memories, closer than the terms. */
static bool is_crossed(const tally_problem *problem) {
    const tally_dims *kept = &problem->kept, *axis = &problem->swept[0];
    uint32_t in = TALLY_AXES, out = TALLY_AXES;
    for (uint32_t k = 0; k < kept->count; k++) {
        if (kept->size[k] == 1 || kept->in[k] == 0 || kept->out[k] == 0)
            continue;
        if (in == TALLY_AXES || kept->in[k] < kept->in[in])
            in = k;
        if (out == TALLY_AXES || kept->out[k] < kept->out[out])
            out = k;
    }
    return in != out && kept->in[in] < axis->in[0] && kept->out[out] < axis->out[0];
}

bool tally_plan_scan_transpose(const tally_problem *problem, const tally_limits *limits,
                               tally_plan *plan) {
    const tally_step before = plan->step[0];
    const uint64_t bytes = 2 * before.source_bytes * before.args.scan.rows * problem->terms;
    if (!tally_plan_has_wide_groups(limits) || !is_crossed(problem) ||
        bytes < (uint64_t)limits->units * TALLY_SCAN_TRANSPOSE_BYTES)
        return false;
    tried it = {problem, limits, before, UINT64_MAX};
    it.step.spec.schedule = TALLY_SCAN_TRANSPOSE;
    it.step.spec.levels = tally_plan_combined_levels(problem);
    for (uint32_t group = TALLY_WIDE_GROUP;
         group <= TALLY_SCAN_TRANSPOSE_WIDEST && group <= limits->group_max; group *= 2)
        try_boxes(&it, plan, (uint16_t)group);
    if (it.cost < staged_cost_of(problem, limits))
        return true;
    plan->step[0] = before;
    return false;
}
