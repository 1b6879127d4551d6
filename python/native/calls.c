/*
 * The package's own calls: enqueueing in one step, and computing in the host's memory. They know
 * OpenCL and the public headers, and nothing of Python; cffi lets go of Python's lock around them.
 */
#include <CL/cl.h>
#include <stdio.h>

#include "calls.h"

static _Thread_local tally_error last;

tally_error *tally_py_error(void) {
    return &last;
}

/* A failure of an OpenCL call of this file. */
static tally_status fail(const char *message, cl_int code) {
    const bool is_memory = code == CL_MEM_OBJECT_ALLOCATION_FAILURE ||
                           code == CL_OUT_OF_RESOURCES || code == CL_OUT_OF_HOST_MEMORY;
    last = (tally_error){.status = is_memory ? TALLY_OUT_OF_MEMORY : TALLY_DEVICE_ERROR,
                         .cl_code = code,
                         .fault = TALLY_FAULT_OPENCL};
    snprintf(last.message, sizeof last.message, "%s: OpenCL's code is %d", message, (int)code);
    return last.status;
}

static tally_view view(uintptr_t handle, size_t offset, bool is_pointer) {
    tally_view at = TALLY_VIEW_INIT;
    if (is_pointer)
        at.pointer = (void *)handle;
    else
        at.buffer = (cl_mem)handle;
    at.offset = offset;
    return at;
}

/* Bind scratch, if the operator needs some, and enqueue. */
static tally_status enqueue(tally_op *op, tally_scratch *scratch, cl_command_queue queue,
                            tally_binding *binding, uint32_t wait_count, const cl_event *wait_list,
                            cl_event *event) {
    if (tally_op_scratch_size(op) > 0 &&
        tally_scratch_view(scratch, op, &binding->scratch, &last) != TALLY_OK)
        return last.status;
    return tally_op_enqueue(op, queue, binding, wait_count, wait_count > 0 ? wait_list : NULL,
                            event, &last);
}

/* Whether an event is of a command of this queue. */
static bool is_of(cl_event event, cl_command_queue queue) {
    cl_command_queue found = NULL;
    return clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof found, &found, NULL) ==
               CL_SUCCESS &&
           found == queue;
}

uintptr_t tally_py_enqueue(tally_op *op, tally_scratch *scratch, uintptr_t queue, uintptr_t input,
                           size_t input_offset, uintptr_t output, size_t output_offset,
                           uint32_t flags, uint32_t wait_count, const uintptr_t *wait_list) {
    tally_binding binding = {
        .input = view(input, input_offset, (flags & TALLY_PY_INPUT_POINTER) != 0),
        .output = view(output, output_offset, (flags & TALLY_PY_OUTPUT_POINTER) != 0),
    };
    const cl_command_queue on = (cl_command_queue)queue;
    cl_event waits[TALLY_PY_WAITS], event = NULL;
    uint32_t count = 0;
    for (uint32_t i = 0; i < wait_count && i < TALLY_PY_WAITS; i++)
        if ((flags & TALLY_PY_IN_ORDER) == 0 || !is_of((cl_event)wait_list[i], on))
            waits[count++] = (cl_event)wait_list[i];
    enqueue(op, scratch, on, &binding, count, waits, &event);
    return (uintptr_t)event;
}

/* ---- The host's memory --------------------------------------------------------------------- */

/*
 * A buffer over the host's memory, and where the tensor begins in it: kernels read from multiples
 * of align, so the buffer begins at one.
 */
static tally_status wrap(cl_context context, cl_mem_flags flags, uintptr_t address, size_t bytes,
                         size_t align, tally_view *at) {
    cl_int code;
    const size_t lead = address % align;
    *at = (tally_view)TALLY_VIEW_INIT;
    at->offset = lead;
    at->buffer = clCreateBuffer(context, flags | CL_MEM_USE_HOST_PTR, bytes + lead,
                                (void *)(address - lead), &code);
    return at->buffer != NULL ? TALLY_OK : fail("there is no buffer over the array's memory", code);
}

/* Have the host see what the device has written to the output, which waits for the operator. */
static tally_status show(cl_command_queue queue, const tally_view *output, size_t bytes,
                         cl_event written) {
    cl_int code;
    void *mapped = clEnqueueMapBuffer(queue, output->buffer, CL_TRUE, CL_MAP_READ, output->offset,
                                      bytes, 1, &written, NULL, &code);
    if (mapped != NULL)
        code = clEnqueueUnmapMemObject(queue, output->buffer, mapped, 0, NULL, NULL);
    return code == CL_SUCCESS ? TALLY_OK : fail("the result was not mapped", code);
}

tally_status tally_py_host(tally_op *op, tally_scratch *scratch, uintptr_t queue, uintptr_t input,
                           size_t input_bytes, uintptr_t output, size_t output_bytes,
                           size_t align) {
    const bool in_place = input_bytes > 0 && input == output;
    const cl_command_queue on = (cl_command_queue)queue;
    tally_binding binding = TALLY_BINDING_INIT;
    cl_context context;
    cl_event event = NULL;
    tally_status status = TALLY_OK;
    if (clGetCommandQueueInfo(on, CL_QUEUE_CONTEXT, sizeof context, &context, NULL) != CL_SUCCESS)
        return fail("the queue has no context", CL_INVALID_COMMAND_QUEUE);
    if (output_bytes > 0)
        status = wrap(context, CL_MEM_READ_WRITE, output, output_bytes, align, &binding.output);
    if (status == TALLY_OK && input_bytes > 0 && !in_place)
        status = wrap(context, CL_MEM_READ_ONLY, input, input_bytes, align, &binding.input);
    else if (in_place || input_bytes == 0)
        binding.input = binding.output;
    if (status == TALLY_OK)
        status = enqueue(op, scratch, on, &binding, 0, NULL, &event);
    if (status == TALLY_OK && output_bytes > 0)
        status = show(on, &binding.output, output_bytes, event);
    /* Nothing may touch the array's memory behind the caller's back, also after a failure. */
    clFinish(on);
    if (event != NULL)
        clReleaseEvent(event);
    if (binding.input.buffer != NULL && binding.input.buffer != binding.output.buffer)
        clReleaseMemObject(binding.input.buffer);
    if (binding.output.buffer != NULL)
        clReleaseMemObject(binding.output.buffer);
    return status;
}

tally_status tally_py_stream(tally_runtime *runtime, const tally_desc *desc, uintptr_t input,
                             uintptr_t output) {
    const tally_tensor *read = tally_desc_input(desc);
    tally_host_tensor from = {.elements = (void *)input};
    tally_host_tensor to = {.tensor = *tally_desc_output(desc), .elements = (void *)output};
    if (read != NULL)
        from.tensor = *read;
    const tally_source source = tally_source_memory(&from);
    const tally_sink sink = tally_sink_memory(&to);
    tally_stream stream = TALLY_STREAM_INIT;
    stream.source = read != NULL ? &source : NULL;
    stream.sink = &sink;
    return tally_stream_run(runtime, desc, &stream, &last);
}
