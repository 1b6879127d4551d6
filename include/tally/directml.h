/*
 * tally/directml.h: DirectML's own names for the seven operators that Tally shares with it, so that
 * descriptions written for DirectML compile unchanged, in C and in C++, and become Tally operators.
 *
 *   DML_OPERATOR_REDUCE (with all twelve functions), _ARGMIN, _ARGMAX, _CUMULATIVE_SUMMATION,
 *   _CUMULATIVE_PRODUCT, _DIAGONAL_MATRIX, _DIAGONAL_MATRIX1
 *
 * The structs have the members, the member order and the layout that Microsoft's pages of the same
 * names give; the enumerators have DirectML's numbers. What DirectML leaves open is decided below,
 * at the members and at tally_dml_operator_create.
 *
 * Where Microsoft's DirectML.h was included first, this header declares the functions of its last
 * section and nothing else: all types are Microsoft's. Two things follow from their age:
 *   - below DML_TARGET_VERSION 0x2000 they lack DML_FEATURE_LEVEL, which is then defined here;
 *   - a level newer than their enumeration is given by its number: (DML_FEATURE_LEVEL)0x6400.
 * Include Microsoft's headers, or a stand-in for <windows.h>, before this one, never after it, but
 * for TALLY_NO_WINDOWS_TYPES, with which a stand-in may come after it.
 */
#ifndef TALLY_DIRECTML_H
#define TALLY_DIRECTML_H

#include <tally/tally.h>

#ifdef __cplusplus
extern "C" {
#endif

/* DIRECTML_H is the include guard of Microsoft's header. */
#if !defined(DIRECTML_H)

/* ---- Windows' names of the types ------------------------------------------------------------- */

/*
 * For code that was written for DirectML; nothing below needs them. <windows.h> has them, and so
 * have the headers that stand in for it elsewhere. X11's <X11/Xmd.h> has some, with another BOOL:
 * it may be included before this header. Who includes it behind, or has such names of his own,
 * defines TALLY_NO_WINDOWS_TYPES before this header.
 */
#if !defined(TALLY_NO_WINDOWS_TYPES)
#if !defined(_MINWINDEF_) && !defined(_WINDEF_) && !defined(DECLSPEC_NOVTABLE)
#if !defined(XMD_H)
typedef int BOOL; /* 0 is false, any other value is true */
typedef uint8_t BYTE;
typedef int8_t INT8;
typedef int16_t INT16;
typedef int32_t INT32;
#endif
#if !defined(XMD_H) || !defined(LONG64) /* Xmd.h has it only there */
typedef int64_t INT64;
#endif
typedef uint8_t UINT8;
typedef uint16_t UINT16;
typedef uint32_t UINT32;
typedef uint64_t UINT64;
typedef int INT;
typedef unsigned int UINT;
typedef float FLOAT;
typedef double DOUBLE;
#endif
#ifndef FALSE
#define FALSE 0
#endif
#ifndef TRUE
#define TRUE 1
#endif
#endif

/* ---- Constants ------------------------------------------------------------------------------- */

#define DML_TENSOR_DIMENSION_COUNT_MAX 5u  /* before level 3_0 */
#define DML_TENSOR_DIMENSION_COUNT_MAX1 8u /* from level 3_0 on */
#define DML_TEMPORARY_BUFFER_ALIGNMENT 256u
#define DML_PERSISTENT_BUFFER_ALIGNMENT 256u
#define DML_MINIMUM_BUFFER_TENSOR_ALIGNMENT 16u

/* ---- Enumerations ---------------------------------------------------------------------------- */

/* The element types; UNKNOWN, UINT4 and INT4 are taken by none of the seven operators. */
typedef enum DML_TENSOR_DATA_TYPE {
    DML_TENSOR_DATA_TYPE_UNKNOWN = 0,
    DML_TENSOR_DATA_TYPE_FLOAT32 = 1,
    DML_TENSOR_DATA_TYPE_FLOAT16 = 2,
    DML_TENSOR_DATA_TYPE_UINT32 = 3,
    DML_TENSOR_DATA_TYPE_UINT16 = 4,
    DML_TENSOR_DATA_TYPE_UINT8 = 5,
    DML_TENSOR_DATA_TYPE_INT32 = 6,
    DML_TENSOR_DATA_TYPE_INT16 = 7,
    DML_TENSOR_DATA_TYPE_INT8 = 8,
    DML_TENSOR_DATA_TYPE_FLOAT64 = 9,
    DML_TENSOR_DATA_TYPE_UINT64 = 10,
    DML_TENSOR_DATA_TYPE_INT64 = 11,
    DML_TENSOR_DATA_TYPE_UINT4 = 12,
    DML_TENSOR_DATA_TYPE_INT4 = 13
} DML_TENSOR_DATA_TYPE;

typedef enum DML_TENSOR_TYPE {
    DML_TENSOR_TYPE_INVALID = 0,
    DML_TENSOR_TYPE_BUFFER = 1
} DML_TENSOR_TYPE;

/* OWNED_BY_DML is refused: Tally has no initialisation at which such a tensor would be bound. */
typedef enum DML_TENSOR_FLAGS {
    DML_TENSOR_FLAG_NONE = 0,
    DML_TENSOR_FLAG_OWNED_BY_DML = 1
} DML_TENSOR_FLAGS;

/* The seven of DirectML's operators that Tally has. */
typedef enum DML_OPERATOR_TYPE {
    DML_OPERATOR_INVALID = 0,
    DML_OPERATOR_REDUCE = 55,
    DML_OPERATOR_DIAGONAL_MATRIX = 93,
    DML_OPERATOR_CUMULATIVE_SUMMATION = 105,
    DML_OPERATOR_ARGMIN = 137,
    DML_OPERATOR_ARGMAX = 138,
    DML_OPERATOR_CUMULATIVE_PRODUCT = 145,
    DML_OPERATOR_DIAGONAL_MATRIX1 = 163
} DML_OPERATOR_TYPE;

/* The formulas are those of tally_function. ARGMAX and ARGMIN give the first of equal extremes. */
typedef enum DML_REDUCE_FUNCTION {
    DML_REDUCE_FUNCTION_ARGMAX = 0,
    DML_REDUCE_FUNCTION_ARGMIN = 1,
    DML_REDUCE_FUNCTION_AVERAGE = 2,
    DML_REDUCE_FUNCTION_L1 = 3,
    DML_REDUCE_FUNCTION_L2 = 4,
    DML_REDUCE_FUNCTION_LOG_SUM = 5,
    DML_REDUCE_FUNCTION_LOG_SUM_EXP = 6,
    DML_REDUCE_FUNCTION_MAX = 7,
    DML_REDUCE_FUNCTION_MIN = 8,
    DML_REDUCE_FUNCTION_MULTIPLY = 9,
    DML_REDUCE_FUNCTION_SUM = 10,
    DML_REDUCE_FUNCTION_SUM_SQUARE = 11
} DML_REDUCE_FUNCTION;

/* Of a scan: from index 0 upward, or from the last index downward. Of ARG*: first or last of ties.
 */
typedef enum DML_AXIS_DIRECTION {
    DML_AXIS_DIRECTION_INCREASING = 0,
    DML_AXIS_DIRECTION_DECREASING = 1
} DML_AXIS_DIRECTION;

/* ---- Tensors --------------------------------------------------------------------------------- */

/*
 * A tensor in a buffer. Source: Microsoft's page DML_BUFFER_TENSOR_DESC.
 *
 * DataType        an element type that the operator takes at the level
 * Flags           DML_TENSOR_FLAG_NONE
 * DimensionCount  1 to 8, and no more than the operator takes at the level
 * Sizes           DimensionCount sizes, outermost first; none is 0, their product is at most
 *                 2^32 - 1 elements
 * Strides         NULL for a packed row-major tensor, or DimensionCount strides in elements: 0
 *                 repeats an input along the axis; an output's strides must nest, so that no two
 *                 coordinates share an element (DirectML has no rule for that)
 * TotalTensorSizeInBytes
 *                 at least what tally_dml_buffer_tensor_size gives. More is a promise that the
 *                 buffer goes on; Tally leaves the surplus and the gaps between strides as they are
 * GuaranteedBaseOffsetAlignment
 *                 bytes; 0 or a power of two of at least the element's size. A promise that Tally
 *                 doesn't need: a bound offset must be a multiple of the element's size, no more
 */
typedef struct DML_BUFFER_TENSOR_DESC {
    DML_TENSOR_DATA_TYPE DataType;
    DML_TENSOR_FLAGS Flags;
    uint32_t DimensionCount;
    const uint32_t *Sizes;
    const uint32_t *Strides;
    uint64_t TotalTensorSizeInBytes;
    uint32_t GuaranteedBaseOffsetAlignment;
} DML_BUFFER_TENSOR_DESC;

/* Type is DML_TENSOR_TYPE_BUFFER, Desc points to a DML_BUFFER_TENSOR_DESC. */
typedef struct DML_TENSOR_DESC {
    DML_TENSOR_TYPE Type;
    const void *Desc;
} DML_TENSOR_DESC;

/* One element; FLOAT16 has no member and goes as bits into UInt16. */
typedef union DML_SCALAR_UNION {
    uint8_t Bytes[8];
    int8_t Int8;
    uint8_t UInt8;
    int16_t Int16;
    uint16_t UInt16;
    int32_t Int32;
    uint32_t UInt32;
    int64_t Int64;
    uint64_t UInt64;
    float Float32;
    double Float64;
} DML_SCALAR_UNION;

/* ---- Operators ------------------------------------------------------------------------------- */

/* Type says which of the structs below Desc points to. */
typedef struct DML_OPERATOR_DESC {
    DML_OPERATOR_TYPE Type;
    const void *Desc;
} DML_OPERATOR_DESC;

/*
 * From level 1_0 on. The output has the input's DimensionCount and Sizes, but 1 on each reduced
 * axis; its type is the input's, but for ARGMAX and ARGMIN.
 *
 * Each of Axes is below DimensionCount and none comes twice (DirectML has no rule for that; other
 * callers of it refuse them). Their order means nothing: the index of ARG* over several axes is
 * row-major in the order of the tensor's axes. With AxisCount 0 Axes is not read and each element
 * is a reduction of its own, as callers of DirectML rely on: L1 gives |x|, ARG* give 0.
 *
 * Source: Microsoft's page DML_REDUCE_OPERATOR_DESC.
 */
typedef struct DML_REDUCE_OPERATOR_DESC {
    DML_REDUCE_FUNCTION Function;
    const DML_TENSOR_DESC *InputTensor;
    const DML_TENSOR_DESC *OutputTensor;
    uint32_t AxisCount;
    const uint32_t *Axes;
} DML_REDUCE_OPERATOR_DESC;

/*
 * From level 3_0 on. Shapes and Axes as in DML_REDUCE_OPERATOR_DESC; the output is INT64, INT32,
 * UINT64 or UINT32. An index that may not fit it is refused. AxisDirection INCREASING gives the
 * first of equal extremes, DECREASING the last.
 *
 * Source: Microsoft's pages DML_ARGMIN_OPERATOR_DESC and DML_ARGMAX_OPERATOR_DESC.
 */
typedef struct DML_ARGMIN_OPERATOR_DESC {
    const DML_TENSOR_DESC *InputTensor;
    const DML_TENSOR_DESC *OutputTensor;
    uint32_t AxisCount;
    const uint32_t *Axes;
    DML_AXIS_DIRECTION AxisDirection;
} DML_ARGMIN_OPERATOR_DESC;

typedef struct DML_ARGMAX_OPERATOR_DESC {
    const DML_TENSOR_DESC *InputTensor;
    const DML_TENSOR_DESC *OutputTensor;
    uint32_t AxisCount;
    const uint32_t *Axes;
    DML_AXIS_DIRECTION AxisDirection;
} DML_ARGMAX_OPERATOR_DESC;

/*
 * SUMMATION from level 2_1 on, PRODUCT from 3_1 on. The output has the input's type and Sizes and
 * may be bound to the same memory, with the same strides. Axis is below DimensionCount. With
 * HasExclusive* each place gets the value before its element entered: the first one visited gets 0
 * or 1.
 *
 * Source: Microsoft's pages DML_CUMULATIVE_SUMMATION_OPERATOR_DESC and _PRODUCT_OPERATOR_DESC.
 */
typedef struct DML_CUMULATIVE_SUMMATION_OPERATOR_DESC {
    const DML_TENSOR_DESC *InputTensor;
    const DML_TENSOR_DESC *OutputTensor;
    uint32_t Axis;
    DML_AXIS_DIRECTION AxisDirection;
    int32_t HasExclusiveSum;
} DML_CUMULATIVE_SUMMATION_OPERATOR_DESC;

typedef struct DML_CUMULATIVE_PRODUCT_OPERATOR_DESC {
    const DML_TENSOR_DESC *InputTensor;
    const DML_TENSOR_DESC *OutputTensor;
    uint32_t Axis;
    DML_AXIS_DIRECTION AxisDirection;
    int32_t HasExclusiveProduct;
} DML_CUMULATIVE_PRODUCT_OPERATOR_DESC;

/*
 * From level 2_0 on. Value where y + Offset == x, else 0; x and y are the coordinates in the last
 * two axes, and the sum is taken in 64 bits, so that any Offset is legal. Value is converted to the
 * output's type: to FLOAT16 rounded to nearest even; to integers by cutting off the fraction (10.6
 * gives 10), the ends of the type beyond it, and 0 for NaN, which is how shaders convert
 * (Microsoft's pages ftoi and ftou).
 *
 * Source: Microsoft's page DML_DIAGONAL_MATRIX_OPERATOR_DESC.
 */
typedef struct DML_DIAGONAL_MATRIX_OPERATOR_DESC {
    const DML_TENSOR_DESC *OutputTensor;
    int32_t Offset;
    float Value;
} DML_DIAGONAL_MATRIX_OPERATOR_DESC;

/*
 * From level 5_1 on. With t = x - y in 64 bits: Value where DiagonalFillBegin <= t <
 * DiagonalFillEnd; if Begin > End, everywhere but where End <= t < Begin; nowhere if they are
 * equal. Elsewhere the input's element, or 0 without InputTensor. The input has the output's type
 * and, as both are walked by one coordinate, its Sizes. ValueDataType is the output's DataType.
 *
 * Source: Microsoft's page DML_DIAGONAL_MATRIX1_OPERATOR_DESC, whose first example shows ones where
 * its Value is 7: the formula, and Tally, give sevens.
 */
typedef struct DML_DIAGONAL_MATRIX1_OPERATOR_DESC {
    const DML_TENSOR_DESC *InputTensor; /* may be NULL */
    const DML_TENSOR_DESC *OutputTensor;
    DML_TENSOR_DATA_TYPE ValueDataType;
    DML_SCALAR_UNION Value;
    int32_t DiagonalFillBegin;
    int32_t DiagonalFillEnd;
} DML_DIAGONAL_MATRIX1_OPERATOR_DESC;

#endif /* not after Microsoft's header */

/* Each level contains those before it. From 5_1 on nothing changes for the seven operators. */
#if !defined(DIRECTML_H) || !defined(DML_TARGET_VERSION) || DML_TARGET_VERSION < 0x2000
typedef enum DML_FEATURE_LEVEL {
    DML_FEATURE_LEVEL_1_0 = 0x1000,
    DML_FEATURE_LEVEL_2_0 = 0x2000,
    DML_FEATURE_LEVEL_2_1 = 0x2100,
    DML_FEATURE_LEVEL_3_0 = 0x3000,
    DML_FEATURE_LEVEL_3_1 = 0x3100,
    DML_FEATURE_LEVEL_4_0 = 0x4000,
    DML_FEATURE_LEVEL_4_1 = 0x4100,
    DML_FEATURE_LEVEL_5_0 = 0x5000,
    DML_FEATURE_LEVEL_5_1 = 0x5100,
    DML_FEATURE_LEVEL_5_2 = 0x5200,
    DML_FEATURE_LEVEL_6_0 = 0x6000,
    DML_FEATURE_LEVEL_6_1 = 0x6100,
    DML_FEATURE_LEVEL_6_2 = 0x6200,
    DML_FEATURE_LEVEL_6_3 = 0x6300,
    DML_FEATURE_LEVEL_6_4 = 0x6400
} DML_FEATURE_LEVEL;
#endif

/* ---- Tally's functions ----------------------------------------------------------------------- */

/*
 * Make an operator of a description and hold it against a feature level. It is enqueued as any
 * other: tally_binding.input is InputTensor's memory, output is OutputTensor's. What desc points to
 * is read by this call only.
 *
 * The rules are those of tally_reduce, tally_cumulative and tally_diagonal and of the structs
 * above, with DirectML's narrower limits: no empty tensors, at most 2^32 - 1 elements, the types
 * and ranks of the level, and so no float64 arithmetic. NaN loses to every number in MIN, MAX,
 * ARGMIN and ARGMAX, as was observed of DirectML. LOG_SUM_EXP does not overflow and float16
 * accumulates in float32, where DirectML was observed to do otherwise.
 *
 * TALLY_UNSUPPORTED with a sentence: what the level does not list, but a later one does, and the
 * sentence names that one ("...; DML_FEATURE_LEVEL_5_0 accepts it"); an operator that Tally doesn't
 * have; OWNED_BY_DML; an output whose strides don't nest. TALLY_INVALID with a sentence: everything
 * else that breaks a rule; it says "no level accepts it" of types and ranks. On failure *op is
 * NULL.
 *
 * Source of the levels' types and ranks: the tables of tensor support on the operators' pages, in
 * their revision of 2022 (before it those of CUMULATIVE_* named UINT16 by mistake).
 */
TALLY_API tally_status tally_dml_operator_create(tally_runtime *runtime,
                                                 const DML_OPERATOR_DESC *desc,
                                                 DML_FEATURE_LEVEL level, tally_op **op,
                                                 tally_error *error);

/*
 * The status and the sentence that tally_dml_operator_create would give on a device of these limits
 * (NULL: one that has fp64 and 64 address bits), as tally_reduce_check.
 */
TALLY_API tally_status tally_dml_operator_check(const DML_OPERATOR_DESC *desc,
                                                DML_FEATURE_LEVEL level,
                                                const tally_device_limits *limits,
                                                tally_error *error);

/*
 * The lowest level that takes tensors of these types and this rank; every later one takes them too.
 * function counts for DML_OPERATOR_REDUCE only. input is DML_TENSOR_DATA_TYPE_UNKNOWN where there
 * is no InputTensor. If no level takes them *level is 0 and the call fails, with the sentence and
 * the status that tally_dml_operator_create has for them.
 */
TALLY_API tally_status tally_dml_minimum_level(DML_OPERATOR_TYPE type, DML_REDUCE_FUNCTION function,
                                               DML_TENSOR_DATA_TYPE input,
                                               DML_TENSOR_DATA_TYPE output, uint32_t dimensionCount,
                                               DML_FEATURE_LEVEL *level, tally_error *error);

/*
 * The least TotalTensorSizeInBytes: from the tensor's first element to the end of its last, rounded
 * up to a multiple of 4 bytes. sizes and strides (NULL: packed) have dimensionCount entries,
 * outermost first; strides are in elements. Two elements of UINT4 or INT4 share a byte.
 *
 * TALLY_INVALID, and *bytes 0: a type that is none, dimensionCount 0 or above 8, a size of 0, more
 * than 2^64 - 1 bytes. Everything is computed in 64 bits; the helper that Microsoft publishes,
 * DMLCalcBufferTensorSize, adds up indices in 32.
 */
TALLY_API tally_status tally_dml_buffer_tensor_size(DML_TENSOR_DATA_TYPE dataType,
                                                    uint32_t dimensionCount, const uint32_t *sizes,
                                                    const uint32_t *strides, uint64_t *bytes,
                                                    tally_error *error);

#ifdef __cplusplus
}

/* What DEFINE_ENUM_FLAG_OPERATORS gives the flags in Microsoft's header. */
#if !defined(DIRECTML_H)
inline DML_TENSOR_FLAGS operator|(DML_TENSOR_FLAGS a, DML_TENSOR_FLAGS b) {
    return static_cast<DML_TENSOR_FLAGS>(static_cast<int>(a) | static_cast<int>(b));
}
inline DML_TENSOR_FLAGS operator&(DML_TENSOR_FLAGS a, DML_TENSOR_FLAGS b) {
    return static_cast<DML_TENSOR_FLAGS>(static_cast<int>(a) & static_cast<int>(b));
}
inline DML_TENSOR_FLAGS operator^(DML_TENSOR_FLAGS a, DML_TENSOR_FLAGS b) {
    return static_cast<DML_TENSOR_FLAGS>(static_cast<int>(a) ^ static_cast<int>(b));
}
inline DML_TENSOR_FLAGS operator~(DML_TENSOR_FLAGS a) {
    return static_cast<DML_TENSOR_FLAGS>(~static_cast<int>(a));
}
inline DML_TENSOR_FLAGS &operator|=(DML_TENSOR_FLAGS &a, DML_TENSOR_FLAGS b) {
    return a = a | b;
}
inline DML_TENSOR_FLAGS &operator&=(DML_TENSOR_FLAGS &a, DML_TENSOR_FLAGS b) {
    return a = a & b;
}
inline DML_TENSOR_FLAGS &operator^=(DML_TENSOR_FLAGS &a, DML_TENSOR_FLAGS b) {
    return a = a ^ b;
}
#endif
#endif

#endif
