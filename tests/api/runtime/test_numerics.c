/*
 * test_numerics.c: the verdict of the numerics probe. This device passes; results that are altered,
 * a text that lets products and sums be fused, and options that make the compiler careless fail,
 * each with its sentence.
 */
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "api/runtime.h"
#include "device/trial/numerics.h"
#include "plan/program/source.h"
#include "support/fixtures/fixture.h"
#include "support/refusal.h"

#define ALL_TYPES UINT32_C(0xFFE)
#define BIT(dtype) (UINT32_C(1) << (dtype))

static const tally_dtype dtypes[] = {TALLY_F16, TALLY_F32, TALLY_F64};
#define DTYPES ((int)(sizeof dtypes / sizeof dtypes[0]))

static tally_numerics ask(tally_runtime *runtime) {
    tally_numerics numerics = TALLY_NUMERICS_INIT;
    tally_error error;
    fixture_ok(tally_runtime_numerics(runtime, &numerics, &error), &error,
               "tally_runtime_numerics");
    ck_assert_str_eq(error.message, "");
    return numerics;
}

/* ---- This device ---------------------------------------------------------------------------- */

START_TEST(this_device_gives_the_guaranteed_bits) {
    const uint32_t without = fixture_get()->has_f64 ? 0 : BIT(TALLY_F64);
    const tally_numerics numerics = ask(fixture_get()->runtime);
    ck_assert_msg(numerics.guaranteed, "%s", numerics.reasons);
    ck_assert_uint_eq(numerics.failures, 0);
    ck_assert_str_eq(numerics.reasons, "");
    ck_assert_uint_eq(numerics.dtypes, ALL_TYPES & ~without);
    ck_assert_uint_ge(numerics.checks, 80);
}
END_TEST

/* Options that no compiler takes show who compiles. */
START_TEST(the_verdict_is_found_once_and_kept) {
    tally_runtime *runtime = fixture_make_runtime();
    const char *options = runtime->device.build_options;
    tally_numerics numerics = TALLY_NUMERICS_INIT;
    tally_stats stats = {.struct_size = sizeof stats};
    tally_error error;
    runtime->device.build_options = "-cl-no-such-option";
    ck_assert_int_eq(tally_runtime_numerics(runtime, &numerics, &error), TALLY_BUILD_FAILED);
    ck_assert_ptr_nonnull(strstr(error.message, "numerics probe"));
    ck_assert_ptr_null(numerics.reasons);
    runtime->device.build_options = options;
    numerics = ask(runtime);
    ck_assert(numerics.guaranteed);
    runtime->device.build_options = "-cl-no-such-option";
    const tally_numerics again = ask(runtime);
    ck_assert(again.guaranteed);
    ck_assert_ptr_eq(again.reasons, numerics.reasons);
    fixture_ok(tally_runtime_stats(runtime, &stats, &error), &error, "tally_runtime_stats");
    ck_assert_uint_eq(stats.programs_built, 0); /* it is no operator's */
    tally_runtime_release(runtime);
}
END_TEST

/* The least that a device can have: no groups to speak of, no float64. */
START_TEST(a_poor_device_has_a_verdict) {
    const uint32_t checks = ask(fixture_get()->runtime).checks;
    tally_runtime *runtime = fixture_make_runtime();
    runtime->device.limits.group_max = 1;
    runtime->device.limits.local_bytes = 16384;
    runtime->device.limits.units = 1;
    runtime->device.limits.address_bits = 32;
    runtime->device.limits.has_f64 = false;
    const tally_numerics numerics = ask(runtime);
    ck_assert_msg(numerics.guaranteed, "%s", numerics.reasons);
    ck_assert_uint_eq(numerics.dtypes, ALL_TYPES & ~BIT(TALLY_F64));
    ck_assert_uint_le(numerics.checks, checks);
    tally_runtime_release(runtime);
}
END_TEST

/* ---- Results that are altered --------------------------------------------------------------- */

static uint32_t expected_of(tally_dtype dtype, uint64_t *results) {
    uint32_t count = 0;
    const tally_probe_check *checks = tally_probe_checks(dtype, &count);
    for (uint32_t i = 0; i < count; i++)
        results[i] = checks[i].expected;
    return count;
}

START_TEST(each_wrong_result_is_one_line) {
    uint64_t results[TALLY_PROBE_CHECKS_MAX];
    const uint32_t count = expected_of(dtypes[_i], results);
    tally_text reasons = TALLY_TEXT_INIT;
    ck_assert_uint_eq(tally_verdict_judge(dtypes[_i], results, &reasons), 0);
    ck_assert_ptr_null(reasons.data);
    for (uint32_t i = 0; i < count; i++) {
        char wanted[64];
        results[i] ^= 1;
        ck_assert_uint_eq(tally_verdict_judge(dtypes[_i], results, &reasons), 1);
        snprintf(wanted, sizeof wanted, "%llX, not 0x", (unsigned long long)results[i]);
        ck_assert_msg(strstr(reasons.data, wanted) != NULL, "'%s' lacks '%s'", reasons.data,
                      wanted);
        ck_assert_ptr_eq(strchr(reasons.data, '\n'), reasons.data + reasons.length - 1);
        ck_assert_int_eq(strncmp(reasons.data, tally_dtype_name(dtypes[_i]), 3), 0);
        ck_assert_ptr_null(strstr(reasons.data, "(null)"));
        results[i] ^= 1;
        tally_text_free(&reasons);
    }
}
END_TEST

START_TEST(the_line_says_it_all) {
    uint64_t results[TALLY_PROBE_CHECKS_MAX];
    uint32_t count = expected_of(TALLY_F32, results), i = 0;
    const tally_probe_check *checks = tally_probe_checks(TALLY_F32, &count);
    tally_text reasons = TALLY_TEXT_INIT;
    while (checks[i].property != TALLY_PROPERTY_CONTRACTION)
        i++;
    results[i] = 0x33800000;
    ck_assert_uint_eq(tally_verdict_judge(TALLY_F32, results, &reasons), 1);
    ck_assert_str_eq(reasons.data, "f32: products and sums are fused: a * b + c of 0x3F800800, "
                                   "0x3F800800 and 0xBF801000 is 0x33800000, not 0x00000000\n");
    tally_text_free(&reasons);
}
END_TEST

/* ---- A compiler that is let loose ----------------------------------------------------------- */

/* Where contraction is allowed and the device has a fused operation, the probe sees it. */
START_TEST(contraction_is_seen) {
    uint64_t results[TALLY_PROBE_CHECKS_MAX];
    tally_text source = TALLY_TEXT_INIT, reasons = TALLY_TEXT_INIT;
    tally_error error;
    tally_source_write_probe(TALLY_F32, false, &source);
    ck_assert(!source.failed);
    char *pragma = strstr(source.data, "FP_CONTRACT OFF");
    ck_assert_ptr_nonnull(pragma);
    memcpy(pragma, "FP_CONTRACT ON ", strlen("FP_CONTRACT ON "));
    char *seen = strstr(source.data, "TALLY_AS_KEY(a * b + c)");
    ck_assert_ptr_nonnull(seen);
    memcpy(seen, "as_uint(fma(a , b , c))", strlen("as_uint(fma(a , b , c))"));
    fixture_ok(tally_numerics_run(&fixture_get()->runtime->device, TALLY_F32, source.data, results,
                                  &error),
               &error, "tally_numerics_run");
    ck_assert_uint_gt(tally_verdict_judge(TALLY_F32, results, &reasons), 0);
    ck_assert_ptr_nonnull(strstr(reasons.data, "f32: products and sums are fused: a * b + c of"));
    tally_text_free(&source);
    tally_text_free(&reasons);
}
END_TEST

/* The last of a text, written over in place. */
static void replace_last(char *text, const char *old, const char *new) {
    char *last = strstr(text, old);
    if (last == NULL || strlen(old) != strlen(new))
        ck_abort_msg("no '%s' of the length of '%s'", old, new);
    for (char *at = last; at != NULL; at = strstr(at + 1, old))
        last = at;
    memcpy(last, new, strlen(new));
}

/* What CPUs' kernels compute by vectors is computed so: a fault in that text alone shows. */
static const struct vector_fault {
    tally_dtype dtype;
    const char *old, *new, *complaint;
} vector_faults[] = {
    {TALLY_F32, "0x1.6a5f9p-10f", "0x1.7a5f9p-10f", "f32: exp has other bits"},
    {TALLY_F64, "0x1.ada5284e819a5p-26", "0x1.ada5284e819a5p-16", "f64: exp has other bits"},
    {TALLY_F32, "(uint8)(TALLY_NAN_BITS)", "(uint8)(0x7FC00001u   )",
     "f32: NaN is stored with other"},
    {TALLY_F32, "(a * b + c), as * bs + cs", "(a*b+c), fma(as, bs, cs) ",
     "f32: products and sums are fused"},
};

START_TEST(a_fault_of_vectors_is_seen) {
    const struct vector_fault *fault = &vector_faults[_i];
    uint64_t results[TALLY_PROBE_CHECKS_MAX];
    tally_text source = TALLY_TEXT_INIT, reasons = TALLY_TEXT_INIT;
    tally_error error;
    if (fault->dtype == TALLY_F64 && !fixture_get()->has_f64)
        return;
    for (int planted = 0; planted < 2; planted++) {
        tally_source_write_probe(fault->dtype, true, &source);
        ck_assert(!source.failed);
        if (planted)
            replace_last(source.data, fault->old, fault->new);
        fixture_ok(tally_numerics_run(&fixture_get()->runtime->device, fault->dtype, source.data,
                                      results, &error),
                   &error, "tally_numerics_run");
        const uint32_t failures = tally_verdict_judge(fault->dtype, results, &reasons);
        ck_assert_msg((failures > 0) == (planted != 0), "%s", reasons.data);
        tally_text_free(&source);
    }
    ck_assert_ptr_nonnull(strstr(reasons.data, fault->complaint));
    tally_text_free(&reasons);
}
END_TEST

/* Options that allow what must not be, added to the device's own. What PoCL 3.1 makes of them. */
static const struct careless {
    const char *option;
    const char *complaint;
    uint32_t lost; /* types */
} careless[] = {
    {"-cl-fast-relaxed-math", "f32: the order of operations is changed: (a + b) - b of",
     BIT(TALLY_F16) | BIT(TALLY_F32) | BIT(TALLY_F64)},
    {"-cl-unsafe-math-optimizations", "f32: exp has other bits: exp(a) of 0xBF800000",
     BIT(TALLY_F16) | BIT(TALLY_F32) | BIT(TALLY_F64)},
    {"-cl-denorms-are-zero",
     "f32: denormals are not kept: a * b of 0x00000003 and 0x3F000000 is 0x00000000",
     BIT(TALLY_F16) | BIT(TALLY_F32) | BIT(TALLY_F64)},
    {"-cl-finite-math-only", "f32: NaN is stored with other bits",
     BIT(TALLY_F16) | BIT(TALLY_F32) | BIT(TALLY_F64)},
};
#define CARELESS ((int)(sizeof careless / sizeof careless[0]))

static bool is_pocl(void) {
    char version[256] = "";
    fixture_check(
        clGetDeviceInfo(fixture_get()->device, CL_DEVICE_VERSION, sizeof version, version, NULL));
    return strstr(version, "PoCL") != NULL;
}

START_TEST(careless_options_are_seen) {
    char options[256];
    tally_runtime *runtime = fixture_make_runtime();
    snprintf(options, sizeof options, "-cl-std=CL1.2 %s", careless[_i].option);
    runtime->device.build_options = options;
    const tally_numerics numerics = ask(runtime);
    /* A compiler may do what it may do; on PoCL it is known what it does. */
    ck_assert(numerics.guaranteed == (numerics.failures == 0));
    if (is_pocl()) {
        ck_assert(!numerics.guaranteed);
        ck_assert_uint_eq(numerics.dtypes & careless[_i].lost, 0);
        ck_assert_msg(strstr(numerics.reasons, careless[_i].complaint) != NULL, "'%s' lacks '%s'",
                      numerics.reasons, careless[_i].complaint);
    }
    ck_assert_uint_eq(numerics.dtypes & ~BIT(TALLY_F16) & ~BIT(TALLY_F32) & ~BIT(TALLY_F64),
                      ALL_TYPES & ~BIT(TALLY_F16) & ~BIT(TALLY_F32) & ~BIT(TALLY_F64));
    tally_runtime_release(runtime);
}
END_TEST

/* ---- Misuse --------------------------------------------------------------------------------- */

START_TEST(malformed_questions_are_refused) {
    tally_error error;
    tally_numerics numerics = TALLY_NUMERICS_INIT;
    tally_runtime *runtime = fixture_get()->runtime;
    refusal_check(REFUSAL(TALLY_INVALID, "runtime", "NULL"),
                  tally_runtime_numerics(NULL, &numerics, &error), &error);
    refusal_check(REFUSAL(TALLY_INVALID, "tally_numerics", "NULL"),
                  tally_runtime_numerics(runtime, NULL, &error), &error);
    numerics.struct_size = 13;
    refusal_check(REFUSAL(TALLY_INVALID, "struct_size", "13"),
                  tally_runtime_numerics(runtime, &numerics, &error), &error);
    ck_assert_int_eq(tally_runtime_numerics(NULL, NULL, NULL), TALLY_INVALID);
}
END_TEST

Suite *suite_numerics(void);
Suite *suite_numerics(void) {
    Suite *suite = suite_create("numerics");
    TCase *tests = tcase_create("numerics");
    tcase_set_timeout(tests, 300);
    tcase_add_test(tests, this_device_gives_the_guaranteed_bits);
    tcase_add_test(tests, the_verdict_is_found_once_and_kept);
    tcase_add_test(tests, a_poor_device_has_a_verdict);
    tcase_add_loop_test(tests, each_wrong_result_is_one_line, 0, DTYPES);
    tcase_add_test(tests, the_line_says_it_all);
    tcase_add_test(tests, contraction_is_seen);
    tcase_add_loop_test(tests, a_fault_of_vectors_is_seen, 0,
                        (int)(sizeof vector_faults / sizeof vector_faults[0]));
    tcase_add_loop_test(tests, careless_options_are_seen, 0, CARELESS);
    tcase_add_test(tests, malformed_questions_are_refused);
    suite_add_tcase(suite, tests);
    return suite;
}
