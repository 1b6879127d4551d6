/*
 * Fills on CPUs: by rows where these are long and lie side by side, by chunks of runs over several
 * short ones, by way of tiles where input and output have different innermost axes, and by lines.
 */
#include "plan/band.h"
#include "plan/tuning.h"

static uint64_t least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

static uint64_t columns_of(const tally_problem *problem) {
    return problem->kept.size[problem->kept.count - 1];
}

static bool has_long_rows(const tally_problem *problem, const tally_step *step) {
    return tally_fill_row_bytes(problem, step) >= TALLY_FILL_ROW && !step->args.band.in_place;
}

/* Bytes of a turn of a core, of so many in all; see fold_schedule_cpu.c. */
static uint64_t turn_of(uint64_t bytes, const tally_limits *limits) {
    uint64_t turn = tally_plan_parts(bytes, (uint64_t)limits->units * TALLY_CPU_TURNS);
    turn = turn < TALLY_CPU_BYTES ? turn : TALLY_CPU_BYTES;
    return turn > TALLY_CPU_BYTES_MIN ? turn : TALLY_CPU_BYTES_MIN;
}

/* Make the step one of a schedule whose work-items take units of so many bytes. */
static void set_turns(tally_schedule schedule, uint64_t unit_bytes, const tally_limits *limits,
                      tally_step *step) {
    tally_band_args *args = &step->args.band;
    const uint64_t bytes = args->head.units * unit_bytes;
    args->slices = tally_plan_parts(turn_of(bytes, limits), unit_bytes);
    args->slices = least(args->slices, args->head.units);
    args->stream = bytes >= TALLY_BAND_STREAM;
    step->spec.schedule = (uint8_t)schedule;
    step->spec.group = 1;
    step->slots = (uint32_t)args->slices;
}

/* The rows and columns as they are in the problem. */
static void plan_rows(const tally_problem *problem, const tally_limits *limits, tally_step *step) {
    tally_band_args *args = &step->args.band;
    uint64_t columns = columns_of(problem), row = columns * step->target_bytes;
    tally_fill_set_matrix(problem, step);
    uint64_t turn = turn_of(args->rows * row, limits);
    args->across = tally_plan_parts(columns, tally_plan_parts(row, turn));
    args->pieces = tally_plan_parts(columns, args->across);
    args->head.units = args->rows * args->pieces;
    set_turns(TALLY_BAND_CPU, args->across * step->target_bytes, limits, step);
}

/* Elements of as many matrices as fit half of a mask or more; none of larger ones. */
static uint64_t period_of(const tally_step *step) {
    const tally_band_args *args = &step->args.band;
    const uint64_t room = TALLY_FILL_MASK_BYTES / step->target_bytes;
    uint64_t matrix = 1;
    for (uint32_t k = (uint32_t)args->first_axis; k < step->spec.kept_rank; k++) {
        if (args->kept_size[k] > room / matrix)
            return 0;
        matrix *= args->kept_size[k];
    }
    return tally_plan_parts(room / 4, matrix) * matrix;
}

static void plan_chunks(uint64_t run, uint32_t run_axes, const tally_limits *limits,
                        tally_step *step) {
    tally_band_args *args = &step->args.band;
    const uint64_t bytes = step->target_bytes, line = 64 / bytes;
    tally_fill_set_axes(step);
    args->length = run;
    args->inner_axes = run_axes;
    args->rows = args->head.units / run;
    args->period = period_of(step);
    args->across = TALLY_FILL_CHUNK_BYTES / bytes;
    args->pieces = tally_plan_parts(run + line - 1, args->across);
    args->head.units = args->rows * args->pieces;
    set_turns(TALLY_BAND_CPU_CHUNKS, least(run, args->across) * bytes, limits, step);
}

static void plan_lines(const tally_limits *limits, tally_step *step) {
    tally_band_args *args = &step->args.band;
    const uint64_t line = args->kept_size[step->spec.kept_rank - 1];
    const uint64_t turn = turn_of(args->head.units * step->target_bytes, limits);
    tally_fill_set_axes(step);
    args->rows = args->head.units / line;
    args->pieces = tally_plan_parts(line * step->target_bytes, turn);
    args->across = tally_plan_parts(line, args->pieces);
    args->pieces = tally_plan_parts(line, args->across);
    args->head.units = args->rows * args->pieces;
    set_turns(TALLY_BAND_CPU_LINES, args->across * step->target_bytes, limits, step);
}

/* Sides of a tile: lines of the input by what private memory has room for, or the other way round.
 */
static void plan_tile(const tally_limits *limits, tally_step *step) {
    tally_band_args *args = &step->args.band;
    const uint32_t rank = step->spec.kept_rank, bytes = step->target_bytes;
    const uint64_t all = TALLY_FILL_CPU_TILE / bytes;
    uint64_t most = least(TALLY_FILL_CPU_READ / bytes, 64);
    uint64_t other = least(all / most, TALLY_FILL_SIDE_MAX / 4);
    tally_places reads, writes;
    for (uint32_t turn = 0; turn < 2; turn++) {
        tally_boxes_clear(args);
        reads = (tally_places){1, most, args->read_box, args->read_pitch, false};
        writes = (tally_places){1, other, args->write_box, args->write_pitch, false};
        args->read_length = args->write_length = 0;
        bool grows = true;
        while (grows) {
            grows = tally_boxes_grow(&reads, args, rank, args->kept_in, most / 2);
            args->read_length = args->read_length > 0 ? args->read_length : reads.count;
            grows = tally_boxes_grow(&writes, args, rank, args->kept_out, other / 2) || grows;
            args->write_length = args->write_length > 0 ? args->write_length : writes.count;
        }
        const uint64_t few = 64 / bytes;
        if (writes.count < few && reads.cut)
            most = least(all / (few + writes.count), TALLY_FILL_SIDE_MAX);
        if (reads.count < few && writes.cut)
            other = least(all / (2 * reads.count), TALLY_FILL_SIDE_MAX);
    }
    const uint64_t line = 64 / bytes;
    args->tile_pitch = (tally_plan_parts(writes.count, line) | 1) * line;
    tally_boxes_count(limits, &reads, &writes, rank, step);
    set_turns(TALLY_BAND_CPU_TILE, reads.count * writes.count * bytes, limits, step);
}

void tally_plan_band_cpu(const tally_problem *problem, const tally_walk *walk,
                         const tally_limits *limits, tally_step *step) {
    uint32_t run_axes = 0;
    const uint64_t run = tally_fill_run(step, &run_axes);
    if (has_long_rows(problem, step))
        plan_rows(problem, limits, step);
    else if (run * step->target_bytes >= TALLY_FILL_CPU_RUN && !step->args.band.in_place)
        plan_chunks(run, run_axes, limits, step);
    else if (step->spec.has_input && tally_walk_is_transposed(walk))
        plan_tile(limits, step);
    else
        plan_lines(limits, step);
}
