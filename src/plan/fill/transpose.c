/*
 * Boxes of fills on GPUs whose input lies in another order: of many sizes that one is taken for
 * which memory moves least for an element. See cl/agent/fill/fill_transpose.cl.
 */
#include "plan/fill/fill.h"
#include "plan/fill/tuning.h"
#include "plan/group.h"
#include "plan/pieces.h"

/*
 * Of boxes that are transposed: dwords or elements under way; local memory, at most, and halved
 * down to this where there are fewer boxes for each compute unit; elements of a box of squares that
 * has all of that memory, at least, as axes that are short on both sides leave too little; and what
 * things cost, as bytes that memory moves meanwhile: the ends of a piece that is read, and of one
 * that is written, whose sectors are read first, and a box.
 */
#define TALLY_FILL_TRANSPOSE_ROWS 8
#define TALLY_FILL_TRANSPOSE_ROOM 40960
#define TALLY_FILL_TRANSPOSE_LEAST 5120
#define TALLY_FILL_TRANSPOSE_GROUPS 2
#define TALLY_FILL_TRANSPOSE_ELEMENTS 4096
#define TALLY_FILL_TRANSPOSE_READ 32
#define TALLY_FILL_TRANSPOSE_WRITTEN 128
#define TALLY_FILL_TRANSPOSE_BOX 512

#define COST_SCALE 1024u
#define DWORD_BYTES 4u

/* What a group has; see group.h. */
uint64_t tally_local_fill_transpose(const tally_spec *spec) {
    return spec->policy.fill_transpose.box_bytes;
}

/* ---- A box --------------------------------------------------------------------------------- */

/*
 * Add the next axis; if positions are to be side by side, one by whose stride they stay so. If
 * there is none, none can follow.
 */
static void grow(tally_positions *it, const tally_fill_box_args *args, uint32_t rank,
                 const tally_u64 *stride, bool side_by_side) {
    const uint32_t k = tally_boxes_next(args, rank, stride);
    if (!it->cut && it->count < it->most && k < TALLY_AXES &&
        (!side_by_side || stride[k] == it->count))
        tally_boxes_add(it, args, k);
    else
        it->cut = true;
}

/* A box of so many positions at most; those of squares lie side by side in their memory. */
static void set_box(tally_fill_box_args *args, const tally_step *step, uint64_t reads,
                    uint64_t writes) {
    const uint32_t rank = step->spec.kept_rank;
    const bool side_by_side = step->spec.policy.fill_transpose.square > 1;
    tally_positions read = {1, reads, args->read_box, args->read_pitch, false};
    tally_positions write = {1, writes, args->write_box, args->write_pitch, false};
    tally_boxes_clear(args);
    while (!read.cut || !write.cut) {
        grow(&write, args, rank, args->kept_out, side_by_side);
        grow(&read, args, rank, args->kept_in, side_by_side);
    }
    args->reads = read.count;
    args->writes = write.count;
}

/*
 * Local memory of the box and its tables; sets the pitch of its rows, an odd number of dwords or of
 * wider elements.
 */
static uint64_t lay_box(tally_fill_box_args *args, const tally_step *step) {
    const uint64_t square = step->spec.policy.fill_transpose.square;
    const uint64_t reads = tally_plan_parts(args->reads, square) * square;
    const uint64_t writes = tally_plan_parts(args->writes, square);
    const uint64_t bytes = step->target_bytes * square;
    const uint64_t per_dword = bytes < DWORD_BYTES ? DWORD_BYTES / bytes : 1;
    args->local_pitch = (tally_plan_parts(writes, per_dword) | 1) * per_dword;
    const uint64_t image = tally_plan_parts(reads * args->local_pitch * bytes, 8) * 8;
    return image + (square > 1 ? 2 : 3) * (reads + writes * square) * (step->spec.index_bits / 8u);
}

/* ---- The choice ---------------------------------------------------------------------------- */

/* Bytes that memory moves for a box on one side, and for the ends of each piece so many. */
static uint64_t moved(const tally_fill_box_args *args, uint32_t rank, const tally_u64 *stride,
                      uint32_t bytes, uint64_t ends) {
    tally_cut cut[TALLY_AXES];
    for (uint32_t k = 0; k < rank; k++)
        cut[k] =
            (tally_cut){k, args->kept_size[k], args->read_box[k] * args->write_box[k], stride[k]};
    tally_cuts_sort(cut, rank);
    const tally_pieces it = tally_pieces_find(cut, rank, 1);
    return it.count * (it.span * bytes + ends);
}

/* For so many elements, in a box and on its way around it. */
static uint64_t cost_of(const tally_fill_box_args *args, uint32_t rank, uint32_t bytes) {
    return (moved(args, rank, args->kept_in, bytes, TALLY_FILL_TRANSPOSE_READ) +
            moved(args, rank, args->kept_out, bytes, TALLY_FILL_TRANSPOSE_WRITTEN) +
            TALLY_FILL_TRANSPOSE_BOX) *
           COST_SCALE / (args->reads * args->writes);
}

/* The best box within so much local memory, of squares a sector on either side; false if none. */
static bool choose(const tally_limits *limits, uint64_t room, tally_step *step) {
    const uint32_t rank = step->spec.kept_rank, bytes = step->target_bytes;
    const uint64_t sector = TALLY_FILL_SECTOR / bytes;
    const uint64_t side_min = step->spec.policy.fill_transpose.square > 1 ? sector : 1;
    tally_fill_box_args tried = step->args.fill_box;
    uint64_t least = UINT64_MAX, taken = 0;
    bool grows = true; /* a side has half of the positions that it may have while axes are left */
    for (uint64_t reads = sector; grows && reads <= TALLY_FILL_SIDE_MAX; reads += sector)
        for (uint64_t writes = sector; writes <= TALLY_FILL_SIDE_MAX; writes += sector) {
            set_box(&tried, step, reads, writes);
            grows = writes > sector ? grows : reads <= 4 * tried.reads;
            if (!grows || writes > 4 * tried.writes)
                break;
            const uint64_t local = lay_box(&tried, step);
            if (local > room)
                break;
            const uint64_t cost = cost_of(&tried, rank, bytes);
            if (tried.reads < side_min || tried.writes < side_min || cost >= least)
                continue;
            least = cost;
            taken = local;
            step->args.fill_box = tried;
        }
    if (least == UINT64_MAX)
        return false;
    tally_boxes_count(limits, step->args.fill_box.reads, step->args.fill_box.writes, rank, step);
    while (room > TALLY_FILL_TRANSPOSE_LEAST && taken <= room / 2)
        room /= 2;
    step->spec.policy.fill_transpose.box_bytes = (uint16_t)room;
    return true;
}

/* By squares of so many lines, in smaller boxes where there would be few. */
static bool plan_squares(const tally_limits *limits, uint32_t square, uint64_t room,
                         tally_step *step) {
    const uint64_t enough = (uint64_t)limits->units * TALLY_FILL_TRANSPOSE_GROUPS;
    step->spec.policy.fill_transpose.square = (uint16_t)square;
    if (!choose(limits, room, step))
        return false;
    const tally_fill_box_args *args = &step->args.fill_box;
    if (square > 1 && args->reads * args->writes < TALLY_FILL_TRANSPOSE_ELEMENTS)
        return false;
    while (args->head.units < enough && room > TALLY_FILL_TRANSPOSE_LEAST &&
           choose(limits, room / 2, step))
        room /= 2;
    return true;
}

bool tally_plan_fill_transpose(const tally_limits *limits, uint32_t group, tally_step *step) {
    uint64_t room = TALLY_FILL_TRANSPOSE_ROOM;
    while (room > TALLY_FILL_TRANSPOSE_LEAST && room + TALLY_FILL_SPARE > limits->local_bytes)
        room /= 2;
    if (room + TALLY_FILL_SPARE > limits->local_bytes)
        return false;
    const tally_step before = *step;
    const uint32_t bytes = step->target_bytes;
    step->spec.schedule = TALLY_FILL_TRANSPOSE;
    step->spec.group = (uint16_t)group;
    step->spec.policy.fill_transpose.rows_at_once = TALLY_FILL_TRANSPOSE_ROWS;
    if ((bytes < DWORD_BYTES && plan_squares(limits, DWORD_BYTES / bytes, room, step)) ||
        plan_squares(limits, 1, room, step))
        return true;
    *step = before;
    return false;
}
