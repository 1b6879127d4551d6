/*
 * test_directml.c: operators described for DirectML, run: the pages' examples, and every rule of
 * the header that is not Tally's own already.
 */
#include <math.h>
#include <string.h>

#include <check.h>

#include "run.h"
#include "support/descriptions/pages_examples.h"

#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

/* ---- The pages ------------------------------------------------------------------------------- */

static void run_example(const pages_example *example, DML_FEATURE_LEVEL level, bool in_place) {
    unsigned char output[256];
    ck_assert_uint_le(example->output_bytes, sizeof output);
    memset(output, 0xA5, sizeof output);
    if (in_place) {
        memcpy(output, example->input, example->output_bytes);
    }
    const dml_memory memory = {example->input, example->input_count * sizeof(FLOAT), output,
                               example->output_bytes, in_place};
    dml_run(example->name, &example->desc, level, &memory);
    if (memcmp(output, example->output, example->output_bytes) != 0) {
        ck_abort_msg("%s, level %x, in place %d: the output is not the page's", example->name,
                     (unsigned)level, in_place);
    }
}

START_TEST(test_pages_examples) {
    const pages_example *example = &pages_examples[_i];
    run_example(example, example->level, false);
    run_example(example, DML_FEATURE_LEVEL_6_4, false);
}
END_TEST

/* Each example needs the level it names: the one before refuses it. */
START_TEST(test_pages_examples_level) {
    const pages_example *example = &pages_examples[_i];
    const unsigned level = (unsigned)example->level;
    const unsigned before = level == 0x3000 ? 0x2100 : level % 0x1000 == 0 ? 0 : level - 0x100;
    tally_error error;
    ck_assert_int_eq(tally_dml_operator_check(&example->desc, example->level, NULL, &error),
                     TALLY_OK);
    ck_assert_uint_ne(before, 0);
    ck_assert_int_eq(
        tally_dml_operator_check(&example->desc, (DML_FEATURE_LEVEL)before, NULL, &error),
        TALLY_UNSUPPORTED);
}
END_TEST

START_TEST(test_pages_scans_in_place) {
    unsigned scans = 0;
    for (int k = 0; k < PAGES_EXAMPLES; k++) {
        const DML_OPERATOR_TYPE type = pages_examples[k].desc.Type;
        if (type == DML_OPERATOR_CUMULATIVE_SUMMATION || type == DML_OPERATOR_CUMULATIVE_PRODUCT) {
            run_example(&pages_examples[k], DML_FEATURE_LEVEL_6_4, true);
            scans++;
        }
    }
    ck_assert_uint_eq(scans, 8);
}
END_TEST

/* ---- Numbers --------------------------------------------------------------------------------- */

START_TEST(test_constants) {
    ck_assert_uint_eq(DML_TENSOR_DIMENSION_COUNT_MAX, 5);
    ck_assert_uint_eq(DML_TENSOR_DIMENSION_COUNT_MAX1, 8);
    ck_assert_uint_eq(DML_TEMPORARY_BUFFER_ALIGNMENT, 256);
    ck_assert_uint_eq(DML_PERSISTENT_BUFFER_ALIGNMENT, 256);
    ck_assert_uint_eq(DML_MINIMUM_BUFFER_TENSOR_ALIGNMENT, 16);
    ck_assert_int_eq(DML_AXIS_DIRECTION_INCREASING, 0);
    ck_assert_int_eq(DML_AXIS_DIRECTION_DECREASING, 1);
    ck_assert_int_eq(DML_TENSOR_TYPE_BUFFER, 1);
    ck_assert_int_eq(DML_TENSOR_FLAG_OWNED_BY_DML, 1);
    ck_assert_int_eq(DML_OPERATOR_REDUCE, 55);
    ck_assert_int_eq(DML_OPERATOR_DIAGONAL_MATRIX1, 163);
    ck_assert_int_eq(DML_REDUCE_FUNCTION_SUM_SQUARE, 11);
    ck_assert_int_eq(DML_FEATURE_LEVEL_6_4, 0x6400);
}
END_TEST

/* ---- Reductions ------------------------------------------------------------------------------ */

/* No axes: each element is a reduction of its own, and Axes is not read. */
START_TEST(test_no_axes) {
    const UINT sizes[] = {2, 2};
    const FLOAT input[] = {-1, 2, -3, 0}, absolute[] = {1, 2, 3, 0};
    const INT32 zeros[] = {0, 0, 0, 0};
    FLOAT output[4];
    INT32 indices[4] = {9, 9, 9, 9};
    sample made;
    sample_make(&made, DML_OPERATOR_REDUCE);
    sample_set_axes(&made, 0, NULL);
    sample_set_shape(&made, 2, sizes);
    made.reduce.Function = DML_REDUCE_FUNCTION_L1;
    made.reduce.Axes = (const UINT *)(uintptr_t)16; /* reading it would end the program */
    dml_run_sample("L1", &made, input, sizeof input, output, sizeof output);
    ck_assert_mem_eq(output, absolute, sizeof output);
    made.reduce.Axes = NULL;
    dml_run_sample("L1", &made, input, sizeof input, output, sizeof output);
    ck_assert_mem_eq(output, absolute, sizeof output);
    made.reduce.Function = DML_REDUCE_FUNCTION_ARGMAX;
    sample_set_type(&made, SAMPLE_OUTPUT, DML_TENSOR_DATA_TYPE_INT32);
    dml_run_sample("ARGMAX", &made, input, sizeof input, indices, sizeof indices);
    ck_assert_mem_eq(indices, zeros, sizeof indices);
    sample_free(&made);
}
END_TEST

/* The index over several axes is row-major in the tensor's order, whatever the order of Axes. */
START_TEST(test_order_of_axes) {
    const UINT sizes[] = {2, 3, 4, 5}, ascending[] = {1, 3}, descending[] = {3, 1};
    FLOAT input[120] = {0};
    INT32 output[8], again[8];
    sample made;
    sample_make(&made, DML_OPERATOR_ARGMAX);
    sample_set_shape(&made, 4, sizes);
    for (int i0 = 0; i0 < 2; i0++) {
        for (int i2 = 0; i2 < 4; i2++) { /* the largest at i1 = 2 - i0, i3 = i2 */
            input[((i0 * 3 + 2 - i0) * 4 + i2) * 5 + i2] = 1;
        }
    }
    sample_set_axes(&made, 2, ascending);
    dml_run_sample("ARGMAX", &made, input, sizeof input, output, sizeof output);
    sample_set_axes(&made, 2, descending);
    dml_run_sample("ARGMAX", &made, input, sizeof input, again, sizeof again);
    for (int i = 0; i < 8; i++) {
        ck_assert_int_eq(output[i], (2 - i / 4) * 5 + i % 4);
        ck_assert_int_eq(again[i], output[i]);
    }
    sample_free(&made);
}
END_TEST

/* INCREASING gives the first of equal extremes, DECREASING the last; NaN is no extreme. */
START_TEST(test_ties_and_nan) {
    const UINT sizes[] = {7}, axes[] = {0};
    const FLOAT input[] = {NAN, 3, 1, 3, 1, 2, NAN};
    const struct {
        DML_OPERATOR_TYPE type;
        DML_AXIS_DIRECTION direction;
        INT32 index;
    } ties[] = {{DML_OPERATOR_ARGMAX, DML_AXIS_DIRECTION_INCREASING, 1},
                {DML_OPERATOR_ARGMAX, DML_AXIS_DIRECTION_DECREASING, 3},
                {DML_OPERATOR_ARGMIN, DML_AXIS_DIRECTION_INCREASING, 2},
                {DML_OPERATOR_ARGMIN, DML_AXIS_DIRECTION_DECREASING, 4}};
    for (size_t k = 0; k < LENGTH(ties); k++) {
        sample made;
        INT32 output = -1;
        sample_make(&made, ties[k].type);
        sample_set_shape(&made, 4, (const UINT[]){1, 1, 1, 1});
        sample_set_axes(&made, 1, axes);
        sample_set_shape(&made, 1, sizes);
        made.argmax.AxisDirection = made.argmin.AxisDirection = ties[k].direction;
        dml_run_sample("ARG*", &made, input, sizeof input, &output, sizeof output);
        ck_assert_int_eq(output, ties[k].index);
        sample_free(&made);
    }
}
END_TEST

/* REDUCE: ARG* the first, MIN and MAX the numbers among NaN; NaN only where there is nothing else.
 */
START_TEST(test_reduce_and_nan) {
    const UINT sizes[] = {2, 4}, axes[] = {1};
    const FLOAT input[] = {NAN, 3, 3, 1, NAN, NAN, NAN, NAN};
    const struct {
        DML_REDUCE_FUNCTION function;
        uint32_t bits[2];
    } expected[] = {{DML_REDUCE_FUNCTION_ARGMAX, {1, 0}},
                    {DML_REDUCE_FUNCTION_ARGMIN, {3, 0}},
                    {DML_REDUCE_FUNCTION_MAX, {0x40400000, 0x7FC00000}},
                    {DML_REDUCE_FUNCTION_MIN, {0x3F800000, 0x7FC00000}},
                    {DML_REDUCE_FUNCTION_SUM, {0x7FC00000, 0x7FC00000}}};
    sample made;
    sample_make(&made, DML_OPERATOR_REDUCE);
    sample_set_axes(&made, 1, axes);
    sample_set_shape(&made, 2, sizes);
    for (size_t k = 0; k < LENGTH(expected); k++) {
        uint32_t output[2] = {9, 9};
        made.reduce.Function = expected[k].function;
        sample_set_type(&made, SAMPLE_OUTPUT,
                        k < 2 ? DML_TENSOR_DATA_TYPE_UINT32 : DML_TENSOR_DATA_TYPE_FLOAT32);
        dml_run_sample("REDUCE", &made, input, sizeof input, output, sizeof output);
        ck_assert_mem_eq(output, expected[k].bits, sizeof output);
    }
    sample_free(&made);
}
END_TEST

/* ---- Scans ----------------------------------------------------------------------------------- */

/* Any value of BOOL but 0 is true. */
START_TEST(test_bool) {
    const BOOL values[] = {0, 1, 2, -1, INT32_MIN, 0x100};
    const FLOAT input[] = {2, 3}, inclusive[] = {2, 5}, exclusive[] = {0, 2};
    const UINT sizes[] = {2}, axes[] = {0};
    sample made;
    sample_make(&made, DML_OPERATOR_CUMULATIVE_SUMMATION);
    sample_set_axes(&made, 1, axes);
    sample_set_shape(&made, 1, sizes);
    for (size_t k = 0; k < LENGTH(values); k++) {
        FLOAT output[2];
        made.sum.HasExclusiveSum = values[k];
        dml_run_sample("CUMULATIVE_SUMMATION", &made, input, sizeof input, output, sizeof output);
        ck_assert_mem_eq(output, values[k] == 0 ? inclusive : exclusive, sizeof output);
    }
    sample_free(&made);
}
END_TEST

/* A repeated input into a padded output: Strides are read, gaps and the surplus stay. */
START_TEST(test_strides) {
    const UINT sizes[] = {2, 3}, repeat[] = {0, 1}, pad[] = {5, 1}, axes[] = {1};
    const INT32 input[] = {1, 10, 100};
    INT32 output[10] = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
    const INT32 expected[10] = {1, 11, 111, -1, -1, 1, 11, 111, -1, -1};
    sample made;
    sample_make(&made, DML_OPERATOR_CUMULATIVE_SUMMATION);
    sample_set_axes(&made, 1, axes);
    sample_set_shape(&made, 2, sizes);
    sample_set_types(&made, DML_TENSOR_DATA_TYPE_INT32);
    sample_set_strides(&made, SAMPLE_INPUT, repeat);
    sample_set_strides(&made, SAMPLE_OUTPUT, pad);
    made.buffer[SAMPLE_INPUT].TotalTensorSizeInBytes = 12;
    made.buffer[SAMPLE_OUTPUT].TotalTensorSizeInBytes = 41; /* more, and no multiple of 4 */
    made.buffer[SAMPLE_OUTPUT].GuaranteedBaseOffsetAlignment = 64;
    dml_run_sample("CUMULATIVE_SUMMATION", &made, input, sizeof input, output, sizeof output);
    ck_assert_mem_eq(output, expected, sizeof output);
    sample_free(&made);
}
END_TEST

Suite *suite_directml(void);

Suite *suite_directml(void) {
    Suite *suite = suite_create("directml");
    TCase *all = tcase_create("all");
    tcase_set_timeout(all, 600);
    tcase_add_loop_test(all, test_pages_examples, 0, PAGES_EXAMPLES);
    tcase_add_loop_test(all, test_pages_examples_level, 0, PAGES_EXAMPLES);
    tcase_add_test(all, test_pages_scans_in_place);
    tcase_add_test(all, test_constants);
    tcase_add_test(all, test_no_axes);
    tcase_add_test(all, test_order_of_axes);
    tcase_add_test(all, test_ties_and_nan);
    tcase_add_test(all, test_reduce_and_nan);
    tcase_add_test(all, test_bool);
    tcase_add_test(all, test_strides);
    suite_add_tcase(suite, all);
    return suite;
}
