/*
 * tally/types/elements.h: elements and tensors, as plain data. A part of tally/types.h. Knows no
 * operator.
 */
#ifndef TALLY_TYPES_ELEMENTS_H
#define TALLY_TYPES_ELEMENTS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Types and functions ------------------------------------------------------------------- */

/*
 * The type of a tensor's elements. The value 0 is no type, so that a description whose type was
 * never set is refused.
 */
typedef enum tally_dtype {
    TALLY_DTYPE_NONE = 0, /* no type */
    TALLY_F16 = 1,        /* IEEE 754 binary16; computed in float32 and rounded once */
    TALLY_F32 = 2,        /* IEEE 754 binary32 */
    TALLY_F64 = 3,        /* IEEE 754 binary64; arithmetic needs a device with fp64, fills do not */
    TALLY_I8 = 4,         /* integer with a sign, 8 bits */
    TALLY_I16 = 5,        /* integer with a sign, 16 bits */
    TALLY_I32 = 6,        /* integer with a sign, 32 bits */
    TALLY_I64 = 7,        /* integer with a sign, 64 bits */
    TALLY_U8 = 8,         /* integer without a sign, 8 bits */
    TALLY_U16 = 9,        /* integer without a sign, 16 bits */
    TALLY_U32 = 10,       /* integer without a sign, 32 bits */
    TALLY_U64 = 11,       /* integer without a sign, 64 bits */
    TALLY_DTYPE_32_BITS = 0x7FFFFFFF /* no value */
} tally_dtype;

/* ---- Tensors ------------------------------------------------------------------------------- */

/* The largest rank, which is the number of axes. A tensor of rank 0 is a single element. */
#define TALLY_MAX_RANK 8

/* In tally_tensor.flags: stride[] is read. Without this flag the tensor is packed row-major. */
#define TALLY_STRIDED 1u

/*
 * The element type and the shape of a tensor, without data. Axes are listed outermost first. A size
 * of 0 is legal: the tensor is empty. The product of the sizes, with a size of 0 counted as 1, is
 * at most 2^63 - 1. So is the number of bytes from the first element to the end of the last.
 *
 * A stride of 0 repeats one element of an input along the axis. The strides of an output must nest:
 * in ascending order, each is at least the distance that the axes of smaller strides reach over.
 * Others give TALLY_UNSUPPORTED, also if no two coordinates share an element. Gaps in a strided
 * output are never written.
 */
typedef struct tally_tensor {
    tally_dtype dtype;               /* the type of the elements */
    uint32_t rank;                   /* 0 to TALLY_MAX_RANK */
    uint32_t flags;                  /* 0 or TALLY_STRIDED */
    uint64_t size[TALLY_MAX_RANK];   /* elements along each axis; the first rank entries count */
    uint64_t stride[TALLY_MAX_RANK]; /* in elements; read only under TALLY_STRIDED */
} tally_tensor;

/* One element. The tensor's dtype says which member counts. */
typedef union tally_scalar {
    double f64;        /* of TALLY_F64 */
    float f32;         /* of TALLY_F32 */
    uint16_t f16_bits; /* of TALLY_F16: the bits of a binary16 */
    int64_t i64;       /* of TALLY_I64 */
    int32_t i32;       /* of TALLY_I32 */
    int16_t i16;       /* of TALLY_I16 */
    int8_t i8;         /* of TALLY_I8 */
    uint64_t u64;      /* of TALLY_U64 */
    uint32_t u32;      /* of TALLY_U32 */
    uint16_t u16;      /* of TALLY_U16 */
    uint8_t u8;        /* of TALLY_U8 */
} tally_scalar;

/* A tally_tensor without a type. */
#define TALLY_TENSOR_INIT                                                                          \
    {                                                                                              \
        TALLY_DTYPE_NONE, 0, 0, {0}, {                                                             \
            0                                                                                      \
        }                                                                                          \
    }

#ifdef __cplusplus
}
#endif

#endif
