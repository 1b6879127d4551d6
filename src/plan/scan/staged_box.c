/*
 * The choice of a scan's box: of boxes with shorter or longer pieces, more terms or more lines, the
 * one that moves the fewest sectors, or of which the device has most work-items at a time.
 */
#include "cl/core/order.h"
#include "model/dtype.h"
#include "plan/group.h"
#include "plan/scan/staged.h"
#include "plan/scan/tuning.h"

uint64_t tally_staged_lines(const tally_staged *it) {
    uint64_t lines = 1;
    for (uint32_t k = 1; k < it->wish.axes; k++)
        lines *= it->size[k];
    return lines;
}

/* Runs of all of a box's lines. */
static uint64_t runs_of(const tally_staged *it) {
    return tally_staged_lines(it) * tally_plan_parts(it->size[0], TALLY_RUN);
}

void tally_staged_set_group(tally_staged *it, uint64_t wide) {
    uint64_t runs = runs_of(it), each = TALLY_RUN / tally_staged_run_terms(it);
    uint64_t most = tally_plan_parts(runs, wide);
    most = most > each ? most : each;
    it->group = tally_plan_parts(runs, most * TALLY_SCAN_GROUP_STEP) * TALLY_SCAN_GROUP_STEP;
    it->runs_per_item = tally_plan_parts(runs, it->group);
}

/* Local memory of a group with such a box. */
static uint64_t local_bytes(const tally_problem *problem, const tally_staged *it) {
    tally_spec spec = {.schedule = TALLY_SCAN_STAGED,
                       .input = (uint8_t)problem->input,
                       .group = (uint16_t)it->group,
                       .index_bits = 64, /* at most */
                       .levels = tally_plan_combined_levels(problem)};
    spec.policy.scan_staged.runs_per_item = (uint16_t)it->runs_per_item;
    spec.policy.scan_staged.run_terms = (uint16_t)tally_staged_run_terms(it);
    if (it->chains) {
        spec.policy.scan_staged.chain_lines = (uint16_t)tally_staged_lines(it);
        spec.policy.scan_staged.chain_spans = (uint16_t)(it->size[0] / TALLY_SPAN);
    }
    return tally_group_local_bytes(&spec);
}

static void set_wish(const tally_problem *problem, tally_staged *it) {
    const tally_dims *kept = &problem->kept, *axis = &problem->swept[0];
    const tally_dtype_row *type = tally_dtype_find(problem->input);
    it->wish = (tally_box_wish){.axes = kept->count + 1,
                                .bytes = type->bytes,
                                .unit = TALLY_RUN,
                                .least = 2 * TALLY_RUN,
                                .most = TALLY_SPAN,
                                .limit = TALLY_TILE,
                                .cut = TALLY_BOX_AXES};
    it->wish.axis[0] = (tally_box_axis){problem->terms, axis->in[0], axis->out[0]};
    for (uint32_t k = 0; k < kept->count; k++)
        it->wish.axis[k + 1] = (tally_box_axis){kept->size[k], kept->in[k], kept->out[k]};
}

uint64_t tally_staged_boxes(const tally_staged *it) {
    uint64_t boxes = 1;
    for (uint32_t k = 1; k < it->wish.axes; k++)
        boxes *= tally_plan_parts(it->wish.axis[k].size, it->size[k]);
    return boxes;
}

/* Choose a box of no more runs than there may be, whole lines or a part of each. */
static void fit_box(tally_staged *it) {
    uint64_t terms = it->wish.axis[0].size, runs = tally_plan_parts(terms, TALLY_RUN);
    it->wish.elements = it->slots / runs * terms;
    if (it->wish.elements > 0)
        tally_box_choose(&it->wish, it->size);
    if (it->wish.elements > 0 && it->size[0] == terms)
        return;
    it->wish.elements = it->slots * TALLY_RUN;
    tally_box_choose(&it->wish, it->size);
}

/* The cheapest box so far; UINT64_MAX: none. */
typedef struct cheapest {
    tally_staged box;
    uint64_t cost;
} cheapest;

/* Choose a box's group, and whether it walks; it may be the cheapest. */
static void try_box(const tally_problem *problem, const tally_limits *limits, uint64_t part,
                    uint64_t weight, const tally_staged *box, cheapest *best) {
    uint64_t room = tally_plan_least(TALLY_SCAN_STAGED_LOCAL, limits->local_bytes);
    uint64_t widest = limits->group_max / TALLY_SCAN_GROUP_STEP * TALLY_SCAN_GROUP_STEP;
    for (uint64_t wide = TALLY_WIDE_GROUP; wide <= TALLY_SCAN_STAGED_WIDEST; wide *= 2) {
        tally_staged it = *box;
        tally_staged_set_group(&it, tally_plan_least(wide, widest));
        uint64_t cost = tally_staged_choose_pieces(limits, &it);
        if (it.wish.piece > TALLY_SCAN_STAGED_PIECE && !tally_staged_are_many(limits, &it))
            continue; /* long pieces leave too few boxes */
        uint64_t runs = runs_of(&it), slots = it.group * it.runs_per_item;
        cost += cost * (slots - runs) / runs / 2; /* work-items that idle */
        cost = (cost + cost * part / 64) * weight;
        if (local_bytes(problem, &it) <= room && cost < best->cost)
            *best = (cheapest){it, cost};
    }
}

/* As many terms of a box's lines as there is room for. */
static void grow_terms(tally_staged *it) {
    uint64_t terms = it->wish.axis[0].size, room = it->slots / tally_staged_lines(it) * TALLY_RUN;
    while (it->size[0] < terms && 2 * it->size[0] <= tally_plan_least(room, TALLY_TILE))
        it->size[0] *= 2;
    if (terms <= room)
        it->size[0] = terms;
}

/*
 * Try a box, and where there are few boxes such with fewer lines and more of their terms: with one
 * coordinate along an axis, or with half of those of the longest.
 */
static void try_lines(const tally_problem *problem, const tally_limits *limits, uint64_t part,
                      uint64_t weight, tally_staged *it, cheapest *best) {
    uint64_t few = (uint64_t)limits->units * TALLY_SCAN_STAGED_BOXES;
    try_box(problem, limits, part, weight, it, best);
    while (tally_staged_boxes(it) < few && tally_staged_lines(it) >= 2 * TALLY_SCAN_STAGED_SIDE) {
        for (uint32_t k = 1; k < it->wish.axes; k++) {
            tally_staged flat = *it;
            flat.size[k] = 1;
            grow_terms(&flat);
            if (it->size[k] > 1)
                try_box(problem, limits, part, weight, &flat, best);
        }
        tally_box_halve(&it->wish, it->size);
        grow_terms(it);
        try_box(problem, limits, part, weight, it, best);
    }
}

/*
 * Boxes of so many slots, with pieces that are longer or shorter, and lines that may have more
 * terms or fewer; of less lines, where there are few boxes. Larger boxes are slower, the less so
 * the wider elements are.
 */
static void try_boxes(const tally_problem *problem, const tally_limits *limits, uint64_t times,
                      uint64_t part, tally_staged *it, cheapest *best) {
    uint64_t weight = (it->wish.bytes == 8 ? 31 : 15) + times;
    uint64_t narrow = it->wish.bytes < 4 ? TALLY_SCAN_STAGED_NARROW / it->wish.bytes : 1;
    it->slots =
        TALLY_SCAN_STAGED_GROUP * narrow * times * (TALLY_RUN / tally_staged_run_terms(it)) / part;
    for (it->wish.most = TALLY_SPAN; it->wish.most <= TALLY_TILE; it->wish.most *= 4)
        for (it->wish.piece = 32; it->wish.piece <= TALLY_SCAN_STAGED_LONG; it->wish.piece *= 2) {
            fit_box(it);
            while (runs_of(it) > it->slots && tally_box_halve(&it->wish, it->size))
                ;
            try_lines(problem, limits, part, weight, it, best);
        }
}

/* Of boxes of several sizes the cheapest. */
void tally_staged_choose(const tally_problem *problem, const tally_limits *limits,
                         tally_staged *it) {
    set_wish(problem, it);
    cheapest best = {*it, UINT64_MAX};
    for (uint64_t times = 1; times <= TALLY_SCAN_STAGED_TIMES; times *= 2)
        for (uint64_t part = 1; part <= (times == 1 ? 4 : 1); part *= 2)
            try_boxes(problem, limits, times, part, it, &best);
    *it = best.box;
    it->many = tally_staged_are_many(limits, it);
}
