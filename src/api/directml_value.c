/*
 * A float as an element of any type, for DIAGONAL_MATRIX, whose Value is a FLOAT whatever it fills.
 * Done in integers where the rounding matters, so that no rounding mode of the host bears on it.
 */
#include "api/directml.h"

#include <math.h>
#include <string.h>

#include "model/dtype.h"

/* To nearest, ties to even. NaN gets the pattern that results have. */
static uint16_t to_half(float value) {
    uint32_t bits = 0;
    memcpy(&bits, &value, sizeof bits);
    const uint32_t magnitude = bits & 0x7FFFFFFF, sign = bits >> 16 & 0x8000;
    const uint32_t exponent = magnitude >> 23; /* biased by 127 */
    if (magnitude > 0x7F800000)
        return 0x7E00;
    if (magnitude >= 0x477FF000) /* 65520: halfway to 2^16 */
        return (uint16_t)(sign | 0x7C00);
    if (exponent >= 127 - 14) /* normal: the carry of rounding runs into the exponent */
        return (uint16_t)(sign |
                          ((magnitude - (112u << 23) + 0xFFF + (magnitude >> 13 & 1)) >> 13));
    const uint32_t shift = 126 - exponent; /* in units of 2^-24 */
    if (shift > 24)
        return (uint16_t)sign;
    const uint32_t significand = (magnitude & 0x7FFFFF) | 0x800000;
    const uint32_t kept = significand >> shift, half = 1u << (shift - 1);
    const uint32_t rest = significand & ((half << 1) - 1);
    return (uint16_t)(sign | (kept + (rest > half || (rest == half && (kept & 1) != 0))));
}

/* The fraction cut off, the ends of the type beyond them, 0 for NaN; in two's complement. */
static uint64_t to_integer(float value, const tally_dtype_row *type) {
    const bool is_signed = type->class == TALLY_SIGNED;
    const uint32_t bits = 8 * type->bytes - is_signed; /* below the sign */
    const double end = ldexp(1.0, (int)bits);
    const uint64_t highest = UINT64_MAX >> (64 - bits);
    if (isnan(value))
        return 0;
    if (value >= end)
        return highest;
    if (is_signed)
        return value < -end ? ~highest : (uint64_t)(int64_t)value;
    return value > 0 ? (uint64_t)value : 0;
}

tally_scalar tally_dml_convert(FLOAT value, tally_dtype dtype) {
    const tally_dtype_row *type = tally_dtype_find(dtype);
    tally_scalar scalar = {0};
    if (type->class != TALLY_FLOATING) {
        const uint64_t bits = to_integer(value, type);
        if (type->bytes == 1)
            scalar.u8 = (uint8_t)bits;
        else if (type->bytes == 2)
            scalar.u16 = (uint16_t)bits;
        else if (type->bytes == 4)
            scalar.u32 = (uint32_t)bits;
        else
            scalar.u64 = bits;
    } else if (dtype == TALLY_F16) {
        scalar.f16_bits = to_half(value);
    } else if (dtype == TALLY_F32) {
        scalar.f32 = value;
    } else {
        scalar.f64 = value;
    }
    return scalar;
}
