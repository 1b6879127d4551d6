/*
 * tally/types.h: the vocabulary of Tally: data types, functions, tensors and operator descriptions.
 *
 * Plain data only. This header knows nothing of OpenCL, so that descriptions can be built, stored
 * and checked by code that never sees a device. tally/tally.h includes it and adds the calls.
 */
#ifndef TALLY_TYPES_H
#define TALLY_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Versions ------------------------------------------------------------------------------ */

/*
 * These macros are the version of the header. tally_version() gives the library's. From 1.0.0 on a
 * version may change the following. While the major version is 0, a minor version may change
 * everything.
 *
 *   patch   Nothing that a program sees, except that faults are mended.
 *   minor   Calls, enumerators and members at the end of structs with a struct_size are added, and
 *           reserved members get a meaning. A program that was built with an older header of the
 *           same major version runs with the newer library unchanged.
 *   major   Everything.
 *
 * The bits of results have a version of their own, tally_order_version(). A minor version may
 * raise it.
 *
 * How structs grow:
 *
 *   * A struct that begins with struct_size may get members at its end. 0 in such a member means
 *     what the older version did. struct_size must be set. The struct has no padding at its end,
 *     and added members leave none.
 *   * The library takes a smaller struct. The members that are not there count as 0.
 *   * The library takes a larger struct if all bytes that it does not know are 0. Otherwise the
 *     call gives TALLY_UNSUPPORTED.
 *   * Of an answer the library fills the members that are there. It sets bytes that it does not
 *     know to 0.
 *   * A struct_size of 0, above 4096 or that is no multiple of 4 gives TALLY_INVALID.
 *   * tally_tensor, tally_scalar, tally_error, tally_view and tally_binding are frozen: they never
 *     grow. Their reserved members must be 0, and bits of tally_tensor.flags without a name are
 *     refused. A later version may give them a meaning.
 *   * tally_cache_file comes from the library alone and may get members at its end.
 *   * Enumerations are 32 bits wide with every compiler. The last enumerator of each, which ends in
 *     _32_BITS, makes them so. It is not a value. New values are added before it.
 */

/* A part of the version of this header. */
#define TALLY_VERSION_MAJOR 0
#define TALLY_VERSION_MINOR 1
#define TALLY_VERSION_PATCH 0
/* The whole version of this header as one number, which tally_version() is compared with. */
#define TALLY_VERSION                                                                              \
    (TALLY_VERSION_MAJOR * 10000 + TALLY_VERSION_MINOR * 100 + TALLY_VERSION_PATCH)

/* ---- Status and errors --------------------------------------------------------------------- */

/* The outcome of a call. Every call that can fail returns one. */
typedef enum tally_status {
    TALLY_OK = 0,            /* the call did what it is for */
    TALLY_INVALID = 1,       /* the description, binding or argument breaks a rule */
    TALLY_UNSUPPORTED = 2,   /* legal, but not with this device or this version of Tally */
    TALLY_OUT_OF_MEMORY = 3, /* the host or the device has no memory left */
    TALLY_BUILD_FAILED = 4,  /* the OpenCL compiler refused a kernel; the message has its words */
    TALLY_DEVICE_ERROR = 5,  /* an OpenCL call failed; tally_error.cl_code has its code */
    TALLY_STOPPED = 6,       /* a function of the caller's failed, or said to stop */
    TALLY_STATUS_32_BITS = 0x7FFFFFFF /* no value */
} tally_status;

/* Where a failure comes from. */
typedef enum tally_fault {
    TALLY_FAULT_NONE = 0,   /* nothing failed */
    TALLY_FAULT_CALLER = 1, /* a rule is broken */
    TALLY_FAULT_LIMIT = 2,  /* this device or this version of Tally cannot do it */
    TALLY_FAULT_HOST = 3,   /* Tally got no memory or no lock from the host */
    TALLY_FAULT_OPENCL = 4, /* an OpenCL call failed; cl_code says how, also if memory ran out */
    /*
     * An OpenCL call failed with a code that OpenCL does not have. Some drivers give such a code to
     * each call after a command that has gone wrong, whoever enqueued that command. The context
     * may be lost.
     */
    TALLY_FAULT_CONTEXT = 5,
    TALLY_FAULT_32_BITS = 0x7FFFFFFF /* no value */
} tally_fault;

/*
 * Why a call failed. The caller owns this struct and passes it as the last argument. NULL is
 * allowed. A call that succeeds sets all members to 0 and the message to "".
 */
typedef struct tally_error {
    tally_status status; /* what the call returned */
    int32_t cl_code;     /* the OpenCL error code, 0 if no OpenCL call failed */
    /* One sentence with the refused value and the limit. A text that is too long ends in "...". */
    char message[496];
    tally_fault fault; /* where the failure comes from */
    uint32_t reserved; /* 0 */
} tally_error;

/* A tally_error of a call that succeeded. */
#define TALLY_ERROR_INIT                                                                           \
    { TALLY_OK, 0, "", TALLY_FAULT_NONE, 0 }

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

/*
 * The family of kernels that a runtime plans with. It decides which work-item computes what, and
 * never the bits: they are the same in every family. Use AUTO. The others are for tests, for
 * measurements, and for a device that does better with another family than its type suggests.
 * Where the device's limits are too small for a kernel of the family, a generic one is taken.
 */
typedef enum tally_family {
    TALLY_FAMILY_AUTO = 0,    /* by the device's type: CPU on CPUs, GPU on all others */
    TALLY_FAMILY_GENERIC = 1, /* only the kernels that serve any strides and any device */
    TALLY_FAMILY_GPU = 2,     /* groups share work through local memory; also on a CPU */
    TALLY_FAMILY_CPU = 3,     /* each work-item works by itself, without barriers; also on a GPU */
    TALLY_FAMILY_32_BITS = 0x7FFFFFFF /* no value */
} tally_family;

/*
 * Whether scans of few long rows go over memory in a single pass. In a single pass each group of
 * work-items waits for totals that other groups publish. Otherwise the scan reads memory twice. The
 * bits are the same.
 *
 * OpenCL does not promise that groups run side by side, nor when a group sees what others write.
 * AUTO tries both on the device and goes by the outcome; tally_runtime_scans() has it. Waits are
 * bounded, and the group that ends last does the work that was left. So a group that waits in vain
 * costs time and nothing else, if the last group sees what the others wrote. The trial checks that.
 * ON skips the trial: it is for devices that are known to keep it.
 */
typedef enum tally_single_pass {
    TALLY_SINGLE_PASS_AUTO = 0,            /* as a trial of the device says */
    TALLY_SINGLE_PASS_ON = 1,              /* a single pass, without a trial */
    TALLY_SINGLE_PASS_OFF = 2,             /* no single pass */
    TALLY_SINGLE_PASS_32_BITS = 0x7FFFFFFF /* no value */
} tally_single_pass;

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

/*
 * The limits of a device that decide whether it supports an operator. A member that is 0 limits
 * nothing. tally_runtime_limits() has those of a runtime's device.
 */
typedef struct tally_device_limits {
    uint32_t struct_size;  /* sizeof(tally_device_limits); the initialiser fills it */
    uint32_t address_bits; /* CL_DEVICE_ADDRESS_BITS: 32 or 64. 0: 64 */
    bool no_fp64;          /* no arithmetic on F64: its CL_DEVICE_DOUBLE_FP_CONFIG is 0 */
    uint8_t reserved[3];   /* 0 */
} tally_device_limits;

/* ---- Runtime ------------------------------------------------------------------------------- */

/*
 * Where the library takes its host memory, for a caller that counts this memory or keeps it in one
 * place. Both functions must be set. Any thread that calls Tally may call them, and several threads
 * may at the same time. They must not call Tally. Memory that the C library and OpenCL take for
 * themselves does not come from here.
 */
typedef struct tally_allocator {
    uint32_t struct_size; /* sizeof(tally_allocator); the initialiser fills it */
    /*
     * Return a block of this number of bytes, which is at least 1, aligned for any type as malloc
     * aligns it. NULL: there is no memory. Then the call fails with TALLY_OUT_OF_MEMORY, or goes on
     * without the thing that it wanted the memory for.
     */
    void *(*allocate)(void *user, size_t bytes);
    void (*release)(void *user, void *block); /* a block of allocate's, never NULL */
    void *user;                               /* handed to both */
} tally_allocator;

/* A tally_allocator without functions: set both. */
#define TALLY_ALLOCATOR_INIT                                                                       \
    { sizeof(tally_allocator), NULL, NULL, NULL }

/* ---- Operators ----------------------------------------------------------------------------- */

/* The offset of a scratch view, or its address, is a multiple of this number of bytes. */
#define TALLY_SCRATCH_ALIGNMENT 256

/* Initialisers: every member is zero or its default, and struct_size is set. */
#define TALLY_TENSOR_INIT                                                                          \
    {                                                                                              \
        TALLY_DTYPE_NONE, 0, 0, {0}, {                                                             \
            0                                                                                      \
        }                                                                                          \
    }
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
#define TALLY_DEVICE_LIMITS_INIT                                                                   \
    {                                                                                              \
        sizeof(tally_device_limits), 0, false, {                                                   \
            0                                                                                      \
        }                                                                                          \
    }
#define TALLY_DIAGONAL_INIT                                                                        \
    { sizeof(tally_diagonal), NULL, TALLY_TENSOR_INIT, {0.0}, 0, 0 }

#ifdef __cplusplus
}
#endif

#endif
