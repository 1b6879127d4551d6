/*
 * test_contract_logs.c: the contract's rows on LOG_SUM_EXP, which is shifted by the maximum and so
 * neither overflows nor underflows, and on LOG_SUM, which is not. Expected bits are exact ones: of
 * sums whose other terms vanish, or far from where rounding could go either way.
 */
#include <check.h>
#include <math.h>

#include "support/descriptions/shape.h"
#include "support/fixtures/small.h"

Suite *suite_contract_logs(void);

#define F32_100 0x42C80000
#define F32_MINUS_100 0xC2C80000
#define F32_LARGEST 0x7F7FFFFF
#define F64_100 0x4059000000000000
#define F64_1000 0x408F400000000000
#define MINUS32 0x80000000
#define MINUS64 0x8000000000000000

/* e^-200 is lost beside 1, so that ln(1) = 0 is added to the maximum. */
START_TEST(log_sum_exp_is_shifted_by_the_maximum) {
    static const small_fold rows[] = {
        {TALLY_LOG_SUM_EXP, TALLY_F32, 2, {F32_100, F32_MINUS_100}, .result = F32_100},
        {TALLY_LOG_SUM_EXP, TALLY_F32, 2, {F32_MINUS_100, F32_100}, .result = F32_100},
        {TALLY_LOG_SUM_EXP, TALLY_F32, 1, {F32_100}, .result = F32_100},
        {TALLY_LOG_SUM_EXP, TALLY_F32, 1, {F32_MINUS_100}, .result = F32_MINUS_100},
        {TALLY_LOG_SUM_EXP,
         TALLY_F32,
         2,
         {F32_LARGEST, F32_LARGEST | MINUS32},
         .result = F32_LARGEST},
        {TALLY_LOG_SUM_EXP, TALLY_F32, 1, {F32_LARGEST | MINUS32}, .result = F32_LARGEST | MINUS32},
        {TALLY_LOG_SUM_EXP, TALLY_F64, 2, {F64_100, F64_100 | MINUS64}, .result = F64_100},
        {TALLY_LOG_SUM_EXP, TALLY_F64, 1, {F64_1000}, .result = F64_1000},
        {TALLY_LOG_SUM_EXP, TALLY_F64, 1, {F64_1000 | MINUS64}, .result = F64_1000 | MINUS64},
        {TALLY_LOG_SUM_EXP, TALLY_F16, 2, {0x5640, 0xD640}, .result = 0x5640}, /* 100, -100 */
        {TALLY_LOG_SUM_EXP, TALLY_F16, 2, {0xFBFF, 0x7BFF}, .result = 0x7BFF}, /* -65504, 65504 */
        {TALLY_LOG_SUM_EXP, TALLY_F16, 2, {0, 0}, .result = 0x398C}, /* ln 2 = 1420 * 2^-11 */
        {TALLY_LOG_SUM_EXP,
         TALLY_F16,
         2,
         {0xE3D0, 0xE3D0},
         .result = 0xE3CF}, /* -1000 + ln 2: -999.5 */
    };
    small_check_folds(SMALL_ROWS(rows));
}
END_TEST

START_TEST(log_sum_exp_of_all_minus_infinity_is_minus_infinity) {
    const small_float *f = &small_floats[_i];
    const uint64_t low = f->infinity | f->minus;
    const small_fold rows[] = {
        {TALLY_LOG_SUM_EXP, f->dtype, 1, {low}, .result = low},
        {TALLY_LOG_SUM_EXP, f->dtype, 3, {low, low, low}, .result = low},
        {TALLY_LOG_SUM_EXP, f->dtype, 0, {0}, .result = low, .length = 5000, .fill = low},
        {TALLY_LOG_SUM_EXP, f->dtype, 3, {low, f->four, low}, .result = f->four},
    };
    small_check_folds(SMALL_ROWS(rows));
}
END_TEST

START_TEST(log_sum_exp_with_a_nan_is_nan) {
    const small_float *f = &small_floats[_i];
    const uint64_t low = f->infinity | f->minus;
    const small_fold rows[] = {
        {TALLY_LOG_SUM_EXP, f->dtype, 1, {f->nan}, .result = f->nan},
        {TALLY_LOG_SUM_EXP, f->dtype, 3, {f->one, f->nans[0], f->two}, .result = f->nan},
        {TALLY_LOG_SUM_EXP, f->dtype, 2, {f->infinity, f->nans[1]}, .result = f->nan},
        {TALLY_LOG_SUM_EXP, f->dtype, 2, {f->nan, low}, .result = f->nan},
        {TALLY_LOG_SUM_EXP,
         f->dtype,
         2,
         {f->infinity, f->nan},
         .result = f->nan,
         .length = 9000,
         .fill = f->one,
         .position = {17, 4500}}, /* in different blocks */
    };
    small_check_folds(SMALL_ROWS(rows));
}
END_TEST

START_TEST(log_sum_exp_with_plus_infinity_is_plus_infinity) {
    const small_float *f = &small_floats[_i];
    const uint64_t low = f->infinity | f->minus;
    const small_fold rows[] = {
        {TALLY_LOG_SUM_EXP, f->dtype, 1, {f->infinity}, .result = f->infinity},
        {TALLY_LOG_SUM_EXP, f->dtype, 2, {f->infinity, f->infinity}, .result = f->infinity},
        {TALLY_LOG_SUM_EXP, f->dtype, 3, {f->one, f->infinity, low}, .result = f->infinity},
        {TALLY_LOG_SUM_EXP,
         f->dtype,
         2,
         {f->infinity, f->infinity},
         .result = f->infinity,
         .length = 9000,
         .fill = low,
         .position = {17, 4500}},
    };
    small_check_folds(SMALL_ROWS(rows));
}
END_TEST

/* Blocks are combined as maxima with sums: none of them may bring in its own scale. */
START_TEST(log_sum_exp_combines_blocks_by_their_maxima) {
    static const struct {
        uint64_t others, position; /* of the one term that does not vanish */
    } rows[] = {
        {F32_MINUS_100, 0},
        {F32_MINUS_100, 8999},
        {F32_LARGEST | MINUS32, 4096},
        {0xFF800000, 4500}, /* blocks of -inf alone */
    };
    /* ln 5000 = 8.51719; numbers there are 2^-7 apart: 1090 * 2^-7 */
    const small_fold zeros = {TALLY_LOG_SUM_EXP, TALLY_F16,     0, {0},
                              .result = 0x4842,  .length = 5000};
    small_check_folds(&zeros, 1);
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        const small_fold row = {TALLY_LOG_SUM_EXP,
                                TALLY_F32,
                                1,
                                {F32_100},
                                .result = F32_100,
                                .length = 9000,
                                .fill = rows[k].others,
                                .position = {rows[k].position}};
        small_check_folds(&row, 1);
    }
}
END_TEST

/* Axes 0 and 2 of {3, 2, 5}: the groups of axes are combined like blocks. */
START_TEST(log_sum_exp_combines_groups_of_axes_by_their_maxima) {
    float x[3][2][5], result[2] = {0, 0};
    const tally_reduce desc = shape_reduce(TALLY_LOG_SUM_EXP, TALLY_F32, SHAPE(3, 2, 5), 5);
    for (int k = 0; k < 15; k++) {
        x[k / 5][0][k % 5] = -100;
        x[k / 5][1][k % 5] = -INFINITY;
    }
    x[2][0][4] = 100;
    x[1][1][0] = 7;
    ck_assert(small_reduce(&desc, x, result));
    ck_assert(result[0] == 100 && result[1] == 7);
}
END_TEST

START_TEST(log_sum_of_0_is_minus_infinity) {
    const small_float *f = &small_floats[_i];
    const uint64_t low = f->infinity | f->minus;
    const small_fold rows[] = {
        {TALLY_LOG_SUM, f->dtype, 1, {0}, .result = low},
        {TALLY_LOG_SUM, f->dtype, 2, {f->minus, f->minus}, .result = low}, /* -0 is 0 as well */
        {TALLY_LOG_SUM, f->dtype, 2, {f->one, f->one | f->minus}, .result = low},
        {TALLY_LOG_SUM, f->dtype, 0, {0}, .result = low, .length = 5000, .fill = 0},
    };
    small_check_folds(SMALL_ROWS(rows));
}
END_TEST

START_TEST(log_sum_of_a_negative_sum_is_nan) {
    const small_float *f = &small_floats[_i];
    const uint64_t minus = f->minus;
    const small_fold rows[] = {
        {TALLY_LOG_SUM, f->dtype, 1, {f->one | minus}, .result = f->nan},
        {TALLY_LOG_SUM, f->dtype, 2, {f->four, f->sixteen | minus}, .result = f->nan},
        {TALLY_LOG_SUM, f->dtype, 1, {f->infinity | minus}, .result = f->nan},
        /* a negative term alone does no harm: ln 1 = 0 */
        {TALLY_LOG_SUM, f->dtype, 3, {f->one | minus, f->one | minus, f->one}, .result = f->nan},
        {TALLY_LOG_SUM, f->dtype, 3, {f->one | minus, f->one, f->one}, .result = 0},
        {TALLY_LOG_SUM, f->dtype, 2, {f->one, f->infinity}, .result = f->infinity},
    };
    small_check_folds(SMALL_ROWS(rows));
}
END_TEST

Suite *suite_contract_logs(void) {
    Suite *suite = suite_create("contract_logs");
    TCase *tests = tcase_create("contract_logs");
    tcase_add_test(tests, log_sum_exp_is_shifted_by_the_maximum);
    tcase_add_loop_test(tests, log_sum_exp_of_all_minus_infinity_is_minus_infinity, 0,
                        SMALL_FLOATS);
    tcase_add_loop_test(tests, log_sum_exp_with_a_nan_is_nan, 0, SMALL_FLOATS);
    tcase_add_loop_test(tests, log_sum_exp_with_plus_infinity_is_plus_infinity, 0, SMALL_FLOATS);
    tcase_add_test(tests, log_sum_exp_combines_blocks_by_their_maxima);
    tcase_add_test(tests, log_sum_exp_combines_groups_of_axes_by_their_maxima);
    tcase_add_loop_test(tests, log_sum_of_0_is_minus_infinity, 0, SMALL_FLOATS);
    tcase_add_loop_test(tests, log_sum_of_a_negative_sum_is_nan, 0, SMALL_FLOATS);
    suite_add_tcase(suite, tests);
    return suite;
}
