/*
 * Boxes of fills on CPUs: which box of the axes goes through private memory at a time, and how it
 * lies there. Boxes of many sizes are tried, and the one is taken that costs least for an element.
 */
#include "plan/fill/fill.h"

#include "cl/core/sizes.h"
#include "plan/fill/tuning.h"
#include "plan/pieces.h"

#define LANE_BYTES 16u /* see fill_cpu_transpose.cl */

#define COST_SCALE 1024u

/* ---- How a box lies in its image ----------------------------------------------------------- */

static uint64_t box_of(const tally_fill_cpu_box_args *args, uint32_t k) {
    return args->box.read_box[k] * args->box.write_box[k];
}

/*
 * Whether read axis k may be among the axes of a segment. Where a group of write positions is
 * shorter than a vector, what a vector has too much must be overwritten by one that follows: so
 * read axes come in the order in which they are read, and before all write axes but those of the
 * group.
 */
static bool may_follow(const tally_fill_cpu_box_args *args, uint32_t rank, uint32_t bytes,
                       uint32_t k) {
    uint64_t group = 1, before = 0;
    bool has_more = false;
    for (uint32_t i = rank; i-- > k + 1;) {
        if (args->box.read_box[i] > 1)
            before = args->box.read_pitch[i];
        else if (args->box.write_box[i] > 1 && before == 0)
            group *= args->box.write_box[i];
        else if (args->box.write_box[i] > 1)
            has_more = true;
    }
    return group * bytes >= LANE_BYTES || (!has_more && args->box.read_pitch[k] > before);
}

/*
 * The axes of a segment: side by side in the output, and in the box all positions of those before.
 */
static void set_segment(tally_fill_cpu_box_args *args, uint32_t rank, uint32_t bytes) {
    const uint64_t stride = args->kept_out[rank - 1];
    args->segment = 1;
    for (uint32_t k = rank; k-- > 0;) {
        const uint64_t box = box_of(args, k);
        if (args->kept_size[k] == 1)
            continue;
        if (box == 1 || args->kept_out[k] != stride * args->segment)
            return;
        const bool is_long = args->segment * bytes >= TALLY_FILL_CPU_SEGMENT;
        if (args->box.read_box[k] > 1 && (is_long || !may_follow(args, rank, bytes, k)))
            return;
        args->box_step[k] = args->segment;
        args->segment *= box;
        if (box < args->kept_size[k])
            return;
    }
}

/* Rows with room for a vector behind them; long ones begin in many sets of the caches. */
static uint64_t row_pitch(uint64_t row, uint32_t bytes) {
    const uint64_t line = TALLY_CPU_CACHE_LINE / bytes, room = row + LANE_BYTES / bytes;
    return row * bytes < TALLY_FILL_CPU_SEGMENT ? room : (tally_plan_parts(room, line) | 1) * line;
}

/* Lay the box out: its segments, write positions beside them, and read positions. Returns the
 * elements.
 */
static uint64_t lay_box(tally_fill_cpu_box_args *args, uint32_t rank, uint32_t bytes) {
    for (uint32_t k = 0; k < TALLY_AXES; k++)
        args->box_step[k] = 0;
    set_segment(args, rank, bytes);
    uint64_t row = args->segment, rows = 1;
    for (uint32_t k = rank; k-- > 0;)
        if (args->box.write_box[k] > 1 && args->box_step[k] == 0) {
            args->box_step[k] = row;
            row *= args->box.write_box[k];
        }
    for (uint32_t k = 0; k < rank; k++)
        if (args->box.read_box[k] > 1 && args->box_step[k] == 0)
            rows *= args->box.read_box[k];
    args->box.local_pitch = rows > 1 ? row_pitch(row, bytes) : row;
    uint64_t position = 1;
    for (rows = 1; position < args->box.reads;) {
        uint32_t k = 0;
        while (args->box.read_box[k] == 1 || args->box.read_pitch[k] != position)
            k++;
        if (args->box_step[k] == 0) {
            args->box_step[k] = rows * args->box.local_pitch;
            rows *= args->box.read_box[k];
        }
        position *= args->box.read_box[k];
    }
    return rows * args->box.local_pitch;
}

/* ---- What a box costs ---------------------------------------------------------------------- */

/* Pieces of memory that a box has of one of the tensors. */
static tally_pieces find_pieces(const tally_fill_cpu_box_args *args, uint32_t rank,
                                const tally_u64 *stride) {
    tally_cut cut[TALLY_AXES];
    uint32_t count = 0;
    for (uint32_t k = rank; k-- > 0;)
        if (args->kept_size[k] > 1)
            cut[count++] = (tally_cut){k, args->kept_size[k], box_of(args, k), stride[k]};
    tally_cuts_sort(cut, count);
    return tally_pieces_find(cut, count, 0);
}

/* Positions side by side in the image along the write axes alone. */
static uint64_t group_of(const tally_fill_cpu_box_args *args, uint32_t rank) {
    uint64_t group = 1;
    for (uint32_t k = rank; k-- > 0;)
        if (args->box.write_box[k] > 1) {
            if (args->box_step[k] != group)
                break;
            group *= args->box.write_box[k];
        }
    return group;
}

/* What moving the box within the core costs, as bytes that memory moves meanwhile. */
static uint64_t blocks_cost(const tally_fill_cpu_box_args *args, uint32_t rank, uint32_t bytes) {
    const uint64_t lane = LANE_BYTES / bytes, group = group_of(args, rank);
    const uint64_t lines = group >= 2 * lane ? 2 * lane : tally_plan_least(group, lane);
    const uint64_t each = lines == 2 * lane ? lane : 2 * lane;
    return args->box.writes / group * tally_plan_parts(group, lines) *
           tally_plan_parts(args->box.reads, each) * lane * TALLY_FILL_CPU_GRAIN;
}

/* For so many elements, of the box. */
static uint64_t cost_of(tally_fill_cpu_box_args *args, uint32_t rank, uint32_t bytes) {
    const tally_pieces in = find_pieces(args, rank, args->kept_in);
    const tally_pieces out = find_pieces(args, rank, args->kept_out);
    const uint64_t elements = args->box.reads * args->box.writes;
    const uint64_t blocks = blocks_cost(args, rank, bytes), picks = elements * TALLY_FILL_CPU_PICK;
    const bool may_pick =
        args->segment <= TALLY_FILL_PICKS && elements * bytes <= TALLY_FILL_CPU_PICKS;
    args->picks = may_pick && picks < blocks;
    return (in.count * (in.span * bytes + TALLY_FILL_CPU_PIECE) +
            out.count * (out.span * bytes + TALLY_FILL_CPU_PIECE) + TALLY_FILL_CPU_BOX_COST +
            (args->picks != 0 ? picks : blocks)) *
           COST_SCALE / elements;
}

/* ---- The choice ---------------------------------------------------------------------------- */

/* Read positions lie evenly in the input, and the output's innermost axis has none. */
static void grow_reads(const tally_boxes *boxes, tally_positions *it) {
    uint64_t stride = 0;
    while (!it->cut && it->most / it->count >= 2) {
        const uint32_t k = tally_boxes_next(boxes, boxes->in);
        if (k >= boxes->rank - 1 || (stride != 0 && boxes->in[k] != stride * it->count))
            return;
        stride = stride == 0 ? boxes->in[k] : stride;
        tally_boxes_add(boxes, it, k);
    }
}

static void grow_writes(const tally_boxes *boxes, tally_positions *it) {
    while (!it->cut && it->most / it->count >= 2) {
        const uint32_t k = tally_boxes_next(boxes, boxes->out);
        if (k == TALLY_AXES)
            return;
        tally_boxes_add(boxes, it, k);
    }
}

/* A box of so many positions at most. */
static void set_box(const tally_boxes *boxes, uint64_t reads, uint64_t writes) {
    tally_box_args *box = boxes->box;
    tally_positions read = {1, reads, box->read_box, box->read_pitch, false};
    tally_positions write = {1, writes, box->write_box, box->write_pitch, false};
    tally_boxes_clear(box);
    grow_reads(boxes, &read);
    grow_writes(boxes, &write);
    box->reads = read.count;
    box->writes = write.count;
}

void tally_fill_choose_box(tally_step *step) {
    const uint32_t rank = step->spec.kept_rank, bytes = step->target_bytes;
    tally_args tried = step->args;
    const tally_boxes boxes = tally_fill_boxes(&tried.fill_box, step);
    uint64_t least = UINT64_MAX;
    for (uint64_t reads = 2; reads <= TALLY_FILL_SIDE_MAX; reads *= 2)
        for (uint64_t writes = 2; writes <= TALLY_FILL_SIDE_MAX; writes *= 2) {
            set_box(&boxes, reads, writes);
            if (lay_box(&tried.fill_cpu_box, rank, bytes) * bytes > TALLY_FILL_BOX_BYTES ||
                tried.fill_cpu_box.segment > TALLY_FILL_SEGMENT)
                break;
            const uint64_t cost = cost_of(&tried.fill_cpu_box, rank, bytes);
            if (cost >= least)
                continue;
            least = cost;
            step->args = tried;
        }
}
