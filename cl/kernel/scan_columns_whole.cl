/*
 * A scan down columns in one launch: a piece of a strip is all of it, so nothing comes before it and
 * nobody needs to be told what it comes to.
 */
#define TALLY_WALK_ARGUMENTS                                                                       \
    __global const TALLY_STORAGE *in, __global TALLY_STORAGE *out, const tally_scan_columns_args a
#define TALLY_ACROSS(a) ((uint)(a).across)
#define TALLY_DOWN(a) (TALLY_WHOLE_SPANS ? 1 : (uint)(a).down)
#define TALLY_PIECE(a) ((tally_index)(a).terms)
#define TALLY_PIECES(a) 1
#define TALLY_TELLS 0
#define TALLY_LAST_FIRST 0
#define TALLY_LOOK_UP
#define TALLY_TELL_SPAN
#define TALLY_TELL_UNIT
