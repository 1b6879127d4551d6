/*
 * The statistics of tally bench, on numbers whose statistics are known.
 */
#include "cli/bench/results/stats.h"

#include <check.h>

#define TOLERANCE 1e-12

START_TEST(test_one) {
    double shares[] = {0.25};
    const bench_stats stats = bench_stats_of(shares, 1);
    ck_assert_uint_eq(stats.count, 1);
    ck_assert_double_eq_tol(stats.geometric_mean, 0.25, TOLERANCE);
    ck_assert_double_eq_tol(stats.median, 0.25, TOLERANCE);
    ck_assert_double_eq_tol(stats.p10, 0.25, TOLERANCE);
    ck_assert_double_eq_tol(stats.worst, 0.25, TOLERANCE);
    ck_assert_double_eq_tol(stats.best, 0.25, TOLERANCE);
}
END_TEST

START_TEST(test_several) {
    double shares[] = {2, 0.5, 1, 4, 0.25, 1};
    const bench_stats stats = bench_stats_of(shares, 6);
    ck_assert_double_eq_tol(stats.geometric_mean, 1, TOLERANCE);
    ck_assert_double_eq_tol(stats.median, 1, TOLERANCE);
    ck_assert_double_eq_tol(stats.p10, 0.375, TOLERANCE); /* halfway from 0.25 to 0.5 */
    ck_assert_double_eq_tol(stats.worst, 0.25, TOLERANCE);
    ck_assert_double_eq_tol(stats.best, 4, TOLERANCE);
}
END_TEST

START_TEST(test_none) {
    ck_assert_uint_eq(bench_stats_of(NULL, 0).count, 0);
}
END_TEST

Suite *suite_bench_stats(void);
Suite *suite_bench_stats(void) {
    Suite *suite = suite_create("bench_stats");
    TCase *tcase = tcase_create("stats");
    tcase_add_test(tcase, test_one);
    tcase_add_test(tcase, test_several);
    tcase_add_test(tcase, test_none);
    suite_add_tcase(suite, tcase);
    return suite;
}
