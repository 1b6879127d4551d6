/*
 * What the planners of fills share: runs of elements side by side, divisors, and boxes. See
 * cl/io/fill_positions.cl for their positions.
 */
#include "plan/fill/fill.h"
#include "plan/fill/tuning.h"
#include "plan/pieces.h"

void tally_plan_magic(uint64_t divisor, uint32_t bits, tally_u64 *magic, tally_u64 *shift) {
    uint64_t quotient = 0, rest = 1;
    uint32_t up = 0;
    while (up < bits && (UINT64_C(1) << up) < divisor)
        up++;
    if (divisor == 1)
        quotient = 1, rest = 0;
    for (uint32_t i = 0; i < bits - 1 + up; i++) { /* 2^(bits - 1 + up) / divisor */
        const uint64_t next = divisor - rest;
        const bool carries = rest >= next;
        quotient = quotient * 2 + carries;
        rest = carries ? rest - next : rest * 2;
    }
    *magic = quotient + 1;
    *shift = up;
}

uint64_t tally_fill_run(const tally_step *step, bool input, uint32_t *axes) {
    const tally_fill_args *args = &step->args.fill;
    uint64_t run = 1;
    uint32_t k = step->spec.kept_rank;
    for (; k > 0; run *= args->kept_size[--k])
        if (args->kept_size[k - 1] > 1 &&
            (args->kept_out[k - 1] != run || (input && args->kept_in[k - 1] != run)))
            break;
    *axes = k;
    return run;
}

void tally_fill_set_axes(tally_step *step) {
    tally_fill_axes_args *args = &step->args.fill_axes;
    for (uint32_t k = 0; k < step->spec.kept_rank; k++)
        tally_plan_magic(args->kept_size[k], step->spec.index_bits, &args->magic[k],
                         &args->shift[k]);
}

bool tally_walk_is_transposed(const tally_walk *walk) {
    const tally_dims *dims = &walk->dims;
    uint32_t inner = dims->count;
    for (uint32_t k = 0; k < dims->count; k++)
        if (dims->in[k] != 0 && (inner == dims->count || dims->in[k] <= dims->in[inner]))
            inner = k;
    return inner + 1 < dims->count;
}

/* ---- Boxes --------------------------------------------------------------------------------- */

void tally_boxes_take(tally_positions *it, const tally_fill_box_args *args, uint32_t k,
                      uint64_t part) {
    it->box[k] = part;
    it->pitch[k] = it->count;
    it->count *= part;
    it->cut = part < args->kept_size[k];
}

void tally_boxes_add(tally_positions *it, const tally_fill_box_args *args, uint32_t k) {
    const uint64_t size = args->kept_size[k];
    const uint64_t parts = tally_plan_parts(size, it->most / it->count);
    tally_boxes_take(it, args, k, tally_plan_parts(size, parts));
}

uint32_t tally_boxes_next(const tally_fill_box_args *args, uint32_t rank, const tally_u64 *stride) {
    tally_cut cut[TALLY_AXES];
    uint32_t count = 0;
    for (uint32_t k = rank; k-- > 0;)
        if (args->kept_size[k] > 1 && args->read_box[k] == 1 && args->write_box[k] == 1 &&
            stride[k] != 0)
            cut[count++] = (tally_cut){k, args->kept_size[k], 1, stride[k]};
    tally_cuts_sort(cut, count);
    return count > 0 ? cut[0].axis : TALLY_AXES;
}

/* Grow by whole axes until there are enough positions, the last one maybe cut. */
bool tally_boxes_grow(tally_positions *it, const tally_fill_box_args *args, uint32_t rank,
                      const tally_u64 *stride, uint64_t enough) {
    if (it->cut || it->count >= enough)
        return false;
    const uint32_t k = tally_boxes_next(args, rank, stride);
    if (k == TALLY_AXES)
        return false;
    tally_boxes_add(it, args, k);
    return true;
}

void tally_boxes_count(tally_fill_box_args *args, uint32_t rank, uint64_t reads, uint64_t writes) {
    args->reads = reads;
    args->writes = writes;
    args->head.units = 1;
    for (uint32_t k = 0; k < rank; k++) {
        args->boxes[k] =
            tally_plan_parts(args->kept_size[k], args->read_box[k] * args->write_box[k]);
        args->head.units *= args->boxes[k];
    }
}

void tally_boxes_clear(tally_fill_box_args *args) {
    for (uint32_t k = 0; k < TALLY_AXES; k++)
        args->read_box[k] = args->write_box[k] = args->boxes[k] = 1;
}
