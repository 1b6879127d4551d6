/*
 * call.c: buffers for one call, and the way there and back.
 */
#include "call.h"

#include <stdlib.h>
#include <string.h>

#include "image.h"
#include "oracle.h"

static image image_of(const tally_tensor *tensor, const void *bytes) {
    const uint64_t extent = tensor == NULL ? 0 : oracle_extent(tensor);
    image memory = image_make(0, extent, 0xFF);
    if (extent > 0) {
        memcpy(memory.bytes, bytes, (size_t)extent);
    }
    image_upload(&memory);
    return memory;
}

void call_op(tally_op *op, const tally_tensor *in, const void *input, const tally_tensor *out,
             void *output) {
    tally_error error;
    tally_binding binding = TALLY_BINDING_INIT;
    image from = image_of(in, input), to = image_of(out, output);
    image scratch = image_make(0, tally_op_scratch_size(op), 0xFF);
    image_upload(&scratch);
    binding.input = image_view(&from);
    binding.output = image_view(&to);
    binding.scratch = image_view(&scratch);
    fixture_ok(tally_op_enqueue(op, fixture_get()->queue, &binding, 0, NULL, NULL, &error), &error,
               "tally_op_enqueue");
    unsigned char *now = image_download(&to);
    memcpy(output, now, (size_t)oracle_extent(out));
    free(now);
    tally_op_release(op);
    image_free(&from);
    image_free(&to);
    image_free(&scratch);
}

void call_reduce(const tally_reduce *desc, const void *input, void *output) {
    tally_error error;
    tally_op *op = NULL;
    fixture_ok(tally_reduce_create(fixture_get()->runtime, desc, &op, &error), &error,
               "tally_reduce_create");
    call_op(op, &desc->input, input, &desc->output, output);
}

void call_cumulative(const tally_cumulative *desc, const void *input, void *output) {
    tally_error error;
    tally_op *op = NULL;
    fixture_ok(tally_cumulative_create(fixture_get()->runtime, desc, &op, &error), &error,
               "tally_cumulative_create");
    call_op(op, &desc->input, input, &desc->output, output);
}

void call_diagonal(const tally_diagonal *desc, const void *input, void *output) {
    tally_error error;
    tally_op *op = NULL;
    fixture_ok(tally_diagonal_create(fixture_get()->runtime, desc, &op, &error), &error,
               "tally_diagonal_create");
    call_op(op, desc->input, input, &desc->output, output);
}
