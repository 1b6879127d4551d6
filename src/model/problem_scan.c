/*
 * From a tally_cumulative to a problem: the checks of CUMULATIVE_SUMMATION, CUMULATIVE_PRODUCT and
 * the running minimum and maximum, and the collapse of their axes.
 */
#include "model/problem.h"

#include <inttypes.h>

#include "base/struct.h"
#include "model/monoid.h"
#include "model/tensor.h"

static tally_status check_function(const tally_cumulative *desc, tally_error *error) {
    const tally_monoid *monoid = tally_monoid_find(desc->function);
    if (monoid != NULL && !monoid->scans)
        return tally_fail(error, TALLY_INVALID,
                          "%s can't run along an axis: sum, multiply, min and max can",
                          monoid->name);
    return tally_monoid_check_types(desc->function, desc->input.dtype, desc->output.dtype, error);
}

static tally_status check(const tally_cumulative *desc, tally_tensor *input, tally_tensor *output,
                          tally_error *error) {
    tally_status status = tally_struct_check_reserved(desc->reserved, "tally_cumulative", error);
    if (status == TALLY_OK)
        status = tally_tensor_check(&desc->input, "input", input, error);
    if (status == TALLY_OK)
        status = tally_tensor_check(&desc->output, "output", output, error);
    if (status == TALLY_OK)
        status = check_function(desc, error);
    if (status == TALLY_OK && desc->axis >= input->rank)
        status = tally_fail(error, TALLY_INVALID,
                            "axis %" PRIu32 " is not below the input's rank %" PRIu32, desc->axis,
                            input->rank);
    if (status == TALLY_OK)
        status = tally_tensor_check_same_sizes(input, output, error);
    if (status == TALLY_OK)
        status = tally_tensor_check_distinct(output, "output", error);
    return status;
}

tally_status tally_problem_cumulative(const tally_cumulative *given, tally_problem *problem,
                                      tally_error *error) {
    tally_cumulative desc;
    tally_tensor input, output;
    *problem = (tally_problem){.kind = TALLY_KIND_SCAN};
    tally_status status = tally_struct_take(given, &desc, sizeof desc, "tally_cumulative", error);
    if (status == TALLY_OK)
        status = check(&desc, &input, &output, error);
    if (status != TALLY_OK)
        return status;
    problem->function = desc.function;
    problem->input = input.dtype;
    problem->output = output.dtype;
    problem->descending = desc.descending;
    problem->exclusive = desc.exclusive;
    problem->in_place = tally_problem_same_layout(&input, &output);
    tally_problem_set_extents(problem, &input, &output);
    for (uint32_t k = 0; k < input.rank; k++)
        if (k != desc.axis)
            tally_dims_append(&problem->kept, input.size[k], input.stride[k], output.stride[k]);
    tally_dims_merge(&problem->kept);
    problem->groups = 1;
    problem->swept[0].count = 1; /* kept even at size 1: it is the axis the kernels walk */
    problem->swept[0].size[0] = problem->terms = input.size[desc.axis];
    problem->swept[0].in[0] = input.stride[desc.axis];
    problem->swept[0].out[0] = output.stride[desc.axis];
    return tally_problem_set_options(problem, TALLY_TIE_FIRST, desc.nan, error);
}
