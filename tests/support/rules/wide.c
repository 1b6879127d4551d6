/*
 * wide.c: what the kernels that move 16 bytes for each work-item take for granted, worked out from
 * what is said at the head of each file of cl/: rows, columns, sets of these, and short rows. Those
 * of fold_outputs are outputs.c's.
 */
#include "parts.h"

/* As many lanes as matter: all, or no fewer than terms. */
static bool are_enough_lanes(uint64_t lanes, uint64_t terms) {
    return plan_rules_is_power_of_two(lanes) && lanes <= LANES &&
           lanes >= (terms < LANES ? terms : LANES);
}

static uint64_t swept_stride(const tally_step *step) {
    return step->args.fold.swept_in[step->spec.swept_rank - 1];
}

/* ---- Rows ----------------------------------------------------------------------------------- */

/* A kernel that has so many stripes of a row under way leaves none out, and tests but half. */
static bool are_stripes(uint64_t stripes, uint64_t terms) {
    if (terms >= LANE_RUN * LANES)
        return stripes == 0;
    return plan_rules_is_power_of_two(stripes) && terms >= LANES && terms <= stripes * LANES &&
           (stripes == 1 || terms > stripes / 2 * LANES);
}

static const char *broken_rows(const tally_step *step) {
    const tally_fold_args *args = &step->args.fold;
    if (swept_stride(step) != 1 || !plan_rules_is_power_of_two(step->spec.policy.fold_rows.pack))
        return "a row's terms lie side by side, and come by a power of two of bytes";
    if (step->spec.policy.fold_rows.lanes_per_item !=
        plan_rules_elements(&step->spec, step->spec.policy.fold_rows.pack))
        return "a work-item of rows has the lanes of what it loads at once";
    if (step->spec.policy.fold_rows.one_block != (args->terms <= BLOCK))
        return "a kernel knows whether a row is one block";
    if (!are_stripes(step->spec.policy.fold_rows.stripes, args->terms))
        return "a kernel knows how many stripes have room for a row without a lane run";
    if (!plan_rules_is_power_of_two(step->spec.policy.fold_rows.blocks_per_item))
        return "work-items of rows take a power of two of blocks before they combine them";
    return args->head.units != args->outputs * args->blocks ? "each block of each row is a unit"
                                                            : NULL;
}

static const char *broken_whole_rows(const tally_step *step) {
    const tally_fold_rows_args *args = &step->args.fold_rows;
    const tally_spec *spec = &step->spec;
    if (spec->first &&
        (swept_stride(step) != 1 || spec->policy.fold_rows.lanes_per_item !=
                                        plan_rules_elements(spec, spec->policy.fold_rows.pack)))
        return "a work-item of whole rows has the lanes of what it loads at once, side by side";
    if (!plan_rules_is_power_of_two(spec->policy.fold_rows.lanes_per_item) ||
        spec->group * spec->policy.fold_rows.lanes_per_item < LANES)
        return "a group of whole rows has all lanes of a block at least";
    if (spec->policy.fold_rows.one_block != 0 || spec->policy.fold_rows.blocks_per_item != 0 ||
        spec->policy.fold_rows.stripes != 0)
        return "what a schedule has no use for is 0";
    if (args->blocks != 1 || args->terms <= BLOCK || args->row_blocks > TALLY_WHOLE_BLOCKS ||
        args->row_blocks != (args->terms - 1) / plan_rules_block(spec) + 1)
        return "a whole row is all of its blocks, of which a group combines so many";
    return args->head.units != args->outputs ? "each whole row is a unit" : NULL;
}

bool plan_rules_is_whole(const tally_spec *spec) {
    return spec->schedule == TALLY_FOLD_ROWS && spec->policy.fold_rows.whole_rows != 0;
}

const char *plan_rules_of_fold_rows(const plan_rules_case *it) {
    return plan_rules_is_whole(&it->step->spec) ? broken_whole_rows(it->step)
                                                : broken_rows(it->step);
}

/* ---- Columns -------------------------------------------------------------------------------- */

/* Terms of columns dealt to the work-items that share a block. */
static const char *broken_lanes(const tally_step *step) {
    const tally_fold_team_args *args = &step->args.fold_team;
    const tally_spec *spec = &step->spec;
    const uint64_t lanes = args->slices * spec->policy.fold_columns.lanes_per_item;
    const uint64_t block = args->terms < BLOCK ? args->terms : BLOCK;
    if (!plan_rules_is_power_of_two(spec->policy.fold_columns.lanes_per_item) ||
        !plan_rules_is_power_of_two(args->slices) || lanes > LANES)
        return "lanes are a power of two, 128 at most";
    if (spec->policy.fold_columns.whole_block != (args->slices == 1))
        return "a work-item that shares no block is alone";
    if (tally_spec_is_exact(spec))
        return spec->policy.fold_columns.lanes_per_item == 1 && args->slices > 1
                   ? NULL
                   : "exact combining keeps no lanes apart, and shares blocks";
    if (!are_enough_lanes(lanes, args->terms))
        return "the lanes of a block are dealt to its work-items";
    return spec->policy.fold_columns.whole_block && block > lanes
               ? "one work-item alone has a term for each lane at most"
               : NULL;
}

const char *plan_rules_of_fold_columns(const plan_rules_case *it) {
    const tally_step *step = it->step;
    const tally_fold_team_args *args = &step->args.fold_team;
    const tally_spec *spec = &step->spec;
    const uint64_t columns = args->kept_size[spec->kept_rank - 1];
    const uint64_t pack = plan_rules_elements(spec, spec->policy.fold_columns.pack),
                   width = args->team_width * pack;
    if (args->kept_in[spec->kept_rank - 1] != 1 || args->outputs % columns != 0)
        return "columns lie side by side";
    if (!plan_rules_is_power_of_two(pack) || spec->policy.fold_columns.pack > 16)
        return "up to 16 bytes of columns are loaded at once";
    if (width == 0 || args->team_width * args->slices > spec->group)
        return "a strip of columns fits a group";
    const uint64_t strips = columns / width + (columns % width != 0);
    if (args->head.units != args->outputs / columns * strips * args->blocks)
        return "each block of each strip of columns is a unit";
    return broken_lanes(step);
}

/* ---- Sets of columns ------------------------------------------------------------------------ */

const char *plan_rules_of_fold_sets(const plan_rules_case *it) {
    const tally_step *step = it->step;
    const tally_fold_sets_args *args = &step->args.fold_sets;
    const tally_spec *spec = &step->spec;
    const uint64_t pack = plan_rules_elements(spec, spec->policy.fold_sets.pack),
                   period = args->rows * args->columns;
    if (args->columns == 0 || swept_stride(step) != args->columns)
        return "the terms of a set's columns lie as one run";
    if (args->columns > 1 && (args->kept_in[spec->kept_rank - 1] != 1 ||
                              args->kept_size[spec->kept_rank - 1] != args->columns))
        return "a set's columns lie side by side, and are all that do";
    if (!plan_rules_is_power_of_two(pack) || spec->policy.fold_sets.pack > 16)
        return "up to 16 bytes of a set are loaded at once";
    if (args->rows == 0 || period % pack != 0)
        return "a period is rows that are whole packs";
    if (!plan_rules_is_power_of_two(spec->policy.fold_sets.lanes_per_item) ||
        LANE_RUN % spec->policy.fold_sets.lanes_per_item != 0)
        return "a work-item has a few lanes to itself";
    if (!tally_spec_is_exact(spec) &&
        !are_enough_lanes(args->rows * spec->policy.fold_sets.lanes_per_item, args->terms))
        return "the rows of a work-item's periods are the lanes of a block";
    if (args->mates == 0 || args->mates > spec->group || args->mates > period / pack)
        return "work-items that share a block have a pack of its period each";
    if (spec->group / args->mates * period > spec->policy.fold_sets.states)
        return "a group has room for the periods of its blocks";
    return args->head.units != args->outputs / args->columns * args->blocks
               ? "each block of each set is a unit"
               : NULL;
}

/* ---- Short rows ----------------------------------------------------------------------------- */

/* So many rows of that many elements lie one after the other, of the first axes. */
static bool are_packed(const tally_step *step, uint32_t axes, uint64_t length, uint64_t rows) {
    const tally_fold_args *args = &step->args.fold;
    uint64_t packed = 1;
    for (uint32_t k = axes; k-- > 0 && packed < rows; packed *= args->kept_size[k])
        if (args->kept_size[k] > 1 && args->kept_in[k] != length * packed)
            return false;
    return packed == rows;
}

/* How rows of so many elements lie in local memory. */
static const char *broken_pitch(const tally_step *step, uint64_t length, uint64_t columns) {
    const tally_fold_short_rows_args *args = &step->args.fold_short_rows;
    const bool low = step->spec.policy.fold_short_rows.of_columns != 0;
    const uint64_t packs = (low ? TALLY_SHORT_COLUMNS_BYTES : TALLY_SHORT_ROWS_BYTES) / 16;
    const uint64_t pack = plan_rules_elements(&step->spec, 16);
    const uint64_t whole = low ? columns : length;
    if (whole % pack != 0 || args->row_stride % pack != 0
            ? step->spec.policy.fold_short_rows.leaf_elements != 1
            : step->spec.policy.fold_short_rows.leaf_elements != pack)
        return "rows of whole packs are folded by packs, others by elements";
    if (step->spec.policy.fold_short_rows.leaf_elements == 1) {
        if (args->pitch_packs != 0 || args->staged_rows * args->row_stride > (packs - 1) * pack)
            return "staged rows fit the local memory, from any position of a pack on";
        return step->spec.group < 2 * (pack - 1)
                   ? "what is before and behind the packs is brought at once"
                   : NULL;
    }
    return args->pitch_packs * pack < args->row_stride ||
                   args->staged_rows * args->pitch_packs > packs
               ? "staged rows fit the local memory, with their pitch"
               : NULL;
}

/* A row for each work-item; or a work-item for each of those that share a row, with leaves of it.
 */
static const char *broken_sharers(const tally_step *step) {
    const tally_fold_short_rows_args *args = &step->args.fold_short_rows;
    const tally_fold_short_rows_policy *policy = &step->spec.policy.fold_short_rows;
    if (policy->sharers == 0)
        return NULL;
    return policy->of_columns || policy->sharers == 1 ||
                   !plan_rules_is_power_of_two(policy->sharers) ||
                   policy->sharers * args->staged_rows > step->spec.group ||
                   (uint64_t)policy->sharers * policy->leaf_elements > args->terms
               ? "each of those that share a row is a work-item, and has a leaf"
               : NULL;
}

/* Rows of one output's terms, or those of as many outputs as there are columns. */
const char *plan_rules_of_fold_short_rows(const plan_rules_case *it) {
    const tally_step *step = it->step;
    const tally_fold_short_rows_args *args = &step->args.fold_short_rows;
    const tally_spec *spec = &step->spec;
    const bool low = spec->policy.fold_short_rows.of_columns != 0;
    const uint64_t columns = low ? args->kept_size[spec->kept_rank - 1] : 1;
    const uint64_t rows = args->outputs / columns, length = args->terms * columns;
    if (swept_stride(step) != columns || args->outputs % columns != 0 ||
        (low && args->kept_in[spec->kept_rank - 1] != 1))
        return "a row's terms lie one after the other";
    if (args->packed_rows == 0 || rows % args->packed_rows != 0 || args->row_stride < length ||
        !are_packed(step, spec->kept_rank - low, args->row_stride, args->packed_rows))
        return "rows that are staged together lie one after the other, as far as from each other";
    if (args->staged_rows == 0 ||
        args->head.units !=
            rows / args->packed_rows * ((args->packed_rows - 1) / args->staged_rows + 1))
        return "each row is in a unit, and each unit has one";
    if (args->blocks != 1 || args->terms > spec->policy.fold_short_rows.terms_room ||
        spec->policy.fold_short_rows.terms_room > LANES ||
        !plan_rules_is_power_of_two(spec->policy.fold_short_rows.terms_room) ||
        spec->policy.fold_short_rows.terms_room <
            (low ? 1 : spec->policy.fold_short_rows.leaf_elements))
        return "short rows have a lane for each term";
    const char *broken = broken_sharers(step);
    return broken != NULL ? broken : broken_pitch(step, length, columns);
}

/* ---- Short rows that are scanned ------------------------------------------------------------ */

/* Where the rows lie: one after the other on both sides. */
static bool are_scanned_side_by_side(const tally_step *step) {
    const tally_scan_args *args = &step->args.scan;
    uint64_t stride = args->terms;
    if (args->axis_in != args->axis_out || (args->axis_in != 1 && args->axis_in != UINT64_MAX))
        return false;
    for (uint32_t k = step->spec.kept_rank; k-- > 0;) {
        if (args->kept_size[k] > 1 && (args->kept_in[k] != stride || args->kept_out[k] != stride))
            return false;
        stride *= args->kept_size[k];
    }
    return true;
}

const char *plan_rules_of_scan_short_rows(const plan_rules_case *it) {
    const tally_step *step = it->step;
    const tally_scan_short_rows_args *args = &step->args.scan_short_rows;
    const tally_spec *spec = &step->spec;
    const uint64_t pack = plan_rules_elements(spec, 16), runs = (args->terms + RUN - 1) / RUN;
    const uint64_t slots = spec->group * tally_short_rows_runs(spec);
    const uint64_t row_terms = spec->policy.scan_short_rows.row_terms;
    const bool one_run = runs == 1;
    if (!are_scanned_side_by_side(step))
        return "rows that are staged together lie one after the other";
    if (args->row_runs != runs || args->terms > RUN * RUN * RUN)
        return "a scanned row is so many runs, a tile of the order at most";
    if (spec->policy.scan_short_rows.pack_elements != (args->terms % pack == 0 ? pack : 1))
        return "rows of whole packs are scanned by packs, others by elements";
    if (one_run ? row_terms != args->terms || spec->policy.scan_short_rows.runs_per_item != 0
                : row_terms != 0)
        return "the length of a row of one run is compiled in";
    if (args->staged_rows < 2 || args->head.units != (args->rows - 1) / args->staged_rows + 1)
        return "each row is in a unit, and each unit has some";
    return (one_run ? args->staged_rows * args->terms > slots * RUN
                    : args->staged_rows * runs > slots)
               ? "a unit has room for its rows"
               : NULL;
}
