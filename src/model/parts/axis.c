/*
 * The rules of the orders, for an axis that is cut. Reductions whose combining rounds are cut where
 * blocks of their order end, scans where stretches do; what is exact is cut anywhere.
 */
#include "model/parts/axis.h"

#include <inttypes.h>
#include <string.h>

#include "base/hash.h"
#include "cl/core/order.h"
#include "model/monoid.h"

/* The version of what a state is; it goes into the key of a cut. */
#define STATE_VERSION 1

uint64_t tally_cut_key(const tally_whole *whole, const tally_cut *cut) {
    struct {
        uint32_t versions[2], kind, function, types[2], rank, swept, options[4], axis, reserved;
        uint64_t size[TALLY_MAX_RANK], grain;
        int64_t begin, end;
        tally_scalar value;
    } of;
    memset(&of, 0, sizeof of);
    of.versions[0] = TALLY_ORDER_VERSION;
    of.versions[1] = STATE_VERSION;
    of.kind = whole->kind;
    of.function = whole->problem.function;
    of.types[0] = whole->input.dtype;
    of.types[1] = whole->output.dtype;
    of.rank = whole->input.rank;
    of.swept = whole->swept;
    of.options[0] = whole->problem.tie;
    of.options[1] = whole->problem.nan;
    of.options[2] = whole->problem.descending;
    of.options[3] = whole->problem.exclusive;
    of.axis = cut->axis;
    of.reserved = 0; /* so that there is no padding */
    memcpy(of.size, whole->input.size, whole->input.rank * sizeof of.size[0]);
    of.grain = cut->grain;
    of.begin = whole->diagonal.begin;
    of.end = whole->diagonal.end;
    memcpy(&of.value, &whole->problem.value, sizeof whole->problem.value);
    return tally_hash_of(&of, sizeof of).low;
}

void tally_cut_set_grain(const tally_whole *whole, uint64_t grain, tally_cut *cut) {
    const uint64_t terms = cut->coordinate_terms > 0 ? cut->coordinate_terms : 1;
    cut->grain = grain;
    cut->alignment = grain > 0 ? grain / tally_dims_common_divisor(grain, terms) : 1;
    cut->first = whole->problem.descending && grain > 0 ? cut->size % cut->alignment : 0;
}

uint32_t tally_cut_grains(const tally_whole *whole, const tally_cut *cut,
                          uint64_t grain[TALLY_CUT_GRAINS]) {
    const tally_problem *problem = &whole->problem;
    const uint64_t terms = cut->size * cut->coordinate_terms;
    uint32_t count = 0;
    grain[0] = 0;
    if (cut->kind == TALLY_CUT_RESULTS || cut->size <= 1 || terms == 0 ||
        tally_problem_is_exact(problem))
        return 1;
    grain[0] = TALLY_STRETCH;
    if (cut->kind == TALLY_CUT_TOTALS)
        return 1;
    if (problem->groups > 1) /* the groups inside make fewer states of the terms */
        grain[count++] = 1;
    for (uint64_t next = TALLY_BLOCK; count < TALLY_CUT_GRAINS; next *= TALLY_BLOCK) {
        grain[count++] = next;
        if (next >= terms)
            break;
    }
    return count;
}

/* Refuse a swept axis that is inside of another one, where a reduction needs the outermost. */
static tally_status check_outermost(const tally_whole *whole, uint32_t axis, tally_error *error) {
    const tally_problem *problem = &whole->problem;
    const bool indexed = tally_monoid_find(problem->function)->state == TALLY_STATE_INDEXED;
    if (!indexed && tally_problem_is_exact(problem))
        return TALLY_OK;
    for (uint32_t k = 0; k < axis && whole->input.size[axis] != 1; k++)
        if (tally_whole_is_swept(whole, k) && whole->input.size[k] != 1)
            return tally_fail(error, TALLY_INVALID,
                              "axis %" PRIu32 " cannot be cut, because axis %" PRIu32
                              " outside of it is swept as well; axis %" PRIu32 " can",
                              axis, k, k);
    return TALLY_OK;
}

tally_status tally_cut_begin(const tally_whole *whole, uint32_t axis, tally_cut *cut,
                             tally_error *error) {
    const tally_problem *problem = &whole->problem;
    if (axis >= whole->input.rank)
        return tally_fail(error, TALLY_INVALID, "axis %" PRIu32 " is not below the rank %" PRIu32,
                          axis, whole->input.rank);
    *cut = (tally_cut)TALLY_CUT_INIT;
    cut->axis = axis;
    cut->size = whole->input.size[axis];
    cut->lines = 1;
    for (uint32_t k = 0; k < whole->input.rank; k++)
        cut->lines *= tally_whole_is_swept(whole, k) ? 1 : whole->input.size[k];
    if (!tally_whole_is_swept(whole, axis))
        return TALLY_OK;
    cut->kind = whole->kind == TALLY_KIND_SCAN ? TALLY_CUT_TOTALS : TALLY_CUT_STATES;
    cut->state_bytes = tally_problem_state_bytes(problem);
    cut->coordinate_terms =
        cut->kind == TALLY_CUT_TOTALS
            ? 1
            : tally_whole_terms_inside(whole, tally_whole_group(whole, axis), axis);
    if (problem->terms == 0) /* another swept axis has size 0: no part has a term */
        cut->coordinate_terms = 0;
    return cut->kind == TALLY_CUT_STATES ? check_outermost(whole, axis, error) : TALLY_OK;
}
