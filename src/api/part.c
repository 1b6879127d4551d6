/*
 * Problems in parts: the public calls.
 */
#include <tally/part.h>

#include "api/operator.h"
#include "base/struct.h"

tally_status tally_cut_even(const tally_desc *whole, uint32_t axis, uint32_t parts,
                            uint64_t *bounds, tally_cut *cut, tally_error *error) {
    tally_whole read;
    tally_error_clear(error);
    tally_status status = tally_whole_read(whole, &read, error);
    return status == TALLY_OK ? tally_whole_cut_even(&read, axis, parts, bounds, cut, error)
                              : status;
}

tally_status tally_cut_at(const tally_desc *whole, uint32_t axis, uint32_t parts,
                          const uint64_t *bounds, tally_cut *cut, tally_error *error) {
    tally_whole read;
    tally_error_clear(error);
    tally_status status = tally_whole_read(whole, &read, error);
    return status == TALLY_OK ? tally_whole_cut_at(&read, axis, parts, bounds, cut, error) : status;
}

uint64_t tally_cut_states(const tally_cut *cut, uint64_t begin, uint64_t end) {
    return cut != NULL && begin < end && end <= cut->size ? tally_part_states(cut, begin, end) : 0;
}

tally_tensor tally_tensor_range(const tally_tensor *whole, uint32_t axis, uint64_t begin,
                                uint64_t end) {
    const tally_tensor none = TALLY_TENSOR_INIT;
    if (whole == NULL || whole->rank > TALLY_MAX_RANK)
        return none;
    uint64_t size[TALLY_MAX_RANK] = {0};
    for (uint32_t k = 0; k < whole->rank; k++)
        size[k] = k != axis ? whole->size[k] : end > begin ? end - begin : 0;
    return tally_tensor_packed(whole->dtype, whole->rank, size);
}

typedef tally_status part_builder(const tally_whole *whole, const tally_cut *cut,
                                  const tally_part *given, tally_problem *problem,
                                  tally_error *error);

/* What the three create calls begin with. */
static tally_status begin(tally_runtime *runtime, const tally_desc *desc, const tally_cut *given,
                          tally_whole *whole, tally_cut *cut, tally_op **op, tally_error *error) {
    tally_status status = tally_op_begin(runtime, op, error);
    if (status == TALLY_OK)
        status = tally_whole_read(desc, whole, error);
    if (status == TALLY_OK)
        status = tally_whole_take_cut(whole, given, cut, error);
    return status;
}

/* The operator of a part, whose problem is made by one of the builders of model/parts/part.h. */
static tally_status create(tally_runtime *runtime, const tally_desc *whole, const tally_cut *cut,
                           const tally_part *part, part_builder *build, tally_op **op,
                           tally_error *error) {
    tally_whole read;
    tally_cut known;
    tally_problem problem;
    tally_status status = begin(runtime, whole, cut, &read, &known, op, error);
    if (status == TALLY_OK)
        status = build(&read, &known, part, &problem, error);
    return status == TALLY_OK ? tally_op_make(runtime, &problem, op, error) : status;
}

tally_status tally_part_create(tally_runtime *runtime, const tally_desc *whole,
                               const tally_cut *cut, const tally_part *part, tally_op **op,
                               tally_error *error) {
    return create(runtime, whole, cut, part, tally_part_problem, op, error);
}

tally_status tally_part_scan_create(tally_runtime *runtime, const tally_desc *whole,
                                    const tally_cut *cut, const tally_part *part, tally_op **op,
                                    tally_error *error) {
    return create(runtime, whole, cut, part, tally_part_scan, op, error);
}

tally_status tally_combine_create(tally_runtime *runtime, const tally_desc *whole,
                                  const tally_cut *cut, uint64_t states, tally_op **op,
                                  tally_error *error) {
    tally_whole read;
    tally_cut known;
    tally_problem problem;
    tally_status status = begin(runtime, whole, cut, &read, &known, op, error);
    if (status == TALLY_OK)
        status = tally_part_combine(&read, &known, states, &problem, error);
    return status == TALLY_OK ? tally_op_make(runtime, &problem, op, error) : status;
}

tally_status tally_part_enqueue(tally_op *op, cl_command_queue queue,
                                const tally_part_binding *binding, uint32_t wait_count,
                                const cl_event *wait_list, cl_event *event, tally_error *error) {
    tally_part_binding known;
    tally_error_clear(error);
    if (event != NULL)
        *event = NULL;
    if (binding == NULL) /* which is right where there is nothing to do */
        return tally_op_enqueue_with(op, queue, NULL, NULL, wait_count, wait_list, event, error);
    tally_status status =
        tally_struct_take(binding, &known, sizeof known, "tally_part_binding", error);
    if (status == TALLY_OK)
        status = tally_struct_check_reserved(known.reserved, "tally_part_binding", error);
    return status == TALLY_OK ? tally_op_enqueue_with(op, queue, &known.binding, &known.carry,
                                                      wait_count, wait_list, event, error)
                              : status;
}
