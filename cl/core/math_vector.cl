/*
 * What math.cl has of one number, here of vectors, for floats; exp.cl, which follows, makes exp.
 */

/* One by one: what is done once for each result, not for each term. */
static tally_computes tally_log_all(tally_computes x) {
    tally_compute each[TALLY_WIDTH];
    TALLY_VSTORE(x, 0, each);
    for (uint i = 0; i < TALLY_WIDTH; i++)
        each[i] = tally_log(each[i]);
    return TALLY_VLOAD(0, each);
}

#if TALLY_BYTES == 8 || TALLY_ROUNDS_CORRECTLY
#define tally_sqrt_all(x) sqrt(x)
#define tally_divide_all(a, b) ((a) / (b))
#else
static tally_computes tally_sqrt_all(tally_computes x) {
    tally_compute each[TALLY_WIDTH];
    TALLY_VSTORE(x, 0, each);
    for (uint i = 0; i < TALLY_WIDTH; i++)
        each[i] = tally_sqrt(each[i]);
    return TALLY_VLOAD(0, each);
}

static tally_computes tally_divide_all(tally_computes a, tally_compute b) {
    tally_compute each[TALLY_WIDTH];
    TALLY_VSTORE(a, 0, each);
    for (uint i = 0; i < TALLY_WIDTH; i++)
        each[i] = tally_divide(each[i], b);
    return TALLY_VLOAD(0, each);
}
#endif

/* What exp.cl, which follows, is made for. */
#undef TALLY_X
#undef TALLY_XFN
#undef TALLY_XSTATIC
#undef TALLY_XMAX
#undef TALLY_XTO_BITS
#undef TALLY_XFROM_BITS
#define TALLY_X tally_computes
#define TALLY_XFN(name) name##_all
#define TALLY_XSTATIC TALLY_INLINE
#define TALLY_XMAX(a, b) ((a) > (b) ? (a) : (b))
#define TALLY_XTO_BITS(x) TALLY_AS_POSITIONS(x)
#define TALLY_XFROM_BITS(bits) TALLY_AS_FLOATS(bits)
