/*
 * Creating operators: the diagonal fills.
 */
#include "api/operator.h"

tally_status tally_diagonal_create(tally_runtime *runtime, const tally_diagonal *desc,
                                   tally_op **op, tally_error *error) {
    tally_problem problem;
    tally_status status = tally_op_begin(runtime, op, error);
    if (status == TALLY_OK)
        status = tally_problem_diagonal(desc, &problem, error);
    if (status == TALLY_OK)
        status = tally_op_make(runtime, &problem, op, error);
    return status;
}
