/*
 * How the work-items of a group share a box: lines of the input that come into its image, lines of
 * the output that leave it. Neighbours have neighbouring columns. What is known of the places of a
 * work-item's lines comes out of a table 16 bytes at a time, and all of its loads are under way
 * together.
 */

/*
 * A work-item's column, or every TALLY_GROUP-th; and its first block of lines, and how many blocks
 * the group has at a time. Those that are left over have no column.
 */
typedef struct {
    uint column, block, blocks;
} TALLY_FN(share);

static TALLY_FN(share) TALLY_FN(share_of)(uint columns) {
    const uint lid = (uint)get_local_id(0), some = min(columns, (uint)TALLY_GROUP);
    const uint block = lid / some, blocks = TALLY_GROUP / some;
    const TALLY_FN(share) share = {block < blocks ? lid - block * some : columns, block, blocks};
    return share;
}

/* So many entries of a table, a multiple of 4, from an entry on that begins 16 bytes. */
TALLY_INLINE void TALLY_FN(entries)(__local const tally_index *table, const uint count,
                                    tally_index *entry) {
#pragma unroll
    for (uint i = 0; i < count; i += 4) {
#if TALLY_INDEX_BITS == 32
        const uint4 some = *(__local const uint4 *)(table + i);
        entry[i] = some.x;
        entry[i + 1] = some.y;
        entry[i + 2] = some.z;
        entry[i + 3] = some.w;
#else
        const ulong2 some = *(__local const ulong2 *)(table + i);
        const ulong2 more = *(__local const ulong2 *)(table + i + 2);
        entry[i] = some.x;
        entry[i + 1] = some.y;
        entry[i + 2] = more.x;
        entry[i + 3] = more.y;
#endif
    }
}
