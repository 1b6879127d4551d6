/*
 * tally/tally.h: tensor reductions, running totals and diagonal fills on any OpenCL 1.2 device.
 *
 * This header is the manual. It includes tally/types.h, which has the descriptions of the
 * operators. A program calls in this order:
 *
 *   1. tally_runtime_create(): once for each context and device. It keeps the compiled kernels.
 *   2. tally_reduce_create(), tally_cumulative_create() or tally_diagonal_create(): once for each
 *      operator and shape. The call checks everything and may compile.
 *   3. tally_op_enqueue(): as often as wanted. It never compiles, never allocates device memory and
 *      never blocks.
 *
 * The caller owns the context, the queues, the tensors' memory, the scratch and the error struct.
 * Every function may be called from any thread at any time, also on the same object. One thing is
 * not allowed: to use an object during or after the release of its last hold.
 *
 * The library promises:
 *
 *   * The operator with its options, the types, the sizes, the axes and the values decide the bits
 *     of a result. Strides, the chosen kernels, other work on the device and earlier calls do not.
 *   * The bits are the same on every device whose arithmetic keeps the rules of docs/numerics.md.
 *     tally_runtime_numerics() says whether a device does. The bits change only if
 *     tally_order_version() does.
 *   * Nothing is written except the elements of the output and the scratch.
 *   * A call that fails gives a status and one sentence. It leaks nothing and leaves no object half
 *     made, but for a command buffer: see tally_op_record().
 */
#ifndef TALLY_TALLY_H
#define TALLY_TALLY_H

#include <tally/types.h>

#if defined(_WIN32) && defined(TALLY_SHARED)
#ifdef TALLY_BUILDING
#define TALLY_API __declspec(dllexport)
#else
#define TALLY_API __declspec(dllimport) /* for programs that define TALLY_SHARED */
#endif
#elif defined(__GNUC__)
#define TALLY_API __attribute__((visibility("default")))
#else
#define TALLY_API /* stands before each call: whether the shared library exports it */
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- OpenCL's handles ---------------------------------------------------------------------- */

/*
 * An OpenCL handle, as <CL/cl.h> names it. This header does not include <CL/cl.h>. A program
 * includes the version of it that it wants, or CL/opencl.hpp, before this header or after it. C11
 * and C++ allow both to declare the same name.
 */
typedef struct _cl_context *cl_context;
typedef struct _cl_device_id *cl_device_id;
typedef struct _cl_command_queue *cl_command_queue;
typedef struct _cl_mem *cl_mem;
typedef struct _cl_event *cl_event;
typedef struct _cl_command_buffer_khr *cl_command_buffer_khr; /* these two as <CL/cl_ext.h> */
typedef uint32_t cl_sync_point_khr;

/* ---- Names and numbers --------------------------------------------------------------------- */

/* The library's version, to compare with TALLY_VERSION. */
TALLY_API uint32_t tally_version(void);

/*
 * The version of the orders in which terms are combined where rounding depends on the order. Two
 * libraries with the same order version give the same bits.
 */
TALLY_API uint32_t tally_order_version(void);

/*
 * The name of a value in lower case, for example "invalid", "f32" or "log_sum_exp". A value out of
 * range gives "unknown". The text is static.
 */
TALLY_API const char *tally_status_name(tally_status status);
TALLY_API const char *tally_dtype_name(tally_dtype dtype);
TALLY_API const char *tally_function_name(tally_function function);

/*
 * The value with this name. If no value has it, or name is NULL, the result is 0: TALLY_DTYPE_NONE
 * or TALLY_FUNCTION_NONE.
 */
TALLY_API tally_dtype tally_dtype_by_name(const char *name);
TALLY_API tally_function tally_function_by_name(const char *name);

/* Bytes of one element. 0 for a value out of range. */
TALLY_API size_t tally_dtype_size(tally_dtype dtype);

/* ---- Tensors ------------------------------------------------------------------------------- */

/*
 * A packed row-major tensor. size has rank entries, outermost first. It may be NULL at rank 0. At
 * other ranks NULL gives TALLY_TENSOR_INIT: its type is TALLY_DTYPE_NONE, which the create calls
 * refuse.
 */
TALLY_API tally_tensor tally_tensor_packed(tally_dtype dtype, uint32_t rank, const uint64_t *size);

/*
 * The packed output of a reduction: it has the input's sizes, but size 1 on each axis of the bit
 * mask axes, and this element type. Bits at or above the rank are ignored here, and
 * tally_reduce_create() refuses them. Without an input the result is TALLY_TENSOR_INIT.
 */
TALLY_API tally_tensor tally_tensor_reduced(const tally_tensor *input, uint32_t axes,
                                            tally_dtype dtype);

/*
 * Bytes from the tensor's first element to the end of its last one. A buffer must have as many
 * behind the view's offset. An empty tensor has 0. A malformed tensor is refused as the create
 * calls refuse it, and *bytes stays as it was.
 */
TALLY_API tally_status tally_tensor_bytes(const tally_tensor *tensor, uint64_t *bytes,
                                          tally_error *error);

/* ---- Runtime ------------------------------------------------------------------------------- */

/* A context and one of its devices, with the compiled kernels. */
typedef struct tally_runtime tally_runtime;

/* How serious a text of the log is. A later version may have other levels. */
typedef enum tally_log_level {
    /* Something failed, for example a build. The call fails, or a trial says no. */
    TALLY_LOG_ERROR = 1,
    /* The call goes on without something, for example without a cache. */
    TALLY_LOG_WARNING = 2,
    TALLY_LOG_32_BITS = 0x7FFFFFFF /* no value */
} tally_log_level;

/* What a runtime is made of. Begin with TALLY_CONFIG_INIT and set the context. */
typedef struct tally_config {
    uint32_t struct_size; /* sizeof(tally_config); the initialiser fills it */
    cl_context context;   /* retained until the runtime and its operators are released */
    cl_device_id device;  /* NULL: the context's only device */
    /*
     * The folder that keeps compiled kernels, and facts about the device, for later processes; see
     * "The cache on disk". Read while the runtime is made. NULL: nothing is kept.
     */
    const char *cache_dir;
    /*
     * Called with one text at a time, for example a compiler's build log. The thread is the one of
     * the call that the text is about. Two threads never call it at once. It must not call Tally.
     * NULL: no log.
     */
    void (*log)(void *user, tally_log_level level, const char *text);
    void *user;                              /* handed to log */
    uint64_t cache_limit;                    /* bytes of the folder's files; 0: TALLY_CACHE_LIMIT */
    const struct tally_overrides *overrides; /* unstable, see its section; NULL: none */
    /*
     * Gives all host memory of the runtime, its operators and its scratches. The struct is copied
     * while the runtime is made. Its functions are called until the last of these objects is
     * released. NULL: malloc and free.
     */
    const tally_allocator *allocator;
} tally_config;

/* The bytes that a cache folder may have if tally_config.cache_limit is 0: 256 MiB. */
#define TALLY_CACHE_LIMIT (UINT64_C(256) << 20)

/* A tally_config whose members have their defaults, without a context. */
#define TALLY_CONFIG_INIT                                                                          \
    { sizeof(tally_config), NULL, NULL, NULL, NULL, NULL, 0, NULL, NULL }

/*
 * Make a runtime. The caller releases it. On failure *runtime is NULL:
 *
 *   TALLY_INVALID        a member of config breaks its rule
 *
 *   TALLY_UNSUPPORTED    the device has the embedded profile, is big-endian, has no compiler, or is
 *                        older than OpenCL 1.2
 *
 *   TALLY_OUT_OF_MEMORY, TALLY_DEVICE_ERROR
 */
TALLY_API tally_status tally_runtime_create(const tally_config *config, tally_runtime **runtime,
                                            tally_error *error);

/* Add a hold. Each hold needs a release of its own. NULL is a no-op. */
TALLY_API void tally_runtime_retain(tally_runtime *runtime);

/*
 * Drop a hold. Operators and scratches of the runtime stay usable after the last hold is gone. NULL
 * is a no-op.
 */
TALLY_API void tally_runtime_release(tally_runtime *runtime);

/*
 * The context and the device that a runtime was made of. The runtime holds the context: a caller
 * that uses it longer retains it. context and device may be NULL. TALLY_INVALID: runtime is NULL.
 */
TALLY_API tally_status tally_runtime_device(tally_runtime *runtime, cl_context *context,
                                            cl_device_id *device, tally_error *error);

/* What the runtime has done so far. */
typedef struct tally_stats {
    uint32_t struct_size;      /* in: sizeof(tally_stats) */
    uint32_t programs;         /* programs held in memory */
    uint64_t programs_built;   /* programs compiled from source since the runtime was made */
    uint64_t programs_loaded;  /* programs that came from the cache on disk */
    uint64_t program_requests; /* times an operator asked for a program */
    uint64_t cache_hits;       /* values that the cache on disk was asked for and had */
    uint64_t cache_misses;     /* values that it was asked for and did not have */
    uint64_t cache_writes;     /* values that were written to it */
} tally_stats;

/* A tally_stats to be filled. */
#define TALLY_STATS_INIT                                                                           \
    { sizeof(tally_stats), 0, 0, 0, 0, 0, 0, 0 }

/* Fill *stats with the counts so far. TALLY_INVALID: runtime or stats is NULL. */
TALLY_API tally_status tally_runtime_stats(tally_runtime *runtime, tally_stats *stats,
                                           tally_error *error);

/*
 * Whether the device's arithmetic gives the guaranteed bits (docs/numerics.md). The device computes
 * checks whose bits are known: products and sums that must not be fused, denormals, quotients and
 * roots, conversions, NaN, exp and log.
 */
typedef struct tally_numerics {
    uint32_t struct_size; /* in: sizeof(tally_numerics) */
    uint32_t dtypes;      /* bit 1u << TALLY_F32 and so on: types whose results have those bits */
    uint32_t checks;      /* how many were computed and compared */
    uint32_t failures;    /* how many of them gave other bits */
    bool guaranteed;      /* failures is 0: all types of the device have the guaranteed bits */
    /*
     * A line for each failure: what is wrong with the device, the operands, the bits that came out
     * and the expected ones. "" if nothing failed. Lives as long as the runtime.
     */
    const char *reasons;
} tally_numerics;

/* A tally_numerics to be filled. */
#define TALLY_NUMERICS_INIT                                                                        \
    { sizeof(tally_numerics), 0, 0, 0, false, NULL }

/*
 * Ask for the verdict on the device's arithmetic. The first call on a runtime compiles two or three
 * small programs, runs them, and blocks meanwhile: a few seconds with some compilers. Later calls
 * only read the result. With a cache on disk so does the first call of a later process.
 *
 * No other call runs these checks. The verdict changes no operator. Integers are always in dtypes.
 * F64 is in it only if the device computes with it.
 */
TALLY_API tally_status tally_runtime_numerics(tally_runtime *runtime, tally_numerics *numerics,
                                              tally_error *error);

/* Whether scans of few long rows take a single pass over memory; see tally_single_pass. */
typedef struct tally_scans {
    uint32_t struct_size; /* in: sizeof(tally_scans) */
    bool single_pass;     /* they take a single pass */
    uint32_t units;       /* units of work in the trial; 0 if there was no trial */
    uint32_t left;        /* units that the trial's undisturbed run left to the last group */
    /*
     * Why there is no single pass, or why there was no trial. "" if the trial found the single pass
     * good. Lives as long as the runtime.
     */
    const char *reason;
} tally_scans;

/* A tally_scans to be filled. */
#define TALLY_SCANS_INIT                                                                           \
    { sizeof(tally_scans), false, 0, 0, NULL }

/*
 * Ask for the verdict on the single pass. If it needs a trial, the first call runs it: it compiles
 * a program, computes some millions of terms, and blocks meanwhile. The creation of the first scan
 * of few long rows runs the same trial. There is only one trial for each runtime, and none if the
 * cache on disk has the verdict.
 */
TALLY_API tally_status tally_runtime_scans(tally_runtime *runtime, tally_scans *scans,
                                           tally_error *error);

/* Fill *limits with those limits of the runtime's device that decide what it supports. */
TALLY_API tally_status tally_runtime_limits(tally_runtime *runtime, tally_device_limits *limits,
                                            tally_error *error);

/* Whether operators can be recorded; see "Command buffers". */
typedef struct tally_recording {
    uint32_t struct_size; /* in: sizeof(tally_recording) */
    bool supported;       /* whether they can */
    uint32_t version;     /* of the extension, as CL_MAKE_VERSION packs it; 0: none that is known */
    const char *reason;   /* why not; "" if supported. Lives as long as the runtime */
    bool updatable;       /* whether recordings can be given other memory */
    uint32_t update_version;   /* of the extension for that, packed likewise */
    const char *update_reason; /* why not; "" if updatable. Lives as long as the runtime */
} tally_recording;

/* A tally_recording to be filled. */
#define TALLY_RECORDING_INIT                                                                       \
    { sizeof(tally_recording), false, 0, NULL, false, 0, NULL }

/* Ask. Compiles nothing and runs nothing on the device. */
TALLY_API tally_status tally_runtime_recording(tally_runtime *runtime, tally_recording *recording,
                                               tally_error *error);

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

/*
 * Where a tensor's first element (all indices 0) is: in a buffer, or by a pointer. One of the two
 * is set, the other is NULL. Views of all kinds may be in one binding.
 *
 *   buffer   a buffer or a sub-buffer of the runtime's context. What is enqueued holds it. The
 *            offset is a multiple of the element's size.
 *
 *   pointer  the address of memory of the runtime's context, of a kind that the device takes:
 *
 *              shared virtual memory of OpenCL 2.0 or later: coarse-grain buffer, fine-grain
 *              buffer, or fine-grain system, which is any memory of the host
 *
 *              memory of cl_intel_unified_shared_memory: host, device, or shared
 *
 *            It may point anywhere into an allocation. pointer and offset together are a multiple
 *            of the element's size; neither need be. Which kind it is, Tally finds out: the
 *            extension says it of its own, and any other pointer is taken as shared virtual memory.
 *
 * What the caller answers for, because OpenCL has no way to ask or to hold a pointer:
 *
 *   * Memory of a pointer is freed only after the operator has ended; an event says when. It is not
 *     held as buffers are.
 *   * Coarse-grain memory is not mapped for the host from the enqueue on until the operator has
 *     ended: the enqueue comes after the clEnqueueSVMUnmap, or waits for its event. Of other kinds
 *     the host does not write meanwhile what the operator reads or writes, nor read what it writes.
 *   * Shared virtual memory is of the runtime's context and reaches over the view's range. Neither
 *     can be asked for. Of the extension's memory the range is checked. A pointer that the
 * extension does not know as memory of this context is taken as shared virtual memory, if the
 * device has any, and else refused.
 *   * Memory that the extension gave to one device is of the runtime's device.
 */
typedef struct tally_view {
    cl_mem buffer;        /* the memory, a buffer of the runtime's context, or NULL */
    void *pointer;        /* the memory, by its address, or NULL */
    size_t offset;        /* bytes from the buffer's start, or from the pointer */
    uint64_t reserved[2]; /* 0 */
} tally_view;

/*
 * The memory of one enqueue. The range of a view reaches from its first byte to its last one, gaps
 * between strides included. No two ranges may overlap. Sub-buffers of one buffer count as that
 * buffer. Pointers are compared by address. So are a pointer and a buffer that was made of memory
 * of the caller's (CL_MEM_USE_HOST_PTR), as far as the driver says it of the buffer.
 *
 * One exception: scans and fills may run in place. Then input and output are the same range, with
 * equal strides, both by one memory object or both by pointers.
 */
typedef struct tally_binding {
    tally_view input;   /* what is read; ignored if the operator reads no input */
    tally_view output;  /* what is written */
    tally_view scratch; /* ignored if tally_op_scratch_size() is 0 */
} tally_binding;

/* Initialisers: no memory at all. */
#define TALLY_VIEW_INIT                                                                            \
    {                                                                                              \
        NULL, NULL, 0, {                                                                           \
            0                                                                                      \
        }                                                                                          \
    }
#define TALLY_BINDING_INIT                                                                         \
    { TALLY_VIEW_INIT, TALLY_VIEW_INIT, TALLY_VIEW_INIT }

/*
 * Enqueue the operator on a queue of the runtime's context and device. The queue is in-order or
 * out-of-order. The operator starts after the wait_count events of wait_list. It may be enqueued
 * again at once, from any thread. If the output is empty, the enqueue is a marker and binding is
 * ignored.
 *
 * event may be NULL. Otherwise *event becomes an event that completes with the whole operator. The
 * caller releases it. Its profiling times are those of the last launch;
 * tally_op_enqueue_launches() has those of each.
 *
 * TALLY_INVALID: a queue of another context or device, a view with a buffer and a pointer or with
 * neither, a buffer of another context, memory that is known to be too small for its view, an
 * offset in a buffer or an address by a pointer that is no multiple of the element's size, an input
 * created CL_MEM_WRITE_ONLY or an output created CL_MEM_READ_ONLY, ranges that overlap, a
 * wait_count that does not fit wait_list. A binding that is refused enqueues nothing.
 *
 * TALLY_UNSUPPORTED: a pointer where the device, or this process's OpenCL library, takes none of
 * its kind.
 *
 * On failure *event is NULL and the output is undefined: launches before the failed call may run.
 *
 * If an event of wait_list ends with an error, the operator does not run, and its own event ends
 * with an error too. Drivers differ in this: PoCL ends the process if a user event is set to an
 * error and launches wait for it.
 */
TALLY_API tally_status tally_op_enqueue(tally_op *op, cl_command_queue queue,
                                        const tally_binding *binding, uint32_t wait_count,
                                        const cl_event *wait_list, cl_event *event,
                                        tally_error *error);

/* The number of launches of one enqueue, at most. 1 if the output is empty, 0 for NULL. */
TALLY_API uint32_t tally_op_launches(const tally_op *op);

/*
 * Enqueue as tally_op_enqueue() does, but with an event for each launch, for their times. events
 * has room for tally_op_launches(op) events. *count becomes the number of events. The last event
 * completes with the whole operator. The caller releases them all. On failure *count is 0 and there
 * are none.
 */
TALLY_API tally_status tally_op_enqueue_launches(tally_op *op, cl_command_queue queue,
                                                 const tally_binding *binding, uint32_t wait_count,
                                                 const cl_event *wait_list, cl_event *events,
                                                 uint32_t *count, tally_error *error);

/* ---- Command buffers ------------------------------------------------------------------------ */

/*
 * Record the operator into a command buffer of the caller's (OpenCL's cl_khr_command_buffer), to be
 * replayed with it: as often as wanted, with the bits of an enqueue, and by one call however many
 * operators it has. Whether that saves time is the driver's. The caller creates the command buffer,
 * finalizes, enqueues and releases it; nothing runs before that. queue is the one that it was
 * created with, in-order or out-of-order, or one of them.
 *
 * The operator starts behind the wait_count sync points of wait_list, and behind what else the
 * command buffer says. Its launches are chained. If sync_point is not NULL, *sync_point becomes one
 * that completes with the whole operator. With an empty output it is a barrier, and binding is not
 * looked at.
 *
 * Memory. A replay reads and writes the memory, at the offsets, of the binding that was recorded;
 * their elements may change from replay to replay. For other memory there is
 * tally_op_record_updatable(). On a device that does not have it record again, and if that happens
 * often with a new operator, because what a recording takes is given back with its operator only.
 *
 * Lifetime. The operator, the bound memory and the scratch must stay until the command buffer is
 * released and its last replay has ended: OpenCL does not keep what kernels' arguments name. So a
 * tally_scratch, which drops its buffer where it grows, grows before the first recording and no
 * more. The runtime may be released before. Some recordings of an operator take some memory of the
 * device, which stays with the operator: a few bytes, or for scans in a single pass a board. So
 * record once and replay often.
 *
 * At the same time. Replays of one recording must not run at the same time, whatever the command
 * buffer allows: they write the same memory. Different recordings, also of one operator and in one
 * command buffer, may, and so may enqueues of the operator, if each has its own output and its own
 * scratch. Of two operators in one command buffer that share a scratch the second waits for the
 * first's sync point, or the queue is in-order. Two threads must not record into one command buffer
 * at once; that is a rule of OpenCL's.
 *
 * TALLY_UNSUPPORTED: a device of which tally_runtime_recording() says no, with its reason.
 *
 * TALLY_INVALID: NULL, a command buffer that is finalized, a queue that is none of the command
 * buffer's, and what tally_op_enqueue() refuses. Nothing is recorded then. Sync points are not
 * checked: some drivers crash at a wrong one.
 *
 * TALLY_OUT_OF_MEMORY, TALLY_BUILD_FAILED, TALLY_DEVICE_ERROR: a later call failed. The command
 * buffer may have a part of the operator then, and only a release is left for it.
 *
 * On failure *sync_point is as it was.
 */
TALLY_API tally_status tally_op_record(tally_op *op, cl_command_buffer_khr commands,
                                       cl_command_queue queue, const tally_binding *binding,
                                       uint32_t wait_count, const cl_sync_point_khr *wait_list,
                                       cl_sync_point_khr *sync_point, tally_error *error);

/*
 * What tally_op_record_updatable() recorded of an operator, to be given other memory. Keeps the
 * operator.
 */
typedef struct tally_recorded tally_recorded;

/*
 * Record as tally_op_record() does, so that later replays can have other memory (OpenCL's
 * cl_khr_command_buffer_mutable_dispatch, versions 0.9.0 to 0.9.5). The command buffer is one that
 * the caller created with CL_COMMAND_BUFFER_MUTABLE_KHR among its CL_COMMAND_BUFFER_FLAGS_KHR. On
 * success *recorded is what tally_recorded_update() takes; the caller releases it. On failure it is
 * NULL.
 *
 * All that is said of tally_op_record() holds. Until an update a replay has the memory of binding.
 *
 * TALLY_UNSUPPORTED: a device of which tally_runtime_recording() says that recordings are not
 * updatable, with its update_reason.
 *
 * TALLY_INVALID: recorded is NULL, a command buffer that was created without the flag, and what
 * tally_op_record() refuses. Nothing is recorded then.
 */
TALLY_API tally_status tally_op_record_updatable(tally_op *op, cl_command_buffer_khr commands,
                                                 cl_command_queue queue,
                                                 const tally_binding *binding, uint32_t wait_count,
                                                 const cl_sync_point_khr *wait_list,
                                                 cl_sync_point_khr *sync_point,
                                                 tally_recorded **recorded, tally_error *error);

/*
 * Give count recordings of one finalized command buffer other memory: the first one that of the
 * first binding, and so on. All replays that are enqueued later have it, until the next update. One
 * call for all recordings whose memory changes is the fastest way. A count of 0 does nothing.
 *
 * A binding is any that tally_op_enqueue() takes: other buffers, offsets, scratch, pointers in
 * place of buffers. It is checked as there. One thing is refused besides: a fill with an input, and
 * some scans, have other launches in place than out of place, and OpenCL cannot exchange the
 * kernels of a command buffer. Such an operator is recorded anew for the other way. An operator
 * with an empty output has no memory; its binding is not looked at.
 *
 * The call compiles nothing, allocates no device memory and does not block, unless the driver does.
 *
 * All or nothing. A call that fails changes no recording: each has the memory that it had before.
 *
 * Lifetime. The memory and the scratch that recordings have now must stay, as those of
 * tally_op_record(). What they had before may go, when the replays that were enqueued before the
 * update have ended. There is no update after the command buffer's release.
 *
 * At the same time. No replay is under way during the update: wait for the event of the last one,
 * or for the queue. OpenCL does without that wait only where the command buffer was created with
 * CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR; also then no two replays of a recording run at the same
 * time. Two threads must not update one command buffer at once, nor one update it while the other
 * enqueues it; that is a rule of OpenCL's.
 *
 * Pointers of cl_intel_unified_shared_memory are given to the driver as shared virtual memory, as
 * the extension knows no other. A driver that refuses this fails the call, and nothing is changed.
 *
 * TALLY_INVALID: a list or an entry that is NULL, an entry that is there twice or of another
 * command buffer than the first, a command buffer that is not finalized, or one that says that a
 * replay is pending, and a binding as above. Of several the sentence says which one: "recording 2
 * of 3: ...".
 *
 * TALLY_UNSUPPORTED: a pointer, as by tally_op_enqueue().
 *
 * TALLY_OUT_OF_MEMORY, TALLY_DEVICE_ERROR: the driver's call failed, or no host memory is left.
 */
TALLY_API tally_status tally_recorded_update(tally_recorded *const *recorded,
                                             const tally_binding *bindings, size_t count,
                                             tally_error *error);

/*
 * Release what tally_op_record_updatable() made, before the command buffer or after it. What was
 * recorded stays in the command buffer, and the operator must stay until that is released: by a
 * hold of the caller's, or by this object, which has one. NULL is a no-op.
 */
TALLY_API void tally_recorded_release(tally_recorded *recorded);

/* ---- Scratch that grows --------------------------------------------------------------------- */

/*
 * A scratch buffer that grows to the largest size that its operators need. The caller makes one for
 * each in-order queue: launches that may run at the same time must not share scratch.
 */
typedef struct tally_scratch tally_scratch;

/*
 * Make a scratch, at first without memory. It keeps the runtime. The caller releases it. On failure
 * *scratch is NULL.
 */
TALLY_API tally_status tally_scratch_create(tally_runtime *runtime, tally_scratch **scratch,
                                            tally_error *error);

/* Release a scratch. Launches that use it may still be queued or running. NULL is a no-op. */
TALLY_API void tally_scratch_release(tally_scratch *scratch);

/*
 * Fill *view for the scratch member of the operator's next binding. The view has no buffer if the
 * operator needs no scratch. No other call makes or grows the buffer. One that is too small is
 * replaced. Launches that were enqueued before keep the old buffer until they end, so
 * for a while both exist. The view is good until the next call for this scratch.
 *
 * On failure the view has no buffer, and the scratch stays as it was:
 *
 *   TALLY_INVALID          an argument is NULL, or the operator is of another context
 *
 *   TALLY_OUT_OF_MEMORY    no memory is left
 *
 *   TALLY_DEVICE_ERROR     the size is more than the device allocates at once
 */
TALLY_API tally_status tally_scratch_view(tally_scratch *scratch, const tally_op *op,
                                          tally_view *view, tally_error *error);

/* The bytes that the buffer has now. 0 for NULL. */
TALLY_API size_t tally_scratch_bytes(tally_scratch *scratch);

/* ---- The cache on disk ---------------------------------------------------------------------- */

/*
 * A runtime with a tally_config.cache_dir keeps values there that take long to find: the binaries
 * of programs, the results of the numerics probe, and the verdict on the single pass. Any later
 * process that names the same folder finds them. Several processes may use the folder at once.
 *
 * The key of a value names all that it depends on: the versions of the library and of the orders,
 * the kernel's source and options, the names and versions of platform, device and driver, and the
 * processor where it may be the device. A value with another key is not used. The key does not
 * contain environment variables of drivers, such as PoCL's POCL_EXTRA_BUILD_FLAGS. A program that
 * sets one must name another folder, or none.
 *
 * The cache never makes a call fail. If the folder cannot be used, a file is damaged, the disk is
 * full, or the driver refuses a binary, then kernels are compiled. Files have a checksum, which is
 * tested before a driver sees the file.
 *
 * Missing folders are created. A folder is not used if others can write to it, if it belongs to
 * another user, or if it is a symbolic link, because what lies there is run. The log says why. If
 * the files have more bytes than tally_config.cache_limit, the least recently used ones are
 * removed.
 */

/*
 * Write the path of the user's cache folder for Tally: $XDG_CACHE_HOME/tally. If that variable is
 * not an absolute path, it is $HOME/.cache/tally, on macOS $HOME/Library/Caches/tally, and on
 * Windows %LOCALAPPDATA%\tally. This is the only function that reads the environment. path has room
 * for bytes; 4096 are always enough for a path that can be used. TALLY_UNSUPPORTED: no variable is
 * an absolute path. TALLY_INVALID: the path does not fit.
 */
TALLY_API tally_status tally_default_cache_dir(char *path, size_t bytes, tally_error *error);

/* A file of a cache. */
typedef struct tally_cache_file {
    /* Lines of text that say what the value depends on. NULL: the file is damaged. The text is gone
     * when the call ends. */
    const char *key;
    uint64_t bytes; /* the size of the file */
    int64_t used;   /* when it was used last, in seconds since 1970 */
} tally_cache_file;

/*
 * Call visit with each file of a cache, in no particular order. user is handed to it. A folder that
 * does not exist has no files. TALLY_INVALID: a runtime would not use the folder.
 */
TALLY_API tally_status tally_cache_list(const char *cache_dir,
                                        void (*visit)(void *user, const tally_cache_file *file),
                                        void *user, tally_error *error);

/*
 * Remove the files of a cache, and no other files. Runtimes that use the cache go on without them.
 * *removed becomes their number, unless removed is NULL. TALLY_INVALID: a runtime would not use the
 * folder, or a file cannot be removed, and the call stops there.
 */
TALLY_API tally_status tally_cache_clear(const char *cache_dir, uint64_t *removed,
                                         tally_error *error);

/* ---- Unstable: choosing kernels ------------------------------------------------------------- */

/*
 * What a runtime uses instead of its own choice: for tests, for measurements, and for devices that
 * the caller knows better than their type and a trial tell. The bits are the same. This section may
 * change in any version. The struct is read while the runtime is made. TALLY_INVALID: a value that
 * its enumeration does not have.
 */
typedef struct tally_overrides {
    uint32_t struct_size;          /* sizeof(tally_overrides); the initialiser fills it */
    tally_family family;           /* the family of kernels; AUTO: by the type of the device */
    tally_single_pass single_pass; /* how scans of few long rows run; AUTO: by a trial */
} tally_overrides;

/* A tally_overrides that overrides nothing. */
#define TALLY_OVERRIDES_INIT                                                                       \
    { sizeof(tally_overrides), TALLY_FAMILY_AUTO, TALLY_SINGLE_PASS_AUTO }

/* ---- Unstable: looking at plans ------------------------------------------------------------- */

/*
 * For people who want to know which kernels an operator gets, and why. This section may change in
 * any version, and its texts do: read them, do not parse them.
 *
 * An explanation names the limits that the plan keeps, and the problem with its collapsed axes. For
 * each launch it has the kernel's name, the reason for its schedule in one sentence, where it reads
 * and writes, its ND-range, its local memory if a driver has said it, every field of its spec, and
 * its arguments. The spec is all that is compiled into the kernel. docs/glossary.md has the words.
 *
 * write is called once with the whole text, from the thread of the call. user is handed to it. The
 * text is gone when write returns. On failure write is not called.
 *
 * With source, the text is a comment of OpenCL C: its lines begin with two slashes. Behind it comes
 * each program of the plan, as the compiler gets it. If the plan has one program, the whole text is
 * OpenCL C.
 */

/*
 * Explain the plan of an operator, within the limits of its device. TALLY_INVALID: op or write is
 * NULL. TALLY_DEVICE_ERROR: the driver does not say how much memory its kernels take.
 * TALLY_OUT_OF_MEMORY is possible too.
 */
TALLY_API tally_status tally_op_explain(const tally_op *op, bool source,
                                        void (*write)(void *user, const char *text), void *user,
                                        tally_error *error);

/*
 * Explain the plan that a description would get from the runtime, before its kernels are built. The
 * call compiles nothing, runs no trial and makes no OpenCL call. If a trial of the device would
 * decide, the plan is the one with a single pass. If another thread is running the trial, the call
 * waits for it. If the driver allows a kernel fewer work-items than its device does, the operator
 * gets another plan.
 *
 * TALLY_INVALID: runtime, desc or write is NULL, or the description breaks a rule.
 * TALLY_UNSUPPORTED and TALLY_OUT_OF_MEMORY come as in the create calls.
 */
TALLY_API tally_status tally_runtime_explain(tally_runtime *runtime, const tally_desc *desc,
                                             bool source,
                                             void (*write)(void *user, const char *text),
                                             void *user, tally_error *error);

/*
 * Explain the plan that a description would get from a family of kernels, GENERIC, GPU or CPU,
 * without a device. The plan keeps the usual limits of such devices, and the text names them.
 * single_pass AUTO counts as ON. The call compiles nothing and makes no OpenCL call.
 *
 * TALLY_INVALID: desc or write is NULL, family is none of the three, single_pass is none of its
 * values, or the description breaks a rule. TALLY_UNSUPPORTED and TALLY_OUT_OF_MEMORY come as in
 * the create calls.
 */
TALLY_API tally_status tally_explain(const tally_desc *desc, tally_family family,
                                     tally_single_pass single_pass, bool source,
                                     void (*write)(void *user, const char *text), void *user,
                                     tally_error *error);

#ifdef __cplusplus
}
#endif

#endif
