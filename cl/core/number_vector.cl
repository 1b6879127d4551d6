/*
 * Numbers by the vector: TALLY_WIDTH of the compute type, 32 bytes, for kernels whose work-items
 * are too few to be vectorised across. What number.cl says of one number holds here for each lane.
 */
#if TALLY_BYTES == 8
#define TALLY_WIDTH 4
#define TALLY_EACH_LANE(of) of(0), of(1), of(2), of(3)
#define TALLY_IOTA (tally_positions)(0, 1, 2, 3)
#define TALLY_VECTOR(type) type##4
#define TALLY_VLOAD(i, in) vload4(i, in)
#define TALLY_VSTORE(x, i, out) vstore4(x, i, out)
#define TALLY_AS_SIGNED(x) as_long4(x)
#define TALLY_AS_POSITIONS(x) as_ulong4(x)
#define TALLY_AS_FLOATS(x) as_double4(x)
#define TALLY_TO_POSITIONS(x) convert_ulong4(x)
#define TALLY_TO_FLOATS(x) convert_float4(x)
typedef long4 tally_masks; /* -1 where a comparison holds, else 0 */
typedef ulong4 tally_positions;
typedef ulong tally_position;
#else
#define TALLY_WIDTH 8
#define TALLY_EACH_LANE(of) of(0), of(1), of(2), of(3), of(4), of(5), of(6), of(7)
#define TALLY_IOTA (tally_positions)(0, 1, 2, 3, 4, 5, 6, 7)
#define TALLY_VECTOR(type) type##8
#define TALLY_VLOAD(i, in) vload8(i, in)
#define TALLY_VSTORE(x, i, out) vstore8(x, i, out)
#define TALLY_AS_SIGNED(x) as_int8(x)
#define TALLY_AS_POSITIONS(x) as_uint8(x)
#define TALLY_AS_FLOATS(x) as_float8(x)
#define TALLY_TO_POSITIONS(x) convert_uint8(x)
#define TALLY_TO_FLOATS(x) convert_float8(x)
typedef int8 tally_masks;
typedef uint8 tally_positions;
typedef uint tally_position;
#endif
/* Vectors that go side by side where one alone would be mostly waiting, and whether as one type. */
#ifdef __AVX512F__
#define TALLY_SIDES 8 /* registers enough */
#else
#define TALLY_SIDES 4
#endif
#if defined(__clang__) && !TALLY_PLAIN
#define TALLY_HAS_WIDES 1
/* Without AVX-512 clang warns of how wide vectors are passed to functions; all are inlined. */
#if __has_warning("-Wpsabi")
#pragma clang diagnostic ignored "-Wpsabi"
#endif
#else
#define TALLY_HAS_WIDES 0
#endif
#define TALLY_VECTOR_OF(type) TALLY_VECTOR(type)
#define TALLY_CONVERT(type) TALLY_CONVERT_TO(type)
#define TALLY_CONVERT_TO(type) convert_##type
typedef TALLY_VECTOR_OF(TALLY_COMPUTE) tally_computes;
typedef TALLY_VECTOR_OF(TALLY_KEY) tally_keys;

#if TALLY_IS_f16 && defined(__clang__) && defined(__F16C__) && !TALLY_PLAIN
/* As one instruction, where there is one; PoCL 3.1 makes ten of vload_half8, forty of a store. */
#define TALLY_HALVES 1
typedef __fp16 tally_elements __attribute__((ext_vector_type(8), aligned(2)));
#define tally_load_all(in)                                                                         \
    __builtin_convertvector(*(__global const tally_elements *)(in), tally_computes)
#elif TALLY_IS_f16
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
TALLY_INLINE tally_computes tally_load_strided(__global const TALLY_STORAGE *in,
                                             tally_index stride) {
#if TALLY_IS_f16 && TALLY_HALVES
    __global const ushort *at = (__global const ushort *)in;
    const ushort8 bits = (ushort8)(at[0], at[stride], at[2 * stride], at[3 * stride],
                                   at[4 * stride],
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
#define TALLY_FIRST_LANES(n) ((TALLY_IOTA) < (tally_positions)(n))

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

#if TALLY_IS_f16 && TALLY_HALVES
/* The bits of values as float16 elements, NaN the one that tally_store writes. */
TALLY_INLINE ushort8 tally_halves_of(tally_computes value) {
    const ushort8 bits =
        __builtin_astype(__builtin_convertvector(value, tally_elements), ushort8);
    const short8 nan = convert_short8(tally_nans_all(value));
    return nan ? (ushort8)(TALLY_NAN_BITS) : bits;
}
#endif

#if TALLY_BYTES == 8
typedef ulong4 tally_storeds; /* the bits of a vector of elements */
#elif TALLY_BYTES == 4
typedef uint8 tally_storeds;
#elif TALLY_BYTES == 2
typedef ushort8 tally_storeds;
#else
typedef uchar8 tally_storeds;
#endif

/*
 * Vectors of those at any position, as one load or store where the compiler heeds a type's
 * alignment.
 */
#if defined(__clang__) && !TALLY_PLAIN
typedef tally_storeds tally_storeds_anywhere __attribute__((aligned(TALLY_BYTES)));
#define TALLY_BROUGHT(at) (*(__global const tally_storeds_anywhere *)(at))
#define TALLY_STAGED(at) (*(const tally_storeds_anywhere *)(at))
#define TALLY_STAGE(x, at) (*(tally_storeds_anywhere *)(at) = (x))
#define TALLY_WRITE(x, at) (*(__global tally_storeds_anywhere *)(at) = (x))
#else
#define TALLY_BROUGHT(at) TALLY_VLOAD(0, at)
#define TALLY_STAGED(at) TALLY_VLOAD(0, at)
#define TALLY_STAGE(x, at) TALLY_VSTORE(x, 0, at)
#define TALLY_WRITE(x, at) TALLY_VSTORE(x, 0, at)
#endif

/* The values of a vector of elements. */
TALLY_INLINE tally_computes tally_computes_of(tally_storeds bits) {
#if TALLY_IS_f16 && TALLY_HALVES
    return __builtin_convertvector(__builtin_astype(bits, tally_elements), tally_computes);
#elif TALLY_IS_f16
    return vload_half8(0, (const half *)&bits);
#else
    return TALLY_CONVERT(TALLY_VECTOR_OF(TALLY_COMPUTE))(
        *(const TALLY_VECTOR_OF(TALLY_STORAGE) *)&bits);
#endif
}

/* The bits of a vector of values, each as tally_stored_of has them. */
TALLY_INLINE tally_storeds tally_storeds_of(tally_computes value) {
#if TALLY_IS_f16 && TALLY_HALVES
    return tally_halves_of(value);
#elif TALLY_IS_f16
    /* Rounded to even by a carry; a denormal's last bit is that of 0.5, which rounds it. */
    const int8 bits = as_int8(value), size = bits & INT_MAX;
    const int8 normal = (size - 0x38000000 + 0xFFF + (size >> 13 & 1)) >> 13;
    const int8 denormal = as_int8(as_float8(size) + 0.5f) - 0x3F000000;
    const int8 finite = size < (int8)(0x38800000) ? denormal : normal;
    const int8 number = size >= (int8)(0x477FF000) ? (int8)(TALLY_INFINITY_BITS) : finite;
    return convert_ushort8(value == value ? number | (bits >> 16 & 0x8000)
                                          : (int8)(TALLY_NAN_BITS));
#elif TALLY_IS_f32
    return value == value ? as_uint8(value) : (uint8)(TALLY_NAN_BITS);
#elif TALLY_IS_f64
    return value == value ? as_ulong4(value) : (ulong4)(TALLY_NAN_BITS);
#elif TALLY_BYTES == 8
    return value;
#elif TALLY_BYTES == 4
    return value;
#elif TALLY_BYTES == 2
    return convert_ushort8(value & 0xFFFF);
#else
    return convert_uchar8(value & 0xFF);
#endif
}

/* Store a vector of values as tally_store does one. */
static void tally_store_all(__global TALLY_STORAGE *out, tally_computes value) {
    TALLY_WRITE(tally_storeds_of(value), (__global tally_stored *)out);
}
