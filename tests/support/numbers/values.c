/*
 * values.c: one small generator per class and kind of number, and a table of them.
 */
#include "values.h"

#include "number.h"

uint64_t values_random(uint64_t *state) {
    uint64_t z = *state += 0x9E3779B97F4A7C15u; /* splitmix64 */
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/* In [0, 1). */
static double uniform(uint64_t *state) {
    return (double)(values_random(state) >> 11) * ldexp(1, -53);
}

static uint64_t below(uint64_t *state, uint64_t limit) {
    return values_random(state) % limit;
}

static double random_sign(uint64_t *state) {
    return (values_random(state) & 1) != 0 ? -1 : 1;
}

static double small_float(tally_dtype dtype, uint64_t *state) {
    (void)dtype;
    return (double)below(state, 19) - 9;
}

static double wide_float(tally_dtype dtype, uint64_t *state) {
    const int reach = dtype == TALLY_F16 ? 6 : 20;
    const int exponent = (int)below(state, (uint64_t)(2 * reach + 1)) - reach;
    return random_sign(state) * number_scale(1 + uniform(state), exponent);
}

static double positive_float(tally_dtype dtype, uint64_t *state) {
    (void)dtype;
    return number_scale(1 + uniform(state), (int)below(state, 6) - 3);
}

static double near_one_float(tally_dtype dtype, uint64_t *state) {
    (void)dtype;
    return 0.98 + 0.04 * uniform(state);
}

static double power_float(tally_dtype dtype, uint64_t *state) {
    (void)dtype;
    return random_sign(state) * ldexp(1, (int)below(state, 3) - 1);
}

static double exponent_float(tally_dtype dtype, uint64_t *state) {
    (void)dtype;
    return 200 * uniform(state) - 100;
}

static double few_floats(tally_dtype dtype, uint64_t *state) {
    (void)dtype;
    return (double)below(state, 3) - 1;
}

static double zero_float(tally_dtype dtype, uint64_t *state) {
    (void)dtype;
    return random_sign(state) * 0.0;
}

static double minus_zero_float(tally_dtype dtype, uint64_t *state) {
    (void)dtype;
    (void)state;
    return -0.0;
}

static double denormal_float(tally_dtype dtype, uint64_t *state) {
    const number_type *type = number_type_of(dtype);
    return random_sign(state) * ldexp(uniform(state), type->min_exponent);
}

static double extreme_float(tally_dtype dtype, uint64_t *state) {
    const number_type *type = number_type_of(dtype);
    const double largest = ldexp(2 - ldexp(1, 1 - type->precision), type->max_exponent);
    const double choices[] = {largest, largest, (double)INFINITY, 1};
    return random_sign(state) * choices[below(state, 4)];
}

static uint64_t special_float(tally_dtype dtype, uint64_t *state) {
    const number_type *type = number_type_of(dtype);
    const uint64_t half = below(state, 2);
    switch (below(state, 6)) {
    case 0: /* NaN: quiet and signalling, either sign, with a payload */
        return number_lowest(dtype) | (half << (type->precision - 2)) | 5;
    case 1:
        return half != 0 ? number_lowest(dtype) : number_highest(dtype);
    case 2:
        return number_from(dtype, zero_float(dtype, state));
    case 3:
        return number_from(dtype, denormal_float(dtype, state));
    case 4:
        return number_from(dtype, extreme_float(dtype, state));
    default:
        return number_from(dtype, wide_float(dtype, state));
    }
}

static uint64_t some_nan(tally_dtype dtype, uint64_t *state) {
    const uint64_t draw = below(state, 20);
    if (draw == 0) {
        return number_highest(dtype) | 3;
    }
    if (draw == 1) {
        return below(state, 2) != 0 ? number_lowest(dtype) : number_highest(dtype);
    }
    return number_from(dtype, wide_float(dtype, state));
}

static uint64_t all_nan(tally_dtype dtype, uint64_t *state) {
    return number_highest(dtype) | (1 + below(state, 7));
}

static uint64_t any_bits(tally_dtype dtype, uint64_t *state) {
    return values_random(state) & number_mask(number_type_of(dtype));
}

static uint64_t small_integer(tally_dtype dtype, uint64_t *state) {
    const bool is_signed = number_type_of(dtype)->kind == NUMBER_SIGNED;
    return (is_signed ? below(state, 19) - 9 : below(state, 10)) &
           number_mask(number_type_of(dtype));
}

static uint64_t odd_integer(tally_dtype dtype, uint64_t *state) {
    return any_bits(dtype, state) | 1;
}

static uint64_t power_integer(tally_dtype dtype, uint64_t *state) {
    (void)dtype;
    return below(state, 30) == 0 ? 2 : 1;
}

static uint64_t few_integers(tally_dtype dtype, uint64_t *state) {
    const uint64_t choices[] = {0, 1, number_mask(number_type_of(dtype))};
    return choices[below(state, 3)];
}

static uint64_t extreme_integer(tally_dtype dtype, uint64_t *state) {
    const uint64_t ends[] = {number_lowest(dtype), number_highest(dtype)};
    const uint64_t inwards = below(state, 2);
    const uint64_t end = below(state, 2);
    return (ends[end] + (end == 0 ? inwards : 0 - inwards)) & number_mask(number_type_of(dtype));
}

/* A class makes floats as values to be rounded or, where that would lose them, as bits. */
typedef struct values_row {
    const char *name;
    double (*value)(tally_dtype dtype, uint64_t *state);
    uint64_t (*bits)(tally_dtype dtype, uint64_t *state);
    uint64_t (*integer)(tally_dtype dtype, uint64_t *state);
} values_row;

static const values_row rows[VALUES_CLASSES] = {
    [VALUES_SMALL] = {"VALUES_SMALL", small_float, NULL, small_integer},
    [VALUES_WIDE] = {"VALUES_WIDE", wide_float, NULL, any_bits},
    [VALUES_POSITIVE] = {"VALUES_POSITIVE", positive_float, NULL, any_bits},
    [VALUES_NEAR_ONE] = {"VALUES_NEAR_ONE", near_one_float, NULL, odd_integer},
    [VALUES_POWERS] = {"VALUES_POWERS", power_float, NULL, power_integer},
    [VALUES_EXPONENTS] = {"VALUES_EXPONENTS", exponent_float, NULL, any_bits},
    [VALUES_FEW] = {"VALUES_FEW", few_floats, NULL, few_integers},
    [VALUES_ZEROS] = {"VALUES_ZEROS", zero_float, NULL, few_integers},
    [VALUES_MINUS_ZERO] = {"VALUES_MINUS_ZERO", minus_zero_float, NULL, few_integers},
    [VALUES_DENORMAL] = {"VALUES_DENORMAL", denormal_float, NULL, any_bits},
    [VALUES_EXTREME] = {"VALUES_EXTREME", extreme_float, NULL, extreme_integer},
    [VALUES_SPECIAL] = {"VALUES_SPECIAL", NULL, special_float, extreme_integer},
    [VALUES_SOME_NAN] = {"VALUES_SOME_NAN", NULL, some_nan, any_bits},
    [VALUES_ALL_NAN] = {"VALUES_ALL_NAN", NULL, all_nan, any_bits},
    [VALUES_BITS] = {"VALUES_BITS", NULL, any_bits, any_bits},
};

uint64_t values_element(values_class values, tally_dtype dtype, uint64_t *state) {
    const values_row *row = &rows[values];
    if (!number_is_float(dtype)) {
        return row->integer(dtype, state);
    }
    return row->bits != NULL ? row->bits(dtype, state)
                             : number_from(dtype, row->value(dtype, state));
}

void values_fill(values_class values, tally_dtype dtype, uint64_t seed, uint64_t count,
                 void *elements) {
    uint64_t state = seed * 2654435761u + 1; /* so that seeds side by side have little in common */
    for (uint64_t i = 0; i < count; i++)
        number_store(dtype, (unsigned char *)elements + i * number_bytes(dtype),
                     values_element(values, dtype, &state));
}

const char *values_name(values_class values) {
    return rows[values].name;
}
