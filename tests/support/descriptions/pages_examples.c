/*
 * pages_examples.c: descriptions as they stand in programs for DirectML. They need directml.h and
 * nothing else, and are compiled as C and as C++, after Microsoft's own header too.
 *
 * Two slips of the pages: the first example of DIAGONAL_MATRIX1 has Value 7 and prints ones, where
 * the formula gives sevens; the comment of REDUCE's third example lists a 5 where the tensor has a
 * 4, but its sum, 21, is the tensor's.
 */
#include "pages_examples.h"

/* ---- REDUCE ---------------------------------------------------------------------------------- */

static const FLOAT reduce_input[] = {1, 2, 3, 3, 0, 4, 2, 4, 2};
static const FLOAT reduce_columns[] = {6, 6, 9};
static const FLOAT reduce_rows[] = {6, 7, 8};
static const FLOAT reduce_all[] = {21};

static const UINT sizes_3x3[] = {3, 3}, sizes_1x3[] = {1, 3}, sizes_3x1[] = {3, 1},
                  sizes_1x1[] = {1, 1};
static const UINT axes_0[] = {0}, axes_1[] = {1}, axes_0_1[] = {0, 1};

static const DML_BUFFER_TENSOR_DESC buffer_3x3 = {
    DML_TENSOR_DATA_TYPE_FLOAT32, DML_TENSOR_FLAG_NONE, 2, sizes_3x3, NULL, 36, 0};
static const DML_BUFFER_TENSOR_DESC buffer_1x3 = {
    DML_TENSOR_DATA_TYPE_FLOAT32, DML_TENSOR_FLAG_NONE, 2, sizes_1x3, NULL, 12, 0};
static const DML_BUFFER_TENSOR_DESC buffer_3x1 = {
    DML_TENSOR_DATA_TYPE_FLOAT32, DML_TENSOR_FLAG_NONE, 2, sizes_3x1, NULL, 12, 0};
static const DML_BUFFER_TENSOR_DESC buffer_1x1 = {
    DML_TENSOR_DATA_TYPE_FLOAT32, DML_TENSOR_FLAG_NONE, 2, sizes_1x1, NULL, 4, 0};
static const DML_TENSOR_DESC tensor_3x3 = {DML_TENSOR_TYPE_BUFFER, &buffer_3x3};
static const DML_TENSOR_DESC tensor_1x3 = {DML_TENSOR_TYPE_BUFFER, &buffer_1x3};
static const DML_TENSOR_DESC tensor_3x1 = {DML_TENSOR_TYPE_BUFFER, &buffer_3x1};
static const DML_TENSOR_DESC tensor_1x1 = {DML_TENSOR_TYPE_BUFFER, &buffer_1x1};

static const DML_REDUCE_OPERATOR_DESC reduce_1 = {DML_REDUCE_FUNCTION_SUM, &tensor_3x3, &tensor_1x3,
                                                  1, axes_0};
static const DML_REDUCE_OPERATOR_DESC reduce_2 = {DML_REDUCE_FUNCTION_SUM, &tensor_3x3, &tensor_3x1,
                                                  1, axes_1};
static const DML_REDUCE_OPERATOR_DESC reduce_3 = {DML_REDUCE_FUNCTION_SUM, &tensor_3x3, &tensor_1x1,
                                                  2, axes_0_1};

/* ---- ARGMAX, ARGMIN -------------------------------------------------------------------------- */

static const FLOAT arg_input[] = {1, 2, 3, 3, 0, 4, 2, 5, 2};
static const UINT argmax_columns[] = {1, 2, 1}, argmax_rows[] = {2, 2, 1}, argmax_all[] = {7};
static const UINT argmin_columns[] = {0, 1, 2}, argmin_rows[] = {0, 1, 0}, argmin_all[] = {4};

static const DML_BUFFER_TENSOR_DESC index_1x3 = {
    DML_TENSOR_DATA_TYPE_UINT32, DML_TENSOR_FLAG_NONE, 2, sizes_1x3, NULL, 12, 0};
static const DML_BUFFER_TENSOR_DESC index_3x1 = {
    DML_TENSOR_DATA_TYPE_UINT32, DML_TENSOR_FLAG_NONE, 2, sizes_3x1, NULL, 12, 0};
static const DML_BUFFER_TENSOR_DESC index_1x1 = {
    DML_TENSOR_DATA_TYPE_UINT32, DML_TENSOR_FLAG_NONE, 2, sizes_1x1, NULL, 4, 0};
static const DML_TENSOR_DESC indices_1x3 = {DML_TENSOR_TYPE_BUFFER, &index_1x3};
static const DML_TENSOR_DESC indices_3x1 = {DML_TENSOR_TYPE_BUFFER, &index_3x1};
static const DML_TENSOR_DESC indices_1x1 = {DML_TENSOR_TYPE_BUFFER, &index_1x1};

static const DML_ARGMAX_OPERATOR_DESC argmax_1 = {&tensor_3x3, &indices_1x3, 1, axes_0,
                                                  DML_AXIS_DIRECTION_INCREASING};
static const DML_ARGMAX_OPERATOR_DESC argmax_2 = {&tensor_3x3, &indices_3x1, 1, axes_1,
                                                  DML_AXIS_DIRECTION_INCREASING};
static const DML_ARGMAX_OPERATOR_DESC argmax_3 = {&tensor_3x3, &indices_1x1, 2, axes_0_1,
                                                  DML_AXIS_DIRECTION_INCREASING};
static const DML_ARGMIN_OPERATOR_DESC argmin_1 = {&tensor_3x3, &indices_1x3, 1, axes_0,
                                                  DML_AXIS_DIRECTION_INCREASING};
static const DML_ARGMIN_OPERATOR_DESC argmin_2 = {&tensor_3x3, &indices_3x1, 1, axes_1,
                                                  DML_AXIS_DIRECTION_INCREASING};
static const DML_ARGMIN_OPERATOR_DESC argmin_3 = {&tensor_3x3, &indices_1x1, 2, axes_0_1,
                                                  DML_AXIS_DIRECTION_INCREASING};

/* ---- CUMULATIVE_SUMMATION, CUMULATIVE_PRODUCT ------------------------------------------------ */

static const FLOAT scan_input[] = {2, 1, 3, 5, 3, 8, 7, 3, 9, 6, 2, 4};
static const FLOAT sum_along[] = {2, 3, 6, 11, 3, 11, 18, 21, 9, 15, 17, 21};
static const FLOAT sum_exclusive[] = {0, 2, 3, 6, 0, 3, 11, 18, 0, 9, 15, 17};
static const FLOAT sum_decreasing[] = {11, 9, 8, 5, 21, 18, 10, 3, 21, 12, 6, 4};
static const FLOAT sum_down[] = {2, 1, 3, 5, 5, 9, 10, 8, 14, 15, 12, 12};
static const FLOAT product_along[] = {2, 2, 6, 30, 3, 24, 168, 504, 9, 54, 108, 432};
static const FLOAT product_exclusive[] = {1, 2, 2, 6, 1, 3, 24, 168, 1, 9, 54, 108};
static const FLOAT product_decreasing[] = {30, 15, 15, 5, 504, 168, 21, 3, 432, 48, 8, 4};
static const FLOAT product_down[] = {2, 1, 3, 5, 6, 8, 21, 15, 54, 48, 42, 60};

static const UINT sizes_1x1x3x4[] = {1, 1, 3, 4};
static const DML_BUFFER_TENSOR_DESC buffer_1x1x3x4 = {
    DML_TENSOR_DATA_TYPE_FLOAT32, DML_TENSOR_FLAG_NONE, 4, sizes_1x1x3x4, NULL, 48, 0};
static const DML_TENSOR_DESC tensor_1x1x3x4 = {DML_TENSOR_TYPE_BUFFER, &buffer_1x1x3x4};

static const DML_CUMULATIVE_SUMMATION_OPERATOR_DESC sum_1 = {&tensor_1x1x3x4, &tensor_1x1x3x4, 3,
                                                             DML_AXIS_DIRECTION_INCREASING, FALSE};
static const DML_CUMULATIVE_SUMMATION_OPERATOR_DESC sum_2 = {&tensor_1x1x3x4, &tensor_1x1x3x4, 3,
                                                             DML_AXIS_DIRECTION_INCREASING, TRUE};
static const DML_CUMULATIVE_SUMMATION_OPERATOR_DESC sum_3 = {&tensor_1x1x3x4, &tensor_1x1x3x4, 3,
                                                             DML_AXIS_DIRECTION_DECREASING, FALSE};
static const DML_CUMULATIVE_SUMMATION_OPERATOR_DESC sum_4 = {&tensor_1x1x3x4, &tensor_1x1x3x4, 2,
                                                             DML_AXIS_DIRECTION_INCREASING, FALSE};
static const DML_CUMULATIVE_PRODUCT_OPERATOR_DESC product_1 = {
    &tensor_1x1x3x4, &tensor_1x1x3x4, 3, DML_AXIS_DIRECTION_INCREASING, FALSE};
static const DML_CUMULATIVE_PRODUCT_OPERATOR_DESC product_2 = {&tensor_1x1x3x4, &tensor_1x1x3x4, 3,
                                                               DML_AXIS_DIRECTION_INCREASING, TRUE};
static const DML_CUMULATIVE_PRODUCT_OPERATOR_DESC product_3 = {
    &tensor_1x1x3x4, &tensor_1x1x3x4, 3, DML_AXIS_DIRECTION_DECREASING, FALSE};
static const DML_CUMULATIVE_PRODUCT_OPERATOR_DESC product_4 = {
    &tensor_1x1x3x4, &tensor_1x1x3x4, 2, DML_AXIS_DIRECTION_INCREASING, FALSE};

/* ---- DIAGONAL_MATRIX1 ------------------------------------------------------------------------ */

static const FLOAT fill_input[] = {4, 7, 3, 7, 9, 1, 2, 8, 6, 9, 9, 4, 1, 8, 7, 4, 3, 4, 2, 4};
static const FLOAT fill_identity[] = {7, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 7, 0};
static const FLOAT fill_strip[] = {7, 7, 7, 0, 0, 0, 7, 7, 7, 0, 0, 0, 7, 7, 7, 0, 0, 0, 7, 7};
static const FLOAT fill_upper[] = {0, 7, 3, 7, 9, 0, 0, 8, 6, 9, 0, 0, 0, 8, 7, 0, 0, 0, 0, 4};
static const FLOAT fill_diagonal[] = {4, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 2, 0};

static const UINT sizes_4x5[] = {4, 5};
static const DML_BUFFER_TENSOR_DESC buffer_4x5 = {
    DML_TENSOR_DATA_TYPE_FLOAT32, DML_TENSOR_FLAG_NONE, 2, sizes_4x5, NULL, 80, 0};
static const DML_TENSOR_DESC tensor_4x5 = {DML_TENSOR_TYPE_BUFFER, &buffer_4x5};

/* The first 4 bytes of a union initialise its Bytes: 7.0f is 0x40E00000. */
static const DML_DIAGONAL_MATRIX1_OPERATOR_DESC fill_1 = {
    NULL, &tensor_4x5, DML_TENSOR_DATA_TYPE_FLOAT32, {{0, 0, 0xE0, 0x40, 0, 0, 0, 0}}, 0, 1};
static const DML_DIAGONAL_MATRIX1_OPERATOR_DESC fill_2 = {
    NULL, &tensor_4x5, DML_TENSOR_DATA_TYPE_FLOAT32, {{0, 0, 0xE0, 0x40, 0, 0, 0, 0}}, 0, 3};
static const DML_DIAGONAL_MATRIX1_OPERATOR_DESC fill_3 = {
    &tensor_4x5, &tensor_4x5, DML_TENSOR_DATA_TYPE_FLOAT32, {{0}}, INT32_MIN, 1};
static const DML_DIAGONAL_MATRIX1_OPERATOR_DESC fill_4 = {
    &tensor_4x5, &tensor_4x5, DML_TENSOR_DATA_TYPE_FLOAT32, {{0}}, 1, 0};

/* ---- All ------------------------------------------------------------------------------------- */

const pages_example pages_examples[PAGES_EXAMPLES] = {
    {"REDUCE 1: a sum of columns",
     {DML_OPERATOR_REDUCE, &reduce_1},
     DML_FEATURE_LEVEL_3_0,
     reduce_input,
     9,
     reduce_columns,
     sizeof reduce_columns},
    {"REDUCE 2: a sum of rows",
     {DML_OPERATOR_REDUCE, &reduce_2},
     DML_FEATURE_LEVEL_3_0,
     reduce_input,
     9,
     reduce_rows,
     sizeof reduce_rows},
    {"REDUCE 3: a sum over all axes",
     {DML_OPERATOR_REDUCE, &reduce_3},
     DML_FEATURE_LEVEL_3_0,
     reduce_input,
     9,
     reduce_all,
     sizeof reduce_all},
    {"ARGMAX 1",
     {DML_OPERATOR_ARGMAX, &argmax_1},
     DML_FEATURE_LEVEL_3_0,
     arg_input,
     9,
     argmax_columns,
     sizeof argmax_columns},
    {"ARGMAX 2",
     {DML_OPERATOR_ARGMAX, &argmax_2},
     DML_FEATURE_LEVEL_3_0,
     arg_input,
     9,
     argmax_rows,
     sizeof argmax_rows},
    {"ARGMAX 3",
     {DML_OPERATOR_ARGMAX, &argmax_3},
     DML_FEATURE_LEVEL_3_0,
     arg_input,
     9,
     argmax_all,
     sizeof argmax_all},
    {"ARGMIN 1",
     {DML_OPERATOR_ARGMIN, &argmin_1},
     DML_FEATURE_LEVEL_3_0,
     arg_input,
     9,
     argmin_columns,
     sizeof argmin_columns},
    {"ARGMIN 2",
     {DML_OPERATOR_ARGMIN, &argmin_2},
     DML_FEATURE_LEVEL_3_0,
     arg_input,
     9,
     argmin_rows,
     sizeof argmin_rows},
    {"ARGMIN 3",
     {DML_OPERATOR_ARGMIN, &argmin_3},
     DML_FEATURE_LEVEL_3_0,
     arg_input,
     9,
     argmin_all,
     sizeof argmin_all},
    {"CUMULATIVE_SUMMATION 1: horizontal",
     {DML_OPERATOR_CUMULATIVE_SUMMATION, &sum_1},
     DML_FEATURE_LEVEL_2_1,
     scan_input,
     12,
     sum_along,
     sizeof sum_along},
    {"CUMULATIVE_SUMMATION 2: exclusive",
     {DML_OPERATOR_CUMULATIVE_SUMMATION, &sum_2},
     DML_FEATURE_LEVEL_2_1,
     scan_input,
     12,
     sum_exclusive,
     sizeof sum_exclusive},
    {"CUMULATIVE_SUMMATION 3: decreasing",
     {DML_OPERATOR_CUMULATIVE_SUMMATION, &sum_3},
     DML_FEATURE_LEVEL_2_1,
     scan_input,
     12,
     sum_decreasing,
     sizeof sum_decreasing},
    {"CUMULATIVE_SUMMATION 4: vertical",
     {DML_OPERATOR_CUMULATIVE_SUMMATION, &sum_4},
     DML_FEATURE_LEVEL_2_1,
     scan_input,
     12,
     sum_down,
     sizeof sum_down},
    {"CUMULATIVE_PRODUCT 1: horizontal",
     {DML_OPERATOR_CUMULATIVE_PRODUCT, &product_1},
     DML_FEATURE_LEVEL_3_1,
     scan_input,
     12,
     product_along,
     sizeof product_along},
    {"CUMULATIVE_PRODUCT 2: exclusive",
     {DML_OPERATOR_CUMULATIVE_PRODUCT, &product_2},
     DML_FEATURE_LEVEL_3_1,
     scan_input,
     12,
     product_exclusive,
     sizeof product_exclusive},
    {"CUMULATIVE_PRODUCT 3: decreasing",
     {DML_OPERATOR_CUMULATIVE_PRODUCT, &product_3},
     DML_FEATURE_LEVEL_3_1,
     scan_input,
     12,
     product_decreasing,
     sizeof product_decreasing},
    {"CUMULATIVE_PRODUCT 4: vertical",
     {DML_OPERATOR_CUMULATIVE_PRODUCT, &product_4},
     DML_FEATURE_LEVEL_3_1,
     scan_input,
     12,
     product_down,
     sizeof product_down},
    {"DIAGONAL_MATRIX1 1: an identity",
     {DML_OPERATOR_DIAGONAL_MATRIX1, &fill_1},
     DML_FEATURE_LEVEL_5_1,
     NULL,
     0,
     fill_identity,
     sizeof fill_identity},
    {"DIAGONAL_MATRIX1 2: a strip",
     {DML_OPERATOR_DIAGONAL_MATRIX1, &fill_2},
     DML_FEATURE_LEVEL_5_1,
     NULL,
     0,
     fill_strip,
     sizeof fill_strip},
    {"DIAGONAL_MATRIX1 3: strictly upper",
     {DML_OPERATOR_DIAGONAL_MATRIX1, &fill_3},
     DML_FEATURE_LEVEL_5_1,
     fill_input,
     20,
     fill_upper,
     sizeof fill_upper},
    {"DIAGONAL_MATRIX1 4: the diagonal only",
     {DML_OPERATOR_DIAGONAL_MATRIX1, &fill_4},
     DML_FEATURE_LEVEL_5_1,
     fill_input,
     20,
     fill_diagonal,
     sizeof fill_diagonal},
};
