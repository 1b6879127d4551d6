/*
 * bound.c: what tests of bindings start from.
 */
#include "bound.h"

#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "shape.h"

bound_operators bound;

tally_binding bound_binding(void) {
    const tally_binding binding = {image_view(&bound.input), image_view(&bound.output),
                                   image_view(&bound.scratch)};
    return binding;
}

/* The generic kernels take two launches for the reduction, and so scratch memory. */
void bound_make(void) {
    tally_runtime *runtime = fixture_make_runtime_of(TALLY_FAMILY_GENERIC);
    tally_error error;
    const tally_reduce reduce = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(BOUND_TERMS), 1);
    tally_cumulative scan = shape_scan(TALLY_SUM, TALLY_F32, SHAPE(BOUND_LINE), 0);
    tally_diagonal fill = TALLY_DIAGONAL_INIT;
    const tally_tensor matrix = shape_tensor(TALLY_F32, SHAPE(10, 10));
    fill.input = &matrix;
    fill.output = matrix;
    fixture_ok(tally_reduce_create(runtime, &reduce, &bound.reduce, &error), &error, "reduce");
    fixture_ok(tally_cumulative_create(runtime, &scan, &bound.scan, &error), &error, "scan");
    fixture_ok(tally_diagonal_create(runtime, &fill, &bound.fill, &error), &error, "fill");
    shape_pad(&scan.output, 1);
    fixture_ok(tally_cumulative_create(runtime, &scan, &bound.gap_scan, &error), &error, "scan");
    tally_runtime_release(runtime);
    ck_assert_uint_gt(tally_op_scratch_size(bound.reduce), 0);
    bound.input = image_make(16, BOUND_TERMS * 4, 0x11);
    bound.output = image_make(16, BOUND_TERMS * 4, 0x22);
    bound.scratch = image_make(256, tally_op_scratch_size(bound.reduce), 0x33);
    image_upload(&bound.input);
    image_upload(&bound.output);
    image_upload(&bound.scratch);
}

void bound_free(void) {
    tally_op_release(bound.reduce);
    tally_op_release(bound.scan);
    tally_op_release(bound.fill);
    tally_op_release(bound.gap_scan);
    image_free(&bound.input);
    image_free(&bound.output);
    image_free(&bound.scratch);
}

void bound_unchanged(const image *memory) {
    unsigned char *now = image_download(memory);
    ck_assert_mem_eq(now, memory->bytes, memory->size);
    free(now);
}

void bound_refuse_call(tally_op *op, cl_command_queue queue, const tally_binding *binding,
                       cl_uint count, const cl_event *list, refusal expected) {
    tally_error error;
    int place = 0;
    cl_event event = (cl_event)(void *)&place; /* anything that is not NULL */
    memset(&error, 0x55, sizeof error);
    const tally_status status = tally_op_enqueue(op, queue, binding, count, list, &event, &error);
    refusal_check(expected, status, &error);
    ck_assert_ptr_null(event);
    ck_assert_int_eq(tally_op_enqueue(op, queue, binding, count, list, NULL, NULL),
                     expected.status);
    bound_unchanged(&bound.input);
    bound_unchanged(&bound.output);
    bound_unchanged(&bound.scratch);
}

void bound_refuse(tally_op *op, tally_binding binding, refusal expected) {
    bound_refuse_call(op, fixture_get()->queue, &binding, 0, NULL, expected);
}

void bound_accept(tally_op *op, tally_binding binding) {
    tally_error error;
    cl_event event = NULL;
    fixture_ok(tally_op_enqueue(op, fixture_get()->queue, &binding, 0, NULL, &event, &error),
               &error, "enqueue");
    ck_assert_ptr_nonnull(event);
    fixture_check(clWaitForEvents(1, &event));
    clReleaseEvent(event);
}

cl_mem bound_buffer(cl_context context, cl_mem_flags flags, size_t size) {
    cl_int code = CL_SUCCESS;
    cl_mem buffer = clCreateBuffer(context, flags, size, NULL, &code);
    fixture_check(code);
    return buffer;
}

cl_mem bound_part(cl_mem parent, size_t origin, size_t size) {
    const cl_buffer_region region = {origin, size};
    cl_int code = CL_SUCCESS;
    cl_mem part =
        clCreateSubBuffer(parent, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    fixture_check(code);
    return part;
}
