/*
 * The choice of boxes: pieces of memory grow in turns, on the side where they are shorter.
 */
#include "plan/box.h"

#include "plan/pieces.h"

#define SECTOR 32u

/* The axes as they lie in one memory, each with the part of it that a box has. */
static void lay_axes(const tally_box_wish *wish, const uint64_t *size, bool output,
                     tally_cut cut[TALLY_BOX_DIMS]) {
    for (uint32_t k = 0; k < wish->axes; k++) {
        const tally_box_axis *axis = &wish->axis[k];
        cut[k] = (tally_cut){k, axis->size, size[k], output ? axis->out : axis->in};
    }
    tally_cuts_sort(cut, wish->axes);
}

uint32_t tally_box_order(const tally_box_wish *wish, bool output, uint32_t order[TALLY_BOX_DIMS]) {
    static const uint64_t none[TALLY_BOX_DIMS];
    tally_cut cut[TALLY_BOX_DIMS];
    lay_axes(wish, none, output, cut);
    for (uint32_t k = 0; k < wish->axes; k++)
        order[k] = cut[k].axis;
    return wish->axes;
}

static uint64_t elements_of(const tally_box_wish *wish, const uint64_t *size) {
    uint64_t elements = 1;
    for (uint32_t k = 0; k < wish->axes; k++)
        elements *= size[k];
    return elements;
}

/* Pieces of memory that a box has on one side. */
typedef struct pieces {
    uint64_t span;  /* elements from a piece's first to its last */
    uint64_t count; /* pieces */
    uint32_t next;  /* the axis along which pieces could be longer; wish->axes: none */
    bool step;      /* pieces begin anywhere in a sector */
} pieces;

static pieces find_pieces(const tally_box_wish *wish, const uint64_t *size, bool output) {
    tally_cut cut[TALLY_BOX_DIMS];
    uint32_t count = wish->axes;
    lay_axes(wish, size, output, cut);
    while (count > 0 && cut[count - 1].stride == 0)
        count--;
    const tally_pieces found = tally_pieces_find(cut, count, SECTOR / wish->bytes);
    pieces it = {found.span, found.count, wish->axes, false};
    if (found.axes > 0 && cut[found.axes - 1].part < cut[found.axes - 1].size)
        it.next = cut[found.axes - 1].axis;
    for (uint32_t k = found.axes; k < count; k++)
        it.step = it.step || cut[k].stride * wish->bytes % SECTOR != 0;
    return it;
}

/* Axes of which the box has several coordinates. */
static uint32_t cuts_of(const tally_box_wish *wish, const uint64_t *size) {
    uint32_t cuts = 0;
    for (uint32_t k = 1; k < wish->axes; k++)
        cuts += size[k] > 1;
    return cuts + 1;
}

/* Of so many that are wanted along an axis as many as it may have, at most so many. */
static uint64_t fit(const tally_box_wish *wish, uint32_t axis, uint64_t want, uint64_t room,
                    uint64_t limit) {
    uint64_t all = wish->axis[axis].size;
    if (axis > 0) {
        uint64_t most = want < room ? want : room;
        return all <= most || (all <= room && all <= most + most / 2) ? all : most;
    }
    if (all <= room && (all <= wish->unit || all <= want))
        return all;
    uint64_t cut = wish->unit;
    while (cut < want && 2 * cut <= room && 2 * cut <= limit)
        cut *= 2;
    return cut <= room && cut < all ? cut : 1;
}

/* Make the pieces of one side as long as that, as far as there is room. */
static void grow(const tally_box_wish *wish, uint64_t *size, bool output, uint64_t bytes) {
    for (;;) {
        pieces it = find_pieces(wish, size, output);
        if (it.next == wish->axes || it.span * wish->bytes >= bytes)
            return;
        uint64_t now = size[it.next];
        uint64_t room = wish->elements / (elements_of(wish, size) / now);
        uint64_t want = now * ((bytes / wish->bytes + it.span - 1) / it.span);
        uint64_t fits = fit(wish, it.next, want, room, wish->most);
        if (fits <= now || (it.next > 0 && now == 1 && cuts_of(wish, size) >= wish->cut))
            return;
        size[it.next] = fits;
    }
}

bool tally_box_halve(const tally_box_wish *wish, uint64_t size[TALLY_BOX_DIMS]) {
    uint32_t largest = 1;
    for (uint32_t k = 2; k < wish->axes; k++)
        largest = size[k] > size[largest] ? k : largest;
    if (wish->axes == 1 || size[largest] == 1)
        return false;
    size[largest] = (size[largest] + 1) / 2;
    return true;
}

/* As much of axis 0 as there is room for; if that is too little, less of the others. */
static void set_terms(const tally_box_wish *wish, uint64_t *size) {
    size[0] = 1;
    uint64_t least = wish->axis[0].size < wish->least ? wish->axis[0].size : wish->least;
    while (wish->elements / elements_of(wish, size) < least && tally_box_halve(wish, size))
        ;
    uint64_t room = wish->elements / elements_of(wish, size), all = wish->axis[0].size;
    size[0] = all <= room ? all : fit(wish, 0, room, room, wish->most);
}

/* More of the other axes, while there is room, those first that lie close in either memory. */
static void fill_up(const tally_box_wish *wish, uint64_t *size) {
    for (uint32_t side = 0; side < 2; side++) {
        uint32_t order[TALLY_BOX_DIMS];
        tally_box_order(wish, side == 0, order);
        for (uint32_t k = 0; k < wish->axes; k++) {
            uint32_t axis = order[k];
            uint64_t room = wish->elements / (elements_of(wish, size) / size[axis]);
            if (axis == 0 || (size[axis] == 1 && cuts_of(wish, size) >= wish->cut))
                continue;
            uint64_t all = wish->axis[axis].size;
            size[axis] = all < room ? all : room;
        }
    }
}

/*
 * Parts of one size, as near as can be: whole sectors, where elements lie side by side, so that no
 * two boxes have a part of one.
 */
static uint64_t even_part(const tally_box_wish *wish, uint32_t k, uint64_t most) {
    const tally_box_axis *axis = &wish->axis[k];
    uint64_t parts = (axis->size + most - 1) / most, even = (axis->size + parts - 1) / parts;
    uint64_t sector = axis->in == 1 || axis->out == 1 ? SECTOR / wish->bytes : 1;
    uint64_t whole = (even + sector - 1) / sector * sector;
    if (most * wish->bytes % SECTOR == 0 && parts >= 4)
        return most;
    return parts > 1 && whole <= most ? whole : even;
}

void tally_box_choose(const tally_box_wish *wish, uint64_t size[TALLY_BOX_DIMS]) {
    for (uint32_t k = 0; k < TALLY_BOX_DIMS; k++)
        size[k] = 1;
    for (uint64_t bytes = SECTOR; bytes <= wish->piece; bytes *= 2) {
        grow(wish, size, true, bytes);
        grow(wish, size, false, bytes);
    }
    set_terms(wish, size);
    fill_up(wish, size);
    uint64_t room = wish->elements / (elements_of(wish, size) / size[0]);
    if (size[0] < wish->axis[0].size)
        size[0] = fit(wish, 0, room, room, wish->limit);
    for (uint32_t k = 1; k < wish->axes; k++)
        size[k] = even_part(wish, k, size[k]);
}

uint64_t tally_box_cost(const tally_box_wish *wish, const uint64_t size[TALLY_BOX_DIMS],
                        uint64_t written) {
    uint64_t sectors = 0;
    for (uint32_t side = 0; side < 2; side++) {
        pieces it = find_pieces(wish, size, side == 0);
        uint64_t bytes = it.span * wish->bytes;
        uint64_t most = bytes + (it.step ? SECTOR - wish->bytes : 0);
        uint64_t each = 1 + (side == 0 && it.step ? written : 0);
        sectors += it.count * ((most + SECTOR - 1) / SECTOR + each);
    }
    return sectors * SECTOR * 64 / (elements_of(wish, size) * wish->bytes);
}
