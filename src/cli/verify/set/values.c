/*
 * The values of the fixed set: a hash of the element's number, whose bits are dealt to sign,
 * exponent and fraction, or to an integer. No floating-point arithmetic is done here. Knows no
 * problem and no device.
 */
#include "cli/verify/set/values.h"

#include "cli/tables/types.h"

/* ---- Formats ------------------------------------------------------------------------------- */

/* Of an integer exponent_bits is 0. */
typedef struct format {
    unsigned bits, exponent_bits, fraction_bits;
} format;

static const format formats[] = {
#define CLI_TYPE(enumerator, name, class, letter, bytes, exponent, fraction, ...)                  \
    [TALLY_##enumerator] = {8 * (bytes), exponent, fraction},
#include "cli/tables/types.def"
};

static uint64_t low_bits(uint64_t bits, unsigned count) {
    return count >= 64 ? bits : bits & ((UINT64_C(1) << count) - 1);
}

/* The finalizer of SplitMix64. */
static uint64_t hash(uint64_t x) {
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/*
 * A sequence of hashes; a draw of n is from 0 to n - 1. No expression draws twice: which of two
 * calls comes first would be the compiler's choice.
 */
typedef struct draws {
    uint64_t state;
} draws;

static uint32_t draw(draws *from, uint32_t n) {
    from->state += UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)((hash(from->state) >> 32) * n >> 32);
}

static uint64_t draw_bits(draws *from) {
    from->state += UINT64_C(0x9e3779b97f4a7c15);
    return hash(from->state);
}

/* ---- Floats -------------------------------------------------------------------------------- */

static uint64_t highest_exponent(const format *its) {
    return (UINT64_C(1) << its->exponent_bits) - 1; /* of infinities and NaN */
}

static uint64_t assemble(const format *its, bool negative, uint64_t exponent, uint64_t fraction) {
    return (uint64_t)negative << (its->bits - 1) | exponent << its->fraction_bits |
           low_bits(fraction, its->fraction_bits);
}

/* +-1.fraction times 2 to a power from least to least + count - 1, cut to what is normal. */
static uint64_t scaled(const format *its, draws *from, bool negative, int least, uint32_t count) {
    const int bias = (int)(highest_exponent(its) / 2);
    int exponent = bias + least + (int)draw(from, count);
    exponent = exponent < 1 ? 1 : exponent > 2 * bias ? 2 * bias : exponent;
    return assemble(its, negative, (uint64_t)exponent, draw_bits(from));
}

static uint64_t denormal(const format *its, draws *from) {
    const bool negative = draw(from, 2) != 0;
    const uint64_t fraction = draw(from, 4) == 0 ? 0 : draw_bits(from);
    const uint32_t shift = draw(from, 64);
    return assemble(its, negative, 0, low_bits(fraction, its->fraction_bits) >> shift % its->bits);
}

/* NaN of either sign and any payload, infinities. */
static uint64_t extreme(const format *its, draws *from) {
    const bool negative = draw(from, 2) != 0;
    const uint64_t quiet = UINT64_C(1) << (its->fraction_bits - 1);
    const uint64_t fraction = draw(from, 3) == 0 ? draw_bits(from) | quiet : 0;
    return assemble(its, negative, highest_exponent(its), fraction);
}

/* The same magnitude for each pair, but for its last bits, with different signs. */
static uint64_t cancelling(const format *its, uint64_t seed, uint64_t index) {
    draws pair = {seed + (index / 2) * UINT64_C(0xd1342543de82ef95)};
    const uint64_t bits = scaled(its, &pair, false, -3, 12);
    const uint64_t sign = (uint64_t)(index % 2 ^ draw(&pair, 2)) << (its->bits - 1);
    return sign | (bits ^ (index % 2 != 0 ? draw(&pair, 4) : 0));
}

/* From 1 - 2^-7 to 1 + 2^-7: an exponent and what the highest bits of the fraction are. */
static uint64_t near_one(const format *its, draws *from, bool negative) {
    const uint64_t bias = highest_exponent(its) / 2, below = draw(from, 2);
    const uint64_t low = draw_bits(from) & ((UINT64_C(1) << (its->fraction_bits - 6)) - 1);
    const uint64_t high = UINT64_C(63) << (its->fraction_bits - 6);
    return assemble(its, negative, bias - below, below != 0 ? high | low : low >> 1);
}

static uint64_t small_float(const format *its, draws *from) {
    const uint64_t bias = highest_exponent(its) / 2, which = draw(from, 6);
    return assemble(its, which % 2 != 0, which / 2 == 0 ? 0 : bias + which / 2 - 1, 0);
}

static uint64_t special(const format *its, draws *from, uint32_t one_in) {
    if (draw(from, one_in) == 0)
        return extreme(its, from);
    if (one_in < 1000 && draw(from, 4) == 0)
        return denormal(its, from);
    return scaled(its, from, draw(from, 2) != 0, -8, 16);
}

static uint64_t float_value(const format *its, verify_class values, uint64_t seed, uint64_t index) {
    draws from = {seed + index * UINT64_C(0xd1342543de82ef95)};
    const int bias = (int)(highest_exponent(its) / 2);
    const bool negative = draw(&from, 2) != 0;
    const uint32_t drawn = draw(&from, (uint32_t)highest_exponent(its));
    switch (values) {
    case VERIFY_POSITIVE:
        return scaled(its, &from, false, -8, 16);
    case VERIFY_UNIT:
        return near_one(its, &from, negative);
    case VERIFY_EXPONENT:
        return draw(&from, 256) == 0 ? assemble(its, negative, 0, 0)
                                     : scaled(its, &from, true, 3, 2);
    case VERIFY_CANCEL:
        return cancelling(its, seed, index);
    case VERIFY_WIDE:
        return assemble(its, negative, drawn, draw_bits(&from));
    case VERIFY_HUGE:
        return scaled(its, &from, negative, bias - 2, 3);
    case VERIFY_DENORMAL:
        return denormal(its, &from);
    case VERIFY_TIES:
        return small_float(its, &from);
    case VERIFY_SPECIAL:
        return special(its, &from, 64);
    case VERIFY_RARE:
        return special(its, &from, 1024);
    default:
        return scaled(its, &from, negative, -8, 16);
    }
}

/* ---- Integers ------------------------------------------------------------------------------ */

/* An end of the signed or the unsigned range, or a few steps from it. */
static uint64_t end_of_range(const format *its, draws *from) {
    const uint64_t half = UINT64_C(1) << (its->bits - 1);
    const uint64_t end = draw(from, 2) != 0 ? half : 0;
    return end + draw(from, 5) - 2;
}

static uint64_t integer_value(const format *its, verify_class values, uint64_t seed,
                              uint64_t index) {
    draws from = {seed + index * UINT64_C(0xd1342543de82ef95)};
    draws pair = {seed + (index / 2) * UINT64_C(0xd1342543de82ef95)};
    uint64_t bits = draw_bits(&from);
    switch (values) {
    case VERIFY_POSITIVE:
        return low_bits(bits, its->bits - 4);
    case VERIFY_UNIT:
        return bits | 1;
    case VERIFY_EXPONENT:
        return bits % 128;
    case VERIFY_CANCEL:
        bits = draw_bits(&pair);
        return index % 2 != 0 ? 0 - bits + draw(&pair, 4) : bits;
    case VERIFY_WIDE:
        return low_bits(bits, its->bits) >> draw(&from, its->bits);
    case VERIFY_HUGE:
        return end_of_range(its, &from);
    case VERIFY_DENORMAL:
        return (uint64_t)draw(&from, 3) - 1;
    case VERIFY_TIES:
        return (uint64_t)draw(&from, 6) - 2;
    case VERIFY_SPECIAL:
        return draw(&from, 8) == 0 ? end_of_range(its, &from) : bits;
    case VERIFY_RARE:
        return draw(&from, 1024) == 0 ? end_of_range(its, &from) : bits;
    default:
        return bits;
    }
}

/* ---- Elements ------------------------------------------------------------------------------ */

const char *verify_class_name(verify_class values) {
    static const char *const names[VERIFY_CLASSES] = {
        [VERIFY_MIXED] = "mixed",       [VERIFY_POSITIVE] = "positive", [VERIFY_UNIT] = "unit",
        [VERIFY_EXPONENT] = "exponent", [VERIFY_CANCEL] = "cancel",     [VERIFY_WIDE] = "wide",
        [VERIFY_HUGE] = "huge",         [VERIFY_DENORMAL] = "denormal", [VERIFY_TIES] = "ties",
        [VERIFY_SPECIAL] = "special",   [VERIFY_RARE] = "rare",
    };
    return names[values];
}

uint64_t verify_value(tally_dtype dtype, verify_class values, uint64_t index) {
    const format *its = &formats[dtype];
    const uint64_t seed = hash((uint64_t)dtype * 64 + (uint64_t)values + 1);
    const uint64_t bits = its->exponent_bits != 0 ? float_value(its, values, seed, index)
                                                  : integer_value(its, values, seed, index);
    return low_bits(bits, its->bits);
}

void verify_fill(tally_dtype dtype, verify_class values, uint64_t count, unsigned char *into) {
    const size_t bytes = cli_type_bytes(dtype);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t bits = verify_value(dtype, values, i);
        for (size_t b = 0; b < bytes; b++, bits >>= 8)
            into[i * bytes + b] = (unsigned char)bits;
    }
}
