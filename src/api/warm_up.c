/*
 * Getting programs ready for operators to come: creating and releasing them does it, as programs
 * stay with the runtime.
 */
#include "api/operator.h"

tally_status tally_desc_check(const tally_desc *desc, tally_error *error) {
    tally_status status = tally_check_struct(desc, sizeof *desc, "tally_desc", error);
    if (status != TALLY_OK)
        return status;
    const int given =
        (desc->reduce != NULL) + (desc->cumulative != NULL) + (desc->diagonal != NULL);
    if (given != 1)
        return tally_fail(error, TALLY_INVALID, "%d of its three descriptions are given, not one",
                          given);
    return TALLY_OK;
}

static tally_status create(tally_runtime *runtime, const tally_desc *desc, tally_op **op,
                           tally_error *error) {
    tally_status status = tally_desc_check(desc, error);
    if (status != TALLY_OK)
        return status;
    return desc->reduce != NULL ? tally_reduce_create(runtime, desc->reduce, op, error)
           : desc->cumulative != NULL
               ? tally_cumulative_create(runtime, desc->cumulative, op, error)
               : tally_diagonal_create(runtime, desc->diagonal, op, error);
}

tally_status tally_warm_up(tally_runtime *runtime, const tally_desc *descs, size_t count,
                           bool (*proceed)(void *user, size_t done), void *user,
                           tally_error *error) {
    tally_status first = TALLY_OK;
    tally_error_clear(error);
    if (runtime == NULL)
        return tally_fail(error, TALLY_INVALID, "the runtime is NULL");
    if (descs == NULL && count > 0)
        return tally_fail(error, TALLY_INVALID, "descs is NULL, but there are %zu", count);
    for (size_t i = 0; i < count; i++) {
        tally_error refusal = {TALLY_OK, 0, ""};
        tally_op *op = NULL;
        tally_status status = create(runtime, &descs[i], &op, &refusal);
        tally_op_release(op);
        if (first == TALLY_OK && status != TALLY_OK)
            first = tally_fail_cl(error, status, refusal.cl_code, "operator %zu of %zu: %s", i + 1,
                                  count, refusal.message);
        if (proceed != NULL && !proceed(user, i + 1))
            break;
    }
    return first;
}
