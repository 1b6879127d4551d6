/*
 * tally/types/descriptions.h: the descriptions of the operators, and the functions that they
 * compute. A part of tally/types.h. Knows no runtime.
 */
#ifndef TALLY_TYPES_DESCRIPTIONS_H
#define TALLY_TYPES_DESCRIPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include <tally/types/elements.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Types and functions --------------------------------------------------------------------- */

/*
 * What a reduction computes over the n elements x of the swept axes. MAX, MIN, MULTIPLY and SUM can
 * also be scanned. Source of the formulas: DirectML's DML_REDUCE_FUNCTION.
 *
 * Integers wrap modulo 2^bits. LOG_SUM of a negative sum is NaN, of 0 it is -inf. L2 and SUM_SQUARE
 * overflow where x * x does: no term is scaled. docs/numerics.md has the whole contract.
 */
typedef enum tally_function {
    TALLY_FUNCTION_NONE = 0, /* no function: refused */
    TALLY_ARGMAX = 1,        /* index of the largest x, row-major over the swept axes */
    TALLY_ARGMIN = 2,        /* index of the smallest x, row-major over the swept axes */
    TALLY_AVERAGE = 3,       /* sum(x) / n */
    TALLY_L1 = 4,            /* sum(|x|) */
    TALLY_L2 = 5,            /* sqrt(sum(x * x)) */
    TALLY_LOG_SUM = 6,       /* ln(sum(x)) */
    TALLY_LOG_SUM_EXP = 7,   /* ln(sum(exp(x))), shifted by the maximum: does not overflow */
    TALLY_MAX = 8,           /* the largest x: IEEE 754-2019 maximum; -0 < +0 */
    TALLY_MIN = 9,           /* the smallest x: IEEE 754-2019 minimum; -0 < +0 */
    TALLY_MULTIPLY = 10,     /* product(x) */
    TALLY_SUM = 11,          /* sum(x) */
    TALLY_SUM_SQUARE = 12,   /* sum(x * x) */
    TALLY_FUNCTION_32_BITS = 0x7FFFFFFF /* no value */
} tally_function;

/*
 * Which of several equal extremes ARGMAX and ARGMIN report. -0 and +0 are equal. Any other value is
 * refused, also for a function that has no ties. Source: DirectML's DML_AXIS_DIRECTION in
 * DML_ARGMAX_OPERATOR_DESC.
 */
typedef enum tally_tie {
    TALLY_TIE_FIRST = 0,           /* the lowest index */
    TALLY_TIE_LAST = 1,            /* the highest index */
    TALLY_TIE_32_BITS = 0x7FFFFFFF /* no value */
} tally_tie;

/*
 * What MIN, MAX, ARGMIN and ARGMAX do with NaN. All other functions give NaN whenever a term is
 * NaN. A NaN result has the bits 0x7E00, 0x7FC00000 or 0x7FF8000000000000. Any other value of this
 * enumeration is refused, also for functions without the choice.
 */
typedef enum tally_nan {
    /*
     * Any NaN wins. ARGMIN and ARGMAX give the index of the first NaN, or of the last one under
     * TALLY_TIE_LAST.
     */
    TALLY_NAN_PROPAGATE = 0,
    /*
     * NaN loses to every number. If all elements are NaN, the result is NaN and the index is 0. A
     * scan gives NaN until it has visited a number.
     */
    TALLY_NAN_IGNORE = 1,
    TALLY_NAN_32_BITS = 0x7FFFFFFF /* no value */
} tally_nan;

/* ---- Operators ----------------------------------------------------------------------------- */

/*
 * REDUCE, ARGMIN, ARGMAX: combine the elements along the swept axes. Example: SUM of [2, 3] over
 * axis 1 gives [2, 1]. docs/reduce.md has a picture.
 *
 * Shapes: the output has the input's rank and sizes, but size 1 on every swept axis.
 *
 * Types: ARGMAX and ARGMIN take any input and give I32, I64, U32 or U64. MAX and MIN take any type.
 * SUM, MULTIPLY, L1 and SUM_SQUARE take the floats and the 32- and 64-bit integers. AVERAGE, L2,
 * LOG_SUM and LOG_SUM_EXP take the floats. Except for ARGMAX and ARGMIN the output has the input's
 * type.
 *
 * No axes: each element is a reduction of its own. L1 gives |x|, ARGMAX and ARGMIN give 0.
 *
 * A swept axis of size 0: the result is that of no elements. It is 0 for SUM, L1, L2 and
 * SUM_SQUARE, 1 for MULTIPLY, +inf or the highest integer for MIN, -inf or the lowest integer for
 * MAX, -inf for LOG_SUM and LOG_SUM_EXP, and NaN for AVERAGE. ARGMAX and ARGMIN are refused.
 *
 * An empty output: the operator does nothing.
 *
 * Refused: a bit of axes at or above the rank, and an index that may not fit its type (I32: more
 * than 2^31 swept elements).
 *
 * Source: DML_REDUCE_OPERATOR_DESC, DML_ARGMIN_OPERATOR_DESC, DML_ARGMAX_OPERATOR_DESC.
 */
typedef struct tally_reduce {
    uint32_t struct_size;    /* sizeof(tally_reduce); the initialiser fills it */
    tally_function function; /* what is computed */
    tally_tensor input;      /* what is reduced */
    tally_tensor output;     /* tally_tensor_reduced() makes the packed one */
    uint32_t axes;           /* a bit mask: bit k sweeps axis k; 0 sweeps none */
    tally_tie tie;           /* ARGMAX, ARGMIN only */
    tally_nan nan;           /* MAX, MIN, ARGMAX, ARGMIN on floats only */
    uint32_t reserved;       /* 0 */
} tally_reduce;

/*
 * CUMULATIVE_SUMMATION (TALLY_SUM), CUMULATIVE_PRODUCT (TALLY_MULTIPLY), and the running TALLY_MIN
 * and TALLY_MAX, along one axis. Example: SUM of 1 2 3 gives 1 3 6. docs/scan.md has a picture.
 *
 * Shapes and types: the output has the input's type, rank and sizes. The rank is at least 1. The
 * types of each function are those of tally_reduce.
 *
 * exclusive: each place gets the value before its own element enters. The first place that is
 * visited gets 0 (SUM), 1 (MULTIPLY), +inf or the highest integer (MIN), -inf or the lowest integer
 * (MAX). The total of all elements is not written.
 *
 * The scan may run in place: bind one view as input and output, with equal strides.
 *
 * Source: DML_CUMULATIVE_SUMMATION_OPERATOR_DESC, DML_CUMULATIVE_PRODUCT_OPERATOR_DESC.
 */
typedef struct tally_cumulative {
    uint32_t struct_size;    /* sizeof(tally_cumulative); the initialiser fills it */
    tally_function function; /* SUM, MULTIPLY, MIN or MAX */
    tally_tensor input;      /* what is scanned */
    tally_tensor output;     /* of the input's type and sizes; strides are its own */
    uint32_t axis;           /* the axis to go along; below the rank */
    bool descending;         /* visit the axis from its last index down */
    bool exclusive;          /* write the value before the element enters */
    tally_nan nan;           /* MAX, MIN on floats only */
    uint32_t reserved;       /* 0 */
} tally_cumulative;

/*
 * DIAGONAL_MATRIX1: fill a band of each matrix. The last two axes are the rows y and the columns x
 * of a matrix. The axes before them are a batch. Let t = x - y:
 *
 *   begin <  end   value where begin <= t < end
 *   begin == end   value nowhere
 *   begin >  end   value everywhere but where end <= t < begin
 *
 * Elsewhere the output gets the input's element, bit for bit, or zero if input is NULL.
 * docs/fill.md has a picture.
 *
 * DIAGONAL_MATRIX with offset k is the case input = NULL, begin = k, end = k + 1.
 *
 * Shapes and types: ranks 2 to 8, any of the eleven types. The input has the output's type and
 * sizes. Any begin and end are legal, INT32_MIN and INT64_MAX among them.
 *
 * The fill may run in place: bind one view as input and output, with equal strides.
 *
 * Source: DML_DIAGONAL_MATRIX1_OPERATOR_DESC, DML_DIAGONAL_MATRIX_OPERATOR_DESC.
 */
typedef struct tally_diagonal {
    uint32_t struct_size;      /* sizeof(tally_diagonal); the initialiser fills it */
    const tally_tensor *input; /* NULL: zeros; read by the create call only */
    tally_tensor output;       /* the shape and the type of the result */
    tally_scalar value;        /* in the output's type; a float16 as f16_bits */
    int64_t begin;             /* the first diagonal of the band; 0 is the main diagonal */
    int64_t end;               /* the diagonal behind the last one of the band */
} tally_diagonal;

/* The offset of a scratch view, or its address, is a multiple of this number of bytes. */
#define TALLY_SCRATCH_ALIGNMENT 256

/* Initialisers: every member is zero or its default, and struct_size is set. */
#define TALLY_REDUCE_INIT                                                                          \
    {                                                                                              \
        sizeof(tally_reduce), TALLY_FUNCTION_NONE, TALLY_TENSOR_INIT, TALLY_TENSOR_INIT, 0,        \
            TALLY_TIE_FIRST, TALLY_NAN_PROPAGATE, 0                                                \
    }
#define TALLY_CUMULATIVE_INIT                                                                      \
    {                                                                                              \
        sizeof(tally_cumulative), TALLY_FUNCTION_NONE, TALLY_TENSOR_INIT, TALLY_TENSOR_INIT, 0,    \
            false, false, TALLY_NAN_PROPAGATE, 0                                                   \
    }
#define TALLY_DIAGONAL_INIT                                                                        \
    { sizeof(tally_diagonal), NULL, TALLY_TENSOR_INIT, {0.0}, 0, 0 }

#ifdef __cplusplus
}
#endif

#endif
