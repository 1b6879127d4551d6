/*
 * How the axes of a tensor lie, and the pieces of memory that a box has.
 */
#include "plan/pieces.h"

#include <stdbool.h>

void tally_cuts_sort(tally_cut *cut, uint32_t count) {
    for (uint32_t k = 1; k < count; k++) {
        const tally_cut own = cut[k];
        uint32_t at = k;
        for (; at > 0 && cut[at - 1].stride - 1 > own.stride - 1; at--)
            cut[at] = cut[at - 1];
        cut[at] = own;
    }
}

tally_pieces tally_pieces_find(const tally_cut *cut, uint32_t count, uint64_t gap) {
    tally_pieces it = {1, 1, 0};
    bool open = true;
    for (uint32_t k = 0; k < count; k++) {
        open = open && (cut[k].stride <= 2 * it.span || cut[k].stride <= gap);
        if (open) {
            it.span += (cut[k].part - 1) * cut[k].stride;
            it.axes++;
        } else {
            it.count *= cut[k].part;
        }
        open = open && cut[k].part == cut[k].size;
    }
    return it;
}
