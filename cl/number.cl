/*
 * Numbers: how elements are loaded, computed with, ordered and stored. Written for the one input
 * type of its program, which the host names before it:
 *
 *   TALLY_STORAGE     element type in memory          TALLY_COMPUTE   type of arithmetic
 *   TALLY_KEY         integer type that orders alike  TALLY_KEY_LOWEST, TALLY_LOWEST, TALLY_HIGHEST
 *   TALLY_FLOATING, TALLY_SIGNED   1 or 0             TALLY_BYTES     of an element
 *   TALLY_INDEX       uint, or ulong where 32 bits could overflow
 */
typedef TALLY_COMPUTE tally_compute;
typedef TALLY_KEY tally_key;
typedef TALLY_INDEX tally_index;

/* The constants that the table of functions names. */
#define ZERO ((tally_compute)0)
#define ONE ((tally_compute)1)
#define LOWEST ((tally_compute)TALLY_LOWEST)
#define HIGHEST ((tally_compute)TALLY_HIGHEST)
#define KEY_LOWEST ((tally_key)TALLY_KEY_LOWEST)
#define KEY_HIGHEST ((tally_key)~KEY_LOWEST)
#if TALLY_FLOATING
#define SUM_NEUTRAL ((tally_compute)-0.0f)
#define QUIET_NAN ((tally_compute)NAN)
#else
#define SUM_NEUTRAL ZERO
#define QUIET_NAN ZERO
#endif

#if TALLY_FLOATING && TALLY_BYTES == 2
#define tally_load(in, i) vload_half((i), (in))
#else
#define tally_load(in, i) ((tally_compute)(in)[i])
#endif

/* Bits to key and back: a negative float's bits count up as it goes down. */
#if TALLY_FLOATING && TALLY_BYTES == 8
#define TALLY_AS_KEY(x) as_long(x)
#define TALLY_AS_COMPUTE(bits) as_double(bits)
#define TALLY_KEY_FOLD(bits) ((bits) ^ (((bits) >> 63) & LONG_MAX))
#elif TALLY_FLOATING
#define TALLY_AS_KEY(x) as_int(x)
#define TALLY_AS_COMPUTE(bits) as_float(bits)
#define TALLY_KEY_FOLD(bits) ((bits) ^ (((bits) >> 31) & INT_MAX))
#endif

/*
 * The key of x: integers that order as IEEE 754-2019 minimum and maximum do, -0 below +0. NaN gets
 * the key nan, one of the two extremes, which no number has.
 */
static tally_key tally_key_of(tally_compute x, tally_key nan) {
#if TALLY_FLOATING
    const tally_key bits = TALLY_AS_KEY(x);
    return isnan(x) ? nan : TALLY_KEY_FOLD(bits);
#else
    return (tally_key)x;
#endif
}

/* The number with that key; NaN for the two extremes of a float's keys. */
static tally_compute tally_key_value(tally_key key) {
#if TALLY_FLOATING
    return TALLY_AS_COMPUTE(TALLY_KEY_FOLD(key));
#else
    return (tally_compute)key;
#endif
}

/* Equal numbers have equal keys: -0, whose key is the one below that of +0, becomes +0. */
static tally_key tally_key_tied(tally_key key) {
#if TALLY_FLOATING
    return key == -1 ? 0 : key;
#else
    return key;
#endif
}

#if TALLY_FLOATING
#define tally_abs(x) fabs(x)
#elif TALLY_SIGNED
#define tally_abs(x) ((tally_key)(x) < 0 ? (tally_compute)(0 - (x)) : (x))
#else
#define tally_abs(x) (x)
#endif
#define tally_sqrt(x) sqrt(x)
#define tally_log(x) log(x)
#define tally_exp(x) exp(x)

/* Store a value in the input's type: rounded once if narrower, NaN in its canonical bits. */
static void tally_store(__global TALLY_STORAGE *out, tally_index i, tally_compute value) {
#if TALLY_FLOATING && TALLY_BYTES == 2
    /* As an integer: converting a NaN would leave its bits to the device. */
    if (isnan(value))
        ((__global ushort *)out)[i] = 0x7E00;
    else
        vstore_half_rte(value, i, out);
#elif TALLY_FLOATING && TALLY_BYTES == 4
    ((__global uint *)out)[i] = isnan(value) ? 0x7FC00000u : as_uint(value);
#elif TALLY_FLOATING
    ((__global ulong *)out)[i] = isnan(value) ? 0x7FF8000000000000ul : as_ulong(value);
#else
    out[i] = (TALLY_STORAGE)value;
#endif
}

/* The offset of element i, row-major, of the axes size[rank] with those strides. */
static tally_index tally_offset(int rank, const tally_u64 *size, const tally_u64 *stride,
                                tally_index i) {
    tally_index offset = 0;
    for (int k = rank - 1; k > 0; k--) {
        const tally_index outer = i / (tally_index)size[k];
        offset += (i - outer * (tally_index)size[k]) * (tally_index)stride[k];
        i = outer;
    }
    return offset + i * (tally_index)stride[0];
}
