/*
 * tally/types/settings.h: what is said of a device and to a runtime, as plain data: limits, the
 * choice of kernels, the source of host memory. A part of tally/types.h. Knows no operator.
 */
#ifndef TALLY_TYPES_SETTINGS_H
#define TALLY_TYPES_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Runtime --------------------------------------------------------------------------------- */

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

/* A tally_device_limits without limits. */
#define TALLY_DEVICE_LIMITS_INIT                                                                   \
    {                                                                                              \
        sizeof(tally_device_limits), 0, false, {                                                   \
            0                                                                                      \
        }                                                                                          \
    }

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

#ifdef __cplusplus
}
#endif

#endif
