/*
 * test_directml_fill.c: DIAGONAL_MATRIX and DIAGONAL_MATRIX1 described for DirectML, run: Value in
 * every type, any Offset, and what the two are to each other.
 */
#include <math.h>
#include <string.h>

#include <check.h>

#include "api/operator.h"
#include "run.h"
#include "support/fixtures/fixture.h"
#include "support/numbers/number.h"

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* ---- DIAGONAL_MATRIX: Value in other types --------------------------------------------------- */

typedef struct conversion {
    DML_TENSOR_DATA_TYPE type;
    tally_dtype dtype;
    FLOAT value;
    uint64_t bits;
} conversion;

#define TO(name, dtype, value, bits)                                                               \
    { DML_TENSOR_DATA_TYPE_##name, TALLY_##dtype, value, bits }

static const conversion conversions[] = {
    TO(INT32, I32, 10.6f, 10),
    TO(INT32, I32, -10.6f, (uint32_t)-10),
    TO(INT32, I32, 0.999f, 0),
    TO(INT32, I32, -0.999f, 0),
    TO(INT32, I32, 2147483648.0f, 0x7FFFFFFF),
    TO(INT32, I32, 2147483520.0f, 0x7FFFFF80),
    TO(INT32, I32, -2147483648.0f, 0x80000000),
    TO(INT32, I32, -3e38f, 0x80000000),
    TO(INT32, I32, INFINITY, 0x7FFFFFFF),
    TO(INT32, I32, NAN, 0),
    TO(UINT32, U32, 4294967040.0f, 0xFFFFFF00),
    TO(UINT32, U32, 4294967296.0f, 0xFFFFFFFF),
    TO(UINT32, U32, -1.0f, 0),
    TO(UINT32, U32, -INFINITY, 0),
    TO(UINT32, U32, NAN, 0),
    TO(INT64, I64, NAN, 0),
    TO(UINT64, U64, NAN, 0),
    TO(INT8, I8, -127.0f, 0x81),
    TO(INT8, I8, 127.9f, 0x7F),
    TO(INT8, I8, 128.0f, 0x7F),
    TO(INT8, I8, -128.9f, 0x80),
    TO(INT8, I8, -129.0f, 0x80),
    TO(UINT8, U8, 255.9f, 0xFF),
    TO(UINT8, U8, 256.0f, 0xFF),
    TO(UINT8, U8, -0.5f, 0),
    TO(INT16, I16, 32768.0f, 0x7FFF),
    TO(INT16, I16, -40000.0f, 0x8000),
    TO(UINT16, U16, 65536.0f, 0xFFFF),
    TO(UINT16, U16, 65535.5f, 0xFFFF),
    TO(INT64, I64, 9223371487098961920.0f, UINT64_C(0x7FFFFF8000000000)),
    TO(INT64, I64, 9223372036854775808.0f, UINT64_C(0x7FFFFFFFFFFFFFFF)),
    TO(INT64, I64, -9223372036854775808.0f, UINT64_C(0x8000000000000000)),
    TO(INT64, I64, -1e30f, UINT64_C(0x8000000000000000)),
    TO(UINT64, U64, 18446742974197923840.0f, UINT64_C(0xFFFFFF0000000000)),
    TO(UINT64, U64, 18446744073709551616.0f, UINT64_C(0xFFFFFFFFFFFFFFFF)),
    TO(UINT64, U64, 7.75f, 7),
    TO(FLOAT32, F32, 10.6f, 0x4129999A),
    TO(FLOAT32, F32, -0.0f, 0x80000000),
    TO(FLOAT64, F64, 10.6f, UINT64_C(0x4025333340000000)),
    TO(FLOAT64, F64, -INFINITY, UINT64_C(0xFFF0000000000000)),
    TO(FLOAT16, F16, 1.0f, 0x3C00),
    TO(FLOAT16, F16, NAN, 0x7E00),
    TO(FLOAT16, F16, -NAN, 0x7E00),
    TO(FLOAT16, F16, -INFINITY, 0xFC00),
    TO(FLOAT16, F16, 65504.0f, 0x7BFF),
    TO(FLOAT16, F16, 65519.996f, 0x7BFF),
    TO(FLOAT16, F16, 65520.0f, 0x7C00),
    TO(FLOAT16, F16, 1e30f, 0x7C00),
    TO(FLOAT16, F16, 2049.0f, 0x6800),  /* halfway, to even */
    TO(FLOAT16, F16, 2051.0f, 0x6802),  /* halfway, to even */
    TO(FLOAT16, F16, 2047.9f, 0x6800),  /* the carry goes into the exponent */
    TO(FLOAT16, F16, 0x1p-14f, 0x0400), /* the smallest normal number */
    TO(FLOAT16, F16, 0x1.FFEp-15f, 0x0400),
    TO(FLOAT16, F16, 0x1p-24f, 0x0001), /* the smallest of all */
    TO(FLOAT16, F16, 0x1.8p-24f, 0x0002),
    TO(FLOAT16, F16, 0x1p-25f, 0x0000), /* halfway to it, to even */
    TO(FLOAT16, F16, 0x1.000002p-25f, 0x0001),
    TO(FLOAT16, F16, -0x1p-126f, 0x8000),
};

START_TEST(test_value_conversion) {
    const UINT sizes[] = {1, 1};
    sample made;
    sample_make(&made, DML_OPERATOR_DIAGONAL_MATRIX);
    sample_set_shape(&made, 2, sizes);
    for (size_t k = 0; k < LENGTH(conversions); k++) {
        const conversion *to = &conversions[k];
        unsigned char element[8] = {0};
        sample_set_types(&made, to->type);
        made.diagonal.Value = to->value;
        dml_run_sample("DIAGONAL_MATRIX", &made, NULL, 0, element, number_bytes(to->dtype));
        if (number_load(to->dtype, element) != to->bits) {
            ck_abort_msg("%g to %s: %llx, not %llx", (double)to->value, tally_dtype_name(to->dtype),
                         (unsigned long long)number_load(to->dtype, element),
                         (unsigned long long)to->bits);
        }
    }
    sample_free(&made);
}
END_TEST

/* ---- DIAGONAL_MATRIX: Offset, and what it is to DIAGONAL_MATRIX1 ----------------------------- */

START_TEST(test_offset) {
    static const INT offsets[] = {0, 1, 2, 3, -1, -2, 100, -100, INT32_MAX, INT32_MIN};
    const UINT sizes[] = {2, 3, 4};
    sample one, two;
    sample_make(&one, DML_OPERATOR_DIAGONAL_MATRIX);
    sample_make(&two, DML_OPERATOR_DIAGONAL_MATRIX1);
    sample_set_shape(&one, 3, sizes);
    sample_set_shape(&two, 3, sizes);
    sample_drop_input(&two);
    one.diagonal.Value = two.diagonal1.Value.Float32 = 2.5f;
    for (size_t k = 0; k < LENGTH(offsets); k++) {
        FLOAT output[24], other[24];
        memset(output, 0xA5, sizeof output);
        memset(other, 0xA5, sizeof other);
        one.diagonal.Offset = offsets[k];
        dml_run_sample("DIAGONAL_MATRIX", &one, NULL, 0, output, sizeof output);
        for (int i = 0; i < 24; i++) {
            const int64_t x = i % 4, y = i / 4 % 3;
            ck_assert_msg(output[i] == (y + offsets[k] == x ? 2.5f : 0.0f), "Offset %d: [%d] is %g",
                          offsets[k], i, (double)output[i]);
        }
        if (offsets[k] == INT32_MAX) { /* End would overflow */
            continue;
        }
        two.diagonal1.DiagonalFillBegin = offsets[k];
        two.diagonal1.DiagonalFillEnd = offsets[k] + 1;
        dml_run_sample("DIAGONAL_MATRIX1", &two, NULL, 0, other, sizeof other);
        ck_assert_mem_eq(output, other, sizeof output);
    }
    sample_free(&one);
    sample_free(&two);
}
END_TEST

/* Offset + 1 takes 33 bits. Only matrices wider than 2^31 tell, so the operator's own words do. */
START_TEST(test_largest_offset) {
    tally_error error;
    tally_op *op = NULL;
    sample made;
    sample_make(&made, DML_OPERATOR_DIAGONAL_MATRIX);
    made.diagonal.Offset = INT32_MAX;
    fixture_ok(
        tally_dml_operator_create(fixture_get()->runtime, &made.desc, made.level, &op, &error),
        &error, "DIAGONAL_MATRIX");
    ck_assert(!op->problem.inverted);
    ck_assert_int_eq(op->problem.low, INT32_MAX);
    ck_assert_int_eq(op->problem.high, INT64_C(0x80000000));
    tally_op_release(op);
    sample_free(&made);
}
END_TEST

/* ---- DIAGONAL_MATRIX1: Value by its type ----------------------------------------------------- */

START_TEST(test_value_members) {
    const struct {
        DML_TENSOR_DATA_TYPE type;
        tally_dtype dtype;
        DML_SCALAR_UNION value;
        uint64_t bits;
    } values[] = {
        {DML_TENSOR_DATA_TYPE_FLOAT16, TALLY_F16, {.UInt16 = 0x3E00}, 0x3E00},
        {DML_TENSOR_DATA_TYPE_FLOAT32, TALLY_F32, {.Float32 = 1.5f}, 0x3FC00000},
        {DML_TENSOR_DATA_TYPE_FLOAT64, TALLY_F64, {.Float64 = 1.5}, UINT64_C(0x3FF8000000000000)},
        {DML_TENSOR_DATA_TYPE_INT8, TALLY_I8, {.Int8 = -2}, 0xFE},
        {DML_TENSOR_DATA_TYPE_UINT8, TALLY_U8, {.UInt8 = 200}, 200},
        {DML_TENSOR_DATA_TYPE_INT16, TALLY_I16, {.Int16 = -300}, 0xFED4},
        {DML_TENSOR_DATA_TYPE_UINT16, TALLY_U16, {.UInt16 = 60000}, 60000},
        {DML_TENSOR_DATA_TYPE_INT32, TALLY_I32, {.Int32 = -70000}, 0xFFFEEE90},
        {DML_TENSOR_DATA_TYPE_UINT32, TALLY_U32, {.UInt32 = 0xDEADBEEF}, 0xDEADBEEF},
        {DML_TENSOR_DATA_TYPE_INT64, TALLY_I64, {.Int64 = -1}, UINT64_MAX},
        {DML_TENSOR_DATA_TYPE_UINT64, TALLY_U64, {.UInt64 = UINT64_MAX - 1}, UINT64_MAX - 1},
    };
    const UINT sizes[] = {2, 2};
    sample made;
    sample_make(&made, DML_OPERATOR_DIAGONAL_MATRIX1);
    sample_set_shape(&made, 2, sizes);
    for (size_t k = 0; k < LENGTH(values); k++) {
        unsigned char input[32], output[32] = {0};
        const size_t bytes = number_bytes(values[k].dtype);
        memset(input, 0x5A, sizeof input);
        sample_set_types(&made, values[k].type);
        made.diagonal1.Value = values[k].value;
        dml_run_sample("DIAGONAL_MATRIX1", &made, input, 4 * bytes, output, 4 * bytes);
        for (size_t i = 0; i < 4; i++) {
            const uint64_t kept = UINT64_C(0x5A5A5A5A5A5A5A5A) >> (64 - 8 * bytes);
            ck_assert_uint_eq(number_load(values[k].dtype, output + i * bytes),
                              i == 0 || i == 3 ? values[k].bits : kept);
        }
    }
    sample_free(&made);
}
END_TEST

Suite *suite_directml_fill(void);

Suite *suite_directml_fill(void) {
    Suite *suite = suite_create("directml_fill");
    TCase *all = tcase_create("all");
    tcase_set_timeout(all, 600);
    tcase_add_test(all, test_value_conversion);
    tcase_add_test(all, test_offset);
    tcase_add_test(all, test_largest_offset);
    tcase_add_test(all, test_value_members);
    suite_add_tcase(suite, all);
    return suite;
}
