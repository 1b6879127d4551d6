/*
 * sim_band.c: the fills of cl/band.cl.
 */
#include "sim_launch.h"

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
