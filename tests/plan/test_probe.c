/*
 * The numerics probe's table, held against C's arithmetic and the tests' own formats: each check's
 * bits are right, and nothing that the table can say goes unsaid. And the sources of its programs.
 */
#include "plan/probe.h"

#include <math.h>
#include <string.h>

#include <check.h>

#include "plan/program/source.h"
#include "support/numbers/math_c.h"
#include "support/numbers/number.h"
#include "support/plans/source_scan.h"

static const tally_dtype dtypes[] = {TALLY_F16, TALLY_F32, TALLY_F64};
#define DTYPES ((int)(sizeof dtypes / sizeof dtypes[0]))

/* ---- What C makes of a check ---------------------------------------------------------------- */

static float f32_of(uint64_t bits) {
    const uint32_t narrow = (uint32_t)bits;
    float value;
    memcpy(&value, &narrow, sizeof value);
    return value;
}

static double f64_of(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* A number as the bits of the arithmetic's type; NaN need not be told from NaN. */
static uint64_t bits_of(const tally_probe_check *check, double value) {
    return number_from(check->dtype == TALLY_F64 ? TALLY_F64 : TALLY_F32, value);
}

/* Each step is rounded by the assignment to a variable that the compiler has to believe in. */
#define ARITHMETIC(name, type, of, square_root, exponential, logarithm)                            \
    static double name(uint32_t operation, const uint64_t *operand) {                              \
        volatile type a = of(operand[0]), b = of(operand[1]), c = of(operand[2]);                  \
        volatile type product = operation == TALLY_PROBE_SUBTRACT_PRODUCT ? b * c : a * b;         \
        volatile type sum = a + b, aa = a * a, bb = b * b, cc = c * c, squares = aa + bb;          \
        type x = a, y = 0;                                                                         \
        switch (operation) {                                                                       \
        case TALLY_PROBE_ADD:                                                                      \
            return sum;                                                                            \
        case TALLY_PROBE_MULTIPLY:                                                                 \
            return product;                                                                        \
        case TALLY_PROBE_MULTIPLY_ADD:                                                             \
            return product + c;                                                                    \
        case TALLY_PROBE_SUBTRACT_PRODUCT:                                                         \
            return a - product;                                                                    \
        case TALLY_PROBE_SUM_SQUARES:                                                              \
            return squares + cc;                                                                   \
        case TALLY_PROBE_ADD_ADD:                                                                  \
            return sum + c;                                                                        \
        case TALLY_PROBE_ADD_BACK:                                                                 \
            return sum - b;                                                                        \
        case TALLY_PROBE_PRODUCT:                                                                  \
            return product * c;                                                                    \
        case TALLY_PROBE_LESS:                                                                     \
            return a < b;                                                                          \
        case TALLY_PROBE_NAN_SUM:                                                                  \
            return isnan(sum) != 0;                                                                \
        case TALLY_PROBE_DIVIDE:                                                                   \
            return a / b;                                                                          \
        case TALLY_PROBE_SQRT:                                                                     \
            return square_root(a);                                                                 \
        case TALLY_PROBE_EXP:                                                                      \
            exponential(&x, &y, 1);                                                                \
            return y;                                                                              \
        case TALLY_PROBE_LOG:                                                                      \
            logarithm(&x, &y, 1);                                                                  \
            return y;                                                                              \
        default:                                                                                   \
            ck_abort_msg("the test does not know the operation %u", (unsigned)operation);          \
            return 0;                                                                              \
        }                                                                                          \
    }
ARITHMETIC(compute_f32, float, f32_of, sqrtf, math_c_exp_f32, math_c_log_f32)
ARITHMETIC(compute_f64, double, f64_of, sqrt, math_c_exp_f64, math_c_log_f64)

static uint64_t expect_of(const tally_probe_check *check) {
    const uint64_t a = check->operand[0];
    const bool wide = check->dtype == TALLY_F64;
    switch (check->operation) {
    case TALLY_PROBE_LOAD:
    case TALLY_PROBE_UNPACK:
        return bits_of(check, number_decode(number_type_of(check->dtype), a));
    case TALLY_PROBE_STORE:
        return number_from(check->dtype, wide ? f64_of(a) : (double)f32_of(a));
    case TALLY_PROBE_COUNT:
        return bits_of(check, wide ? (double)a : (double)(float)a);
    case TALLY_PROBE_LESS:
    case TALLY_PROBE_NAN_SUM:
        return (uint64_t)(wide ? compute_f64 : compute_f32)(check->operation, check->operand);
    default:
        return bits_of(check, (wide ? compute_f64 : compute_f32)(check->operation, check->operand));
    }
}

START_TEST(each_check_is_what_c_computes) {
    uint32_t count = 0;
    const tally_probe_check *checks = tally_probe_checks(dtypes[_i], &count);
    ck_assert_uint_ge(count, 20);
    ck_assert_uint_le(count, TALLY_PROBE_CHECKS_MAX);
    for (uint32_t i = 0; i < count; i++)
        if (checks[i].expected != expect_of(&checks[i]))
            ck_abort_msg("item %u of dtype %d, operation %u: 0x%llX is in the table, 0x%llX in C",
                         (unsigned)i, (int)dtypes[_i], (unsigned)checks[i].operation,
                         (unsigned long long)checks[i].expected,
                         (unsigned long long)expect_of(&checks[i]));
}
END_TEST

/* ---- The table ------------------------------------------------------------------------------ */

START_TEST(every_property_and_operation_has_checks) {
    uint32_t properties = 0, operations = 0;
    for (int k = 0; k < DTYPES; k++) {
        uint32_t count = 0;
        const tally_probe_check *checks = tally_probe_checks(dtypes[k], &count);
        for (uint32_t i = 0; i < count; i++) {
            ck_assert_int_eq(checks[i].dtype, dtypes[k]);
            ck_assert_uint_eq(checks[i].expected & ~tally_probe_mask(&checks[i]), 0);
            properties |= UINT32_C(1) << checks[i].property;
            operations |= UINT32_C(1) << checks[i].operation;
        }
    }
    ck_assert_uint_eq(properties, (UINT32_C(1) << TALLY_PROPERTIES) - 1);
    ck_assert_uint_eq(operations, (UINT32_C(1) << TALLY_PROBE_OPERATIONS) - 1);
}
END_TEST

START_TEST(other_types_have_no_checks) {
    for (int dtype = TALLY_I8; dtype <= TALLY_U64; dtype++) {
        uint32_t count = 1;
        tally_probe_checks((tally_dtype)dtype, &count);
        ck_assert_uint_eq(count, 0);
    }
}
END_TEST

#if !defined(_WIN32) /* where mingw's fma rounds twice */
/*
 * The contraction checks are worth something: fused, each gives other bits. One of the two products
 * of a sum of squares is enough.
 */
START_TEST(contraction_would_show) {
    for (int k = 1; k < DTYPES; k++) {
        uint32_t count = 0;
        const tally_probe_check *checks = tally_probe_checks(dtypes[k], &count);
        for (uint32_t i = 0; i < count; i++) {
            if (checks[i].property != TALLY_PROPERTY_CONTRACTION)
                continue;
            const bool wide = checks[i].dtype == TALLY_F64;
            double x[3];
            for (int j = 0; j < 3; j++)
                x[j] = wide ? f64_of(checks[i].operand[j]) : (double)f32_of(checks[i].operand[j]);
            const bool minus = checks[i].operation == TALLY_PROBE_SUBTRACT_PRODUCT;
            double fused = minus ? fma(-x[1], x[2], x[0]) : fma(x[0], x[1], x[2]);
            if (checks[i].operation == TALLY_PROBE_SUM_SQUARES)
                fused = x[2] == 0 ? fma(x[1], x[1], x[0] * x[0]) : fma(x[2], x[2], x[1] * x[1]);
            ck_assert_uint_ne(bits_of(&checks[i], fused), checks[i].expected);
        }
    }
}
END_TEST
#endif

/* ---- The sources ---------------------------------------------------------------------------- */

static void check_source(tally_dtype dtype, bool vectors) {
    char name[128];
    tally_text source = TALLY_TEXT_INIT;
    tally_source_write_probe(dtype, vectors, &source);
    ck_assert(!source.failed);
    ck_assert_ptr_null(source_scan_wrong_macro(source.data, name));
    ck_assert(source_scan_balanced(source.data));
    ck_assert_ptr_null(strstr(source.data, "not embedded"));
    ck_assert_uint_eq(source_scan_count(source.data, "__kernel"), 1);
    ck_assert_int_eq(strncmp(source.data, "#pragma OPENCL FP_CONTRACT OFF\n", 31), 0);
    ck_assert((strstr(source.data, "cl_khr_fp64") != NULL) == (dtype == TALLY_F64));
    ck_assert((strstr(source.data, "tally_exp_all") != NULL &&
               source_scan_count(source.data, "TALLY_VLOAD") > 0) == vectors);
    ck_assert_ptr_nonnull(strstr(source.data, "\n#line 1 \"cl/kernel/probe.cl\"\n"));
    tally_text_free(&source);
}

START_TEST(the_sources_are_whole) {
    check_source(dtypes[_i], false);
    check_source(dtypes[_i], true);
}
END_TEST

Suite *suite_probe(void);
Suite *suite_probe(void) {
    Suite *suite = suite_create("probe");
    TCase *tests = tcase_create("probe");
    tcase_add_loop_test(tests, each_check_is_what_c_computes, 0, DTYPES);
    tcase_add_test(tests, every_property_and_operation_has_checks);
    tcase_add_test(tests, other_types_have_no_checks);
#if !defined(_WIN32)
    tcase_add_test(tests, contraction_would_show);
#endif
    tcase_add_loop_test(tests, the_sources_are_whole, 0, DTYPES);
    suite_add_tcase(suite, tests);
    return suite;
}
