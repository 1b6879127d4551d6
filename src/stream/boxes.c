/*
 * From flat axes to the caller's. A range of a flat axis is a head, a middle and a tail of the
 * caller's axes that it is made of, and head and tail are again. Where a range comes to several
 * boxes, axes outside of it go on by one coordinate at a time, as memory does.
 */
#include "stream/boxes.h"

#include <string.h>

/* A head and a tail for each of the caller's axes, and a middle. */
#define MOST_RANGES (2 * TALLY_MAX_RANK)

/* Ranges along some of the caller's axes, one behind the other. */
typedef struct ranges {
    uint32_t count;
    struct {
        uint64_t begin[TALLY_MAX_RANK], size[TALLY_MAX_RANK]; /* of all axes, but filled for some */
        uint64_t elements;
    } range[MOST_RANGES];
} ranges;

/* ---- Ranges of a flat axis ------------------------------------------------------------------ */

typedef struct splitter {
    const uint64_t *size; /* of the caller's axes */
    uint32_t end;
    uint64_t begin[TALLY_MAX_RANK]; /* of the axes outside of the one that is split */
    uint32_t first;
    ranges *into;
} splitter;

static uint64_t elements_inside(const splitter *of, uint32_t axis) {
    uint64_t elements = 1;
    for (uint32_t k = axis + 1; k < of->end; k++)
        elements *= of->size[k];
    return elements;
}

static void add_range(const splitter *of, uint32_t axis, uint64_t begin, uint64_t size) {
    ranges *into = of->into;
    const uint32_t i = into->count++;
    into->range[i].elements = size * elements_inside(of, axis);
    for (uint32_t k = of->first; k < of->end; k++) {
        into->range[i].begin[k] = k < axis ? of->begin[k] : k == axis ? begin : 0;
        into->range[i].size[k] = k < axis ? 1 : k == axis ? size : of->size[k];
    }
}

/*
 * Add the elements from begin up to end, as they are numbered from this axis on. It calls itself
 * for the axes inside, of which there are 8 at most.
 */
/* NOLINTNEXTLINE(misc-no-recursion) */
static void split(splitter *of, uint32_t axis, uint64_t begin, uint64_t end) {
    const uint64_t inside = elements_inside(of, axis);
    uint64_t first = begin / inside;
    const uint64_t last = end / inside, head = begin % inside, tail = end % inside;
    if (head > 0) {
        of->begin[axis] = first++;
        split(of, axis + 1, head, last + 1 == first ? tail : inside);
    }
    if (first < last)
        add_range(of, axis, first, last - first);
    if (tail > 0 && first <= last) {
        of->begin[axis] = last;
        split(of, axis + 1, 0, tail);
    }
}

/* The first of a group's axes that counts, which the range is split along. */
static void list_ranges(const tally_flat *flat, const uint64_t *size, uint32_t axis, uint64_t begin,
                        uint64_t count, ranges *into) {
    const tally_flat_axis *of = &flat->axes[axis];
    splitter work = {.size = size, .end = of->end, .first = of->first, .into = into};
    into->count = 0;
    if (of->first == of->end) { /* an axis that the caller does not have */
        into->count = 1;
        into->range[0].elements = 1;
    } else {
        split(&work, of->first, begin, begin + count);
    }
}

/* ---- Boxes ---------------------------------------------------------------------------------- */

typedef struct walk {
    const tally_flat *flat;
    const uint64_t *size; /* of the caller's tensor */

    ranges fixed[TALLY_MAX_RANK];
    uint64_t begin[TALLY_MAX_RANK], count[TALLY_MAX_RANK]; /* the box that is visited */
} walk;

/* Copy the i-th range of a flat axis into the box; returns its elements. */
static uint64_t take_range(walk *of, uint32_t axis, const ranges *from, uint32_t i) {
    for (uint32_t k = of->flat->axes[axis].first; k < of->flat->axes[axis].end; k++) {
        of->begin[k] = from->range[i].begin[k];
        of->count[k] = from->range[i].size[k];
    }
    return from->range[i].elements;
}

/* The axis inside of which each axis has one range; 0 if the outermost may have several. */
static uint32_t find_split(const walk *of) {
    uint32_t axis = of->flat->rank - 1;
    while (axis > 0 && of->fixed[axis].count == 1)
        axis--;
    return axis;
}

/* The number-th coordinates of the axes outside of one, in row-major order. */
static void take_outside(walk *of, const tally_flat_box *box, uint32_t axis, uint64_t number) {
    for (uint32_t k = axis; k-- > 0; number /= box->size[k]) {
        ranges one;
        list_ranges(of->flat, of->size, k, box->begin[k] + number % box->size[k], 1, &one);
        (void)take_range(of, k, &one, 0);
    }
}

static tally_status walk_boxes(walk *of, const tally_flat_box *box, tally_box_visit *visit,
                               void *user, tally_error *error) {
    const uint32_t axis = find_split(of);
    uint64_t outside = 1, inside = 1, first = 0;
    tally_status status = TALLY_OK;
    for (uint32_t k = 0; k < axis; k++)
        outside *= box->size[k];
    for (uint32_t k = axis + 1; k < of->flat->rank; k++)
        inside *= take_range(of, k, &of->fixed[k], 0);
    for (uint64_t number = 0; number < outside && status == TALLY_OK; number++) {
        take_outside(of, box, axis, number);
        for (uint32_t i = 0; i < of->fixed[axis].count && status == TALLY_OK; i++) {
            const uint64_t elements = take_range(of, axis, &of->fixed[axis], i) * inside;
            status = visit(user, of->begin, of->count, first, error);
            first += elements;
        }
    }
    return status;
}

tally_status tally_boxes_visit(const tally_flat *flat, const tally_flat_box *box, bool output,
                               tally_box_visit *visit, void *user, tally_error *error) {
    const tally_tensor *tensor = output ? &flat->output : &flat->input;
    walk of = {.flat = flat, .size = tensor->size};
    for (uint32_t k = 0; k < tensor->rank; k++) /* axes of size 1, which no flat axis has */
        of.count[k] = 1;
    for (uint32_t k = 0; k < flat->rank; k++) {
        if (box->size[k] == 0)
            return TALLY_OK;
        list_ranges(flat, of.size, k, box->begin[k], box->size[k], &of.fixed[k]);
    }
    return walk_boxes(&of, box, visit, user, error);
}

uint64_t tally_boxes_share(const tally_flat *flat, uint32_t index, uint32_t shares,
                           tally_flat_box *box) {
    uint32_t axis = 0;
    uint64_t inside = 1;

    while (axis + 1 < flat->rank && box->size[axis] == 1)
        axis++;
    for (uint32_t k = axis + 1; k < flat->rank; k++)
        inside *= box->size[k];
    const uint64_t size = box->size[axis], every = size / shares, rest = size % shares;
    const uint64_t first = every * index + (index < rest ? index : rest);
    box->begin[axis] += first;
    box->size[axis] = every + (index < rest);
    return first * inside;
}

tally_flat_box tally_boxes_output(const tally_flat *flat, const tally_flat_box *box) {
    tally_flat_box output = *box;
    for (uint32_t k = 0; k < flat->rank; k++)
        if (flat->kind == TALLY_FLAT_REDUCE && flat->axes[k].role == TALLY_FLAT_SWEPT) {
            output.begin[k] = 0;
            output.size[k] = 1;
        }
    return output;
}
