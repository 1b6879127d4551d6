/*
 * tally/directml/dml_tensors.h: DirectML's constants, enumerations and tensors, and Windows' names
 * of the types. A part of tally/directml.h, which says how it goes with Microsoft's headers. Knows
 * no operator.
 */
#ifndef TALLY_DIRECTML_DML_TENSORS_H
#define TALLY_DIRECTML_DML_TENSORS_H

#include <stdint.h>

/* DIRECTML_H is the include guard of Microsoft's header. */
#if !defined(DIRECTML_H)

#ifdef __cplusplus
extern "C" {
#endif

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

#ifdef __cplusplus
}

/* What DEFINE_ENUM_FLAG_OPERATORS gives the flags in Microsoft's header. */
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

#endif /* not after Microsoft's header */

#endif
