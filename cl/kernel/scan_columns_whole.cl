/*
 * A scan down columns in one launch: a piece of a strip is all of it, so nothing comes before it
 * and nobody needs to be told what it comes to.
 */
#define TALLY_WALK_ARGUMENTS                                                                       \
    __global const TALLY_STORAGE *in, __global TALLY_STORAGE *out, const tally_scan_columns_args a
#define TALLY_TEAM_WIDTH(a) ((uint)(a).team_width)
#define TALLY_SLICES(a) (TALLY_WHOLE_SPANS ? 1 : (uint)(a).slices)
#define TALLY_PIECE(a) ((tally_index)(a).terms)
#define TALLY_PIECES(a) 1
#define TALLY_PUBLISHES 0
#define TALLY_LAST_FIRST 0
#define TALLY_LOOK_UP
#define TALLY_PUBLISH_SPAN
#define TALLY_PUBLISH_UNIT
