/*
 * Creating operators: REDUCE, ARGMIN and ARGMAX.
 */
#include "api/operator.h"

tally_status tally_reduce_create(tally_runtime *runtime, const tally_reduce *desc, tally_op **op,
                                 tally_error *error) {
    tally_problem problem;
    tally_status status = tally_op_begin(runtime, op, error);
    if (status == TALLY_OK)
        status = tally_problem_reduce(desc, &problem, error);
    if (status == TALLY_OK)
        status = tally_op_make(runtime, &problem, op, error);
    return status;
}
