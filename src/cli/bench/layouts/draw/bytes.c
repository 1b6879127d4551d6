/*
 * What each kind of random problem must read and write. Knows no device.
 */
#include "cli/bench/layouts/draw/sectors.h"

/* What a scan must read: an exclusive one never needs the last element that it visits. */
static uint64_t scan_input(const layouts_problem *problem) {
    tally_tensor read = problem->input;
    layouts_view view = {.tensor = &read, .offset = problem->input_placement.offset};
    uint32_t axis = 0;
    while ((problem->axes >> axis & 1) == 0)
        axis++;
    if (problem->exclusive) {
        read.size[axis]--;
        view.offset += problem->descending ? read.stride[axis] : 0;
    }
    return layouts_sectors(&view);
}

static uint64_t reduce_input(const layouts_problem *problem) {
    return layouts_sectors(
        &(layouts_view){.tensor = &problem->input, .offset = problem->input_placement.offset});
}

/* A part of a fill's tensor: what the fill covers, or what it leaves. */
static uint64_t fill_part(const layouts_problem *problem, bool covered) {
    const bool inverted = problem->begin > problem->end;
    const bool input = problem->has_input && !problem->in_place;
    const layouts_view view = {.tensor = input ? &problem->input : &problem->output,
                               .offset = input ? problem->input_placement.offset
                                               : problem->output_placement.offset,
                               .part = covered != inverted ? LAYOUTS_INSIDE : LAYOUTS_OUTSIDE,
                               .low = inverted ? problem->end : problem->begin,
                               .high = inverted ? problem->begin : problem->end};
    return layouts_sectors(&view);
}

static uint64_t fill_input(const layouts_problem *problem) {
    return problem->has_input && !problem->in_place ? fill_part(problem, false) : 0;
}

static uint64_t whole_output(const layouts_problem *problem) {
    return layouts_sectors(
        &(layouts_view){.tensor = &problem->output, .offset = problem->output_placement.offset});
}

static uint64_t fill_output(const layouts_problem *problem) {
    return problem->in_place ? fill_part(problem, true) : whole_output(problem);
}

uint64_t layouts_bytes(const layouts_problem *problem) {
    typedef uint64_t counter(const layouts_problem *problem);
    static const struct {
        counter *input, *output;
    } counters[BENCH_SUBJECTS] = {[BENCH_REDUCE] = {reduce_input, whole_output},
                                  [BENCH_SCAN] = {scan_input, whole_output},
                                  [BENCH_DIAGONAL] = {fill_input, fill_output}};
    return LAYOUTS_SECTOR *
           (counters[problem->subject].input(problem) + counters[problem->subject].output(problem));
}
