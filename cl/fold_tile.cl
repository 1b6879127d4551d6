/*
 * A fold of short contiguous rows, packed one after the other, in tiles: a row is an output's terms.
 */
#define TALLY_LOCAL_BYTES TALLY_TILE_BYTES
#define TALLY_LEAF_TERMS TALLY_LEAF_ELEMENTS
#define TALLY_TILE_COLUMNS(a) 1
