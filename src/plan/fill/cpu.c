/*
 * Fills on CPUs: by lines where these are long, by chunks of several short ones, and by way of
 * boxes where input and output have different innermost axes.
 */
#include "plan/fill/fill.h"
#include "plan/fill/tuning.h"
#include "plan/tuning.h"

/* Bytes of the grain of a core, of so many in all; see fold/schedule_cpu.c. */
static uint64_t grain_of(uint64_t bytes, const tally_limits *limits) {
    uint64_t grain = tally_plan_parts(bytes, (uint64_t)limits->units * TALLY_CPU_GRAINS);
    grain = grain < TALLY_CPU_BYTES ? grain : TALLY_CPU_BYTES;
    return grain > TALLY_CPU_BYTES_MIN ? grain : TALLY_CPU_BYTES_MIN;
}

/*
 * Make the step one of a schedule whose work-items take units of so many bytes; returns how many
 * they take in one go. Whether results go past the caches is for the kernel.
 */
static uint64_t set_grain(tally_schedule schedule, uint64_t unit_bytes, const tally_limits *limits,
                          tally_step *step, tally_u64 *stream) {
    const uint64_t units = step->args.head.units, bytes = units * unit_bytes;
    uint64_t grain = tally_plan_parts(grain_of(bytes, limits), unit_bytes);
    if (schedule != TALLY_FILL_CPU_LINES) {
        /* Each group works a pattern out. */
        const uint64_t few = (uint64_t)limits->units * TALLY_FILL_CPU_GROUPS;
        const uint64_t worth = tally_plan_least(tally_plan_parts(units, few), 1 << 20);
        grain = grain > worth ? grain : worth;
    }
    grain = tally_plan_least(grain, units);
    *stream = bytes >= (step->spec.has_input ? TALLY_FILL_STREAM : TALLY_FILL_STREAM_UNREAD);
    step->spec.schedule = (uint8_t)schedule;
    step->spec.group = 1;
    return grain;
}

/*
 * Chunks of the stretches of the axes from one on: the innermost axes as long as they fit a chunk,
 * and some positions of the next one.
 */
static void plan_chunks(uint32_t from, uint64_t room, const tally_limits *limits,
                        tally_step *step) {
    tally_fill_cpu_chunks_args *args = &step->args.fill_cpu_chunks;
    const uint64_t bytes = step->target_bytes;
    uint32_t cut = step->spec.kept_rank - 1;
    uint64_t row = 1;
    for (; cut > from && args->kept_size[cut] <= room / row / 2; cut--)
        row *= args->kept_size[cut];
    tally_fill_set_axes(step);
    args->inner_axes = cut;
    args->inner_elements = row * args->kept_size[cut];
    args->chunk_elements = tally_plan_least(room / row, args->kept_size[cut]) * row;
    args->pieces = tally_plan_parts(args->inner_elements, args->chunk_elements);
    args->head.units = args->head.units / args->inner_elements * args->pieces;
    args->grain =
        set_grain(TALLY_FILL_CPU_CHUNKS, args->chunk_elements * bytes, limits, step, &args->stream);
}

static void plan_lines(const tally_limits *limits, tally_step *step) {
    tally_fill_cpu_lines_args *args = &step->args.fill_cpu_lines;
    const uint64_t line = args->kept_size[step->spec.kept_rank - 1];
    const uint64_t grain = grain_of(args->head.units * step->target_bytes, limits);
    tally_fill_set_axes(step);
    args->piece_elements =
        tally_plan_parts(line, tally_plan_parts(line * step->target_bytes, grain));
    args->pieces = tally_plan_parts(line, args->piece_elements);
    args->head.units = args->head.units / line * args->pieces;
    args->grain = set_grain(TALLY_FILL_CPU_LINES, args->piece_elements * step->target_bytes, limits,
                            step, &args->stream);
}

static void plan_staged(const tally_limits *limits, tally_step *step) {
    tally_fill_cpu_box_args *args = &step->args.fill_cpu_box;
    tally_fill_choose_box(step);
    const tally_boxes boxes = tally_fill_boxes(&step->args.fill_box, step);
    args->head.units = tally_boxes_count(&boxes);
    args->grain =
        set_grain(TALLY_FILL_CPU_BOX, args->box.reads * args->box.writes * step->target_bytes,
                  limits, step, &args->stream);
}

/* Elements that are evenly spaced in one tensor, and the first axis that is among them. */
static uint64_t run_of(const tally_step *step, const tally_u64 *stride, uint32_t *axes) {
    const tally_fill_args *args = &step->args.fill;
    uint64_t run = 1;
    uint32_t k = step->spec.kept_rank;
    const uint64_t space = stride[k - 1];
    for (; k > 0 && (args->kept_size[k - 1] == 1 || stride[k - 1] == run * space); k--)
        run *= args->kept_size[k - 1];
    *axes = k;
    return run;
}

/* Lines that are not long: together, contiguous or not. */
static void plan_short_lines(const tally_limits *limits, tally_step *step) {
    tally_fill_cpu_chunks_args *args = &step->args.fill_cpu_chunks;
    const uint64_t bytes = step->target_bytes, chunk = TALLY_FILL_CHUNK_BYTES / bytes;
    uint32_t axes = 0;
    if (tally_fill_run(step, step->spec.has_input, &axes) * bytes >= TALLY_FILL_CPU_RUN) {
        plan_chunks(axes, chunk, limits, step);
        return;
    }
    const uint64_t in_run = run_of(step, args->kept_in, &axes);
    const uint64_t out_run = run_of(step, args->kept_out, &axes);
    args->gathers = step->spec.has_input ? in_run : 0;
    const bool is_packed = args->kept_out[step->spec.kept_rank - 1] == 1;
    args->scatters = is_packed && out_run * bytes >= TALLY_FILL_CPU_RUN ? 0 : out_run;
    plan_chunks(args->scatters > 0 ? 0 : axes, tally_plan_least(chunk, TALLY_FILL_POSITIONS - 128),
                limits, step);
}

void tally_plan_fill_cpu(const tally_walk *walk, const tally_limits *limits, tally_step *step) {
    const tally_fill_args *args = &step->args.fill;
    const uint32_t last = step->spec.kept_rank - 1;
    const uint64_t line = args->kept_size[last] * step->target_bytes;
    uint32_t axes = 0;
    const uint64_t run = tally_fill_run(step, step->spec.has_input, &axes) * step->target_bytes;
    if (step->spec.has_input && tally_walk_is_transposed(walk))
        plan_staged(limits, step);
    else if (line >= TALLY_FILL_ROW ||
             (args->in_place && (run < TALLY_FILL_CPU_RUN || line >= TALLY_FILL_CPU_LINE)))
        plan_lines(limits, step);
    else
        plan_short_lines(limits, step);
}
