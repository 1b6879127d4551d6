/*
 * What Tally asks for of OpenCL beyond 1.2, where it is there. <CL/cl.h> hides what is newer than
 * the version that it is included for, and <CL/cl_ext.h> has Intel's extension since 2021 only. The
 * names and numbers are those of Khronos' registry.
 */
#ifndef TALLY_DEVICE_MEMORY_OPENCL_H
#define TALLY_DEVICE_MEMORY_OPENCL_H

#include <CL/cl.h>
#include <CL/cl_ext.h>

/* OpenCL 2.0. */
#ifndef CL_DEVICE_SVM_CAPABILITIES
#define CL_DEVICE_SVM_CAPABILITIES 0x1053 /* a cl_bitfield */
#endif

/* cl_intel_unified_shared_memory. */
#ifndef CL_MEM_ALLOC_TYPE_INTEL
#define CL_MEM_ALLOC_TYPE_INTEL 0x419A     /* a cl_uint */
#define CL_MEM_ALLOC_BASE_PTR_INTEL 0x419B /* a void * */
#define CL_MEM_ALLOC_SIZE_INTEL 0x419C     /* a size_t */
#define CL_MEM_TYPE_UNKNOWN_INTEL 0x4196
#endif

/* clGetMemAllocInfoINTEL. */
typedef cl_int(CL_API_CALL *tally_usm_info)(cl_context context, const void *pointer, cl_uint what,
                                            size_t bytes, void *value, size_t *needed);

#endif
