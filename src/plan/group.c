/*
 * The units that a group works on at a time, a row for each schedule that has several.
 */
#include "plan/group.h"

#include "cl/core/order.h"
#include "model/dtype.h"
#include "plan/tuning.h"

uint64_t tally_row_mates(const tally_spec *spec) {
    const tally_fold_rows_policy *policy = &spec->policy.fold_rows;
    return spec->first && tally_spec_is_exact(spec) && policy->one_block == 0
               ? TALLY_ROW_MATES
               : TALLY_LANES / (uint64_t)policy->lanes_per_item;
}

uint64_t tally_short_rows_runs(const tally_spec *spec) {
    uint64_t run = (uint64_t)TALLY_RUN * tally_dtype_find(spec->input)->bytes;
    if (spec->policy.scan_short_rows.row_terms == 0)
        return spec->policy.scan_short_rows.runs_per_item;
    return TALLY_ONE_RUN_BYTES > run ? TALLY_ONE_RUN_BYTES / run : 1;
}

uint64_t tally_unit_terms(const tally_spec *spec) {
    return (uint64_t)spec->group * spec->policy.scan_rows.runs_per_item * TALLY_RUN;
}

/* ---- Units at a time ----------------------------------------------------------------------- */

uint64_t tally_slots_any(const tally_step *step) {
    return step->spec.policy.fold_any.outputs_at_once;
}

uint64_t tally_slots_rows(const tally_step *step) {
    const tally_fold_rows_policy *policy = &step->spec.policy.fold_rows;
    return policy->whole_rows
               ? 1
               : step->spec.group / tally_row_mates(&step->spec) * policy->blocks_per_item;
}

static uint64_t teams(const tally_step *step, uint64_t team_width, uint64_t slices) {
    return team_width * slices > 0 ? step->spec.group / (team_width * slices) : 0;
}

uint64_t tally_slots_columns(const tally_step *step) {
    return teams(step, step->args.fold_team.team_width, step->args.fold_team.slices);
}

uint64_t tally_slots_outputs(const tally_step *step) {
    if (step->spec.policy.fold_outputs.crossed)
        return step->spec.group;
    return tally_slots_columns(step) * step->args.fold_team.team_width;
}

uint64_t tally_slots_strips(const tally_step *step) {
    return step->spec.phase == TALLY_SPINE
               ? 1
               : teams(step, step->args.scan_columns.team_width, step->args.scan_columns.slices);
}

uint64_t tally_slots_fold_grain(const tally_step *step) {
    return step->args.fold_cpu.grain;
}

uint64_t tally_slots_scan_grain(const tally_step *step) {
    return step->args.scan_cpu.grain;
}

uint64_t tally_slots_chunks_grain(const tally_step *step) {
    return step->args.fill_cpu_chunks.grain;
}

uint64_t tally_slots_lines_grain(const tally_step *step) {
    return step->args.fill_cpu_lines.grain;
}

uint64_t tally_slots_box_grain(const tally_step *step) {
    return step->args.fill_cpu_box.grain;
}

uint64_t tally_slots_one(const tally_step *step) {
    (void)step;
    return 0;
}

uint64_t tally_group_slots(const tally_step *step) {
#define TALLY_SCHEDULE(enumerator, name, kind, args, policy, slots, ...)                           \
    [TALLY_##enumerator] = tally_slots_##slots,
    static uint64_t (*const slots_of[TALLY_SCHEDULES])(const tally_step *) = {
#include "plan/schedule.def"
    };
#undef TALLY_SCHEDULE
    return slots_of[step->spec.schedule](step);
}
