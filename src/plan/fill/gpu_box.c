/*
 * Boxes of fills on GPUs, as fill_box has them: positions of the output's innermost axes, or images
 * in local memory, whose sides are the input's innermost axes and the output's.
 */
#include "plan/fill/fill.h"
#include "plan/fill/tuning.h"

void tally_plan_fill_box(const tally_limits *limits, uint32_t group, tally_step *step) {
    tally_fill_box_args *args = &step->args.fill_box;
    const uint64_t busy = (uint64_t)limits->units * group * TALLY_FILL_BUSY;
    const uint64_t groups = (uint64_t)limits->units * TALLY_FILL_BOX_GROUPS;
    const uint32_t each = args->head.units < busy ? 1 : TALLY_FILL_ITEM_PACKS;
    const uint32_t rank = step->spec.kept_rank, all = group * each;
    tally_boxes_clear(args);
    tally_positions writes = {1, all, args->write_box, args->write_pitch, false};
    while (tally_boxes_grow(&writes, args, rank, args->kept_out, all / 2)) {
    }
    const uint64_t most = tally_plan_least(
        tally_plan_parts(args->head.units / writes.count, groups), TALLY_FILL_BOX_READS);
    tally_positions reads = {1, most, args->read_box, args->read_pitch, false};
    while (tally_boxes_grow(&reads, args, rank, args->kept_out, most / 2)) {
    }
    tally_boxes_count(limits, reads.count, writes.count, rank, step);
    const uint64_t rounds =
        tally_plan_least(tally_plan_parts(args->head.units, groups), TALLY_FILL_BOX_ROUNDS);
    step->slots = step->slots > rounds ? step->slots : rounds;
    step->spec.schedule = TALLY_FILL_BOX;
    step->spec.group = (uint16_t)group;
    step->spec.policy.fill_box.positions_per_item = (uint16_t)each;
}

/* The pitch of an image's rows: an odd number of dwords. */
static uint64_t pitch_of(uint64_t reads, uint32_t bytes) {
    const uint64_t per_dword = bytes < 4 ? 4 / bytes : 1;
    return (tally_plan_parts(reads, per_dword) | 1) * per_dword;
}

/* What an image of that many positions takes. */
static uint64_t staged_bytes(uint64_t reads, uint64_t writes, const tally_step *step) {
    return writes * pitch_of(reads, step->target_bytes) * step->target_bytes +
           3 * (reads + writes + 1) * (step->spec.index_bits / 8u);
}

/* How large an image may be: positions of a side, and local memory with what is known of them. */
typedef struct staged_size {
    uint64_t side, bytes;
} staged_size;

static staged_size small_box(uint32_t bytes) {
    const staged_size it = {bytes == 1 ? 128 : bytes == 8 ? 32 : 64, TALLY_FILL_STAGED};
    return it;
}

static staged_size large_box(uint32_t bytes) {
    const staged_size it = {bytes <= 2 ? 128 : bytes == 8 ? 64 : 96, TALLY_FILL_STAGED_LARGE};
    return it;
}

/* The most positions that an image can have along one side next to so many along the other. */
static uint64_t room_for(uint64_t others, uint64_t bytes, const tally_step *step) {
    uint64_t room = 1;
    while (room < TALLY_FILL_SIDE_MAX && staged_bytes(2 * room, others, step) <= bytes &&
           staged_bytes(others, 2 * room, step) <= bytes)
        room *= 2;
    return room;
}

/*
 * Sides of about the same number of positions; one is longer where the other is short of axes. Of
 * axes that are the next ones in both memories the output's side has them: a sector that is written
 * in parts costs more than one that is read in parts, which the first cache has still.
 */
static void grow_sides(tally_positions *reads, tally_positions *writes, const tally_step *step) {
    const tally_fill_box_args *args = &step->args.fill_box;
    const uint32_t rank = step->spec.kept_rank;
    bool grows = true;
    while (grows) {
        grows = tally_boxes_grow(writes, args, rank, args->kept_out, writes->most / 2);
        grows = tally_boxes_grow(reads, args, rank, args->kept_in, reads->most / 2) || grows;
    }
}

/* Cut the axes into boxes of that size. */
static void cut_boxes(const tally_limits *limits, staged_size size, tally_step *step) {
    tally_fill_box_args *args = &step->args.fill_box;
    const uint64_t side = size.side;
    tally_positions reads, writes;
    uint64_t most_reads = side, most_writes = side;
    for (uint32_t round = 0; round < 2; round++) {
        tally_boxes_clear(args);
        reads = (tally_positions){1, most_reads, args->read_box, args->read_pitch, false};
        writes = (tally_positions){1, most_writes, args->write_box, args->write_pitch, false};
        grow_sides(&reads, &writes, step);
        most_reads =
            reads.cut && writes.count < side / 2 ? room_for(writes.count, size.bytes, step) : side;
        most_writes =
            writes.cut && reads.count < side / 2 ? room_for(reads.count, size.bytes, step) : side;
    }
    args->local_pitch = pitch_of(reads.count, step->target_bytes);
    tally_boxes_count(limits, reads.count, writes.count, step->spec.kept_rank, step);
    step->spec.policy.fill_box.box_bytes = (uint16_t)size.bytes;
}

void tally_plan_fill_staged(const tally_limits *limits, uint32_t group, tally_step *step) {
    const uint32_t bytes = step->target_bytes;
    const uint64_t enough = bytes == 8 ? TALLY_FILL_LARGE_WIDE : TALLY_FILL_LARGE;
    step->spec.schedule = TALLY_FILL_BOX;
    step->spec.group = (uint16_t)group;
    step->spec.policy.fill_box.loads_at_once = TALLY_FILL_STAGED_LOADS;
    if (limits->local_bytes >= TALLY_FILL_STAGED_LARGE + TALLY_FILL_SPARE)
        cut_boxes(limits, large_box(bytes), step);
    if (step->spec.policy.fill_box.box_bytes == 0 ||
        step->args.fill_box.head.units < enough * limits->units)
        cut_boxes(limits, small_box(bytes), step);
}
