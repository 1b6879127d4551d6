/*
 * Texts to numbers. Formats narrower than float64 are rounded once: the text goes to a float64 that
 * was rounded to odd, which keeps what a second rounding needs to know. Knows no options.
 */
#include "cli/options/numbers.h"

#include <fenv.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* ---- Integers ------------------------------------------------------------------------------ */

/* The magnitude behind an optional sign. *beyond: it passes 2^64 - 1. False: it is no integer. */
static bool parse_magnitude(const char *text, bool *negative, uint64_t *magnitude, bool *beyond) {
    *negative = *text == '-';
    text += *text == '-' || *text == '+';
    bool hexadecimal = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    const char *digits = hexadecimal ? "0123456789abcdefABCDEF" : "0123456789";
    uint64_t base = hexadecimal ? 16 : 10;
    text += hexadecimal ? 2 : 0;
    *magnitude = 0;
    *beyond = false;
    if (*text == '\0')
        return false;
    for (; *text != '\0'; text++) {
        const char *found = strchr(digits, *text);
        if (found == NULL)
            return false;
        uint64_t digit = (uint64_t)(found - digits);
        digit -= digit > 15 ? 6 : 0; /* the capital letters follow the small ones */
        *beyond = *beyond || *magnitude > (UINT64_MAX - digit) / base;
        *magnitude = *magnitude * base + digit;
    }
    return true;
}

int number_signed(const char *text, const char *type, int64_t lowest, int64_t highest,
                  int64_t *value, cli_error *error) {
    bool negative, beyond;
    uint64_t magnitude;
    if (!parse_magnitude(text, &negative, &magnitude, &beyond))
        return cli_misuse(error, "'%s' is not an integer", text);
    uint64_t limit = negative ? (uint64_t)0 - (uint64_t)lowest : (uint64_t)highest;
    if (negative && (beyond || magnitude > limit))
        return cli_misuse(error, "%s is below %" PRId64 ", the lowest %s", text, lowest, type);
    if (beyond || magnitude > limit)
        return cli_misuse(error, "%s is above %" PRId64 ", the highest %s", text, highest, type);
    *value = negative ? (int64_t)((uint64_t)0 - magnitude) : (int64_t)magnitude;
    return CLI_DONE;
}

int number_unsigned(const char *text, const char *type, uint64_t highest, uint64_t *value,
                    cli_error *error) {
    bool negative, beyond;
    uint64_t magnitude;
    if (!parse_magnitude(text, &negative, &magnitude, &beyond))
        return cli_misuse(error, "'%s' is not an integer", text);
    if (negative && (beyond || magnitude > 0))
        return cli_misuse(error, "%s is below 0, the lowest %s", text, type);
    if (beyond || magnitude > highest)
        return cli_misuse(error, "%s is above %" PRIu64 ", the highest %s", text, highest, type);
    *value = magnitude;
    return CLI_DONE;
}

/* ---- Floats -------------------------------------------------------------------------------- */

/* Whether text is a float from end to end, as strtod sees it. Leading blanks are not wanted. */
static bool is_float(const char *text) {
    char *end;
    if (strchr(" \t\n\v\f\r", text[0]) != NULL) /* the empty text too */
        return false;
    strtod(text, &end);
    return *end == '\0';
}

/* Whether it says inf or infinity rather than a number too large. */
static bool says_infinity(const char *text) {
    text += *text == '-' || *text == '+';
    return *text == 'i' || *text == 'I';
}

static double parse_in_mode(const char *text, int mode) {
    int before = fegetround();
    fesetround(mode);
    double parsed = strtod(text, NULL);
    fesetround(before);
    return parsed;
}

/* The float64 rounded to odd: exact, or of the two neighbours the one whose last bit is 1. */
static double parse_to_odd(const char *text) {
    double below = parse_in_mode(text, FE_DOWNWARD);
    double above = parse_in_mode(text, FE_UPWARD);
    uint64_t bits;
    memcpy(&bits, &below, sizeof bits);
    return (bits & 1) != 0 ? below : above; /* if they are one, either */
}

/* A float64 that rounds to the type's nearest of the text; for float64 the nearest itself. */
static double parse_for(const char *text, const cli_type *type) {
    return type->fraction_bits == DBL_MANT_DIG - 1 ? strtod(text, NULL) : parse_to_odd(text);
}

/* The bits of infinity, which are also those of what is too large. */
static uint64_t infinity_of(const cli_type *type) {
    return cli_type_power(type, 2 * cli_type_bias(type) + 1);
}

/* A magnitude to the type's nearest, ties to even, in its bits. */
static uint64_t round_to(double magnitude, const cli_type *type) {
    const int fraction = (int)type->fraction_bits, highest = (int)cli_type_bias(type);
    const int least = 1 - highest; /* denormals share the spacing of the least normal binade */
    int exponent = magnitude > 0 ? ilogb(magnitude) : least;
    if (exponent < least)
        exponent = least;
    if (exponent > highest)
        return infinity_of(type);
    const double steps = nearbyint(ldexp(magnitude, fraction - exponent));
    /* A normal number's first bit, and what rounding carries, add 1 to the exponent. */
    return cli_type_power(type, (uint64_t)(exponent - least)) + (uint64_t)steps;
}

int number_float(const char *text, const cli_type *type, uint64_t *bits, cli_error *error) {
    if (!is_float(text))
        return cli_misuse(error, "'%s' is not a number", text);
    const double parsed = parse_for(text, type);
    const uint64_t infinity = infinity_of(type);
    const uint64_t sign = cli_type_power(type, UINT64_C(1) << type->exponent_bits);
    if (isnan(parsed)) {
        *bits = infinity | cli_type_power(type, 1) >> 1;
        return CLI_DONE;
    }
    const uint64_t magnitude = isinf(parsed) ? infinity : round_to(fabs(parsed), type);
    if (magnitude == infinity && !says_infinity(text))
        return cli_misuse(error, "%s is beyond %s, the largest finite %s; for infinity write inf",
                          text, type->largest, type->name);
    *bits = magnitude | (signbit(parsed) ? sign : 0);
    return CLI_DONE;
}
