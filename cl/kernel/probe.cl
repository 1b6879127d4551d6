/*
 * The numerics probe: a work-item computes one check, with the library's own functions where there
 * is one, of operands that no compiler can know. It comes behind the head of a program that folds
 * by SUM_SQUARE, and behind probe_vector.cl if that computes by vectors too.
 */
#ifndef TALLY_PROBE_VECTORS
#define tally_probe_agreed(one, all) (one)
#define tally_probe_exp(x, all) TALLY_AS_KEY(tally_exp(x))
#endif

/* A check's number as bits; the sign that a wider result gets is the host's to cut off. */
static tally_key tally_probe_compute(uint operation, uint zero, tally_compute a, tally_compute b,
                                     tally_compute c) {
#ifdef TALLY_PROBE_VECTORS
    const tally_computes as = tally_probe_lanes(a, zero), bs = tally_probe_lanes(b, zero),
                         cs = tally_probe_lanes(c, zero);
#endif
    switch (operation) {
    case TALLY_PROBE_ADD:
        return tally_probe_agreed(TALLY_AS_KEY(a + b), as + bs);
    case TALLY_PROBE_MULTIPLY:
        return tally_probe_agreed(TALLY_AS_KEY(a * b), as * bs);
    case TALLY_PROBE_MULTIPLY_ADD:
        return tally_probe_agreed(TALLY_AS_KEY(a * b + c), as * bs + cs);
    case TALLY_PROBE_SUBTRACT_PRODUCT:
        return tally_probe_agreed(TALLY_AS_KEY(a - b * c), as - bs * cs);
    case TALLY_PROBE_SUM_SQUARES:
        return TALLY_AS_KEY(tally_combine(
            tally_combine(tally_combine(tally_identity(), tally_map(a)),
                          tally_map(b)), tally_map(c)));
    case TALLY_PROBE_ADD_ADD:
        return tally_probe_agreed(TALLY_AS_KEY((a + b) + c), (as + bs) + cs);
    case TALLY_PROBE_ADD_BACK:
        return tally_probe_agreed(TALLY_AS_KEY((a + b) - b), (as + bs) - bs);
    case TALLY_PROBE_PRODUCT:
        return tally_probe_agreed(TALLY_AS_KEY((a * b) * c), (as * bs) * cs);
    case TALLY_PROBE_LESS:
        return a < b;
    case TALLY_PROBE_NAN_SUM:
        return isnan(a + b) ? 1 : 0;
    case TALLY_PROBE_DIVIDE:
        return tally_probe_agreed(TALLY_AS_KEY(tally_divide(a, b)),
                                  tally_divide_all(as, b));
    case TALLY_PROBE_SQRT:
        return tally_probe_agreed(TALLY_AS_KEY(tally_sqrt(a)), tally_sqrt_all(as));
    case TALLY_PROBE_EXP:
        return tally_probe_exp(a, as);
    default:
        return TALLY_AS_KEY(tally_log(a));
    }
}

/* The element of a check: alone, as a vector, and as a vector of elements a stride apart. */
static tally_key tally_probe_load(__global const TALLY_STORAGE *element, uint zero) {
    const tally_key one = TALLY_AS_KEY(tally_load(element, 0));
    const tally_key two = tally_probe_agreed(one, tally_load_all(element));
    return two != one ? two : tally_probe_agreed(one, tally_load_strided(element, 1 + zero));
}

/* To a check's first position by itself, and to others as vectors are stored, if there are any. */
static void tally_probe_store(__global TALLY_STORAGE *element, uint zero, tally_compute x) {
    tally_store(element, 0, x);
#ifdef TALLY_PROBE_VECTORS
    tally_probe_store_all(element + TALLY_PROBE_STORED, tally_probe_lanes(x, zero));
#else
    for (uint i = 0; i < TALLY_PROBE_LANES; i++)
        tally_store(element, TALLY_PROBE_STORED + i, x);
#endif
}

__kernel void tally_probe(__global const ulong *checks, __global TALLY_STORAGE *elements,
                          __global ulong *results) {
    const size_t i = get_global_id(0);
    __global const ulong *check = checks + i * TALLY_PROBE_NUMBERS;
    __global TALLY_STORAGE *element = elements + i * TALLY_PROBE_POSITIONS;
    const uint operation = (uint)check[0], zero = (uint)(check[0] >> 32);
    const tally_compute a = TALLY_AS_COMPUTE((tally_key)check[1]);
    const tally_compute b = TALLY_AS_COMPUTE((tally_key)check[2]);
    const tally_compute c = TALLY_AS_COMPUTE((tally_key)check[3]);
    if (operation == TALLY_PROBE_STORE) {
        tally_probe_store(element, zero, a);
    } else if (operation == TALLY_PROBE_LOAD) {
        results[i] = (ulong)tally_probe_load(element, zero);
    } else if (operation == TALLY_PROBE_UNPACK) {
        /* The element is the first of 16 bytes, which is as good as any other place. */
        const tally_pack pack = {.bits = (uint4)((uint)check[1], (uint)(check[1] >> 32), 0, 0)};
        results[i] = (ulong)TALLY_AS_KEY(tally_unpack(&pack, 0));
    } else if (operation == TALLY_PROBE_COUNT) {
        results[i] = (ulong)TALLY_AS_KEY((tally_compute)check[1]);
    } else {
        results[i] = (ulong)tally_probe_compute(operation, zero, a, b, c);
    }
}
