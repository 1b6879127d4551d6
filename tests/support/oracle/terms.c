/*
 * terms.c: the functions on a sequence of terms. Floats' sums and products are left to
 * floats.h; integers and extremes are exact and done here.
 */
#include "terms.h"

#include "floats.h"
#include "interval.h"

/* ---- Extremes ------------------------------------------------------------------------------ */

/* A running minimum or maximum. */
typedef struct extreme {
    tally_dtype dtype;
    bool max;
    bool propagate;
    bool nan, number; /* one was seen */
    uint64_t best;
} extreme;

/* True if x is above y as numbers; -0 and +0 differ only if the caller says so. */
static bool above(tally_dtype dtype, uint64_t x, uint64_t y, bool signed_zero) {
    const number_type *type = number_type_of(dtype);
    if (type->kind == NUMBER_FLOAT) {
        const double a = number_decode(type, x), b = number_decode(type, y);
        return a > b || (signed_zero && a == 0 && b == 0 && !signbit(a) && signbit(b));
    }
    const uint64_t a = number_widen(type, x), b = number_widen(type, y);
    return type->kind == NUMBER_SIGNED ? (int64_t)a > (int64_t)b : a > b;
}

static extreme make_extreme(tally_dtype dtype, bool max, tally_nan nan) {
    const extreme start = {dtype, max,   nan == TALLY_NAN_PROPAGATE,
                           false, false, max ? number_lowest(dtype) : number_highest(dtype)};
    return start;
}

static void extreme_add(extreme *so_far, uint64_t bits) {
    if (number_is_nan(so_far->dtype, bits)) {
        so_far->nan = true;
        return;
    }
    const uint64_t high = so_far->max ? bits : so_far->best;
    const uint64_t low = so_far->max ? so_far->best : bits;
    so_far->best = above(so_far->dtype, high, low, true) ? bits : so_far->best;
    so_far->number = true;
}

static oracle_value extreme_result(const extreme *so_far) {
    const bool nan = so_far->nan && (so_far->propagate || !so_far->number);
    return oracle_bits(nan ? number_type_of(so_far->dtype)->nan : so_far->best);
}

/* True if a term takes the place of the best before it. */
static bool takes_over(const oracle_terms *terms, uint64_t term, uint64_t best,
                       const tally_reduce *desc) {
    const bool last = desc->tie == TALLY_TIE_LAST;
    const uint64_t x = terms->bits[term], y = terms->bits[best];
    const bool x_nan = number_is_nan(terms->dtype, x), y_nan = number_is_nan(terms->dtype, y);
    if (x_nan && y_nan) {
        return desc->nan == TALLY_NAN_PROPAGATE && last;
    }
    if (x_nan || y_nan) {
        return x_nan == (desc->nan == TALLY_NAN_PROPAGATE);
    }
    const bool x_above = above(terms->dtype, x, y, false);
    const bool y_above = above(terms->dtype, y, x, false);
    if (!x_above && !y_above) {
        return last;
    }
    return x_above == (desc->function == TALLY_ARGMAX);
}

static oracle_value index_of_extreme(const oracle_terms *terms, const tally_reduce *desc) {
    uint64_t best = 0;
    for (uint64_t k = 1; k < terms->count; k++) {
        best = takes_over(terms, k, best, desc) ? k : best;
    }
    return oracle_bits(best & number_mask(number_type_of(desc->output.dtype)));
}

/* ---- Reductions ---------------------------------------------------------------------------- */

/*
 * Roundings between a term and its result in the library's order: in each block of 4096 terms at
 * most 32 additions to a lane and 7 halvings; the blocks' results are reduced by the same rule.
 * Several groups of axes, one after the other, are no deeper than one of so many terms.
 */
static double reduce_depth(uint64_t count) {
    double levels = 1;
    for (uint64_t blocks = (count + 4095) / 4096; blocks > 1; blocks = (blocks + 4095) / 4096) {
        levels++;
    }
    return 40 * levels + 2;
}

/* The functions that are a sum: of what, and what is made of a float sum. */
typedef enum term_map { TERM_ITSELF, TERM_MAGNITUDE, TERM_SQUARE } term_map;

typedef struct sum_function {
    term_map map;
    oracle_value (*finalize)(const oracle_sum *sum, tally_dtype dtype, double depth);
} sum_function;

static const sum_function sum_functions[] = {
    [TALLY_AVERAGE] = {TERM_ITSELF, oracle_float_average},
    [TALLY_L1] = {TERM_MAGNITUDE, oracle_float_sum},
    [TALLY_L2] = {TERM_SQUARE, oracle_float_root},
    [TALLY_LOG_SUM] = {TERM_ITSELF, oracle_float_log},
    [TALLY_SUM] = {TERM_ITSELF, oracle_float_sum},
    [TALLY_SUM_SQUARE] = {TERM_SQUARE, oracle_float_sum},
};

static oracle_value sum_of_floats(const oracle_terms *terms, sum_function function) {
    oracle_sum sum = ORACLE_SUM_INIT;
    for (uint64_t k = 0; k < terms->count; k++) {
        if (function.map == TERM_SQUARE) {
            oracle_sum_add_square(&sum, terms->x[k]);
        } else {
            oracle_sum_add(&sum, function.map == TERM_ITSELF ? terms->x[k] : fabs(terms->x[k]));
        }
    }
    /* cppcheck-suppress returnDanglingLifetime; what is returned has no pointers */
    return function.finalize(&sum, terms->dtype, reduce_depth(terms->count));
}

static oracle_value product_of_floats(const oracle_terms *terms) {
    oracle_product product = ORACLE_PRODUCT_INIT;
    for (uint64_t k = 0; k < terms->count; k++) {
        oracle_product_add(&product, terms->x[k]);
    }
    return oracle_float_product(&product, terms->dtype);
}

static oracle_value sum_of_integers(const oracle_terms *terms, term_map map) {
    const number_type *type = number_type_of(terms->dtype);
    uint64_t sum = 0;
    for (uint64_t k = 0; k < terms->count; k++) {
        const uint64_t x = number_widen(type, terms->bits[k]);
        const bool minus = type->kind == NUMBER_SIGNED && (int64_t)x < 0;
        sum += map == TERM_SQUARE ? x * x : map == TERM_MAGNITUDE && minus ? 0 - x : x;
    }
    return oracle_bits(sum & number_mask(type));
}

static oracle_value product_of_integers(const oracle_terms *terms) {
    uint64_t product = 1;
    for (uint64_t k = 0; k < terms->count; k++) {
        product *= terms->bits[k];
    }
    return oracle_bits(product & number_mask(number_type_of(terms->dtype)));
}

static oracle_value extreme_of_terms(const oracle_terms *terms, bool max, tally_nan nan) {
    extreme so_far = make_extreme(terms->dtype, max, nan);
    for (uint64_t k = 0; k < terms->count; k++) {
        extreme_add(&so_far, terms->bits[k]);
    }
    return extreme_result(&so_far);
}

oracle_value oracle_reduce_terms(const oracle_terms *terms, const tally_reduce *desc) {
    const bool is_float = number_is_float(terms->dtype);
    switch (desc->function) {
    case TALLY_ARGMAX:
    case TALLY_ARGMIN:
        return index_of_extreme(terms, desc);
    case TALLY_MAX:
    case TALLY_MIN:
        return extreme_of_terms(terms, desc->function == TALLY_MAX, desc->nan);
    case TALLY_MULTIPLY:
        return is_float ? product_of_floats(terms) : product_of_integers(terms);
    case TALLY_LOG_SUM_EXP:
        return oracle_float_log_sum_exp(terms->x, terms->count, terms->dtype,
                                        reduce_depth(terms->count));
    default:
        return is_float ? sum_of_floats(terms, sum_functions[desc->function])
                        : sum_of_integers(terms, sum_functions[desc->function].map);
    }
}

/* ---- Scans --------------------------------------------------------------------------------- */

/*
 * Roundings in the library's order of a scan: nested left folds of 16 terms, 16 runs, 16 of those,
 * 64 tiles, then groups of 262144 terms; and a few to combine the levels.
 */
static double scan_depth(uint64_t count) {
    return 16 + 16 + 16 + 64 + (double)((count + 262143) / 262144) + 8;
}

static void scan_floats(const oracle_terms *terms, bool multiply, oracle_value *results) {
    const double depth = scan_depth(terms->count);
    oracle_sum sum = ORACLE_SUM_INIT;
    oracle_product product = ORACLE_PRODUCT_INIT;
    for (uint64_t k = 0; k < terms->count; k++) {
        if (multiply) {
            oracle_product_add(&product, terms->x[k]);
            results[k] = oracle_float_product(&product, terms->dtype);
        } else {
            oracle_sum_add(&sum, terms->x[k]);
            results[k] = oracle_float_sum(&sum, terms->dtype, depth);
        }
    }
}

static void scan_integers(const oracle_terms *terms, bool multiply, oracle_value *results) {
    const uint64_t mask = number_mask(number_type_of(terms->dtype));
    uint64_t total = multiply ? 1 : 0;
    for (uint64_t k = 0; k < terms->count; k++) {
        total = multiply ? total * terms->bits[k] : total + terms->bits[k];
        results[k] = oracle_bits(total & mask);
    }
}

void oracle_scan_terms(const oracle_terms *terms, const tally_cumulative *desc,
                       oracle_value *results) {
    const bool multiply = desc->function == TALLY_MULTIPLY;
    if (desc->function != TALLY_MAX && desc->function != TALLY_MIN) {
        (number_is_float(terms->dtype) ? scan_floats : scan_integers)(terms, multiply, results);
        return;
    }
    extreme so_far = make_extreme(terms->dtype, desc->function == TALLY_MAX, desc->nan);
    for (uint64_t k = 0; k < terms->count; k++) {
        extreme_add(&so_far, terms->bits[k]);
        results[k] = extreme_result(&so_far);
    }
}

oracle_value oracle_scan_start(const oracle_terms *terms, tally_function function) {
    if (function == TALLY_MAX || function == TALLY_MIN) {
        return oracle_bits(function == TALLY_MAX ? number_lowest(terms->dtype)
                                                 : number_highest(terms->dtype));
    }
    if (function == TALLY_SUM) {
        return oracle_bits(0);
    }
    return oracle_bits(number_is_float(terms->dtype) ? number_from(terms->dtype, 1) : 1);
}
