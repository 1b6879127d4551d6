/*
 * From a caller's description to a problem, and to a copy that parts are made from.
 */
#include "model/whole.h"

#include <string.h>

#include "base/struct.h"
#include "model/tensor.h"

tally_status tally_desc_read(const tally_desc *given, tally_problem *problem, tally_error *error) {
    tally_desc desc;
    tally_status status = tally_struct_take_desc(given, &desc, error);
    if (status != TALLY_OK)
        return status;
    return desc.reduce != NULL       ? tally_problem_reduce(desc.reduce, problem, error)
           : desc.cumulative != NULL ? tally_problem_cumulative(desc.cumulative, problem, error)
                                     : tally_problem_diagonal(desc.diagonal, problem, error);
}

/* What was checked already cannot be refused. */
static void copy(const void *given, void *known, uint32_t bytes) {
    (void)tally_struct_take(given, known, bytes, "", NULL);
    memcpy(known, &bytes, sizeof bytes);
}

static void set_tensors(tally_whole *whole, const tally_tensor *input, const tally_tensor *output) {
    (void)tally_tensor_check(input, "input", &whole->input, NULL);
    (void)tally_tensor_check(output, "output", &whole->output, NULL);
}

tally_status tally_whole_read(const tally_desc *given, tally_whole *whole, tally_error *error) {
    tally_desc desc;
    memset(whole, 0, sizeof *whole);
    tally_status status = tally_desc_read(given, &whole->problem, error);
    if (status != TALLY_OK)
        return status;
    copy(given, &desc, sizeof desc);
    whole->kind = whole->problem.kind;
    if (whole->kind == TALLY_KIND_FOLD) {
        copy(desc.reduce, &whole->reduce, sizeof whole->reduce);
        set_tensors(whole, &whole->reduce.input, &whole->reduce.output);
        whole->swept = whole->reduce.axes;
    } else if (whole->kind == TALLY_KIND_SCAN) {
        copy(desc.cumulative, &whole->cumulative, sizeof whole->cumulative);
        set_tensors(whole, &whole->cumulative.input, &whole->cumulative.output);
        whole->swept = 1u << whole->cumulative.axis;
    } else {
        copy(desc.diagonal, &whole->diagonal, sizeof whole->diagonal);
        const tally_tensor *input = whole->diagonal.input;
        set_tensors(whole, input != NULL ? input : &whole->diagonal.output,
                    &whole->diagonal.output);
    }
    return TALLY_OK;
}

bool tally_whole_is_swept(const tally_whole *whole, uint32_t axis) {
    return (whole->swept >> axis & 1u) != 0;
}

uint32_t tally_whole_group(const tally_whole *whole, uint32_t axis) {
    uint32_t axes = 0;
    for (uint32_t k = axis; k < whole->input.rank; k++)
        if (tally_whole_is_swept(whole, k))
            axes |= 1u << k;
        else if (whole->input.size[k] != 1)
            break;
    return axes;
}

uint64_t tally_whole_terms_inside(const tally_whole *whole, uint32_t axes, uint32_t axis) {
    uint64_t terms = 1;
    for (uint32_t k = axis + 1; k < whole->input.rank; k++)
        terms *= (axes >> k & 1u) != 0 ? whole->input.size[k] : 1;
    return terms;
}
