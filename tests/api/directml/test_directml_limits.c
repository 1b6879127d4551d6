/*
 * test_directml_limits.c: what is just legal for DirectML, next to what test_directml_malformed
 * refuses, and the calls that make no operator.
 */
#include <string.h>

#include <check.h>

#include "sample.h"
#include "support/fixtures/fixture.h"

/* 2^32 - 1 elements are not too many: one more is, as test_directml_malformed has it. */
START_TEST(test_most_elements) {
    const UINT sizes[] = {65537, 65535, 1, 1}, strides[] = {0, 0, 0, 0};
    tally_error error;
    sample made;
    sample_make(&made, DML_OPERATOR_REDUCE);
    sample_set_axes(&made, 2, (const UINT[]){0, 1});
    sample_set_shape(&made, 4, sizes);
    sample_set_strides(&made, SAMPLE_INPUT, strides);
    made.buffer[SAMPLE_INPUT].TotalTensorSizeInBytes = 4;
    fixture_ok(tally_dml_operator_check(&made.desc, made.level, NULL, &error), &error, "REDUCE");
    sample_free(&made);
}
END_TEST

/* Every power of two from the element's 4 bytes on, and 0 for no guarantee. */
START_TEST(test_alignments) {
    tally_error error;
    sample made;
    sample_make(&made, DML_OPERATOR_REDUCE);
    fixture_ok(tally_dml_operator_check(&made.desc, made.level, NULL, &error), &error, "0");
    for (int bit = 2; bit < 32; bit++) {
        made.buffer[SAMPLE_INPUT].GuaranteedBaseOffsetAlignment = 1u << bit;
        made.buffer[SAMPLE_OUTPUT].GuaranteedBaseOffsetAlignment = 1u << (33 - bit);
        fixture_ok(tally_dml_operator_check(&made.desc, made.level, NULL, &error), &error,
                   "alignment");
    }
    sample_free(&made);
}
END_TEST

/* The calls that make no operator leave an emptied error behind. */
START_TEST(test_error_is_emptied) {
    tally_error error = {.status = TALLY_INVALID, .cl_code = 7, .message = "stale"};
    DML_FEATURE_LEVEL level = DML_FEATURE_LEVEL_1_0;
    sample made;
    sample_make(&made, DML_OPERATOR_REDUCE);
    ck_assert_int_eq(tally_dml_operator_check(&made.desc, made.level, NULL, &error), TALLY_OK);
    ck_assert_int_eq(error.status, TALLY_OK);
    ck_assert_str_eq(error.message, "");
    error.message[0] = 'x';
    ck_assert_int_eq(tally_dml_minimum_level(DML_OPERATOR_REDUCE, DML_REDUCE_FUNCTION_SUM,
                                             DML_TENSOR_DATA_TYPE_INT64, DML_TENSOR_DATA_TYPE_INT64,
                                             4, &level, &error),
                     TALLY_OK);
    ck_assert_int_eq(level, DML_FEATURE_LEVEL_5_0);
    ck_assert_str_eq(error.message, "");
    ck_assert_int_eq(tally_dml_minimum_level(DML_OPERATOR_REDUCE, DML_REDUCE_FUNCTION_SUM,
                                             DML_TENSOR_DATA_TYPE_FLOAT64,
                                             DML_TENSOR_DATA_TYPE_FLOAT64, 4, &level, &error),
                     TALLY_INVALID);
    ck_assert_int_eq(level, 0);
    ck_assert_ptr_nonnull(strstr(error.message, "no level accepts it"));
    ck_assert_int_eq(tally_dml_minimum_level((DML_OPERATOR_TYPE)54, DML_REDUCE_FUNCTION_SUM,
                                             DML_TENSOR_DATA_TYPE_FLOAT32,
                                             DML_TENSOR_DATA_TYPE_FLOAT32, 4, &level, &error),
                     TALLY_UNSUPPORTED);
    ck_assert_int_eq(tally_dml_minimum_level(DML_OPERATOR_REDUCE, DML_REDUCE_FUNCTION_SUM,
                                             DML_TENSOR_DATA_TYPE_FLOAT32,
                                             DML_TENSOR_DATA_TYPE_FLOAT32, 4, NULL, &error),
                     TALLY_INVALID);
    ck_assert_ptr_nonnull(strstr(error.message, "the place for the level is NULL"));
    sample_free(&made);
}
END_TEST

Suite *suite_directml_limits(void);

Suite *suite_directml_limits(void) {
    Suite *suite = suite_create("directml_limits");
    TCase *all = tcase_create("all");
    tcase_add_test(all, test_most_elements);
    tcase_add_test(all, test_alignments);
    tcase_add_test(all, test_error_is_emptied);
    suite_add_tcase(suite, all);
    return suite;
}
