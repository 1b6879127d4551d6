/*
 * tally/directml.h: DirectML's own names for the seven operators that Tally shares with it.
 *
 * Descriptions written for DirectML compile unchanged, in C and in C++, and become operators of
 * Tally. The seven are DML_OPERATOR_REDUCE with all twelve functions, _ARGMIN, _ARGMAX,
 * _CUMULATIVE_SUMMATION, _CUMULATIVE_PRODUCT, _DIAGONAL_MATRIX and _DIAGONAL_MATRIX1.
 *
 * The structs have the members, the member order and the layout of Microsoft's pages of the same
 * names. The enumerators have DirectML's numbers. Where DirectML leaves something open, the
 * comments decide it: at the members, and at tally_dml_operator_create(). The parts of this header
 * have the types: tally/directml/dml_tensors.h and tally/directml/dml_operators.h.
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

#include <tally/directml/dml_operators.h>
#include <tally/tally.h>

#ifdef __cplusplus
extern "C" {
#endif

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
#endif

#endif
