/*
 * Boxes of fills on GPUs, as fill_box has them: positions of the output's innermost axes.
 */
#include "plan/fill/fill.h"
#include "plan/fill/tuning.h"

void tally_plan_fill_box(const tally_limits *limits, uint32_t group, tally_step *step) {
    tally_fill_box_args *args = &step->args.fill_box;
    const uint64_t busy = (uint64_t)limits->units * group * TALLY_FILL_BUSY;
    const uint64_t groups = (uint64_t)limits->units * TALLY_FILL_BOX_GROUPS;
    const uint32_t each = args->head.units < busy ? 1 : TALLY_FILL_ITEM_PACKS;
    const uint32_t all = group * each;
    const tally_boxes boxes = tally_fill_boxes(args, step);
    tally_boxes_clear(&args->box);
    tally_positions writes = {1, all, args->box.write_box, args->box.write_pitch, false};
    while (tally_boxes_grow(&boxes, &writes, args->kept_out, all / 2)) {
    }
    const uint64_t most = tally_plan_least(
        tally_plan_parts(args->head.units / writes.count, groups), TALLY_FILL_BOX_READS);
    tally_positions reads = {1, most, args->box.read_box, args->box.read_pitch, false};
    while (tally_boxes_grow(&boxes, &reads, args->kept_out, most / 2)) {
    }
    args->box.reads = reads.count;
    args->box.writes = writes.count;
    args->head.units = tally_boxes_count(&boxes);
    const uint64_t enough = (uint64_t)limits->units * TALLY_FILL_GROUPS;
    const uint64_t rounds =
        tally_plan_least(tally_plan_parts(args->head.units, groups), TALLY_FILL_BOX_ROUNDS);
    step->slots = tally_plan_least(tally_plan_parts(args->head.units, enough), 1 << 20);
    step->slots = step->slots > rounds ? step->slots : rounds;
    step->spec.schedule = TALLY_FILL_BOX;
    step->spec.group = (uint16_t)group;
    step->spec.policy.fill_box.positions_per_item = (uint16_t)each;
}
