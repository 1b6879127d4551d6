/*
 * What the scan kernels share, once per variant. They carry plain terms: a scanned function's state
 * is a value or a key.
 */
#define TALLY_JOIN4(a, b, c, d)                                                                    \
    tally_combine_terms(a, tally_combine_terms(b, tally_combine_terms(c, d)))

/*
 * A result: what is before it at each level of the order, and the terms of its run so far. Levels
 * that no line fills are the identity, and not combined.
 */
static tally_term TALLY_FN(combine_levels)(tally_term stretches, tally_term tiles, tally_term spans,
                                        tally_term runs, tally_term terms) {
    tally_term total = terms;
    if (TALLY_ORDER_LEVELS > 1)
        total = tally_combine_terms(runs, total);
    if (TALLY_ORDER_LEVELS > 2)
        total = tally_combine_terms(spans, total);
    if (TALLY_ORDER_LEVELS > 3)
        total = tally_combine_terms(tiles, total);
    if (TALLY_ORDER_LEVELS > 4)
        total = tally_combine_terms(stretches, total);
    return total;
}

/*
 * What comes before a row, of a part that goes on from it: a state of each, in the order of the
 * kept axes.
 */
#if TALLY_PART == TALLY_PART_CARRIED
#define TALLY_CARRY_PARAMETER , __global const tally_term *carry
#define TALLY_CARRIED(a, row) carry[(tally_index)(a).carry + (row)]
#else
#define TALLY_CARRY_PARAMETER
#define TALLY_CARRIED(a, row) TALLY_IDENTITY
#endif

/* Whether the first position visited has no term before it, which an exclusive scan shows. */
#define TALLY_BEGINS (TALLY_EXCLUSIVE && TALLY_PART != TALLY_PART_CARRIED)

/* Where the walk along a row begins. */
#define TALLY_START_IN(a, row)                                                                     \
    ((tally_index)(a).start_in + TALLY_OFFSET(TALLY_KEPT_RANK, (a).kept_size, (a).kept_in, row))
#define TALLY_START_OUT(a, row)                                                                    \
    ((tally_index)(a).start_out + TALLY_OFFSET(TALLY_KEPT_RANK, (a).kept_size, (a).kept_out, row))

/*
 * The launch that hands on states of a part: what the tiles of a stretch come to, of all rows
 * before the next stretch's. TALLY_TILE_TOTAL is what a tile's words say.
 */
#define TALLY_STATES_KERNEL                                                                        \
    __kernel void TALLY_KERNEL(__global const TALLY_STORAGE *in, __global tally_term *out,         \
                               const TALLY_ARGS a, __global TALLY_WORDS_OF *words) {               \
        for (tally_index unit = get_global_id(0); unit < (tally_index)a.head.units;                \
             unit += get_global_size(0)) {                                                         \
            const tally_index stretch = unit / (tally_index)a.rows;                                \
            const tally_index row = unit - stretch * (tally_index)a.rows;                          \
            tally_term sum = TALLY_IDENTITY;                                                       \
            for (uint k = 0; k < TALLY_TILES; k++)                                                 \
                sum = tally_combine_terms(sum,                                                     \
                                          TALLY_TILE_TOTAL(a, row, stretch * TALLY_TILES + k));    \
            out[a.head.out_offset + TALLY_START_OUT(a, row) +                                      \
                stretch * (tally_index)a.axis_out] = sum;                                          \
        }                                                                                          \
    }

#if !TALLY_VECTORS
/* Elements of a line of a GPU's memory. */
#define TALLY_GPU_CACHE_LINE (128 / TALLY_BYTES)

/*
 * Bring one into the last cache, where the compiler has an instruction for it. OpenCL's own
 * prefetch is left alone: it does nothing on NVIDIA's devices, and Mesa's rusticl ends the process
 * at it.
 */
static void TALLY_FN(bring)(__global const TALLY_STORAGE *at) {
#ifdef cl_nv_pragma_unroll
    asm volatile("prefetch.global.L2 [%0];" ::"l"(at));
#else
    (void)at;
#endif
}
#endif

/* What is stored. Of an exclusive scan the first position visited has no term before it. */
static tally_compute TALLY_FN(result)(bool begins, tally_term total) {
    return TALLY_BEGINS && begins ? TALLY_EMPTY : tally_finalize(total, ONE, ZERO);
}

static void TALLY_FN(put)(__global TALLY_STORAGE *out, tally_index at, tally_index i,
                          tally_term total) {
    tally_store(out, at, TALLY_FN(result)(i == 0, total));
}
