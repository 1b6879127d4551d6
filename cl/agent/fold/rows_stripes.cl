#if TALLY_STRIPES
/*
 * A row that is one block and has no whole run: so many stripes have room for its terms, and those
 * that are full in each row, one or half of them, need no test. All its packs are under way at
 * once.
 *
 * Nothing is rotated: what the first work-item has before the row is left out, and its first lanes
 * have the rest of theirs in the packs that come after. So lanes are known by their position in the
 * stripe, and those of a work-item come in the order of the row. Of the packs that reach beyond the
 * row's end at most one has elements of it, as the last of its work-item.
 */
#define TALLY_FULL (TALLY_STRIPES > 1 ? TALLY_STRIPES / 2 : 1)

/* Whether the k-th pack of a work-item lies before the end of the row. */
#define TALLY_IS_WHOLE(k)                                                                          \
    ((k) < TALLY_FULL || (k)*TALLY_STRIPE + TALLY_LANES_PER_ITEM <= end)

/* The first n elements of a pack, some but not all: narrow ones by dwords where these are full. */
static void TALLY_FN(load_some)(__global const TALLY_STORAGE *in, uint n, tally_pack *pack) {
#if TALLY_BYTES < 4
    const uint full = n / TALLY_PER_DWORD;
    uint last = 0;
#pragma unroll
    for (uint i = 0; i + 1 < TALLY_PER_DWORD; i++)
        if (i < n % TALLY_PER_DWORD)
            last |= (uint) * (__global const tally_raw *)(in + full * TALLY_PER_DWORD + i)
                    << TALLY_SHIFT(i);
#pragma unroll
    for (uint w = 0; w < TALLY_PACK_DWORDS; w++)
        pack->dword[w] = w < full ? ((__global const uint *)in)[w] : last;
#else
    pack->bits = (tally_pack_bits)(0);
#pragma unroll
    for (uint j = 0; j + 1 < TALLY_LANES_PER_ITEM; j++)
        if (j < n)
            tally_put_in_pack(pack, j, in + j);
#endif
}

#if TALLY_STATE_IS_SHIFTED
/* The lanes' pairs, each of all its elements. */
static void TALLY_FN(take_stripes)(const tally_pack *pack, uint n, tally_index index, uint mate,
                                   uint lead, tally_state *sum) {
#pragma unroll
    for (uint j = 0; j < TALLY_LANES_PER_ITEM; j++) {
        tally_compute x[TALLY_LANE_RUN];
        const uint first = TALLY_LANE_OF(mate, j, lead);
        const uint count = (n - first + TALLY_STRIPE - 1) / TALLY_STRIPE;
        const uint behind = mate == 0 && j < lead;
#pragma unroll
        for (uint k = 0; k < TALLY_STRIPES; k++)
            x[k] = behind ? tally_unpack(&pack[k + 1], j) : tally_unpack(&pack[k], j);
        sum[j] = tally_take(sum[j], x, min(count, (uint)TALLY_STRIPES), index + first,
                            TALLY_STRIPE);
    }
}
#endif

/* A work-item's part of a row of n terms, the only block of it. */
static void TALLY_FN(block)(__global const TALLY_STORAGE *in, uint n, tally_index index, uint mate,
                            uint lead, tally_state *sum) {
    __global const TALLY_STORAGE *packs = in - lead + mate * TALLY_LANES_PER_ITEM;
    const uint end = n + lead - mate * TALLY_LANES_PER_ITEM; /* at least a pack */
    const uint some = end % TALLY_STRIPE < TALLY_LANES_PER_ITEM ? end % TALLY_STRIPE : 0;
    const uint before = mate == 0 ? lead : 0;
    tally_pack pack[TALLY_STRIPES + 1], last;
    last.bits = pack[TALLY_STRIPES].bits = (tally_pack_bits)(0);
#pragma unroll
    for (uint k = 0; k < TALLY_STRIPES; k++)
        if (TALLY_IS_WHOLE(k))
            pack[k].bits = tally_load_pack(packs + k * TALLY_STRIPE);
    if (some > 0)
        TALLY_FN(load_some)(packs + (end - some), some, &last);
    tally_hold(pack, TALLY_STRIPES);
#if TALLY_STATE_IS_SHIFTED
#pragma unroll
    for (uint k = TALLY_FULL; k <= TALLY_STRIPES; k++)
        if (some > 0 && k == end / TALLY_STRIPE)
            pack[k].bits = last.bits;
    TALLY_FN(take_stripes)(pack, n, index, mate, lead, sum);
#else
#pragma unroll
    for (uint k = 0; k < TALLY_STRIPES; k++)
        if (TALLY_IS_WHOLE(k))
#pragma unroll
            for (uint j = 0; j < TALLY_LANES_PER_ITEM; j++) {
                const tally_compute x = tally_unpack(&pack[k], j);
                if (k > 0 || j >= before)
                    sum[j % TALLY_SUMS] =
                        tally_take(sum[j % TALLY_SUMS], &x, 1, k * TALLY_STRIPE + j, 1);
            }
#pragma unroll
    for (uint j = 0; j + 1 < TALLY_LANES_PER_ITEM; j++) {
        const tally_compute x = tally_unpack(&last, j);
        if (j < some)
            sum[j % TALLY_SUMS] = tally_take(sum[j % TALLY_SUMS], &x, 1, end - some + j, 1);
    }
    /* Indices were counted from the first pack on, which keeps them constants. */
    sum[0] = tally_resume(sum[0], index + (tally_index)mate * TALLY_LANES_PER_ITEM - lead, 1);
#endif
}
#endif
