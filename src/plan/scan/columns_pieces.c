/*
 * The planner of scans down few long columns: pieces of them are spread over groups, in launches
 * that cl/kernel/scan_columns_passes.cl describes.
 */
#include "cl/core/order.h"
#include "plan/group.h"
#include "plan/scan/columns.h"
#include "plan/scan/tuning.h"

/* Whether columns are whole strips of TALLY_SCAN_STRIPS_EVEN bytes, of whole sectors. */
static bool has_even_strips(const tally_step *step, const tally_dtype_row *type) {
    const tally_scan_columns_args *args = &step->args.scan_columns;
    return step->spec.policy.scan_columns.results == TALLY_SIDE_BY_SIDE &&
           args->columns * type->bytes % TALLY_SCAN_STRIPS_EVEN == 0 &&
           tally_columns_aligned(step, type) >= TALLY_SECTOR;
}

/*
 * The pack of pieces. Where combining rounds each column takes registers for its levels, so it is
 * the least, or 8 bytes where these make strips even; and of bytes, of which packs have many
 * columns, and where work-items would be few; half of 16 bytes where these are moved by elements.
 */
static void set_piece_pack(const tally_problem *problem, const tally_limits *limits,
                           tally_step *step, const tally_dtype_row *type) {
    tally_scan_columns_policy *policy = &step->spec.policy.scan_columns;
    const tally_scan_columns_args *args = &step->args.scan_columns;
    uint64_t tiles = tally_plan_parts(args->terms, TALLY_TILE),
             aligned = tally_columns_aligned(step, type);
    uint64_t enough = (uint64_t)limits->units * TALLY_SCAN_STRIPS_FEW;
    bool exact = tally_problem_is_exact(problem);
    if (!exact && policy->pack > 8)
        policy->pack = 8;
    if ((!exact && !has_even_strips(step, type)) || type->bytes == 1 ||
        tally_columns_items(step, type) * tiles < enough)
        policy->pack = tally_columns_least_pack(type);
    else if (policy->results == TALLY_SIDE_BY_SIDE && policy->pack > 8 && aligned < policy->pack)
        policy->pack /= 2;
}

/* Work-items that have a run of each column of a strip. */
static uint64_t strip_items(const tally_step *step) {
    return step->args.scan_columns.team_width * TALLY_RUN;
}

/* Whether what all tiles of a strip came to has room in a group's local memory. */
static bool is_followed(const tally_limits *limits, const tally_step *step,
                        const tally_dtype_row *type) {
    const tally_scan_columns_args *args = &step->args.scan_columns;
    uint64_t width = args->team_width * (step->spec.policy.scan_columns.pack / type->bytes);
    tally_spec spec = step->spec;
    spec.policy.scan_columns.spans_at_once = 0;
    spec.group = (uint16_t)strip_items(step);
    spec.phase = TALLY_FOLLOW;
    return (args->tiles_per_row + TALLY_RUN) * width * type->compute_bytes <=
               TALLY_FOLLOWED_BYTES &&
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

/* Whether the groups of a spine of spans fold tiles a few times. */
static bool has_short_spine(const tally_step *step) {
    uint64_t at_once = strip_items(step) / TALLY_SPINE_COLUMNS;
    return step->args.scan_columns.tiles_per_row <= at_once * TALLY_SCAN_SPINE_ROUNDS;
}

/*
 * Choose what a unit is, and the spans that a group has at a time: a tile, or a part of one where
 * work-items would be few, or each had a span at a time only. Returns whether groups fold what
 * comes before their pieces: not of so many spans that a spine takes less time.
 */
static bool set_pieces(const tally_limits *limits, tally_step *step, const tally_dtype_row *type) {
    tally_scan_columns_policy *policy = &step->spec.policy.scan_columns;
    tally_scan_columns_args *args = &step->args.scan_columns;
    uint64_t width = args->team_width * (policy->pack / type->bytes), spans = 1;
    uint64_t lines = args->rows / args->columns * tally_plan_parts(args->columns, width);
    uint64_t items = lines * args->tiles_per_row * strip_items(step);
    bool staged = policy->results == TALLY_RESULTS_STAGED;
    bool follows = is_followed(limits, step, type), few_tiles = has_short_spine(step);
    bool few = items < (uint64_t)limits->units * TALLY_SCAN_STRIPS_PARTS;
    policy->tile_parts =
        few ? follows || (few_tiles && args->tiles_per_row > 1) : follows && staged;
    while (!policy->tile_parts && has_room(limits, step, spans, type) &&
           items * 2 * spans <= (uint64_t)limits->units * TALLY_SCAN_STRIPS_ITEMS)
        spans *= 2;
    policy->spans_at_once = (uint16_t)(spans > 1 ? spans : 0);
    args->slices = spans * TALLY_RUN;
    step->spec.group = (uint16_t)(args->team_width * args->slices);
    uint64_t piece = policy->tile_parts ? spans * TALLY_SPAN : TALLY_TILE;
    args->head.units = lines * tally_plan_parts(args->terms, piece);
    return follows &&
           (!policy->tile_parts || !few_tiles || args->tiles_per_row <= TALLY_SCAN_STRIPS_FOLLOWED);
}

/* Packs of a strip, at most. */
static uint64_t widest_strip(const tally_limits *limits, const tally_step *step,
                             const tally_dtype_row *type) {
    const tally_scan_columns_policy *policy = &step->spec.policy.scan_columns;
    uint64_t most = TALLY_SCAN_STRIP_BYTES / policy->pack;
    if (policy->pack == 16 && has_even_strips(step, type))
        most = TALLY_SCAN_STRIPS_EVEN / policy->pack;
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
 * them without columns, or have whole tiles. One that has all columns is exactly as wide.
 */
static bool set_strips(const tally_limits *limits, tally_step *step, const tally_dtype_row *type) {
    const tally_scan_columns_policy *policy = &step->spec.policy.scan_columns;
    tally_scan_columns_args *args = &step->args.scan_columns;
    uint64_t packs = tally_plan_parts(args->columns, policy->pack / type->bytes);
    uint64_t most = widest_strip(limits, step, type), sector = TALLY_SECTOR / policy->pack;
    args->tiles_per_row = tally_plan_parts(args->terms, TALLY_TILE);
    args->stretches_per_row = tally_plan_parts(args->terms, TALLY_STRETCH);
    args->team_width = packs <= most ? packs : tally_columns_team_width(packs, most, sector);
    bool follows = set_pieces(limits, step, type);
    while (most / 2 >= sector && wants_narrower(limits, step)) {
        most /= 2;
        uint64_t team_width = packs <= most ? packs : tally_columns_team_width(packs, most, sector);
        if (team_width * tally_plan_parts(packs, team_width) * 4 > packs * 5)
            break;
        const tally_step wider = *step;
        args->team_width = team_width;
        bool narrower_follows = set_pieces(limits, step, type);
        if (wider.spec.policy.scan_columns.tile_parts > policy->tile_parts) {
            *step = wider;
            break;
        }
        follows = narrower_follows;
    }
    return follows;
}

void tally_columns_spread(const tally_problem *problem, const tally_limits *limits,
                          tally_plan *plan) {
    tally_step base = plan->step[0];
    tally_scan_columns_policy *policy = &base.spec.policy.scan_columns;
    tally_scan_columns_args *args = &base.args.scan_columns;
    const tally_dtype_row *type = tally_dtype_find(problem->input);
    policy->carry = TALLY_CARRY_TWO_PASSES;
    base.spec.word = (uint8_t)type->compute_bytes;
    tally_columns_stage(limits, &base, type);
    set_piece_pack(problem, limits, &base, type);
    bool follows = set_strips(limits, &base, type);
    uint64_t width = args->team_width * (policy->pack / type->bytes);
    uint64_t outer = args->rows / args->columns;
    uint64_t columns = tally_plan_parts(args->columns, width) * width;
    args->stretches = base.args.head.units / (columns / width) * columns *
                      (policy->tile_parts ? args->slices / TALLY_RUN : 1);
    uint64_t words = args->stretches + (follows ? 0 : outer * args->stretches_per_row * columns);
    plan->scratch = tally_plan_scratch(words * base.spec.word);
    uint64_t units[TALLY_PHASES] = {0};
    units[TALLY_TOTALS] = units[TALLY_APPLY] = units[TALLY_FOLLOW] = base.args.head.units;
    units[TALLY_SPINE] = outer * tally_plan_parts(columns, TALLY_SPINE_COLUMNS);
    tally_plan_launches(base,
                        follows ? 1u << TALLY_TOTALS | 1u << TALLY_FOLLOW
                                : tally_carry_phases(TALLY_CARRY_TWO_PASSES),
                        units, plan);
}
