/*
 * opencl.c: the includer's choice of OpenCL: tally.h and part.h neither bring its header nor a
 * version of it, and go before it (BEFORE) as well as after it, also with the extensions' header or
 * C++'s (HPP). That it compiles is the test; it is not run.
 */
#ifdef BEFORE
#include <tally/part.h>
#if defined(CL_TARGET_OPENCL_VERSION) || defined(CL_VERSION_1_0)
#error "part.h or tally.h brings OpenCL's header or a version of it"
#endif
#endif

#define CL_ENABLE_BETA_EXTENSIONS /* command buffers, in headers of 2024 and later */
#ifdef HPP
#define CL_HPP_TARGET_OPENCL_VERSION VERSION
#define CL_HPP_MINIMUM_OPENCL_VERSION VERSION
#include <CL/opencl.hpp>
#else
#define CL_TARGET_OPENCL_VERSION VERSION
#include <CL/cl.h>
#include <CL/cl_ext.h>
#endif

#include <tally/part.h>

#ifndef cl_khr_command_buffer
#error "these tests need the header of command buffers (Debian: opencl-c-headers)"
#endif

/* The handles are OpenCL's own. */
tally_status tally_check_handles(tally_op *op, cl_context context, cl_command_queue queue,
                                 cl_mem buffer, cl_uint count, const cl_event *list,
                                 cl_event *event);

tally_status tally_check_handles(tally_op *op, cl_context context, cl_command_queue queue,
                                 cl_mem buffer, cl_uint count, const cl_event *list,
                                 cl_event *event) {
    tally_config config = TALLY_CONFIG_INIT;
    tally_binding binding = TALLY_BINDING_INIT;
    config.context = context;
    binding.output.buffer = buffer;
    if (clRetainContext(config.context) != CL_SUCCESS)
        return TALLY_DEVICE_ERROR;
    return tally_op_enqueue(op, queue, &binding, count, list, event, NULL);
}

tally_status tally_check_carry(tally_op *op, cl_command_queue queue, cl_mem carry, cl_uint count,
                               const cl_event *list, cl_event *event);

tally_status tally_check_carry(tally_op *op, cl_command_queue queue, cl_mem carry, cl_uint count,
                               const cl_event *list, cl_event *event) {
    tally_part_binding binding = TALLY_PART_BINDING_INIT;
    binding.carry.buffer = carry;
    return tally_part_enqueue(op, queue, &binding, count, list, event, NULL);
}

cl_uint tally_check_commands(tally_op *op, cl_command_queue queue,
                             clCreateCommandBufferKHR_fn create, cl_sync_point_khr before);

cl_uint tally_check_commands(tally_op *op, cl_command_queue queue,
                             clCreateCommandBufferKHR_fn create, cl_sync_point_khr before) {
    cl_sync_point_khr done = before;
    cl_command_buffer_khr commands = create(1, &queue, NULL, NULL);
    tally_binding binding = TALLY_BINDING_INIT;
    tally_recorded *recorded = NULL;
    (void)tally_op_record(op, commands, queue, &binding, 1, &before, &done, NULL);
    (void)tally_op_record_updatable(op, commands, queue, &binding, 1, &before, &done, &recorded,
                                    NULL);
    tally_recorded_release(recorded);
    return done;
}
