/*
 * test_oracle_axes.c: the oracle's way through axes and strides, its scans and its fills, against
 * values worked out by hand. No device is used.
 */
#include <check.h>
#include <math.h>

#include "support/oracle/oracle.h"

Suite *suite_oracle_axes(void);

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* The index over axes 1 and 3 of {2, 3, 4, 5} is i1 * 5 + i3. */
START_TEST(index_over_two_axes_is_row_major) {
    uint8_t x[2 * 3 * 4 * 5] = {0};
    oracle_value got[2 * 4];
    tally_reduce desc = TALLY_REDUCE_INIT;
    desc.function = TALLY_ARGMAX;
    desc.input = (tally_tensor){TALLY_U8, 4, 0, {2, 3, 4, 5}, {0}};
    desc.output = (tally_tensor){TALLY_U32, 4, 0, {2, 1, 4, 1}, {0}};
    desc.axes = 0xA;
    for (size_t k = 0; k < 8; k++) {
        const size_t i0 = k / 4, i1 = k % 3, i2 = k % 4, i3 = k % 5;
        x[((i0 * 3 + i1) * 4 + i2) * 5 + i3] = 9;
    }
    oracle_reduce(&desc, x, got);
    for (size_t k = 0; k < 8; k++) {
        ck_assert_uint_eq(got[k].bits, k % 3 * 5 + k % 5);
    }
}
END_TEST

START_TEST(strides_address_the_input) {
    const int32_t x[] = {1, 2, 4, 8, 16, 32, 64};
    oracle_value got[3];
    tally_reduce desc = TALLY_REDUCE_INIT;
    desc.function = TALLY_SUM;
    desc.input = (tally_tensor){TALLY_I32, 2, TALLY_STRIDED, {3, 2}, {1, 4}}; /* columns */
    desc.output = (tally_tensor){TALLY_I32, 2, 0, {3, 1}, {0}};
    desc.axes = 2;
    ck_assert_uint_eq(oracle_extent(&desc.input), 7 * sizeof x[0]);
    oracle_reduce(&desc, x, got);
    ck_assert_uint_eq(got[0].bits, 17);
    ck_assert_uint_eq(got[1].bits, 34);
    ck_assert_uint_eq(got[2].bits, 68);
    desc.input.stride[1] = 0; /* each element twice */
    ck_assert_uint_eq(oracle_extent(&desc.input), 3 * sizeof x[0]);
    oracle_reduce(&desc, x, got);
    ck_assert_uint_eq(got[2].bits, 8);
    desc.input = (tally_tensor){TALLY_I32, 0, 0, {0}, {0}};
    desc.output = desc.input;
    desc.axes = 0;
    oracle_reduce(&desc, x, got);
    ck_assert_uint_eq(got[0].bits, 1);
}
END_TEST

/* ---- Scans and fills ------------------------------------------------------------------------ */

static void scan_of(tally_function function, bool descending, bool exclusive, const int32_t *x,
                    oracle_value *got) {
    tally_cumulative desc = TALLY_CUMULATIVE_INIT;
    desc.function = function;
    desc.input = desc.output = (tally_tensor){TALLY_I32, 2, 0, {2, 3}, {0}};
    desc.axis = 1;
    desc.descending = descending;
    desc.exclusive = exclusive;
    oracle_cumulative(&desc, x, got);
}

START_TEST(scans_of_integers) {
    const int32_t x[] = {1, 2, 3, -4, 5, -6};
    static const struct {
        tally_function function;
        bool descending, exclusive;
        int32_t result[6];
    } rows[] = {
        {TALLY_SUM, false, false, {1, 3, 6, -4, 1, -5}},
        {TALLY_SUM, true, false, {6, 5, 3, -5, -1, -6}},
        {TALLY_SUM, false, true, {0, 1, 3, 0, -4, 1}},
        {TALLY_SUM, true, true, {5, 3, 0, -1, -6, 0}},
        {TALLY_MULTIPLY, false, false, {1, 2, 6, -4, -20, 120}},
        {TALLY_MULTIPLY, true, true, {6, 3, 1, -30, -6, 1}},
        {TALLY_MAX, false, false, {1, 2, 3, -4, 5, 5}},
        {TALLY_MIN, true, false, {1, 2, 3, -6, -6, -6}},
        {TALLY_MAX, false, true, {INT32_MIN, 1, 2, INT32_MIN, -4, 5}},
        {TALLY_MIN, true, true, {2, 3, INT32_MAX, -6, -6, INT32_MAX}},
    };
    for (size_t k = 0; k < COUNT(rows); k++) {
        oracle_value got[6];
        scan_of(rows[k].function, rows[k].descending, rows[k].exclusive, x, got);
        for (size_t i = 0; i < 6; i++) {
            ck_assert_msg(got[i].exact && got[i].bits == (uint32_t)rows[k].result[i],
                          "row %zu, element %zu: 0x%llx", k, i, (unsigned long long)got[i].bits);
        }
    }
}
END_TEST

START_TEST(scans_of_floats) {
    const float x[] = {-0.0f, -0.0f, 0.0f, NAN, 1};
    const uint64_t sums[] = {0x80000000, 0x80000000, 0, 0x7FC00000, 0x7FC00000};
    const uint64_t shifted[] = {0, 0x80000000, 0x80000000, 0, 0x7FC00000};
    oracle_value got[COUNT(x)];
    tally_cumulative desc = TALLY_CUMULATIVE_INIT;
    desc.function = TALLY_SUM;
    desc.input = desc.output = (tally_tensor){TALLY_F32, 1, 0, {COUNT(x)}, {0}};
    oracle_cumulative(&desc, x, got);
    for (size_t k = 0; k < COUNT(x); k++) {
        ck_assert_msg(got[k].exact && got[k].bits == sums[k], "element %zu", k);
    }
    desc.exclusive = true;
    oracle_cumulative(&desc, x, got);
    for (size_t k = 0; k < COUNT(x); k++) {
        ck_assert_msg(got[k].exact && got[k].bits == shifted[k], "exclusive element %zu", k);
    }
}
END_TEST

START_TEST(bands) {
    static const struct {
        int64_t begin, end;
        const char *marks; /* of {2, 3}: # is the value */
    } rows[] = {
        {0, 1, "#...#."},
        {0, 0, "......"},
        {1, 0, ".###.#"},
        {-1, 2, "##.###"},
        {INT64_MIN, 1, "#..##."},
        {1, INT64_MAX, ".##..#"},
        {INT64_MAX, INT64_MIN, "......"},
        {INT64_MIN, INT64_MAX, "######"},
        {INT32_MIN, INT32_MAX, "######"},
        {5, -5, "......"},
        {2, 3, "..#..."},
        {-5, -1, "......"},
        {3, 1, "#..##."},
    };
    const uint16_t input[] = {10, 11, 12, 13, 14, 15};
    const tally_tensor tensor = {TALLY_U16, 2, 0, {2, 3}, {0}};
    for (size_t k = 0; k < COUNT(rows); k++) {
        tally_diagonal desc = TALLY_DIAGONAL_INIT;
        oracle_value got[6], zeros[6];
        desc.output = tensor;
        desc.value.u16 = 99;
        desc.begin = rows[k].begin;
        desc.end = rows[k].end;
        oracle_diagonal(&desc, NULL, zeros);
        desc.input = &tensor;
        oracle_diagonal(&desc, input, got);
        for (size_t i = 0; i < 6; i++) {
            const bool filled = rows[k].marks[i] == '#';
            ck_assert_msg(got[i].bits == (filled ? 99u : input[i]), "row %zu, element %zu", k, i);
            ck_assert_msg(zeros[i].bits == (filled ? 99u : 0u), "row %zu, element %zu", k, i);
        }
    }
}
END_TEST

Suite *suite_oracle_axes(void) {
    Suite *suite = suite_create("oracle_axes");
    TCase *tests = tcase_create("oracle_axes");
    tcase_add_test(tests, index_over_two_axes_is_row_major);
    tcase_add_test(tests, strides_address_the_input);
    tcase_add_test(tests, scans_of_integers);
    tcase_add_test(tests, scans_of_floats);
    tcase_add_test(tests, bands);
    suite_add_tcase(suite, tests);
    return suite;
}
