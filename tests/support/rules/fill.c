/*
 * fill.c: what the kernels of fills take for granted, worked out from what is said at
 * the head of each file of cl/: each element is one work-item's, and tables and images have room.
 */
#include "parts.h"
#include "support/numbers/number.h"

/* Numbers of the kernels, written once more; what these have room for is in cl/core/sizes.h. */
#define PACK_BYTES 16
#define CACHE_LINE_BYTES 64

static uint64_t bytes_of(const tally_step *step) {
    return number_bytes((tally_dtype)step->spec.input);
}

static uint64_t elements_of(const tally_step *step) {
    uint64_t elements = 1;
    for (uint32_t k = 0; k < step->spec.kept_rank; k++)
        elements *= step->args.fill.kept_size[k];
    return elements;
}

const char *plan_rules_of_fill(const plan_rules_case *it) {
    const tally_step *step = it->step;
    return step->args.fill.head.units != elements_of(step) || step->slots != 0
               ? "each element is a unit"
               : NULL;
}

/* ---- Rows of a matrix ---------------------------------------------------------------------- */

static uint64_t columns_of(const tally_step *step) {
    return step->args.fill.kept_size[step->spec.kept_rank - 1];
}

/* Whether elements of a row lie side by side, and there are some packs of them. */
static const char *broken_contiguous(const tally_step *step) {
    const tally_fill_rows_args *args = &step->args.fill_rows;
    const uint32_t last = step->spec.kept_rank - 1u;
    if (args->kept_out[last] != 1 || (step->spec.has_input && args->kept_in[last] != 1))
        return "a row's elements lie side by side";
    if (columns_of(step) * bytes_of(step) < PACK_BYTES || (args->in_place && step->spec.has_input))
        return "a row has a pack at least, and is not read where it is filled in place";
    if (args->rows != elements_of(step) / columns_of(step))
        return "the rows are those of all matrices";
    return args->pieces == 0 || args->team_width == 0 ? "a row is in pieces" : NULL;
}

/* A row that is not aligned has a pack more, which the last piece takes in another round. */
const char *plan_rules_of_fill_rows(const plan_rules_case *it) {
    const tally_step *step = it->step;
    const tally_fill_rows_args *args = &step->args.fill_rows;
    const tally_spec *spec = &step->spec;
    const char *broken = broken_contiguous(step);
    if (broken != NULL)
        return broken;
    const uint64_t packs = plan_rules_parts(columns_of(step), PACK_BYTES / bytes_of(step));
    if (spec->policy.fill_rows.packs_per_item == 0 || spec->policy.fill_rows.rows_at_once != 1)
        return "a work-item has a few packs of a row";
    if (args->team_width > spec->group ||
        args->team_width * spec->policy.fill_rows.packs_per_item * args->pieces < packs ||
        args->team_width * spec->policy.fill_rows.packs_per_item * (args->pieces - 1) >= packs)
        return "each pack is in a piece and no piece is empty";
    return args->head.units !=
                   plan_rules_parts(args->rows, spec->group / args->team_width) * args->pieces
               ? "each piece of as many rows as a group has is a unit"
               : NULL;
}

/* ---- Axes in the order of the output's memory ---------------------------------------------- */

/* n / divisor by the magic numbers, for the n that would show an error first. */
static bool divides(uint64_t divisor, uint64_t magic, uint64_t shift, uint32_t bits) {
    const uint64_t most = (UINT64_C(1) << (bits - 1)) - 1;
    const uint64_t tries[] = {
        0, divisor - 1, divisor, most / divisor * divisor - 1, most / divisor * divisor, most};
    for (size_t i = 0; i < sizeof tries / sizeof tries[0]; i++) {
        const uint64_t n = tries[i] <= most ? tries[i] : 0, twice = 2 * n;
        const uint64_t low = (twice & UINT32_MAX) * (magic & UINT32_MAX);
        const uint64_t a = (twice >> 32) * (magic & UINT32_MAX) + (low >> 32);
        const uint64_t b = (twice & UINT32_MAX) * (magic >> 32) + (a & UINT32_MAX);
        const uint64_t high = (twice >> 32) * (magic >> 32) + (a >> 32) + (b >> 32);
        const uint64_t product = bits == 64 ? high : twice * magic >> 32;
        if (product >> shift != n / divisor)
            return false;
    }
    return true;
}

/* What fill_axes.cl is told. */
static const char *broken_axes(const tally_step *step) {
    const tally_fill_axes_args *args = &step->args.fill_axes;
    for (uint32_t k = 0; k < step->spec.kept_rank; k++) {
        if (!divides(args->kept_size[k], args->magic[k], args->shift[k], step->spec.index_bits))
            return "an axis is divided by multiplying";
    }
    return NULL;
}

/* The axes of a run have the elements' own strides, of what is picked in the output alone. */
static const char *broken_run(const tally_step *step) {
    const tally_fill_packs_args *args = &step->args.fill_packs;
    const bool both = step->spec.has_input && !step->spec.policy.fill_packs.picks;
    uint64_t run = 1;
    for (uint32_t k = step->spec.kept_rank; k > 0 && run < args->length;
         run *= args->kept_size[--k]) {
        const bool is_one = args->kept_size[k - 1] == 1;
        if (!is_one && (args->kept_out[k - 1] != run || (both && args->kept_in[k - 1] != run)))
            return "a run's elements lie side by side";
    }
    if (run != args->length || args->lengths != elements_of(step) / run)
        return "the runs have all elements";
    for (uint32_t k = (uint32_t)args->inner_axes; k < step->spec.kept_rank; k++)
        run /= args->kept_size[k];
    if (run != 1)
        return "a run's elements are those of its axes";
    return broken_axes(step);
}

const char *plan_rules_of_fill_packs(const plan_rules_case *it) {
    const tally_step *step = it->step;
    const tally_fill_packs_args *args = &step->args.fill_packs;
    const uint64_t pack = PACK_BYTES / bytes_of(step);
    const char *broken = broken_run(step);
    if (broken != NULL)
        return broken;
    if (step->spec.policy.fill_packs.rewrites != 0 && args->in_place == 0)
        return "packs are rewritten in place alone";
    if (!divides(args->length_packs, args->packs_magic, args->packs_shift, step->spec.index_bits))
        return "packs of a run are divided by multiplying";
    if (args->length_packs * pack < args->length + pack - 1)
        return "a run has its packs wherever it begins in the first";
    return args->head.units != plan_rules_parts(args->lengths * args->length_packs,
                                                (uint64_t)step->spec.group *
                                                    step->spec.policy.fill_packs.packs_per_item)
               ? "each pack is in a unit"
               : NULL;
}

/* So many elements of the innermost axes lie side by side. */
static bool are_spaced_evenly(const tally_step *step, const tally_u64 *stride, uint64_t space,
                              uint64_t elements) {
    const tally_fill_args *args = &step->args.fill;
    uint64_t run = 1;
    for (uint32_t k = step->spec.kept_rank; k > 0 && run < elements; run *= args->kept_size[--k])
        if (args->kept_size[k - 1] > 1 && stride[k - 1] != run * space)
            return false;
    return run == elements;
}

/* Runs of so many elements, 0: all of a stretch, are whole in each chunk. */
static const char *broken_runs(const tally_step *step, const tally_u64 *stride, uint64_t run) {
    const tally_fill_cpu_chunks_args *args = &step->args.fill_cpu_chunks;
    if (run > 0 && args->chunk_elements + CACHE_LINE_BYTES / bytes_of(step) > TALLY_FILL_POSITIONS)
        return "a pattern has room for where elements lie";
    if (run > 0 && run < args->inner_elements && args->chunk_elements % run != 0)
        return "a chunk has whole runs";
    const uint64_t space = run > 0 ? stride[step->spec.kept_rank - 1] : 1;
    return are_spaced_evenly(step, stride, space, run > 0 ? run : args->inner_elements)
               ? NULL
               : "a run's elements are spaced evenly";
}

const char *plan_rules_of_fill_cpu_chunks(const plan_rules_case *it) {
    const tally_step *step = it->step;
    const tally_fill_cpu_chunks_args *args = &step->args.fill_cpu_chunks;
    const char *broken = broken_axes(step);
    uint64_t row = 1;
    for (uint32_t k = (uint32_t)args->inner_axes + 1; k < step->spec.kept_rank; k++)
        row *= args->kept_size[k];
    if (broken == NULL)
        broken = broken_runs(step, args->kept_out, args->scatters);
    if (broken == NULL && step->spec.has_input)
        broken = broken_runs(step, args->kept_in, args->gathers);
    if (broken != NULL)
        return broken;
    if (args->inner_elements != row * args->kept_size[args->inner_axes])
        return "what is cut into chunks is whole axes";
    if (args->chunk_elements == 0 || args->chunk_elements % row != 0 ||
        args->chunk_elements > TALLY_FILL_CHUNK_BYTES / bytes_of(step))
        return "a chunk has whole rows, and room for them";
    if (args->pieces != plan_rules_parts(args->inner_elements, args->chunk_elements))
        return "each element is in a chunk and no chunk is empty";
    return args->head.units != elements_of(step) / args->inner_elements * args->pieces ||
                   args->grain == 0
               ? "each chunk is a unit, of which a work-item takes some"
               : NULL;
}

const char *plan_rules_of_fill_cpu_lines(const plan_rules_case *it) {
    const tally_step *step = it->step;
    const tally_fill_cpu_lines_args *args = &step->args.fill_cpu_lines;
    const uint64_t line = columns_of(step);
    const char *broken = broken_axes(step);
    if (broken != NULL)
        return broken;
    if (args->pieces != plan_rules_parts(line, args->piece_elements) || args->grain == 0)
        return "each element of a line is in a piece and no piece is empty";
    return args->head.units != elements_of(step) / line * args->pieces
               ? "each piece of a line is a unit"
               : NULL;
}

/* ---- Boxes --------------------------------------------------------------------------------- */

/* The positions of one kind are numbered without gaps, and only the outermost axis is cut. */
static bool are_numbered(const tally_step *step, const tally_u64 *box, const tally_u64 *pitch,
                         uint64_t positions) {
    const tally_fill_box_args *args = &step->args.fill_box;
    uint64_t count = 1;
    for (bool found = true; found;) {
        found = false;
        for (uint32_t k = 0; k < step->spec.kept_rank && !found; k++)
            if (box[k] > 1 && pitch[k] == count) {
                count *= box[k];
                found = true;
                if (args->boxes[k] > 1 && count != positions)
                    return false;
            }
    }
    return count == positions;
}

static const char *broken_box(const tally_step *step) {
    const tally_fill_box_args *args = &step->args.fill_box;
    uint64_t boxes = 1;
    for (uint32_t k = 0; k < step->spec.kept_rank; k++) {
        const uint64_t box = args->read_box[k] * args->write_box[k];
        if (args->read_box[k] > 1 && args->write_box[k] > 1)
            return "an axis has positions of one kind";
        if (args->boxes[k] != plan_rules_parts(args->kept_size[k], box))
            return "an axis is cut into boxes";
        boxes *= args->boxes[k];
    }
    if (!are_numbered(step, args->read_box, args->read_pitch, args->reads) ||
        !are_numbered(step, args->write_box, args->write_pitch, args->writes))
        return "positions are numbered one after the other, of an axis that is cut last";
    return args->head.units != boxes ? "each box is a unit" : NULL;
}

static const char *broken_direct_box(const tally_step *step) {
    const tally_spec *spec = &step->spec;
    const tally_fill_box_args *args = &step->args.fill_box;
    if (args->reads > spec->group ||
        args->writes > (uint64_t)spec->group * spec->policy.fill_box.positions_per_item)
        return "the tables have room for read positions, and work-items have the write positions";
    return broken_box(step);
}

static const char *broken_staged_box(const tally_step *step) {
    const tally_fill_box_args *args = &step->args.fill_box;
    const uint64_t entries = args->reads + args->writes;
    const uint64_t tables = 3 * (entries + entries % 2) * (step->spec.index_bits / 8u);
    if (args->local_pitch < args->reads || args->local_pitch * bytes_of(step) % 4 != 0 ||
        args->in_place != 0)
        return "an image's rows are dwords, and have room for the read positions";
    if (tables + args->writes * args->local_pitch * bytes_of(step) >
        step->spec.policy.fill_box.box_bytes)
        return "an image and its tables fit local memory";
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
    const uint64_t square = 4 / bytes_of(step);
    if (square < 2)
        return "elements are narrow";
    const uint64_t reads = plan_rules_parts(args->reads, square) * square;
    const uint64_t writes = plan_rules_parts(args->writes, square);
    const uint64_t words = reads * args->local_pitch;
    const uint64_t tables = 2 * (reads + writes * square) * (step->spec.index_bits / 8u);
    if (args->local_pitch < writes || args->local_pitch % 2 == 0 || args->in_place != 0)
        return "an image's rows are an odd number of dwords, and have room for the write positions";
    if ((words + words % 2) * 4 + tables > step->spec.policy.fill_transpose.box_bytes)
        return "an image and its tables fit local memory";
    if (step->spec.policy.fill_transpose.rows_at_once % square != 0)
        return "whole squares are under way";
    if (!are_side_by_side(step, args->read_box, args->read_pitch, args->kept_in) ||
        !are_side_by_side(step, args->write_box, args->write_pitch, args->kept_out))
        return "read positions lie side by side in the input, and write positions in the output";
    return broken_box(step);
}

const char *plan_rules_of_fill_box(const plan_rules_case *it) {
    return it->step->spec.policy.fill_box.loads_at_once > 0 ? broken_staged_box(it->step)
                                                            : broken_direct_box(it->step);
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
        const uint64_t box = args->read_box[next] * args->write_box[next];
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
        const uint64_t box = args->read_box[k] * args->write_box[k];
        if (box == 1 || args->box_step[k] >= args->segment)
            continue;
        elements *= box;
        if (args->kept_out[k] != stride * args->box_step[k] ||
            (args->boxes[k] > 1 && args->box_step[k] * box != args->segment))
            return false;
    }
    return elements == args->segment;
}

const char *plan_rules_of_fill_cpu_box(const plan_rules_case *it) {
    const tally_step *step = it->step;
    const tally_fill_cpu_box_args *args = &step->args.fill_cpu_box;
    uint64_t elements = 0;
    if (!is_laid_out(step, &elements) || elements * bytes_of(step) > TALLY_FILL_BOX_BYTES ||
        args->reads > TALLY_FILL_SIDE_MAX || args->writes > TALLY_FILL_SIDE_MAX ||
        args->in_place != 0)
        return "an image and its tables fit private memory";
    if (!is_segment(step) ||
        args->segment > (args->picks != 0 ? TALLY_FILL_PICKS : TALLY_FILL_SEGMENT))
        return "a segment lies side by side, and its tables fit private memory";
    return args->grain == 0 ? "a work-item takes some boxes" : broken_box(step);
}
