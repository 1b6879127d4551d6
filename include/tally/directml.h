/*
 * tally/directml.h: DirectML's own names for the seven operators that Tally shares with it.
 *
 * Descriptions written for DirectML compile unchanged, in C and in C++, and become operators of
 * Tally. The seven are DML_OPERATOR_REDUCE with all twelve functions, _ARGMIN, _ARGMAX,
 * _CUMULATIVE_SUMMATION, _CUMULATIVE_PRODUCT, _DIAGONAL_MATRIX and _DIAGONAL_MATRIX1.
 *
 * The structs have the members, the member order and the layout of Microsoft's pages of the same
 * names. The enumerators have DirectML's numbers. Where DirectML leaves something open, the
 * comments below decide it: at the members, and at tally_dml_operator_create().
 *
 * Include Microsoft's headers, or a stand-in for <windows.h>, before this header and never after
 * it. One exception: with TALLY_NO_WINDOWS_TYPES a stand-in may come after it.
 *
 * If Microsoft's DirectML.h was included first, this header declares only the functions of its last
 * section. All types are then Microsoft's. Two things depend on the age of that header:
 *
 *   - Below DML_TARGET_VERSION 0x2000 it lacks DML_FEATURE_LEVEL, which is then defined here.
 *   - A level that its enumeration does not have is given as a number: (DML_FEATURE_LEVEL)0x6400.
 */
#ifndef TALLY_DIRECTML_H
#define TALLY_DIRECTML_H

#include <tally/tally.h>

#ifdef __cplusplus
extern "C" {
#endif

/* DIRECTML_H is the include guard of Microsoft's header. */
#if !defined(DIRECTML_H)

/* ---- DirectML: Windows' names of the types --------------------------------------------------- */

/*
 * For code that was written for DirectML. Nothing below needs these names. <windows.h> has them,
 * and so have the headers that stand in for it elsewhere.
 *
 * X11's <X11/Xmd.h> has some of them, with another BOOL. It may be included before this header. A
 * program that includes it after this header, or that has such names of its own, defines
 * TALLY_NO_WINDOWS_TYPES before this header.
 */
#if !defined(TALLY_NO_WINDOWS_TYPES)
#if !defined(_MINWINDEF_) && !defined(_WINDEF_) && !defined(DECLSPEC_NOVTABLE)
#if !defined(XMD_H)
typedef int BOOL; /* 0 is false, any other value is true */
/* Windows' name of a type of C. */
typedef uint8_t BYTE;
typedef int8_t INT8;
typedef int16_t INT16;
typedef int32_t INT32;
#endif
#if !defined(XMD_H) || !defined(LONG64) /* Xmd.h has it only there */
typedef int64_t INT64;                  /* Windows' name of a type of C */
#endif
/* Windows' name of a type of C. */
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
#define FALSE 0 /* of a BOOL */
#endif
#ifndef TRUE
#define TRUE 1 /* of a BOOL */
#endif
#endif

/* ---- DirectML: constants --------------------------------------------------------------------- */

/* The highest DimensionCount that DirectML knows before level 3_0. */
#define DML_TENSOR_DIMENSION_COUNT_MAX 5u
/* The highest DimensionCount from level 3_0 on. */
#define DML_TENSOR_DIMENSION_COUNT_MAX1 8u
/* Bytes that DirectML aligns memory to. Tally needs less: see tally_binding. */
#define DML_TEMPORARY_BUFFER_ALIGNMENT 256u
#define DML_PERSISTENT_BUFFER_ALIGNMENT 256u
#define DML_MINIMUM_BUFFER_TENSOR_ALIGNMENT 16u

/* ---- DirectML: enumerations ------------------------------------------------------------------ */

/* The element types. None of the seven operators takes UNKNOWN, UINT4 or INT4. */
typedef enum DML_TENSOR_DATA_TYPE {
    DML_TENSOR_DATA_TYPE_UNKNOWN = 0, /* no type */
    DML_TENSOR_DATA_TYPE_FLOAT32 = 1, /* TALLY_F32 */
    DML_TENSOR_DATA_TYPE_FLOAT16 = 2, /* TALLY_F16 */
    DML_TENSOR_DATA_TYPE_UINT32 = 3,  /* TALLY_U32 */
    DML_TENSOR_DATA_TYPE_UINT16 = 4,  /* TALLY_U16 */
    DML_TENSOR_DATA_TYPE_UINT8 = 5,   /* TALLY_U8 */
    DML_TENSOR_DATA_TYPE_INT32 = 6,   /* TALLY_I32 */
    DML_TENSOR_DATA_TYPE_INT16 = 7,   /* TALLY_I16 */
    DML_TENSOR_DATA_TYPE_INT8 = 8,    /* TALLY_I8 */
    DML_TENSOR_DATA_TYPE_FLOAT64 = 9, /* TALLY_F64 */
    DML_TENSOR_DATA_TYPE_UINT64 = 10, /* TALLY_U64 */
    DML_TENSOR_DATA_TYPE_INT64 = 11,  /* TALLY_I64 */
    DML_TENSOR_DATA_TYPE_UINT4 = 12,  /* no type of Tally's */
    DML_TENSOR_DATA_TYPE_INT4 = 13    /* no type of Tally's */
} DML_TENSOR_DATA_TYPE;

/* Where a tensor is: in a buffer, always. */
typedef enum DML_TENSOR_TYPE {
    DML_TENSOR_TYPE_INVALID = 0, /* refused */
    DML_TENSOR_TYPE_BUFFER = 1   /* a DML_BUFFER_TENSOR_DESC describes it */
} DML_TENSOR_TYPE;

/* Who owns a tensor. */
typedef enum DML_TENSOR_FLAGS {
    DML_TENSOR_FLAG_NONE = 0, /* the caller */
    /* Refused: DirectML binds such a tensor at an initialisation, which Tally does not have. */
    DML_TENSOR_FLAG_OWNED_BY_DML = 1
} DML_TENSOR_FLAGS;

/* The seven of DirectML's operators that Tally has. */
typedef enum DML_OPERATOR_TYPE {
    DML_OPERATOR_INVALID = 0,                /* refused */
    DML_OPERATOR_REDUCE = 55,                /* DML_REDUCE_OPERATOR_DESC */
    DML_OPERATOR_DIAGONAL_MATRIX = 93,       /* DML_DIAGONAL_MATRIX_OPERATOR_DESC */
    DML_OPERATOR_CUMULATIVE_SUMMATION = 105, /* DML_CUMULATIVE_SUMMATION_OPERATOR_DESC */
    DML_OPERATOR_ARGMIN = 137,               /* DML_ARGMIN_OPERATOR_DESC */
    DML_OPERATOR_ARGMAX = 138,               /* DML_ARGMAX_OPERATOR_DESC */
    DML_OPERATOR_CUMULATIVE_PRODUCT = 145,   /* DML_CUMULATIVE_PRODUCT_OPERATOR_DESC */
    DML_OPERATOR_DIAGONAL_MATRIX1 = 163      /* DML_DIAGONAL_MATRIX1_OPERATOR_DESC */
} DML_OPERATOR_TYPE;

/* The formulas are those of tally_function. ARGMAX and ARGMIN give the first of equal extremes. */
typedef enum DML_REDUCE_FUNCTION {
    DML_REDUCE_FUNCTION_ARGMAX = 0,      /* TALLY_ARGMAX */
    DML_REDUCE_FUNCTION_ARGMIN = 1,      /* TALLY_ARGMIN */
    DML_REDUCE_FUNCTION_AVERAGE = 2,     /* TALLY_AVERAGE */
    DML_REDUCE_FUNCTION_L1 = 3,          /* TALLY_L1 */
    DML_REDUCE_FUNCTION_L2 = 4,          /* TALLY_L2 */
    DML_REDUCE_FUNCTION_LOG_SUM = 5,     /* TALLY_LOG_SUM */
    DML_REDUCE_FUNCTION_LOG_SUM_EXP = 6, /* TALLY_LOG_SUM_EXP */
    DML_REDUCE_FUNCTION_MAX = 7,         /* TALLY_MAX */
    DML_REDUCE_FUNCTION_MIN = 8,         /* TALLY_MIN */
    DML_REDUCE_FUNCTION_MULTIPLY = 9,    /* TALLY_MULTIPLY */
    DML_REDUCE_FUNCTION_SUM = 10,        /* TALLY_SUM */
    DML_REDUCE_FUNCTION_SUM_SQUARE = 11  /* TALLY_SUM_SQUARE */
} DML_REDUCE_FUNCTION;

/* The direction of a scan. For ARGMIN and ARGMAX: which of equal extremes they report. */
typedef enum DML_AXIS_DIRECTION {
    DML_AXIS_DIRECTION_INCREASING = 0, /* from index 0 up; the first of equal extremes */
    DML_AXIS_DIRECTION_DECREASING = 1  /* from the last index down; the last of equal extremes */
} DML_AXIS_DIRECTION;

/* ---- DirectML: tensors ----------------------------------------------------------------------- */

/* A tensor in a buffer. Source: Microsoft's page DML_BUFFER_TENSOR_DESC. */
typedef struct DML_BUFFER_TENSOR_DESC {
    DML_TENSOR_DATA_TYPE DataType; /* an element type that the operator takes at the level */
    DML_TENSOR_FLAGS Flags;        /* DML_TENSOR_FLAG_NONE */
    uint32_t DimensionCount;       /* 1 to 8, and no more than the operator takes at the level */
    /* DimensionCount sizes, outermost first. None is 0. Their product is at most 2^32 - 1. */
    const uint32_t *Sizes;
    /*
     * NULL for a packed row-major tensor, or DimensionCount strides in elements. 0 repeats an input
     * along the axis. An output's strides must nest, so that no two coordinates share an element.
     * DirectML has no rule for that.
     */
    const uint32_t *Strides;
    /*
     * At least the bytes that tally_dml_buffer_tensor_size() gives. More bytes promise that the
     * buffer goes on. Tally leaves the surplus, and the gaps between strides, as they are.
     */
    uint64_t TotalTensorSizeInBytes;
    /*
     * Bytes: 0, or a power of two of at least the element's size. Tally does not need this promise:
     * a bound offset must be a multiple of the element's size, and no more.
     */
    uint32_t GuaranteedBaseOffsetAlignment;
} DML_BUFFER_TENSOR_DESC;

/* A tensor of any kind, of which there is one. */
typedef struct DML_TENSOR_DESC {
    DML_TENSOR_TYPE Type; /* DML_TENSOR_TYPE_BUFFER */
    const void *Desc;     /* a DML_BUFFER_TENSOR_DESC */
} DML_TENSOR_DESC;

/* One element. A FLOAT16 has no member: its bits go into UInt16. */
typedef union DML_SCALAR_UNION {
    uint8_t Bytes[8]; /* of any type, as it lies in memory */
    int8_t Int8;      /* of INT8 */
    uint8_t UInt8;    /* of UINT8 */
    int16_t Int16;    /* of INT16 */
    uint16_t UInt16;  /* of UINT16, and the bits of a FLOAT16 */
    int32_t Int32;    /* of INT32 */
    uint32_t UInt32;  /* of UINT32 */
    int64_t Int64;    /* of INT64 */
    uint64_t UInt64;  /* of UINT64 */
    float Float32;    /* of FLOAT32 */
    double Float64;   /* of FLOAT64 */
} DML_SCALAR_UNION;

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

#endif /* not after Microsoft's header */

/* ---- DirectML: feature levels ---------------------------------------------------------------- */

#if !defined(DIRECTML_H) || !defined(DML_TARGET_VERSION) || DML_TARGET_VERSION < 0x2000
/* Each level contains those before it. */
typedef enum DML_FEATURE_LEVEL {
    DML_FEATURE_LEVEL_1_0 = 0x1000, /* has REDUCE */
    DML_FEATURE_LEVEL_2_0 = 0x2000, /* adds DIAGONAL_MATRIX */
    DML_FEATURE_LEVEL_2_1 = 0x2100, /* adds CUMULATIVE_SUMMATION, and more types */
    DML_FEATURE_LEVEL_3_0 = 0x3000, /* adds ARGMIN and ARGMAX, more types and ranks */
    DML_FEATURE_LEVEL_3_1 = 0x3100, /* adds CUMULATIVE_PRODUCT */
    DML_FEATURE_LEVEL_4_0 = 0x4000, /* adds more ranks */
    DML_FEATURE_LEVEL_4_1 = 0x4100, /* adds more types of ARGMIN and ARGMAX */
    DML_FEATURE_LEVEL_5_0 = 0x5000, /* adds more types of reductions and scans */
    DML_FEATURE_LEVEL_5_1 = 0x5100, /* adds DIAGONAL_MATRIX1, and all types of DIAGONAL_MATRIX */
    DML_FEATURE_LEVEL_5_2 = 0x5200, /* adds nothing to the seven operators */
    DML_FEATURE_LEVEL_6_0 = 0x6000, /* adds nothing to the seven operators */
    DML_FEATURE_LEVEL_6_1 = 0x6100, /* adds nothing to the seven operators */
    DML_FEATURE_LEVEL_6_2 = 0x6200, /* adds nothing to the seven operators */
    DML_FEATURE_LEVEL_6_3 = 0x6300, /* adds nothing to the seven operators */
    DML_FEATURE_LEVEL_6_4 = 0x6400  /* adds nothing to the seven operators */
} DML_FEATURE_LEVEL;
#endif

/* ---- DirectML: Tally's functions ------------------------------------------------------------- */

/*
 * Make an operator of DirectML's description, held to the rules of a feature level. It is enqueued
 * as any other operator: tally_binding.input is the memory of InputTensor, tally_binding.output
 * that of OutputTensor. Only this call reads what desc points to. The caller releases the operator.
 *
 * The rules are those of tally_reduce, tally_cumulative and tally_diagonal, and of the structs
 * above. DirectML's limits are narrower and hold as well: no empty tensors, at most 2^32 - 1
 * elements, and the types and ranks of the level, which exclude float64 arithmetic.
 *
 * NaN loses to every number in MIN, MAX, ARGMIN and ARGMAX, as was observed of DirectML. In two
 * points Tally differs from what was observed: LOG_SUM_EXP does not overflow, and float16
 * accumulates in float32.
 *
 * On failure *op is NULL:
 *
 *   TALLY_UNSUPPORTED    the level does not list a type or a rank, but a later one does: the
 *                        sentence names it ("...; DML_FEATURE_LEVEL_5_0 accepts it"). Also an
 *                        operator that Tally does not have, OWNED_BY_DML, and an output whose
 *                        strides do not nest
 *
 *   TALLY_INVALID        any other rule is broken; of types and ranks the sentence says "no level
 *                        accepts it"
 *
 *   and all that tally_reduce_create() gives besides
 *
 * Source of the levels' types and ranks: the tables of tensor support on the operators' pages, in
 * their revision of 2022. Before it, those of CUMULATIVE_* named UINT16 by mistake.
 */
TALLY_API tally_status tally_dml_operator_create(tally_runtime *runtime,
                                                 const DML_OPERATOR_DESC *desc,
                                                 DML_FEATURE_LEVEL level, tally_op **op,
                                                 tally_error *error);

/*
 * The status and the sentence that tally_dml_operator_create() would give on a device with these
 * limits. NULL stands for a device with fp64 and 64 address bits. It is to that call what
 * tally_reduce_check() is to tally_reduce_create().
 */
TALLY_API tally_status tally_dml_operator_check(const DML_OPERATOR_DESC *desc,
                                                DML_FEATURE_LEVEL level,
                                                const tally_device_limits *limits,
                                                tally_error *error);

/*
 * The lowest level that takes tensors of these types and this rank. Every later level takes them
 * too. function counts for DML_OPERATOR_REDUCE only. Without InputTensor, input is
 * DML_TENSOR_DATA_TYPE_UNKNOWN. If no level takes them, *level is 0 and the call fails, with the
 * status and the sentence of tally_dml_operator_create().
 */
TALLY_API tally_status tally_dml_minimum_level(DML_OPERATOR_TYPE type, DML_REDUCE_FUNCTION function,
                                               DML_TENSOR_DATA_TYPE input,
                                               DML_TENSOR_DATA_TYPE output, uint32_t dimensionCount,
                                               DML_FEATURE_LEVEL *level, tally_error *error);

/*
 * The smallest TotalTensorSizeInBytes: the bytes from the tensor's first element to the end of its
 * last one, rounded up to a multiple of 4. sizes and strides have dimensionCount entries, outermost
 * first. Strides are in elements; NULL is packed. Two elements of UINT4 or INT4 share a byte.
 *
 * TALLY_INVALID, and *bytes becomes 0: dataType is no type, dimensionCount is 0 or above 8, a size
 * is 0, or there are more than 2^64 - 1 bytes. Everything is computed in 64 bits. Microsoft's own
 * helper, DMLCalcBufferTensorSize, adds indices in 32 bits.
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
