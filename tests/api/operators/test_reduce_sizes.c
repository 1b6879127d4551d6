/*
 * test_reduce_sizes.c: REDUCE of many terms: around the sizes at which a block, or a block of
 * blocks, or a third level of them begins; of primes; of many short rows and narrow columns.
 */
#include <check.h>

#include "support/descriptions/shape.h"
#include "support/fixtures/run.h"

Suite *suite_reduce_sizes(void);

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

typedef struct subject {
    tally_function function;
    tally_dtype dtype;
    values_class values;
} subject;

static const subject subjects[] = {
    {TALLY_SUM, TALLY_F32, VALUES_WIDE},        {TALLY_SUM, TALLY_I32, VALUES_BITS},
    {TALLY_ARGMAX, TALLY_F32, VALUES_WIDE},     {TALLY_LOG_SUM_EXP, TALLY_F32, VALUES_EXPONENTS},
    {TALLY_AVERAGE, TALLY_F16, VALUES_SMALL},   {TALLY_MAX, TALLY_U8, VALUES_BITS},
    {TALLY_L2, TALLY_F64, VALUES_WIDE},         {TALLY_ARGMIN, TALLY_I16, VALUES_FEW},
    {TALLY_MULTIPLY, TALLY_F32, VALUES_POWERS},
};

static void run_sizes(subject it, shape sizes, uint32_t axes) {
    const uint64_t seed = run_count();
    const tally_reduce desc = shape_reduce(it.function, it.dtype, sizes, axes);
    const run_how how = {it.values, seed, (uint32_t)(seed % 3), (uint32_t)(seed % 2), false};
    run_reduce(&desc, how);
}

START_TEST(around_every_boundary) {
    const uint64_t sizes[] = {3,   15,  16,   17,   31,   33,   63,    64,    65,    100,  511,
                              512, 513, 1021, 8191, 8192, 8193, 12289, 16381, 32767, 65537};
    for (size_t k = 0; k < COUNT(sizes); k++) {
        run_sizes(subjects[_i], SHAPE(sizes[k]), 1);
        run_sizes(subjects[_i], SHAPE(2, sizes[k]), 2);
        run_sizes(subjects[_i], SHAPE(sizes[k], 3), 1);
    }
}
END_TEST

START_TEST(many_terms) {
    const uint64_t sizes[] = {524287, 524288, 524289};
    for (size_t k = 0; k < COUNT(sizes); k++) {
        run_sizes(subjects[_i], SHAPE(sizes[k]), 1);
    }
    run_sizes(subjects[_i], SHAPE(262147, 2), 1);
    run_sizes(subjects[_i], SHAPE(2, 100003), 2);
}
END_TEST

START_TEST(many_short_rows) {
    for (uint64_t length = 1; length <= 33; length += 1 + length / 3) {
        run_sizes(subjects[_i], SHAPE(5003, length), 2);
        run_sizes(subjects[_i], SHAPE(length, 5003), 1);
    }
}
END_TEST

/* More than 4096 * 4096 terms: blocks of blocks of blocks. */
START_TEST(three_levels) {
    const uint64_t count = 4096 * 4096 + 1;
    run_sizes((subject){TALLY_MAX, TALLY_U8, VALUES_SMALL}, SHAPE(count), 1);
    run_sizes((subject){TALLY_ARGMIN, TALLY_U8, VALUES_BITS}, SHAPE(count), 1);
    run_sizes((subject){TALLY_AVERAGE, TALLY_F16, VALUES_WIDE}, SHAPE(count), 1);
}
END_TEST

Suite *suite_reduce_sizes(void) {
    Suite *suite = suite_create("reduce_sizes");
    TCase *tests = tcase_create("reduce_sizes");
    tcase_set_timeout(tests, 600);
    tcase_add_loop_test(tests, around_every_boundary, 0, (int)COUNT(subjects));
    tcase_add_loop_test(tests, many_terms, 0, (int)COUNT(subjects));
    tcase_add_loop_test(tests, many_short_rows, 0, (int)COUNT(subjects));
    tcase_add_test(tests, three_levels);
    suite_add_tcase(suite, tests);
    return suite;
}
