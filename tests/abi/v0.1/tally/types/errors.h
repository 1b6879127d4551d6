/*
 * tally/types/errors.h: how a call ended, and why it failed. A part of tally/types.h. Knows no
 * call.
 */
#ifndef TALLY_TYPES_ERRORS_H
#define TALLY_TYPES_ERRORS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

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

#ifdef __cplusplus
}
#endif

#endif
