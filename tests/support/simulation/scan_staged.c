/*
 * scan_staged.c: scans of boxes, cl/kernel/scan_staged.cl. Each line of a box is walked from
 * end to end; what the launches of long lines hand on is not simulated: the last one walks all of
 * their pieces.
 */
#include "scan.h"

/* Where the line of a box lies: its coordinates in the box, the innermost axis' first. */
static sim_row find_line(const sim_launch *launch, uint64_t box, uint64_t line) {
    const tally_scan_staged_args *args = &launch->step->args.scan_staged;
    const uint32_t rank = launch->step->spec.kept_rank;
    sim_row it = sim_find_row(launch, box);
    for (uint32_t k = 1; k < launch->step->spec.policy.scan_staged.box_rank; k++) {
        const uint64_t boxes = args->kept_size[rank - k];
        const uint64_t size = box % boxes == boxes - 1 ? args->last_size[k] : args->box_size[k];
        it.from += line % size * args->box_in[k];
        it.to += line % size * args->box_out[k];
        line /= size;
        box /= boxes;
    }
    return it;
}

static uint64_t lines_of(const sim_launch *launch, uint64_t box) {
    const tally_scan_staged_args *args = &launch->step->args.scan_staged;
    const uint32_t rank = launch->step->spec.kept_rank;
    uint64_t lines = 1;
    for (uint32_t k = 1; k < launch->step->spec.policy.scan_staged.box_rank; k++) {
        const uint64_t boxes = args->kept_size[rank - k];
        lines *= box % boxes == boxes - 1 ? args->last_size[k] : args->box_size[k];
        box /= boxes;
    }
    return lines;
}

static void scan_box(const sim_launch *launch, uint64_t unit) {
    const tally_scan_staged_args *args = &launch->step->args.scan_staged;
    const uint8_t phase = launch->step->spec.phase;
    const bool pieces = phase == TALLY_APPLY || phase == TALLY_FOLLOW || phase == TALLY_PASS;
    if (phase != 0 && (!pieces || unit >= args->all_boxes))
        return;
    for (uint64_t line = 0; line < lines_of(launch, unit); line++)
        sim_scan_row(launch, find_line(launch, unit, line));
}

void sim_scan_staged(sim_launch *launch) {
    sim_each_unit(launch, 1, scan_box);
}
