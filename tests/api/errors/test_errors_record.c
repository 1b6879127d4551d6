/*
 * test_errors_record.c: command buffers, queues and bindings that a recording must refuse: the
 * status, the value and the limit in the sentence, and nothing recorded. What a platform without
 * command buffers says is tested in tests/fault.
 */
#include <check.h>
#include <string.h>

#include "support/descriptions/shape.h"
#include "support/fixtures/bound.h"
#include "support/fixtures/replay.h"

Suite *suite_errors_record(void);

static cl_command_buffer_khr commands;

static void open_commands(void) {
    if (!replay_offered())
        return;
    bound_make();
    commands = replay_create(fixture_get()->queue);
}

/* Record what writes nothing, so that there is something to replay. */
static void record_barrier(void) {
    const tally_reduce desc = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(0, 5), 1u << 1);
    tally_op *op = NULL;
    tally_error error;
    fixture_ok(tally_reduce_create(fixture_get()->runtime, &desc, &op, &error), &error, "reduce");
    fixture_ok(tally_op_record(op, commands, fixture_get()->queue, NULL, 0, NULL, NULL, &error),
               &error, "tally_op_record");
    tally_op_release(op);
}

/* Nothing was recorded: a replay leaves all buffers as they were. */
static void close_commands(void) {
    if (!replay_offered())
        return;
    record_barrier();
    replay_finalize(commands);
    replay_run(commands);
    bound_unchanged(&bound.input);
    bound_unchanged(&bound.output);
    bound_unchanged(&bound.scratch);
    replay_release(commands);
    bound_free();
}

/* Refused like this with an error struct and without, and the sync point is left as it was. */
static void refuse_call(tally_op *op, cl_command_buffer_khr into, cl_command_queue queue,
                        const tally_binding *binding, uint32_t count, const cl_sync_point_khr *list,
                        refusal expected) {
    tally_error error;
    cl_sync_point_khr done = 77;
    memset(&error, 0x55, sizeof error);
    refusal_check(expected, tally_op_record(op, into, queue, binding, count, list, &done, &error),
                  &error);
    ck_assert_uint_eq(done, 77);
    ck_assert_int_eq(tally_op_record(op, into, queue, binding, count, list, NULL, NULL),
                     expected.status);
}

static void refuse(tally_op *op, tally_binding binding, refusal expected) {
    refuse_call(op, commands, fixture_get()->queue, &binding, 0, NULL, expected);
}

START_TEST(null_arguments) {
    if (!replay_offered())
        return;
    const tally_binding binding = bound_binding();
    cl_command_queue queue = fixture_get()->queue;
    refuse_call(NULL, commands, queue, &binding, 0, NULL, INVALID("operator", "NULL"));
    refuse_call(bound.reduce, NULL, queue, &binding, 0, NULL, INVALID("command buffer", "NULL"));
    refuse_call(bound.reduce, commands, NULL, &binding, 0, NULL, INVALID("queue", "NULL"));
    refuse_call(bound.reduce, commands, queue, NULL, 0, NULL, INVALID("binding", "NULL"));
}
END_TEST

START_TEST(wait_lists) {
    if (!replay_offered())
        return;
    const tally_binding binding = bound_binding();
    const cl_sync_point_khr point = 1;
    cl_command_queue queue = fixture_get()->queue;
    refuse_call(bound.scan, commands, queue, &binding, 2, NULL,
                INVALID("wait_count is 2", "wait_list is NULL"));
    refuse_call(bound.scan, commands, queue, &binding, 0, &point,
                INVALID("wait_count is 0", "not NULL"));
}
END_TEST

/* What an enqueue refuses of its memory: test_errors_enqueue.c has all of it. */
START_TEST(bindings) {
    if (!replay_offered())
        return;
    tally_binding binding = bound_binding();
    binding.input.buffer = NULL;
    refuse(bound.reduce, binding, INVALID("input", "NULL", "20000"));
    binding = bound_binding();
    binding.output.offset = 1;
    refuse(bound.fill, binding, INVALID("output", "offset of 1", "4"));
    binding = bound_binding();
    binding.scratch.offset += TALLY_SCRATCH_ALIGNMENT * 1000;
    refuse(bound.reduce, binding, INVALID("scratch needs", "offset"));
    binding = bound_binding();
    binding.output = binding.input;
    refuse(bound.reduce, binding, INVALID("input", "overlaps", "output"));
}
END_TEST

/* A queue of the right context and device that the command buffer was not created with. */
START_TEST(other_queues) {
    if (!replay_offered())
        return;
    const tally_binding binding = bound_binding();
    cl_command_queue other = fixture_make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    refuse_call(bound.scan, commands, other, &binding, 0, NULL, INVALID("queue is none of the 1"));
    clReleaseCommandQueue(other);
}
END_TEST

/* Of another context: the queue, then the command buffer. */
START_TEST(other_contexts) {
    if (!replay_offered())
        return;
    const tally_binding binding = bound_binding();
    const cl_device_id device = fixture_get()->device;
    cl_int code = CL_SUCCESS;
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
    fixture_check(code);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
    fixture_check(code);
    cl_command_buffer_khr foreign = replay_create(queue);
    refuse_call(bound.scan, commands, queue, &binding, 0, NULL,
                INVALID("queue", "another context"));
    refuse_call(bound.scan, foreign, queue, &binding, 0, NULL, INVALID("queue", "another context"));
    refuse_call(bound.scan, foreign, fixture_get()->queue, &binding, 0, NULL,
                INVALID("queue is none of the 1"));
    replay_release(foreign);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
}
END_TEST

/* One that is finalized takes no more, before its replay and after. */
START_TEST(finalized_command_buffers) {
    if (!replay_offered())
        return;
    const tally_binding binding = bound_binding();
    cl_command_buffer_khr closed = commands;
    cl_command_queue queue = fixture_get()->queue;
    record_barrier();
    replay_finalize(closed);
    refuse_call(bound.scan, closed, queue, &binding, 0, NULL,
                INVALID("command buffer is in state 1", "finalized"));
    replay_run(closed);
    refuse_call(bound.scan, closed, queue, &binding, 0, NULL,
                INVALID("command buffer is in state 1", "finalized"));
    replay_release(closed);
    commands = replay_create(queue);
}
END_TEST

/* Other memory: a device without it says why, PoCL 3.1 among them; one with it wants the flag. */
START_TEST(updates) {
    if (!replay_offered())
        return;
    const tally_binding binding = bound_binding();
    tally_recording recording = TALLY_RECORDING_INIT;
    tally_recorded *made = (tally_recorded *)(void *)&recording;
    cl_sync_point_khr done = 77;
    tally_error error;
    fixture_ok(tally_runtime_recording(fixture_get()->runtime, &recording, &error), &error,
               "tally_runtime_recording");
    const tally_status status = tally_op_record_updatable(
        bound.scan, commands, fixture_get()->queue, &binding, 0, NULL, &done, &made, &error);
    ck_assert_int_eq(recording.updatable, recording.update_reason[0] == '\0');
    if (recording.updatable)
        refusal_check(INVALID("not created with CL_COMMAND_BUFFER_MUTABLE_KHR"), status, &error);
    else
        refusal_check(UNSUPPORTED(recording.update_reason), status, &error);
    if (recording.update_version == 0)
        ck_assert_ptr_nonnull(
            strstr(recording.update_reason,
                   "the device cannot give recordings other memory: its "
                   "extensions do not have cl_khr_command_buffer_mutable_dispatch"));
    ck_assert_ptr_null(made);
    ck_assert_uint_eq(done, 77);
    refusal_check(INVALID("what was recorded is NULL"),
                  tally_recorded_update(&made, &binding, 1, &error), &error);
}
END_TEST

START_TEST(questions) {
    if (!replay_offered())
        return;
    tally_recording recording = TALLY_RECORDING_INIT;
    tally_runtime *runtime = fixture_get()->runtime;
    tally_error error;
    refusal_check(INVALID("runtime", "NULL"), tally_runtime_recording(NULL, &recording, &error),
                  &error);
    refusal_check(INVALID("tally_recording", "NULL"),
                  tally_runtime_recording(runtime, NULL, &error), &error);
    recording.struct_size = 3;
    refusal_check(INVALID("tally_recording", "3"),
                  tally_runtime_recording(runtime, &recording, &error), &error);
    recording.struct_size = sizeof recording;
    fixture_ok(tally_runtime_recording(runtime, &recording, &error), &error, "recording");
    ck_assert_msg(recording.supported, "these tests need command buffers: %s", recording.reason);
    ck_assert_str_eq(recording.reason, "");
    ck_assert_uint_ge(recording.version, 9u << 12);
}
END_TEST

Suite *suite_errors_record(void) {
    Suite *suite = suite_create("errors_record");
    TCase *refusals = tcase_create("refusals");
    tcase_add_checked_fixture(refusals, open_commands, close_commands);
    tcase_add_test(refusals, null_arguments);
    tcase_add_test(refusals, wait_lists);
    tcase_add_test(refusals, bindings);
    tcase_add_test(refusals, other_queues);
    tcase_add_test(refusals, other_contexts);
    tcase_add_test(refusals, finalized_command_buffers);
    tcase_add_test(refusals, updates);
    tcase_add_test(refusals, questions);
    suite_add_tcase(suite, refusals);
    return suite;
}
