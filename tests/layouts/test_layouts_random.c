/*
 * The random numbers of tally bench layouts: logarithms, special sizes, weights. The numbers of a
 * stream are those of splitmix64.
 */
#include "cli/bench/layouts/draw/random.h"

#include <check.h>

START_TEST(test_stream) {
    /* splitmix64 from state 0: the first outputs of its authors' code. */
    layouts_random random = {0};
    ck_assert_uint_eq(layouts_random_next(&random), UINT64_C(0xe220a8397b1dcdaf));
    ck_assert_uint_eq(layouts_random_next(&random), UINT64_C(0x6e789e6aa1b965f4));
    ck_assert_uint_eq(layouts_random_next(&random), UINT64_C(0x06c45d188009454f));
}
END_TEST

/* Neighbours in seed, index or number begin with different states. */
START_TEST(test_streams_differ) {
    uint64_t states[4 * 4 * 4];
    size_t count = 0;
    for (uint64_t seed = 0; seed < 4; seed++)
        for (uint64_t index = 0; index < 4; index++)
            for (uint64_t number = 0; number < 4; number++)
                states[count++] = layouts_random_stream(seed, index, number).state;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < i; k++)
            ck_assert_uint_ne(states[i], states[k]);
}
END_TEST

START_TEST(test_power) {
    ck_assert_uint_eq(layouts_power(0), 1);
    ck_assert_uint_eq(layouts_power(16), 2);
    ck_assert_uint_eq(layouts_power(12 * 16), 4096);
    ck_assert_uint_eq(layouts_power(8 * 16 + 8), 362); /* 362.04 */
    ck_assert_uint_eq(layouts_power(30 * 16 + 8), 1518500249);
    ck_assert_uint_eq(layouts_power(31 * 16 + 1), 2242560871);
    ck_assert_uint_eq(layouts_power(63 * 16), UINT64_C(1) << 63);
    for (uint32_t k = 0; k < 63 * 16; k++)
        ck_assert_uint_le(layouts_power(k), layouts_power(k + 1));
}
END_TEST

START_TEST(test_sixteenths) {
    ck_assert_uint_eq(layouts_sixteenths(1), 15); /* 2^(15/16) is below 2 */
    ck_assert_uint_eq(layouts_sixteenths(2), 25); /* 2^(25/16) is 2.95 */
    ck_assert_uint_eq(layouts_sixteenths(UINT64_C(1) << 40), 640);
    for (uint64_t n = 1; n < 5000; n++) {
        const uint32_t k = layouts_sixteenths(n);
        ck_assert_uint_le(layouts_power(k), n);
        ck_assert_uint_gt(layouts_power(k + 1), n);
    }
}
END_TEST

START_TEST(test_size) {
    layouts_random random = {1};
    uint32_t octaves[12] = {0};
    for (uint32_t i = 0; i < 11000; i++) {
        const uint64_t size = layouts_random_size(&random, 16, 12 * 16);
        ck_assert(size >= 2 && size < 4096);
        octaves[layouts_sixteenths(size) / 16]++;
    }
    for (uint32_t k = 1; k < 12; k++)
        ck_assert(octaves[k] > 850 && octaves[k] < 1150);
}
END_TEST

START_TEST(test_special_sizes) {
    const struct {
        uint64_t n, prime, power, network;
    } rows[] = {{2, 2, 2, 3},
                {3, 3, 2, 3},
                {4, 3, 4, 3},
                {6, 5, 4, 5},
                {7, 7, 8, 7},
                {100, 97, 128, 100},
                {253, 251, 256, 256},
                {1000, 997, 1024, 1000},
                {2560, 2557, 2048, 2048},
                {4096, 4093, 4096, 4096}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        ck_assert_uint_eq(layouts_prime_below(rows[i].n), rows[i].prime);
        ck_assert_uint_eq(layouts_power_of_two(rows[i].n), rows[i].power);
        ck_assert_uint_eq(layouts_network_size(rows[i].n), rows[i].network);
    }
    ck_assert_uint_eq(layouts_prime_below(UINT64_C(1) << 33), 8589934583u);
}
END_TEST

START_TEST(test_pick) {
    const uint32_t weights[] = {0, 1, 0, 3, 0};
    layouts_random random = {7};
    uint32_t counts[5] = {0};
    for (uint32_t i = 0; i < 4000; i++)
        counts[layouts_random_pick(&random, weights, 5)]++;
    ck_assert_uint_eq(counts[0] + counts[2] + counts[4], 0);
    ck_assert(counts[1] > 900 && counts[1] < 1100);
}
END_TEST

Suite *suite_layouts_random(void);
Suite *suite_layouts_random(void) {
    Suite *suite = suite_create("layouts_random");
    TCase *tcase = tcase_create("random");
    tcase_add_test(tcase, test_stream);
    tcase_add_test(tcase, test_streams_differ);
    tcase_add_test(tcase, test_power);
    tcase_add_test(tcase, test_sixteenths);
    tcase_add_test(tcase, test_size);
    tcase_add_test(tcase, test_special_sizes);
    tcase_add_test(tcase, test_pick);
    suite_add_tcase(suite, tcase);
    return suite;
}
