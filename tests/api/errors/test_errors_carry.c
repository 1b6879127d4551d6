/*
 * test_errors_carry.c: carries that a scan's part cannot go on from, and calls that take none: the
 * status, the whole sentence with its value and its limit, no event, nothing recorded, and not a
 * byte of the memory changed.
 */
#include <check.h>
#include <string.h>

#include <tally/part.h>

#include "support/descriptions/shape.h"
#include "support/fixtures/bound.h"
#include "support/fixtures/replay.h"

Suite *suite_errors_carry(void);

/* Two lines of so many i32, the second half of which goes on from a carry of 8 bytes. */
#define TERMS 40000
#define HALF_BYTES (2 * (TERMS / 2) * 4)
#define CARRY_BYTES 8

typedef struct session {
    tally_op *scan;
    image input, output, carry, scratch;
} session;

static session it;

/* The part from a coordinate on. */
static tally_op *make_scan(uint64_t begin) {
    static const uint64_t bounds[] = {0, TERMS / 2, TERMS};
    const tally_cumulative scan = shape_scan(TALLY_SUM, TALLY_I32, SHAPE(2, TERMS), 1);
    const tally_tensor tensor = shape_tensor(TALLY_I32, SHAPE(2, TERMS - begin));
    const tally_part part = {sizeof part, 0, begin, TERMS, &tensor, &tensor};
    tally_runtime *runtime = fixture_make_runtime_with(TALLY_FAMILY_GPU, TALLY_SINGLE_PASS_OFF);
    tally_cut cut = TALLY_CUT_INIT;
    tally_desc desc = TALLY_DESC_INIT;
    tally_op *op = NULL;
    tally_error error;
    desc.cumulative = &scan;
    fixture_ok(tally_cut_at(&desc, 1, 2, bounds, &cut, &error), &error, "tally_cut_at");
    fixture_ok(tally_part_scan_create(runtime, &desc, &cut, &part, &op, &error), &error,
               "tally_part_scan_create");
    tally_runtime_release(runtime);
    return op;
}

static image make_image(size_t first, uint64_t bytes, unsigned char fill) {
    image made = image_make(first, bytes, fill);
    image_upload(&made);
    return made;
}

static void open_session(void) {
    it.scan = make_scan(TERMS / 2);
    ck_assert_uint_gt(tally_op_scratch_size(it.scan), 0);
    it.input = make_image(16, HALF_BYTES, 0x11);
    it.output = make_image(16, HALF_BYTES, 0x22);
    it.carry = make_image(16, CARRY_BYTES, 0x33);
    it.scratch = make_image(256, tally_op_scratch_size(it.scan), 0x44);
}

static void check_unchanged(void) {
    bound_unchanged(&it.input);
    bound_unchanged(&it.output);
    bound_unchanged(&it.carry);
    bound_unchanged(&it.scratch);
}

static void close_session(void) {
    check_unchanged();
    tally_op_release(it.scan);
    image_free(&it.input);
    image_free(&it.output);
    image_free(&it.carry);
    image_free(&it.scratch);
}

/* Right as it is. */
static tally_part_binding make_binding(void) {
    tally_part_binding made = TALLY_PART_BINDING_INIT;
    made.binding.input = image_view(&it.input);
    made.binding.output = image_view(&it.output);
    made.binding.scratch = image_view(&it.scratch);
    made.carry = image_view(&it.carry);
    return made;
}

/* With an event and an error struct, and without. */
static void refuse_call(tally_op *op, cl_command_queue queue, const tally_part_binding *binding,
                        cl_uint count, const cl_event *list, refusal expected) {
    tally_error error;
    int position = 0;
    cl_event event = (cl_event)(void *)&position; /* anything that is not NULL */
    memset(&error, 0x55, sizeof error);
    refusal_check(expected, tally_part_enqueue(op, queue, binding, count, list, &event, &error),
                  &error);
    ck_assert_ptr_null(event);
    ck_assert_int_eq(tally_part_enqueue(op, queue, binding, count, list, NULL, NULL),
                     expected.status);
    check_unchanged();
}

static void refuse(tally_part_binding binding, refusal expected) {
    refuse_call(it.scan, fixture_get()->queue, &binding, 0, NULL, expected);
}

static void refuse_carry(tally_view carry, refusal expected) {
    tally_part_binding binding = make_binding();
    binding.carry = carry;
    refuse(binding, expected);
}

/* ---- Carries -------------------------------------------------------------------------------- */

START_TEST(arguments) {
    const tally_part_binding binding = make_binding();
    const cl_command_queue queue = fixture_get()->queue;
    const cl_event none = NULL;
    refuse_call(NULL, queue, &binding, 0, NULL, INVALID("the operator is NULL"));
    refuse_call(it.scan, NULL, &binding, 0, NULL, INVALID("the queue is NULL"));
    refuse_call(it.scan, queue, NULL, 0, NULL, INVALID("the binding is NULL"));
    refuse_call(it.scan, queue, &binding, 2, NULL,
                INVALID("wait_count is 2, but wait_list is NULL"));
    refuse_call(it.scan, queue, &binding, 0, &none,
                INVALID("wait_count is 0, but wait_list is not NULL"));
    refuse_call(it.scan, queue, &binding, 1, &none, INVALID("event 0 of 1 to wait for is NULL"));
}
END_TEST

/* Of an empty part there is nothing to bind. */
START_TEST(nothing_to_do) {
    tally_op *empty = make_scan(TERMS);
    cl_event event = NULL;
    tally_error error;
    fixture_ok(tally_part_enqueue(empty, fixture_get()->queue, NULL, 0, NULL, &event, &error),
               &error, "an empty part");
    ck_assert_ptr_nonnull(event);
    fixture_check(clWaitForEvents(1, &event));
    clReleaseEvent(event);
    tally_op_release(empty);
}
END_TEST

START_TEST(structs) {
    tally_part_binding binding = make_binding();
    binding.reserved = 9;
    refuse(binding, UNSUPPORTED("the reserved member of the tally_part_binding is 9, but this "
                                "version wants 0; its initialiser has it"));
    binding.struct_size = 2;
    refuse(binding, INVALID("struct_size of the tally_part_binding is 2, but a multiple of 4 from "
                            "4 to 4096 is wanted; its initialiser fills it"));
    binding = make_binding();
    binding.carry.reserved[1] = 7;
    refuse(binding, UNSUPPORTED("the carry's reserved members are 0 and 7, but this version wants "
                                "0; TALLY_BINDING_INIT has them"));
    binding = make_binding();
    binding.binding.input.reserved[0] = 7;
    refuse(binding, UNSUPPORTED("the input's reserved members are 7 and 0"));
}
END_TEST

START_TEST(carries) {
    const tally_view right = image_view(&it.carry);
    cl_context context = fixture_get()->context;
    cl_mem small = bound_buffer(context, CL_MEM_READ_WRITE, CARRY_BYTES - 4);
    cl_mem write_only = bound_buffer(context, CL_MEM_WRITE_ONLY, CARRY_BYTES);
    tally_view view = TALLY_VIEW_INIT;
    refuse_carry(view, INVALID("the carry's buffer and pointer are NULL, but the operator needs 8 "
                               "bytes of one"));
    view.buffer = small;
    refuse_carry(view, INVALID("the carry needs 8 bytes from offset 0 on, but its buffer has 4 "
                               "bytes"));
    view.buffer = write_only;
    refuse_carry(view, INVALID("the carry's buffer was created CL_MEM_WRITE_ONLY"));
    view = right;
    view.offset += 2;
    refuse_carry(view, INVALID("the carry's offset of 18 bytes is not a multiple of 4"));
    view = right;
    view.offset += 4096;
    refuse_carry(view, INVALID("the carry needs 8 bytes from offset 4112 on"));
    view = right;
    view.pointer = &it;
    refuse_carry(view, INVALID("the carry has a buffer and a pointer, but must have one of them"));
    clReleaseMemObject(small);
    clReleaseMemObject(write_only);
}
END_TEST

/* A carry is read while the output and the scratch are written. */
START_TEST(overlaps) {
    tally_part_binding binding = make_binding();
    binding.carry = binding.binding.output;
    refuse(binding, INVALID("the carry's range, bytes 16 to 24 of the buffer with its gaps, "
                            "overlaps the output's, bytes 16 to 160016 of the buffer"));
    binding.carry.offset += HALF_BYTES - CARRY_BYTES;
    refuse(binding, INVALID("the carry's range, bytes 160008 to 160016 of the buffer"));
    binding.carry = binding.binding.scratch;
    refuse(binding, INVALID("the carry's range, bytes 256 to 264 of the buffer with its gaps, "
                            "overlaps the scratch's"));
}
END_TEST

/* Calls that take no carry refuse the operator, and record nothing. */
START_TEST(calls_without_a_carry) {
    const refusal expected =
        INVALID("the operator goes on from a carry, which tally_part_enqueue() takes");
    const tally_binding binding = make_binding().binding;
    const cl_command_queue queue = fixture_get()->queue;
    cl_event event = (cl_event)(void *)&it, events[64];
    uint32_t count = 77;
    tally_error error;
    refusal_check(expected, tally_op_enqueue(it.scan, queue, &binding, 0, NULL, &event, &error),
                  &error);
    ck_assert_ptr_null(event);
    ck_assert_uint_le(tally_op_launches(it.scan), 64);
    refusal_check(
        expected,
        tally_op_enqueue_launches(it.scan, queue, &binding, 0, NULL, events, &count, &error),
        &error);
    ck_assert_uint_eq(count, 0);
    if (!replay_offered())
        return;
    cl_command_buffer_khr commands = replay_create(queue);
    cl_sync_point_khr done = 77;
    refusal_check(expected,
                  tally_op_record(it.scan, commands, queue, &binding, 0, NULL, &done, &error),
                  &error);
    ck_assert_uint_eq(done, 77);
    replay_release(commands);
}
END_TEST

Suite *suite_errors_carry(void) {
    Suite *suite = suite_create("errors_carry");
    TCase *carry = tcase_create("errors_carry");
    tcase_set_timeout(carry, 600);
    tcase_add_checked_fixture(carry, open_session, close_session);
    tcase_add_test(carry, arguments);
    tcase_add_test(carry, nothing_to_do);
    tcase_add_test(carry, structs);
    tcase_add_test(carry, carries);
    tcase_add_test(carry, overlaps);
    tcase_add_test(carry, calls_without_a_carry);
    suite_add_tcase(suite, carry);
    return suite;
}
