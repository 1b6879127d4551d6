/*
 * opencl.c: the includer's choice of OpenCL: tally.h neither brings its header nor a version of it,
 * and goes before it (BEFORE) as well as after it. That it compiles is the test; it is not run.
 */
#ifdef BEFORE
#include <tally/tally.h>
#if defined(CL_TARGET_OPENCL_VERSION) || defined(CL_VERSION_1_0)
#error "tally.h brings OpenCL's header or a version of it"
#endif
#endif

#define CL_TARGET_OPENCL_VERSION VERSION
#include <CL/cl.h>

#include <tally/tally.h>

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
