/*
 * sim_band.c: the fills of cl/band.cl and of the schedules of contiguous rows: who has which
 * elements, by packs from the output's first aligned place on, or by pieces of rows. That what
 * stays in place is left alone is not followed: here it is written.
 */
#include "number.h"
#include "sim_fold.h"

/* The unit-th element, row-major. */
static void fill(const sim_launch *launch, uint64_t unit) {
    const tally_spec *spec = &launch->step->spec;
    const tally_band_args *args = &launch->step->args.band;
    const uint64_t columns = args->kept_size[spec->kept_rank - 1];
    const uint64_t rows = args->kept_size[spec->kept_rank - 2];
    const uint64_t row = unit / columns;
    const int64_t t = (int64_t)(unit - row * columns) - (int64_t)(row % rows);
    const bool inside = t >= args->low && t < args->high;
    uint64_t element = 0;
    if (inside != (args->inverted != 0))
        element = args->value;
    else if (spec->has_input)
        element = sim_load_element(
            launch, sim_offset(launch, spec->kept_rank, args->kept_size, args->kept_in, unit));
    sim_store_element(launch,
                      sim_offset(launch, spec->kept_rank, args->kept_size, args->kept_out, unit),
                      element);
}

void sim_band(sim_launch *launch) {
    const uint64_t units = launch->step->args.head.units, items = sim_items(launch);
    for (uint64_t item = 0; item < items && item < units; item++)
        for (uint64_t unit = item; unit < units; unit += items)
            fill(launch, unit);
}

/* ---- Contiguous rows ----------------------------------------------------------------------- */

static uint64_t columns_of(const sim_launch *launch) {
    return launch->step->args.band.kept_size[launch->step->spec.kept_rank - 1];
}

/* Elements of a row before its first, in the pack that has it. */
static uint64_t lead_of(const sim_launch *launch, uint64_t row, uint64_t pack) {
    const tally_band_args *args = &launch->step->args.band;
    const uint64_t first = sim_offset(launch, launch->step->spec.kept_rank, args->kept_size,
                                      args->kept_out, row * columns_of(launch));
    return (launch->out + first) % pack;
}

/* What one work-item does of one row: so many packs, `across` between one and the next. */
static void fill_packs(const sim_launch *launch, uint64_t row, uint64_t first, uint64_t end) {
    const tally_spec *spec = &launch->step->spec;
    const uint64_t pack = 16 / number_bytes((tally_dtype)spec->input);
    const uint64_t columns = columns_of(launch), lead = lead_of(launch, row, pack);
    const uint64_t across = launch->step->args.band.across;
    for (; first < end; first += across * spec->stack)
        for (uint64_t k = 0; k < spec->stack; k++)
            for (uint64_t i = 0; i < pack; i++) {
                const uint64_t at = (first + k * across) * pack + i;
                if (at >= lead && at < lead + columns)
                    fill(launch, row * columns + at - lead);
            }
}

static void fill_strip(const sim_launch *launch, uint64_t unit) {
    const tally_spec *spec = &launch->step->spec;
    const tally_band_args *args = &launch->step->args.band;
    const uint64_t pack = 16 / number_bytes((tally_dtype)spec->input);
    const uint64_t down = spec->group / args->across, step = args->across * spec->stack;
    const uint64_t strip = unit / args->pieces, piece = unit % args->pieces;
    const uint64_t end =
        piece + 1 < args->pieces ? (piece + 1) * step : (columns_of(launch) + 2 * pack - 2) / pack;
    for (uint64_t item = 0; item < down * args->across; item++)
        for (uint64_t j = 0; j < spec->each; j++) {
            const uint64_t row = (strip * spec->each + j) * down + item / args->across;
            if (row < args->rows)
                fill_packs(launch, row, piece * step + item % args->across, end);
        }
}

void sim_band_rows(sim_launch *launch) {
    sim_each_unit(launch, 1, fill_strip);
}

static void fill_piece(const sim_launch *launch, uint64_t unit) {
    const tally_band_args *args = &launch->step->args.band;
    const uint64_t columns = columns_of(launch), begin = unit % args->pieces * args->across;
    const uint64_t end = sim_least(columns, begin + args->across);
    for (uint64_t x = begin; x < end; x++)
        fill(launch, unit / args->pieces * columns + x);
}

void sim_band_cpu(sim_launch *launch) {
    sim_each_unit(launch, launch->step->args.band.slices, fill_piece);
}
