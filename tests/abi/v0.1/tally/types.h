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

/*
 * The version of this header; tally_version() gives the library's. What a version may change, from
 * 1.0.0 on (while the major version is 0, a minor version may change everything):
 *
 *   patch   nothing that a program sees, but for mended faults
 *   minor   it adds: calls, enumerators, members at the end of structs that carry a struct_size, a
 *           meaning of reserved members. A program that was built with an older header of the same
 *           major version runs with the newer library as it is.
 *   major   everything
 *
 * Bits of results have a number of their own, tally_order_version(): a minor version may raise it.
 *
 * How structs grow:
 *
 *   * A struct that begins with struct_size, which must be set, may get members at its end whose 0
 *     means what was before. It has no padding at its end, and members that are added leave none.
 *     The library takes a smaller struct: members that are not there are 0.
 * It takes a larger one if all bytes that it does not know are 0; otherwise the call is
 * unsupported. Of an answer it fills the members that are there, and sets bytes that it does not
 * know to 0. A struct_size that is 0, no multiple of 4 or above 4096 is invalid.
 *   * tally_tensor, tally_scalar, tally_error, tally_view and tally_binding are frozen: they never
 *     grow. A later version may give a meaning to their reserved members, which must be 0, and to
 *     bits of tally_tensor.flags that are refused now.
 *   * tally_cache_file comes from the library alone and may get members at its end.
 *   * Enumerations are 32 bits wide with every compiler. The last enumerator of each sees to that.
 *     It is no value: another one may be added before it.
 */
#define TALLY_VERSION_MAJOR 0
#define TALLY_VERSION_MINOR 1
#define TALLY_VERSION_PATCH 0
#define TALLY_VERSION                                                                              \
    (TALLY_VERSION_MAJOR * 10000 + TALLY_VERSION_MINOR * 100 + TALLY_VERSION_PATCH)

/* Most axes a tensor may have. Rank 0 is a single element. */
#define TALLY_MAX_RANK 8

/* What a call came to. Every call that can fail returns one. */
typedef enum tally_status {
    TALLY_OK = 0,
    TALLY_INVALID = 1,       /* the description, binding or argument breaks a rule */
    TALLY_UNSUPPORTED = 2,   /* legal, but not with this device or this version of Tally */
    TALLY_OUT_OF_MEMORY = 3, /* the host or the device has no memory left */
    TALLY_BUILD_FAILED = 4,  /* the OpenCL compiler refused a kernel; the message has its words */
    TALLY_DEVICE_ERROR = 5,  /* an OpenCL call failed; tally_error.cl_code has its code */
    TALLY_STATUS_32_BITS = 0x7FFFFFFF
} tally_status;

/* Where a failure comes from. */
typedef enum tally_fault {
    TALLY_FAULT_NONE = 0,
    TALLY_FAULT_CALLER = 1, /* a rule is broken */
    TALLY_FAULT_LIMIT = 2,  /* this device or this version of Tally cannot do it */
    TALLY_FAULT_HOST = 3,   /* Tally got no memory or no lock from the host */
    TALLY_FAULT_OPENCL = 4, /* an OpenCL call failed, for want of memory too; cl_code says how */
    /*
     * The same, with a code that is none of OpenCL's: some drivers answer so to each call after a
     * command that has gone wrong, also one that is not Tally's. The context may be lost.
     */
    TALLY_FAULT_CONTEXT = 5,
    TALLY_FAULT_32_BITS = 0x7FFFFFFF
} tally_fault;

/*
 * Why a call failed. The caller owns it and passes it last; NULL is fine. On success all members
 * are 0 and the message is empty. The message is one sentence with the offending value and
 * the limit it broke; a longer text ends in "...".
 */
typedef struct tally_error {
    tally_status status;
    int32_t cl_code; /* the OpenCL error code, 0 if no OpenCL call failed */
    char message[496];
    tally_fault fault;
    uint32_t reserved; /* 0 */
} tally_error;

#define TALLY_ERROR_INIT                                                                           \
    { TALLY_OK, 0, "", TALLY_FAULT_NONE, 0 }

/* Element types. 0 is none, so that a description left zero is refused rather than guessed at. */
typedef enum tally_dtype {
    TALLY_DTYPE_NONE = 0,
    TALLY_F16 = 1, /* IEEE 754 binary16; arithmetic is done in float32 and rounded once */
    TALLY_F32 = 2,
    TALLY_F64 = 3, /* arithmetic needs a device with fp64; fills need none */
    TALLY_I8 = 4,
    TALLY_I16 = 5,
    TALLY_I32 = 6,
    TALLY_I64 = 7,
    TALLY_U8 = 8,
    TALLY_U16 = 9,
    TALLY_U32 = 10,
    TALLY_U64 = 11,
    TALLY_DTYPE_32_BITS = 0x7FFFFFFF
} tally_dtype;

/*
 * What a reduction computes over the n elements x of the swept axes; those marked * can also be
 * scanned. Source of the formulas: DirectML's DML_REDUCE_FUNCTION.
 *
 *   ARGMAX, ARGMIN    index of the largest / smallest x, row-major over the swept axes
 *   AVERAGE           sum(x) / n
 *   L1, L2            sum(|x|), sqrt(sum(x * x))
 *   LOG_SUM           ln(sum(x))
 *   LOG_SUM_EXP       ln(sum(exp(x))), shifted by the maximum: does not overflow
 *   MAX *, MIN *      IEEE 754-2019 maximum / minimum; -0 < +0
 *   MULTIPLY *        product(x)
 *   SUM *             sum(x)
 *   SUM_SQUARE        sum(x * x)
 *
 * Integers wrap modulo 2^bits. LOG_SUM of a negative sum is NaN, of 0 it is -inf. Nothing is
 * scaled: L2 and SUM_SQUARE overflow where x * x does. docs/numerics.md has the whole contract.
 */
typedef enum tally_function {
    TALLY_FUNCTION_NONE = 0,
    TALLY_ARGMAX = 1,
    TALLY_ARGMIN = 2,
    TALLY_AVERAGE = 3,
    TALLY_L1 = 4,
    TALLY_L2 = 5,
    TALLY_LOG_SUM = 6,
    TALLY_LOG_SUM_EXP = 7,
    TALLY_MAX = 8,
    TALLY_MIN = 9,
    TALLY_MULTIPLY = 10,
    TALLY_SUM = 11,
    TALLY_SUM_SQUARE = 12,
    TALLY_FUNCTION_32_BITS = 0x7FFFFFFF
} tally_function;

/*
 * Which of several equal extremes ARGMAX and ARGMIN report; -0 and +0 are equal. Source: DirectML's
 * DML_AXIS_DIRECTION in DML_ARGMAX_OPERATOR_DESC. Another value is refused, also where a function
 * has no ties.
 */
typedef enum tally_tie {
    TALLY_TIE_FIRST = 0,
    TALLY_TIE_LAST = 1,
    TALLY_TIE_32_BITS = 0x7FFFFFFF
} tally_tie;

/*
 * What MIN, MAX, ARGMIN and ARGMAX do with NaN. PROPAGATE: any NaN wins (ARG*: the index of the
 * first NaN, of the last one under TALLY_TIE_LAST). IGNORE: NaN loses to every number; if all are
 * NaN the result is NaN and the index 0; a scan gives NaN as long as it visited nothing else. Other
 * functions give NaN whenever a term is NaN. A NaN result has the bits 0x7E00, 0x7FC00000 or
 * 0x7FF8000000000000. Another value than these two is refused, also for functions without the
 * choice.
 */
typedef enum tally_nan {
    TALLY_NAN_PROPAGATE = 0,
    TALLY_NAN_IGNORE = 1,
    TALLY_NAN_32_BITS = 0x7FFFFFFF
} tally_nan;

/*
 * Which family of kernels a runtime plans with. It decides who computes what when, and never the
 * bits: they are the same whichever is taken. AUTO is for use; the others are for tests, for
 * measurements, and for a device that does better with another family than its type suggests.
 * None of them goes beyond the device's limits: where those are too small for a family's kernels,
 * the generic ones are taken.
 *
 *   AUTO      by the device's type: CPU on CPUs, GPU on all others
 *   GENERIC   only the kernels that serve any strides and any device
 *   GPU       groups that share work through local memory, loads side by side; also on a CPU
 *   CPU       work-items for themselves, without barriers; also on a GPU
 */
typedef enum tally_family {
    TALLY_FAMILY_AUTO = 0,
    TALLY_FAMILY_GENERIC = 1,
    TALLY_FAMILY_GPU = 2,
    TALLY_FAMILY_CPU = 3,
    TALLY_FAMILY_32_BITS = 0x7FFFFFFF
} tally_family;

/*
 * Whether scans of few long rows go over memory in a single pass, in which groups wait a while for
 * what others publish, or read it twice. The bits are the same. OpenCL does not promise that groups
 * run side by side, nor when they see what others write: AUTO tries that out on the device and goes
 * by the outcome (tally_runtime_scans). Where groups then wait in vain it costs time, and nothing
 * else: waits are bounded, and the group that ends last does what was left undone. It has to see
 * what the others told by then, which the trial shows; ON is for devices that are known for it.
 */
typedef enum tally_single_pass {
    TALLY_SINGLE_PASS_AUTO = 0,
    TALLY_SINGLE_PASS_ON = 1,
    TALLY_SINGLE_PASS_OFF = 2,
    TALLY_SINGLE_PASS_32_BITS = 0x7FFFFFFF
} tally_single_pass;

/* tally_tensor.flags: stride[] is read. Without it the tensor is packed row-major. */
#define TALLY_STRIDED 1u

/*
 * A tensor: element type and shape, no data. Axes are listed outermost first. stride[] is in
 * elements and read only under TALLY_STRIDED; on an input 0 repeats one element along the axis. An
 * output's strides must nest: sorted, each is at least what the axes of smaller strides reach over;
 * others are unsupported, also where no two coordinates meet. Gaps in a strided output are never
 * written. A size of 0 is legal: the tensor is empty. The product of the sizes (a 0 counted as 1)
 * and the reach in bytes are at most 2^63 - 1.
 */
typedef struct tally_tensor {
    tally_dtype dtype;
    uint32_t rank;  /* 0 to TALLY_MAX_RANK */
    uint32_t flags; /* 0 or TALLY_STRIDED */
    uint64_t size[TALLY_MAX_RANK];
    uint64_t stride[TALLY_MAX_RANK];
} tally_tensor;

/* One element; which member counts follows from the tensor's dtype. */
typedef union tally_scalar {
    double f64;
    float f32;
    uint16_t f16_bits; /* the bits of a binary16 */
    int64_t i64;
    int32_t i32;
    int16_t i16;
    int8_t i8;
    uint64_t u64;
    uint32_t u32;
    uint16_t u16;
    uint8_t u8;
} tally_scalar;

/*
 * REDUCE, ARGMIN, ARGMAX. The output has the input's rank and sizes, but 1 on every swept axis.
 * Source: DML_REDUCE_OPERATOR_DESC, DML_ARGMIN_OPERATOR_DESC, DML_ARGMAX_OPERATOR_DESC.
 *
 * Types: ARGMAX and ARGMIN take any input and give I32, I64, U32 or U64; MAX and MIN take any type;
 * SUM, MULTIPLY, L1 and SUM_SQUARE take the floats and the 32- and 64-bit integers; AVERAGE, L2,
 * LOG_SUM and LOG_SUM_EXP take the floats. But for ARG* the output's type is the input's.
 *
 * axes is a bit mask: bit k sweeps axis k. 0 sweeps none: each element is a reduction of its own
 * (L1 gives |x|, ARG* give 0). Sweeping an axis of size 0 gives the function of nothing: SUM, L1,
 * L2 and SUM_SQUARE 0, MULTIPLY 1, MIN +inf or the highest integer, MAX -inf or the lowest,
 * LOG_SUM and LOG_SUM_EXP -inf, AVERAGE NaN; ARG* is an error. An empty output is a no-op. Refused
 * are a bit of axes at or above the rank, and an index that may not fit its type (I32: more than
 * 2^31 swept elements).
 */
typedef struct tally_reduce {
    uint32_t struct_size; /* sizeof(tally_reduce); the initialiser fills it */
    tally_function function;
    tally_tensor input;
    tally_tensor output;
    uint32_t axes;
    tally_tie tie;     /* ARGMAX, ARGMIN only */
    tally_nan nan;     /* MAX, MIN, ARGMAX, ARGMIN on floats only */
    uint32_t reserved; /* 0 */
} tally_reduce;

/*
 * CUMULATIVE_SUMMATION (TALLY_SUM), CUMULATIVE_PRODUCT (TALLY_MULTIPLY), running TALLY_MIN and
 * TALLY_MAX along one axis. The output has the input's type, rank and sizes. Types per function are
 * those of tally_reduce; axis is below the rank. It may run in place: bind one view as input and
 * output, with equal strides. Source: DML_CUMULATIVE_SUMMATION_OPERATOR_DESC and _PRODUCT_.
 *
 * exclusive writes at each place the value before its element enters: the first place visited gets
 * 0, 1, +inf or the highest integer (MIN), -inf or the lowest (MAX), and the total is not written.
 */
typedef struct tally_cumulative {
    uint32_t struct_size; /* sizeof(tally_cumulative); the initialiser fills it */
    tally_function function;
    tally_tensor input;
    tally_tensor output;
    uint32_t axis;
    bool descending; /* visit the axis from its last index down */
    bool exclusive;
    tally_nan nan;     /* MAX, MIN on floats only */
    uint32_t reserved; /* 0 */
} tally_cumulative;

/*
 * DIAGONAL_MATRIX1: fill a band of each matrix. The last two axes are the rows y and columns x of a
 * matrix, the axes before them a batch: ranks 2 to 8, any of the eleven types. With t = x - y:
 *
 *   begin <  end   value where begin <= t < end
 *   begin == end   value nowhere
 *   begin >  end   value everywhere but where end <= t < begin
 *
 * Elsewhere the output gets the input's element, bit for bit, or zero if input is NULL. The input
 * has the output's type and sizes, and may be bound in place. Any begin and end are legal,
 * INT32_MIN and INT64_MAX among them. Source: DML_DIAGONAL_MATRIX1_OPERATOR_DESC,
 * DML_DIAGONAL_MATRIX_OPERATOR_DESC.
 *
 * DIAGONAL_MATRIX with offset k is the case input = NULL, begin = k, end = k + 1.
 */
typedef struct tally_diagonal {
    uint32_t struct_size;      /* sizeof(tally_diagonal); the initialiser fills it */
    const tally_tensor *input; /* NULL: zeros; read by the create call only */
    tally_tensor output;
    tally_scalar value; /* in the output's type; a float16 as f16_bits */
    int64_t begin;
    int64_t end;
} tally_diagonal;

/*
 * What of a device decides whether it supports an operator, for questions without one. A member
 * that is 0 limits nothing. tally_runtime_limits() has those of a runtime's device.
 */
typedef struct tally_device_limits {
    uint32_t struct_size;  /* sizeof(tally_device_limits); the initialiser fills it */
    uint32_t address_bits; /* CL_DEVICE_ADDRESS_BITS: 32 or 64. 0: 64 */
    bool no_fp64;          /* no arithmetic on F64: its CL_DEVICE_DOUBLE_FP_CONFIG is 0 */
    uint8_t reserved[3];   /* 0 */
} tally_device_limits;

/* The offset of a scratch view, or by a pointer its address, is a multiple of so many bytes. */
#define TALLY_SCRATCH_ALIGNMENT 256

/* Initialisers: everything zero or default, struct_size set. */
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
