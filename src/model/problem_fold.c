/*
 * From a tally_reduce to a problem: the checks of REDUCE, ARGMIN and ARGMAX, and the collapse of
 * their axes.
 */
#include "model/problem.h"

#include <inttypes.h>

#include "base/struct.h"
#include "model/dtype.h"
#include "model/monoid.h"
#include "model/tensor.h"

static bool is_swept(uint32_t axes, uint32_t axis) {
    return (axes >> axis & 1u) != 0;
}

static tally_status check_axes(uint32_t axes, uint32_t rank, tally_error *error) {
    if (axes >> rank == 0)
        return TALLY_OK;
    uint32_t axis = rank;
    while (!is_swept(axes, axis))
        axis++;
    return tally_fail(error, TALLY_INVALID,
                      "axes 0x%" PRIx32 " names axis %" PRIu32 ", but the input has rank %" PRIu32,
                      axes, axis, rank);
}

static tally_status check_output(const tally_tensor *input, const tally_tensor *output,
                                 uint32_t axes, tally_error *error) {
    tally_tensor expected = *input;
    for (uint32_t k = 0; k < input->rank; k++) {
        if (!is_swept(axes, k))
            continue;
        expected.size[k] = 1;
        if (k < output->rank && output->rank == input->rank && output->size[k] != 1)
            return tally_fail(error, TALLY_INVALID,
                              "axis %" PRIu32 " of the output has size %" PRIu64
                              ", but it is swept and leaves size 1",
                              k, output->size[k]);
    }
    return tally_tensor_check_same_sizes(&expected, output, error);
}

/*
 * Split the axes into kept ones and groups of swept ones, and merge each list by its strides. The
 * sizes of the whole decide which axes are of one group: a part may have one coordinate of an axis
 * that keeps two groups apart.
 */
static void collapse(const tally_tensor *input, const tally_tensor *output, uint32_t axes,
                     const uint64_t *whole, tally_problem *problem) {
    bool in_group = false; /* no kept axis since the last swept one */
    problem->terms = 1;
    for (uint32_t k = 0; k < input->rank; k++) {
        if (!is_swept(axes, k)) {
            tally_dims_append(&problem->kept, input->size[k], input->stride[k], output->stride[k]);
            in_group = in_group && whole[k] == 1;
            continue;
        }
        if (input->size[k] == 1)
            continue;
        if (!in_group)
            problem->groups++;
        in_group = true;
        tally_dims_append(&problem->swept[problem->groups - 1], input->size[k], input->stride[k],
                          0);
        problem->terms *= input->size[k];
    }
    tally_dims_merge(&problem->kept);
    if (problem->terms == 0)
        problem->groups = 0; /* nothing to walk */
    for (uint32_t g = 0; g < problem->groups; g++)
        tally_dims_merge(&problem->swept[g]);
    for (uint32_t g = 0; g < problem->groups / 2; g++) {
        tally_dims outer = problem->swept[g];
        problem->swept[g] = problem->swept[problem->groups - 1 - g];
        problem->swept[problem->groups - 1 - g] = outer;
    }
}

static tally_status check_index(const tally_problem *problem, tally_error *error) {
    const tally_monoid *monoid = tally_monoid_find(problem->function);
    if (monoid->state != TALLY_STATE_INDEXED || problem->output_extent == 0)
        return TALLY_OK;
    if (problem->terms == 0)
        return tally_fail(error, TALLY_INVALID,
                          "%s over a swept axis of size 0 has no element to name", monoid->name);
    const tally_dtype_row *type = tally_dtype_find(problem->output);
    uint64_t highest = UINT64_MAX >> (64 - 8 * type->bytes + (type->class == TALLY_SIGNED));
    if (problem->terms - 1 > highest)
        return tally_fail(error, TALLY_INVALID,
                          "%s over %" PRIu64 " elements may give index %" PRIu64
                          ", but the output type %s ends at %" PRIu64,
                          monoid->name, problem->terms, problem->terms - 1, type->name, highest);
    return TALLY_OK;
}

static tally_status check(const tally_reduce *desc, tally_tensor *input, tally_tensor *output,
                          tally_error *error) {
    tally_status status = tally_struct_check_reserved(desc->reserved, "tally_reduce", error);
    if (status == TALLY_OK)
        status = tally_tensor_check(&desc->input, "input", input, error);
    if (status == TALLY_OK)
        status = tally_tensor_check(&desc->output, "output", output, error);
    if (status == TALLY_OK)
        status = tally_monoid_check_types(desc->function, input->dtype, output->dtype, error);
    if (status == TALLY_OK)
        status = check_axes(desc->axes, input->rank, error);
    if (status == TALLY_OK)
        status = check_output(input, output, desc->axes, error);
    if (status == TALLY_OK)
        status = tally_tensor_check_distinct(output, "output", error);
    return status;
}

tally_status tally_problem_reduce_part(const tally_reduce *given, const uint64_t *whole,
                                       tally_problem *problem, tally_error *error) {
    tally_reduce desc;
    tally_tensor input, output;
    *problem = (tally_problem){.kind = TALLY_KIND_FOLD};
    tally_status status = tally_struct_take(given, &desc, sizeof desc, "tally_reduce", error);
    if (status == TALLY_OK)
        status = check(&desc, &input, &output, error);
    if (status != TALLY_OK)
        return status;
    problem->function = desc.function;
    problem->input = input.dtype;
    problem->output = output.dtype;
    tally_problem_set_extents(problem, &input, &output);
    status = tally_problem_set_options(problem, desc.tie, desc.nan, error);
    if (status != TALLY_OK)
        return status;
    collapse(&input, &output, desc.axes, whole != NULL ? whole : input.size, problem);
    problem->count = problem->terms;
    return check_index(problem, error);
}

tally_status tally_problem_reduce(const tally_reduce *given, tally_problem *problem,
                                  tally_error *error) {
    return tally_problem_reduce_part(given, NULL, problem, error);
}
