/*
 * layer_commands.h: platforms whose command buffers are of another version than they are, or that
 * have none; and the calls of the extension, as the library finds them through the layer.
 */
#ifndef TESTS_FAULT_LAYER_COMMANDS_H
#define TESTS_FAULT_LAYER_COMMANDS_H

#include <stdint.h>

#include <CL/cl.h>
#include <tally/tally.h>

/* What the device says of cl_khr_command_buffer. */
typedef enum layer_offer {
    OFFER_AS_IT_IS,
    OFFER_NONE,     /* it is not among the extensions */
    OFFER_VERSION,  /* it has the version that is named, whose calls are handed on to its own */
    OFFER_NO_LIST,  /* extensions have no versions, as before OpenCL 3.0 */
    OFFER_NO_NAMES, /* nor is it among the names then */
} layer_offer;

/* Of runtimes that ask from now on. The version is as OpenCL packs it. */
void layer_offer_commands(layer_offer offer, uint32_t version);

/*
 * Command buffers have these two queues, of which kernels are recorded for the second one. NULL:
 * the one that they have. Of runtimes that ask from now on.
 */
void layer_offer_queues(cl_command_queue first, cl_command_queue second);

/* Calls so far that had a list of properties. */
uint64_t layer_calls_with_properties(void);

/* The calls that the library is given: up to version 0.9.4. */
cl_int CL_API_CALL fault_clGetCommandBufferInfoKHR(cl_command_buffer_khr commands, cl_uint what,
                                                   size_t bytes, void *value, size_t *needed);
cl_int CL_API_CALL fault_clCommandNDRangeKernelKHR(cl_command_buffer_khr commands,
                                                   cl_command_queue queue, const void *properties,
                                                   cl_kernel kernel, cl_uint dimensions,
                                                   const size_t *offset, const size_t *global,
                                                   const size_t *local, cl_uint wait_count,
                                                   const cl_sync_point_khr *wait_list,
                                                   cl_sync_point_khr *done, void *handle);
cl_int CL_API_CALL fault_clCommandFillBufferKHR(cl_command_buffer_khr commands,
                                                cl_command_queue queue, cl_mem buffer,
                                                const void *pattern, size_t pattern_bytes,
                                                size_t offset, size_t bytes, cl_uint wait_count,
                                                const cl_sync_point_khr *wait_list,
                                                cl_sync_point_khr *done, void *handle);
cl_int CL_API_CALL fault_clCommandBarrierWithWaitListKHR(cl_command_buffer_khr commands,
                                                         cl_command_queue queue, cl_uint wait_count,
                                                         const cl_sync_point_khr *wait_list,
                                                         cl_sync_point_khr *done, void *handle);

#endif
