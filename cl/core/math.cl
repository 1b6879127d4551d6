/*
 * The functions whose bits a device may choose, as the library's own: exp and log, made of + - *
 * and integer operations in the order written here, so that every device that computes those as
 * IEEE 754 says gives the same bits; and square root and division of float32 in integers, for
 * devices that do not round them correctly. It needs tally_compute, one of float and double, and
 * knows nothing of folds or scans.
 *
 *   TALLY_ROUNDS_CORRECTLY  1 if the device's float32 sqrt and / are correctly rounded; a build
 *                           option
 *
 * The polynomials are fits in 70 digits by least squares at Chebyshev nodes, reweighted towards the
 * largest relative errors of the function (Lawson's way to the minimax). Coefficients were rounded
 * one after the other, from the lowest power up, each time with those above it fitted anew. Their
 * errors stand beside them; what the functions come to with all roundings is in docs/numerics.md.
 */
#ifndef TALLY_ROUNDS_CORRECTLY
#define TALLY_ROUNDS_CORRECTLY 0
#endif

#if TALLY_BYTES == 8
typedef ulong tally_bits;
#define TALLY_TO_BITS(x) as_ulong(x)
#define TALLY_FROM_BITS(bits) as_double(bits)
#define TALLY_FRACTION_BITS 52
#define TALLY_BIAS 1023
#define TALLY_SMALLEST_NORMAL 0x1p-1022
/* Added to a number below 2^51 it leaves the nearest integer in the low bits. */
#define TALLY_ROUNDER 0x1.8p52
/* Of which exp is not much above the smallest normal number. */
#define TALLY_EXP_LEAST -708.0
#define TALLY_LOG2_E 0x1.71547652b82fep0
/* log 2 in two parts: the first has 42 bits, so that its products with exponents are exact. */
#define TALLY_LN2_HIGH 0x1.62e42fefa38p-1
#define TALLY_LN2_LOW 0x1.ef35793c7673p-45
#define TALLY_TWO_THIRDS 0x1.5555555555555p-1

/* (log(1 + r) - r + r^2 / 2) / r^3 for |r| <= 1/3: log's relative error is 2^-59.3. */
static tally_compute tally_log_series(tally_compute r) {
    tally_compute p = -0x1.5355633fd37d7p-4;
    p = p * r + 0x1.5c122dcb56434p-4;
    p = p * r + -0x1.3cd46b138afd5p-5;
    p = p * r + 0x1.562314311a18ap-5;
    p = p * r + -0x1.d63a4d75bc665p-5;
    p = p * r + 0x1.efbd570be0306p-5;
    p = p * r + -0x1.fe7e32c591ed7p-5;
    p = p * r + 0x1.10698a09468ddp-4;
    p = p * r + -0x1.249e9c1da111p-4;
    p = p * r + 0x1.3b1db75d4c82ep-4;
    p = p * r + -0x1.5554d34eb8388p-4;
    p = p * r + 0x1.745cb5ca1ab1fp-4;
    p = p * r + -0x1.99999cf920666p-4;
    p = p * r + 0x1.c71c740e8389p-4;
    p = p * r + -0x1.fffffff2c01a4p-4;
    p = p * r + 0x1.24924920abdc2p-3;
    p = p * r + -0x1.5555555562d83p-3;
    p = p * r + 0x1.99999999a02bep-3;
    p = p * r + -0x1.fffffffffff5ap-3;
    return p * r + 0x1.5555555555537p-2;
}

#else
typedef uint tally_bits;
#define TALLY_TO_BITS(x) as_uint(x)
#define TALLY_FROM_BITS(bits) as_float(bits)
#define TALLY_FRACTION_BITS 23
#define TALLY_BIAS 127
#define TALLY_SMALLEST_NORMAL 0x1p-126f
#define TALLY_ROUNDER 0x1.8p23f
#define TALLY_EXP_LEAST -87.0f
#define TALLY_LOG2_E 0x1.715476p0f
/* The first part has 15 bits. */
#define TALLY_LN2_HIGH 0x1.62e4p-1f
#define TALLY_LN2_LOW 0x1.7f7d1cp-20f
#define TALLY_TWO_THIRDS 0x1.555556p-1f

/* As above: a relative error of 2^-30.1. */
static tally_compute tally_log_series(tally_compute r) {
    tally_compute p = 0x1.e740b2p-4f;
    p = p * r + -0x1.071866p-3f;
    p = p * r + 0x1.b9c208p-4f;
    p = p * r + -0x1.f3869p-4f;
    p = p * r + 0x1.24e4fp-3f;
    p = p * r + -0x1.559928p-3f;
    p = p * r + 0x1.999818p-3f;
    p = p * r + -0x1.ffff0ep-3f;
    return p * r + 0x1.555556p-2f;
}

#endif

/* 2 to a power that is an exponent of normal numbers, in two's complement. */
static tally_compute tally_power_of_two(tally_bits power) {
    return TALLY_FROM_BITS((power + TALLY_BIAS) << TALLY_FRACTION_BITS);
}

/* What exp.cl, which follows, is made for. */
#define TALLY_X tally_compute
#define TALLY_XFN(name) name
#define TALLY_XSTATIC static
#define TALLY_XMAX(a, b) fmax(a, b)
#define TALLY_XTO_BITS(x) TALLY_TO_BITS(x)
#define TALLY_XFROM_BITS(bits) TALLY_FROM_BITS(bits)

/*
 * log(x) = e log 2 + log(1 + r), with x = 2^e (1 + r) and 1 + r from 2/3 to 4/3, so that nothing
 * cancels; denormals are first scaled to be normal. What the sum of the two large parts loses is
 * found exactly and added to the small ones. Of 1 all parts are +0.
 */
static tally_compute tally_log(tally_compute x) {
    const bool small = x < TALLY_SMALLEST_NORMAL;
    const tally_compute scale = tally_power_of_two(TALLY_FRACTION_BITS + 1);
    const tally_bits bits = TALLY_TO_BITS(small ? x * scale : x);
    const tally_bits above = bits - TALLY_TO_BITS((tally_compute)TALLY_TWO_THIRDS);
    const int exponent = (int)((tally_key)above >> TALLY_FRACTION_BITS);
    const tally_bits cleared = (tally_bits)exponent << TALLY_FRACTION_BITS;
    const tally_compute r = TALLY_FROM_BITS(bits - cleared) - 1;
    const tally_compute e = (tally_compute)(exponent - (small ? TALLY_FRACTION_BITS + 1 : 0));
    const tally_compute e_high = e * TALLY_LN2_HIGH;
    const tally_compute sum = e_high + r;
    const tally_compute lost = r - (sum - e_high);
    const tally_compute rest =
        e * TALLY_LN2_LOW - (r * r) * ((tally_compute)0.5f - r * tally_log_series(r));
    const tally_compute result = sum + (lost + rest);
    const tally_compute infinite = (tally_compute)INFINITY;
    const tally_compute outside = x == 0 ? -infinite : (tally_compute)NAN;
    return x > 0 ? (x < infinite ? result : infinite) : outside;
}

#if TALLY_BYTES != 8
/* A positive finite number as an integer below 2^24 and at least 2^23 times 2^power. */
static uint tally_significand(uint magnitude, int *power) {
    const bool small = magnitude < 0x00800000u;
    const uint fraction = magnitude & 0x007FFFFFu;
    /* Denormals, and 0, which is nobody's concern, are shifted up. */
    const int up = small ? (int)clz(fraction | 1) - 8 : 0;
    *power = (small ? 1 : (int)(magnitude >> 23)) - 150 - up;
    return small ? fraction << up : fraction | 0x00800000u;
}

/*
 * The square root by digits: 25 bits of the root, of which the last one rounds. The root is never
 * half way between two floats, since the square of an odd 25-bit integer has too many bits to be
 * one. Nor is it ever denormal.
 */
static float tally_sqrt_integer(float x) {
    const uint bits = as_uint(x);
    int power;
    const uint significand = tally_significand(bits & 0x7FFFFFFFu, &power);
    const int shift = 25 + ((power - 25) & 1);
    ulong rest = (ulong)significand << shift, root = 0;
    for (ulong digit = (ulong)1 << 48; digit != 0; digit >>= 2) {
        const bool fits = rest >= root + digit;
        rest -= fits ? root + digit : 0;
        root = (root >> 1) + (fits ? digit : 0);
    }
    const int exponent = (power - shift) / 2 + 150;
    const uint result = ((uint)exponent << 23) + (((uint)root + 1) >> 1);
    /* +-0, +inf and NaN are their own roots; other negative numbers have none. */
    const bool itself = (bits & 0x7FFFFFFFu) == 0 || (bits & 0x7FFFFFFFu) > 0x7F800000u;
    const bool finite = bits < 0x7F800000u;
    return as_float(itself || bits == 0x7F800000u ? bits : finite ? result : 0x7FC00000u);
}

/* q 2^power, with q from 2^26 up to 2^28 and its last bit set if it stands for more: rounded. */
static uint tally_round_quotient(uint q, int power) {
    const int leading = (q >> 27 != 0 ? 27 : 26) + power;
    const int exponent = max(leading, -126);
    /* All but 24 bits, or all that are below the smallest denormal. */
    const int shift = min(exponent - power - 23, 30);
    const uint half_way = ((uint)1 << (shift - 1)) - 1 + ((q >> shift) & 1);
    const uint result = ((uint)(exponent + 126) << 23) + ((q + half_way) >> shift);
    return min(result, 0x7F800000u);
}

/* The quotient: 27 bits or 28 of it, and whether anything is left, are enough to round it. */
static float tally_divide_integer(float a, float b) {
    const uint a_bits = as_uint(a) & 0x7FFFFFFFu, b_bits = as_uint(b) & 0x7FFFFFFFu;
    const uint sign = (as_uint(a) ^ as_uint(b)) & 0x80000000u;
    const bool nan = a_bits > 0x7F800000u || b_bits > 0x7F800000u || /* or 0 / 0, inf / inf */
                     (a_bits == b_bits && (a_bits == 0 || a_bits == 0x7F800000u));
    int a_power, b_power;
    const ulong dividend = (ulong)tally_significand(a_bits, &a_power) << 27;
    const uint divisor = max(tally_significand(b_bits, &b_power), 1u);
    const uint q = (uint)(dividend / divisor);
    const uint sticky = dividend != (ulong)q * divisor;
    const uint finite = tally_round_quotient(q | sticky, a_power - b_power - 27);
    const bool infinite = a_bits == 0x7F800000u || b_bits == 0;
    const bool zero = a_bits == 0 || b_bits == 0x7F800000u;
    const uint magnitude = infinite ? 0x7F800000u : zero ? 0 : finite;
    return as_float(nan ? 0x7FC00000u : sign | magnitude);
}
#endif

/* Those of float64 are correctly rounded wherever there is float64. */
#if TALLY_BYTES == 8 || TALLY_ROUNDS_CORRECTLY
#define tally_sqrt(x) sqrt(x)
#define tally_divide(a, b) ((a) / (b))
#else
#define tally_sqrt(x) tally_sqrt_integer(x)
#define tally_divide(a, b) tally_divide_integer(a, b)
#endif
