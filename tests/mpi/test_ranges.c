/*
 * test_ranges.c: sizes around those where blocks and stretches of the orders end, ranks that have
 * nothing, axes of all kinds, memory with gaps, scans in place, results on one rank and on all.
 */
#include <check.h>

#include "support/descriptions/shape.h"

#include "mpi/distributed.h"

Suite *suite_ranges(void);

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define STRETCH UINT64_C(262144)
#define RANKS_MAX 64

START_TEST(sums_around_blocks) {
    static const uint64_t sizes[] = {0, 1, 4095, 4096, 4097, 8192, 8193, 20480, 70000};
    for (size_t i = 0; i < COUNT(sizes); i++) {
        const tally_reduce desc = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(sizes[i]), 1);
        distributed_check(
            SHAPE_DESC(reduce, &desc),
            (distributed_how){.root = i % 2 ? 0 : TALLY_MPI_ALL, .values = VALUES_WIDE, .seed = i});
    }
}
END_TEST

START_TEST(scans_around_stretches) {
    static const uint64_t sizes[] = {0,           1,           STRETCH - 1,    STRETCH,
                                     STRETCH + 1, 2 * STRETCH, 4 * STRETCH + 1};
    for (size_t i = 0; i < COUNT(sizes); i++) {
        tally_cumulative desc = shape_scan(TALLY_SUM, TALLY_F32, SHAPE(sizes[i]), 0);
        desc.descending = i % 2 != 0;
        desc.exclusive = _i != 0;
        distributed_check(
            SHAPE_DESC(cumulative, &desc),
            (distributed_how){.values = VALUES_WIDE, .seed = i, .in_place = i % 3 == 0});
    }
}
END_TEST

/* Ranges of the caller's own: rank 0 has nothing, the last one the rest, of what is exact. */
START_TEST(ranges_of_the_callers_own) {
    uint64_t bounds[RANKS_MAX + 1] = {0};
    const int ranks = world_get()->ranks;
    for (int rank = 1; rank < ranks; rank++)
        bounds[rank] = (uint64_t)(rank / 2) * 1001;
    bounds[ranks] = 9000;
    const tally_reduce most = shape_reduce(TALLY_MAX, TALLY_F32, SHAPE(9000, 5), 1);
    tally_cumulative running = shape_scan(TALLY_MIN, TALLY_I16, SHAPE(9000, 5), 0);
    distributed_how how = {.bounds = bounds, .root = TALLY_MPI_ALL, .values = VALUES_SPECIAL};
    for (int i = 0; i < 4; i++) {
        running.descending = i % 2 != 0;
        running.exclusive = i / 2 != 0;
        how.seed = (uint64_t)i;
        how.padded = i == 3;
        distributed_check(SHAPE_DESC(cumulative, &running), how);
        distributed_check(SHAPE_DESC(reduce, &most), how);
    }
}
END_TEST

START_TEST(every_axis) {
    for (uint32_t axis = 0; axis < 4; axis++) {
        const tally_reduce sum = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(5, 300, 4, 9), 0x2);
        tally_cumulative running = shape_scan(TALLY_SUM, TALLY_F32, SHAPE(5, 300, 4, 9), 1);
        distributed_how how = {.axis = axis, .values = VALUES_WIDE, .seed = axis};
        running.exclusive = axis % 2 != 0;
        distributed_check(SHAPE_DESC(reduce, &sum), how);
        distributed_check(SHAPE_DESC(cumulative, &running), how);
        how.padded = true;
        distributed_check(SHAPE_DESC(reduce, &sum), how);
        distributed_check(SHAPE_DESC(cumulative, &running), how);
    }
}
END_TEST

/* The axis is chosen, of several groups of swept axes. */
START_TEST(any_axis) {
    const tally_reduce groups =
        shape_reduce(TALLY_LOG_SUM_EXP, TALLY_F32, SHAPE(2, 4097, 3, 7), 0xA);
    const tally_reduce all = shape_reduce(TALLY_ARGMIN, TALLY_F32, SHAPE(40, 50, 60), 7);
    const distributed_how how = {
        .axis = TALLY_ANY_AXIS, .root = TALLY_MPI_ALL, .values = VALUES_FEW, .seed = 5};
    distributed_check(SHAPE_DESC(reduce, &groups), how);
    distributed_check(SHAPE_DESC(reduce, &all), how);
}
END_TEST

/* Nothing inside, no lines: states of no bytes. */
START_TEST(nothing) {
    const tally_reduce no_lines = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(9000, 0), 1);
    const tally_reduce none_inside = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(3, 2, 0), 5);
    const tally_cumulative scan = shape_scan(TALLY_SUM, TALLY_F32, SHAPE(2 * STRETCH, 0), 0);
    const distributed_how how = {.root = TALLY_MPI_ALL, .seed = 1};
    distributed_check(SHAPE_DESC(reduce, &no_lines), how);
    distributed_check(SHAPE_DESC(reduce, &none_inside), how);
    distributed_check(SHAPE_DESC(cumulative, &scan), how);
}
END_TEST

Suite *suite_ranges(void) {
    Suite *suite = suite_create("ranges");
    TCase *tests = tcase_create("ranges");
    tcase_add_test(tests, sums_around_blocks);
    tcase_add_loop_test(tests, scans_around_stretches, 0, 2);
    tcase_add_test(tests, ranges_of_the_callers_own);
    tcase_add_test(tests, every_axis);
    tcase_add_test(tests, any_axis);
    tcase_add_test(tests, nothing);
    suite_add_tcase(suite, tests);
    return suite;
}
