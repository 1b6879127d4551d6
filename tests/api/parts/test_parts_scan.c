/*
 * test_parts_scan.c: scans in parts have the bytes of the whole, along the scanned axis and along
 * others: every legal function and type, both directions, exclusive, sizes around those where
 * stretches of the order end, lines of many layouts, and parts by runtimes of different families.
 */
#include <check.h>

#include "support/descriptions/legal.h"
#include "support/descriptions/shape.h"
#include "support/fixtures/fixture.h"
#include "support/parts/parts.h"
#include "support/share.h"

Suite *suite_parts_scan(void);

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define STRETCH UINT64_C(262144)

static const uint32_t numbers[] = {1, 2, 3, 4, 7, 8};

static tally_cumulative make(tally_function function, tally_dtype dtype, shape sizes, uint32_t axis,
                             int how) {
    tally_cumulative desc = shape_scan(function, dtype, sizes, axis);
    desc.descending = how % 2 != 0;
    desc.exclusive = how / 2 % 2 != 0;
    desc.nan = how / 4 % 2 != 0 ? TALLY_NAN_IGNORE : TALLY_NAN_PROPAGATE;
    return desc;
}

static values_class values_for(tally_function function) {
    return function == TALLY_MULTIPLY ? VALUES_NEAR_ONE : VALUES_SMALL;
}

/* One row of three stretches and some, cut at stretches, or anywhere where combining is exact. */
START_TEST(every_function_and_type_of_one_row) {
    const legal_pair pair = legal_scan_pair(_i);
    if (!fixture_has(pair.dtype))
        return;
    const tally_cumulative desc =
        make(pair.function, pair.dtype, SHAPE(3 * STRETCH + 12345), 0, _i);
    parts_check(SHAPE_DESC(cumulative, &desc), (parts_how){.parts = 2 + (uint32_t)_i % 3,
                                                           .values = values_for(pair.function),
                                                           .seed = (uint64_t)_i});
}
END_TEST

/* Lines side by side: few that lie as one row, and more. */
START_TEST(lines_side_by_side) {
    static const uint64_t columns[] = {3, 4, 16};
    for (int how = _i % 2; how < 4; how += 2) {
        const tally_cumulative desc =
            make(how % 2 ? TALLY_SUM : TALLY_MULTIPLY, how < 2 ? TALLY_F32 : TALLY_F16,
                 SHAPE(STRETCH + 77, columns[_i]), 0, how);
        parts_check(SHAPE_DESC(cumulative, &desc), (parts_how){.axis = 0,
                                                               .parts = 2,
                                                               .values = values_for(desc.function),
                                                               .seed = (uint64_t)(_i + how)});
    }
}
END_TEST

/* Rows of several lines, of kept axes around the scanned one, with gaps and in other orders. */
START_TEST(lines_in_any_layout) {
    uint64_t state = (uint64_t)_i + 1;
    tally_cumulative desc = make(TALLY_SUM, TALLY_F32, SHAPE(2, STRETCH + 4097, 3), 1, _i);
    shape_random_input(&desc.input, &state);
    shape_random_output(&desc.output, &state);
    parts_check(SHAPE_DESC(cumulative, &desc),
                (parts_how){.axis = 1, .parts = 2, .values = VALUES_WIDE, .seed = (uint64_t)_i});
    tally_cumulative rows = make(TALLY_SUM, TALLY_F32, SHAPE(3, STRETCH + 5), 1, _i + 1);
    parts_check(SHAPE_DESC(cumulative, &rows),
                (parts_how){.axis = 1, .parts = 2, .values = VALUES_WIDE, .seed = (uint64_t)_i});
}
END_TEST

START_TEST(sizes_around_stretches) {
    const uint64_t sizes[] = {1,           4096,        STRETCH - 1,    STRETCH,
                              STRETCH + 1, 2 * STRETCH, 4 * STRETCH + 1};
    for (size_t i = 0; i < COUNT(sizes); i++) {
        const tally_cumulative desc = make(TALLY_SUM, TALLY_F32, SHAPE(sizes[i]), 0, (int)i);
        parts_check(SHAPE_DESC(cumulative, &desc),
                    (parts_how){.parts = numbers[_i], .values = VALUES_WIDE, .seed = (uint64_t)_i});
    }
}
END_TEST

/* Exact functions are cut anywhere: parts of a term, of none, of a run and some. */
START_TEST(exact_functions_anywhere) {
    static const uint64_t bounds[] = {0, 1, 1, 18, 5000, 5001, 9000};
    static const tally_dtype types[] = {TALLY_I32, TALLY_F32, TALLY_U8, TALLY_F16};
    static const tally_function functions[] = {TALLY_SUM, TALLY_MAX, TALLY_MIN, TALLY_MIN};
    for (int how = 0; how < 8; how++) {
        const tally_cumulative desc = make(functions[_i], types[_i], SHAPE(2, 9000, 3), 1, how);
        parts_check(SHAPE_DESC(cumulative, &desc), (parts_how){.axis = 1,
                                                               .parts = 6,
                                                               .bounds = bounds,
                                                               .values = VALUES_SPECIAL,
                                                               .seed = (uint64_t)how});
    }
}
END_TEST

START_TEST(other_axes) {
    for (uint32_t axis = 0; axis < 3; axis += 2) {
        const tally_cumulative desc =
            make(TALLY_SUM, TALLY_F32, SHAPE(5, 300, 7), 1, (int)axis + _i);
        parts_check(SHAPE_DESC(cumulative, &desc), (parts_how){.axis = axis,
                                                               .parts = numbers[_i],
                                                               .values = VALUES_WIDE,
                                                               .seed = (uint64_t)_i});
    }
}
END_TEST

/* Parts by runtimes of three families, their carries combined by others. */
START_TEST(families_mix) {
    static const tally_family families[] = {TALLY_FAMILY_CPU, TALLY_FAMILY_GPU,
                                            TALLY_FAMILY_GENERIC};
    parts_how how = {.parts = 4, .values = VALUES_WIDE};
    for (size_t i = 0; i < COUNT(families); i++)
        how.runtimes[i] = fixture_make_runtime_of(families[i]);
    for (int i = 0; i < 4; i += 3) {
        const tally_cumulative row =
            make(TALLY_SUM, (i % 2) ? TALLY_F32 : TALLY_F16, SHAPE(4 * STRETCH + 100), 0, i);
        const tally_cumulative rows = make(TALLY_SUM, TALLY_F32, SHAPE(2, 4 * STRETCH), 1, i);
        const tally_cumulative columns =
            make(TALLY_SUM, TALLY_F32, SHAPE(3 * STRETCH + 9, (i % 2) ? 16 : 3), 0, i);
        const tally_cumulative exact = make(TALLY_MAX, TALLY_F32, SHAPE(70000, 16), 0, i);
        how.seed = (uint64_t)i;
        how.axis = 0;
        parts_check(SHAPE_DESC(cumulative, &row), how);
        parts_check(SHAPE_DESC(cumulative, &columns), how);
        parts_check(SHAPE_DESC(cumulative, &exact), how);
        how.axis = 1;
        parts_check(SHAPE_DESC(cumulative, &rows), how);
    }
    for (size_t i = 0; i < COUNT(families); i++)
        tally_runtime_release(how.runtimes[i]);
}
END_TEST

/* The same by the two passes that devices without a single pass take. */
START_TEST(two_passes) {
    parts_how how = {.parts = 3, .values = VALUES_WIDE, .seed = 1};
    how.runtimes[0] = fixture_make_runtime_with(TALLY_FAMILY_GPU, TALLY_SINGLE_PASS_OFF);
    for (int i = 0; i < 4; i += 3) {
        const tally_cumulative row = make(TALLY_SUM, TALLY_F32, SHAPE(7 * STRETCH + 9), 0, i);
        const tally_cumulative pairs = make(TALLY_SUM, TALLY_F32, SHAPE(3 * STRETCH + 9, 2), 0, i);
        parts_check(SHAPE_DESC(cumulative, &row), how);
        parts_check(SHAPE_DESC(cumulative, &pairs), how);
    }
    tally_runtime_release(how.runtimes[0]);
}
END_TEST

Suite *suite_parts_scan(void) {
    Suite *suite = suite_create("parts_scan");
    TCase *tests = tcase_create("parts");
    tcase_set_timeout(tests, 300);
    share_add_loop(tests, every_function_and_type_of_one_row, LEGAL_SCAN_PAIRS, 7);
    tcase_add_loop_test(tests, lines_side_by_side, 0, 3);
    share_add_loop(tests, lines_in_any_layout, 4, 2);
    tcase_add_loop_test(tests, sizes_around_stretches, 0, (int)COUNT(numbers));
    share_add_loop(tests, exact_functions_anywhere, 4, 3);
    tcase_add_loop_test(tests, other_axes, 0, (int)COUNT(numbers));
    tcase_add_test(tests, families_mix);
    tcase_add_test(tests, two_passes);
    suite_add_tcase(suite, tests);
    return suite;
}
