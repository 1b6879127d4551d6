/*
 * Cuts: evenly, at the bounds of a caller, and those that a caller has had. Where an axis can be
 * cut at all is for axis.c to say.
 */
#include "model/parts/cut.h"

#include <inttypes.h>

#include "base/struct.h"
#include "model/parts/axis.h"

/*
 * A coarser grain is taken if its largest part is larger than the finest one's by no more than one
 * in so many: fewer states travel.
 */
#define UNEVEN 64

/* ---- Cutting evenly -------------------------------------------------------------------------- */

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
    uint64_t grain[TALLY_CUT_GRAINS];
    tally_status status = tally_cut_begin(whole, axis, cut, error);
    if (status != TALLY_OK)
        return status;
    uint32_t i = tally_cut_grains(whole, cut, grain) - 1;
    tally_cut_set_grain(whole, grain[0], cut);
    const uint64_t least = largest_part(cut, parts);
    for (; i > 0; i--) {
        tally_cut_set_grain(whole, grain[i], cut);
        if (largest_part(cut, parts) <= least + least / UNEVEN)
            break;
    }
    tally_cut_set_grain(whole, grain[i], cut);
    cut->key = tally_cut_key(whole, cut);
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

/* The best of all axes that can be cut; why the first one cannot, where none can. */
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
    return found ? TALLY_OK : cut_evenly(whole, 0, parts, cut, error);
}

tally_status tally_whole_cut_even(const tally_whole *whole, uint32_t axis, uint32_t parts,
                                  uint64_t *bounds, tally_cut *cut, tally_error *error) {
    tally_cut made;
    tally_status status = check_parts(parts, bounds, "place for the bounds", cut, error);
    if (status == TALLY_OK && axis == TALLY_ANY_AXIS && whole->input.rank == 0)
        status = tally_fail(error, TALLY_INVALID, "a tensor of rank 0 has no axis to cut");
    if (status == TALLY_OK)
        status = axis == TALLY_ANY_AXIS ? cut_any(whole, parts, &made, error)
                                        : cut_evenly(whole, axis, parts, &made, error);
    if (status != TALLY_OK)
        return status;
    set_bounds(whole, &made, parts, bounds);
    tally_struct_give(&made, sizeof made, cut);
    return TALLY_OK;
}

/* ---- Cutting at bounds ----------------------------------------------------------------------- */

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
    uint64_t grain[TALLY_CUT_GRAINS];
    tally_status status = check_parts(parts, bounds, "list of bounds", cut, error);
    if (status == TALLY_OK)
        status = tally_cut_begin(whole, axis, &made, error);
    if (status == TALLY_OK)
        status = check_order(&made, parts, bounds, error);
    if (status != TALLY_OK)
        return status;
    for (uint32_t i = tally_cut_grains(whole, &made, grain); i-- > 0;) {
        tally_cut_set_grain(whole, grain[i], &made);
        status = check_bounds(&made, parts, bounds, i > 0 ? NULL : error);
        if (status == TALLY_OK)
            break;
    }
    if (status != TALLY_OK)
        return status;
    made.key = tally_cut_key(whole, &made);
    tally_struct_give(&made, sizeof made, cut);
    return TALLY_OK;
}

/* ---- Cuts of callers ------------------------------------------------------------------------ */

tally_status tally_whole_take_cut(const tally_whole *whole, const tally_cut *given, tally_cut *cut,
                                  tally_error *error) {
    tally_cut known;
    tally_status status = tally_struct_take(given, &known, sizeof known, "tally_cut", error);
    if (status == TALLY_OK)
        status = tally_cut_begin(whole, known.axis, cut, error);
    if (status != TALLY_OK)
        return status;
    tally_cut_set_grain(whole, known.grain, cut);
    cut->key = tally_cut_key(whole, cut);
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
