/*
 * Failing with a sentence. Knows the public status codes and error struct, no tensors and no
 * OpenCL.
 */
#ifndef TALLY_BASE_STATUS_H
#define TALLY_BASE_STATUS_H

#include <tally/types.h>

#if defined(__GNUC__)
#define TALLY_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define TALLY_PRINTF(text, first)
#endif

/* Empty the error of a call that starts or succeeded. NULL is a no-op. */
void tally_error_clear(tally_error *error);

/* Fill error, if there is one, and return status, so that failing is one line. */
tally_status tally_fail(tally_error *error, tally_status status, const char *format, ...)
    TALLY_PRINTF(3, 4);

/* The same for a failed OpenCL call, whose code the caller can look up. */
tally_status tally_fail_cl(tally_error *error, tally_status status, int32_t cl_code,
                           const char *format, ...) TALLY_PRINTF(4, 5);

/* Out of host memory while making what. */
tally_status tally_fail_memory(tally_error *error, const char *what);

/*
 * Whether OpenCL has the code: its own lie from -1 to -72, those of Khronos' extensions from -1000
 * on.
 */
bool tally_is_cl_code(int32_t code);

/* "invalid" for TALLY_INVALID; "unknown" for a value out of range. */
const char *tally_status_text(tally_status status);

#endif
