/*
 * A box of a scan: what of each axis a group has in local memory, and where it lies there. See
 * cl/agent/scan/scan_staged_box.cl.
 */
#ifndef TALLY_PLAN_SCAN_STAGED_H
#define TALLY_PLAN_SCAN_STAGED_H

#include "plan/box.h"
#include "plan/plan.h"

/* A box and what is known of it. */
typedef struct tally_staged {
    tally_box_wish wish;
    uint64_t size[TALLY_BOX_DIMS];
    uint32_t axis[TALLY_BOX_AXES]; /* of the wish, that are the box's; the terms first */
    uint32_t rank;
    uint64_t slots;                /* runs that a box may have */
    uint64_t group, runs_per_item; /* work-items, and runs of each */
    bool pieces;                   /* a group takes a piece of its lines, not all terms: a tile, */
    bool parts;                    /* or a box, of a span at least */
    bool chains;  /* groups tell each other what comes before their pieces: there is one launch */
    bool follows; /* groups fold what comes before their pieces: there is no spine */
    bool many;    /* work-items for all of the device several times */
} tally_staged;

/* Choose a problem's box, and its group. */
void tally_staged_choose(const tally_problem *problem, const tally_limits *limits,
                         tally_staged *it);

/*
 * Choose the group, of so many work-items at most, in whole steps: a run for each, or as many as
 * leave it about as many terms, so that none idles while others have another run.
 */
void tally_staged_set_group(tally_staged *it, uint64_t wide);

/* Lines of a box, and boxes of the problem's lines. */
uint64_t tally_staged_lines(const tally_staged *it);
uint64_t tally_staged_boxes(const tally_staged *it);

/* Pieces that lines are cut into. */
uint64_t tally_staged_pieces(const tally_staged *it);

/* Whether there are work-items for all of the device several times. */
bool tally_staged_are_many(const tally_limits *limits, const tally_staged *it);

/* Let a box's lines be walked, or cut into pieces: the cheaper. Returns the cost. */
uint64_t tally_staged_choose_pieces(const tally_limits *limits, tally_staged *it);

/*
 * Whether the first pass goes over tiles, although units of the last one are parts of them: where
 * tiles are enough for all of the device, and boxes of spans serve it.
 */
bool tally_staged_has_tile_totals(const tally_limits *limits, const tally_staged *it);

/* Work-items of a group of the spine, each of which has a tile's spans at a time, or a stretch's
 * tiles. */
uint64_t tally_staged_spine_group(const tally_limits *limits, const tally_staged *it);

/* Terms of a run: of shorter lines all of them. */
uint64_t tally_staged_run_terms(const tally_staged *it);

/* Elements of room behind a run or a line, for neighbours to meet different banks. */
uint64_t tally_staged_room(uint32_t bytes);

/* What divides by a size: 2^32 / size rounded up, of 1 none. */
uint64_t tally_staged_magic(uint64_t size);

/*
 * A memory: the box's axes as they lie there, which one it is, and whether work-items move the
 * elements of their own lines.
 */
typedef struct tally_staged_side {
    uint16_t order;
    bool output, direct;
} tally_staged_side;

/* The k-th axis of a box in an order of them, and the stride along one. */
uint32_t tally_staged_axis(uint16_t order, uint32_t k);
uint64_t tally_staged_stride(const tally_staged *it, const tally_staged_side *at, uint32_t axis);

/*
 * Place a box in local memory as it lies in a memory, so that packs of that are packs there: each
 * step is as many elements past whole packs. False if there is no room, or work-items that have the
 * lines by this order of axes meet at banks.
 */
bool tally_staged_lay_whole(const tally_staged *it, const tally_staged_side *at, uint16_t order,
                            tally_scan_staged_args *args);

/* Whether a box lies in local memory so that packs of a memory are packs there. */
bool tally_staged_is_whole(const tally_staged *it, const tally_staged_side *at,
                           const tally_scan_staged_args *args);

/* Choose how a box that is placed comes and goes; it may be placed anew. */
void tally_staged_set_moves(const tally_staged *it, tally_step *step);

/*
 * Let work-items of a step that writes nothing load their own lines into registers. False if they
 * cannot, or it takes longer than to load packs; the step may be changed all the same.
 */
bool tally_staged_set_loads(const tally_staged *it, tally_step *step);

/* Place a step's box, whose sizes and orders are set, in local memory. */
void tally_staged_lay_out(const tally_staged *it, tally_step *step);

#endif
