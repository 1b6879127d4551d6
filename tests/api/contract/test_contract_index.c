/*
 * test_contract_index.c: the contract's rows on what ARGMIN and ARGMAX point at and in which type:
 * ties, indices over several axes, outputs of four types. Expected indices are worked out by hand.
 */
#include <check.h>
#include <string.h>

#include "support/descriptions/shape.h"
#include "support/expect.h"
#include "support/fixtures/fixture.h"
#include "support/fixtures/small.h"
#include "support/numbers/number.h"

Suite *suite_contract_index(void);

#define LAST TALLY_TIE_LAST

START_TEST(ties_go_to_the_first_by_default) {
    static const small_fold rows[] = {
        {TALLY_ARGMAX, TALLY_U8, 4, {3, 7, 7, 1}, .result = 1},
        {TALLY_ARGMIN, TALLY_I8, 4, {1, 0x80, 0x80, 0x7F}, .result = 1},
        {TALLY_ARGMIN, TALLY_U64, 3, {5, 4, 4}, .result = 1},
        {TALLY_ARGMAX, TALLY_F32, 3, {0, 0x7F800000, 0x7F800000}, .result = 1},
        {TALLY_ARGMAX, TALLY_U8, 0, {0}, .result = 0, .length = 9000, .fill = 0},
        {TALLY_ARGMIN, TALLY_I8, 0, {0}, .result = 0, .length = 9000, .fill = 0x7F},
        /* the last of one block and the first of the next */
        {TALLY_ARGMAX,
         TALLY_U8,
         2,
         {1, 1},
         .result = 4095,
         .length = 9000,
         .position = {4096, 4095}},
        {TALLY_ARGMAX, TALLY_U8, 2, {1, 1}, .result = 127, .length = 9000, .position = {128, 127}},
    };
    small_check_folds(SMALL_ROWS(rows));
}
END_TEST

START_TEST(ties_go_to_the_last_under_tie_last) {
    static const small_fold rows[] = {
        {TALLY_ARGMAX, TALLY_U8, 4, {3, 7, 7, 1}, .result = 2, .tie = LAST},
        {TALLY_ARGMIN, TALLY_I8, 4, {1, 0x80, 0x80, 0x7F}, .result = 2, .tie = LAST},
        {TALLY_ARGMIN, TALLY_U64, 3, {5, 4, 4}, .result = 2, .tie = LAST},
        {TALLY_ARGMAX, TALLY_F32, 3, {0x7F800000, 0x7F800000, 0}, .result = 1, .tie = LAST},
        {TALLY_ARGMAX, TALLY_U8, 0, {0}, .result = 8999, .tie = LAST, .length = 9000, .fill = 0},
        {TALLY_ARGMIN, TALLY_I8, 0, {0}, .result = 8999, .tie = LAST, .length = 9000, .fill = 0x7F},
        {TALLY_ARGMAX,
         TALLY_U8,
         2,
         {1, 1},
         .result = 4096,
         .tie = LAST,
         .length = 9000,
         .position = {4096, 4095}},
    };
    small_check_folds(SMALL_ROWS(rows));
}
END_TEST

/* Axes 1 and 3 of {2, 3, 4, 5}: the index is i1 * 5 + i3, from 0 to 14. */
START_TEST(index_over_several_axes_is_row_major) {
    static const uint32_t expected[2 * 4] = {0, 14, 5, 4, 7, 11, 13, 3};
    uint8_t x[2][3][4][5] = {{{{0}}}};
    uint32_t index[2 * 4];
    const tally_reduce desc = shape_reduce(TALLY_ARGMAX, TALLY_U8, SHAPE(2, 3, 4, 5), 0xA);
    for (uint32_t k = 0; k < 8; k++) {
        x[k / 4][expected[k] / 5][k % 4][expected[k] % 5] = 9;
    }
    ck_assert(small_reduce(&desc, x, index));
    for (uint32_t k = 0; k < 8; k++) {
        ck_assert_uint_eq(index[k], expected[k]);
    }
}
END_TEST

/* Axes 0, 2 and 4 of {2, 3, 3, 2, 4}: (i0 * 3 + i2) * 4 + i4. Then all axes: the position in
 * memory.
 */
START_TEST(index_over_groups_and_over_all_axes_is_row_major) {
    int8_t x[2][3][3][2][4];
    uint32_t index[3 * 2];
    tally_reduce desc = shape_reduce(TALLY_ARGMIN, TALLY_I8, SHAPE(2, 3, 3, 2, 4), 0x15);
    memset(x, 0, sizeof x);
    for (uint32_t k = 0; k < 6; k++) {
        const uint32_t position = (k * 7 + 3) % 24; /* another one for each output */
        x[position / 12][k / 2][position / 4 % 3][k % 2][position % 4] = -1;
    }
    ck_assert(small_reduce(&desc, x, index));
    for (uint32_t k = 0; k < 6; k++) {
        ck_assert_uint_eq(index[k], (k * 7 + 3) % 24);
    }
    x[1][2][1][0][2] = -2; /* (((1 * 3 + 2) * 3 + 1) * 2 + 0) * 4 + 2 */
    desc = shape_reduce(TALLY_ARGMIN, TALLY_I8, SHAPE(2, 3, 3, 2, 4), 0x1F);
    ck_assert(small_reduce(&desc, x, index));
    ck_assert_uint_eq(index[0], 130);
}
END_TEST

START_TEST(index_has_the_output_type_asked_for) {
    static const tally_dtype types[] = {TALLY_I32, TALLY_I64, TALLY_U32, TALLY_U64};
    const float x[2][3] = {{1, 5, 2}, {0, 1, 2}};
    for (int k = 0; k < 8; k++) {
        unsigned char index[3 * 8]; /* one more than there are, which stays */
        tally_reduce desc = shape_reduce(TALLY_ARGMAX, TALLY_F32, SHAPE(2, 3), 2);
        desc.output.dtype = types[k % 4];
        desc.tie = k / 4 == 0 ? TALLY_TIE_FIRST : LAST;
        const size_t bytes = number_bytes(desc.output.dtype);
        memset(index, 0xEE, sizeof index);
        ck_assert(small_reduce(&desc, x, index));
        ck_assert_uint_eq(number_load(desc.output.dtype, index), 1);
        ck_assert_uint_eq(number_load(desc.output.dtype, index + bytes), 2);
        ck_assert_uint_eq(number_load(TALLY_U8, index + 2 * bytes), 0xEE);
    }
}
END_TEST

/* ---- What create refuses ------------------------------------------------------------------- */

/* ARGMAX of one u8, repeated: {rows, columns}, over both axes. */
static tally_reduce repeated(uint64_t rows, uint64_t columns, tally_dtype output) {
    tally_reduce desc = shape_reduce(TALLY_ARGMAX, TALLY_U8, SHAPE(rows, columns), 3);
    shape_repeat(&desc.input, 3);
    desc.output.dtype = output;
    return desc;
}

static tally_status create(const tally_reduce *desc, tally_error *error) {
    tally_op *op = NULL;
    const tally_status status = tally_reduce_create(fixture_get()->runtime, desc, &op, error);
    ck_assert_int_eq(op != NULL, status == TALLY_OK);
    tally_op_release(op);
    return status;
}

START_TEST(index_of_another_type_is_an_error) {
    static const struct {
        tally_dtype dtype;
        const char *name;
    } rows[] = {{TALLY_F16, "f16"}, {TALLY_F32, "f32"}, {TALLY_F64, "f64"}, {TALLY_I8, "i8"},
                {TALLY_U8, "u8"},   {TALLY_I16, "i16"}, {TALLY_U16, "u16"}};
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        const tally_reduce desc = repeated(2, 2, rows[k].dtype);
        const expect wanted = {TALLY_INVALID, {"argmax", "index", rows[k].name}};
        tally_error error;
        const tally_status status = create(&desc, &error);
        expect_refusal(rows[k].name, &wanted, status, &error);
    }
}
END_TEST

/* 2^31 elements have indices up to 2^31 - 1, the highest i32; one more does not fit. */
START_TEST(index_that_may_not_fit_is_an_error) {
    static const struct {
        uint64_t rows, columns;
        tally_dtype output;
        expect wanted;
    } rows[] = {
        {1ull << 31, 1, TALLY_I32, {TALLY_OK, {0}}},
        {(1ull << 31) + 1, 1, TALLY_I32, {TALLY_INVALID, {"2147483648", "i32", "2147483647"}}},
        {1, (1ull << 31) + 1, TALLY_U32, {TALLY_OK, {0}}},
        {1ull << 16, 1ull << 16, TALLY_U32, {TALLY_OK, {0}}},
        {1ull << 16, 1ull << 16, TALLY_I32, {TALLY_INVALID, {"4294967295", "i32", "2147483647"}}},
        {65537, 65536, TALLY_U32, {TALLY_INVALID, {"4295032831", "u32", "4294967295"}}},
        {65537, 65536, TALLY_I64, {TALLY_OK, {0}}},
        {65537, 65536, TALLY_U64, {TALLY_OK, {0}}},
    };
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        const tally_reduce desc = repeated(rows[k].rows, rows[k].columns, rows[k].output);
        tally_error error;
        const tally_status status = create(&desc, &error);
        if (rows[k].wanted.status == TALLY_OK) {
            fixture_ok(status, &error, "an index that fits");
        } else {
            expect_refusal("an index that may not fit", &rows[k].wanted, status, &error);
        }
    }
}
END_TEST

Suite *suite_contract_index(void) {
    Suite *suite = suite_create("contract_index");
    TCase *tests = tcase_create("contract_index");
    tcase_add_test(tests, ties_go_to_the_first_by_default);
    tcase_add_test(tests, ties_go_to_the_last_under_tie_last);
    tcase_add_test(tests, index_over_several_axes_is_row_major);
    tcase_add_test(tests, index_over_groups_and_over_all_axes_is_row_major);
    tcase_add_test(tests, index_has_the_output_type_asked_for);
    tcase_add_test(tests, index_of_another_type_is_an_error);
    tcase_add_test(tests, index_that_may_not_fit_is_an_error);
    suite_add_tcase(suite, tests);
    return suite;
}
