/*
 * What a scan's box costs, and whether a group walks its lines from end to end or these are cut
 * into pieces, which are spread over groups: the cheaper.
 */
#include "cl/core/order.h"
#include "plan/scan/staged.h"
#include "plan/scan/tuning.h"

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

bool tally_staged_are_many(const tally_limits *limits, const tally_staged *it) {
    return tally_staged_boxes(it) * tally_staged_pieces(it) * it->group >=
           (uint64_t)limits->units * TALLY_SCAN_STAGED_MANY;
}

/* Lines of all boxes. */
static uint64_t lines_of(const tally_staged *it) {
    return tally_staged_boxes(it) * tally_staged_lines(it);
}

static uint64_t bytes_of(const tally_staged *it) {
    return lines_of(it) * it->wish.axis[0].size * it->wish.bytes;
}

/* Whether sectors that are written in part cost more: there are many, or more than caches have. */
static bool is_large(const tally_limits *limits, const tally_staged *it) {
    return tally_staged_are_many(limits, it) ||
           bytes_of(it) >= (uint64_t)limits->units * TALLY_SCAN_STAGED_LARGE;
}

/*
 * What a box costs, for each byte: the sectors that it moves or, where the device has few
 * work-items at a time, what these wait for, half as long again where they wait for each other.
 */
static uint64_t box_cost(const tally_limits *limits, const tally_staged *it) {
    uint64_t groups = tally_staged_boxes(it) * tally_staged_pieces(it);
    uint64_t terms = it->wish.axis[0].size, some = it->size[0];
    uint64_t loose = (uint64_t)is_loose(it, false) + is_loose(it, true);
    uint64_t written = is_large(limits, it) ? TALLY_SCAN_STAGED_WRITTEN : 0;
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

/* Tiles of a line. */
static uint64_t tiles_of(const tally_staged *it) {
    return tally_plan_parts(it->wish.axis[0].size, TALLY_TILE);
}

/* Times that a group folds tiles before its piece, of as many as it has room for. */
static uint64_t rounds_of(const tally_staged *it) {
    uint64_t some =
        tally_plan_least(it->group * it->runs_per_item / tally_staged_lines(it), TALLY_TILES);
    return tally_plan_parts(tiles_of(it), tally_plan_power(some, TALLY_TILES));
}

bool tally_staged_has_tile_totals(const tally_limits *limits, const tally_staged *it) {
    const bool fits = it->size[0] <= TALLY_SPAN || it->wish.bytes >= 4;
    return it->parts && !it->follows && fits &&
           tally_staged_boxes(it) * tiles_of(it) >=
               (uint64_t)limits->units * TALLY_SCAN_TILE_TOTALS;
}

/* What work-items of the spine take of a line one after the other: tiles, or stretches. */
static uint64_t spine_parts_of(const tally_limits *limits, const tally_staged *it) {
    const uint64_t tiles = tiles_of(it);
    return tally_staged_has_tile_totals(limits, it) ? tally_plan_parts(tiles, TALLY_TILES) : tiles;
}

uint64_t tally_staged_spine_group(const tally_limits *limits, const tally_staged *it) {
    const uint64_t items = spine_parts_of(limits, it) * TALLY_SPINE_COLUMNS;
    uint64_t group = tally_plan_power(items, TALLY_SCAN_SPINE_WIDEST);
    while (group > limits->group_max)
        group /= 2;
    return group < TALLY_WIDE_GROUP ? TALLY_WIDE_GROUP : group;
}

/*
 * Times that the device's groups fold a tile's spans one after the other, some lines each, or a
 * stretch's tiles.
 */
static uint64_t spine_rounds_of(const tally_limits *limits, const tally_staged *it) {
    const uint64_t group = tally_staged_spine_group(limits, it);
    const uint64_t at_once = (uint64_t)limits->units * TALLY_SCAN_SPINE_ITEMS / group;
    return tally_plan_parts(tally_plan_parts(lines_of(it), TALLY_SPINE_COLUMNS), at_once) *
           tally_plan_parts(spine_parts_of(limits, it), group / TALLY_SPINE_COLUMNS);
}

/*
 * Whether boxes may be the units of a chain: of as many spans as divide a tile, of no more lines
 * than work-items look for, and with words that have room in a board, of which a bound is counted:
 * a run more of spans stands for what the levels above round up. Large groups look longer, as a
 * compute unit has few of them.
 */
static bool can_chain(const tally_limits *limits, const tally_staged *it) {
    uint64_t terms = it->size[0], lines = tally_staged_lines(it);
    uint64_t units = tally_staged_boxes(it) * tally_staged_pieces(it);
    uint64_t state = it->wish.bytes == 8 ? 8 : 4; /* bytes, two words of half as many or less */
    bool divides = terms >= TALLY_SPAN && terms <= TALLY_TILE && (terms & (terms - 1)) == 0;
    if (!limits->single_pass || !divides || lines > it->group || it->group > TALLY_WIDE_GROUP ||
        units > TALLY_SCAN_JOBS)
        return false;
    uint64_t spans = tally_plan_parts(it->wish.axis[0].size, TALLY_SPAN) + TALLY_RUN;
    uint64_t words = lines_of(it) * (spans + spans / TALLY_RUN * 2) + units;
    return words * 2 * state <= TALLY_SCAN_BOARD_MAX;
}

/*
 * Whether lines may be cut so. A spine of spans has lines side by side for each group: of few it is
 * too slow. Groups that fold what comes before their pieces do so in a few rounds; of many lines
 * they would wait long for a tile's boxes besides, one after the other.
 */
static bool is_fit(const tally_staged *it) {
    if (it->chains)
        return true;
    const bool few = tally_staged_lines(it) <= TALLY_SCAN_STAGED_FEW;
    if (it->follows)
        return rounds_of(it) <= TALLY_SCAN_STAGED_ROUNDS && (it->parts || few);
    return !it->parts || !few;
}

/*
 * The cost with that of the launches. Few long lines may be spread over groups piece by piece. A
 * chain of these is one launch, in which each group waits for what it looks for, however large its
 * unit is. Else lines are read twice: with a spine of tiles or of spans in two launches more, or in
 * one, where each group reads the dwords of what is before it.
 */
static uint64_t cost_of(const tally_limits *limits, const tally_staged *it) {
    uint64_t cost = box_cost(limits, it);
    uint64_t launches = TALLY_SCAN_STAGED_LAUNCHES * limits->units / bytes_of(it);
    if (!it->pieces)
        return cost;
    if (it->chains)
        return cost + TALLY_SCAN_STAGED_LOOK / (it->size[0] * it->wish.bytes) + launches / 2;
    if (!it->follows && !it->parts)
        return 2 * cost + launches;
    if (!it->follows)
        return cost + cost / 2 + launches + launches * spine_rounds_of(limits, it) / 2;
    uint64_t words = tally_staged_pieces(it) * 8 / it->wish.bytes;
    return cost + cost / 2 + launches * (2 + rounds_of(it)) / 4 +
           words / (it->parts ? 1 : TALLY_RUN);
}

uint64_t tally_staged_choose_pieces(const tally_limits *limits, tally_staged *it) {
    static const struct {
        uint64_t least;
        bool parts, follows, chains;
    } ways[] = {{TALLY_TILE, false, false, false},
                {TALLY_TILE, false, true, false},
                {TALLY_SPAN, true, false, false},
                {TALLY_SPAN, true, true, false},
                {TALLY_SPAN, true, false, true}};
    uint64_t cost = cost_of(limits, it), terms = it->wish.axis[0].size;
    tally_staged best = *it;
    for (size_t w = 0; w < sizeof ways / sizeof ways[0] && it->size[0] < terms; w++) {
        tally_staged way = *it;
        way.pieces = true;
        way.parts = ways[w].parts;
        way.follows = ways[w].follows;
        way.chains = ways[w].chains;
        if (way.chains && !can_chain(limits, &way))
            continue;
        if (terms <= ways[w].least || !is_fit(&way))
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
