/*
 * A scan down columns in one launch: a piece of a strip is all of it, so nothing comes before it
 * and nobody needs to be told what it comes to.
 */
#define TALLY_WALK_ARGUMENTS                                                                       \
    __global const TALLY_STORAGE *in, __global TALLY_STORAGE *out, const tally_scan_columns_args a   \
        TALLY_CARRY_PARAMETER
#define TALLY_TEAM_WIDTH(a) ((uint)(a).team_width)
#define TALLY_SLICES(a) (TALLY_WHOLE_SPANS ? 1 : (uint)(a).slices)
#define TALLY_PIECE(a) ((tally_index)(a).terms)
#define TALLY_PIECES(a) 1
#define TALLY_PUBLISHES 0
#define TALLY_LAST_FIRST 0
#if TALLY_PARTIAL == TALLY_PART_CARRIED
/* What comes before the columns: where combining is exact all of it is in spans. */
#define TALLY_LOOK_UP                                                                              \
    for (uint v = 0; v < TALLY_PACK && position.x * TALLY_PACK + v < position.width; v++)          \
        TALLY_CARRIED_LEVEL(before)                                                                \
            [v] = TALLY_CARRIED(a, outer * columns + column + position.x * TALLY_PACK + v);
#define TALLY_CARRIED_LEVEL(before) (TALLY_EXACT ? (before).spans : (before).stretches)
#else
#define TALLY_LOOK_UP
#endif
#define TALLY_PUBLISH_SPAN
#define TALLY_PUBLISH_UNIT
