/*
 * exp for math.cl, and again for vectors of it: the same text, so that both give the same bits.
 * Pasted once for each with
 *
 *   TALLY_X                   the type: tally_compute or a vector of it
 *   TALLY_XFN(name)           the function's name; TALLY_XSTATIC comes before it
 *   TALLY_XMAX(a, b)          the larger one; b where a is NaN
 *   TALLY_XTO_BITS, TALLY_XFROM_BITS
 *
 * TALLY_EXP_... and TALLY_LN2_... are math.cl's.
 */

#if TALLY_BYTES == 8
/* (exp(r) - 1 - r) / r^2 for |r| <= log(2) / 2: exp's relative error is 2^-57.9. */
TALLY_XSTATIC TALLY_X TALLY_XFN(tally_exp_series)(TALLY_X r) {
    TALLY_X p = 0x1.ada5284e819a5p-26;
    p = p * r + 0x1.28adf35a5e9c1p-22;
    p = p * r + 0x1.71df0cdd426f1p-19;
    p = p * r + 0x1.a019996824724p-16;
    p = p * r + 0x1.a01a0135a6615p-13;
    p = p * r + 0x1.6c16c1847442cp-10;
    p = p * r + 0x1.111111112590ep-7;
    p = p * r + 0x1.55555555506c4p-5;
    p = p * r + 0x1.5555555555503p-3;
    return p * r + 0x1.000000000000ap-1;
}
#else
/* As above: a relative error of 2^-28.2. */
TALLY_XSTATIC TALLY_X TALLY_XFN(tally_exp_series)(TALLY_X r) {
    TALLY_X p = 0x1.6a5f9p-10f;
    p = p * r + 0x1.123ab2p-7f;
    p = p * r + 0x1.5558ap-5f;
    p = p * r + 0x1.55549p-3f;
    return p * r + 0x1.fffffcp-2f;
}
#endif

/*
 * exp(x) of x <= 0, and exp(TALLY_EXP_LEAST) below that and for NaN: a weight beside one that is 1.
 * It is 2^n exp(r), with n the integer nearest to x / log 2, which stands in the low bits of the
 * shifted number and is added to the exponent: no result is denormal.
 */
TALLY_XSTATIC TALLY_X TALLY_XFN(tally_exp)(TALLY_X x) {
    const TALLY_X least = TALLY_EXP_LEAST, one = (tally_compute)1, rounder = TALLY_ROUNDER;
    const TALLY_X clamped = TALLY_XMAX(x, least);
    const TALLY_X shifted = clamped * TALLY_LOG2_E + rounder;
    const TALLY_X n = shifted - rounder;
    const TALLY_X r = (clamped - n * TALLY_LN2_HIGH) - n * TALLY_LN2_LOW;
    const TALLY_X y = (TALLY_XFN(tally_exp_series)(r) * r + one) * r + one;
    return TALLY_XFROM_BITS(TALLY_XTO_BITS(y) + (TALLY_XTO_BITS(shifted) << TALLY_FRACTION_BITS));
}
