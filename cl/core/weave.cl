/*
 * Rows of a few elements, one after the other, and their columns: TALLY_WIDTH rows of n are n
 * vectors in memory, and n vectors with an element of each row. n is 2, 3 or 4: rows of more
 * would be taken apart by as many exchanges as a whole square.
 */
#define TALLY_WOVEN_MAX 4
#define TALLY_IS_WOVEN(n) ((n) >= 2 && (n) <= TALLY_WOVEN_MAX)

/* A statement for each n, which it is given as a constant. */
#define TALLY_FOR_WOVEN(n, statement)                                                              \
    if ((n) == 2) {                                                                                \
        statement(2);                                                                              \
    } else if ((n) == 3) {                                                                         \
        statement(3);                                                                              \
    } else {                                                                                       \
        statement(4);                                                                              \
    }

TALLY_INLINE void tally_weave_2(tally_storeds *x, tally_storeds *y) {
    tally_storeds low, high;
    low.even = x->lo;
    low.odd = y->lo;
    high.even = x->hi;
    high.odd = y->hi;
    *x = low;
    *y = high;
}

TALLY_INLINE void tally_part_2(tally_storeds *x, tally_storeds *y) {
    const tally_storeds low = *x, high = *y;
    *x = (tally_storeds)(low.even, high.even);
    *y = (tally_storeds)(low.odd, high.odd);
}

TALLY_INLINE void tally_weave_3(tally_storeds *x, tally_storeds *y, tally_storeds *z) {
    const tally_storeds a = *x, b = *y, c = *z;
#if TALLY_WIDTH == 8
    *x = (tally_storeds)(a.s0, b.s0, c.s0, a.s1, b.s1, c.s1, a.s2, b.s2);
    *y = (tally_storeds)(c.s2, a.s3, b.s3, c.s3, a.s4, b.s4, c.s4, a.s5);
    *z = (tally_storeds)(b.s5, c.s5, a.s6, b.s6, c.s6, a.s7, b.s7, c.s7);
#else
    *x = (tally_storeds)(a.s0, b.s0, c.s0, a.s1);
    *y = (tally_storeds)(b.s1, c.s1, a.s2, b.s2);
    *z = (tally_storeds)(c.s2, a.s3, b.s3, c.s3);
#endif
}

TALLY_INLINE void tally_part_3(tally_storeds *x, tally_storeds *y, tally_storeds *z) {
    const tally_storeds a = *x, b = *y, c = *z;
#if TALLY_WIDTH == 8
    *x = (tally_storeds)(a.s036, b.s147, c.s25);
    *y = (tally_storeds)(a.s147, b.s25, c.s036);
    *z = (tally_storeds)(a.s25, b.s036, c.s147);
#else
    *x = (tally_storeds)(a.s03, b.s2, c.s1);
    *y = (tally_storeds)(a.s1, b.s03, c.s2);
    *z = (tally_storeds)(a.s2, b.s1, c.s03);
#endif
}

/* Columns to rows. */
TALLY_INLINE void tally_weave(tally_storeds *x, const uint n) {
    if (n == 3) {
        tally_weave_3(x, x + 1, x + 2);
    } else if (n == 2) {
        tally_weave_2(x, x + 1);
    } else {
        tally_weave_2(x, x + 2);
        tally_weave_2(x + 1, x + 3);
        tally_weave_2(x, x + 1);
        tally_weave_2(x + 2, x + 3);
    }
}

/* Rows to columns. */
TALLY_INLINE void tally_part(tally_storeds *x, const uint n) {
    if (n == 3) {
        tally_part_3(x, x + 1, x + 2);
    } else if (n == 2) {
        tally_part_2(x, x + 1);
    } else {
        tally_part_2(x, x + 1);
        tally_part_2(x + 2, x + 3);
        tally_part_2(x, x + 2);
        tally_part_2(x + 1, x + 3);
    }
}

/* A square of units of so many elements: unit k of vector r becomes unit r of vector k. */
TALLY_INLINE void tally_transpose_units(tally_storeds *x, const uint unit) {
    if (unit * 2 == TALLY_WIDTH) {
        const tally_storeds low = (tally_storeds)(x[0].lo, x[1].lo);
        x[1] = (tally_storeds)(x[0].hi, x[1].hi);
        x[0] = low;
    } else {
#if TALLY_WIDTH == 8
        const tally_storeds a = (tally_storeds)(x[0].s01, x[1].s01, x[0].s45, x[1].s45);
        const tally_storeds b = (tally_storeds)(x[0].s23, x[1].s23, x[0].s67, x[1].s67);
        const tally_storeds c = (tally_storeds)(x[2].s01, x[3].s01, x[2].s45, x[3].s45);
        const tally_storeds d = (tally_storeds)(x[2].s23, x[3].s23, x[2].s67, x[3].s67);
        x[0] = (tally_storeds)(a.lo, c.lo);
        x[1] = (tally_storeds)(b.lo, d.lo);
        x[2] = (tally_storeds)(a.hi, c.hi);
        x[3] = (tally_storeds)(b.hi, d.hi);
#endif
    }
}

/* Every third element of three vectors. */
#if TALLY_WIDTH == 8
#define TALLY_THIRDS(a, b, c) (tally_storeds)((a).s036, (b).s147, (c).s25)
#else
#define TALLY_THIRDS(a, b, c) (tally_storeds)((a).s03, (b).s2, (c).s1)
#endif

/* A vector of elements a step apart, which may be read with what is between them. */
TALLY_INLINE tally_storeds tally_every(__global const tally_stored *in, const uint step) {
    if (step == 1)
        return TALLY_BROUGHT(in);
    const tally_storeds a = TALLY_BROUGHT(in), b = TALLY_BROUGHT(in + TALLY_WIDTH);
    const tally_storeds first = (tally_storeds)(a.even, b.even);
    if (step == 2)
        return first;
    const tally_storeds c = TALLY_BROUGHT(in + 2 * TALLY_WIDTH);
    if (step == 3)
        return TALLY_THIRDS(a, b, c);
    const tally_storeds d = TALLY_BROUGHT(in + 3 * TALLY_WIDTH);
    const tally_storeds second = (tally_storeds)(c.even, d.even);
    return (tally_storeds)(first.even, second.even);
}
