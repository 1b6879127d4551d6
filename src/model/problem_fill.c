/*
 * From a tally_diagonal to a problem: the checks of DIAGONAL_MATRIX1 and the one form that its
 * interval's three cases take.
 */
#include "model/problem.h"

#include <inttypes.h>
#include <string.h>

#include "base/struct.h"
#include "model/dtype.h"
#include "model/tensor.h"

static tally_status check(const tally_diagonal *desc, tally_tensor *input, tally_tensor *output,
                          tally_error *error) {
    tally_status status = tally_tensor_check(&desc->output, "output", output, error);
    if (status == TALLY_OK && output->rank < 2)
        status = tally_fail(error, TALLY_INVALID,
                            "the output has rank %" PRIu32 ", but a matrix needs 2 to %d axes",
                            output->rank, TALLY_MAX_RANK);
    if (status == TALLY_OK)
        status = tally_tensor_check_distinct(output, "output", error);
    if (status != TALLY_OK || desc->input == NULL)
        return status;
    status = tally_tensor_check(desc->input, "input", input, error);
    if (status == TALLY_OK && input->dtype != output->dtype)
        status =
            tally_fail(error, TALLY_INVALID, "the output has type %s, but the input has type %s",
                       tally_dtype_find(output->dtype)->name, tally_dtype_find(input->dtype)->name);
    if (status == TALLY_OK)
        status = tally_tensor_check_same_sizes(input, output, error);
    return status;
}

/* begin == end falls under the first case: no t is in an interval of no length. */
static void set_interval(tally_problem *problem, int64_t begin, int64_t end) {
    problem->inverted = begin > end;
    problem->low = problem->inverted ? end : begin;
    problem->high = problem->inverted ? begin : end;
}

/* The batch merged, then the rows and the columns as they are: their coordinates matter. */
static void collapse(const tally_tensor *input, const tally_tensor *output,
                     tally_problem *problem) {
    uint32_t matrix = output->rank - 2;
    for (uint32_t k = 0; k < matrix; k++)
        tally_dims_append(&problem->kept, output->size[k], input->stride[k], output->stride[k]);
    tally_dims_merge(&problem->kept);
    for (uint32_t k = matrix; k < output->rank; k++) {
        uint32_t position = problem->kept.count++;
        problem->kept.size[position] = output->size[k];
        problem->kept.in[position] = input->stride[k];
        problem->kept.out[position] = output->stride[k];
    }
}

tally_status tally_problem_diagonal(const tally_diagonal *given, tally_problem *problem,
                                    tally_error *error) {
    tally_diagonal desc;
    tally_tensor input = TALLY_TENSOR_INIT, output;
    *problem = (tally_problem){.kind = TALLY_KIND_FILL};
    tally_status status = tally_struct_take(given, &desc, sizeof desc, "tally_diagonal", error);
    if (status == TALLY_OK)
        status = check(&desc, &input, &output, error);
    if (status != TALLY_OK)
        return status;
    problem->input = problem->output = output.dtype;
    problem->terms = 1;
    problem->in_place = desc.input != NULL && tally_problem_same_layout(&input, &output);
    tally_problem_set_extents(problem, desc.input != NULL ? &input : NULL, &output);
    set_interval(problem, desc.begin, desc.end);
    memcpy(&problem->value, &desc.value, tally_dtype_find(output.dtype)->bytes);
    collapse(&input, &output, problem);
    return TALLY_OK;
}
