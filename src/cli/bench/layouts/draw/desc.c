/*
 * A random problem as the description of an operator. Knows no device.
 */
#include "cli/bench/layouts/draw/draw.h"

tally_reduce layouts_reduce(const layouts_problem *problem) {
    tally_reduce desc = TALLY_REDUCE_INIT;
    desc.function = problem->function;
    desc.input = problem->input;
    desc.output = problem->output;
    desc.axes = problem->axes;
    desc.tie = problem->tie;
    desc.nan = problem->nan;
    return desc;
}

tally_cumulative layouts_scan(const layouts_problem *problem) {
    tally_cumulative desc = TALLY_CUMULATIVE_INIT;
    desc.function = problem->function;
    desc.input = problem->input;
    desc.output = problem->output;
    while ((problem->axes >> desc.axis & 1) == 0)
        desc.axis++;
    desc.descending = problem->descending;
    desc.exclusive = problem->exclusive;
    desc.nan = problem->nan;
    return desc;
}

/* The fill's value is 1. */
static tally_scalar one_of(tally_dtype dtype) {
    const cli_type *type = cli_type_find(dtype);
    tally_scalar one = {.u64 = 1};
    if (cli_type_is_float(dtype))
        one.u64 = cli_type_power(type, cli_type_bias(type));
    return one;
}

tally_diagonal layouts_diagonal(const layouts_problem *problem) {
    tally_diagonal desc = TALLY_DIAGONAL_INIT;
    desc.input = problem->has_input ? &problem->input : NULL;
    desc.output = problem->output;
    desc.value = one_of(problem->output.dtype);
    desc.begin = problem->begin;
    desc.end = problem->end;
    return desc;
}
