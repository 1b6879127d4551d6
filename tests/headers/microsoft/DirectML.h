/*
 * A stand-in for Microsoft's DirectML.h as tally/directml.h meets it: C++ only, types without
 * typedefs, its include guard, its DML_TARGET_VERSION, and what it leaves out below which version.
 * Written from the facts of that header, for the seven operators only. With STAND_IN_UNSIGNED_BOOL
 * the base types are those of the stubs that DirectX has for Linux, where BOOL is unsigned.
 */
#ifndef DIRECTML_H
#define DIRECTML_H
#pragma once

#include <stdint.h>

/* ---- What the system's headers bring --------------------------------------------------------- */

#ifdef STAND_IN_UNSIGNED_BOOL
typedef uint32_t BOOL;
#define TRUE 1u
#define FALSE 0u
#else
typedef int BOOL;
#define TRUE 1
#define FALSE 0
#endif
typedef unsigned char BYTE;
typedef int8_t INT8;
typedef int16_t INT16;
typedef int32_t INT32, INT;
typedef int64_t INT64;
typedef uint8_t UINT8;
typedef uint16_t UINT16;
typedef uint32_t UINT32, UINT;
typedef uint64_t UINT64;
typedef float FLOAT;
typedef double DOUBLE;
#define DECLSPEC_NOVTABLE
#define _Maybenull_
#define _Field_size_(count)
#define DEFINE_ENUM_FLAG_OPERATORS(type)                                                           \
    inline type operator|(type a, type b) {                                                        \
        return type(int(a) | int(b));                                                              \
    }                                                                                              \
    inline type &operator|=(type &a, type b) {                                                     \
        return a = a | b;                                                                          \
    }

#ifndef DML_TARGET_VERSION
#define DML_TARGET_VERSION 0x6400
#endif

/* ---- DirectML -------------------------------------------------------------------------------- */

static const UINT DML_TENSOR_DIMENSION_COUNT_MAX = 5;
#if DML_TARGET_VERSION >= 0x3000
static const UINT DML_TENSOR_DIMENSION_COUNT_MAX1 = 8;
#endif
static const UINT DML_TEMPORARY_BUFFER_ALIGNMENT = 256;
static const UINT DML_PERSISTENT_BUFFER_ALIGNMENT = 256;
static const UINT DML_MINIMUM_BUFFER_TENSOR_ALIGNMENT = 16;

enum DML_TENSOR_DATA_TYPE {
    DML_TENSOR_DATA_TYPE_UNKNOWN,
    DML_TENSOR_DATA_TYPE_FLOAT32,
    DML_TENSOR_DATA_TYPE_FLOAT16,
    DML_TENSOR_DATA_TYPE_UINT32,
    DML_TENSOR_DATA_TYPE_UINT16,
    DML_TENSOR_DATA_TYPE_UINT8,
    DML_TENSOR_DATA_TYPE_INT32,
    DML_TENSOR_DATA_TYPE_INT16,
    DML_TENSOR_DATA_TYPE_INT8,
    DML_TENSOR_DATA_TYPE_FLOAT64,
    DML_TENSOR_DATA_TYPE_UINT64,
    DML_TENSOR_DATA_TYPE_INT64,
#if DML_TARGET_VERSION >= 0x6300
    DML_TENSOR_DATA_TYPE_UINT4,
    DML_TENSOR_DATA_TYPE_INT4,
#endif
};

enum DML_TENSOR_TYPE { DML_TENSOR_TYPE_INVALID, DML_TENSOR_TYPE_BUFFER };

enum DML_TENSOR_FLAGS { DML_TENSOR_FLAG_NONE = 0, DML_TENSOR_FLAG_OWNED_BY_DML = 1 };
DEFINE_ENUM_FLAG_OPERATORS(DML_TENSOR_FLAGS)

struct DML_BUFFER_TENSOR_DESC {
    DML_TENSOR_DATA_TYPE DataType;
    DML_TENSOR_FLAGS Flags;
    UINT DimensionCount;
    _Field_size_(DimensionCount) const UINT *Sizes;
    _Field_size_(DimensionCount) const UINT *Strides;
    UINT64 TotalTensorSizeInBytes;
    UINT GuaranteedBaseOffsetAlignment;
};

struct DML_TENSOR_DESC {
    DML_TENSOR_TYPE Type;
    const void *Desc;
};

enum DML_OPERATOR_TYPE {
    DML_OPERATOR_INVALID = 0,
    DML_OPERATOR_GEMM = 54,
    DML_OPERATOR_REDUCE = 55,
#if DML_TARGET_VERSION >= 0x2000
    DML_OPERATOR_DIAGONAL_MATRIX = 93,
#endif
#if DML_TARGET_VERSION >= 0x2100
    DML_OPERATOR_CUMULATIVE_SUMMATION = 105,
#endif
#if DML_TARGET_VERSION >= 0x3000
    DML_OPERATOR_ARGMIN = 137,
    DML_OPERATOR_ARGMAX = 138,
#endif
#if DML_TARGET_VERSION >= 0x3100
    DML_OPERATOR_CUMULATIVE_PRODUCT = 145,
#endif
#if DML_TARGET_VERSION >= 0x5100
    DML_OPERATOR_DIAGONAL_MATRIX1 = 163,
#endif
};

enum DML_REDUCE_FUNCTION {
    DML_REDUCE_FUNCTION_ARGMAX,
    DML_REDUCE_FUNCTION_ARGMIN,
    DML_REDUCE_FUNCTION_AVERAGE,
    DML_REDUCE_FUNCTION_L1,
    DML_REDUCE_FUNCTION_L2,
    DML_REDUCE_FUNCTION_LOG_SUM,
    DML_REDUCE_FUNCTION_LOG_SUM_EXP,
    DML_REDUCE_FUNCTION_MAX,
    DML_REDUCE_FUNCTION_MIN,
    DML_REDUCE_FUNCTION_MULTIPLY,
    DML_REDUCE_FUNCTION_SUM,
    DML_REDUCE_FUNCTION_SUM_SQUARE,
};

struct DML_OPERATOR_DESC {
    DML_OPERATOR_TYPE Type;
    const void *Desc;
};

struct DML_REDUCE_OPERATOR_DESC {
    DML_REDUCE_FUNCTION Function;
    const DML_TENSOR_DESC *InputTensor;
    const DML_TENSOR_DESC *OutputTensor;
    UINT AxisCount;
    _Field_size_(AxisCount) const UINT *Axes;
};

#if DML_TARGET_VERSION >= 0x2000
struct DML_DIAGONAL_MATRIX_OPERATOR_DESC {
    const DML_TENSOR_DESC *OutputTensor;
    INT Offset;
    FLOAT Value;
};

enum DML_FEATURE_LEVEL {
    DML_FEATURE_LEVEL_1_0 = 0x1000,
    DML_FEATURE_LEVEL_2_0 = 0x2000,
    DML_FEATURE_LEVEL_2_1 = 0x2100,
    DML_FEATURE_LEVEL_3_0 = 0x3000,
    DML_FEATURE_LEVEL_3_1 = 0x3100,
    DML_FEATURE_LEVEL_4_0 = 0x4000,
    DML_FEATURE_LEVEL_4_1 = 0x4100,
    DML_FEATURE_LEVEL_5_0 = 0x5000,
#if DML_TARGET_VERSION >= 0x5100 /* the header of that age has none beyond its own */
    DML_FEATURE_LEVEL_5_1 = 0x5100,
    DML_FEATURE_LEVEL_6_4 = 0x6400,
#endif
};
#endif

#if DML_TARGET_VERSION >= 0x2100
enum DML_AXIS_DIRECTION { DML_AXIS_DIRECTION_INCREASING = 0, DML_AXIS_DIRECTION_DECREASING = 1 };

union DML_SCALAR_UNION {
    BYTE Bytes[8];
    INT8 Int8;
    UINT8 UInt8;
    INT16 Int16;
    UINT16 UInt16;
    INT32 Int32;
    UINT32 UInt32;
    INT64 Int64;
    UINT64 UInt64;
    FLOAT Float32;
    DOUBLE Float64;
};

struct DML_CUMULATIVE_SUMMATION_OPERATOR_DESC {
    const DML_TENSOR_DESC *InputTensor;
    const DML_TENSOR_DESC *OutputTensor;
    UINT Axis;
    DML_AXIS_DIRECTION AxisDirection;
    BOOL HasExclusiveSum;
};
#endif

#if DML_TARGET_VERSION >= 0x3000
struct DML_ARGMIN_OPERATOR_DESC {
    const DML_TENSOR_DESC *InputTensor;
    const DML_TENSOR_DESC *OutputTensor;
    UINT AxisCount;
    _Field_size_(AxisCount) const UINT *Axes;
    DML_AXIS_DIRECTION AxisDirection;
};

struct DML_ARGMAX_OPERATOR_DESC {
    const DML_TENSOR_DESC *InputTensor;
    const DML_TENSOR_DESC *OutputTensor;
    UINT AxisCount;
    _Field_size_(AxisCount) const UINT *Axes;
    DML_AXIS_DIRECTION AxisDirection;
};
#endif

#if DML_TARGET_VERSION >= 0x3100
struct DML_CUMULATIVE_PRODUCT_OPERATOR_DESC {
    const DML_TENSOR_DESC *InputTensor;
    const DML_TENSOR_DESC *OutputTensor;
    UINT Axis;
    DML_AXIS_DIRECTION AxisDirection;
    BOOL HasExclusiveProduct;
};
#endif

#if DML_TARGET_VERSION >= 0x5100
struct DML_DIAGONAL_MATRIX1_OPERATOR_DESC {
    _Maybenull_ const DML_TENSOR_DESC *InputTensor;
    const DML_TENSOR_DESC *OutputTensor;
    DML_TENSOR_DATA_TYPE ValueDataType;
    DML_SCALAR_UNION Value;
    INT DiagonalFillBegin;
    INT DiagonalFillEnd;
};
#endif

#endif
