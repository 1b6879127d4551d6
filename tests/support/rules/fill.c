/*
 * fill.c: what the kernels of fills by rows, packs, chunks and lines take for granted, worked out
 * from what is said at the head of each file of cl/: each element is one work-item's, and tables
 * have room. Boxes are fill_box.c's.
 */
#include "parts.h"

/* Numbers of the kernels, written once more; what these have room for is in cl/core/sizes.h. */
#define PACK_BYTES 16
#define CACHE_LINE_BYTES 64

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
    if (columns_of(step) * plan_rules_element_bytes(step) < PACK_BYTES ||
        (args->in_place && step->spec.has_input))
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
    const uint64_t packs =
        plan_rules_parts(columns_of(step), PACK_BYTES / plan_rules_element_bytes(step));
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
    const uint64_t pack = PACK_BYTES / plan_rules_element_bytes(step);
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
    if (run > 0 && args->chunk_elements + CACHE_LINE_BYTES / plan_rules_element_bytes(step) >
                       TALLY_FILL_POSITIONS)
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
        args->chunk_elements > TALLY_FILL_CHUNK_BYTES / plan_rules_element_bytes(step))
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
