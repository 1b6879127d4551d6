/*
 * tally/tally.h: tensor reductions, running totals and diagonal fills on any OpenCL 1.2 device.
 *
 * This header is the manual; tally/types.h, which it includes, has the descriptions of the
 * operators. The way of use:
 *
 *   1. tally_runtime_create   once per context and device; keeps the compiled kernels
 *   2. tally_*_create         once per operator and shape; checks everything, may compile
 *   3. tally_op_enqueue       as often as wanted; never compiles, allocates on the device or blocks
 *
 * The caller owns the context, the queues, the tensors' memory, the scratch and the error struct.
 * Every function may be called from any thread at any time, also on the same object, except that
 * an object must not be used during or after the release of its last hold.
 *
 * What it promises:
 *
 *   * The operator with its options, the types, the sizes, the axes and the values decide the bits
 *     of a result. Strides, the kernels that are chosen, other work on the device and the number
 *     of the call do not.
 *   * The bits are the same on every device whose arithmetic keeps the rules of docs/numerics.md;
 *     tally_runtime_numerics() says whether a device does. They change with tally_order_version()
 *     alone.
 *   * Nothing is written but the elements of the output and the scratch.
 *   * A call that fails has a status and a sentence, and leaks and half-writes nothing.
 */
#ifndef TALLY_TALLY_H
#define TALLY_TALLY_H

#include <tally/types.h>

#if defined(_WIN32) && defined(TALLY_SHARED)
#ifdef TALLY_BUILDING
#define TALLY_API __declspec(dllexport)
#else
#define TALLY_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define TALLY_API __attribute__((visibility("default")))
#else
#define TALLY_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/*
 * OpenCL's handles, as <CL/cl.h> names them. That header is the includer's own: he takes the
 * version that he wants, before this header or after it, or CL/opencl.hpp. C11 and C++ allow the
 * same name twice.
 */
typedef struct _cl_context *cl_context;
typedef struct _cl_device_id *cl_device_id;
typedef struct _cl_command_queue *cl_command_queue;
typedef struct _cl_mem *cl_mem;
typedef struct _cl_event *cl_event;

/* ---- Names and numbers --------------------------------------------------------------------- */

/* The library's version, to compare with TALLY_VERSION. */
TALLY_API uint32_t tally_version(void);

/*
 * The version of the orders in which rounding results are combined. Two libraries of one order
 * version give the same bits.
 */
TALLY_API uint32_t tally_order_version(void);

/* "invalid", "f32", "log_sum_exp": lower case, static; "unknown" for a value out of range. */
TALLY_API const char *tally_status_name(tally_status status);
TALLY_API const char *tally_dtype_name(tally_dtype dtype);
TALLY_API const char *tally_function_name(tally_function function);

/* The value with that name, or 0 (TALLY_DTYPE_NONE, TALLY_FUNCTION_NONE) if there is none. */
TALLY_API tally_dtype tally_dtype_by_name(const char *name);
TALLY_API tally_function tally_function_by_name(const char *name);

/* Bytes of one element; 0 for a value out of range. */
TALLY_API size_t tally_dtype_size(tally_dtype dtype);

/* ---- Tensors ------------------------------------------------------------------------------- */

/* A packed row-major tensor. size has rank entries, outermost first; it may be NULL at rank 0.
 * Elsewhere NULL gives TALLY_TENSOR_INIT, whose type is none: the call that uses it says so. */
TALLY_API tally_tensor tally_tensor_packed(tally_dtype dtype, uint32_t rank, const uint64_t *size);

/*
 * The packed tensor a reduction of input over axes (a bit mask) writes, with this element type.
 * Bits beyond the rank are passed over here; tally_reduce_create refuses them.
 * Without an input the tensor is TALLY_TENSOR_INIT.
 */
TALLY_API tally_tensor tally_tensor_reduced(const tally_tensor *input, uint32_t axes,
                                            tally_dtype dtype);

/*
 * Bytes from the tensor's first element to the end of its last: what a buffer must hold from the
 * view's offset on. 0 for an empty tensor. Fails as the create calls do on a malformed tensor, and
 * then leaves *bytes as it was.
 */
TALLY_API tally_status tally_tensor_bytes(const tally_tensor *tensor, uint64_t *bytes,
                                          tally_error *error);

/* ---- Runtime ------------------------------------------------------------------------------- */

/* A context and device with their compiled kernels. */
typedef struct tally_runtime tally_runtime;

/* What a text of the log is about. A later version may have others. */
typedef enum tally_log_level {
    TALLY_LOG_ERROR = 1,   /* something failed, a build say: the call fails, or a trial says no */
    TALLY_LOG_WARNING = 2, /* the call goes on without something, a cache say */
    TALLY_LOG_32_BITS = 0x7FFFFFFF
} tally_log_level;

typedef struct tally_config {
    uint32_t struct_size; /* sizeof(tally_config); the initialiser fills it */
    cl_context context;   /* retained until the runtime and its operators are released */
    cl_device_id device;  /* NULL: the context's only device */
    /*
     * The folder where compiled kernels, and what was found out about the device, are kept between
     * processes; see "The cache on disk". Read while the runtime is made. NULL: nothing is kept.
     */
    const char *cache_dir;
    /*
     * Called with one text at a time, a compiler's build log say, from the thread of the call that
     * made it and never from two threads at once. NULL: no log. It must not call Tally.
     */
    void (*log)(void *user, tally_log_level level, const char *text);
    void *user;                              /* handed to log */
    uint64_t cache_limit;                    /* bytes of the folder's files; 0: TALLY_CACHE_LIMIT */
    const struct tally_overrides *overrides; /* unstable, see its section; NULL: none */
} tally_config;

#define TALLY_CACHE_LIMIT (UINT64_C(256) << 20)

#define TALLY_CONFIG_INIT                                                                          \
    { sizeof(tally_config), NULL, NULL, NULL, NULL, NULL, 0, NULL }

/*
 * Make a runtime. Unsupported, with a sentence: a device of the embedded profile, a big-endian
 * one, one whose compiler is not available, one older than OpenCL 1.2. Invalid: a member of config
 * that breaks its rule. On failure *runtime is NULL.
 */
TALLY_API tally_status tally_runtime_create(const tally_config *config, tally_runtime **runtime,
                                            tally_error *error);

/* Add a hold, to be dropped by one more release. NULL is a no-op. */
TALLY_API void tally_runtime_retain(tally_runtime *runtime);

/* Drop a hold. Operators and scratches made from the runtime stay usable after the last. NULL is a
 * no-op. */
TALLY_API void tally_runtime_release(tally_runtime *runtime);

/* What the runtime has done so far. */
typedef struct tally_stats {
    uint32_t struct_size;      /* in: sizeof(tally_stats) */
    uint32_t programs;         /* programs held in memory */
    uint64_t programs_built;   /* programs compiled from source since the runtime was made */
    uint64_t programs_loaded;  /* programs that came from the cache on disk */
    uint64_t program_requests; /* times an operator asked for a program */
    uint64_t cache_hits;       /* questions to the cache on disk that it had the answer to */
    uint64_t cache_misses;     /* and those that it had not */
    uint64_t cache_writes;     /* answers that were put there */
} tally_stats;

#define TALLY_STATS_INIT                                                                           \
    { sizeof(tally_stats), 0, 0, 0, 0, 0, 0, 0 }

TALLY_API tally_status tally_runtime_stats(tally_runtime *runtime, tally_stats *stats,
                                           tally_error *error);

/*
 * Whether the device's arithmetic is the one that the bits of results rest on (docs/numerics.md),
 * found by computing checks whose bits are known: products and sums that must not be fused,
 * denormals, quotients and roots, conversions, NaN, exp and log.
 */
typedef struct tally_numerics {
    uint32_t struct_size; /* in: sizeof(tally_numerics) */
    uint32_t dtypes;      /* bit 1u << TALLY_F32 and so on: types whose results have those bits */
    uint32_t checks;      /* computed and compared */
    uint32_t failures;    /* of them not what they must be */
    bool guaranteed; /* failures is 0: each type that the device computes with has those bits */
    /* A line for each failure, with what must be said of the device, the operands, the bits that
     * came out and those expected; "" if there is none. Lives as long as the runtime. */
    const char *reasons;
} tally_numerics;

#define TALLY_NUMERICS_INIT                                                                        \
    { sizeof(tally_numerics), 0, 0, 0, false, NULL }

/*
 * Ask for the verdict. The first call on a runtime compiles two or three small programs, runs them
 * and blocks meanwhile, a few seconds with some compilers; later ones only read, and where there is
 * a cache on disk so does the first of a later process. Nothing else runs the probe: operators are
 * made and computed the same whatever it says. Integers are in dtypes always, F64 only where the
 * device computes with it.
 */
TALLY_API tally_status tally_runtime_numerics(tally_runtime *runtime, tally_numerics *numerics,
                                              tally_error *error);

/* Whether scans of few long rows take a single pass over memory; see tally_single_pass. */
typedef struct tally_scans {
    uint32_t struct_size; /* in: sizeof(tally_scans) */
    bool single_pass;
    uint32_t units;     /* of work in the trial; 0 if there was none */
    uint32_t left;      /* of them left to the group that ends last, undisturbed */
    const char *reason; /* why not, or why without a trial; "" if tried and found good. Lives as
                           long as the runtime. */
} tally_scans;

#define TALLY_SCANS_INIT                                                                           \
    { sizeof(tally_scans), false, 0, 0, NULL }

/*
 * Ask for the verdict. Where it rests on a trial, the first call, or the creation of the first scan
 * of few long rows, compiles a program, computes some millions of terms and blocks meanwhile,
 * unless the cache on disk has the verdict.
 */
TALLY_API tally_status tally_runtime_scans(tally_runtime *runtime, tally_scans *scans,
                                           tally_error *error);

/* What of the runtime's device decides whether it supports an operator. */
TALLY_API tally_status tally_runtime_limits(tally_runtime *runtime, tally_device_limits *limits,
                                            tally_error *error);

/* ---- Questions without a device ------------------------------------------------------------- */

/*
 * Whether a description is right, and supported by a device of these limits (NULL: by one that has
 * fp64 and 64 address bits): the status and the sentence that the create call would give. Makes no
 * OpenCL call and compiles nothing; some microseconds. What a create call can still come to is
 * TALLY_OUT_OF_MEMORY, TALLY_BUILD_FAILED and TALLY_DEVICE_ERROR, and TALLY_UNSUPPORTED where
 * kernels get too few work-items, or where 32 address bits are too few for the scratch. Invalid
 * besides: address_bits that are none of 0, 32 and 64.
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
 * Check the description, plan it and get its kernels, compiling those that no operator of this
 * runtime needed before and that are not in the cache on disk. May block. The first scan of few
 * long rows tries the device, which tally_runtime_scans() may do beforehand. On failure *op is NULL
 * and nothing is kept:
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

/* The description of an operator: one of the three, the others NULL. */
typedef struct tally_desc {
    uint32_t struct_size; /* sizeof(tally_desc) */
    const tally_reduce *reduce;
    const tally_cumulative *cumulative;
    const tally_diagonal *diagonal;
} tally_desc;

#define TALLY_DESC_INIT                                                                            \
    { sizeof(tally_desc), NULL, NULL, NULL }

/* What an operator will need, as far as that is known before its kernels are built. */
typedef struct tally_estimate {
    uint32_t struct_size; /* in: sizeof(tally_estimate) */
    uint32_t launches;    /* of one enqueue, at most */
    uint64_t scratch;     /* bytes, at most */
} tally_estimate;

#define TALLY_ESTIMATE_INIT                                                                        \
    { sizeof(tally_estimate), 0, 0 }

/*
 * Plan an operator without getting its kernels: for memory that is laid out before operators are
 * made. Compiles nothing and tries nothing: where a trial of the device would decide, the estimate
 * covers both outcomes. It waits for a trial that another thread has under way. A driver that gives
 * a kernel fewer work-items than its device takes another plan; tally_op_scratch_size() has the
 * last word. Fails as the create call on a description that is refused, and then leaves the
 * estimate as it was.
 */
TALLY_API tally_status tally_runtime_estimate(tally_runtime *runtime, const tally_desc *desc,
                                              tally_estimate *estimate, tally_error *error);

/*
 * Get the programs of these operators ready, in the runtime's memory and in the cache on disk, so
 * that creating the operators themselves later compiles nothing. Nothing is kept of the operators.
 * The call blocks as long as that takes: make it on a thread of yours while the program starts,
 * with the runtime that is in use already; an operator that is created meanwhile and needs the
 * program that is just being compiled waits for it, and any other does not. Give the shapes that
 * will come, or ones of like size: sizes and strides choose among kernels.
 *
 * proceed, if it is not NULL, is called after each with the number of those done; it returns false
 * to stop there, which is no failure, and how a program that ends has the call end: the runtime
 * must not be released before. Otherwise all are tried: the status and the message are of the first
 * that failed, "operator 3 of 7: ..." counting from 1. All descs have the first one's struct_size,
 * by which the next one is found.
 */
TALLY_API tally_status tally_warm_up(tally_runtime *runtime, const tally_desc *descs, size_t count,
                                     bool (*proceed)(void *user, size_t done), void *user,
                                     tally_error *error);

/* Add a hold, to be dropped by one more release. NULL is a no-op. */
TALLY_API void tally_op_retain(tally_op *op);

/*
 * Drop a hold. The last one releases the operator, also while its work is still queued or running.
 * NULL is a no-op.
 */
TALLY_API void tally_op_release(tally_op *op);

/*
 * Bytes of scratch an enqueue needs; 0 for most. Its offset, or by a pointer its address, must be a
 * multiple of TALLY_SCRATCH_ALIGNMENT, which is more than clSVMAlloc aligns to. What it holds is
 * undefined before and after. Enqueues that may run at the same time need each their own.
 */
TALLY_API size_t tally_op_scratch_size(const tally_op *op);

/* The plan in words, a line for each launch. Lives as long as the operator. */
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
 *     can be asked for. Both are checked of the extension's memory, as of buffers.
 *   * Memory that the extension gave to one device is of the runtime's device.
 */
typedef struct tally_view {
    cl_mem buffer;
    void *pointer;
    size_t offset;        /* bytes from the buffer's start, or from the pointer */
    uint64_t reserved[2]; /* 0 */
} tally_view;

/*
 * The memory of one enqueue. input is not looked at if the operator reads none, scratch not if
 * tally_op_scratch_size is 0. The range of each reaches from its first byte to its last, gaps
 * between strides included. No two ranges may overlap, except that scans and fills may have one
 * identical range as input and output, with equal strides: by one memory object, or by pointers.
 * Sub-buffers of one buffer count as that buffer. Pointers are compared by address, also with a
 * buffer that was made of memory of the caller's (CL_MEM_USE_HOST_PTR), as far as the driver says
 * it of the buffer.
 */
typedef struct tally_binding {
    tally_view input;
    tally_view output;
    tally_view scratch;
} tally_binding;

#define TALLY_VIEW_INIT                                                                            \
    {                                                                                              \
        NULL, NULL, 0, {                                                                           \
            0                                                                                      \
        }                                                                                          \
    }
#define TALLY_BINDING_INIT                                                                         \
    { TALLY_VIEW_INIT, TALLY_VIEW_INIT, TALLY_VIEW_INIT }

/*
 * Enqueue the operator on a queue of the runtime's context and device, in-order or out-of-order.
 * It starts after the wait_count events of wait_list. If event is not NULL, *event becomes an event
 * that completes with the whole operator, and the caller releases it; its profiling times are those
 * of the last launch, and tally_op_enqueue_launches() has those of each. The operator may be
 * enqueued again at once, from any thread. With an empty output it is a marker, and binding is not
 * looked at.
 *
 * Invalid are: a queue of another context or device, a view with a buffer and a pointer or with
 * neither, a buffer of another context, memory that is known to be too small for its view, an
 * offset in a buffer or an address by a pointer that is no multiple of the element's size, an input
 * created CL_MEM_WRITE_ONLY or an output created CL_MEM_READ_ONLY, ranges that overlap, a
 * wait_count that does not fit wait_list. Unsupported is a pointer where the device, or this
 * process's OpenCL library, takes none of its kind.
 *
 * An event of wait_list that ends with an error keeps the operator from running, and its own event
 * ends with one too; what the driver makes of that is its own: PoCL ends the process if a user
 * event is set to an error and launches wait for it.
 *
 * On failure *event is NULL and the output is undefined: launches before the failed call may run.
 * A binding that is refused enqueues nothing.
 */
TALLY_API tally_status tally_op_enqueue(tally_op *op, cl_command_queue queue,
                                        const tally_binding *binding, uint32_t wait_count,
                                        const cl_event *wait_list, cl_event *event,
                                        tally_error *error);

/* Launches of one enqueue, at most; 1 with an empty output, 0 for NULL. */
TALLY_API uint32_t tally_op_launches(const tally_op *op);

/*
 * Enqueue as tally_op_enqueue does, with an event for each launch, for their times: events has room
 * for tally_op_launches(op), and *count becomes how many there are. The last one completes with the
 * whole operator. The caller releases them. On failure *count is 0 and there are none.
 */
TALLY_API tally_status tally_op_enqueue_launches(tally_op *op, cl_command_queue queue,
                                                 const tally_binding *binding, uint32_t wait_count,
                                                 const cl_event *wait_list, cl_event *events,
                                                 uint32_t *count, tally_error *error);

/* ---- Scratch that grows --------------------------------------------------------------------- */

/*
 * A scratch buffer that grows to what the operators need that it is asked for. It is the caller's
 * to make, one for each in-order queue: launches that may run at the same time need each their own.
 */
typedef struct tally_scratch tally_scratch;

/* Make one, without memory yet. Keeps the runtime. On failure *scratch is NULL. */
TALLY_API tally_status tally_scratch_create(tally_runtime *runtime, tally_scratch **scratch,
                                            tally_error *error);

/* Release it, also while launches that use it are queued or running. NULL is a no-op. */
TALLY_API void tally_scratch_release(tally_scratch *scratch);

/*
 * The scratch member of the operator's next binding; without a buffer if the operator needs none.
 * The only call that allocates: where the buffer is too small it is replaced, and what was enqueued
 * before keeps the old one until it ends; for a while both are there. So the view is good until the
 * next call for this scratch. Invalid: NULL, an operator of another context. Also
 * TALLY_OUT_OF_MEMORY, and TALLY_DEVICE_ERROR for more than the device allocates at once. On
 * failure the view has no buffer, and the scratch is as it was.
 */
TALLY_API tally_status tally_scratch_view(tally_scratch *scratch, const tally_op *op,
                                          tally_view *view, tally_error *error);

/* Bytes of its buffer by now; 0 for NULL. */
TALLY_API size_t tally_scratch_bytes(tally_scratch *scratch);

/* ---- The cache on disk ---------------------------------------------------------------------- */

/*
 * A runtime whose config names a cache_dir keeps there what takes long to find out, for any process
 * that names the same: the binaries of programs, the results of the numerics probe, the verdict on
 * the single pass. The key of each says all that it depends on: the versions of library and orders,
 * the kernel's source and its options, the names and versions of platform, device and driver, and
 * the processor where it may be the device; anything else found under it is passed over. What it
 * can't know is what a driver does by environment variables of its own, such as PoCL's
 * POCL_EXTRA_BUILD_FLAGS: whoever sets those names another folder, or none. Files are checksummed,
 * and checked before a driver sees them.
 *
 * The cache never makes a call fail. A folder that can't be used, a file that is damaged, a disk
 * that is full, a binary that the driver refuses: all that happens is that kernels are compiled.
 * The log says why a folder is not used; one that others can write to, that belongs to another user
 * or that is a symbolic link never is, since what lies there is run. Folders that are missing are
 * made. Processes may share a folder at the same time. The files that were not used for longest are
 * removed where the others need their room.
 */

/*
 * Write the path of the user's cache folder for Tally: $XDG_CACHE_HOME/tally, or $HOME/.cache/tally
 * where that variable is not an absolute path. This is the only function that looks at the
 * environment. TALLY_UNSUPPORTED if HOME is none either, TALLY_INVALID if the path does not fit;
 * 4096 bytes are always enough for a path that can be used.
 */
TALLY_API tally_status tally_default_cache_dir(char *path, size_t bytes, tally_error *error);

/* A file of a cache. */
typedef struct tally_cache_file {
    const char *key; /* lines of text, as long as the call lasts; NULL: the file is damaged */
    uint64_t bytes;
    int64_t used; /* last, in seconds since 1970 */
} tally_cache_file;

/*
 * Call visit with each file of a cache, in no particular order. A folder that is not there has
 * none. TALLY_INVALID, with a sentence, if a runtime would not use the folder.
 */
TALLY_API tally_status tally_cache_list(const char *cache_dir,
                                        void (*visit)(void *user, const tally_cache_file *file),
                                        void *user, tally_error *error);

/*
 * Remove a cache's files, and no others; runtimes that use it go on without. *removed, unless it is
 * NULL, becomes their number. TALLY_INVALID, with a sentence, if a runtime would not use the
 * folder, or at the first file that can't be removed.
 */
TALLY_API tally_status tally_cache_clear(const char *cache_dir, uint64_t *removed,
                                         tally_error *error);

/* ---- Unstable: choosing kernels ------------------------------------------------------------- */

/*
 * What a runtime is to take in place of what it would choose by itself: for tests, for
 * measurements, and for devices that are known better than by their type and a trial. The bits are
 * the same. What is in this section may change in any version. Invalid are values that are none of
 * their enumerations. Read while the runtime is made.
 */
typedef struct tally_overrides {
    uint32_t struct_size;          /* sizeof(tally_overrides); the initialiser fills it */
    tally_family family;           /* of kernels; AUTO by what the device is */
    tally_single_pass single_pass; /* of scans; AUTO by a trial */
} tally_overrides;

#define TALLY_OVERRIDES_INIT                                                                       \
    { sizeof(tally_overrides), TALLY_FAMILY_AUTO, TALLY_SINGLE_PASS_AUTO }

/* ---- Unstable: looking at plans ------------------------------------------------------------- */

/*
 * For people who want to know which kernels an operator gets, and why. What is in this section may
 * change in any version, and the texts do: read them, do not parse them.
 *
 * An explanation has the limits that the plan keeps, the problem with its axes as they were
 * collapsed, and of each launch: the kernel's name, the reason for its schedule in a sentence,
 * where it reads and writes, its ND-range, its local memory where a driver has said it, every
 * field of its spec, which is all that is compiled into the kernel, and its arguments. The words
 * are those of docs/glossary.md.
 *
 * write is called once, from the thread of the call, with the whole text, which lives as long as
 * that; user is handed to it. With source, the text is comments of OpenCL C (lines that begin with
 * two slashes), and behind them stands each program of the plan as the compiler gets it; of a plan
 * with one program the whole is OpenCL C. On failure write was not called.
 */

/*
 * Explain an operator: the plan that it has, within the limits of its device. Invalid: op or write
 * is NULL. Also TALLY_OUT_OF_MEMORY, and TALLY_DEVICE_ERROR if the driver does not say what its
 * kernels take.
 */
TALLY_API tally_status tally_op_explain(const tally_op *op, bool source,
                                        void (*write)(void *user, const char *text), void *user,
                                        tally_error *error);

/*
 * Explain the plan that a description would get from a family of kernels, GENERIC, GPU or CPU,
 * without a device: within the usual limits of such devices, which the text says. single_pass AUTO
 * is taken as ON. Nothing is compiled, and no OpenCL call is made. Invalid: desc or write is NULL,
 * a family that is none of the three, a single_pass that is none of its values, a description that
 * breaks a rule. Unsupported and TALLY_OUT_OF_MEMORY as the create calls.
 */
TALLY_API tally_status tally_explain(const tally_desc *desc, tally_family family,
                                     tally_single_pass single_pass, bool source,
                                     void (*write)(void *user, const char *text), void *user,
                                     tally_error *error);

#ifdef __cplusplus
}
#endif

#endif
