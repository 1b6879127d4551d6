/*
 * scan_cpu.c: the scans of cl/thread/scan_cpu.cl and of the schedules that go with it: which
 * rows a unit covers, where their elements lie, and what must fit the kernels' private memory; what
 * the launches of pieces hand on. Who holds which run in which vector is not followed.
 */
#include "cl/core/scan_args.h"
#include "fold.h"
#include "scan.h"
#include "support/numbers/number.h"

static void expect(const sim_launch *launch, bool holds, const char *what) {
    if (!holds)
        sim_fault(launch->memory, "step %u: %s", launch->memory->step, what);
}

/* Rows forwards or backwards, in the output as in the input. */
static void scan_row(const sim_launch *launch, uint64_t unit) {
    const tally_scan_args *args = &launch->step->args.scan;
    expect(launch,
           (args->axis_in == 1 || args->axis_in == UINT64_MAX) && args->axis_in == args->axis_out,
           "a row's terms lie side by side");
    sim_scan_row(launch, sim_find_row(launch, unit));
}

void sim_scan_cpu_short_rows(sim_launch *launch) {
    expect(launch, launch->step->args.scan.terms <= TALLY_SHORT_TERMS, "a short row fits");
    sim_each_unit(launch, launch->step->args.scan_cpu.grain, scan_row);
}

/* ---- Lines --------------------------------------------------------------------------------- */

/* A column of a line, or a row whose elements lie apart. */
static sim_row find_column(const sim_launch *launch, uint64_t line, uint64_t column) {
    const tally_scan_cpu_line_policy *policy = &launch->step->spec.policy.scan_cpu_line;
    return policy->strided ? sim_find_row(launch, line)
                           : sim_find_column(launch, policy->merged, line, column);
}

static void scan_line(const sim_launch *launch, uint64_t unit) {
    const uint64_t merged = launch->step->spec.policy.scan_cpu_line.merged;
    for (uint64_t column = 0; column < merged; column++) {
        const sim_row it = find_column(launch, unit, column);
        sim_scan_row(launch, it);
    }
}

/* A row's tiles in a piece, and where it has told or is told of the row's. */
typedef struct piece {
    sim_row it;
    uint64_t first, end;
    uint64_t told;  /* terms of the scratch: that of the row's first tile */
    uint64_t pitch; /* to that of the next one */
} piece;

/* The tile that a piece of a line begins with: the first piece is half as long as each of the
 * others. */
static uint64_t cut(const tally_scan_cpu_rows_args *args, uint64_t number) {
    return number == 0 ? 0 : args->tiles_per_row * (2 * number - 1) / (2 * args->line_pieces + 1);
}

static unsigned char *word_of(const sim_launch *launch, const piece *at, uint64_t tile,
                              bool writes) {
    return sim_word(launch->memory, at->told + tile * at->pitch, launch->step->spec.word, writes);
}

static void publish_tile(const sim_launch *launch, const piece *at, uint64_t tile) {
    const sim_math *math = &launch->math;
    sim_state sum = sim_identity(math);
    for (uint64_t span = 0; span < TALLY_RUN; span++) {
        sim_state runs = sim_identity(math);
        for (uint64_t run = 0; run < TALLY_RUN; run++) {
            sim_state terms = sim_identity(math);
            for (uint64_t k = 0; k < TALLY_RUN; k++)
                terms = sim_combine(
                    math, terms,
                    sim_load_term(launch, &at->it,
                                  ((tile * TALLY_RUN + span) * TALLY_RUN + run) * TALLY_RUN + k));
            runs = sim_combine(math, runs, terms);
        }
        sum = sim_combine(math, sum, runs);
    }
    unsigned char *word = word_of(launch, at, tile, true);
    if (word != NULL)
        sim_put_state(math, sum, word);
}

static void publish_tiles(const sim_launch *launch, const piece *at) {
    for (uint64_t tile = at->first; tile < at->end; tile++)
        publish_tile(launch, at, tile);
}

/* Scan a piece, of which all before is published. */
static void apply_piece(const sim_launch *launch, const piece *at) {
    const sim_math *math = &launch->math;
    sim_state levels[LEVELS];
    for (int level = 0; level < LEVELS; level++)
        levels[level] = sim_identity(math);
    for (uint64_t tile = 0; tile < at->first; tile++) {
        const unsigned char *word = word_of(launch, at, tile, false);
        if (word != NULL)
            levels[TILES] = sim_combine(math, levels[TILES], sim_get_state(math, word));
        if ((tile + 1) % TALLY_TILES == 0) {
            levels[STRETCHES] = sim_combine(math, levels[STRETCHES], levels[TILES]);
            levels[TILES] = sim_identity(math);
        }
    }
    sim_walk(launch, &at->it, at->first * TALLY_TILE,
             sim_least(at->end * TALLY_TILE, launch->step->args.scan.terms), levels);
}

static void scan_pieces(const sim_launch *launch, uint64_t unit) {
    const tally_scan_cpu_rows_args *args = &launch->step->args.scan_cpu_rows;
    const uint64_t merged = launch->step->spec.policy.scan_cpu_line.merged,
                   line = unit / args->line_pieces;
    const uint64_t number =
        unit % args->line_pieces + (launch->step->spec.phase == TALLY_APPLY ? 1 : 0);
    expect(launch, args->tiles_per_row * TALLY_TILE >= args->terms, "tiles cover a line");
    for (uint64_t column = 0; column < merged; column++) {
        const piece at = {find_column(launch, line, column), cut(args, number),
                          cut(args, number + 1), line * args->tiles_per_row * merged + column,
                          merged};
        if (launch->step->spec.phase == TALLY_PASS)
            publish_tiles(launch, &at);
        if (launch->step->spec.phase == TALLY_APPLY || at.first == 0)
            apply_piece(launch, &at);
    }
}

void sim_scan_cpu_rows(sim_launch *launch) {
    const bool whole = launch->step->spec.phase == 0;
    sim_each_unit(launch, launch->step->args.scan_cpu_rows.grain, whole ? scan_line : scan_pieces);
}

/* ---- Units, cut or not --------------------------------------------------------------------- */

/* A unit's number, or that of what a piece is of. */
static uint64_t unit_of(const sim_launch *launch, uint64_t number) {
    const tally_scan_cpu_pieces_args *args = &launch->step->args.scan_cpu_pieces;
    return launch->step->spec.phase == 0 ? number : number / args->unit_pieces;
}

/* The tile at which a share of so many begins: shares are as even as can be. */
static uint64_t share(uint64_t tiles, uint64_t number, uint64_t shares) {
    return tiles * number / shares;
}

/*
 * The line-th line of a unit: all of it; or its tiles before the unit's last piece, of which each
 * work-item has a share; or a piece, onto what these come to.
 */
static void scan_line_of(const sim_launch *launch, uint64_t number, uint64_t line, sim_row it) {
    const tally_scan_cpu_pieces_args *args = &launch->step->args.scan_cpu_pieces;
    const uint8_t phase = launch->step->spec.phase;
    const uint64_t pieces = args->unit_pieces, tiles = args->tiles_per_row;
    if (phase == 0) {
        sim_scan_row(launch, it);
        return;
    }
    const uint64_t shared = phase == TALLY_TOTALS ? share(tiles, pieces - 1, pieces) : tiles;
    const uint64_t at = number % pieces;
    const piece part = {it, share(shared, at, pieces), share(shared, at + 1, pieces),
                        unit_of(launch, number) * tiles * args->tile_terms + line,
                        args->tile_terms};
    expect(launch, tiles * TALLY_TILE >= args->terms, "tiles cover a line");
    expect(launch, line < args->tile_terms, "a tile has a word for each line");
    if (phase == TALLY_TOTALS)
        publish_tiles(launch, &part);
    else
        apply_piece(launch, &part);
}

/* ---- Strips -------------------------------------------------------------------------------- */

static void scan_strip(const sim_launch *launch, uint64_t number) {
    const tally_scan_cpu_columns_args *args = &launch->step->args.scan_cpu_columns;
    const uint64_t unit = unit_of(launch, number);
    const uint64_t strips =
        args->columns / args->strip_columns > 0 ? args->columns / args->strip_columns : 1;
    const uint64_t strip = unit % strips, first = strip * args->strip_columns;
    const uint64_t width = strip + 1 < strips ? args->strip_columns : args->columns - first;
    const sim_row begin = sim_find_row(launch, unit / strips * args->columns + first);
    const tally_spec *spec = &launch->step->spec;
    expect(launch, width < 2 * (TALLY_SCAN_CPU_STRIP_BYTES / launch->math.bytes),
           "a strip's levels fit");
    for (uint64_t column = 0; column < width; column++) {
        const sim_row it = {begin.from + column,
                            begin.to + column * args->kept_out[spec->kept_rank - 1]};
        scan_line_of(launch, number, column, it);
    }
}

void sim_scan_cpu_columns(sim_launch *launch) {
    sim_each_unit(launch, launch->step->args.scan_cpu.grain, scan_strip);
}

/* ---- Panels -------------------------------------------------------------------------------- */

/* The row at coordinate number at of a box, or none beyond the ends of the axes: false. */
static bool find_in_box(const sim_launch *launch, uint64_t unit, uint64_t at, uint64_t *row) {
    const tally_scan_cpu_panel_args *args = &launch->step->args.scan_cpu_panel;
    uint64_t scale = 1;
    *row = 0;
    for (uint32_t k = launch->step->spec.kept_rank; k-- > 0;) {
        const uint64_t size = args->kept_size[k], box = args->kept_box[k];
        const uint64_t boxes = (size - 1) / box + 1, position = unit % boxes * box + at % box;
        if (position >= size)
            return false;
        *row += position * scale;
        scale *= size;
        unit /= boxes;
        at /= box;
    }
    return true;
}

static void scan_panel(const sim_launch *launch, uint64_t number) {
    const tally_scan_cpu_panel_args *args = &launch->step->args.scan_cpu_panel;
    const uint64_t bytes = number_bytes((tally_dtype)launch->step->spec.input);
    const uint64_t width = bytes < 8 ? 8 : 4;
    uint64_t lines = 1, row = 0;
    for (uint32_t k = 0; k < launch->step->spec.kept_rank; k++)
        lines *= args->kept_box[k];
    const uint64_t sets = lines / args->columns;
    expect(launch,
           lines <= TALLY_SCAN_PANEL_LINES &&
               TALLY_PANEL_PITCH(sets, width) * args->columns * args->box_terms * bytes <=
                   TALLY_SCAN_PANEL_BYTES,
           "a box fits the panel");
    for (uint64_t at = 0, line = 0; at < lines; at++)
        if (find_in_box(launch, unit_of(launch, number), at, &row))
            scan_line_of(launch, number, line++, sim_find_row(launch, row));
}

void sim_scan_cpu_panel(sim_launch *launch) {
    sim_each_unit(launch, launch->step->args.scan_cpu.grain, scan_panel);
}
