/*
 * test_number.c: the tests' own formats of numbers, against patterns worked out by hand and against
 * the host's arithmetic. No device is used.
 */
#include <check.h>
#include <string.h>

#include "support/numbers/number.h"
#include "support/numbers/values.h"

Suite *suite_number(void);

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

START_TEST(half_patterns_survive_decoding) {
    const number_type *half = number_type_of(TALLY_F16);
    for (uint64_t bits = 0; bits < 65536; bits++) {
        const uint64_t back = number_encode(half, number_decode(half, bits));
        ck_assert_uint_eq(back, number_is_nan(TALLY_F16, bits) ? 0x7E00 : bits);
    }
}
END_TEST

START_TEST(half_rounds_to_nearest_even) {
    static const struct {
        double value;
        uint64_t bits;
    } rows[] = {
        {0.0, 0x0000},           {-0.0, 0x8000},        {1, 0x3C00},         {-2, 0xC000},
        {0x1.ffcp15, 0x7BFF},                       /* 65504, the largest */
        {65519.99, 0x7BFF},                         /* below half way to what would follow */
        {65520, 0x7C00},                            /* half way: to even, which is infinity */
        {-1e30, 0xFC00},         {0x1p-14, 0x0400}, /* the smallest normal number */
        {0x1p-24, 0x0001},                          /* the smallest number */
        {0x1p-25, 0x0000},                          /* half of it: to even, which is 0 */
        {0x1.0001p-25, 0x0001},  {-0x1p-26, 0x8000},    {0x1.8p-24, 0x0002}, /* 1.5 of the smallest:
                                                                                to even */
        {1 + 0x1p-11, 0x3C00},                          /* half way above 1: to even */
        {1 + 0x1.8p-10, 0x3C02},                        /* half way above the next: to even */
        {1 + 0x1.1p-11, 0x3C01}, {0x1.ffep-15, 0x0400}, /* the last denormal's upper half rounds to
                                                           normal */
    };
    for (size_t k = 0; k < COUNT(rows); k++) {
        ck_assert_msg(number_from(TALLY_F16, rows[k].value) == rows[k].bits,
                      "%a rounds to 0x%04llx, not 0x%04llx", rows[k].value,
                      (unsigned long long)number_from(TALLY_F16, rows[k].value),
                      (unsigned long long)rows[k].bits);
    }
}
END_TEST

/* Any bits of a double round to float as the host rounds them, and come back from it. */
START_TEST(float_agrees_with_the_host) {
    const number_type *single = number_type_of(TALLY_F32), *wide = number_type_of(TALLY_F64);
    uint64_t state = 1;
    for (int k = 0; k < 200000; k++) {
        uint64_t bits = values_random(&state);
        if (k % 2 == 0) { /* a number near float32's range, its denormals included */
            bits = (bits & 0x801FFFFFFFFFFFFFu) | ((uint64_t)(1023 - 160 + k % 300) << 53 >> 1);
        }
        double value;
        memcpy(&value, &bits, sizeof value);
        const float rounded = (float)value;
        uint32_t float_bits;
        memcpy(&float_bits, &rounded, sizeof float_bits);
        const bool nan = isnan(value) != 0;
        ck_assert_uint_eq(number_from(TALLY_F32, value), nan ? single->nan : float_bits);
        ck_assert_uint_eq(number_encode(wide, number_decode(wide, bits)), nan ? wide->nan : bits);
        if (!nan) {
            ck_assert(number_decode(single, float_bits) == (double)rounded);
        }
    }
}
END_TEST

/* Rounding a quad to double, where a second rounding would show. */
START_TEST(double_rounds_once) {
    const number_type *wide = number_type_of(TALLY_F64);
    const quad tie = 1 + ldexpq(1, -53);
    ck_assert(number_round(wide, tie) == 1);
    ck_assert(number_round(wide, tie + ldexpq(1, -80)) == 1 + DBL_EPSILON);
    ck_assert(number_round(wide, ldexpq(1, -1075)) == 0);
    ck_assert(number_round(wide, ldexpq(1, -1075) + ldexpq(1, -1100)) == 0x1p-1074);
    ck_assert(isinf(number_round(wide, ldexpq(1, 1024))));
}
END_TEST

START_TEST(integers_are_widened_by_their_sign) {
    ck_assert_uint_eq(number_widen(number_type_of(TALLY_I8), 0x80), UINT64_MAX - 127);
    ck_assert_uint_eq(number_widen(number_type_of(TALLY_U8), 0x80), 0x80);
    ck_assert_uint_eq(number_widen(number_type_of(TALLY_I64), UINT64_MAX), UINT64_MAX);
    ck_assert_uint_eq(number_lowest(TALLY_I16), 0x8000);
    ck_assert_uint_eq(number_highest(TALLY_I16), 0x7FFF);
    ck_assert_uint_eq(number_lowest(TALLY_F16), 0xFC00);
    ck_assert_uint_eq(number_highest(TALLY_F64), 0x7FF0000000000000u);
}
END_TEST

Suite *suite_number(void) {
    Suite *suite = suite_create("number");
    TCase *tests = tcase_create("number");
    tcase_add_test(tests, half_patterns_survive_decoding);
    tcase_add_test(tests, half_rounds_to_nearest_even);
    tcase_add_test(tests, float_agrees_with_the_host);
    tcase_add_test(tests, double_rounds_once);
    tcase_add_test(tests, integers_are_widened_by_their_sign);
    suite_add_tcase(suite, tests);
    return suite;
}
