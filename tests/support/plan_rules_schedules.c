/*
 * plan_rules_schedules.c: what the kernels of the schedules take for granted, worked out from what
 * is said at the head of each file of cl/.
 */
#include "model/dtype.h"
#include "number.h"
#include "plan_rules_parts.h"

/* Numbers of the order and of the kernels, written once more. */
#define LANES 128
#define PACK_BYTES 16
#define TILE_BYTES 12288

uint32_t plan_rules_group_max(uint8_t schedule) {
    static const uint32_t most[TALLY_SCHEDULES] = {
        [TALLY_FOLD_TEAM] = LANES, [TALLY_FOLD_ROWS] = 256,   [TALLY_FOLD_COLUMNS] = 256,
        [TALLY_FOLD_TILE] = 256,   [TALLY_SCAN_TEAM] = LANES,
    };
    return most[schedule];
}

bool plan_rules_is_wide(uint8_t schedule) {
    return plan_rules_group_max(schedule) > LANES;
}

static uint64_t pack_of(const tally_spec *spec) {
    return PACK_BYTES / number_bytes((tally_dtype)spec->input);
}

/* Units of a group at a time. */
uint64_t plan_rules_slots(const tally_step *step) {
    const tally_fold_args *args = &step->args.fold;
    if (step->spec.schedule == TALLY_FOLD_ROWS)
        return (uint64_t)step->spec.group * step->spec.each / LANES;
    if (step->spec.schedule == TALLY_FOLD_COLUMNS)
        return args->across * args->slices == 0 ? 0
                                                : step->spec.group / (args->across * args->slices);
    return 1;
}

uint64_t plan_rules_local_bytes(const tally_step *step) {
    const tally_spec *spec = &step->spec;
    const uint64_t compute = tally_dtype_find((tally_dtype)spec->input)->compute_bytes;
    const uint64_t state = tally_spec_state_bytes(spec);
    switch (spec->schedule) {
    case TALLY_FOLD_TEAM:
        return LANES * state;
    case TALLY_FOLD_ROWS:
        return plan_rules_slots(step) * LANES * state;
    case TALLY_FOLD_COLUMNS:
        return pack_of(spec) * spec->group * state;
    case TALLY_FOLD_TILE:
        return UINT64_C(2) * TILE_BYTES;
    default: /* a scan */
        return (256 + 17) * compute;
    }
}

/* ---- Wide folds ---------------------------------------------------------------------------- */

static bool is_power_of_two(uint64_t n) {
    return n > 0 && (n & (n - 1)) == 0;
}

/* As many lanes as matter: all, or no fewer than terms. */
static bool are_enough_lanes(uint64_t lanes, uint64_t terms) {
    return is_power_of_two(lanes) && lanes <= LANES && lanes >= (terms < LANES ? terms : LANES);
}

static const char *broken_rows(const tally_step *step) {
    const tally_fold_args *args = &step->args.fold;
    if (args->swept_in[step->spec.swept_rank - 1] != 1)
        return "a row's terms lie side by side";
    if (step->spec.each != pack_of(&step->spec) || args->across != 0 || args->slices != 0)
        return "a work-item of rows has the lanes of 16 bytes";
    return args->head.units != args->outputs * args->blocks ? "each block of each row is a unit"
                                                            : NULL;
}

static const char *broken_columns(const tally_step *step) {
    const tally_fold_args *args = &step->args.fold;
    const tally_spec *spec = &step->spec;
    const uint64_t columns = args->kept_size[spec->kept_rank - 1];
    const uint64_t width = args->across * pack_of(spec);
    if (args->kept_in[spec->kept_rank - 1] != 1 || args->outputs % columns != 0)
        return "columns lie side by side";
    if (width == 0 || args->across * args->slices > spec->group)
        return "a strip of columns fits a group";
    if (!is_power_of_two(spec->each) || spec->each > 16 ||
        !are_enough_lanes(args->slices * spec->each, args->terms))
        return "the lanes of a block are dealt to its work-items";
    const uint64_t strips = columns / width + (columns % width != 0);
    return args->head.units != args->outputs / columns * strips * args->blocks
               ? "each block of each strip of columns is a unit"
               : NULL;
}

static const char *broken_tile(const tally_step *step) {
    const tally_fold_args *args = &step->args.fold;
    uint64_t stride = args->terms;
    if (args->swept_in[step->spec.swept_rank - 1] != 1)
        return "a row's terms lie side by side";
    for (uint32_t k = step->spec.kept_rank; k-- > 0; stride *= args->kept_size[k])
        if (args->kept_size[k] > 1 && args->kept_in[k] != stride)
            return "a tile's rows lie one after the other";
    if (args->across == 0 ||
        args->across * args->terms * tally_spec_state_bytes(&step->spec) > TILE_BYTES)
        return "a tile's rows fit the local memory";
    if (step->spec.each != 0 || args->terms > LANES || args->blocks != 1 ||
        !are_enough_lanes(args->slices, args->terms))
        return "a tile's rows have a lane for each term";
    return args->head.units != (args->outputs - 1) / args->across + 1
               ? "each row is in a tile, and each tile has one"
               : NULL;
}

/* One block of one output for a unit. */
static const char *broken_plain(const tally_step *step) {
    const tally_fold_args *args = &step->args.fold;
    if (args->head.units != args->outputs * args->blocks)
        return "each block of each output is a unit";
    return step->spec.each != 0 || args->across != 0 || args->slices != 0
               ? "what a schedule has no use for is 0"
               : NULL;
}

const char *plan_rules_schedule(const tally_problem *problem, const tally_step *step) {
    static const char *(*const rules[TALLY_SCHEDULES])(const tally_step *) = {
        [TALLY_FOLD_ITEM] = broken_plain, [TALLY_FOLD_TEAM] = broken_plain,
        [TALLY_FOLD_ROWS] = broken_rows,  [TALLY_FOLD_COLUMNS] = broken_columns,
        [TALLY_FOLD_TILE] = broken_tile,
    };
    const bool slotted =
        step->spec.schedule == TALLY_FOLD_ROWS || step->spec.schedule == TALLY_FOLD_COLUMNS;
    if (slotted ? step->slots != plan_rules_slots(step) : step->slots > 1)
        return "a step knows how many units its groups work on at a time";
    if (plan_rules_is_wide(step->spec.schedule) &&
        (!step->spec.first || problem->groups == 0 || problem->swept[0].count != 1))
        return "wide groups read elements along one swept axis";
    return rules[step->spec.schedule](step);
}
