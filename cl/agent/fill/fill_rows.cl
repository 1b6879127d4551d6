/*
 * A diagonal fill of contiguous rows on GPUs. A unit is a piece, one of a.pieces, of some rows:
 * TALLY_ROWS_AT_ONCE times as many as a group has room for with a.team_width work-items to each. A
 * work-item has TALLY_PACKS_PER_ITEM packs of 16 bytes of each of its rows, all of which are read
 * before the first is written. Packs are where the output is aligned: the first and the last of a
 * row may be parts, which are read element by element, and so is what is aligned differently in the
 * input. What the band covers is not read. In place nothing is, and nothing else is written.
 */

/* A row's elements are lead..end - 1 of its packs, and its band is first..last - 1. */
typedef struct {
    __global const TALLY_STORAGE *in;
    __global TALLY_STORAGE *out;
    tally_index lead, end, first, last;
    bool aligned; /* the input as the output is */
} TALLY_FN(row);

/* Row y of a matrix of so many columns, which begins there. */
static TALLY_FN(row) TALLY_FN(row_at)(__global const TALLY_STORAGE *in, __global TALLY_STORAGE *out,
                                      tally_i64 low, tally_i64 high, tally_index y,
                                      tally_index columns) {
    TALLY_FN(row) it;
    it.in = in;
    it.out = out;
    it.lead = (tally_index)((size_t)out / TALLY_BYTES % TALLY_PACK);
    it.end = it.lead + columns;
    it.first = it.lead + TALLY_FN(edge)(low, y, columns);
    it.last = it.lead + TALLY_FN(edge)(high, y, columns);
    it.aligned = ((size_t)in - (size_t)out) % 16 == 0;
    return it;
}

/* Of the pack whose first element is at. */
#define TALLY_IS_WHOLE(row, at) ((at) >= (row)->lead && (at) + TALLY_PACK <= (row)->end)
#define TALLY_IS_INSIDE(row, at) ((at) >= (row)->first && (at) + TALLY_PACK <= (row)->last)
#define TALLY_IS_OUTSIDE(row, at) ((at) + TALLY_PACK <= (row)->first || (at) >= (row)->last)
#define TALLY_IS_THERE(row, at) ((at) >= (row)->lead && (at) < (row)->end)

/* Bits of the pack's elements that are from .. to - 1 of the row's; at is the pack's first. */
static uint TALLY_FN(bits_of)(tally_index at, tally_index from, tally_index to) {
    return TALLY_BELOW(clamp(to, at, at + TALLY_PACK) - at) &
           ~TALLY_BELOW(clamp(from, at, at + TALLY_PACK) - at);
}

/* Narrow elements by their dwords: as parts of these they would not stay in registers. */
#if TALLY_BYTES >= 4
#define TALLY_SET_IN_PACK(pack, p, value) ((pack)->stored[p] = (tally_stored)(value))
#else
#define TALLY_SET_IN_PACK(pack, p, value)                                                          \
    ((pack)->dword[TALLY_DWORD_OF(p)] =                                                            \
         ((pack)->dword[TALLY_DWORD_OF(p)] & ~((uint)(tally_stored)~0u << TALLY_SHIFT(p))) |       \
         (uint)(tally_stored)(value) << TALLY_SHIFT(p))
#endif

/* What the band does not cover: of an input, or else zeros. */
static void TALLY_FN(load)(const TALLY_FN(row) *row, tally_index at, bool inverted,
                           tally_pack *pack) {
    pack->bits = (uint4)(0);
#if TALLY_HAS_INPUT
    const bool covered = inverted ? TALLY_IS_OUTSIDE(row, at) : TALLY_IS_INSIDE(row, at);
    if (at >= row->end || covered)
        return;
    if (row->aligned && TALLY_IS_WHOLE(row, at)) {
        pack->bits = tally_load_pack(row->in + (at - row->lead));
        return;
    }
#pragma unroll
    for (uint i = 0; i < TALLY_PACK; i++)
        if (TALLY_IS_THERE(row, at + i))
            tally_put_in_pack(pack, i, row->in + (at + i - row->lead));
#endif
}

/* The same pack with the value where the band is, or in place the value alone. */
static void TALLY_FN(store)(const TALLY_FN(row) *row, tally_index at, bool inverted, bool in_place,
                            ulong value, tally_pack *pack) {
    const bool inside = TALLY_IS_INSIDE(row, at), outside = TALLY_IS_OUTSIDE(row, at);
    const bool kept = inverted ? inside : outside;
    const bool all = inverted ? outside : inside;
    if (at >= row->end || (in_place && kept))
        return;
    if (all || in_place) {
        const uint low = (uint)value, high = (uint)(value >> 32);
        pack->bits = (uint4)(low, high, low, high);
    } else if (!kept) {
#pragma unroll
        for (uint i = 0; i < TALLY_PACK; i++)
            if ((at + i >= row->first && at + i < row->last) != inverted)
                TALLY_SET_IN_PACK(pack, i, value);
    }
    if (TALLY_IS_WHOLE(row, at) && (all || !in_place)) {
        *(__global uint4 *)(row->out + (at - row->lead)) = pack->bits;
        return;
    }
    uint wanted = TALLY_FN(bits_of)(at, row->lead, row->end);
    if (in_place)
        wanted &= TALLY_FN(bits_of)(at, row->first, row->last) ^ (inverted ? ~0u : 0u);
    tally_store_part(row->out, at - row->lead, pack, wanted);
}

__attribute__((reqd_work_group_size(TALLY_GROUP, 1, 1))) __kernel void
TALLY_KERNEL(__global const TALLY_STORAGE *in, __global TALLY_STORAGE *out,
             const tally_fill_rows_args a) {
    const tally_index columns = (tally_index)a.kept_size[TALLY_KEPT_RANK - 1];
    const tally_index rows = (tally_index)a.kept_size[TALLY_KEPT_RANK - 2];
    const tally_index units = (tally_index)a.head.units, pieces = (tally_index)a.pieces;
    const tally_index all_rows = (tally_index)a.rows;
    const uint team_width = (uint)a.team_width, teams = TALLY_GROUP / team_width;
    const uint line = get_local_id(0) / team_width, column = get_local_id(0) - line * team_width;
    const uint step = team_width * TALLY_PACKS_PER_ITEM; /* packs of a piece */
    const tally_i64 low = TALLY_FN(cut)(a.low, rows, columns);
    const tally_i64 high = TALLY_FN(cut)(a.high, rows, columns);
    const ulong value = (tally_stored)a.value * TALLY_REPEAT;
    const bool inverted = a.inverted != 0;
    in += a.head.in_offset;
    out += a.head.out_offset + a.out_start;
    for (tally_index unit = get_group_id(0); unit < units; unit += get_num_groups(0)) {
        const tally_index strip = unit / pieces, piece = unit - strip * pieces;
        /* As many packs as there are if the first one is a part. */
        const tally_index end = piece + 1 < pieces ? (piece + 1) * step
                                                   : (columns + 2 * TALLY_PACK - 2) / TALLY_PACK;
        TALLY_FN(row) row[TALLY_ROWS_AT_ONCE];
#pragma unroll
        for (uint j = 0; j < TALLY_ROWS_AT_ONCE; j++) {
            const tally_index number = (strip * TALLY_ROWS_AT_ONCE + j) * teams + line;
            const tally_index matrix = min(number, all_rows - 1) / rows;
            const tally_index y = min(number, all_rows - 1) - matrix * rows;
            row[j] = TALLY_FN(row_at)(TALLY_HAS_INPUT ? in + TALLY_ROW(a, kept_in, matrix, y) : in,
                                      out + TALLY_ROW(a, kept_out, matrix, y), low, high, y,
                                      columns);
            if (line >= teams || number >= all_rows)
                row[j].end = 0; /* nothing is there */
        }
        for (tally_index first = piece * step + column; first < end; first += step) {
            tally_pack pack[TALLY_ROWS_AT_ONCE * TALLY_PACKS_PER_ITEM];
#pragma unroll
            for (uint k = 0; k < TALLY_ROWS_AT_ONCE * TALLY_PACKS_PER_ITEM; k++)
                TALLY_FN(load)
                (&row[k / TALLY_PACKS_PER_ITEM],
                 (first + k % TALLY_PACKS_PER_ITEM * team_width) * TALLY_PACK, inverted, &pack[k]);
#pragma unroll
            for (uint k = 0; k < TALLY_ROWS_AT_ONCE * TALLY_PACKS_PER_ITEM; k++)
                TALLY_FN(store)
                (&row[k / TALLY_PACKS_PER_ITEM],
                 (first + k % TALLY_PACKS_PER_ITEM * team_width) * TALLY_PACK, inverted,
                 a.in_place != 0, value, &pack[k]);
        }
    }
}
