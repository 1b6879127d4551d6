/*
 * Choosing pieces. Axes are cut one after the other, each only as far as is needed, and the next
 * one only if the least that this one allows is too much still.
 */
#include "stream/pieces.h"

#include <string.h>

#include "base/host_memory.h"

/*
 * The most parts of a swept axis. Each has some bytes on the host; larger parts than there must be
 * are no loss where there are so many.
 */
#define MOST_PARTS (UINT32_C(1) << 20)

/* ---- Boxes that give results ---------------------------------------------------------------- */

static bool is_reduced(const tally_flat *flat, uint32_t axis) {
    return flat->kind == TALLY_FLAT_REDUCE && flat->axes[axis].role == TALLY_FLAT_SWEPT;
}

static uint64_t up(uint64_t a, uint64_t b) {
    return b > 0 ? a / b + (a % b != 0) : 0;
}

/* The index-th of count ranges of an axis: equally long, or the first ones by one longer. */
static uint64_t range_begin(uint64_t size, uint64_t count, uint64_t index) {
    const uint64_t rest = size % count;
    return size / count * index + (index < rest ? index : rest);
}

static uint64_t input_bytes(const tally_flat *flat, const tally_flat_box *box) {
    return tally_flat_input_elements(flat, box) * flat->input_bytes;
}

static uint64_t output_bytes(const tally_flat *flat, const tally_flat_box *box) {
    return tally_flat_output_elements(flat, box) * flat->output_bytes;
}

static uint64_t bytes_of(const tally_flat *flat, const tally_flat_box *box) {
    return input_bytes(flat, box) + output_bytes(flat, box);
}

/* Coordinates of an axis that a piece of so many bytes has room for; may be 0. */
static uint64_t room(const tally_flat *flat, const tally_flat_box *box, uint32_t axis,
                     uint64_t most) {
    const uint64_t fixed = is_reduced(flat, axis) ? output_bytes(flat, box) : 0;
    const uint64_t all = bytes_of(flat, box) - fixed;
    const uint64_t one = up(all, box->size[axis]);
    return most > fixed && one > 0 ? (most - fixed) / one : 0;
}

/* Cut an axis that gives results; the box gets the largest of its ranges. */
static void cut_kept(tally_pieces *pieces, tally_flat_box *box, uint32_t axis, uint64_t most) {
    const tally_flat_axis *of = &pieces->flat->axes[axis];
    const uint64_t least = of->least > 0 ? of->least : 1;
    uint64_t size = room(pieces->flat, box, axis, most);
    if (size < least)
        size = least;
    if (size >= of->size)
        return;
    pieces->count[axis] = up(of->size, size);
    if (pieces->count[axis] > of->size / least)
        pieces->count[axis] = of->size / least;
    box->size[axis] = up(of->size, pieces->count[axis]);
}

/* ---- Parts of the swept axis ---------------------------------------------------------------- */

static uint64_t largest_part(const uint64_t *bounds, uint32_t parts) {
    uint64_t largest = 0;
    for (uint32_t p = 0; p < parts; p++)
        if (bounds[p + 1] - bounds[p] > largest)
            largest = bounds[p + 1] - bounds[p];
    return largest;
}

/* Leave out the parts that are empty; returns how many are left. */
static uint32_t drop_empty(uint64_t *bounds, uint32_t parts) {
    uint32_t left = 0;
    for (uint32_t p = 0; p < parts; p++)
        if (bounds[p + 1] > bounds[left])
            bounds[++left] = bounds[p + 1];
    return left;
}

/* Cut the swept axis into so many parts, if there can be as many. */
static tally_status try_parts(tally_pieces *pieces, const tally_flat_box *box, uint32_t parts,
                              tally_error *error) {
    tally_flat_desc piece;
    tally_cut cut = TALLY_CUT_INIT;
    uint64_t *bounds =
        tally_host_grow(NULL, pieces->bounds, 0, ((size_t)parts + 1) * sizeof *bounds);
    if (bounds == NULL)
        return tally_fail_memory(error, "the bounds of a stream's parts");
    pieces->bounds = bounds;
    tally_flat_piece(pieces->flat, box, &piece);
    tally_status status =
        tally_cut_even(&piece.desc, pieces->flat->swept, parts, bounds, &cut, error);
    if (status == TALLY_OK)
        pieces->parts = drop_empty(bounds, parts);
    return status;
}

static uint32_t limited(uint64_t parts, uint64_t size) {
    const uint64_t most = size < MOST_PARTS ? size : MOST_PARTS;
    return (uint32_t)(parts < most ? parts : most);
}

/* Cut the swept axis; the box gets the largest part. */
static tally_status cut_swept(tally_pieces *pieces, tally_flat_box *box, uint64_t most,
                              tally_error *error) {
    const uint32_t axis = pieces->flat->swept;
    const uint64_t size = box->size[axis];
    uint64_t wanted = room(pieces->flat, box, axis, most), largest;
    if (wanted == 0)
        wanted = 1;
    if (wanted >= size)
        return TALLY_OK;
    for (uint32_t parts = limited(up(size, wanted), size);;) {
        tally_status status = try_parts(pieces, box, parts, error);
        if (status != TALLY_OK)
            return status;
        largest = largest_part(pieces->bounds, pieces->parts);
        const uint32_t more = limited((uint64_t)parts + parts / 16 + 1, size);
        if (largest <= wanted || pieces->parts < parts || more == parts)
            break;
        parts = more;
    }
    box->size[axis] = largest;
    return TALLY_OK;
}

/* ---- Both ----------------------------------------------------------------------------------- */

/* Cut the axes of a kind, or all, from the outermost on until a piece is small enough. */
static tally_status cut_axes(tally_pieces *pieces, tally_flat_box *box, bool kept, bool swept,
                             uint64_t most, tally_error *error) {
    const tally_flat *flat = pieces->flat;
    tally_status status = TALLY_OK;
    for (uint32_t k = 0; k < flat->rank && status == TALLY_OK && bytes_of(flat, box) > most; k++)
        if (box->size[k] <= 1)
            continue;
        else if (flat->axes[k].role != TALLY_FLAT_SWEPT && kept)
            cut_kept(pieces, box, k, most);
        else if (k == flat->swept && swept)
            status = cut_swept(pieces, box, most, error);
    return status;
}

/* The states that are in memory at a time. */
static tally_status measure_states(tally_pieces *pieces, const tally_flat_box *largest,
                                   tally_error *error) {
    tally_cut cut = TALLY_CUT_INIT;
    tally_flat_box box = *largest;
    uint64_t all = 0, most = 0;
    if (pieces->parts == 1)
        return TALLY_OK;
    box.begin[pieces->flat->swept] = 0;
    box.size[pieces->flat->swept] = pieces->flat->axes[pieces->flat->swept].size;
    tally_status status = tally_pieces_cut(pieces, &box, &cut, error);
    for (uint32_t p = 0; p < pieces->parts && status == TALLY_OK; p++) {
        const uint64_t states = tally_cut_states(&cut, pieces->bounds[p], pieces->bounds[p + 1]);
        all += states;
        most = states > most ? states : most;
    }
    const bool totals = cut.kind == TALLY_CUT_TOTALS;
    pieces->state_buffers = totals ? 2 : 1; /* of this part and the next one, with their carries */
    pieces->state_bytes = (pieces->chained ? 1
                           : totals        ? most + 1
                                           : all) *
                          cut.lines * cut.state_bytes;
    return status;
}

/* Scans whose results are states as well, by tally/part.h. */
static bool is_chained(const tally_flat *flat) {
    const tally_cumulative *scan = &flat->cumulative;
    return flat->kind == TALLY_FLAT_SCAN && !scan->exclusive && scan->input.dtype != TALLY_F16 &&
           (scan->function == TALLY_SUM || scan->function == TALLY_MULTIPLY);
}

tally_status tally_pieces_choose(const tally_flat *flat, tally_pieces_way way, uint64_t most,
                                 tally_pieces *pieces, tally_error *error) {
    tally_flat_box box = {{0}, {0}};
    memset(pieces, 0, sizeof *pieces);
    pieces->flat = flat;
    pieces->parts = 1;
    pieces->descending = flat->kind == TALLY_FLAT_SCAN && flat->cumulative.descending;
    pieces->chained = is_chained(flat);
    for (uint32_t k = 0; k < flat->rank; k++) {
        pieces->count[k] = 1;
        box.size[k] = flat->axes[k].size;
    }
    const bool mixed = way == TALLY_PIECES_OUTER_FIRST;
    tally_status status = cut_axes(pieces, &box, true, mixed, most, error);
    if (status == TALLY_OK && !mixed)
        status = cut_axes(pieces, &box, false, true, most, error);
    if (status == TALLY_OK)
        status = measure_states(pieces, &box, error);
    pieces->input_bytes = input_bytes(flat, &box);
    pieces->output_bytes = output_bytes(flat, &box);
    pieces->boxes = 1;
    for (uint32_t k = 0; k < flat->rank; k++)
        pieces->boxes *= pieces->count[k];
    return status;
}

void tally_pieces_release(tally_pieces *pieces) {
    tally_host_give(NULL, pieces->bounds);
    pieces->bounds = NULL;
}

tally_flat_box tally_pieces_box(const tally_pieces *pieces, uint64_t number) {
    tally_flat_box box = {{0}, {0}};
    for (uint32_t k = pieces->flat->rank; k-- > 0;) {
        const uint64_t size = pieces->flat->axes[k].size, count = pieces->count[k];
        const uint64_t index = number % count;
        box.begin[k] = range_begin(size, count, index);
        box.size[k] = range_begin(size, count, index + 1) - box.begin[k];
        number /= count;
    }
    return box;
}

tally_flat_box tally_pieces_part(const tally_pieces *pieces, const tally_flat_box *box,
                                 uint32_t number) {
    tally_flat_box part = *box;
    if (pieces->parts > 1) {
        const uint32_t p = pieces->descending ? pieces->parts - 1 - number : number;
        part.begin[pieces->flat->swept] = pieces->bounds[p];
        part.size[pieces->flat->swept] = pieces->bounds[p + 1] - pieces->bounds[p];
    }
    return part;
}

tally_status tally_pieces_cut(const tally_pieces *pieces, const tally_flat_box *box, tally_cut *cut,
                              tally_error *error) {
    tally_flat_desc piece;
    *cut = (tally_cut)TALLY_CUT_INIT;
    tally_flat_piece(pieces->flat, box, &piece);
    return tally_cut_at(&piece.desc, pieces->flat->swept, pieces->parts, pieces->bounds, cut,
                        error);
}
