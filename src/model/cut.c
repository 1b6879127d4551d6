/*
 * Where a problem can be cut. Reductions whose combining rounds are cut where blocks of their order
 * end, scans where stretches do; what is exact is cut anywhere.
 */
#include "model/cut.h"

#include <inttypes.h>
#include <string.h>

#include "base/hash.h"
#include "base/struct.h"
#include "cl/core/order.h"
#include "model/monoid.h"

/* The version of what a state is; it goes into the key of a cut. */
#define STATE_VERSION 1

/* Grains of reductions: 1, where that is one, and TALLY_BLOCK to the powers 1 to 5. */
#define GRAINS 6

/*
 * A coarser grain is taken if its largest part is larger than the finest one's by no more than one
 * in so many: fewer states travel.
 */
#define UNEVEN 64

/* ---- What an axis allows -------------------------------------------------------------------- */

/* A hash of all that states and results of parts depend on. */
static uint64_t key_of(const tally_whole *whole, const tally_cut *cut) {
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

static uint64_t greatest_divisor(uint64_t a, uint64_t b) {
    while (b != 0) {
        const uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Set the grain, and where cuts may lie with it. */
static void set_grain(const tally_whole *whole, uint64_t grain, tally_cut *cut) {
    const uint64_t terms = cut->coordinate_terms > 0 ? cut->coordinate_terms : 1;
    cut->grain = grain;
    cut->alignment = grain > 0 ? grain / greatest_divisor(grain, terms) : 1;
    cut->first = whole->problem.descending && grain > 0 ? cut->size % cut->alignment : 0;
}

/* The grains that cut an axis, the finest first; returns how many. */
static uint32_t list_grains(const tally_whole *whole, const tally_cut *cut,
                            uint64_t grain[GRAINS]) {
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
    for (uint64_t next = TALLY_BLOCK; count < GRAINS; next *= TALLY_BLOCK) {
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

/* All of a cut but its grain. */
static tally_status begin_cut(const tally_whole *whole, uint32_t axis, tally_cut *cut,
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

/* ---- Cutting -------------------------------------------------------------------------------- */

/* Whether the number of parts and the places are right; what names the bounds. */
static tally_status check_parts(uint32_t parts, const uint64_t *bounds, const char *what,
                                const tally_cut *cut, tally_error *error) {
    if (parts == 0 || parts > INT32_MAX)
        return tally_fail(error, TALLY_INVALID,
                          "the number of parts is %" PRIu32 ", but 1 to %d are possible", parts,
                          INT32_MAX);
    if (bounds == NULL || cut == NULL)
        return tally_fail(error, TALLY_INVALID, "the %s is NULL",
                          bounds == NULL ? what : "place for the cut");
    return tally_struct_check(cut, "tally_cut", error);
}

/* Units of the alignment that the axis has, the last one of which may be shorter. */
static uint64_t units_of(const tally_cut *cut) {
    return cut->size / cut->alignment + (cut->size % cut->alignment != 0);
}

/* Coordinates of the largest of so many parts. */
static uint64_t largest_part(const tally_cut *cut, uint32_t parts) {
    const uint64_t units = units_of(cut), most = units / parts + (units % parts != 0);
    return most < cut->size / cut->alignment + 1 ? most * cut->alignment : cut->size;
}

/* Units before a part: the same number for each, or one more for the first ones. */
static uint64_t units_before(uint64_t units, uint32_t part, uint32_t parts) {
    const uint64_t rest = units % parts;
    return units / parts * part + (part < rest ? part : rest);
}

/* The bounds of parts; units are counted in the direction in which the axis is visited. */
static void set_bounds(const tally_whole *whole, const tally_cut *cut, uint32_t parts,
                       uint64_t *bounds) {
    const uint64_t units = units_of(cut);
    const bool descending = whole->problem.descending && cut->kind == TALLY_CUT_TOTALS;
    for (uint32_t p = 0; p <= parts; p++) {
        const uint64_t before = units_before(units, p, parts);
        const uint64_t visited =
            before < units ? before * cut->alignment : cut->size; /* does not overflow */
        bounds[descending ? parts - p : p] = descending ? cut->size - visited : visited;
    }
}

/* Cut an axis with the coarsest grain that is about as even as the finest. */
static tally_status cut_evenly(const tally_whole *whole, uint32_t axis, uint32_t parts,
                               tally_cut *cut, tally_error *error) {
    uint64_t grain[GRAINS];
    tally_status status = begin_cut(whole, axis, cut, error);
    if (status != TALLY_OK)
        return status;
    uint32_t i = list_grains(whole, cut, grain) - 1;
    set_grain(whole, grain[0], cut);
    const uint64_t least = largest_part(cut, parts);
    for (; i > 0; i--) {
        set_grain(whole, grain[i], cut);
        if (largest_part(cut, parts) <= least + least / UNEVEN)
            break;
    }
    set_grain(whole, grain[i], cut);
    cut->key = key_of(whole, cut);
    return TALLY_OK;
}

/* Whether one cut is better than another: smaller parts of the axis, or as small, and results. */
static bool is_better(const tally_cut *cut, const tally_cut *than, uint32_t parts) {
    /* The largest part as a share of its axis: a / b < c / d, in numbers that cannot overflow. */
    const double share = (double)largest_part(cut, parts) / (double)cut->size;
    const double best = (double)largest_part(than, parts) / (double)than->size;
    return share < best ||
           (share == best && cut->kind == TALLY_CUT_RESULTS && than->kind != TALLY_CUT_RESULTS);
}

/* The best of all axes that can be cut. */
static tally_status cut_any(const tally_whole *whole, uint32_t parts, tally_cut *cut,
                            tally_error *error) {
    bool found = false;
    for (uint32_t k = 0; k < whole->input.rank; k++) {
        tally_cut other;
        if (whole->input.size[k] == 0 || cut_evenly(whole, k, parts, &other, NULL) != TALLY_OK)
            continue;
        if (!found || is_better(&other, cut, parts))
            *cut = other;
        found = true;
    }
    return found ? TALLY_OK
           : whole->input.rank == 0
               ? tally_fail(error, TALLY_INVALID, "a tensor of rank 0 has no axis to cut")
               : cut_evenly(whole, 0, parts, cut, error);
}

tally_status tally_whole_cut_even(const tally_whole *whole, uint32_t axis, uint32_t parts,
                                  uint64_t *bounds, tally_cut *cut, tally_error *error) {
    tally_cut made;
    tally_status status = check_parts(parts, bounds, "place for the bounds", cut, error);
    if (status == TALLY_OK)
        status = axis == TALLY_ANY_AXIS ? cut_any(whole, parts, &made, error)
                                        : cut_evenly(whole, axis, parts, &made, error);
    if (status != TALLY_OK)
        return status;
    set_bounds(whole, &made, parts, bounds);
    tally_struct_give(&made, sizeof made, cut);
    return TALLY_OK;
}

static bool is_aligned(const tally_cut *cut, uint64_t bound) {
    return bound == 0 || bound == cut->size ||
           (bound >= cut->first && (bound - cut->first) % cut->alignment == 0);
}

/* The aligned bound that is nearest to one that is not. */
static uint64_t nearest_bound(const tally_cut *cut, uint64_t bound) {
    uint64_t below = bound < cut->first ? 0 : bound - (bound - cut->first) % cut->alignment;
    uint64_t above = bound < cut->first                   ? cut->first
                     : cut->size - below > cut->alignment ? below + cut->alignment
                                                          : cut->size;
    return bound - below <= above - bound ? below : above;
}

static tally_status check_bound(const tally_cut *cut, uint64_t bound, tally_error *error) {
    if (bound > cut->size)
        return tally_fail(error, TALLY_INVALID,
                          "bound %" PRIu64 " is beyond the size %" PRIu64 " of axis %" PRIu32,
                          bound, cut->size, cut->axis);
    if (!is_aligned(cut, bound))
        return tally_fail(error, TALLY_INVALID,
                          "axis %" PRIu32 " cannot be cut at %" PRIu64 ": cuts are %" PRIu64
                          " coordinates apart, the nearest is %" PRIu64,
                          cut->axis, bound, cut->alignment, nearest_bound(cut, bound));
    return TALLY_OK;
}

static tally_status check_order(const tally_cut *cut, uint32_t parts, const uint64_t *bounds,
                                tally_error *error) {
    if (bounds[0] != 0 || bounds[parts] != cut->size)
        return tally_fail(error, TALLY_INVALID,
                          "the parts are from %" PRIu64 " to %" PRIu64 ", but axis %" PRIu32
                          " from 0 to %" PRIu64,
                          bounds[0], bounds[parts], cut->axis, cut->size);
    for (uint32_t p = 0; p < parts; p++)
        if (bounds[p + 1] < bounds[p])
            return tally_fail(error, TALLY_INVALID,
                              "part %" PRIu32 " ends at %" PRIu64 ", before it begins at %" PRIu64,
                              p, bounds[p + 1], bounds[p]);
    return TALLY_OK;
}

static tally_status check_bounds(const tally_cut *cut, uint32_t parts, const uint64_t *bounds,
                                 tally_error *error) {
    tally_status status = TALLY_OK;
    for (uint32_t p = 0; p <= parts && status == TALLY_OK; p++)
        status = check_bound(cut, bounds[p], error);
    return status;
}

tally_status tally_whole_cut_at(const tally_whole *whole, uint32_t axis, uint32_t parts,
                                const uint64_t *bounds, tally_cut *cut, tally_error *error) {
    tally_cut made;
    uint64_t grain[GRAINS];
    tally_status status = check_parts(parts, bounds, "list of bounds", cut, error);
    if (status == TALLY_OK)
        status = begin_cut(whole, axis, &made, error);
    if (status == TALLY_OK)
        status = check_order(&made, parts, bounds, error);
    if (status != TALLY_OK)
        return status;
    for (uint32_t i = list_grains(whole, &made, grain); i-- > 0;) {
        set_grain(whole, grain[i], &made);
        status = check_bounds(&made, parts, bounds, i > 0 ? NULL : error);
        if (status == TALLY_OK)
            break;
    }
    if (status != TALLY_OK)
        return status;
    made.key = key_of(whole, &made);
    tally_struct_give(&made, sizeof made, cut);
    return TALLY_OK;
}

/* ---- Cuts of callers ------------------------------------------------------------------------ */

tally_status tally_whole_take_cut(const tally_whole *whole, const tally_cut *given, tally_cut *cut,
                                  tally_error *error) {
    tally_cut known;
    tally_status status = tally_struct_take(given, &known, sizeof known, "tally_cut", error);
    if (status == TALLY_OK)
        status = begin_cut(whole, known.axis, cut, error);
    if (status != TALLY_OK)
        return status;
    set_grain(whole, known.grain, cut);
    cut->key = key_of(whole, cut);
    if (cut->key != known.key)
        return tally_fail(error, TALLY_INVALID,
                          "the cut has key 0x%016" PRIx64 ", but this description has 0x%016" PRIx64
                          ": it is of another problem, or of another version",
                          known.key, cut->key);
    return TALLY_OK;
}

tally_status tally_cut_check_range(const tally_cut *cut, uint64_t begin, uint64_t end,
                                   tally_error *error) {
    if (begin > end)
        return tally_fail(error, TALLY_INVALID,
                          "the part ends at %" PRIu64 ", before it begins at %" PRIu64, end, begin);
    tally_status status = check_bound(cut, begin, error);
    return status == TALLY_OK ? check_bound(cut, end, error) : status;
}
