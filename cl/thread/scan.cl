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
#if TALLY_PARTIAL == TALLY_PART_CARRIED
#define TALLY_CARRY_PARAMETER , __global const tally_term *carry
#define TALLY_CARRIED(a, row) carry[(tally_index)(a).carry + (row)]
#else
#define TALLY_CARRY_PARAMETER
#define TALLY_CARRIED(a, row) TALLY_IDENTITY
#endif

/* Whether the first position visited has no term before it, which an exclusive scan shows. */
#define TALLY_BEGINS (TALLY_EXCLUSIVE && TALLY_PARTIAL != TALLY_PART_CARRIED)

/* Where the walk along a row begins. */
#define TALLY_START_IN(a, row)                                                                     \
    ((tally_index)(a).start_in + TALLY_OFFSET(TALLY_KEPT_RANK, (a).kept_size, (a).kept_in, row))
#define TALLY_START_OUT(a, row)                                                                    \
    ((tally_index)(a).start_out + TALLY_OFFSET(TALLY_KEPT_RANK, (a).kept_size, (a).kept_out, row))

#if !TALLY_VECTORS
/* Turn count totals that are apart from one another into what sum and all up to each come to. */
static void TALLY_FN(scan_totals)(tally_term sum, __local tally_term *totals, uint count,
                                  uint stride) {
    for (uint k = 0; k < count; k += 4) {
        tally_term x[4];
#pragma unroll
        for (uint i = 0; i < 4; i++)
            x[i] = totals[min(k + i, count - 1) * stride];
#pragma unroll
        for (uint i = 0; i < 4; i++) {
            if (k + i >= count)
                continue;
            sum = tally_combine_terms(sum, x[i]);
            totals[(k + i) * stride] = sum;
        }
    }
}

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
