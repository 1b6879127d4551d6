/*
 * tally/calls/create.h: operators, from a description on to a plan that is ready. A part of
 * tally/tally.h. Knows no memory and no queue.
 */
#ifndef TALLY_CALLS_CREATE_H
#define TALLY_CALLS_CREATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tally/calls/api.h>
#include <tally/calls/runtimes.h>
#include <tally/types/descriptions.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Questions without a device ------------------------------------------------------------- */

/*
 * Whether a description is right, and whether a device with these limits supports it. NULL for the
 * limits stands for a device with fp64 and 64 address bits. The status and the sentence are those
 * of the create call. Makes no OpenCL call and compiles nothing. Takes some microseconds.
 *
 * A description that is right here can still fail in the create call: with TALLY_OUT_OF_MEMORY,
 * TALLY_BUILD_FAILED or TALLY_DEVICE_ERROR, and with TALLY_UNSUPPORTED if kernels get too few
 * work-items or if 32 address bits are too few for the scratch. address_bits other than 0, 32 and
 * 64 give TALLY_INVALID.
 */
TALLY_API tally_status tally_reduce_check(const tally_reduce *desc,
                                          const tally_device_limits *limits, tally_error *error);
TALLY_API tally_status tally_cumulative_check(const tally_cumulative *desc,
                                              const tally_device_limits *limits,
                                              tally_error *error);
TALLY_API tally_status tally_diagonal_check(const tally_diagonal *desc,
                                            const tally_device_limits *limits, tally_error *error);

/* ---- Operators ----------------------------------------------------------------------------- */

/* An operator on tensors of fixed types and shapes, ready to be enqueued. Keeps its runtime. */
typedef struct tally_op tally_op;

/*
 * Make an operator of a description. The call checks the description, plans the launches, and gets
 * their kernels. It compiles the kernels that no operator of this runtime needed before and that
 * are not in the cache on disk. So it may block. The first scan of few long rows also runs the
 * trial of tally_runtime_scans(), unless that call was made before. The caller releases the
 * operator. On failure *op is NULL and nothing is kept:
 *
 *   TALLY_INVALID        the description breaks a rule stated at its struct
 *
 *   TALLY_UNSUPPORTED    an output whose strides don't nest, arithmetic on F64 without fp64, a
 *                        tensor beyond the device's address bits
 *
 *   TALLY_BUILD_FAILED, TALLY_OUT_OF_MEMORY, TALLY_DEVICE_ERROR
 */
TALLY_API tally_status tally_reduce_create(tally_runtime *runtime, const tally_reduce *desc,
                                           tally_op **op, tally_error *error);
TALLY_API tally_status tally_cumulative_create(tally_runtime *runtime, const tally_cumulative *desc,
                                               tally_op **op, tally_error *error);
TALLY_API tally_status tally_diagonal_create(tally_runtime *runtime, const tally_diagonal *desc,
                                             tally_op **op, tally_error *error);

/* The description of any operator. One of the three pointers is set, the others are NULL. */
typedef struct tally_desc {
    uint32_t struct_size;               /* sizeof(tally_desc); the initialiser fills it */
    const tally_reduce *reduce;         /* a reduction, or NULL */
    const tally_cumulative *cumulative; /* a scan, or NULL */
    const tally_diagonal *diagonal;     /* a fill, or NULL */
} tally_desc;

/* A tally_desc without a description. */
#define TALLY_DESC_INIT                                                                            \
    { sizeof(tally_desc), NULL, NULL, NULL }

/*
 * Make the operator of the one description that is set, as tally_reduce_create(),
 * tally_cumulative_create() or tally_diagonal_create() would. TALLY_INVALID also: none of the three
 * is set, or more than one.
 */
TALLY_API tally_status tally_op_create(tally_runtime *runtime, const tally_desc *desc,
                                       tally_op **op, tally_error *error);

/*
 * The tensors of the description that is set: pointers into the struct that the tally_desc points
 * to. NULL if there is none: a fill may have no input, an empty tally_desc has no tensors, nor has
 * one of a version that this library cannot read. Nothing else is checked.
 */
TALLY_API const tally_tensor *tally_desc_input(const tally_desc *desc);
TALLY_API const tally_tensor *tally_desc_output(const tally_desc *desc);

/* What an operator will need, as far as it is known before its kernels are built. */
typedef struct tally_estimate {
    uint32_t struct_size; /* in: sizeof(tally_estimate) */
    uint32_t launches;    /* launches of one enqueue, at most */
    uint64_t scratch;     /* bytes of scratch, at most */
} tally_estimate;

/* A tally_estimate to be filled. */
#define TALLY_ESTIMATE_INIT                                                                        \
    { sizeof(tally_estimate), 0, 0 }

/*
 * Plan an operator without getting its kernels, for a caller that lays out memory before it makes
 * operators. The call compiles nothing and runs no trial. If a trial would decide, the estimate
 * covers both outcomes. If another thread is running the trial, the call waits for it.
 *
 * A driver may allow a kernel fewer work-items than its device does. The operator then gets another
 * plan, so tally_op_scratch_size() has the last word. A description is refused as by the create
 * call, and the estimate then stays as it was.
 */
TALLY_API tally_status tally_runtime_estimate(tally_runtime *runtime, const tally_desc *desc,
                                              tally_estimate *estimate, tally_error *error);

/*
 * Compile the programs of these operators, into the runtime's memory and the cache on disk.
 * Creating the operators later then compiles nothing. The operators themselves are not kept. descs
 * has count entries, and all have the struct_size of the first one. Give the shapes that will come,
 * or shapes of similar size: sizes and strides choose among kernels.
 *
 * The call blocks until all is compiled. Make it on a thread of yours while the program starts. The
 * runtime may be in use meanwhile: an operator that is created then waits only if it needs the very
 * program that is being compiled.
 *
 * proceed may be NULL. Otherwise it is called after each operator with the number of those done. If
 * it returns false, the call stops there, which is no failure. So a program that ends can stop the
 * call, and it must do so before it releases the runtime.
 *
 * If an operator fails, the others are tried all the same. The status and the message are those of
 * the first that failed: "operator 3 of 7: ...", counted from 1.
 */
TALLY_API tally_status tally_warm_up(tally_runtime *runtime, const tally_desc *descs, size_t count,
                                     bool (*proceed)(void *user, size_t done), void *user,
                                     tally_error *error);

/* Add a hold. Each hold needs a release of its own. NULL is a no-op. */
TALLY_API void tally_op_retain(tally_op *op);

/*
 * Drop a hold. The last hold releases the operator. Its work may still be queued or running then,
 * but a command buffer that it was recorded into must be released before. NULL is a no-op.
 */
TALLY_API void tally_op_release(tally_op *op);

/*
 * Bytes of scratch that an enqueue needs. Most operators need 0. The offset of a scratch view, or
 * its address if it is a pointer, must be a multiple of TALLY_SCRATCH_ALIGNMENT. That is more than
 * clSVMAlloc aligns to. The content of scratch is undefined before and after. Enqueues that may run
 * at the same time must not share scratch. NULL gives 0.
 */
TALLY_API size_t tally_op_scratch_size(const tally_op *op);

/* The plan in words: one line for each launch. The text lives as long as the operator. */
TALLY_API const char *tally_op_describe(const tally_op *op);

#ifdef __cplusplus
}
#endif

#endif
