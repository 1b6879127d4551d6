/*
 * Failing with a sentence: formats into the caller's error struct and marks what had to be cut.
 * Keeps no state of its own, so that it works from any thread and before any object exists.
 */
#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void tally_error_clear(tally_error *error) {
    if (error != NULL) {
        error->status = TALLY_OK;
        error->cl_code = 0;
        error->fault = TALLY_FAULT_NONE;
        error->reserved = 0;
        error->message[0] = '\0';
    }
}

bool tally_is_cl_code(int32_t code) {
    return (code < 0 && code >= -72) || (code <= -1000 && code >= -1999);
}

static tally_fault fault_of(tally_status status, int32_t cl_code) {
    static const tally_fault faults[] = {
        [TALLY_OK] = TALLY_FAULT_NONE,
        [TALLY_INVALID] = TALLY_FAULT_CALLER,
        [TALLY_UNSUPPORTED] = TALLY_FAULT_LIMIT,
        [TALLY_OUT_OF_MEMORY] = TALLY_FAULT_HOST,
        [TALLY_BUILD_FAILED] = TALLY_FAULT_OPENCL,
        [TALLY_DEVICE_ERROR] = TALLY_FAULT_OPENCL,
        [TALLY_STOPPED] = TALLY_FAULT_CALLER,
    };
    const bool is_known = (uint32_t)status <= TALLY_STOPPED; /* what a caller says need not be */
    return cl_code == 0                ? faults[is_known ? status : TALLY_DEVICE_ERROR]
           : tally_is_cl_code(cl_code) ? TALLY_FAULT_OPENCL
                                       : TALLY_FAULT_CONTEXT;
}

static void fill(tally_error *error, tally_status status, int32_t cl_code, const char *format,
                 va_list arguments) {
    if (error == NULL)
        return;
    error->status = status;
    error->cl_code = cl_code;
    error->fault = fault_of(status, cl_code);
    error->reserved = 0;
    int length = vsnprintf(error->message, sizeof error->message, format, arguments);
    if (length >= (int)sizeof error->message)
        memcpy(error->message + sizeof error->message - 4, "...", 4);
}

tally_status tally_fail(tally_error *error, tally_status status, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fill(error, status, 0, format, arguments);
    va_end(arguments);
    return status;
}

tally_status tally_fail_cl(tally_error *error, tally_status status, int32_t cl_code,
                           const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fill(error, status, cl_code, format, arguments);
    va_end(arguments);
    return status;
}

tally_status tally_fail_memory(tally_error *error, const char *what) {
    return tally_fail(error, TALLY_OUT_OF_MEMORY, "no host memory left for %s", what);
}

const char *tally_status_text(tally_status status) {
    static const char *const names[] = {
        [TALLY_OK] = "ok",
        [TALLY_INVALID] = "invalid",
        [TALLY_UNSUPPORTED] = "unsupported",
        [TALLY_OUT_OF_MEMORY] = "out of memory",
        [TALLY_BUILD_FAILED] = "build failed",
        [TALLY_DEVICE_ERROR] = "device error",
        [TALLY_STOPPED] = "stopped",
    };
    size_t count = sizeof names / sizeof names[0];
    return (size_t)status < count ? names[(size_t)status] : "unknown";
}
