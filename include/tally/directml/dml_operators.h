/*
 * tally/directml/dml_operators.h: DirectML's descriptions of the seven operators. A part of
 * tally/directml.h, which says how it goes with Microsoft's headers. Knows no call of Tally's.
 */
#ifndef TALLY_DIRECTML_DML_OPERATORS_H
#define TALLY_DIRECTML_DML_OPERATORS_H

#include <stdint.h>

#include <tally/directml/dml_tensors.h>

/* DIRECTML_H is the include guard of Microsoft's header. */
#if !defined(DIRECTML_H)

#ifdef __cplusplus
extern "C" {
#endif

/* ---- DirectML: operators --------------------------------------------------------------------- */

/* Any of the seven operators. */
typedef struct DML_OPERATOR_DESC {
    DML_OPERATOR_TYPE Type; /* which of the structs below Desc points to */
    const void *Desc;       /* that struct */
} DML_OPERATOR_DESC;

/*
 * A reduction, from level 1_0 on. The output has the input's DimensionCount and Sizes, but size 1
 * on each reduced axis. Its type is the input's, except for ARGMAX and ARGMIN.
 *
 * Each of Axes is below DimensionCount, and none comes twice. DirectML has no rule for that, but
 * other callers of it refuse such axes. The order of Axes means nothing: the index of ARGMAX and
 * ARGMIN over several axes is row-major in the order of the tensor's axes.
 *
 * With AxisCount 0, Axes is not read and each element is a reduction of its own: L1 gives |x|,
 * ARGMAX and ARGMIN give 0. Callers of DirectML rely on that.
 *
 * Source: Microsoft's page DML_REDUCE_OPERATOR_DESC.
 */
typedef struct DML_REDUCE_OPERATOR_DESC {
    DML_REDUCE_FUNCTION Function;        /* what is computed */
    const DML_TENSOR_DESC *InputTensor;  /* what is reduced */
    const DML_TENSOR_DESC *OutputTensor; /* the result */
    uint32_t AxisCount;                  /* the number of Axes; 0: none */
    const uint32_t *Axes;                /* the axes to reduce */
} DML_REDUCE_OPERATOR_DESC;

/*
 * The index of the smallest element, from level 3_0 on. Shapes and Axes are those of
 * DML_REDUCE_OPERATOR_DESC. The output is INT64, INT32, UINT64 or UINT32. An index that may not fit
 * it is refused.
 *
 * Source: Microsoft's page DML_ARGMIN_OPERATOR_DESC.
 */
typedef struct DML_ARGMIN_OPERATOR_DESC {
    const DML_TENSOR_DESC *InputTensor;  /* what is reduced */
    const DML_TENSOR_DESC *OutputTensor; /* the indices */
    uint32_t AxisCount;                  /* the number of Axes; 0: none */
    const uint32_t *Axes;                /* the axes to reduce */
    DML_AXIS_DIRECTION AxisDirection;    /* INCREASING: the first of ties; DECREASING: the last */
} DML_ARGMIN_OPERATOR_DESC;

/*
 * The index of the largest element, otherwise as DML_ARGMIN_OPERATOR_DESC.
 *
 * Source: Microsoft's page DML_ARGMAX_OPERATOR_DESC.
 */
typedef struct DML_ARGMAX_OPERATOR_DESC {
    const DML_TENSOR_DESC *InputTensor;  /* what is reduced */
    const DML_TENSOR_DESC *OutputTensor; /* the indices */
    uint32_t AxisCount;                  /* the number of Axes; 0: none */
    const uint32_t *Axes;                /* the axes to reduce */
    DML_AXIS_DIRECTION AxisDirection;    /* INCREASING: the first of ties; DECREASING: the last */
} DML_ARGMAX_OPERATOR_DESC;

/*
 * A running sum, from level 2_1 on. The output has the input's type and Sizes. It may be bound to
 * the same memory, with the same strides.
 *
 * Source: Microsoft's page DML_CUMULATIVE_SUMMATION_OPERATOR_DESC.
 */
typedef struct DML_CUMULATIVE_SUMMATION_OPERATOR_DESC {
    const DML_TENSOR_DESC *InputTensor;  /* what is scanned */
    const DML_TENSOR_DESC *OutputTensor; /* the result */
    uint32_t Axis;                       /* the axis to go along; below DimensionCount */
    DML_AXIS_DIRECTION AxisDirection;    /* INCREASING: from index 0 up */
    /* Not 0: each place gets the sum before its element enters, and the first one visited gets 0.
     */
    int32_t HasExclusiveSum;
} DML_CUMULATIVE_SUMMATION_OPERATOR_DESC;

/*
 * A running product, from level 3_1 on, otherwise as DML_CUMULATIVE_SUMMATION_OPERATOR_DESC.
 *
 * Source: Microsoft's page DML_CUMULATIVE_PRODUCT_OPERATOR_DESC.
 */
typedef struct DML_CUMULATIVE_PRODUCT_OPERATOR_DESC {
    const DML_TENSOR_DESC *InputTensor;  /* what is scanned */
    const DML_TENSOR_DESC *OutputTensor; /* the result */
    uint32_t Axis;                       /* the axis to go along; below DimensionCount */
    DML_AXIS_DIRECTION AxisDirection;    /* INCREASING: from index 0 up */
    /* Not 0: each place gets the product before its element enters, and the first one gets 1. */
    int32_t HasExclusiveProduct;
} DML_CUMULATIVE_PRODUCT_OPERATOR_DESC;

/*
 * A diagonal in zeros, from level 2_0 on: Value where y + Offset == x, else 0. y and x are the
 * coordinates along the last two axes. The sum has 64 bits, so any Offset is legal.
 *
 * Value is converted to the output's type. To FLOAT16 it is rounded to nearest even. To integers
 * its fraction is cut off: 10.6 gives 10. A value beyond the type gives the end of the type, and
 * NaN gives 0. Shaders convert in this way (Microsoft's pages ftoi and ftou).
 *
 * Source: Microsoft's page DML_DIAGONAL_MATRIX_OPERATOR_DESC.
 */
typedef struct DML_DIAGONAL_MATRIX_OPERATOR_DESC {
    const DML_TENSOR_DESC *OutputTensor; /* the result */
    int32_t Offset;                      /* the diagonal; 0 is the main one, 1 the one above it */
    float Value;                         /* what is filled in */
} DML_DIAGONAL_MATRIX_OPERATOR_DESC;

/*
 * A band of diagonals, from level 5_1 on. Let t = x - y, in 64 bits:
 *
 *   DiagonalFillBegin <  DiagonalFillEnd   Value where Begin <= t < End
 *   DiagonalFillBegin == DiagonalFillEnd   Value nowhere
 *   DiagonalFillBegin >  DiagonalFillEnd   Value everywhere but where End <= t < Begin
 *
 * Elsewhere the output gets the input's element, or 0 without InputTensor. The input has the
 * output's type and Sizes.
 *
 * Source: Microsoft's page DML_DIAGONAL_MATRIX1_OPERATOR_DESC. Its first example shows ones
 * although its Value is 7. The formula gives sevens, and so does Tally.
 */
typedef struct DML_DIAGONAL_MATRIX1_OPERATOR_DESC {
    const DML_TENSOR_DESC *InputTensor;  /* NULL: zeros */
    const DML_TENSOR_DESC *OutputTensor; /* the result */
    DML_TENSOR_DATA_TYPE ValueDataType;  /* the output's DataType */
    DML_SCALAR_UNION Value;              /* what is filled in */
    int32_t DiagonalFillBegin;           /* the first diagonal of the band */
    int32_t DiagonalFillEnd;             /* the diagonal behind the last one of the band */
} DML_DIAGONAL_MATRIX1_OPERATOR_DESC;

#ifdef __cplusplus
}
#endif

#endif /* not after Microsoft's header */

#endif
