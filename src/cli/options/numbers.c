/*
 * Texts to numbers. float16 is rounded once: the text goes to a float64 that was rounded to odd,
 * which keeps what a second rounding needs to know. Knows no options.
 */
#include "cli/options/numbers.h"

#include <fenv.h>
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

static int misuse_float(const char *text, cli_error *error) {
    return cli_misuse(error, "'%s' is not a number", text);
}

static int misuse_large(const char *text, const char *highest, cli_error *error) {
    return cli_misuse(error, "%s is beyond %s; for infinity write inf", text, highest);
}

int number_f64(const char *text, double *value, cli_error *error) {
    if (!is_float(text))
        return misuse_float(text, error);
    double parsed = strtod(text, NULL);
    if (isinf(parsed) && !says_infinity(text))
        return misuse_large(text, "1.7976931348623157e308, the largest finite f64", error);
    *value = isnan(parsed) ? (double)NAN : parsed;
    return CLI_DONE;
}

int number_f32(const char *text, float *value, cli_error *error) {
    if (!is_float(text))
        return misuse_float(text, error);
    float parsed = strtof(text, NULL);
    if (isinf(parsed) && !says_infinity(text))
        return misuse_large(text, "3.4028235e38, the largest finite f32", error);
    *value = isnan(parsed) ? NAN : parsed;
    return CLI_DONE;
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

/* A finite float64 to the nearest float16, ties to even; 0x7c00 is what became infinite. */
static uint16_t f16_from_f64(double value) {
    double magnitude = fabs(value);
    uint16_t sign = signbit(value) ? 0x8000 : 0;
    int exponent = magnitude > 0 ? ilogb(magnitude) : -14;
    if (exponent < -14)
        exponent = -14; /* float16's denormals share the spacing of its least normal binade */
    if (exponent > 15)
        return (uint16_t)(sign | 0x7c00);
    double steps = nearbyint(ldexp(magnitude, 10 - exponent)); /* of 2^(exponent - 10) */
    uint32_t bits = (uint32_t)(exponent + 14) * 1024 + (uint32_t)steps;
    return (uint16_t)(sign | bits); /* 1024 to 2048 steps carry into the exponent by themselves */
}

int number_f16(const char *text, uint16_t *bits, cli_error *error) {
    if (!is_float(text))
        return misuse_float(text, error);
    double parsed = parse_to_odd(text);
    if (isnan(parsed)) {
        *bits = 0x7e00;
        return CLI_DONE;
    }
    *bits = isinf(parsed) ? (uint16_t)(signbit(parsed) ? 0xfc00 : 0x7c00) : f16_from_f64(parsed);
    if ((*bits & 0x7fff) == 0x7c00 && !says_infinity(text))
        return misuse_large(text, "65504, the largest finite f16", error);
    return CLI_DONE;
}
