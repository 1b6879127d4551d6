/*
 * test_bits.c: what a result may not depend on, bit for bit, with values whose sums round at every
 * step: strides and offsets, in place or not, inclusive or exclusive, from one run to the next.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "support/descriptions/shape.h"
#include "support/fixtures/call.h"
#include "support/numbers/number.h"
#include "support/numbers/values.h"
#include "support/oracle/oracle.h"

Suite *suite_bits(void);

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void *allocate(uint64_t bytes) {
    void *memory = calloc(1, (size_t)bytes);
    ck_assert_ptr_nonnull(memory);
    return memory;
}

/* The same elements in row-major order, in the memory of this tensor; the caller frees it. */
static void *elements_of(const tally_tensor *tensor, values_class values) {
    unsigned char *memory = allocate(oracle_extent(tensor));
    uint64_t state = 42;
    for (uint64_t k = 0; k < oracle_count(tensor); k++) {
        number_store(tensor->dtype, memory + oracle_offset(tensor, k) * number_bytes(tensor->dtype),
                     values_element(values, tensor->dtype, &state));
    }
    return memory;
}

static uint64_t element_at(const tally_tensor *tensor, const void *memory, uint64_t index) {
    const uint64_t byte = oracle_offset(tensor, index) * number_bytes(tensor->dtype);
    return number_load(tensor->dtype, (const unsigned char *)memory + byte);
}

/* Compare two outputs of the same sizes, whatever their strides. */
static void check_same(const tally_tensor *a, const void *x, const tally_tensor *b, const void *y,
                       const char *what) {
    for (uint64_t k = 0; k < oracle_count(a); k++) {
        const uint64_t is = element_at(b, y, k), should = element_at(a, x, k);
        ck_assert_msg(is == should, "%s: element %llu has bits 0x%llx, not 0x%llx", what,
                      (unsigned long long)k, (unsigned long long)is, (unsigned long long)should);
    }
}

/* ---- Strides -------------------------------------------------------------------------------- */

typedef struct subject {
    tally_function function;
    tally_dtype dtype;
    values_class values;
} subject;

static const subject subjects[] = {
    {TALLY_SUM, TALLY_F32, VALUES_WIDE},
    {TALLY_MULTIPLY, TALLY_F64, VALUES_NEAR_ONE},
    {TALLY_LOG_SUM_EXP, TALLY_F32, VALUES_EXPONENTS},
    {TALLY_SUM_SQUARE, TALLY_F16, VALUES_NEAR_ONE},
};

START_TEST(reductions_do_not_see_strides) {
    const subject it = subjects[_i];
    const struct {
        shape sizes;
        uint32_t axes;
    } cases[] = {
        {SHAPE(9000), 1}, {SHAPE(5, 4, 700), 5}, {SHAPE(4, 700, 5), 2}, {SHAPE(70, 3, 5, 90), 9}};
    uint64_t state = 7;
    for (size_t c = 0; c < COUNT(cases); c++) {
        const tally_reduce packed =
            shape_reduce(it.function, it.dtype, cases[c].sizes, cases[c].axes);
        void *x = elements_of(&packed.input, it.values);
        void *right = allocate(oracle_extent(&packed.output));
        call_reduce(&packed, x, right);
        for (int layout = 0; layout < 6; layout++) {
            tally_reduce desc = packed;
            shape_random_output(&desc.input, &state); /* each element once */
            shape_random_output(&desc.output, &state);
            void *y = elements_of(&desc.input, it.values);
            void *result = allocate(oracle_extent(&desc.output));
            call_reduce(&desc, y, result);
            check_same(&packed.output, right, &desc.output, result, "another layout");
            free(y);
            free(result);
        }
        free(x);
        free(right);
    }
}
END_TEST

START_TEST(scans_do_not_see_strides) {
    const tally_dtype dtypes[] = {TALLY_F16, TALLY_F32, TALLY_F64};
    const tally_cumulative packed = shape_scan(TALLY_SUM, dtypes[_i], SHAPE(3, 5000, 2), 1);
    uint64_t state = 3;
    void *x = elements_of(&packed.input, VALUES_WIDE);
    void *right = allocate(oracle_extent(&packed.output));
    call_cumulative(&packed, x, right);
    for (int layout = 0; layout < 6; layout++) {
        tally_cumulative desc = packed;
        shape_random_output(&desc.input, &state);
        shape_random_output(&desc.output, &state);
        void *y = elements_of(&desc.input, VALUES_WIDE);
        void *result = allocate(oracle_extent(&desc.output));
        call_cumulative(&desc, y, result);
        check_same(&packed.output, right, &desc.output, result, "another layout");
        free(y);
        free(result);
    }
    free(x);
    free(right);
}
END_TEST

/* ---- Scans ---------------------------------------------------------------------------------- */

#define LENGTH 300007
#define MILLIONS 5000011

/* An exclusive scan is the inclusive one shifted; a descending one is that of the reversed line. */
START_TEST(exclusive_is_inclusive_shifted) {
    static float x[LENGTH], backwards[LENGTH], inclusive[LENGTH], other[LENGTH];
    tally_cumulative desc = shape_scan(TALLY_SUM, TALLY_F32, SHAPE(LENGTH), 0);
    float *elements = elements_of(&desc.input, VALUES_WIDE);
    for (size_t k = 0; k < LENGTH; k++) {
        x[k] = backwards[LENGTH - 1 - k] = elements[k];
    }
    free(elements);
    call_cumulative(&desc, x, inclusive);
    desc.exclusive = true;
    call_cumulative(&desc, x, other);
    ck_assert(other[0] == 0 && !signbit(other[0]));
    ck_assert_mem_eq(other + 1, inclusive, (LENGTH - 1) * sizeof *other);
    desc.exclusive = false;
    desc.descending = true;
    call_cumulative(&desc, backwards, other);
    for (size_t k = 0; k < LENGTH; k++) {
        ck_assert_mem_eq(&other[LENGTH - 1 - k], &inclusive[k], sizeof *other);
    }
}
END_TEST

/* A running sum of numbers that are not negative never decreases, whatever the rounding. */
START_TEST(sums_of_positive_terms_never_decrease) {
    static float sums[MILLIONS];
    const tally_cumulative desc = shape_scan(TALLY_SUM, TALLY_F32, SHAPE(MILLIONS), 0);
    float *x = elements_of(&desc.input, VALUES_WIDE);
    for (size_t k = 0; k < MILLIONS; k++) {
        x[k] = fabsf(x[k]);
    }
    call_cumulative(&desc, x, sums);
    for (size_t k = 1; k < MILLIONS; k++) {
        ck_assert_msg(sums[k] >= sums[k - 1], "the sum falls from %.9g to %.9g at %zu",
                      (double)sums[k - 1], (double)sums[k], k);
    }
    free(x);
}
END_TEST

START_TEST(runs_are_alike) {
    static float first[64], again[64];
    const tally_reduce desc = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(64, 10007), 2);
    void *x = elements_of(&desc.input, VALUES_WIDE);
    call_reduce(&desc, x, first);
    for (int round = 0; round < 10; round++) {
        call_reduce(&desc, x, again);
        ck_assert_mem_eq(again, first, sizeof first);
    }
    free(x);
}
END_TEST

Suite *suite_bits(void) {
    Suite *suite = suite_create("bits");
    TCase *tests = tcase_create("bits");
    tcase_set_timeout(tests, 600);
    tcase_add_loop_test(tests, reductions_do_not_see_strides, 0, (int)COUNT(subjects));
    tcase_add_loop_test(tests, scans_do_not_see_strides, 0, 3);
    tcase_add_test(tests, exclusive_is_inclusive_shifted);
    tcase_add_test(tests, sums_of_positive_terms_never_decrease);
    tcase_add_test(tests, runs_are_alike);
    suite_add_tcase(suite, tests);
    return suite;
}
