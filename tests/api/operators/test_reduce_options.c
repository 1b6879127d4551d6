/*
 * test_reduce_options.c: what the options of REDUCE decide: ties and NaN, for every type; and the
 * results that one sentence of the manual promises, with the numbers of that sentence.
 */
#include <check.h>
#include <math.h>

#include "support/descriptions/legal.h"
#include "support/descriptions/shape.h"
#include "support/fixtures/call.h"
#include "support/fixtures/run.h"
#include "support/numbers/number.h"
#include "support/share.h"

Suite *suite_reduce_options(void);

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const tally_function ordered[] = {TALLY_ARGMAX, TALLY_ARGMIN, TALLY_MAX, TALLY_MIN};

/* The classes in which options show: ties, NaN here and there, nothing but NaN, both zeros. */
static const values_class telling[] = {VALUES_FEW, VALUES_SOME_NAN, VALUES_SPECIAL, VALUES_ALL_NAN,
                                       VALUES_ZEROS};

/* An index's type is compiled: one for each tie of a function and a type, of both widths for the
 * two. */
static void run_options(tally_function function, tally_dtype dtype, tally_tie tie, tally_nan nan) {
    const shape shapes[] = {SHAPE(9, 1), SHAPE(9, 3), SHAPE(3, 130), SHAPE(2, 4099)};
    for (size_t k = 0; k < COUNT(shapes); k++) {
        for (size_t c = 0; c < COUNT(telling); c++) {
            tally_reduce desc = shape_reduce(function, dtype, shapes[k], 2);
            const run_how how = {telling[c], run_count(), (uint32_t)k, 1, false};
            desc.tie = tie;
            desc.nan = nan;
            if (legal_is_index(function)) {
                desc.output.dtype =
                    legal_index_types((int)function + (int)dtype + (tie == TALLY_TIE_LAST));
            }
            run_reduce(&desc, how);
        }
    }
}

/* Integers have ties, but no NaN; the option is legal and means nothing. */
START_TEST(ties_and_nan) {
    const tally_function function = ordered[_i % 4];
    const tally_dtype dtype = (tally_dtype)(TALLY_F16 + _i / 4);
    for (int ignore = 0; ignore < 2; ignore++) {
        for (int last = 0; last < (legal_is_index(function) ? 2 : 1); last++) {
            run_options(function, dtype, last != 0 ? TALLY_TIE_LAST : TALLY_TIE_FIRST,
                        ignore != 0 ? TALLY_NAN_IGNORE : TALLY_NAN_PROPAGATE);
        }
    }
}
END_TEST

/* ---- Promised numbers ----------------------------------------------------------------------- */

#define MAX_TERMS 4

/* The bits of the result of one reduction. */
static uint64_t reduce_row(tally_reduce desc, const void *elements) {
    unsigned char result[8] = {0};
    call_reduce(&desc, elements, result);
    return number_load(desc.output.dtype, result);
}

/* float32: the options' table of the manual, number by number. */
START_TEST(promised_of_float32) {
    const float inf = INFINITY, nan = NAN;
    const struct {
        tally_function function;
        tally_tie tie;
        tally_nan nan;
        uint64_t count;
        float x[MAX_TERMS];
        float result; /* or the index */
    } rows[] = {
        {TALLY_MIN, TALLY_TIE_FIRST, TALLY_NAN_PROPAGATE, 2, {0.0f, -0.0f}, -0.0f},
        {TALLY_MAX, TALLY_TIE_FIRST, TALLY_NAN_PROPAGATE, 2, {-0.0f, 0.0f}, 0.0f},
        {TALLY_ARGMIN, TALLY_TIE_FIRST, TALLY_NAN_PROPAGATE, 2, {0.0f, -0.0f}, 0},
        {TALLY_ARGMIN, TALLY_TIE_LAST, TALLY_NAN_PROPAGATE, 3, {0.0f, -0.0f, 1}, 1},
        {TALLY_ARGMAX, TALLY_TIE_FIRST, TALLY_NAN_PROPAGATE, 4, {1, nan, 2, nan}, 1},
        {TALLY_ARGMAX, TALLY_TIE_LAST, TALLY_NAN_PROPAGATE, 4, {1, nan, 2, nan}, 3},
        {TALLY_ARGMAX, TALLY_TIE_FIRST, TALLY_NAN_IGNORE, 4, {nan, -inf, 2, nan}, 2},
        {TALLY_ARGMAX, TALLY_TIE_FIRST, TALLY_NAN_IGNORE, 2, {nan, -inf}, 1},
        {TALLY_ARGMIN, TALLY_TIE_LAST, TALLY_NAN_IGNORE, 2, {nan, nan}, 0},
        {TALLY_MAX, TALLY_TIE_FIRST, TALLY_NAN_IGNORE, 2, {nan, nan}, nan},
        {TALLY_MAX, TALLY_TIE_FIRST, TALLY_NAN_IGNORE, 2, {nan, -inf}, -inf},
        {TALLY_MIN, TALLY_TIE_FIRST, TALLY_NAN_PROPAGATE, 2, {nan, -inf}, nan},
        {TALLY_SUM, TALLY_TIE_FIRST, TALLY_NAN_PROPAGATE, 2, {-0.0f, -0.0f}, -0.0f},
        {TALLY_SUM, TALLY_TIE_FIRST, TALLY_NAN_PROPAGATE, 2, {inf, -inf}, nan},
        {TALLY_LOG_SUM, TALLY_TIE_FIRST, TALLY_NAN_PROPAGATE, 2, {1, -1}, -inf},
        {TALLY_LOG_SUM, TALLY_TIE_FIRST, TALLY_NAN_PROPAGATE, 2, {1, -2}, nan},
        {TALLY_LOG_SUM_EXP, TALLY_TIE_FIRST, TALLY_NAN_PROPAGATE, 2, {100, -100}, 100},
        {TALLY_LOG_SUM_EXP, TALLY_TIE_FIRST, TALLY_NAN_PROPAGATE, 1, {-100}, -100},
        {TALLY_LOG_SUM_EXP, TALLY_TIE_FIRST, TALLY_NAN_PROPAGATE, 2, {-inf, -inf}, -inf},
        {TALLY_LOG_SUM_EXP, TALLY_TIE_FIRST, TALLY_NAN_PROPAGATE, 3, {inf, -inf, inf}, inf},
        {TALLY_LOG_SUM_EXP, TALLY_TIE_FIRST, TALLY_NAN_PROPAGATE, 3, {inf, nan, -inf}, nan},
        {TALLY_L2, TALLY_TIE_FIRST, TALLY_NAN_PROPAGATE, 2, {3, 4}, 5},
    };
    for (size_t k = 0; k < COUNT(rows); k++) {
        tally_reduce desc = shape_reduce(rows[k].function, TALLY_F32, SHAPE(rows[k].count), 1);
        desc.tie = rows[k].tie;
        desc.nan = rows[k].nan;
        const uint64_t bits = reduce_row(desc, rows[k].x);
        const uint64_t right = legal_is_index(rows[k].function)
                                   ? (uint64_t)rows[k].result
                                   : number_from(TALLY_F32, (double)rows[k].result);
        ck_assert_msg(bits == right, "row %zu gives 0x%llx, not 0x%llx", k,
                      (unsigned long long)bits, (unsigned long long)right);
    }
}
END_TEST

/* Four of the largest float16 sum to infinity, but their logarithm and average are finite. */
START_TEST(promised_of_float16) {
    const uint16_t largest[MAX_TERMS] = {0x7BFF, 0x7BFF, 0x7BFF, 0x7BFF};
    ck_assert_uint_eq(reduce_row(shape_reduce(TALLY_SUM, TALLY_F16, SHAPE(4), 1), largest), 0x7C00);
    ck_assert_uint_eq(reduce_row(shape_reduce(TALLY_LOG_SUM, TALLY_F16, SHAPE(4), 1), largest),
                      number_from(TALLY_F16, 12.476160747));
    ck_assert_uint_eq(reduce_row(shape_reduce(TALLY_AVERAGE, TALLY_F16, SHAPE(4), 1), largest),
                      0x7BFF);
}
END_TEST

/* 100 000 ones, read through a stride of 0, average to 1 in float16. */
START_TEST(average_of_many_ones) {
    const uint16_t one = 0x3C00;
    uint16_t ones[100];
    tally_reduce desc = shape_reduce(TALLY_AVERAGE, TALLY_F16, SHAPE(100, 1000), 3);
    for (size_t k = 0; k < COUNT(ones); k++) {
        ones[k] = one;
    }
    desc.input.flags = TALLY_STRIDED;
    desc.input.stride[0] = 1;
    ck_assert_uint_eq(reduce_row(desc, ones), one);
}
END_TEST

START_TEST(lowest_integers_wrap) {
    const int32_t x32[] = {INT32_MIN};
    const int64_t x64[] = {INT64_MIN, INT64_MIN, 5};
    ck_assert_uint_eq(reduce_row(shape_reduce(TALLY_L1, TALLY_I32, SHAPE(1), 1), x32),
                      (uint32_t)INT32_MIN);
    ck_assert_uint_eq(reduce_row(shape_reduce(TALLY_L1, TALLY_I64, SHAPE(3), 1), x64), 5);
    ck_assert_uint_eq(reduce_row(shape_reduce(TALLY_SUM, TALLY_I64, SHAPE(3), 1), x64), 5);
}
END_TEST

Suite *suite_reduce_options(void) {
    Suite *suite = suite_create("reduce_options");
    TCase *options = tcase_create("options"), *promised = tcase_create("promised");
    tcase_set_timeout(options, 600);
    tcase_set_timeout(promised, 600);
    share_add_loop(options, ties_and_nan, (int)COUNT(ordered) * LEGAL_DTYPES, 3);
    tcase_add_test(promised, promised_of_float32);
    tcase_add_test(promised, promised_of_float16);
    tcase_add_test(promised, average_of_many_ones);
    tcase_add_test(promised, lowest_integers_wrap);
    suite_add_tcase(suite, options);
    suite_add_tcase(suite, promised);
    return suite;
}
