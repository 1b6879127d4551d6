/*
 * The units that a group works on at a time, a row for each schedule that has several.
 */
#include "plan/group.h"

#include "cl/order.h"
#include "model/dtype.h"
#include "plan/tuning.h"

uint64_t tally_row_mates(const tally_spec *spec) {
    const tally_fold_rows_policy *policy = &spec->policy.fold_rows;
    return spec->first && tally_spec_is_exact(spec) && policy->one_block == 0
               ? TALLY_ROW_MATES
               : TALLY_LANES / (uint64_t)policy->lanes_each;
}

uint64_t tally_tile_runs(const tally_spec *spec) {
    uint64_t run = (uint64_t)TALLY_RUN * tally_dtype_find(spec->input)->bytes;
    if (spec->policy.scan_tile.row_terms == 0)
        return spec->policy.scan_tile.runs_each;
    return TALLY_ONE_RUN_BYTES > run ? TALLY_ONE_RUN_BYTES / run : 1;
}

uint64_t tally_unit_terms(const tally_spec *spec) {
    return (uint64_t)spec->group * spec->policy.scan_rows.runs_each * TALLY_RUN;
}

/* ---- Units at a time ----------------------------------------------------------------------- */

static uint64_t rows(const tally_step *step) {
    const tally_fold_rows_policy *policy = &step->spec.policy.fold_rows;
    return policy->whole_rows
               ? 1
               : step->spec.group / tally_row_mates(&step->spec) * policy->blocks_each;
}

static uint64_t teams(const tally_step *step, uint64_t across, uint64_t down) {
    return across * down > 0 ? step->spec.group / (across * down) : 0;
}

static uint64_t columns(const tally_step *step) {
    return teams(step, step->args.fold_team.across, step->args.fold_team.down);
}

static uint64_t sets(const tally_step *step) {
    return step->spec.group / step->args.fold_sets.mates;
}

static uint64_t outputs(const tally_step *step) {
    if (step->spec.policy.fold_outputs.crossed)
        return step->spec.group;
    return columns(step) * step->args.fold_team.across;
}

static uint64_t strips(const tally_step *step) {
    return step->spec.phase == TALLY_SPINE
               ? 1
               : teams(step, step->args.scan_columns.across, step->args.scan_columns.down);
}

static uint64_t fold_turn(const tally_step *step) {
    return step->args.fold_cpu.turn;
}

static uint64_t scan_turn(const tally_step *step) {
    return step->args.scan_cpu.turn;
}

static uint64_t chunks_turn(const tally_step *step) {
    return step->args.band_cpu_chunks.turn;
}

static uint64_t lines_turn(const tally_step *step) {
    return step->args.band_cpu_lines.turn;
}

static uint64_t tile_turn(const tally_step *step) {
    return step->args.band_cpu_tile.turn;
}

uint64_t tally_group_slots(const tally_step *step) {
    static uint64_t (*const slots[TALLY_SCHEDULES])(const tally_step *) = {
        [TALLY_FOLD_ROWS] = rows,
        [TALLY_FOLD_COLUMNS] = columns,
        [TALLY_FOLD_SETS] = sets,
        [TALLY_FOLD_OUTPUTS] = outputs,
        [TALLY_FOLD_CPU_ROWS] = fold_turn,
        [TALLY_FOLD_CPU_MAP] = fold_turn,
        [TALLY_FOLD_CPU_TILE] = fold_turn,
        [TALLY_FOLD_CPU_SLAB] = fold_turn,
        [TALLY_FOLD_CPU_COLUMNS] = fold_turn,
        [TALLY_FOLD_CPU_SPACED] = fold_turn,
        [TALLY_FOLD_CPU_PANEL] = fold_turn,
        [TALLY_SCAN_COLUMNS] = strips,
        [TALLY_SCAN_CPU_ROWS] = scan_turn,
        [TALLY_SCAN_CPU_TILE] = scan_turn,
        [TALLY_SCAN_CPU_COLUMNS] = scan_turn,
        [TALLY_SCAN_CPU_PANEL] = scan_turn,
        [TALLY_BAND_CPU_CHUNKS] = chunks_turn,
        [TALLY_BAND_CPU_LINES] = lines_turn,
        [TALLY_BAND_CPU_TILE] = tile_turn,
    };
    return slots[step->spec.schedule] != NULL ? slots[step->spec.schedule](step) : 0;
}
