/*
 * test_errors_overlap.c: views of one buffer that meet: which may, which are refused, and that
 * nothing is written where they are.
 */
#include <check.h>

#include "support/descriptions/shape.h"
#include "support/fixtures/bound.h"

Suite *suite_errors_overlap(void);

/* One buffer for views that may meet. */
static image shared_buffer(void) {
    image memory = image_make(0, 65536, 0x44);
    image_upload(&memory);
    return memory;
}

static tally_view view_at(const image *memory, size_t offset) {
    const tally_view view = {.buffer = memory->buffer, .offset = offset};
    return view;
}

START_TEST(overlaps) {
    image memory = shared_buffer();
    tally_binding binding = bound_binding();
    binding.input = view_at(&memory, 0); /* bytes 0 to 20000 */
    binding.output = view_at(&memory, 19996);
    bound_refuse(bound.reduce, binding, INVALID("input", "output", "19996"));
    binding.output = view_at(&memory, 0);
    bound_refuse(bound.reduce, binding, INVALID("input", "output"));
    binding = bound_binding();
    binding.input = view_at(&memory, 4);
    binding.scratch = view_at(&memory, 19968);
    bound_refuse(bound.reduce, binding, INVALID("input", "scratch", "19968"));
    binding = bound_binding();
    binding.output = view_at(&memory, 508);
    binding.scratch = view_at(&memory, 256);
    bound_refuse(bound.reduce, binding, INVALID("output", "scratch", "508"));
    bound_unchanged(&memory);
    binding.input = view_at(&memory, 0); /* one behind the other, without a gap */
    binding.output = view_at(&memory, 20000);
    binding.scratch = view_at(&memory, 20224);
    bound_accept(bound.reduce, binding);
    image_free(&memory);
}
END_TEST

/* In place: the identical view, and equal strides, or not at all. */
START_TEST(in_place) {
    image memory = shared_buffer();
    tally_binding binding = bound_binding();
    binding.input = view_at(&memory, 8);
    binding.output = view_at(&memory, 12);
    bound_refuse(bound.scan, binding, INVALID("input", "output", "identical"));
    bound_refuse(bound.fill, binding, INVALID("input", "output", "identical"));
    binding.output = view_at(&memory, 8);
    bound_refuse(bound.gap_scan, binding, INVALID("input", "output"));
    bound_unchanged(&memory);
    bound_accept(bound.scan, binding);
    bound_accept(bound.fill, binding);
    binding.output = view_at(&memory, 408);
    bound_accept(bound.gap_scan, binding);
    image_free(&memory);
}
END_TEST

/* The same bytes, but the output's axes lie the other way round. */
START_TEST(in_place_with_other_strides) {
    tally_runtime *runtime = fixture_get()->runtime;
    tally_cumulative scan = shape_scan(TALLY_SUM, TALLY_F32, SHAPE(10, 10), 0);
    tally_diagonal fill = TALLY_DIAGONAL_INIT;
    tally_op *ops[2] = {NULL, NULL};
    tally_error error;
    image memory = shared_buffer();
    tally_binding binding = bound_binding();
    shape_transpose(&scan.output);
    fill.input = &scan.input;
    fill.output = scan.output;
    fixture_ok(tally_cumulative_create(runtime, &scan, &ops[0], &error), &error, "scan");
    fixture_ok(tally_diagonal_create(runtime, &fill, &ops[1], &error), &error, "fill");
    for (int k = 0; k < 2; k++) {
        binding.input = binding.output = view_at(&memory, 40);
        bound_refuse(ops[k], binding, INVALID("input", "output"));
        bound_unchanged(&memory);
        tally_op_release(ops[k]);
    }
    image_free(&memory);
}
END_TEST

/* Parts of one buffer, against each other and against the whole. */
START_TEST(overlaps_through_parts) {
    image memory = shared_buffer();
    cl_mem low = bound_part(memory.buffer, 0, 4096), high = bound_part(memory.buffer, 4096, 4096);
    cl_mem both = bound_part(memory.buffer, 0, 8192);
    tally_binding binding = bound_binding();
    binding.input = (tally_view){.buffer = low, .offset = 3696}; /* the last 400 bytes of low */
    binding.output = (tally_view){.buffer = both, .offset = 4092};
    bound_refuse(bound.scan, binding, INVALID("input", "output", "4092"));
    binding.output = (tally_view){.buffer = memory.buffer, .offset = 3700};
    bound_refuse(bound.scan, binding, INVALID("input", "output", "3700"));
    binding.input = (tally_view){.buffer = high};
    binding.output = (tally_view){.buffer = both, .offset = 3700};
    bound_refuse(bound.fill, binding, INVALID("input", "output", "3700"));
    bound_unchanged(&memory);
    binding.input = (tally_view){.buffer = low, .offset = 3696};
    binding.output = (tally_view){.buffer = high}; /* neighbours */
    bound_accept(bound.scan, binding);
    binding.output = (tally_view){.buffer = both, .offset = 3696}; /* the same bytes, otherwise */
    bound_refuse(bound.scan, binding, INVALID("input and output", "two memory objects"));
    binding.output = binding.input; /* in place */
    bound_accept(bound.scan, binding);
    clReleaseMemObject(low);
    clReleaseMemObject(high);
    clReleaseMemObject(both);
    image_free(&memory);
}
END_TEST

Suite *suite_errors_overlap(void) {
    Suite *suite = suite_create("errors_overlap");
    TCase *tests = tcase_create("errors_overlap");
    tcase_set_timeout(tests, 600);
    tcase_add_checked_fixture(tests, bound_make, bound_free);
    tcase_add_test(tests, overlaps);
    tcase_add_test(tests, in_place);
    tcase_add_test(tests, in_place_with_other_strides);
    tcase_add_test(tests, overlaps_through_parts);
    suite_add_tcase(suite, tests);
    return suite;
}
