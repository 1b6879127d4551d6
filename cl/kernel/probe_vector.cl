/*
 * The numerics probe by vectors, as kernels for CPUs compute: checks of loads, stores, sums,
 * products, quotients, roots and exp are computed by vectors of equal lanes too, and their result
 * is that of a lane that differs, if one does. It comes before probe.cl.
 */
#define TALLY_PROBE_VECTORS 1

/* Lanes that the compiler cannot know to be equal, or it would compute one: zero is always 0. */
TALLY_INLINE tally_computes tally_probe_lanes(tally_compute x, tally_position zero) {
    return TALLY_IOTA + zero < (tally_positions)(TALLY_WIDTH) ? (tally_computes)(x)
                                                           : (tally_computes)(ZERO);
}

/* The bits of one, or of those of count numbers that differ from it. */
static tally_key tally_probe_compare(tally_key one, const tally_compute *each, uint count) {
    tally_key result = one;
    for (uint i = 0; i < count; i++)
        result = TALLY_AS_KEY(each[i]) != one ? TALLY_AS_KEY(each[i]) : result;
    return result;
}

static tally_key tally_probe_agreed(tally_key one, tally_computes all) {
    tally_compute each[TALLY_WIDTH];
    TALLY_VSTORE(all, 0, each);
    return tally_probe_compare(one, each, TALLY_WIDTH);
}

/* As many as the longest vector has. */
static void tally_probe_store_all(__global TALLY_STORAGE *out, tally_computes x) {
    for (uint i = 0; i < TALLY_PROBE_LANES / TALLY_WIDTH; i++)
        tally_store_all(out + i * TALLY_WIDTH, x);
}

/* exp by vectors, and by several side by side as they are made of them. */
static tally_key tally_probe_exp(tally_compute x, tally_computes all) {
    const tally_key one = tally_probe_agreed(TALLY_AS_KEY(tally_exp(x)), tally_exp_all(all));
    tally_computes sides[TALLY_SIDES];
    tally_compute each[TALLY_SIDES * TALLY_WIDTH];
    for (uint i = 0; i < TALLY_SIDES; i++)
        sides[i] = all;
    tally_exp_sides(sides);
    for (uint i = 0; i < TALLY_SIDES; i++)
        TALLY_VSTORE(sides[i], i, each);
    return tally_probe_compare(one, each, TALLY_SIDES * TALLY_WIDTH);
}
