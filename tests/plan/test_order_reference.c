/*
 * The reference of the orders itself: small cases done by hand, and its numbers against the
 * library's.
 */
#include "support/reference/order_reference.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "cl/core/order.h"
#include "support/numbers/values.h"

START_TEST(the_orders_numbers_are_those_of_the_reference) {
    ck_assert_int_eq(TALLY_ORDER_VERSION, ORDER_REFERENCE_VERSION);
    ck_assert_int_eq(TALLY_LANES, 128);
    ck_assert_int_eq(TALLY_BLOCK, 4096);
    ck_assert_int_eq(TALLY_LANE_RUN, 8);
    ck_assert_int_eq(TALLY_RUN, 16);
    ck_assert_int_eq(TALLY_SPAN, 256);
    ck_assert_int_eq(TALLY_TILE, 4096);
    ck_assert_int_eq(TALLY_TILES, 64);
    ck_assert_int_eq(TALLY_STRETCH, 262144);
}
END_TEST

/*
 * A combination that keeps apart what was combined how: neither commutative nor associative, and
 * exact.
 */
static double mix(double a, double b) {
    return fmod(3 * a + 5 * b + 1, 1000003);
}

static double fold_left(const double *values, int count) {
    double result = values[0];
    for (int i = 1; i < count; i++)
        result = mix(result, values[i]);
    return result;
}

START_TEST(the_reference_folds_as_it_is_told) {
    double t[4097];
    for (int i = 0; i < 4097; i++)
        t[i] = (double)(values_random(&(uint64_t){(uint64_t)i}) % 1000);
    ck_assert(order_fold(t, 1, mix) == t[0]);
    ck_assert(order_fold(t, 2, mix) == mix(t[0], t[1]));
    ck_assert(order_fold(t, 3, mix) == mix(mix(t[0], t[2]), t[1]));
    ck_assert(order_fold(t, 4, mix) == mix(mix(t[0], t[2]), mix(t[1], t[3])));
    const double block = order_fold(t, 4096, mix);
    ck_assert(order_fold(t, 4097, mix) == mix(block, t[4096]));
    const uint64_t length[] = {2, 3}; /* pairs first, then the three results */
    const double pairs[] = {mix(t[0], t[1]), mix(t[2], t[3]), mix(t[4], t[5])};
    ck_assert(order_fold_groups(t, 2, length, mix) == mix(mix(pairs[0], pairs[2]), pairs[1]));
    ck_assert(order_fold_groups(t, 0, length, mix) == t[0]);
    double lanes[129]; /* lane 0 has two terms, all others one */
    memcpy(lanes, t, sizeof lanes);
    const double all = order_fold(lanes, 129, mix);
    lanes[0] = mix(t[0], t[128]);
    ck_assert(order_fold(lanes, 128, mix) == all);
}
END_TEST

START_TEST(the_reference_scans_as_it_is_told) {
    static double t[4200], out[4200];
    double runs[16], spans[16];
    for (int i = 0; i < 4200; i++)
        t[i] = (double)(values_random(&(uint64_t){(uint64_t)i}) % 1000);
    order_scan(t, 4200, mix, out);
    for (int i = 0; i < 16; i++)
        runs[i] = fold_left(t + (ptrdiff_t)i * 16, 16);
    ck_assert(out[0] == t[0]);
    ck_assert(out[15] == runs[0]);
    ck_assert(out[16] == mix(runs[0], t[16]));
    ck_assert(out[18] == mix(runs[0], mix(mix(t[16], t[17]), t[18])));
    ck_assert(out[32] == mix(mix(runs[0], runs[1]), t[32]));
    ck_assert(out[256] == mix(fold_left(runs, 16), t[256]));
    ck_assert(out[273] ==
              mix(fold_left(runs, 16), mix(fold_left(t + 256, 16), mix(t[272], t[273]))));
    for (int i = 0; i < 16; i++) {
        for (int run = 0; run < 16; run++)
            runs[run] = fold_left(t + (ptrdiff_t)i * 256 + (ptrdiff_t)run * 16, 16);
        spans[i] = fold_left(runs, 16);
    }
    ck_assert(out[4096] == mix(fold_left(spans, 16), t[4096]));
    ck_assert(out[4112] == mix(fold_left(spans, 16), mix(fold_left(t + 4096, 16), t[4112])));
}
END_TEST

/* A sum of ones is right in any order; with 2^24 first the order shows. */
START_TEST(the_reference_rounds_where_it_combines) {
    double terms[4097];
    for (int i = 0; i < 4097; i++)
        terms[i] = 1;
    ck_assert(order_fold(terms, 4097, order_add_f32) == 4097);
    terms[0] = 16777216; /* its lane's 31 ones are lost, those of the next block and lanes not */
    ck_assert(order_fold(terms, 4096, order_add_f32) == 16777216 + 4064);
    ck_assert(order_fold(terms, 4097, order_add_f64) == 16777216 + 4096);
}
END_TEST

/* 1 for equal numbers, as exp of their difference is. */
static double difference(double a, double b) {
    return a == b ? 1 : (a - b) / 1024;
}

static double subtract_twice(double a, double b) {
    return a - 2 * b;
}

static double halve_product(double a, double b) {
    return a * b / 2;
}

static bool is_pair(order_pair pair, double top, double sum) {
    return pair.top == top && pair.sum == sum;
}

/* With strange arithmetic that shows what is done when, and is exact. */
static const order_arithmetic strange = {subtract_twice, halve_product, difference};

START_TEST(the_reference_combines_pairs_as_it_is_told) {
    ck_assert(is_pair(order_fold_exponents((const double[]){7}, 1, &strange), 7, 1));
    /* the larger one's 1, less two times half of 1 times the difference */
    const double both = 1 - 2 * (1 * (-2. / 1024) / 2);
    ck_assert(is_pair(order_fold_exponents((const double[]){7, 5}, 2, &strange), 7, both));
    ck_assert(is_pair(order_fold_exponents((const double[]){5, 7}, 2, &strange), 7, both));
    ck_assert(is_pair(order_fold_exponents((const double[]){7, 7}, 2, &strange), 7,
                      1 - 2 * (1 * 1. / 2)));
}
END_TEST

/* Lanes that have had their runs made pairs are folded as pairs are. */
START_TEST(the_reference_makes_pairs_of_runs) {
    static double x[4097];
    order_pair lanes[128];
    for (int i = 0; i < 4097; i++) /* lane 0 has 0, 1, 2..., all others -5 */
        x[i] = i % 128 == 0 ? i / 128 : -5;
    for (int k = 0; k < 128; k++)
        lanes[k] = (order_pair){-5, 1};
    lanes[0] = (order_pair){1, -1. / 1024 - 2 * 1}; /* a run of two: 0 and 1 */
    order_pair wanted = order_fold_pairs(lanes, 128, &strange);
    ck_assert(is_pair(order_fold_exponents(x, 129, &strange), wanted.top, wanted.sum));
    double run = -7. / 1024; /* of 0 to 7, then 8 by itself; of eight equal ones 1 less 7 times 2 */
    for (int i = 1; i < 8; i++)
        run -= 2 * (i < 7 ? (i - 7) / 1024. : 1);
    for (int k = 1; k < 128; k++)
        lanes[k].sum = 1 - 7 * 2;
    lanes[0] = (order_pair){8, 1 - 2 * (run * (-1. / 1024) / 2)};
    wanted = order_fold_pairs(lanes, 128, &strange);
    ck_assert(is_pair(order_fold_exponents(x, 128 * 8 + 1, &strange), wanted.top, wanted.sum));
    const order_pair blocks[] = {order_fold_exponents(x, 4096, &strange), {x[4096], 1}};
    wanted = order_fold_pairs(blocks, 2, &strange);
    ck_assert(is_pair(order_fold_exponents(x, 4097, &strange), wanted.top, wanted.sum));
}
END_TEST

Suite *suite_order_reference(void) {
    Suite *suite = suite_create("order_reference");
    TCase *tests = tcase_create("order_reference");
    tcase_add_test(tests, the_orders_numbers_are_those_of_the_reference);
    tcase_add_test(tests, the_reference_folds_as_it_is_told);
    tcase_add_test(tests, the_reference_scans_as_it_is_told);
    tcase_add_test(tests, the_reference_rounds_where_it_combines);
    tcase_add_test(tests, the_reference_combines_pairs_as_it_is_told);
    tcase_add_test(tests, the_reference_makes_pairs_of_runs);
    suite_add_tcase(suite, tests);
    return suite;
}
