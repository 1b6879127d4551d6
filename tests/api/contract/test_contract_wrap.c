/*
 * test_contract_wrap.c: the contract's row on integer overflow: everything wraps modulo 2^n, in
 * reductions and in scans. Expected bits are worked out by hand.
 */
#include <check.h>

#include "support/fixtures/small.h"

Suite *suite_contract_wrap(void);

#define HIGHEST32 0x7FFFFFFF
#define LOWEST32 0x80000000
#define HIGHEST64 0x7FFFFFFFFFFFFFFF
#define LOWEST64 0x8000000000000000
#define ALL32 0xFFFFFFFF
#define ALL64 0xFFFFFFFFFFFFFFFF

START_TEST(sum_of_integers_wraps) {
    static const small_fold rows[] = {
        {TALLY_SUM, TALLY_I32, 2, {HIGHEST32, 1}, .result = LOWEST32},
        {TALLY_SUM, TALLY_I32, 2, {LOWEST32, LOWEST32}, .result = 0},
        {TALLY_SUM, TALLY_I32, 2, {LOWEST32, ALL32}, .result = HIGHEST32},
        {TALLY_SUM, TALLY_U32, 2, {ALL32, 2}, .result = 1},
        {TALLY_SUM, TALLY_I64, 2, {HIGHEST64, 1}, .result = LOWEST64},
        {TALLY_SUM, TALLY_I64, 2, {LOWEST64, ALL64}, .result = HIGHEST64},
        {TALLY_SUM, TALLY_U64, 2, {ALL64, 2}, .result = 1},
        /* 5001 * 2^30 = 1250 * 2^32 + 2^30, 4099 * 2^62 = 1024 * 2^64 + 3 * 2^62 */
        {TALLY_SUM, TALLY_U32, 0, {0}, .result = 0x40000000, .length = 5001, .fill = 0x40000000},
        {TALLY_SUM, TALLY_U64, 0, {0}, .result = 3ull << 62, .length = 4099, .fill = 1ull << 62},
    };
    small_check_folds(SMALL_ROWS(rows));
}
END_TEST

START_TEST(product_of_integers_wraps) {
    static const small_fold rows[] = {
        {TALLY_MULTIPLY, TALLY_I32, 2, {0x10000, 0x10000}, .result = 0},
        {TALLY_MULTIPLY, TALLY_I32, 2, {0x10001, 0x10001}, .result = 0x20001},
        {TALLY_MULTIPLY, TALLY_I32, 2, {ALL32, LOWEST32}, .result = LOWEST32}, /* -1 * -2^31 */
        {TALLY_MULTIPLY, TALLY_U32, 3, {ALL32, ALL32, ALL32}, .result = ALL32},
        {TALLY_MULTIPLY, TALLY_I64, 2, {0x100000001, 0x100000001}, .result = 0x200000001},
        {TALLY_MULTIPLY, TALLY_I64, 2, {ALL64, LOWEST64}, .result = LOWEST64},
        {TALLY_MULTIPLY, TALLY_U64, 2, {ALL64, ALL64}, .result = 1},
        /* (-1)^5001 */
        {TALLY_MULTIPLY, TALLY_U32, 0, {0}, .result = ALL32, .length = 5001, .fill = ALL32},
        {TALLY_MULTIPLY, TALLY_I64, 0, {0}, .result = ALL64, .length = 5001, .fill = ALL64},
    };
    small_check_folds(SMALL_ROWS(rows));
}
END_TEST

START_TEST(sum_square_of_integers_wraps) {
    static const small_fold rows[] = {
        {TALLY_SUM_SQUARE, TALLY_I32, 1, {0x10000}, .result = 0},
        {TALLY_SUM_SQUARE, TALLY_I32, 1, {46341}, .result = 0x80001219}, /* 2147488281 */
        {TALLY_SUM_SQUARE, TALLY_I32, 2, {LOWEST32, 3}, .result = 9},
        {TALLY_SUM_SQUARE, TALLY_U32, 2, {ALL32, ALL32}, .result = 2}, /* (-1)^2 twice */
        {TALLY_SUM_SQUARE, TALLY_I64, 2, {0x100000000, LOWEST64}, .result = 0},
        {TALLY_SUM_SQUARE, TALLY_U64, 2, {ALL64, ALL64}, .result = 2},
    };
    small_check_folds(SMALL_ROWS(rows));
}
END_TEST

START_TEST(l1_of_the_lowest_integer_wraps) {
    static const small_fold rows[] = {
        {TALLY_L1, TALLY_I32, 1, {LOWEST32}, .result = LOWEST32},
        {TALLY_L1, TALLY_I32, 2, {LOWEST32, ALL32}, .result = 0x80000001}, /* 2^31 + |-1| */
        {TALLY_L1, TALLY_I32, 2, {LOWEST32, LOWEST32}, .result = 0},
        {TALLY_L1, TALLY_I64, 1, {LOWEST64}, .result = LOWEST64},
        {TALLY_L1, TALLY_I64, 2, {LOWEST64, LOWEST64}, .result = 0},
        {TALLY_L1, TALLY_U32, 2, {LOWEST32, 1}, .result = 0x80000001}, /* no sign: |x| is x */
        {TALLY_L1, TALLY_U64, 2, {ALL64, 1}, .result = 0},
    };
    small_check_folds(SMALL_ROWS(rows));
}
END_TEST

START_TEST(scans_of_integers_wrap) {
    static const small_scan rows[] = {
        {TALLY_SUM,
         TALLY_I32,
         0,
         0,
         3,
         {HIGHEST32, 1, 1},
         .result = {HIGHEST32, LOWEST32, 0x80000001}},
        {TALLY_SUM, TALLY_U32, 1, 0, 2, {2, ALL32}, .result = {1, ALL32}},
        {TALLY_SUM, TALLY_I64, 0, 1, 3, {HIGHEST64, 1, 5}, .result = {0, HIGHEST64, LOWEST64}},
        {TALLY_SUM, TALLY_U64, 1, 1, 3, {7, 2, ALL64}, .result = {1, ALL64, 0}},
        {TALLY_MULTIPLY,
         TALLY_I32,
         0,
         0,
         3,
         {0x10001, 0x10001, 2},
         .result = {0x10001, 0x20001, 0x40002}},
        {TALLY_MULTIPLY, TALLY_U32, 1, 0, 2, {ALL32, ALL32}, .result = {1, ALL32}},
        {TALLY_MULTIPLY, TALLY_I64, 0, 1, 3, {ALL64, LOWEST64, 9}, .result = {1, ALL64, LOWEST64}},
        {TALLY_MULTIPLY,
         TALLY_U64,
         0,
         0,
         3,
         {1ull << 32, 1ull << 32, 7},
         .result = {1ull << 32, 0, 0}},
    };
    small_check_scans(SMALL_ROWS(rows));
}
END_TEST

Suite *suite_contract_wrap(void) {
    Suite *suite = suite_create("contract_wrap");
    TCase *tests = tcase_create("contract_wrap");
    tcase_add_test(tests, sum_of_integers_wraps);
    tcase_add_test(tests, product_of_integers_wraps);
    tcase_add_test(tests, sum_square_of_integers_wraps);
    tcase_add_test(tests, l1_of_the_lowest_integer_wraps);
    tcase_add_test(tests, scans_of_integers_wrap);
    suite_add_tcase(suite, tests);
    return suite;
}
