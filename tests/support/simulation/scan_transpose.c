/*
 * scan_transpose.c: scans of boxes of whole lines, cl/agent/scan/scan_transpose.cl: each line of a
 * box is walked from end to end. How results leave by local memory does not show in them.
 */
#include "scan.h"

#include "support/numbers/number.h"

/* The line at two positions of the box that begins at these coordinates. */
static void scan_line(const sim_launch *launch, const uint64_t *first, uint64_t read,
                      uint64_t write) {
    const tally_scan_transpose_args *args = &launch->step->args.scan_transpose;
    sim_row it = {args->start_in, args->start_out};
    for (uint32_t k = 0; k < launch->step->spec.kept_rank; k++) {
        const uint64_t c = first[k] + sim_box_coordinate(&args->box, k, read, write);
        it.from += c * args->kept_in[k];
        it.to += c * args->kept_out[k];
    }
    sim_scan_row(launch, it);
}

static void scan_box(const sim_launch *launch, uint64_t unit) {
    const tally_scan_transpose_args *args = &launch->step->args.scan_transpose;
    sim_each_position(launch, &args->box, args->kept_size, unit, scan_line);
}

void sim_scan_transpose(sim_launch *launch) {
    sim_each_unit(launch, 1, scan_box);
}
