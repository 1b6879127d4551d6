/*
 * Getting programs ready for operators to come: creating and releasing them does it, as programs
 * stay with the runtime.
 */
#include "api/operator.h"

#include <inttypes.h>
#include <string.h>

#include "base/struct.h"

/*
 * The problem of the i-th of descriptions that lie side by side: the first one's size is that of
 * all. Another size is not believed, as it could reach beyond the last.
 */
static tally_status read_desc(const tally_desc *descs, size_t i, tally_problem *problem,
                              tally_error *error) {
    const void *given = (const char *)descs + i * descs->struct_size;
    uint32_t size = 0;
    memcpy(&size, given, sizeof size);
    if (size != descs->struct_size)
        return tally_fail(error, TALLY_INVALID,
                          "struct_size of its tally_desc is %" PRIu32
                          ", but the first one has %" PRIu32 ", and they lie side by side",
                          size, descs->struct_size);
    return tally_desc_read(given, problem, error);
}

static tally_status create(tally_runtime *runtime, const tally_desc *descs, size_t i, tally_op **op,
                           tally_error *error) {
    tally_problem problem;
    tally_status status = tally_op_begin(runtime, op, error);
    if (status == TALLY_OK)
        status = read_desc(descs, i, &problem, error);
    if (status == TALLY_OK)
        status = tally_op_make(runtime, &problem, op, error);
    return status;
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
    tally_error refusal;
    if (count > 0 && tally_struct_check(descs, "tally_desc", &refusal) != TALLY_OK)
        return tally_fail(error, refusal.status, "operator 1 of %zu: %s", count, refusal.message);
    for (size_t i = 0; i < count; i++) {
        tally_op *op = NULL;
        tally_status status = create(runtime, descs, i, &op, &refusal);
        tally_op_release(op);
        if (first == TALLY_OK && status != TALLY_OK)
            first = tally_fail_cl(error, status, refusal.cl_code, "operator %zu of %zu: %s", i + 1,
                                  count, refusal.message);
        if (proceed != NULL && !proceed(user, i + 1))
            break;
    }
    return first;
}
