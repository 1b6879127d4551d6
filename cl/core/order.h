/*
 * The orders in which rounding results are combined: numbers that are part of a result's meaning.
 * Read by the host's compiler and the device's. They are constants of the library, never of a
 * device; a change raises the order version.
 */
#ifndef TALLY_CL_ORDER_H
#define TALLY_CL_ORDER_H

/* 1: folds and scans, as they are to stay. */
#define TALLY_ORDER_VERSION 1

/*
 * A fold: a block of terms is dealt to the lanes, term i to lane i modulo TALLY_LANES; a lane
 * combines its terms one after the other, lanes are combined by halving (lane k with lane k + 64,
 * then + 32 and so on); the results of the blocks are terms of a new sequence, folded by the same
 * rule.
 *
 * LOG_SUM_EXP carries pairs (t, a), worth a * exp(t): a lane's elements become pairs in runs of
 * TALLY_LANE_RUN, with t the largest element and a the sum of exp(x - t) one after the other;
 * combined, two pairs take the larger t.
 */
#define TALLY_LANES 128
#define TALLY_BLOCK 4096
#define TALLY_LANE_RUN 8

/*
 * A scan: nested left folds. TALLY_RUN terms are a run, TALLY_RUN runs a span, TALLY_RUN spans a
 * tile, TALLY_TILES tiles a stretch. The result at a position is
 * stretches + (tiles + (spans + (runs + terms))), each the left fold of what is complete at its
 * level before that position.
 */
#define TALLY_RUN 16
#define TALLY_SPAN (TALLY_RUN * TALLY_RUN)
#define TALLY_TILE (TALLY_RUN * TALLY_SPAN)
#define TALLY_TILES 64
#define TALLY_STRETCH (TALLY_TILES * TALLY_TILE)

#endif
