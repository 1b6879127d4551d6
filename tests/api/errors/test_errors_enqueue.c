/*
 * test_errors_enqueue.c: every view, queue and wait list that an enqueue must refuse: the status,
 * the value and the limit in the sentence, no event, and not a byte of the buffers changed.
 */
#include <check.h>

#include "support/fixtures/bound.h"

Suite *suite_errors_enqueue(void);

/* ---- Views ---------------------------------------------------------------------------------- */

START_TEST(null_arguments) {
    const tally_binding binding = bound_binding();
    cl_command_queue queue = fixture_get()->queue;
    bound_refuse_call(NULL, queue, &binding, 0, NULL, INVALID("operator", "NULL"));
    bound_refuse_call(bound.reduce, NULL, &binding, 0, NULL, INVALID("queue", "NULL"));
    bound_refuse_call(bound.reduce, queue, NULL, 0, NULL, INVALID("binding", "NULL"));
}
END_TEST

START_TEST(missing_buffers) {
    tally_binding binding = bound_binding();
    binding.input.buffer = NULL;
    bound_refuse(bound.reduce, binding, INVALID("input", "NULL", "20000"));
    binding = bound_binding();
    binding.output.buffer = NULL;
    bound_refuse(bound.reduce, binding, INVALID("output", "NULL", "4"));
    binding = bound_binding();
    binding.scratch.buffer = NULL;
    bound_refuse(bound.reduce, binding, INVALID("scratch", "NULL"));
}
END_TEST

/* A buffer that is too small by one element, and offsets that leave no room. */
START_TEST(small_buffers) {
    cl_context context = fixture_get()->context;
    cl_mem small = bound_buffer(context, CL_MEM_READ_WRITE, BOUND_LINE * 4);
    tally_binding binding = bound_binding();
    binding.input = (tally_view){.buffer = small};
    bound_accept(bound.scan, binding);
    image_free(&bound.output);
    bound.output = image_make(16, BOUND_TERMS * 4, 0x22); /* the scan has written it */
    image_upload(&bound.output);
    binding = bound_binding();
    binding.input = (tally_view){.buffer = small, .offset = 4};
    bound_refuse(bound.scan, binding, INVALID("input needs 400", "offset 4", "400 bytes"));
    binding = bound_binding();
    binding.output = (tally_view){.buffer = small, .offset = 400};
    bound_refuse(bound.scan, binding, INVALID("output needs 400", "offset 400", "400 bytes"));
    binding.output.offset = SIZE_MAX - 3;
    bound_refuse(bound.scan, binding, INVALID("output needs 400", "18446744073709551612"));
    binding.output = (tally_view){.buffer = small};
    bound_refuse(bound.gap_scan, binding, INVALID("output needs 796", "400 bytes"));
    binding = bound_binding();
    binding.scratch = (tally_view){.buffer = small, .offset = 256};
    bound_refuse(bound.reduce, binding, INVALID("scratch needs 256", "offset 256", "400 bytes"));
    clReleaseMemObject(small);
}
END_TEST

START_TEST(offsets) {
    tally_binding binding = bound_binding();
    binding.input.offset = 6;
    bound_refuse(bound.reduce, binding, INVALID("input", "offset of 6", "4"));
    binding = bound_binding();
    binding.output.offset = 1;
    bound_refuse(bound.fill, binding, INVALID("output", "offset of 1", "4"));
    binding = bound_binding();
    binding.scratch.offset = 128;
    bound_refuse(bound.reduce, binding, INVALID("scratch", "offset of 128", "256"));
}
END_TEST

START_TEST(access_flags) {
    cl_context context = fixture_get()->context;
    cl_mem read_only = bound_buffer(context, CL_MEM_READ_ONLY, BOUND_TERMS * 4);
    cl_mem write_only = bound_buffer(context, CL_MEM_WRITE_ONLY, BOUND_TERMS * 4);
    tally_binding binding = bound_binding();
    binding.output = (tally_view){.buffer = read_only};
    bound_refuse(bound.reduce, binding, INVALID("output", "READ_ONLY"));
    binding = bound_binding();
    binding.input = (tally_view){.buffer = write_only};
    bound_refuse(bound.reduce, binding, INVALID("input", "WRITE_ONLY"));
    binding = bound_binding();
    binding.scratch = (tally_view){.buffer = read_only};
    bound_refuse(bound.reduce, binding, INVALID("scratch", "READ_ONLY"));
    binding.scratch = (tally_view){.buffer = write_only};
    bound_refuse(bound.reduce, binding, INVALID("scratch", "WRITE_ONLY"));
    binding =
        (tally_binding){{.buffer = read_only}, {.buffer = write_only}, image_view(&bound.scratch)};
    bound_accept(bound.reduce, binding);
    clReleaseMemObject(read_only);
    clReleaseMemObject(write_only);
}
END_TEST

/* A device without images has none to be taken for a buffer. */
START_TEST(images) {
    const fixture *it = fixture_get();
    const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
    const cl_image_desc shape = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 64, .image_height = 64};
    cl_bool has_images = CL_FALSE;
    cl_int code = CL_SUCCESS;
    fixture_check(
        clGetDeviceInfo(it->device, CL_DEVICE_IMAGE_SUPPORT, sizeof has_images, &has_images, NULL));
    if (!has_images)
        return;
    cl_mem picture = clCreateImage(it->context, CL_MEM_READ_WRITE, &format, &shape, NULL, &code);
    fixture_check(code);
    tally_binding binding = bound_binding();
    binding.input = (tally_view){.buffer = picture};
    bound_refuse(bound.reduce, binding, INVALID("input", "an image, not a buffer"));
    clReleaseMemObject(picture);
}
END_TEST

/* ---- Queues, contexts, events --------------------------------------------------------------- */

START_TEST(other_contexts) {
    cl_int code = CL_SUCCESS;
    cl_device_id device = fixture_get()->device;
    cl_context other = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    fixture_check(code);
    cl_command_queue queue = clCreateCommandQueue(other, device, 0, &code);
    fixture_check(code);
    cl_mem foreign = bound_buffer(other, CL_MEM_READ_WRITE, BOUND_TERMS * 4);
    tally_binding binding = bound_binding();
    bound_refuse_call(bound.reduce, queue, &binding, 0, NULL, INVALID("queue", "context"));
    binding.input = (tally_view){.buffer = foreign};
    bound_refuse(bound.reduce, binding, INVALID("input", "context"));
    binding = bound_binding();
    binding.output = (tally_view){.buffer = foreign};
    bound_refuse(bound.reduce, binding, INVALID("output", "context"));
    binding = bound_binding();
    binding.scratch = (tally_view){.buffer = foreign};
    bound_refuse(bound.reduce, binding, INVALID("scratch", "context"));
    clReleaseMemObject(foreign);
    clReleaseCommandQueue(queue);
    clReleaseContext(other);
}
END_TEST

START_TEST(wait_lists) {
    const tally_binding binding = bound_binding();
    cl_command_queue queue = fixture_get()->queue;
    cl_int code = CL_SUCCESS;
    cl_event events[2] = {clCreateUserEvent(fixture_get()->context, &code), NULL};
    fixture_check(code);
    bound_refuse_call(bound.reduce, queue, &binding, 3, NULL, INVALID("wait_count is 3", "NULL"));
    bound_refuse_call(bound.reduce, queue, &binding, 0, events,
                      INVALID("wait_count is 0", "not NULL"));
    bound_refuse_call(bound.reduce, queue, &binding, 2, events, INVALID("event 1", "2", "NULL"));
    fixture_check(clSetUserEventStatus(events[0], CL_COMPLETE));
    clReleaseEvent(events[0]);
}
END_TEST

Suite *suite_errors_enqueue(void) {
    Suite *suite = suite_create("errors_enqueue");
    TCase *tests = tcase_create("errors_enqueue");
    tcase_set_timeout(tests, 600);
    tcase_add_checked_fixture(tests, bound_make, bound_free);
    tcase_add_test(tests, null_arguments);
    tcase_add_test(tests, missing_buffers);
    tcase_add_test(tests, small_buffers);
    tcase_add_test(tests, offsets);
    tcase_add_test(tests, access_flags);
    tcase_add_test(tests, images);
    tcase_add_test(tests, other_contexts);
    tcase_add_test(tests, wait_lists);
    suite_add_tcase(suite, tests);
    return suite;
}
