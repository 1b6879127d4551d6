/*
 * Creating operators: the running totals.
 */
#include "api/operator.h"

tally_status tally_cumulative_create(tally_runtime *runtime, const tally_cumulative *desc,
                                     tally_op **op, tally_error *error) {
    tally_problem problem;
    tally_status status = tally_op_begin(runtime, op, error);
    if (status == TALLY_OK)
        status = tally_problem_cumulative(desc, &problem, error);
    if (status == TALLY_OK)
        status = tally_op_make(runtime, &problem, op, error);
    return status;
}
