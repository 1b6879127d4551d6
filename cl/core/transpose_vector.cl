/*
 * Squares of vectors, transposed in registers. Knows nothing of what the lanes are.
 */

/* Rows to columns: lane k of vector r of t becomes lane r of vector k. */
#define TALLY_ZIP_LOW(type, a, b) (type)(a.s0, b.s0, a.s1, b.s1, a.s4, b.s4, a.s5, b.s5)
#define TALLY_ZIP_HIGH(type, a, b) (type)(a.s2, b.s2, a.s3, b.s3, a.s6, b.s6, a.s7, b.s7)
#define TALLY_PAIR_LOW(type, a, b) (type)(a.s01, b.s01, a.s45, b.s45)
#define TALLY_PAIR_HIGH(type, a, b) (type)(a.s23, b.s23, a.s67, b.s67)
#if TALLY_WIDTH == 8
#define TALLY_TRANSPOSE(type, t)                                                                   \
    const type a0 = TALLY_ZIP_LOW(type, t[0], t[1]), a1 = TALLY_ZIP_HIGH(type, t[0], t[1]);        \
    const type a2 = TALLY_ZIP_LOW(type, t[2], t[3]), a3 = TALLY_ZIP_HIGH(type, t[2], t[3]);        \
    const type a4 = TALLY_ZIP_LOW(type, t[4], t[5]), a5 = TALLY_ZIP_HIGH(type, t[4], t[5]);        \
    const type a6 = TALLY_ZIP_LOW(type, t[6], t[7]), a7 = TALLY_ZIP_HIGH(type, t[6], t[7]);        \
    const type b0 = TALLY_PAIR_LOW(type, a0, a2), b1 = TALLY_PAIR_HIGH(type, a0, a2);              \
    const type b2 = TALLY_PAIR_LOW(type, a1, a3), b3 = TALLY_PAIR_HIGH(type, a1, a3);              \
    const type b4 = TALLY_PAIR_LOW(type, a4, a6), b5 = TALLY_PAIR_HIGH(type, a4, a6);              \
    const type b6 = TALLY_PAIR_LOW(type, a5, a7), b7 = TALLY_PAIR_HIGH(type, a5, a7);              \
    t[0] = (type)(b0.lo, b4.lo);                                                                   \
    t[1] = (type)(b1.lo, b5.lo);                                                                   \
    t[2] = (type)(b2.lo, b6.lo);                                                                   \
    t[3] = (type)(b3.lo, b7.lo);                                                                   \
    t[4] = (type)(b0.hi, b4.hi);                                                                   \
    t[5] = (type)(b1.hi, b5.hi);                                                                   \
    t[6] = (type)(b2.hi, b6.hi);                                                                   \
    t[7] = (type)(b3.hi, b7.hi);
#else
#define TALLY_TRANSPOSE(type, t)                                                                   \
    const type a0 = (type)(t[0].s0, t[1].s0, t[0].s2, t[1].s2);                                    \
    const type a1 = (type)(t[0].s1, t[1].s1, t[0].s3, t[1].s3);                                    \
    const type a2 = (type)(t[2].s0, t[3].s0, t[2].s2, t[3].s2);                                    \
    const type a3 = (type)(t[2].s1, t[3].s1, t[2].s3, t[3].s3);                                    \
    t[0] = (type)(a0.lo, a2.lo);                                                                   \
    t[1] = (type)(a1.lo, a3.lo);                                                                   \
    t[2] = (type)(a0.hi, a2.hi);                                                                   \
    t[3] = (type)(a1.hi, a3.hi);
#endif
