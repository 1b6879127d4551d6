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

/* Whether it is packs, of which a work-item looks one up. */
static bool repeats(const tally_step *step) {
    return step->spec.schedule == TALLY_FILL_PACKS && step->spec.policy.fill_packs.repeats != 0;
}

/* What fill_axes.cl is told. */
static const char *broken_axes(const tally_step *step) {
    const tally_fill_axes_args *args = &step->args.fill_axes;
    for (uint32_t k = 0; k < step->spec.kept_rank; k++) {
        const bool is_repeated = repeats(step) && step->args.fill_packs.repeat_axis == k;
        const uint64_t size = is_repeated ? step->args.fill_packs.repeat_step : args->kept_size[k];
        if (!divides(size, args->magic[k], args->shift[k], step->spec.index_bits))
            return "an axis is divided by multiplying";
    }
    return NULL;
}

/* All runs: of those that repeat along an axis work-items begin with some. */
static uint64_t runs_of(const tally_step *step) {
    const tally_fill_packs_args *args = &step->args.fill_packs;
    return repeats(step) && args->repeat_axis < TALLY_AXES
               ? args->lengths / args->repeat_step * args->repeat_end
               : args->lengths;
}

/* Elements that the diagonal is the same after, all of a step along the axis or within the run. */
static const char *broken_repeat(const tally_step *step, uint64_t pack) {
    const tally_fill_packs_args *args = &step->args.fill_packs;
    uint64_t elements = 1, matrix = 1;
    if (args->repeat_axis < TALLY_AXES) {
        const uint32_t k = (uint32_t)args->repeat_axis;
        if (k >= args->inner_axes || args->diagonal[k] != 0 ||
            args->repeat_end != args->kept_size[k] ||
            args->repeat_out != args->repeat_step * args->kept_out[k] ||
            args->repeat_in != args->repeat_step * args->kept_in[k])
            return "what repeats along an axis outside of the runs has the same diagonals";
        return args->repeat_out % pack != 0 ? "packs that repeat are aligned" : NULL;
    }
    for (uint32_t k = step->spec.kept_rank; k-- > args->inner_axes;) {
        elements *= args->kept_size[k];
        matrix = args->diagonal[k] != 0 ? elements : matrix;
    }
    if (args->repeat_step % matrix != 0 || args->repeat_step != args->length_packs * pack ||
        args->repeat_end != args->length || args->repeat_out != args->repeat_step ||
        args->repeat_in != args->repeat_step)
        return "what repeats within a run is whole matrices and whole packs";
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
    if (run != args->length || runs_of(step) != elements_of(step) / run)
        return "the runs have all elements";
    for (uint32_t k = (uint32_t)args->inner_axes; k < step->spec.kept_rank; k++)
        run /= args->kept_size[k];
    if (run != 1)
        return "a run's elements are those of its axes";
    return broken_axes(step);
}

/* Whether an element of the first run is in the band. */
static bool is_in_band(const tally_step *step, uint64_t element) {
    const tally_fill_packs_args *args = &step->args.fill_packs;
    int64_t t = 0;
    for (uint32_t k = step->spec.kept_rank; k-- > 0; element /= args->kept_size[k])
        t += (int64_t)(element % args->kept_size[k] * args->diagonal[k]);
    return t >= args->low && t < args->high;
}

/* Elements that are looked up one by one around each edge. */
#define LOOKED_UP 1024

static const char *broken_band(const tally_step *step) {
    const tally_fill_packs_args *args = &step->args.fill_packs;
    const uint64_t at[] = {0, args->band_begin, args->whole_begin, args->whole_end, args->band_end};
    for (size_t k = 0; k < sizeof at / sizeof at[0]; k++) {
        const uint64_t first = at[k] > LOOKED_UP / 2 ? at[k] - LOOKED_UP / 2 : 0;
        for (uint64_t i = first; i < args->length && i < first + LOOKED_UP; i++) {
            const bool whole = i >= args->whole_begin && i < args->whole_end;
            const bool none = i < args->band_begin || i >= args->band_end;
            if ((whole && !is_in_band(step, i)) || (none && is_in_band(step, i)))
                return "the band begins and ends where the arguments say";
        }
    }
    return NULL;
}

const char *plan_rules_of_fill_packs(const plan_rules_case *it) {
    const tally_step *step = it->step;
    const tally_fill_packs_args *args = &step->args.fill_packs;
    const tally_fill_packs_policy *policy = &step->spec.policy.fill_packs;
    const uint64_t pack = PACK_BYTES / plan_rules_element_bytes(step);
    const bool within = repeats(step) && args->repeat_axis == TALLY_AXES;
    const uint64_t each = repeats(step) ? 1 : policy->packs_per_item;
    const char *broken = broken_run(step);
    if (broken == NULL && repeats(step))
        broken = broken_repeat(step, pack);
    if (broken == NULL)
        broken = broken_band(step);
    if (broken != NULL)
        return broken;
    if (policy->rewrites != 0 && args->in_place == 0)
        return "packs are rewritten in place alone";
    if (policy->repeats != 0 && policy->picks != 0)
        return "packs that repeat lie side by side in the input";
    if (!divides(args->length_packs, args->packs_magic, args->packs_shift, step->spec.index_bits))
        return "packs of a run are divided by multiplying";
    if (!within && args->length_packs * pack < args->length + pack - 1)
        return "a run has its packs wherever it begins in the first";
    return args->head.units != plan_rules_parts(args->lengths * args->length_packs,
                                                (uint64_t)step->spec.group * each)
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
    const uint64_t line = args->kept_size[step->spec.kept_rank - 1];
    const char *broken = broken_axes(step);
    if (broken != NULL)
        return broken;
    if (args->pieces != plan_rules_parts(line, args->piece_elements) || args->grain == 0)
        return "each element of a line is in a piece and no piece is empty";
    return args->head.units != elements_of(step) / line * args->pieces
               ? "each piece of a line is a unit"
               : NULL;
}
