/*
 * Boxes of positions: how they grow, how many there are, and what memory moves for one.
 */
#include "plan/positions.h"

#include "plan/plan.h"
#include "plan/tuning.h"

#define DWORD_BYTES 4u

/* The ends of pieces that are whole sectors cost this part of those of others. */
#define WHOLE_PART 4u

void tally_boxes_clear(tally_box_args *box) {
    for (uint32_t k = 0; k < TALLY_AXES; k++)
        box->read_box[k] = box->write_box[k] = box->boxes[k] = 1;
}

uint32_t tally_boxes_next(const tally_boxes *boxes, const tally_u64 *stride) {
    const tally_box_args *box = boxes->box;
    tally_cut cut[TALLY_AXES];
    uint32_t count = 0;
    for (uint32_t k = boxes->rank; k-- > 0;)
        if (boxes->size[k] > 1 && box->read_box[k] == 1 && box->write_box[k] == 1 && stride[k] != 0)
            cut[count++] = (tally_cut){k, boxes->size[k], 1, stride[k]};
    tally_cuts_sort(cut, count);
    return count > 0 ? cut[0].axis : TALLY_AXES;
}

void tally_boxes_take(const tally_boxes *boxes, tally_positions *it, uint32_t k, uint64_t part) {
    it->box[k] = part;
    it->pitch[k] = it->count;
    it->count *= part;
    it->cut = part < boxes->size[k];
}

void tally_boxes_add(const tally_boxes *boxes, tally_positions *it, uint32_t k) {
    const uint64_t size = boxes->size[k];
    const uint64_t parts = tally_plan_parts(size, it->most / it->count);
    tally_boxes_take(boxes, it, k, tally_plan_parts(size, parts));
}

/* Grow by whole axes until there are enough positions, the last one maybe cut. */
bool tally_boxes_grow(const tally_boxes *boxes, tally_positions *it, const tally_u64 *stride,
                      uint64_t enough) {
    if (it->cut || it->count >= enough)
        return false;
    const uint32_t k = tally_boxes_next(boxes, stride);
    if (k == TALLY_AXES)
        return false;
    tally_boxes_add(boxes, it, k);
    return true;
}

/*
 * Add the next axis; if positions are to be side by side, one by whose stride they stay so. If
 * there is none, none can follow.
 */
static void cross(const tally_boxes *boxes, tally_positions *it, const tally_u64 *stride,
                  bool side_by_side) {
    const uint32_t k = tally_boxes_next(boxes, stride);
    if (!it->cut && it->count < it->most && k < TALLY_AXES &&
        (!side_by_side || stride[k] == it->count))
        tally_boxes_take(boxes, it, k, tally_plan_least(boxes->size[k], it->most / it->count));
    else
        it->cut = true;
}

void tally_boxes_cross(const tally_boxes *boxes, uint64_t reads, uint64_t writes,
                       bool side_by_side) {
    tally_box_args *box = boxes->box;
    tally_positions read = {1, reads, box->read_box, box->read_pitch, false};
    tally_positions write = {1, writes, box->write_box, box->write_pitch, false};
    tally_boxes_clear(box);
    while (!read.cut || !write.cut) {
        cross(boxes, &write, boxes->out, side_by_side);
        cross(boxes, &read, boxes->in, side_by_side);
    }
    box->reads = read.count;
    box->writes = write.count;
}

uint64_t tally_boxes_count(const tally_boxes *boxes) {
    tally_box_args *box = boxes->box;
    uint64_t count = 1;
    for (uint32_t k = 0; k < boxes->rank; k++) {
        box->boxes[k] = tally_plan_parts(boxes->size[k], box->read_box[k] * box->write_box[k]);
        count *= box->boxes[k];
    }
    return count;
}

uint64_t tally_boxes_pitch(uint64_t elements, uint64_t bytes) {
    const uint64_t per_dword = bytes < DWORD_BYTES ? DWORD_BYTES / bytes : 1;
    return (tally_plan_parts(elements, per_dword) | 1) * per_dword;
}

uint64_t tally_boxes_moved(const tally_boxes *boxes, const tally_u64 *stride,
                           const tally_cut *terms, uint32_t bytes, uint64_t gap, uint64_t ends) {
    const uint64_t sector = TALLY_SECTOR / bytes;
    tally_cut cut[TALLY_AXES + 1];
    uint32_t count = boxes->rank;
    bool whole = true;
    for (uint32_t k = 0; k < boxes->rank; k++) {
        const uint64_t part = boxes->box->read_box[k] * boxes->box->write_box[k];
        cut[k] = (tally_cut){k, boxes->size[k], part, stride[k]};
    }
    if (terms != NULL)
        cut[count++] = *terms;
    for (uint32_t k = 0; k < count; k++) {
        const uint64_t step = cut[k].stride == 1 ? cut[k].part : cut[k].stride;
        whole = whole && (cut[k].size == 1 || step % sector == 0);
    }
    tally_cuts_sort(cut, count);
    const tally_pieces it = tally_pieces_find(cut, count, gap);
    return it.count * (it.span * bytes + (whole ? ends / WHOLE_PART : ends));
}

uint64_t tally_boxes_beyond(const tally_boxes *boxes, uint64_t cost) {
    for (uint32_t k = 0; k < boxes->rank; k++) {
        const uint64_t part = boxes->box->read_box[k] * boxes->box->write_box[k];
        const uint64_t size = boxes->size[k];
        cost += cost * (tally_plan_parts(size, part) * part - size) / size / 2;
    }
    return cost;
}
