/*
 * Boxes of fills on GPUs whose input lies in another order: of many sizes that one is taken which
 * costs least for an element, in what memory moves and in what work-items do. A group has one box,
 * so that those that lie side by side, which share sectors, are written at a time. See
 * cl/agent/fill/fill_transpose.cl.
 */
#include "plan/fill/fill.h"

#include "cl/core/sizes.h"
#include "plan/fill/tuning.h"
#include "plan/group.h"
#include "plan/pieces.h"

/*
 * Of boxes that are transposed: lines of the input that a work-item has under way, at least; local
 * memory, at most, and halved down to this where there are fewer boxes for each compute unit;
 * elements of a box of squares that has all of that memory, at least, as axes that are short on
 * both sides leave too little.
 */
#define TALLY_FILL_TRANSPOSE_LINES 8
#define TALLY_FILL_TRANSPOSE_ROOM 40960
#define TALLY_FILL_TRANSPOSE_LEAST 5120
#define TALLY_FILL_TRANSPOSE_GROUPS 2
#define TALLY_FILL_TRANSPOSE_ELEMENTS 4096

/*
 * What things cost, as bytes that memory moves meanwhile: the ends of a piece that is read, and of
 * one that is written, whose sectors are read first; and a box.
 */
#define TALLY_FILL_TRANSPOSE_READ 32
#define TALLY_FILL_TRANSPOSE_WRITTEN 128
#define TALLY_FILL_TRANSPOSE_BOX 512

/*
 * What work-items do for a box: lines of the input that each has under way, at most; what one step
 * of one of them costs, for an element or for a dword; and so many steps more for a line of columns
 * that do not end with a side of work-items.
 */
typedef struct way {
    uint64_t lines, step, ragged;
} way;

#define TALLY_FILL_TRANSPOSE_SIDE 32

static way way_of(const tally_step *step) {
    return step->spec.policy.fill_transpose.square > 1 ? (way){8, 1, 0} : (way){16, 2, 16};
}

#define COST_SCALE 1024u
#define DWORD_BYTES 4u

/* What a group has; see group.h. */
uint64_t tally_local_fill_transpose(const tally_spec *spec) {
    return spec->policy.fill_transpose.box_bytes;
}

/* ---- A box --------------------------------------------------------------------------------- */

/*
 * Local memory of the box and its tables; sets the pitch of its rows, an odd number of dwords or of
 * wider elements.
 */
static uint64_t lay_box(tally_fill_box_args *args, const tally_step *step) {
    const uint64_t square = step->spec.policy.fill_transpose.square;
    const uint64_t rows = tally_plan_parts(args->box.reads, square) * square;
    const uint64_t dwords = tally_plan_parts(args->box.writes, square);
    const uint64_t bytes = step->target_bytes * square;
    args->box.local_pitch = tally_boxes_pitch(dwords, bytes);
    const uint64_t image = tally_plan_parts(rows * args->box.local_pitch * bytes, 16) * 16;
    const uint64_t sides = tally_plan_parts(args->box.reads, TALLY_FILL_TABLE_SIDE) +
                           tally_plan_parts(args->box.writes, TALLY_FILL_TABLE_SIDE);
    const uint64_t entries = (square > 1 ? 2 : 3) * sides * TALLY_FILL_TABLE_SIDE;
    return image + entries * (step->spec.index_bits / 8u);
}

/* ---- The choice ---------------------------------------------------------------------------- */

/* Lines of so many columns that a group has at a time, of which a work-item has some. */
static uint64_t lines_at_once(const tally_step *step, uint64_t columns, uint64_t some) {
    return step->spec.group / tally_plan_least(columns, step->spec.group) * some;
}

/* Lines of the input that work-items have under way: as many as they have, if these are few. */
static uint64_t lines_of(const tally_fill_box_args *args, const tally_step *step) {
    const uint64_t square = step->spec.policy.fill_transpose.square;
    const uint64_t columns = tally_plan_parts(args->box.reads, square);
    uint64_t lines = way_of(step).lines;
    while (lines > TALLY_FILL_TRANSPOSE_LINES &&
           lines_at_once(step, columns, lines / 2) >= args->box.writes)
        lines /= 2;
    return lines;
}

/*
 * Steps of a group for so many lines, of which each work-item has some at a time: those that have
 * no column take as long as the others.
 */
static uint64_t steps_of(const tally_step *step, uint64_t columns, uint64_t lines, uint64_t some) {
    const uint64_t group = step->spec.group;
    const uint64_t rounds = tally_plan_parts(columns, group) *
                            tally_plan_parts(lines, lines_at_once(step, columns, some));
    const bool is_ragged = columns % TALLY_FILL_TRANSPOSE_SIDE > 0;
    return rounds * group * some + (is_ragged ? lines * way_of(step).ragged : 0);
}

/* For so many elements, in a box and on its way around it; boxes reach over the ends of axes. */
static uint64_t cost_of(const tally_boxes *boxes, const tally_fill_box_args *args,
                        const tally_step *step) {
    const uint32_t bytes = step->target_bytes;
    const uint64_t square = step->spec.policy.fill_transpose.square;
    const uint64_t brought = steps_of(step, tally_plan_parts(args->box.reads, square),
                                      args->box.writes, lines_of(args, step));
    const uint64_t taken = steps_of(step, tally_plan_parts(args->box.writes, square),
                                    args->box.reads, TALLY_FILL_TAKEN);
    const uint64_t cost =
        (tally_boxes_moved(boxes, args->kept_in, NULL, bytes, 1, TALLY_FILL_TRANSPOSE_READ) +
         tally_boxes_moved(boxes, args->kept_out, NULL, bytes, 1, TALLY_FILL_TRANSPOSE_WRITTEN) +
         (brought + taken) * way_of(step).step + TALLY_FILL_TRANSPOSE_BOX) *
        COST_SCALE / (args->box.reads * args->box.writes);
    return tally_boxes_beyond(boxes, cost);
}

/* The best box within so much local memory, of squares a sector on either side; false if none. */
static bool choose(uint64_t room, tally_step *step) {
    const uint64_t sector = TALLY_FILL_SECTOR / step->target_bytes;
    const bool squares = step->spec.policy.fill_transpose.square > 1;
    const uint64_t side_min = squares ? sector : 1;
    tally_fill_box_args tried = step->args.fill_box;
    const tally_boxes boxes = tally_fill_boxes(&tried, step);
    uint64_t least = UINT64_MAX, taken = 0;
    bool grows = true; /* a side has half of the positions that it may have while axes are left */
    for (uint64_t reads = sector; grows && reads <= TALLY_FILL_SIDE_MAX; reads += sector)
        for (uint64_t writes = sector; writes <= TALLY_FILL_SIDE_MAX; writes += sector) {
            tally_boxes_cross(&boxes, reads, writes, squares);
            grows = writes > sector ? grows : reads <= 4 * tried.box.reads;
            if (!grows || writes > 4 * tried.box.writes)
                break;
            const uint64_t local = lay_box(&tried, step);
            if (local > room)
                break;
            const uint64_t cost = cost_of(&boxes, &tried, step);
            if (tried.box.reads < side_min || tried.box.writes < side_min || cost >= least)
                continue;
            least = cost;
            taken = local;
            step->args.fill_box = tried;
        }
    if (least == UINT64_MAX)
        return false;
    tally_fill_box_args *args = &step->args.fill_box;
    const tally_boxes taken_boxes = tally_fill_boxes(args, step);
    args->head.units = tally_boxes_count(&taken_boxes);
    step->spec.policy.fill_transpose.rows_at_once = (uint16_t)lines_of(args, step);
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
    if (!choose(room, step))
        return false;
    const tally_fill_box_args *args = &step->args.fill_box;
    if (square > 1 && args->box.reads * args->box.writes < TALLY_FILL_TRANSPOSE_ELEMENTS)
        return false;
    while (args->head.units < enough && room > TALLY_FILL_TRANSPOSE_LEAST && choose(room / 2, step))
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
    if ((bytes == 1 && plan_squares(limits, DWORD_BYTES, room, step)) ||
        plan_squares(limits, 1, room, step))
        return true;
    *step = before;
    return false;
}
