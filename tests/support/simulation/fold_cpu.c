/*
 * fold_cpu.c: the folds of cl/thread/fold_cpu.cl and of the schedules that go with it: what a
 * unit covers, where its elements lie, and what must fit the kernels' private memory. Who holds
 * which lane in which vector is not followed.
 */
#include "fold.h"
#include "support/numbers/number.h"

/* Of the compute type in a vector; parts of a state in a kernel's private arrays. */
static uint64_t width_of(const sim_launch *launch) {
    return 32 / launch->math.bytes;
}

static void expect(const sim_launch *launch, bool holds, const char *what) {
    if (!holds)
        sim_fault(launch->memory, "step %u: %s", launch->memory->step, what);
}

static void by_grain(const sim_launch *launch,
                     void (*visit)(const sim_launch *launch, uint64_t unit)) {
    sim_each_unit(launch, launch->step->args.fold_cpu.grain, visit);
}

/* One block of an output, or all of them and then their states, one for each lane. */
static void fold_row(const sim_launch *launch, uint64_t unit) {
    const tally_fold_args *args = &launch->step->args.fold;
    const uint64_t output = unit / args->blocks, parts = (args->terms - 1) / TALLY_BLOCK + 1;
    sim_state states[TALLY_LANES];
    sim_terms it = sim_terms_of(launch, output, unit % args->blocks);
    expect(launch, args->blocks == parts || (args->blocks == 1 && parts <= TALLY_LANES),
           "a whole row has a lane for each block");
    for (uint64_t lane = 0; lane < TALLY_LANES; lane++)
        states[lane] = sim_identity(&launch->math);
    for (uint64_t part = 0; part < (args->blocks == 1 ? parts : 1) && part < TALLY_LANES; part++) {
        if (args->blocks == 1)
            it = sim_terms_of(launch, output, part);
        it.origin = sim_origin(launch, output);
        it.stride = 1;
        states[part] = sim_fold_lanes(launch, &it);
    }
    for (uint64_t half = TALLY_LANES / 2; half > 0; half /= 2)
        for (uint64_t k = 0; k < half; k++)
            states[k] = sim_combine(&launch->math, states[k], states[k + half]);
    it.number = unit % args->blocks;
    sim_put_result(launch, &it, states[0]);
}

/* ---- Maps ---------------------------------------------------------------------------------- */

static void map_line(const sim_launch *launch, uint64_t first, uint64_t count) {
    for (uint64_t output = first; output < first + count; output++) {
        sim_terms it = sim_terms_of(launch, output, 0);
        it.origin = sim_origin(launch, output);
        it.stride = 1;
        sim_put_result(launch, &it, sim_fold_block(launch, &it, 1));
    }
}

/* A piece of some lines. */
static void map_unit(const sim_launch *launch, uint64_t unit) {
    const tally_fold_cpu_map_args *args = &launch->step->args.fold_cpu_map;
    const uint32_t rank = launch->step->spec.kept_rank;
    const uint64_t columns = args->kept_size[rank - 1], team_width = args->piece_elements;
    const uint64_t lines = TALLY_MAP_ROWS, rows = rank > 1 ? args->kept_size[rank - 2] : 1;
    const uint64_t pieces = (columns - 1) / team_width + 1, bands = (rows - 1) / lines + 1;
    const uint64_t column = unit % pieces * team_width, number = unit / pieces;
    for (uint64_t row = number % bands * lines; row < rows && row < (number % bands + 1) * lines;
         row++)
        map_line(launch, (number / bands * rows + row) * columns + column,
                 sim_least(team_width, columns - column));
}

void sim_fold_cpu_map(sim_launch *launch) {
    by_grain(launch, map_unit);
}

void sim_fold_cpu_rows(sim_launch *launch) {
    by_grain(launch, fold_row);
}

static void fold_short_row(const sim_launch *launch, uint64_t unit) {
    sim_terms it = sim_terms_of(launch, unit, 0);
    expect(launch, it.end > 0 && it.end <= TALLY_LANES, "a short row has a lane for each term");
    it.origin = sim_origin(launch, unit);
    it.stride = 1;
    sim_put_result(launch, &it, sim_fold_block(launch, &it, TALLY_LANES));
}

void sim_fold_cpu_short_rows(sim_launch *launch) {
    by_grain(launch, fold_short_row);
}

/* One block of neighbouring columns: rows stride apart. */
static void fold_columns(const sim_launch *launch, uint64_t first, uint64_t width, uint64_t number,
                         uint64_t stride) {
    for (uint64_t column = 0; column < width; column++) {
        sim_terms it = sim_terms_of(launch, first + column, number);
        it.origin = sim_origin(launch, first) + column;
        it.stride = stride;
        sim_put_result(launch, &it, sim_fold_block(launch, &it, TALLY_LANES));
    }
}

static void fold_packed(const sim_launch *launch, uint64_t unit) {
    const tally_fold_args *args = &launch->step->args.fold;
    const uint64_t columns = args->kept_size[launch->step->spec.kept_rank - 1];
    uint64_t lanes = 1;
    while (lanes < args->terms && lanes < TALLY_LANES)
        lanes *= 2;
    expect(launch, lanes * columns <= TALLY_PACKED_BYTES / launch->math.bytes,
           "the lanes of all columns fit the slab");
    fold_columns(launch, unit / args->blocks * columns, columns, unit % args->blocks, columns);
}

void sim_fold_cpu_packed(sim_launch *launch) {
    by_grain(launch, fold_packed);
}

static void fold_strip(const sim_launch *launch, uint64_t unit) {
    const tally_spec *spec = &launch->step->spec;
    const tally_fold_cpu_columns_args *args = &launch->step->args.fold_cpu_columns;
    const uint64_t columns = args->columns;
    const uint64_t strips = columns / args->strip_columns > 0 ? columns / args->strip_columns : 1;
    const uint64_t sets = args->outputs / columns;
    const uint64_t strip = (args->sets_first == 1 ? unit / sets : unit) % strips;
    const uint64_t set = args->sets_first == 1 ? unit % sets : unit / strips / args->blocks;
    const uint64_t number =
        args->sets_first == 1 ? unit / sets / strips : unit / strips % args->blocks;
    const uint64_t first = strip * args->strip_columns;
    const uint64_t width = strip + 1 < strips ? args->strip_columns : columns - first;
    expect(launch, width >= width_of(launch), "a strip is no narrower than a vector");
    expect(launch, width <= TALLY_STRIP_BYTES / launch->math.bytes, "a strip's states fit");
    fold_columns(launch, set * columns + first, width, number,
                 args->swept_in[spec->swept_rank - 1]);
}

void sim_fold_cpu_columns(sim_launch *launch) {
    by_grain(launch, fold_strip);
}

/* A block of columns a step apart, whose terms are of any axes. */
static void fold_spaced(const sim_launch *launch, uint64_t unit) {
    const tally_fold_cpu_columns_args *args = &launch->step->args.fold_cpu_columns;
    const uint64_t columns = args->columns;
    const uint64_t strips = columns / args->strip_columns, strip = unit % strips;
    const uint64_t set = unit / strips / args->blocks, number = unit / strips % args->blocks;
    const uint64_t first = strip * args->strip_columns;
    const uint64_t behind = strip + 1 < strips ? first + args->strip_columns : columns;
    for (uint64_t column = first; column < behind; column++) {
        sim_terms it = sim_terms_of(launch, set * columns + column, number);
        it.origin = sim_origin(launch, set * columns + column);
        sim_put_result(launch, &it, sim_fold_block(launch, &it, TALLY_LANES));
    }
}

void sim_fold_cpu_spaced(sim_launch *launch) {
    by_grain(launch, fold_spaced);
}

/* Blocks of a single output: those of a part. */
static void fold_line(const sim_launch *launch, uint64_t unit) {
    const tally_fold_cpu_panel_args *args = &launch->step->args.fold_cpu_panel;
    const uint64_t parts = (args->blocks - 1) / args->box_blocks + 1;
    const uint64_t first = unit % parts * args->box_blocks;
    for (uint64_t block = first; block < sim_least(first + args->box_blocks, args->blocks);
         block++) {
        sim_terms it = sim_terms_of(launch, unit / parts, block);
        it.origin = sim_origin(launch, unit / parts);
        sim_put_result(launch, &it, sim_fold_block(launch, &it, TALLY_LANES));
    }
}

/* A block of some outputs, which are a box. */
static void fold_box(const sim_launch *launch, uint64_t unit) {
    const tally_fold_cpu_panel_args *args = &launch->step->args.fold_cpu_panel;
    const uint64_t boxes = (args->outputs - 1) / args->box_outputs + 1,
                   first = unit % boxes * args->box_outputs;
    const uint64_t vectors = args->box_outputs / width_of(launch);
    expect(launch, vectors * width_of(launch) == args->box_outputs,
           "a box's outputs are whole vectors");
    expect(launch, args->box_outputs <= TALLY_PANEL_COLUMNS, "where a box's outputs lie fits");
    for (uint64_t output = first; output < sim_least(first + args->box_outputs, args->outputs);
         output++) {
        sim_terms it = sim_terms_of(launch, output, unit / boxes);
        it.origin = sim_origin(launch, output);
        sim_put_result(launch, &it, sim_fold_block(launch, &it, TALLY_LANES));
    }
}

void sim_fold_cpu_panel(sim_launch *launch) {
    by_grain(launch, launch->step->args.fold_cpu_panel.box_outputs == 1 ? fold_line : fold_box);
}

static void fold_lines(const sim_launch *launch, uint64_t unit) {
    const tally_fold_cpu_lines_args *args = &launch->step->args.fold_cpu_lines;
    const sim_lines lines = {args->line_terms, args->lines, args->piece_terms,
                             launch->step->spec.policy.fold_cpu_lines.lines_at_once};
    expect(launch, lines.at_once % width_of(launch) == 0, "lines beside each other are vectors");
    sim_fold_lines(launch, unit, &lines);
}

void sim_fold_cpu_lines(sim_launch *launch) {
    by_grain(launch, fold_lines);
}
