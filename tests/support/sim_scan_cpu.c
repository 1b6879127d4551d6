/*
 * sim_scan_cpu.c: the scans of cl/scan_cpu.cl and of the schedules that go with it: which rows a
 * unit covers, where their elements lie, and what must fit the kernels' private memory. Who holds
 * which run in which vector is not followed.
 */
#include "sim_fold.h"
#include "sim_scan.h"

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

void sim_scan_cpu_rows(sim_launch *launch) {
    sim_each_unit(launch, launch->step->args.scan.slices, scan_row);
}

void sim_scan_cpu_tile(sim_launch *launch) {
    expect(launch, launch->step->args.scan.terms <= TALLY_SHORT_TERMS, "a short row fits");
    sim_scan_cpu_rows(launch);
}

static void scan_strip(const sim_launch *launch, uint64_t unit) {
    const tally_scan_args *args = &launch->step->args.scan;
    const uint64_t strips = args->columns / args->across > 0 ? args->columns / args->across : 1;
    const uint64_t strip = unit % strips, first = strip * args->across;
    const uint64_t width = strip + 1 < strips ? args->across : args->columns - first;
    const sim_row begin = sim_find_row(launch, unit / strips * args->columns + first);
    const tally_spec *spec = &launch->step->spec;
    expect(launch,
           width < 2 * (spec->stack ? TALLY_SCAN_ACROSS
                                    : TALLY_SCAN_CPU_STRIP_BYTES / launch->math.bytes),
           "a strip's levels fit");
    for (uint64_t column = 0; column < width; column++) {
        const sim_row it = {begin.from + column,
                            begin.to + column * args->kept_out[spec->kept_rank - 1]};
        sim_scan_row(launch, it);
    }
}

void sim_scan_cpu_columns(sim_launch *launch) {
    sim_each_unit(launch, launch->step->args.scan.slices, scan_strip);
}
