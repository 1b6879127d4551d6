/*
 * The planner of scans that go down strips of columns: how wide a strip is, and how large a group,
 * so that compute units have many work-items and few of them idle; and how narrow packs are for
 * that.
 */
#include "cl/core/order.h"
#include "plan/scan/columns.h"
#include "plan/tuning.h"

/* Bytes of a strip's row at most, of packs of so many, which work-items share each span of. */
static uint64_t widest_row(const tally_step *step, const tally_dtype_row *type, uint64_t pack) {
    const tally_scan_columns_args *args = &step->args.scan_columns;
    uint64_t runs = args->terms > TALLY_RUN ? tally_plan_parts(args->terms, TALLY_RUN) : 1;
    uint64_t packs = TALLY_SCAN_COLUMNS_GROUP / tally_plan_least(runs, TALLY_RUN);
    return tally_plan_least(tally_plan_least(packs * pack, TALLY_SCAN_STRIP_BYTES),
                            args->columns * type->bytes);
}

void tally_columns_narrow_packs(const tally_limits *limits, tally_step *step,
                                const tally_dtype_row *type) {
    tally_scan_columns_policy *policy = &step->spec.policy.scan_columns;
    const bool loose = tally_columns_aligned(step, type) < 16 &&
                       4 * widest_row(step, type, 8) >= 3 * widest_row(step, type, 16);
    while (policy->results == TALLY_SIDE_BY_SIDE && policy->pack > tally_columns_least_pack(type)) {
        uint64_t items = tally_columns_items(step, type) / limits->units;
        if (items >=
            (loose && policy->pack == 16 ? TALLY_SCAN_LOOSE_ITEMS : TALLY_SCAN_COLUMNS_ITEMS))
            return;
        policy->pack /= 2;
    }
}

uint64_t tally_columns_team_width(uint64_t packs, uint64_t most, uint64_t sector) {
    uint64_t team_width = tally_plan_parts(packs, tally_plan_parts(packs, most));
    uint64_t whole = tally_plan_parts(team_width, sector) * sector;
    return whole <= most ? whole : team_width;
}

/* Groups that a compute unit has at a time: as many as there are registers for, about. */
static uint64_t groups_at_once(const tally_step *step, const tally_dtype_row *type) {
    uint64_t columns = step->spec.policy.scan_columns.pack / type->bytes;
    uint64_t registers = TALLY_RUN * columns * type->compute_bytes / 4 +
                         (type->bytes < 4 ? TALLY_SCAN_NARROW_REGISTERS : TALLY_SCAN_REGISTERS);
    uint64_t groups = TALLY_UNIT_REGISTERS / registers / step->spec.group;
    return groups > 0 ? groups : 1;
}

/* Groups of a step; a group of several strips has them side by side. */
static uint64_t groups_of(const tally_step *step) {
    const tally_scan_columns_args *args = &step->args.scan_columns;
    return tally_plan_parts(args->head.units, step->spec.group / (args->team_width * args->slices));
}

/*
 * Work-items with a strip that a compute unit has at a time, fewer if the last round of groups is
 * not full: such a round takes half as long as others at least. Fewer, too, for the sectors that a
 * row of a strip shares with its neighbours. In parts of 256.
 */
static uint64_t busy_items(const tally_limits *limits, const tally_step *step,
                           const tally_dtype_row *type) {
    const tally_scan_columns_args *args = &step->args.scan_columns;
    uint64_t strip = args->team_width * args->slices, groups = groups_of(step);
    uint64_t at_once = groups_at_once(step, type), slots = limits->units * at_once;
    uint64_t rounds = groups / slots, last = 16 * (groups % slots) / slots;
    if (groups % slots > 0 && last < 8)
        last = 8;
    uint64_t time = rounds > 0 ? 16 * rounds + last : 16;
    uint64_t row = args->team_width * step->spec.policy.scan_columns.pack;
    uint64_t items = at_once * (step->spec.group / strip) * strip;
    return items * 256 * groups / slots * 16 / time * row / (row + TALLY_SECTOR);
}

void tally_columns_set_width(tally_step *step, uint64_t packs, uint64_t most, uint64_t sector) {
    tally_scan_columns_args *args = &step->args.scan_columns;
    args->team_width = tally_columns_team_width(packs, most, sector);
    args->head.units = args->rows / args->columns * tally_plan_parts(packs, args->team_width);
}

/* Groups of one strip, or of several, as large as they need be: the best one so far. */
static void try_groups(const tally_limits *limits, const tally_dtype_row *type, uint64_t group,
                       tally_step *tried, tally_step *best, uint64_t *most) {
    const tally_scan_columns_args *args = &tried->args.scan_columns;
    uint64_t strip = args->team_width * args->slices;
    for (uint64_t items = strip; items <= group; items += strip) {
        uint64_t whole = tally_plan_parts(items, TALLY_SCAN_GROUP_STEP) * TALLY_SCAN_GROUP_STEP;
        tried->spec.group = (uint16_t)tally_plan_least(whole, group);
        uint64_t busy = busy_items(limits, tried, type);
        if (busy <= *most)
            continue;
        *best = *tried;
        *most = busy;
    }
}

void tally_columns_fit_groups(const tally_limits *limits, tally_step *step,
                              const tally_dtype_row *type, uint64_t packs, uint64_t most) {
    const uint64_t sector = TALLY_SECTOR / step->spec.policy.scan_columns.pack;
    const bool few = groups_of(step) < 2 * limits->units * groups_at_once(step, type);
    const uint64_t least = few ? most / 2 : most;
    tally_step best = *step, tried = *step;
    uint64_t busy = busy_items(limits, step, type) * TALLY_SCAN_GROUP_WORTH / 8;
    for (uint64_t width = most; width >= sector && width >= least; width -= sector) {
        tally_columns_set_width(&tried, packs, width, sector);
        try_groups(limits, type, step->spec.group, &tried, &best, &busy);
    }
    *step = best;
}
