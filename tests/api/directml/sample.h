/*
 * sample.h: a legal description of any of DirectML's seven operators, every part of which
 * a test may change. The arrays are allocated, each as long as it says, so that reading beyond one
 * shows.
 */
#ifndef TESTS_API_DIRECTML_SAMPLE_H
#define TESTS_API_DIRECTML_SAMPLE_H

#include <tally/directml.h>

/* The seven operators, to count through. */
#define SAMPLE_OPERATORS 7
extern const DML_OPERATOR_TYPE sample_operators[SAMPLE_OPERATORS];

/* buffer[], tensor[], sizes[], strides[] */
enum { SAMPLE_INPUT, SAMPLE_OUTPUT, SAMPLE_TENSORS };

typedef struct sample {
    DML_OPERATOR_DESC desc;
    DML_FEATURE_LEVEL level; /* the newest */
    bool has_input;
    UINT *sizes[SAMPLE_TENSORS];
    UINT *strides[SAMPLE_TENSORS]; /* NULL until sample_set_strides */
    UINT *axes;
    DML_BUFFER_TENSOR_DESC buffer[SAMPLE_TENSORS];
    DML_TENSOR_DESC tensor[SAMPLE_TENSORS];
    /* desc.Desc points to one of them; all of them point to tensor[] and axes. */
    DML_REDUCE_OPERATOR_DESC reduce;
    DML_ARGMIN_OPERATOR_DESC argmin;
    DML_ARGMAX_OPERATOR_DESC argmax;
    DML_CUMULATIVE_SUMMATION_OPERATOR_DESC sum;
    DML_CUMULATIVE_PRODUCT_OPERATOR_DESC product;
    DML_DIAGONAL_MATRIX_OPERATOR_DESC diagonal;
    DML_DIAGONAL_MATRIX1_OPERATOR_DESC diagonal1;
} sample;

/*
 * FLOAT32 tensors of sizes {2, 3, 4, 5}, packed; ARG* give INT32. REDUCE sums axis 2, ARG* reduce
 * it, the scans run along it; the fills have Value 1 on the main diagonal, DIAGONAL_MATRIX1 with an
 * input. The sample must stay where it is, since it points to itself.
 */
void sample_make(sample *made, DML_OPERATOR_TYPE type);
void sample_free(sample *made);

/* The output's sizes are 1 on reduced axes. Tensors become packed and as small as they may be. */
void sample_set_shape(sample *made, UINT rank, const UINT *sizes);

/* The reduced axes, or with count 1 that of a scan; the shape is kept. */
void sample_set_axes(sample *made, UINT count, const UINT *axes);

/* Strides of one tensor, rank of them; its TotalTensorSizeInBytes is left as it is. */
void sample_set_strides(sample *made, int tensor, const UINT *strides);

/* DataType of one tensor, or of all with ValueDataType; sizes in bytes follow. */
void sample_set_type(sample *made, int tensor, DML_TENSOR_DATA_TYPE type);
void sample_set_types(sample *made, DML_TENSOR_DATA_TYPE type);

/* Take the input away from DIAGONAL_MATRIX1. */
void sample_drop_input(sample *made);

#endif
