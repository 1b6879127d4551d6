/*
 * test_contract_half.c: the contract's row on float16: terms are combined in float32 and the result
 * is rounded once. Each expectation is one that float16 arithmetic would miss. Worked out by hand.
 */
#include <check.h>

#include "support/descriptions/shape.h"
#include "support/fixtures/small.h"

Suite *suite_contract_half(void);

#define ONE 0x3C00
#define INFINITE 0x7C00
#define LARGEST 0x7BFF       /* 65504 */
#define MINUS_LARGEST 0xFBFF /* -65504 */
#define TINY 0x0001          /* 2^-24, the smallest */

START_TEST(float16_sum_accumulates_in_float32) {
    static const small_fold rows[] = {
        /* whichever two terms meet first, in one of these they are of one sign and pass 65504 */
        {TALLY_SUM, TALLY_F16, 4, {LARGEST, LARGEST, MINUS_LARGEST, MINUS_LARGEST}, .result = 0},
        {TALLY_SUM, TALLY_F16, 4, {LARGEST, MINUS_LARGEST, LARGEST, MINUS_LARGEST}, .result = 0},
        {TALLY_SUM, TALLY_F16, 4, {LARGEST, MINUS_LARGEST, MINUS_LARGEST, LARGEST}, .result = 0},
        {TALLY_AVERAGE, TALLY_F16, 2, {LARGEST, LARGEST}, .result = LARGEST},
        {TALLY_L2, TALLY_F16, 2, {0x5CB0, 0x5E40}, .result = 0x5FD0}, /* 300, 400: 500 */
        {TALLY_MULTIPLY,
         TALLY_F16,
         4,
         {0x6000, 0x1800, 0x6000, 0x1800},
         .result = ONE}, /* 2^9, 2^-9 */
        {TALLY_MULTIPLY,
         TALLY_F16,
         5,
         {TINY, TINY, 0x7800, 0x7800, 0x7800},
         .result = 0x3000}, /* 2^-3 */
    };
    small_check_folds(SMALL_ROWS(rows));
}
END_TEST

START_TEST(float16_result_is_rounded_once) {
    static const small_fold rows[] = {
        /* 2048 + 1 + 2^-12 lies above the middle of 2048 and 2050 */
        {TALLY_SUM, TALLY_F16, 3, {0x6800, ONE, 0x0C00}, .result = 0x6801},
        {TALLY_SUM, TALLY_F16, 2, {0x6800, ONE}, .result = 0x6800},       /* the middle: to even */
        {TALLY_SUM, TALLY_F16, 2, {LARGEST, 0x4B80}, .result = LARGEST},  /* 65519 */
        {TALLY_SUM, TALLY_F16, 2, {LARGEST, 0x4C00}, .result = INFINITE}, /* 65520, the middle */
        {TALLY_SUM, TALLY_F16, 4, {LARGEST, LARGEST, LARGEST, LARGEST}, .result = INFINITE},
        {TALLY_AVERAGE, TALLY_F16, 2, {TINY, 0}, .result = 0}, /* half of the smallest: to even */
        {TALLY_AVERAGE, TALLY_F16, 2, {TINY, 2}, .result = 2}, /* 1.5 times the smallest */
        {TALLY_SUM_SQUARE, TALLY_F16, 1, {0x0C00}, .result = TINY}, /* (2^-12)^2 */
    };
    small_check_folds(SMALL_ROWS(rows));
}
END_TEST

START_TEST(float16_log_sum_of_4_times_65504_is_finite) {
    static const small_fold rows[] = {
        /* ln 262016 = 12.47616; numbers there are 2^-7 apart: 1597 * 2^-7 */
        {TALLY_LOG_SUM, TALLY_F16, 4, {LARGEST, LARGEST, LARGEST, LARGEST}, .result = 0x4A3D},
    };
    small_check_folds(SMALL_ROWS(rows));
}
END_TEST

/* One element, repeated. float16 counts to 2048 and no further. */
START_TEST(float16_average_of_100000_ones_is_1) {
    const uint16_t one = ONE;
    uint16_t average = 0;
    tally_reduce desc = shape_reduce(TALLY_AVERAGE, TALLY_F16, SHAPE(100000), 1);
    shape_repeat(&desc.input, 1);
    ck_assert(small_reduce(&desc, &one, &average));
    ck_assert_uint_eq(average, ONE);
}
END_TEST

START_TEST(float16_scan_accumulates_in_float32) {
    static const small_scan rows[] = {
        /* 2048, 2049 and 2050: the middle one has to be rounded and the last does not see it */
        {TALLY_SUM, TALLY_F16, 0, 0, 3, {0x6800, ONE, ONE}, .result = {0x6800, 0x6800, 0x6801}},
        {TALLY_SUM,
         TALLY_F16,
         1,
         0,
         3,
         {MINUS_LARGEST, LARGEST, LARGEST},
         .result = {LARGEST, INFINITE, LARGEST}},
        {TALLY_SUM, TALLY_F16, 0, 1, 3, {0x6800, ONE, ONE}, .result = {0, 0x6800, 0x6800}},
        /* 2^-24, 2^-48, 2^-33, 2^-18, 2^-3: what rounds to 0 is not lost */
        {TALLY_MULTIPLY,
         TALLY_F16,
         0,
         0,
         5,
         {TINY, TINY, 0x7800, 0x7800, 0x7800},
         .result = {TINY, 0, 0, 0x0040, 0x3000}},
        {TALLY_MULTIPLY,
         TALLY_F16,
         0,
         0,
         4,
         {0x6000, 0x6000, 0x1800, 0x1800},
         .result = {0x6000, INFINITE, 0x6000, ONE}},
    };
    small_check_scans(SMALL_ROWS(rows));
}
END_TEST

Suite *suite_contract_half(void) {
    Suite *suite = suite_create("contract_half");
    TCase *tests = tcase_create("contract_half");
    tcase_add_test(tests, float16_sum_accumulates_in_float32);
    tcase_add_test(tests, float16_result_is_rounded_once);
    tcase_add_test(tests, float16_log_sum_of_4_times_65504_is_finite);
    tcase_add_test(tests, float16_average_of_100000_ones_is_1);
    tcase_add_test(tests, float16_scan_accumulates_in_float32);
    suite_add_tcase(suite, tests);
    return suite;
}
