/*
 * test_errors_create.c: every description of good tensors that the create calls must refuse: the
 * status, the value and the limit in the sentence, nothing made, nothing compiled.
 */
#include <check.h>
#include <stdio.h>

#include "support/descriptions/legal.h"
#include "support/descriptions/shape.h"
#include "support/fixtures/fixture.h"
#include "support/refusal.h"

Suite *suite_errors_create(void);

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* ---- REDUCE --------------------------------------------------------------------------------- */

START_TEST(illegal_pairs) {
    int pairs = 0;
    for (int f = TALLY_ARGMAX; f <= TALLY_SUM_SQUARE; f++) {
        for (int d = TALLY_F16; d <= TALLY_U64; d++) {
            const tally_function function = (tally_function)f;
            const tally_dtype dtype = (tally_dtype)d;
            const char *function_name = tally_function_name(function);
            const refusal expected = INVALID(function_name, tally_dtype_name(dtype));
            if (!legal_reduce(function, dtype)) {
                const tally_reduce desc = shape_reduce(function, dtype, SHAPE(3, 4), 2);
                refuse_reduce(&desc, expected);
                pairs++;
            }
            if (!legal_scan(function, dtype)) {
                const tally_cumulative desc = shape_scan(function, dtype, SHAPE(3, 4), 1);
                refuse_cumulative(&desc, INVALID(function_name));
            }
        }
    }
    ck_assert_int_eq(pairs, LEGAL_FUNCTIONS * LEGAL_DTYPES - LEGAL_REDUCE_PAIRS);
}
END_TEST

START_TEST(output_types) {
    for (int d = TALLY_F16; d <= TALLY_U64; d++) {
        const tally_dtype dtype = (tally_dtype)d;
        tally_reduce sum = shape_sum_rows(),
                     index = shape_reduce(TALLY_ARGMIN, TALLY_F32, SHAPE(4), 1);
        tally_cumulative scan = shape_scan_rows();
        sum.output.dtype = scan.output.dtype = index.output.dtype = dtype;
        if (dtype != TALLY_F32) {
            refuse_reduce(&sum, INVALID("f32", tally_dtype_name(dtype)));
            refuse_cumulative(&scan, INVALID("f32", tally_dtype_name(dtype)));
        }
        if (!legal_index_type(dtype)) {
            refuse_reduce(&index,
                          INVALID("argmin", "i32, i64, u32 or u64", tally_dtype_name(dtype)));
        }
    }
}
END_TEST

START_TEST(bad_functions) {
    const int values[] = {0, 13, -1, 1000};
    for (size_t k = 0; k < COUNT(values); k++) {
        char value[32];
        tally_reduce reduce = shape_sum_rows();
        tally_cumulative scan = shape_scan_rows();
        snprintf(value, sizeof value, "function %d", values[k]);
        reduce.function = scan.function = (tally_function)values[k];
        refuse_reduce(&reduce, INVALID(value));
        refuse_cumulative(&scan, INVALID(value));
    }
}
END_TEST

START_TEST(bad_options) {
    tally_reduce reduce = shape_reduce(TALLY_ARGMAX, TALLY_F32, SHAPE(3, 4), 2);
    tally_cumulative scan = shape_scan(TALLY_MAX, TALLY_F32, SHAPE(3, 4), 1);
    reduce.tie = (tally_tie)2;
    refuse_reduce(&reduce, INVALID("tie 2"));
    reduce.tie = TALLY_TIE_LAST;
    reduce.nan = (tally_nan)7;
    refuse_reduce(&reduce, INVALID("nan 7"));
    scan.nan = (tally_nan)-1;
    refuse_cumulative(&scan, INVALID("nan -1"));
}
END_TEST

START_TEST(bad_axes) {
    tally_reduce desc = shape_sum_rows();
    desc.axes = 0x12;
    refuse_reduce(&desc, INVALID("0x12", "axis 4", "rank 3"));
    desc.axes = 0x80000000;
    refuse_reduce(&desc, INVALID("0x80000000", "axis 31", "rank 3"));
    desc.axes = 8;
    refuse_reduce(&desc, INVALID("0x8", "axis 3", "rank 3"));
    desc = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE_SCALAR, 1);
    refuse_reduce(&desc, INVALID("0x1", "axis 0", "rank 0"));
    desc = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(1, 1, 1, 1, 1, 1, 1, 1), 0x100);
    refuse_reduce(&desc, INVALID("0x100", "axis 8", "rank 8"));
}
END_TEST

START_TEST(output_shapes) {
    tally_reduce desc = shape_sum_rows();
    desc.output.rank = 2;
    refuse_reduce(&desc, INVALID("rank 2", "rank 3"));
    desc = shape_sum_rows();
    desc.output.size[2] = 5;
    refuse_reduce(&desc, INVALID("axis 2", "size 5", "1"));
    desc.output.size[2] = 0;
    refuse_reduce(&desc, INVALID("axis 2", "size 0", "1"));
    desc = shape_sum_rows();
    desc.output.size[1] = 3;
    refuse_reduce(&desc, INVALID("axis 1", "size 3", "4"));
    tally_cumulative scan = shape_scan_rows();
    scan.output.size[2] = 1;
    refuse_cumulative(&scan, INVALID("axis 2", "size 1", "5"));
    scan = shape_scan_rows();
    scan.output.rank = 2;
    refuse_cumulative(&scan, INVALID("rank 2", "rank 3"));
}
END_TEST

/* ARG* of nothing, and of more than the output type can count. */
START_TEST(indices) {
    tally_error error;
    tally_op *op = NULL;
    tally_reduce desc = shape_reduce(TALLY_ARGMAX, TALLY_U8, SHAPE(3, 0), 2);
    refuse_reduce(&desc, INVALID("argmax", "size 0"));
    desc = shape_reduce(TALLY_ARGMIN, TALLY_F32, SHAPE(0, 3), 3);
    refuse_reduce(&desc, INVALID("argmin", "size 0"));
    desc = shape_reduce(TALLY_ARGMAX, TALLY_U8, SHAPE(((uint64_t)1 << 31) + 1), 1);
    shape_repeat(&desc.input, 1);
    desc.output.dtype = TALLY_I32;
    refuse_reduce(&desc, INVALID("2147483648", "2147483647", "i32"));
    desc = shape_reduce(TALLY_ARGMAX, TALLY_U8, SHAPE(65536, 65537), 3);
    shape_repeat(&desc.input, 3);
    refuse_reduce(&desc, INVALID("4295032831", "4294967295", "u32"));
    desc = shape_reduce(TALLY_ARGMAX, TALLY_U8, SHAPE((uint64_t)1 << 31), 1);
    shape_repeat(&desc.input, 1);
    desc.output.dtype = TALLY_I32; /* the last index just fits */
    fixture_ok(tally_reduce_create(fixture_get()->runtime, &desc, &op, &error), &error, "create");
    tally_op_release(op);
}
END_TEST

/* ---- Scans and fills ------------------------------------------------------------------------ */

START_TEST(scan_axes) {
    tally_cumulative desc = shape_scan_rows();
    desc.axis = 3;
    refuse_cumulative(&desc, INVALID("axis 3", "rank 3"));
    desc.axis = UINT32_MAX;
    refuse_cumulative(&desc, INVALID("axis 4294967295", "rank 3"));
    desc = shape_scan(TALLY_SUM, TALLY_F32, SHAPE_SCALAR, 0);
    refuse_cumulative(&desc, INVALID("axis 0", "rank 0"));
}
END_TEST

START_TEST(fills) {
    tally_diagonal desc = shape_fill(SHAPE(4));
    refuse_diagonal(&desc, INVALID("rank 1", "2", "8"));
    desc = shape_fill(SHAPE_SCALAR);
    refuse_diagonal(&desc, INVALID("rank 0", "2", "8"));
    desc = shape_fill(SHAPE(4, 5));
    tally_tensor input = shape_tensor(TALLY_I32, SHAPE(4, 5));
    desc.input = &input; /* through which what follows is read */
    refuse_diagonal(&desc, INVALID("f32", "i32"));
    /* cppcheck-suppress redundantAssignment */
    input = shape_tensor(TALLY_F32, SHAPE(5, 4));
    refuse_diagonal(&desc, INVALID("axis 0", "4", "5"));
    /* cppcheck-suppress [redundantAssignment,unreadVariable] */
    input = shape_tensor(TALLY_F32, SHAPE(1, 4, 5));
    refuse_diagonal(&desc, INVALID("rank 2", "rank 3"));
}
END_TEST

/* ---- Structs and pointers ------------------------------------------------------------------- */

START_TEST(struct_sizes) {
    const uint32_t sizes[] = {0, 7, 5000, UINT32_MAX};
    for (size_t k = 0; k < COUNT(sizes); k++) {
        char value[32];
        tally_reduce reduce = shape_sum_rows();
        tally_cumulative scan = shape_scan_rows();
        tally_diagonal band = shape_fill(SHAPE(2, 2));
        reduce.struct_size = scan.struct_size = band.struct_size = sizes[k];
        snprintf(value, sizeof value, " %u", (unsigned)sizes[k]);
        refuse_reduce(&reduce, INVALID("struct_size", value, "tally_reduce"));
        refuse_cumulative(&scan, INVALID("struct_size", value, "tally_cumulative"));
        refuse_diagonal(&band, INVALID("struct_size", value, "tally_diagonal"));
    }
}
END_TEST

START_TEST(null_arguments) {
    tally_error error;
    int position = 0;
    tally_op *op = (tally_op *)(void *)&position;
    tally_runtime *runtime = fixture_get()->runtime;
    const tally_reduce reduce = shape_sum_rows();
    const tally_cumulative scan = shape_scan_rows();
    const tally_diagonal band = shape_fill(SHAPE(2, 2));
    refuse_reduce(NULL, INVALID("NULL"));
    refuse_cumulative(NULL, INVALID("NULL"));
    refuse_diagonal(NULL, INVALID("NULL"));
    refusal_check(INVALID("runtime", "NULL"), tally_reduce_create(NULL, &reduce, &op, &error),
                  &error);
    ck_assert_ptr_null(op);
    refusal_check(INVALID("runtime", "NULL"), tally_cumulative_create(NULL, &scan, &op, &error),
                  &error);
    refusal_check(INVALID("runtime", "NULL"), tally_diagonal_create(NULL, &band, &op, &error),
                  &error);
    refusal_check(INVALID("NULL"), tally_reduce_create(runtime, &reduce, NULL, &error), &error);
    refusal_check(INVALID("NULL"), tally_cumulative_create(runtime, &scan, NULL, &error), &error);
    refusal_check(INVALID("NULL"), tally_diagonal_create(runtime, &band, NULL, &error), &error);
    ck_assert_int_eq(tally_reduce_create(NULL, NULL, NULL, NULL), TALLY_INVALID);
    tally_op_release(NULL);
    tally_runtime_release(NULL);
}
END_TEST

Suite *suite_errors_create(void) {
    Suite *suite = suite_create("errors_create");
    TCase *tests = tcase_create("errors_create");
    tcase_set_timeout(tests, 600);
    tcase_add_test(tests, illegal_pairs);
    tcase_add_test(tests, output_types);
    tcase_add_test(tests, bad_functions);
    tcase_add_test(tests, bad_options);
    tcase_add_test(tests, bad_axes);
    tcase_add_test(tests, output_shapes);
    tcase_add_test(tests, indices);
    tcase_add_test(tests, scan_axes);
    tcase_add_test(tests, fills);
    tcase_add_test(tests, struct_sizes);
    tcase_add_test(tests, null_arguments);
    suite_add_tcase(suite, tests);
    return suite;
}
