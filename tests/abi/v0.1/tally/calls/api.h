/*
 * tally/calls/api.h: what stands in declarations of calls: the mark of what the library exports,
 * and OpenCL's handles. A part of tally/tally.h. Knows no call.
 */
#ifndef TALLY_CALLS_API_H
#define TALLY_CALLS_API_H

#include <stdint.h>

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

#ifdef __cplusplus
}
#endif

#endif
