/*
 * Numbers by the vector: TALLY_WIDTH of the compute type, 32 bytes, for kernels whose work-items
 * are too few to be vectorised across. What number.cl says of one number holds here for each lane.
 */
/* Vectors are to stay in registers. */
#if !TALLY_PLAIN
#define TALLY_INLINE static inline __attribute__((always_inline))
#else
#define TALLY_INLINE static
#endif

#if TALLY_BYTES == 8
#define TALLY_WIDTH 4
#define TALLY_IOTA (tally_places)(0, 1, 2, 3)
#define TALLY_VECTOR(type) type##4
#define TALLY_VLOAD(i, in) vload4(i, in)
#define TALLY_VSTORE(x, i, out) vstore4(x, i, out)
#define TALLY_AS_SIGNED(x) as_long4(x)
#define TALLY_AS_PLACES(x) as_ulong4(x)
#define TALLY_AS_FLOATS(x) as_double4(x)
#define TALLY_TO_PLACES(x) convert_ulong4(x)
#define TALLY_TO_FLOATS(x) convert_float4(x)
typedef long4 tally_masks; /* -1 where a comparison holds, else 0 */
typedef ulong4 tally_places;
typedef ulong tally_place;
#else
#define TALLY_WIDTH 8
#define TALLY_IOTA (tally_places)(0, 1, 2, 3, 4, 5, 6, 7)
#define TALLY_VECTOR(type) type##8
#define TALLY_VLOAD(i, in) vload8(i, in)
#define TALLY_VSTORE(x, i, out) vstore8(x, i, out)
#define TALLY_AS_SIGNED(x) as_int8(x)
#define TALLY_AS_PLACES(x) as_uint8(x)
#define TALLY_AS_FLOATS(x) as_float8(x)
#define TALLY_TO_PLACES(x) convert_uint8(x)
#define TALLY_TO_FLOATS(x) convert_float8(x)
typedef int8 tally_masks;
typedef uint8 tally_places;
typedef uint tally_place;
#endif
/* Vectors that go side by side where one alone would be mostly waiting, and whether as one type. */
#ifdef __AVX512F__
#define TALLY_SIDES 8 /* registers enough */
#else
#define TALLY_SIDES 4
#endif
#if defined(__clang__) && !TALLY_PLAIN
#define TALLY_HAS_WIDES 1
#else
#define TALLY_HAS_WIDES 0
#endif
#define TALLY_VECTOR_OF(type) TALLY_VECTOR(type)
#define TALLY_CONVERT(type) TALLY_CONVERT_TO(type)
#define TALLY_CONVERT_TO(type) convert_##type
typedef TALLY_VECTOR_OF(TALLY_COMPUTE) tally_computes;
typedef TALLY_VECTOR_OF(TALLY_KEY) tally_keys;

#if TALLY_FLOATING && TALLY_BYTES == 2 && defined(__clang__) && defined(__F16C__) && !TALLY_PLAIN
/* As one instruction, where there is one; PoCL 3.1 makes ten of vload_half8, forty of a store. */
#define TALLY_HALVES 1
typedef __fp16 tally_elements __attribute__((ext_vector_type(8), aligned(2)));
#define tally_load_all(in)                                                                         \
    __builtin_convertvector(*(__global const tally_elements *)(in), tally_computes)
#elif TALLY_FLOATING && TALLY_BYTES == 2
#define TALLY_HALVES 0
/* By way of private memory, which is aligned: PoCL 3.1 takes that for granted of vload_half8. */
TALLY_INLINE tally_computes tally_load_all(__global const half *in) {
    const ushort8 bits = vload8(0, (__global const ushort *)in);
    return vload_half8(0, (const half *)&bits);
}
#else
/* As one load where the compiler is known to heed a type's smaller alignment, not as parts. */
#ifdef __clang__
typedef TALLY_VECTOR_OF(TALLY_STORAGE) tally_elements __attribute__((aligned(TALLY_BYTES)));
#define TALLY_ELEMENTS(in) (*(__global const tally_elements *)(in))
#else
#define TALLY_ELEMENTS(in) TALLY_VLOAD(0, in)
#endif
#define tally_load_all(in) TALLY_CONVERT(TALLY_VECTOR_OF(TALLY_COMPUTE))(TALLY_ELEMENTS(in))
#endif

/* A vector of elements that lie a stride apart. */
TALLY_INLINE tally_computes tally_load_apart(__global const TALLY_STORAGE *in,
                                             tally_index stride) {
#if TALLY_FLOATING && TALLY_BYTES == 2 && TALLY_HALVES
    __global const ushort *at = (__global const ushort *)in;
    const ushort8 bits = (ushort8)(at[0], at[stride], at[2 * stride], at[3 * stride], at[4 * stride],
                                   at[5 * stride], at[6 * stride], at[7 * stride]);
    return __builtin_convertvector(__builtin_astype(bits, tally_elements), tally_computes);
#elif TALLY_BYTES == 8
    return (tally_computes)(in[0], in[stride], in[2 * stride], in[3 * stride]);
#else
    return (tally_computes)(tally_load(in, 0), tally_load(in, stride), tally_load(in, 2 * stride),
                            tally_load(in, 3 * stride), tally_load(in, 4 * stride),
                            tally_load(in, 5 * stride), tally_load(in, 6 * stride),
                            tally_load(in, 7 * stride));
#endif
}

/* The first n of a vector of elements: nothing behind them is read. */
TALLY_INLINE tally_computes tally_load_some(__global const TALLY_STORAGE *in, uint n) {
    tally_compute x[TALLY_WIDTH];
    for (uint i = 0; i < TALLY_WIDTH; i++)
        x[i] = i < n ? tally_load(in, i) : ZERO;
    return TALLY_VLOAD(0, x);
}

/* True, which is -1, for the first n lanes of a vector. */
#define TALLY_FIRST_LANES(n) ((TALLY_IOTA) < (tally_places)(n))


/* Bring a line of memory nearer: a hint, for any address. */
#define TALLY_LINE 64
#if defined(__clang__) && !TALLY_PLAIN
#define TALLY_PREFETCH(at) __builtin_prefetch((const void *)(size_t)(at))
#define TALLY_PREFETCH_WRITE(at) __builtin_prefetch((const void *)(size_t)(at), 1)
#else
#define TALLY_PREFETCH(at)
#define TALLY_PREFETCH_WRITE(at)
#endif

/*
 * Which are NaN. Of float16 by integers: LLVM takes a comparison of converted halves back to
 * halves, and makes it one by one.
 */
#if TALLY_FLOATING && TALLY_BYTES == 2
#define tally_nans_all(x) ((TALLY_AS_SIGNED(x) & INT_MAX) > (tally_keys)(0x7F800000))
#else
#define tally_nans_all(x) ((x) != (x))
#endif

/* ---- Keys ---------------------------------------------------------------------------------- */

TALLY_INLINE tally_keys tally_keys_of(tally_computes x, tally_key nan) {
#if TALLY_FLOATING
    const tally_keys bits = TALLY_AS_SIGNED(x);
    return tally_nans_all(x) ? (tally_keys)(nan) : TALLY_KEY_FOLD(bits);
#elif TALLY_SIGNED
    return TALLY_AS_SIGNED(x);
#else
    return x;
#endif
}

TALLY_INLINE tally_keys tally_keys_tied(tally_keys key) {
#if TALLY_FLOATING
    return key == (tally_keys)(-1) ? (tally_keys)(0) : key;
#else
    return key;
#endif
}

TALLY_INLINE tally_computes tally_key_values(tally_keys key) {
#if TALLY_FLOATING
    return TALLY_AS_FLOATS(TALLY_KEY_FOLD(key));
#else
    return TALLY_CONVERT(TALLY_VECTOR_OF(TALLY_COMPUTE))(key);
#endif
}

#if TALLY_FLOATING
#define tally_abs_all(x) fabs(x)
#elif TALLY_SIGNED
#define tally_abs_all(x) (TALLY_AS_SIGNED(x) < 0 ? (tally_computes)(0) - (x) : (x))
#else
#define tally_abs_all(x) (x)
#endif

#if TALLY_FLOATING && TALLY_BYTES == 2 && TALLY_HALVES
/* The bits of values as float16 elements, NaN the one that tally_store writes. */
TALLY_INLINE ushort8 tally_halves_of(tally_computes value) {
    const ushort8 bits =
        __builtin_astype(__builtin_convertvector(value, tally_elements), ushort8);
    const short8 number = convert_short8(value == value);
    return number ? bits : (ushort8)(0x7E00);
}
#endif

/* Store a vector of values as tally_store does one. */
static void tally_store_all(__global TALLY_STORAGE *out, tally_computes value) {
#if TALLY_FLOATING && TALLY_BYTES == 2 && TALLY_HALVES
    vstore8(tally_halves_of(value), 0, (__global ushort *)out);
#elif TALLY_FLOATING && TALLY_BYTES == 2
    tally_compute each[TALLY_WIDTH];
    TALLY_VSTORE(value, 0, each);
    for (uint i = 0; i < TALLY_WIDTH; i++)
        tally_store(out, i, each[i]);
#elif TALLY_FLOATING && TALLY_BYTES == 4
    TALLY_VSTORE(value == value ? as_uint8(value) : (uint8)(0x7FC00000u), 0, (__global uint *)out);
#elif TALLY_FLOATING
    TALLY_VSTORE(value == value ? as_ulong4(value) : (ulong4)(0x7FF8000000000000ul), 0,
                 (__global ulong *)out);
#else
    TALLY_VSTORE(TALLY_CONVERT(TALLY_VECTOR_OF(TALLY_STORAGE))(value), 0, out);
#endif
}

/* The bits that they would be stored as, for results that lie apart. */
TALLY_INLINE void tally_stored_all(tally_computes value, tally_stored *stored) {
#if TALLY_FLOATING && TALLY_BYTES == 2 && TALLY_HALVES
    vstore8(tally_halves_of(value), 0, stored);
#elif TALLY_FLOATING && TALLY_BYTES == 2
    tally_compute each[TALLY_WIDTH];
    TALLY_VSTORE(value, 0, each);
    for (uint i = 0; i < TALLY_WIDTH; i++)
        stored[i] = tally_stored_of(each[i]);
#elif TALLY_FLOATING && TALLY_BYTES == 4
    TALLY_VSTORE(value == value ? as_uint8(value) : (uint8)(0x7FC00000u), 0, stored);
#elif TALLY_FLOATING
    TALLY_VSTORE(value == value ? as_ulong4(value) : (ulong4)(0x7FF8000000000000ul), 0, stored);
#else
    TALLY_VSTORE(TALLY_CONVERT(TALLY_VECTOR_OF(TALLY_STORAGE))(value), 0,
                 (TALLY_STORAGE *)stored);
#endif
}
