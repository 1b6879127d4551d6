/*
 * run.c: buffers around one enqueue.
 */
#include "run.h"

#include <check.h>

#include "support/fixtures/fixture.h"

void dml_run(const char *name, const DML_OPERATOR_DESC *desc, DML_FEATURE_LEVEL level,
             const dml_memory *memory) {
    const fixture *device = fixture_get();
    tally_binding binding = TALLY_BINDING_INIT;
    tally_error error;
    tally_op *op = NULL;
    fixture_ok(tally_dml_operator_create(device->runtime, desc, level, &op, &error), &error, name);
    const size_t scratch = tally_op_scratch_size(op);
    binding.output.buffer = fixture_make_buffer(memory->output, memory->output_bytes);
    if (memory->in_place) {
        binding.input = binding.output;
    } else if (memory->input != NULL) {
        binding.input.buffer = fixture_make_buffer(memory->input, memory->input_bytes);
    }
    if (scratch > 0) {
        cl_int code = CL_SUCCESS;
        binding.scratch.buffer =
            clCreateBuffer(device->context, CL_MEM_READ_WRITE, scratch, NULL, &code);
        fixture_check(code);
    }
    fixture_ok(tally_op_enqueue(op, device->queue, &binding, 0, NULL, NULL, &error), &error, name);
    fixture_check(clEnqueueReadBuffer(device->queue, binding.output.buffer, CL_TRUE, 0,
                                      memory->output_bytes, memory->output, 0, NULL, NULL));
    tally_op_release(op);
    if (scratch > 0) {
        clReleaseMemObject(binding.scratch.buffer);
    }
    if (!memory->in_place && memory->input != NULL) {
        clReleaseMemObject(binding.input.buffer);
    }
    clReleaseMemObject(binding.output.buffer);
}

void dml_run_sample(const char *name, const sample *made, const void *input, size_t input_bytes,
                    void *output, size_t output_bytes) {
    const dml_memory memory = {input, input_bytes, output, output_bytes, false};
    dml_run(name, &made->desc, made->level, &memory);
}
