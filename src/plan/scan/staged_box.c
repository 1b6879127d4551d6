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

/*
 * Choose the group, of so many work-items at most, in whole steps: a run for each, or as many as
 * leave it about as many terms, so that none idles while others have another run.
 */
static void set_group(tally_staged *it, uint64_t wide) {
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
                       .levels = tally_plan_combined_levels(problem)};
    spec.policy.scan_staged.runs_per_item = (uint16_t)it->runs_per_item;
    spec.policy.scan_staged.run_terms = (uint16_t)tally_staged_run_terms(it);
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

/* Whether a box's elements come, or go, one by one: not by packs, nor beside those of many lines.
 */
static bool is_loose(const tally_staged *it, bool output) {
    uint32_t order[TALLY_BOX_DIMS], k = 0;
    uint64_t lines = 1, span = 0, bytes = it->wish.bytes;
    const tally_box_axis *terms = &it->wish.axis[0];
    tally_box_order(&it->wish, output, order);
    for (; k < it->wish.axes; k++) {
        const tally_box_axis *axis = &it->wish.axis[order[k]];
        uint64_t size = it->size[order[k]], stride = output ? axis->out : axis->in;
        if (size > 1 && (order[k] == 0 || (span > 0 && stride > 2 * span)))
            break;
        span += size > 1 ? size * stride : 0;
        lines *= size;
    }
    if (lines > 1 || k == it->wish.axes || order[k] != 0)
        return lines < TALLY_SCAN_STAGED_SIDE;
    return (output ? terms->out : terms->in) != 1 ||
           it->size[0] * bytes < 8 * TALLY_SCAN_STAGED_PACK;
}

uint64_t tally_staged_pieces(const tally_staged *it) {
    uint64_t piece = it->size[0] > TALLY_SPAN ? it->size[0] : TALLY_SPAN;
    return it->pieces ? tally_plan_parts(it->wish.axis[0].size, it->parts ? piece : TALLY_TILE) : 1;
}

/* Whether a group has several boxes, one after the other. */
static bool is_walked(const tally_staged *it) {
    uint64_t terms = it->wish.axis[0].size;
    return it->size[0] < (!it->pieces ? terms : it->parts ? TALLY_SPAN : TALLY_TILE);
}

/* Whether there are work-items for all of the device several times. */
static bool are_many(const tally_limits *limits, const tally_staged *it) {
    return tally_staged_boxes(it) * it->group >= (uint64_t)limits->units * TALLY_SCAN_STAGED_MANY;
}

/*
 * What a box costs, for each byte: the sectors that it moves or, where the device has few
 * work-items at a time, what these wait for, half as long again where they wait for each other.
 */
static uint64_t box_cost(const tally_limits *limits, const tally_staged *it) {
    uint64_t groups = tally_staged_boxes(it) * tally_staged_pieces(it);
    uint64_t terms = it->wish.axis[0].size, some = it->size[0];
    uint64_t loose = (uint64_t)is_loose(it, false) + is_loose(it, true);
    uint64_t written = are_many(limits, it) ? TALLY_SCAN_STAGED_WRITTEN : 0;
    uint64_t moves = tally_box_cost(&it->wish, it->size, written) * 8 * (2 + loose);
    uint64_t enough = (uint64_t)limits->units * TALLY_SCAN_STAGED_ITEMS;
    uint64_t each = it->runs_per_item * tally_staged_run_terms(it);
    uint64_t wait = TALLY_SCAN_STAGED_WAIT / each + TALLY_SCAN_STAGED_WAIT_PER_ROUND +
                    TALLY_SCAN_STAGED_WAIT_LOOSE * loose;
    uint64_t waits = wait * enough / (groups * it->group) * 4 / it->wish.bytes;
    waits = waits * (tally_plan_parts(terms, some) * some) / terms;
    waits += is_walked(it) ? waits / 2 : 0;
    return moves > waits ? moves : waits;
}

/* Times that a group folds tiles before its piece, of as many as it has room for. */
static uint64_t rounds_of(const tally_staged *it) {
    uint64_t some =
        tally_plan_least(it->group * it->runs_per_item / tally_staged_lines(it), TALLY_TILES);
    uint64_t tiles = tally_plan_parts(it->wish.axis[0].size, TALLY_TILE);
    return tally_plan_parts(tiles, tally_plan_power(some, TALLY_TILES));
}

/* Times that the device's groups fold a tile's spans one after the other, a line each. */
static uint64_t spine_rounds_of(const tally_limits *limits, const tally_staged *it) {
    uint64_t lines = tally_staged_boxes(it) * tally_staged_lines(it);
    uint64_t tiles = tally_plan_parts(it->wish.axis[0].size, TALLY_TILE);
    return tally_plan_parts(lines, (uint64_t)limits->units * TALLY_SCAN_SPINE_GROUPS) *
           tally_plan_parts(tiles, it->group);
}

/*
 * Whether what comes before pieces is folded in a few rounds. A spine of spans has a group for each
 * line: of boxes with few lines it is too slow.
 */
static bool is_short(const tally_limits *limits, const tally_staged *it) {
    if (it->follows)
        return rounds_of(it) <= TALLY_SCAN_STAGED_ROUNDS;
    return !it->parts || (tally_staged_lines(it) > TALLY_SCAN_STAGED_FEW &&
                          spine_rounds_of(limits, it) <= TALLY_SCAN_SPINE_ROUNDS);
}

/*
 * The cost with that of the launches. Few long lines may be spread over groups piece by piece,
 * which reads them twice: with a spine of tiles or of spans in two launches more, or in one, where
 * each group reads the dwords of what is before it.
 */
static uint64_t cost_of(const tally_limits *limits, const tally_staged *it) {
    uint64_t cost = box_cost(limits, it);
    uint64_t bytes =
        tally_staged_boxes(it) * tally_staged_lines(it) * it->wish.axis[0].size * it->wish.bytes;
    uint64_t launches = TALLY_SCAN_STAGED_LAUNCHES * limits->units / bytes;
    if (!it->pieces)
        return cost;
    if (!it->follows && !it->parts)
        return 2 * cost + launches;
    if (!it->follows)
        return cost + cost / 2 + launches + launches * spine_rounds_of(limits, it) / 2;
    uint64_t words = tally_staged_pieces(it) * 8 / it->wish.bytes;
    return cost + cost / 2 + launches * (2 + rounds_of(it)) / 4 +
           words / (it->parts ? 1 : TALLY_RUN);
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

/* Let a box's lines be walked, or cut into pieces: the cheaper. Returns the cost. */
static uint64_t choose_pieces(const tally_limits *limits, tally_staged *it) {
    static const struct {
        uint64_t least;
        bool parts, follows;
    } ways[] = {{TALLY_TILE, false, false},
                {TALLY_TILE, false, true},
                {TALLY_SPAN, true, false},
                {TALLY_SPAN, true, true}};
    uint64_t cost = cost_of(limits, it), terms = it->wish.axis[0].size;
    tally_staged best = *it;
    for (size_t w = 0; w < sizeof ways / sizeof ways[0] && it->size[0] < terms; w++) {
        tally_staged way = *it;
        way.pieces = true;
        way.parts = ways[w].parts;
        way.follows = ways[w].follows;
        if (terms <= ways[w].least || !is_short(limits, &way))
            continue;
        uint64_t spread = cost_of(limits, &way);
        if (spread < cost) {
            best = way;
            cost = spread;
        }
    }
    *it = best;
    return cost;
}

/* Choose a box's group, and whether it walks; it may be the cheapest. */
static void try_box(const tally_problem *problem, const tally_limits *limits, uint64_t part,
                    uint64_t weight, const tally_staged *box, cheapest *best) {
    uint64_t room = tally_plan_least(TALLY_SCAN_STAGED_LOCAL, limits->local_bytes);
    uint64_t widest = limits->group_max / TALLY_SCAN_GROUP_STEP * TALLY_SCAN_GROUP_STEP;
    for (uint64_t wide = TALLY_WIDE_GROUP; wide <= TALLY_SCAN_STAGED_WIDEST; wide *= 2) {
        tally_staged it = *box;
        set_group(&it, tally_plan_least(wide, widest));
        if (it.wish.piece > TALLY_SCAN_STAGED_PIECE && !are_many(limits, &it))
            continue; /* long pieces leave too few boxes */
        uint64_t cost = choose_pieces(limits, &it);
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
    it->many = are_many(limits, it);
}
