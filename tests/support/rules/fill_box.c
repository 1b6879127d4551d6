/*
 * fill_box.c: what the kernels of fills by boxes take for granted, worked out from what is said at
 * the head of each file of cl/: each position is one work-item's, and tables and images have room.
 */
#include "parts.h"

static const char *broken_box(const tally_step *step) {
    const tally_fill_box_args *args = &step->args.fill_box;
    return plan_rules_positions(&args->box, step->spec.kept_rank, args->kept_size,
                                args->head.units);
}

const char *plan_rules_of_fill_box(const plan_rules_case *it) {
    const tally_step *step = it->step;
    const tally_spec *spec = &step->spec;
    const tally_fill_box_args *args = &step->args.fill_box;
    if (args->box.reads > spec->group ||
        args->box.writes > (uint64_t)spec->group * spec->policy.fill_box.positions_per_item)
        return "the tables have room for read positions, and work-items have the write positions";
    return broken_box(step);
}

/* Whether positions lie side by side, in the order of their numbers. */
static bool are_side_by_side(const tally_step *step, const tally_u64 *box, const tally_u64 *pitch,
                             const tally_u64 *stride) {
    for (uint32_t k = 0; k < step->spec.kept_rank; k++)
        if (box[k] > 1 && stride[k] != pitch[k])
            return false;
    return true;
}

const char *plan_rules_of_fill_transpose(const plan_rules_case *it) {
    const tally_step *step = it->step;
    const tally_fill_box_args *args = &step->args.fill_box;
    const tally_fill_transpose_policy *policy = &step->spec.policy.fill_transpose;
    const uint64_t square = policy->square, bytes = square * plan_rules_element_bytes(step);
    const uint64_t reads = plan_rules_parts(args->box.reads, square) * square;
    const uint64_t writes = plan_rules_parts(args->box.writes, square);
    const uint64_t image = plan_rules_parts(reads * args->box.local_pitch * bytes, 16) * 16;
    const uint64_t sides = plan_rules_parts(args->box.reads, TALLY_FILL_TABLE_SIDE) +
                           plan_rules_parts(args->box.writes, TALLY_FILL_TABLE_SIDE);
    const uint64_t entries = (square > 1 ? 2 : 3) * sides * TALLY_FILL_TABLE_SIDE;
    const uint64_t tables = entries * (step->spec.index_bits / 8u);
    if (square != 1 && (square != 4 || bytes != 4))
        return "a square is an element, or of the bytes of a dword";
    if (args->box.local_pitch < writes || args->in_place != 0)
        return "an image's rows have room for the write positions";
    if (!plan_rules_is_odd_row(args->box.local_pitch * bytes, bytes))
        return "an image's rows are an odd number of dwords";
    if (image + tables > policy->box_bytes)
        return "an image and its tables fit local memory";
    if (policy->rows_at_once == 0 || policy->rows_at_once % square != 0 ||
        policy->rows_at_once % 4 != 0 || TALLY_FILL_TABLE_SIDE % policy->rows_at_once != 0)
        return "whole squares are under way, and lines of which a table has entries";
    if (square > 1 &&
        (!are_side_by_side(step, args->box.read_box, args->box.read_pitch, args->kept_in) ||
         !are_side_by_side(step, args->box.write_box, args->box.write_pitch, args->kept_out)))
        return "positions of squares lie side by side, of reads in the input, of writes in the "
               "output";
    return broken_box(step);
}

/* Of the axes that are not among those of done the one with the least step in the image. */
static uint32_t nearest_axis(const tally_step *step, uint32_t done) {
    const tally_fill_cpu_box_args *args = &step->args.fill_cpu_box;
    uint32_t found = 0;
    for (uint32_t k = 1; k < step->spec.kept_rank; k++)
        if ((done >> k & 1) == 0 &&
            ((done >> found & 1) != 0 || args->box_step[k] < args->box_step[found]))
            found = k;
    return found;
}

/*
 * Positions of a box have positions of their own in the image: of each axis beyond those of the
 * ones before.
 */
static bool is_laid_out(const tally_step *step, uint64_t *elements) {
    const tally_fill_cpu_box_args *args = &step->args.fill_cpu_box;
    *elements = 1;
    for (uint32_t left = step->spec.kept_rank, done = 0; left > 0; left--) {
        const uint32_t next = nearest_axis(step, done);
        const uint64_t box = args->box.read_box[next] * args->box.write_box[next];
        done |= UINT32_C(1) << next;
        if (box > 1 && args->box_step[next] < *elements)
            return false;
        if (box > 1)
            *elements = args->box_step[next] * box;
    }
    return true;
}

/*
 * The axes of a segment lie side by side in the output as they do in the image, the last one cut.
 */
static bool is_segment(const tally_step *step) {
    const tally_fill_cpu_box_args *args = &step->args.fill_cpu_box;
    const uint64_t stride = args->kept_out[step->spec.kept_rank - 1];
    uint64_t elements = 1;
    for (uint32_t k = 0; k < step->spec.kept_rank; k++) {
        const uint64_t box = args->box.read_box[k] * args->box.write_box[k];
        if (box == 1 || args->box_step[k] >= args->segment)
            continue;
        elements *= box;
        if (args->kept_out[k] != stride * args->box_step[k] ||
            (args->box.boxes[k] > 1 && args->box_step[k] * box != args->segment))
            return false;
    }
    return elements == args->segment;
}

const char *plan_rules_of_fill_cpu_box(const plan_rules_case *it) {
    const tally_step *step = it->step;
    const tally_fill_cpu_box_args *args = &step->args.fill_cpu_box;
    uint64_t elements = 0;
    if (!is_laid_out(step, &elements) ||
        elements * plan_rules_element_bytes(step) > TALLY_FILL_BOX_BYTES ||
        args->box.reads > TALLY_FILL_SIDE_MAX || args->box.writes > TALLY_FILL_SIDE_MAX ||
        args->in_place != 0)
        return "an image and its tables fit private memory";
    if (!is_segment(step) ||
        args->segment > (args->picks != 0 ? TALLY_FILL_PICKS : TALLY_FILL_SEGMENT))
        return "a segment lies side by side, and its tables fit private memory";
    return args->grain == 0 ? "a work-item takes some boxes" : broken_box(step);
}
