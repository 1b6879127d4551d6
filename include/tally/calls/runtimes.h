/*
 * tally/calls/runtimes.h: a context and one of its devices, and what they are found to be. A part
 * of tally/tally.h. Knows no operator.
 */
#ifndef TALLY_CALLS_RUNTIMES_H
#define TALLY_CALLS_RUNTIMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tally/calls/api.h>
#include <tally/calls/overrides.h>
#include <tally/types/errors.h>
#include <tally/types/settings.h>

#ifdef __cplusplus
extern "C" {
#endif

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

#ifdef __cplusplus
}
#endif

#endif
