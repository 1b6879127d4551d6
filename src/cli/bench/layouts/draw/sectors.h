/*
 * The bytes that a random problem must move, in whole sectors of 32 bytes: how many sectors of
 * memory its views touch, each counted once. Pure; knows no device.
 */
#ifndef TALLY_CLI_BENCH_LAYOUTS_DRAW_SECTORS_H
#define TALLY_CLI_BENCH_LAYOUTS_DRAW_SECTORS_H

#include "cli/bench/layouts/draw/draw.h"

#define LAYOUTS_SECTOR 32u

/*
 * The part of a view that counts: all of it, or of each matrix what lies in the band, or outside
 * it. In the band are the elements with low <= column - row < high.
 */
typedef enum layouts_part { LAYOUTS_WHOLE, LAYOUTS_INSIDE, LAYOUTS_OUTSIDE } layouts_part;

/* Elements in memory. The buffer starts where a sector does. */
typedef struct layouts_view {
    const tally_tensor *tensor; /* TALLY_STRIDED */
    uint64_t offset;            /* elements of the buffer before the first */
    layouts_part part;
    int64_t low, high; /* of a part that is not the whole; the last two axes are the matrix */
} layouts_view;

/*
 * Sectors that the view touches. Exact where strides nest (sorted, each is at least what the axes
 * of smaller strides reach over, and axes of stride 0 repeat what is there) and, of a part, where
 * the matrix has at most LAYOUTS_LINES lines; of more lines a sample is counted. Where strides do
 * not nest it is an upper bound: all that the view reaches over, or a sector for each element.
 */
#define LAYOUTS_LINES 2048u
uint64_t layouts_sectors(const layouts_view *view);

/*
 * Bytes of the sectors that the problem must read and write, each side by itself:
 *
 *   reduce     reads the input, writes the output
 *   scan       the same; an exclusive one reads all but the last element that it visits
 *   diagonal   reads of the input what the fill leaves, and writes the output; in place it reads
 *              nothing and writes what the band covers
 */
uint64_t layouts_bytes(const layouts_problem *problem);

#endif
