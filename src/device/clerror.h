/*
 * OpenCL's error codes as statuses and words.
 */
#ifndef TALLY_DEVICE_CLERROR_H
#define TALLY_DEVICE_CLERROR_H

#include <CL/cl.h>
#include <tally/tally.h>

#include "base/status.h"

/* "CL_INVALID_VALUE"; of others whether they are codes of OpenCL's at all. */
const char *tally_cl_code_name(cl_int code);

/* TALLY_OUT_OF_MEMORY for the codes that say so, TALLY_DEVICE_ERROR for all other failures. */
tally_status tally_cl_status(cl_int code);

/* TALLY_OK if code is CL_SUCCESS, else fail with the call's name and the code. */
tally_status tally_cl_check(cl_int code, const char *call, tally_error *error);

#endif
