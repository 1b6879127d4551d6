/*
 * Operators of any kind, by the description that is one of the three.
 */
#include "api/operator.h"
#include "base/struct.h"

tally_status tally_op_create(tally_runtime *runtime, const tally_desc *desc, tally_op **op,
                             tally_error *error) {
    tally_problem problem;
    tally_status status = tally_op_begin(runtime, op, error);
    if (status == TALLY_OK)
        status = tally_desc_read(desc, &problem, error);
    if (status == TALLY_OK)
        status = tally_op_make(runtime, &problem, op, error);
    return status;
}

/* The caller's description as this version knows it; one that cannot be read has no tensors. */
static tally_desc take(const tally_desc *given) {
    tally_desc desc = TALLY_DESC_INIT;
    if (tally_struct_take(given, &desc, sizeof desc, "tally_desc", NULL) != TALLY_OK)
        desc = (tally_desc)TALLY_DESC_INIT;
    return desc;
}

const tally_tensor *tally_desc_input(const tally_desc *given) {
    const tally_desc desc = take(given);
    return desc.reduce != NULL       ? &desc.reduce->input
           : desc.cumulative != NULL ? &desc.cumulative->input
           : desc.diagonal != NULL   ? desc.diagonal->input
                                     : NULL;
}

const tally_tensor *tally_desc_output(const tally_desc *given) {
    const tally_desc desc = take(given);
    return desc.reduce != NULL       ? &desc.reduce->output
           : desc.cumulative != NULL ? &desc.cumulative->output
           : desc.diagonal != NULL   ? &desc.diagonal->output
                                     : NULL;
}
