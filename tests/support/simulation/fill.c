/*
 * fill.c: the fills of cl/agent/fill/fill.cl and of the schedules of GPUs and CPUs: who has
 * which elements, by packs from the output's first aligned position on, by chunks and lines, or by
 * boxes. In place what does not get the value is left alone.
 */
#include "fold.h"
#include "support/numbers/number.h"

/* Of an element that is read what is written: of a map the function of it alone. */
static uint64_t mapped(const sim_launch *launch, uint64_t element) {
    const sim_math *math = &launch->math;
    if (launch->step->spec.function == 0)
        return element;
    const uint64_t x = sim_load(math, element);
    return sim_end(math, sim_take(math, sim_identity(math), &x, 1, 0, 1), 1);
}

/* The value or what is kept, at an offset of either tensor. */
static void put(const sim_launch *launch, bool inside, uint64_t in, uint64_t out) {
    const tally_fill_args *args = &launch->step->args.fill;
    uint64_t element = 0;
    if (inside != (args->inverted != 0))
        element = args->value;
    else if (args->in_place != 0)
        return;
    else if (launch->step->spec.has_input)
        element = mapped(launch, sim_load_element(launch, in));
    sim_store_element(launch, args->out_start + out, element);
}

/* Element number unit of the axes in the order of the output's memory. */
static void fill(const sim_launch *launch, uint64_t unit) {
    const tally_fill_args *args = &launch->step->args.fill;
    const uint32_t rank = launch->step->spec.kept_rank;
    uint64_t in = 0, out = 0;
    int64_t t = 0;
    for (uint32_t k = rank; k-- > 0; unit /= args->kept_size[k]) {
        const uint64_t c = k > 0 ? unit % args->kept_size[k] : unit;
        in += c * args->kept_in[k];
        out += c * args->kept_out[k];
        t += (int64_t)(c * args->diagonal[k]);
    }
    put(launch, t >= args->low && t < args->high, in, out);
}

void sim_fill(sim_launch *launch) {
    const uint64_t units = launch->step->args.head.units, items = sim_items(launch);
    for (uint64_t item = 0; item < items && item < units; item++)
        for (uint64_t unit = item; unit < units; unit += items)
            fill(launch, unit);
}

/* ---- Runs ---------------------------------------------------------------------------------- */

/* Elements of a position of so many before a run's first one, where it begins anywhere. */
static uint64_t lead_of_run(const sim_launch *launch, uint64_t run, uint64_t position) {
    const tally_fill_packs_args *args = &launch->step->args.fill_packs;
    const uint64_t first = sim_offset(launch, launch->step->spec.kept_rank, args->kept_size,
                                      args->kept_out, run * args->length);
    return (launch->out + args->out_start + first) % position;
}

/* Those of a run that are at a position, of so many. */
static void fill_position(const sim_launch *launch, uint64_t run, uint64_t number,
                          uint64_t position, uint64_t lead) {
    const tally_fill_packs_args *args = &launch->step->args.fill_packs;
    for (uint64_t i = number * position; i < (number + 1) * position; i++)
        if (i >= lead && i - lead < args->length)
            fill(launch, run * args->length + i - lead);
}

/* The runs of a number that work-items begin with, each along the axis that they repeat along. */
static void fill_repeated(const sim_launch *launch, uint64_t number, uint64_t pack) {
    const tally_fill_packs_args *args = &launch->step->args.fill_packs;
    const uint64_t position = number % args->length_packs, step = args->repeat_step;
    uint64_t run = number / args->length_packs, inner = 1, outer = 1;
    if (args->repeat_axis == TALLY_AXES) {
        for (uint64_t n = position; n * pack < args->length + pack - 1; n += args->length_packs)
            fill_position(launch, run, n, pack, lead_of_run(launch, run, pack));
        return;
    }
    for (uint64_t k = args->inner_axes; k-- > args->repeat_axis + 1;)
        inner *= args->kept_size[k];
    outer = run / (inner * step);
    for (uint64_t c = run / inner % step; c < args->repeat_end; c += step) {
        const uint64_t at = (outer * args->repeat_end + c) * inner + run % inner;
        fill_position(launch, at, position, pack, lead_of_run(launch, at, pack));
    }
}

static void fill_packs_of_group(const sim_launch *launch, uint64_t unit) {
    const tally_spec *spec = &launch->step->spec;
    const tally_fill_packs_args *args = &launch->step->args.fill_packs;
    const bool repeats = spec->policy.fill_packs.repeats != 0;
    const uint64_t pack = 16 / number_bytes((tally_dtype)spec->input);
    const uint64_t all = args->lengths * args->length_packs,
                   each = (uint64_t)spec->group *
                          (repeats ? 1 : spec->policy.fill_packs.packs_per_item);
    for (uint64_t i = unit * each; i < (unit + 1) * each && i < all; i++) {
        const uint64_t run = i / args->length_packs;
        if (repeats)
            fill_repeated(launch, i, pack);
        else
            fill_position(launch, run, i % args->length_packs, pack,
                          lead_of_run(launch, run, pack));
    }
}

void sim_fill_packs(sim_launch *launch) {
    sim_each_unit(launch, 1, fill_packs_of_group);
}

/* Elements from one on to the next line of the output. */
static uint64_t to_line(const sim_launch *launch, uint64_t element) {
    const tally_fill_args *args = &launch->step->args.fill;
    const uint64_t line = 64 / number_bytes((tally_dtype)launch->step->spec.input);
    const uint64_t out =
        sim_offset(launch, launch->step->spec.kept_rank, args->kept_size, args->kept_out, element);
    return (line - (launch->out + args->out_start + out) % line) % line;
}

/* Chunks that lie side by side meet at lines. */
static void fill_chunk(const sim_launch *launch, uint64_t unit) {
    const tally_fill_cpu_chunks_args *args = &launch->step->args.fill_cpu_chunks;
    const uint64_t first = unit / args->pieces * args->inner_elements;
    uint64_t begin = unit % args->pieces * args->chunk_elements, end = begin + args->chunk_elements;
    const bool is_last = end >= args->inner_elements;
    if (args->scatters == 0 && begin > 0)
        begin += to_line(launch, first + begin);
    if (args->scatters == 0 && !is_last)
        end += to_line(launch, first + end);
    for (uint64_t i = begin; i < end && i < args->inner_elements; i++)
        fill(launch, first + i);
}

void sim_fill_cpu_chunks(sim_launch *launch) {
    sim_each_unit(launch, launch->step->args.fill_cpu_chunks.grain, fill_chunk);
}

static void fill_line(const sim_launch *launch, uint64_t unit) {
    const tally_fill_cpu_lines_args *args = &launch->step->args.fill_cpu_lines;
    const uint64_t line = args->kept_size[launch->step->spec.kept_rank - 1];
    const uint64_t begin = unit % args->pieces * args->piece_elements;
    for (uint64_t i = begin; i < sim_least(line, begin + args->piece_elements); i++)
        fill(launch, unit / args->pieces * line + i);
}

void sim_fill_cpu_lines(sim_launch *launch) {
    sim_each_unit(launch, launch->step->args.fill_cpu_lines.grain, fill_line);
}

/* ---- Boxes --------------------------------------------------------------------------------- */

uint64_t sim_box_coordinate(const tally_box_args *box, uint32_t k, uint64_t read, uint64_t write) {
    return (box->read_box[k] > 1 ? read / box->read_pitch[k] % box->read_box[k] : 0) +
           (box->write_box[k] > 1 ? write / box->write_pitch[k] % box->write_box[k] : 0);
}

void sim_each_position(const sim_launch *launch, const tally_box_args *box, const tally_u64 *size,
                       uint64_t unit, sim_position *visit) {
    uint64_t first[TALLY_AXES] = {0}, reads = box->reads, writes = box->writes;
    for (uint32_t k = launch->step->spec.kept_rank; k-- > 0; unit /= box->boxes[k]) {
        first[k] = unit % box->boxes[k] * box->read_box[k] * box->write_box[k];
        const uint64_t left = size[k] - first[k];
        if (box->read_box[k] > left)
            reads = left * box->read_pitch[k];
        if (box->write_box[k] > left)
            writes = left * box->write_pitch[k];
    }
    for (uint64_t read = 0; read < reads; read++)
        for (uint64_t write = 0; write < writes; write++)
            visit(launch, first, read, write);
}

/* The element at two positions of the box that begins at these coordinates. */
static void fill_in_box(const sim_launch *launch, const uint64_t *first, uint64_t read,
                        uint64_t write) {
    const tally_fill_box_args *args = &launch->step->args.fill_box;
    uint64_t unit = 0;
    for (uint32_t k = 0; k < launch->step->spec.kept_rank; k++)
        unit =
            unit * args->kept_size[k] + first[k] + sim_box_coordinate(&args->box, k, read, write);
    fill(launch, unit);
}

static void fill_box(const sim_launch *launch, uint64_t unit) {
    const tally_fill_box_args *args = &launch->step->args.fill_box;
    sim_each_position(launch, &args->box, args->kept_size, unit, fill_in_box);
}

/* Groups of GPUs that have several go from one to the next of all groups. */
void sim_fill_box(sim_launch *launch) {
    sim_each_unit(launch, 1, fill_box);
}

/* The same, but for how elements come by local memory, which does not show in the results. */
void sim_fill_transpose(sim_launch *launch) {
    sim_fill_box(launch);
}

void sim_fill_cpu_box(sim_launch *launch) {
    sim_each_unit(launch, launch->step->args.fill_cpu_box.grain, fill_box);
}
