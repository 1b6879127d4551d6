/*
 * numbers.c: numbers as bits. Floats are computed with in double, and rounded.
 */
#include "numbers.h"

#include <math.h>
#include <string.h>

double sim_real(const sim_math *math, uint64_t bits) {
    float narrow;
    double wide;
    const uint32_t low = (uint32_t)bits;
    memcpy(&narrow, &low, sizeof narrow);
    memcpy(&wide, &bits, sizeof wide);
    return math->compute == TALLY_F32 ? (double)narrow : wide;
}

uint64_t sim_bits_of(const sim_math *math, double x) {
    const float narrow = (float)x;
    uint32_t low;
    uint64_t wide;
    memcpy(&low, &narrow, sizeof low);
    memcpy(&wide, &x, sizeof wide);
    return math->compute == TALLY_F32 ? low : wide;
}

uint64_t sim_load(const sim_math *math, uint64_t bits) {
    const uint64_t mask = number_mask(number_type_of(math->input));
    if (math->input == TALLY_F16)
        return sim_bits_of(math, number_decode(number_type_of(TALLY_F16), bits));
    const bool negative = math->kind == NUMBER_SIGNED && (bits & (mask ^ mask >> 1)) != 0;
    return negative ? bits | (math->mask & ~mask) : bits;
}

uint64_t sim_store(const sim_math *math, uint64_t bits) {
    if (!math->floating)
        return bits & number_mask(number_type_of(math->input));
    const double x = sim_real(math, bits);
    return isnan(x)                   ? number_type_of(math->input)->nan
           : math->input == TALLY_F16 ? number_from(TALLY_F16, x)
                                      : bits;
}

uint64_t sim_add(const sim_math *math, uint64_t a, uint64_t b) {
    return math->floating ? sim_bits_of(math, sim_real(math, a) + sim_real(math, b))
                          : (a + b) & math->mask;
}

uint64_t sim_multiply(const sim_math *math, uint64_t a, uint64_t b) {
    return math->floating ? sim_bits_of(math, sim_real(math, a) * sim_real(math, b))
                          : (a * b) & math->mask;
}

bool sim_is_unsigned(const sim_math *math) {
    return math->kind == NUMBER_UNSIGNED;
}

bool sim_is_negative(const sim_math *math, uint64_t x) {
    return !sim_is_unsigned(math) && (x & (math->mask ^ math->mask >> 1)) != 0;
}

uint64_t sim_magnitude(const sim_math *math, uint64_t x) {
    if (!sim_is_negative(math, x))
        return x;
    return math->floating ? x & math->mask >> 1 : (0 - x) & math->mask;
}
