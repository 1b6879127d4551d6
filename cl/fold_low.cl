/*
 * A fold down few and short columns, packed one after the other, in tiles: a row is all terms of
 * outputs that stand side by side, and a leaf is a term of each of a pack of them.
 */
#define TALLY_LOCAL_BYTES TALLY_LOW_TILE_BYTES
#define TALLY_LEAF_TERMS 1
#define TALLY_TILE_COLUMNS(a) ((uint)(a).kept_size[TALLY_KEPT_RANK - 1])
