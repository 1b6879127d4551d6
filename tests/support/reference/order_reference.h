/*
 * order_reference.h: the orders in which rounding results are combined, in the simplest possible C.
 * Written from their description alone, numbers included: nothing of cl/ or src/ is used. Whoever
 * carries on: a schedule that gives other bits than this is wrong, however fast it is.
 *
 * Numbers are doubles; a combination of a narrower type rounds its result to that type, which for a
 * sum or a product of two is the rounding that the type itself would do.
 */
#ifndef TESTS_SUPPORT_REFERENCE_ORDER_REFERENCE_H
#define TESTS_SUPPORT_REFERENCE_ORDER_REFERENCE_H

#include <stdint.h>

/* The version of the orders below, which tally_order_version() must be. */
#define ORDER_REFERENCE_VERSION 1

typedef double (*order_combine)(double a, double b);

double order_add_f32(double a, double b);
double order_multiply_f32(double a, double b);
double order_add_f64(double a, double b);
double order_multiply_f64(double a, double b);

/*
 * A fold of one group of axes, of at least one term. Blocks of 4096; in a block term i goes to lane
 * i mod 128, a lane combines its terms one after the other, lanes are combined by halving. The
 * results of the blocks are a new sequence, folded by the same rule.
 */
double order_fold(const double *terms, uint64_t count, order_combine combine);

/*
 * A fold of several groups, the innermost first: each of its sequences is folded to a term of the
 * next group's. length[] is innermost first too, the terms row-major.
 */
#define ORDER_GROUPS 4
double order_fold_groups(const double *terms, uint32_t groups, const uint64_t *length,
                         order_combine combine);

/*
 * The groups that swept axes make, decided by sizes alone: axes of size 1 are not there, and
 * swept neighbours are one group. Returns how many, and their lengths, innermost first.
 */
uint32_t order_groups(uint32_t rank, const uint64_t *size, uint32_t axes, uint64_t *length);

/*
 * LOG_SUM_EXP folds pairs (top, sum), worth sum * exp(top). Every 8 elements of a lane, one after
 * the other, become a pair: top is the largest of them, sum that of exp(x - top). Two pairs are
 * combined with the larger top, the other sum times exp(its top - the larger). Pairs are combined
 * in the order of a fold. exp_of_difference, multiply and add round as the type of the arithmetic
 * does; the exponential is that of -87, or of -708 in float64, where the difference is less or NaN.
 */
typedef struct order_pair {
    double top, sum;
} order_pair;

typedef struct order_arithmetic {
    order_combine add, multiply;
    double (*exp_of_difference)(double a, double b);
} order_arithmetic;

order_pair order_fold_pairs(const order_pair *terms, uint64_t count,
                            const order_arithmetic *arithmetic);

/* The same of elements x, of which there is at least one. */
order_pair order_fold_exponents(const double *x, uint64_t count,
                                const order_arithmetic *arithmetic);

/*
 * An inclusive scan: results[i] is G + (L + (Q + (P + s))), where s is the left fold of the terms
 * of the run up to i, P of the runs before it in its span, Q of the spans before it in its tile, L
 * of the tiles before it in its stretch, G of the stretches before it. A run is 16 terms, a span 16
 * runs, a tile 16 spans, a stretch 64 tiles. What is not there is not added.
 */
void order_scan(const double *terms, uint64_t count, order_combine combine, double *results);

#endif
