/*
 * test_query.c: the calls that need no runtime: versions, names, sizes, tensors.
 */
#include <check.h>

#include "support/descriptions/legal.h"
#include "support/descriptions/shape.h"
#include "support/numbers/values.h"
#include "support/oracle/oracle.h"
#include "support/refusal.h"

#include <tally/tally.h>

Suite *suite_query(void);

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

START_TEST(version_is_the_header_s) {
    ck_assert_uint_eq(tally_version(), TALLY_VERSION);
    ck_assert_uint_eq(TALLY_VERSION, TALLY_VERSION_MAJOR * 10000 + TALLY_VERSION_MINOR * 100 +
                                         TALLY_VERSION_PATCH);
}
END_TEST

START_TEST(dtypes) {
    const struct {
        tally_dtype dtype;
        const char *name;
        size_t bytes;
    } rows[] = {
        {TALLY_F16, "f16", 2}, {TALLY_F32, "f32", 4}, {TALLY_F64, "f64", 8}, {TALLY_I8, "i8", 1},
        {TALLY_I16, "i16", 2}, {TALLY_I32, "i32", 4}, {TALLY_I64, "i64", 8}, {TALLY_U8, "u8", 1},
        {TALLY_U16, "u16", 2}, {TALLY_U32, "u32", 4}, {TALLY_U64, "u64", 8},
    };
    ck_assert_uint_eq(COUNT(rows), LEGAL_DTYPES);
    for (size_t k = 0; k < COUNT(rows); k++) {
        ck_assert_str_eq(tally_dtype_name(rows[k].dtype), rows[k].name);
        ck_assert_int_eq(tally_dtype_by_name(rows[k].name), rows[k].dtype);
        ck_assert_uint_eq(tally_dtype_size(rows[k].dtype), rows[k].bytes);
    }
}
END_TEST

START_TEST(functions) {
    const char *names[] = {"argmax",      "argmin", "average", "l1",       "l2",  "log_sum",
                           "log_sum_exp", "max",    "min",     "multiply", "sum", "sum_square"};
    ck_assert_uint_eq(COUNT(names), LEGAL_FUNCTIONS);
    for (size_t k = 0; k < COUNT(names); k++) {
        const tally_function function = (tally_function)(k + TALLY_ARGMAX);
        ck_assert_str_eq(tally_function_name(function), names[k]);
        ck_assert_int_eq(tally_function_by_name(names[k]), function);
    }
}
END_TEST

START_TEST(statuses) {
    const char *names[] = {"ok",           "invalid",     "unsupported", "out of memory",
                           "build failed", "device error"};
    for (size_t k = 0; k < COUNT(names); k++) {
        ck_assert_str_eq(tally_status_name((tally_status)k), names[k]);
    }
}
END_TEST

START_TEST(values_that_are_none) {
    const int none[] = {0, -1, 12, 13, 1000, INT32_MAX, INT32_MIN};
    for (size_t k = 0; k < COUNT(none); k++) {
        if (none[k] != 12) { /* the last function */
            ck_assert_str_eq(tally_function_name((tally_function)none[k]), "unknown");
        }
        ck_assert_str_eq(tally_dtype_name((tally_dtype)none[k]), "unknown");
        ck_assert_uint_eq(tally_dtype_size((tally_dtype)none[k]), 0);
        if (none[k] != 0) { /* ok */
            ck_assert_str_eq(tally_status_name((tally_status)none[k]), "unknown");
        }
    }
    const char *names[] = {"", "F32", "f3", "f322", "none", "unknown", NULL};
    for (size_t k = 0; k < COUNT(names); k++) {
        ck_assert_int_eq(tally_dtype_by_name(names[k]), TALLY_DTYPE_NONE);
        ck_assert_int_eq(tally_function_by_name(names[k]), TALLY_FUNCTION_NONE);
    }
}
END_TEST

START_TEST(packed_and_reduced) {
    const uint64_t size[] = {2, 3, 4};
    tally_tensor tensor = tally_tensor_packed(TALLY_I16, 3, size);
    ck_assert_int_eq(tensor.dtype, TALLY_I16);
    ck_assert_uint_eq(tensor.rank, 3);
    ck_assert_uint_eq(tensor.flags, 0);
    ck_assert_mem_eq(tensor.size, size, sizeof size);
    tensor.flags = TALLY_STRIDED;
    tensor.stride[0] = 100;
    const tally_tensor reduced = tally_tensor_reduced(&tensor, 5, TALLY_U64);
    ck_assert_int_eq(reduced.dtype, TALLY_U64);
    ck_assert_uint_eq(reduced.rank, 3);
    ck_assert_uint_eq(reduced.flags, 0);
    ck_assert_uint_eq(reduced.size[0], 1);
    ck_assert_uint_eq(reduced.size[1], 3);
    ck_assert_uint_eq(reduced.size[2], 1);
    ck_assert_uint_eq(tally_tensor_packed(TALLY_F32, 0, NULL).rank, 0);
    ck_assert_int_eq(tally_tensor_packed(TALLY_F32, 0, NULL).dtype, TALLY_F32);
}
END_TEST

/* There is no error to fill: the tensor has no type, and the call that uses it says so. */
START_TEST(packed_and_reduced_of_nothing) {
    const tally_tensor none[] = {tally_tensor_packed(TALLY_F32, 2, NULL),
                                 tally_tensor_reduced(NULL, 1, TALLY_F32)};
    for (size_t i = 0; i < COUNT(none); i++) {
        uint64_t bytes = 77;
        tally_error error;
        refusal_check(INVALID("dtype 0"), tally_tensor_bytes(&none[i], &bytes, &error), &error);
        ck_assert_uint_eq(bytes, 77);
    }
}
END_TEST

START_TEST(bytes_of_tensors) {
    tally_error error;
    uint64_t state = 5, bytes = 1;
    for (int k = 0; k < 1000; k++) {
        shape sizes = {(uint32_t)(values_random(&state) % 9), {0}};
        for (uint32_t axis = 0; axis < sizes.rank; axis++) {
            sizes.size[axis] = values_random(&state) % 9;
        }
        tally_tensor tensor = shape_tensor((tally_dtype)(TALLY_F16 + k % LEGAL_DTYPES), sizes);
        shape_random_input(&tensor, &state);
        ck_assert_int_eq(tally_tensor_bytes(&tensor, &bytes, &error), TALLY_OK);
        ck_assert_uint_eq(bytes, oracle_extent(&tensor));
        ck_assert_str_eq(error.message, "");
    }
    const tally_tensor scalar = shape_tensor(TALLY_F64, SHAPE_SCALAR);
    ck_assert_int_eq(tally_tensor_bytes(&scalar, &bytes, NULL), TALLY_OK);
    ck_assert_uint_eq(bytes, 8);
}
END_TEST

START_TEST(bytes_of_malformed_tensors) {
    tally_error error;
    uint64_t bytes = 0;
    tally_tensor tensor = shape_tensor(TALLY_F32, SHAPE(2));
    tensor.rank = 9;
    refusal_check(REFUSAL(TALLY_INVALID, "rank 9", "8"),
                  tally_tensor_bytes(&tensor, &bytes, &error), &error);
    tensor = shape_tensor(TALLY_F32, SHAPE(UINT64_MAX, 2));
    refusal_check(REFUSAL(TALLY_INVALID, "18446744073709551615"),
                  tally_tensor_bytes(&tensor, &bytes, &error), &error);
    refusal_check(REFUSAL(TALLY_INVALID, "NULL"), tally_tensor_bytes(NULL, &bytes, &error), &error);
    refusal_check(REFUSAL(TALLY_INVALID, "NULL"), tally_tensor_bytes(&tensor, NULL, &error),
                  &error);
    ck_assert_int_eq(tally_tensor_bytes(NULL, NULL, NULL), TALLY_INVALID);
}
END_TEST

/* Operators that are none have no scratch and nothing to say. */
START_TEST(queries_of_null) {
    ck_assert_uint_eq(tally_op_scratch_size(NULL), 0);
    ck_assert_ptr_nonnull(tally_op_describe(NULL));
}
END_TEST

Suite *suite_query(void) {
    Suite *suite = suite_create("query");
    TCase *tests = tcase_create("query");
    tcase_add_test(tests, version_is_the_header_s);
    tcase_add_test(tests, dtypes);
    tcase_add_test(tests, functions);
    tcase_add_test(tests, statuses);
    tcase_add_test(tests, values_that_are_none);
    tcase_add_test(tests, packed_and_reduced);
    tcase_add_test(tests, packed_and_reduced_of_nothing);
    tcase_add_test(tests, bytes_of_tensors);
    tcase_add_test(tests, bytes_of_malformed_tensors);
    tcase_add_test(tests, queries_of_null);
    suite_add_tcase(suite, tests);
    return suite;
}
