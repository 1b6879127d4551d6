/*
 * test_update_refusals.c: what an updatable recording and an update refuse, by which sentence, and
 * that nothing is recorded or changed then.
 */
#include <check.h>
#include <string.h>

#include "fault/layer/layer.h"
#include "recording.h"
#include "support/fixtures/replay.h"
#include "support/refusal.h"

Suite *suite_update_refusals(void);

/* With an error struct and without; the driver is not called. */
static void refuse_all(tally_recorded *const *recorded, const tally_binding *bindings, size_t count,
                       refusal expected) {
    const uint64_t before = layer_count(LAYER_clUpdateMutableCommandsKHR);
    tally_error error;
    memset(&error, 0x55, sizeof error);
    refusal_check(expected, tally_recorded_update(recorded, bindings, count, &error), &error);
    ck_assert_int_eq(tally_recorded_update(recorded, bindings, count, NULL), expected.status);
    ck_assert_uint_eq(layer_count(LAYER_clUpdateMutableCommandsKHR), before);
}

static void refuse(refusal expected) {
    refuse_all(&on.recorded, &on.binding, 1, expected);
    on.binding = memories_binding(&on.sets[1]);
}

/* ---- Bindings -------------------------------------------------------------------------------- */

/* As an enqueue refuses them: tests/api/errors has all of it. */
START_TEST(bindings) {
    refuse_all(&on.recorded, NULL, 1, INVALID("the binding is NULL"));
    on.binding.input.buffer = NULL;
    refuse(INVALID("the input's buffer and pointer are NULL"));
    on.binding.output.buffer = NULL;
    refuse(INVALID("the output's buffer and pointer are NULL"));
    on.binding.scratch.buffer = NULL;
    refuse(INVALID("the scratch's buffer and pointer are NULL"));
    on.binding.input.pointer = on.sets;
    refuse(INVALID("the input has a buffer and a pointer"));
    on.binding.output.offset = 2;
    refuse(INVALID("the output's offset of 2 bytes"));
    on.binding.input.offset = on.sets[1].input.size;
    refuse(INVALID("the input needs", "its buffer has"));
    on.binding.scratch.offset = 8;
    refuse(INVALID("the scratch's offset of 8 bytes"));
    on.binding.output = on.binding.input;
    refuse(INVALID("the input's range", "overlaps the output's"));
    on.binding.scratch = on.binding.input;
    refuse(INVALID("overlaps the scratch's"));
    on.binding.output.reserved[1] = 7;
    refuse(UNSUPPORTED("the output's reserved members are 0 and 7"));
}
END_TEST

/* ---- Lists ----------------------------------------------------------------------------------- */

START_TEST(lists) {
    tally_error error;
    tally_recorded *other = NULL;
    cl_command_buffer_khr commands = replay_create(on.at.queue);
    fixture_ok(recording_record(commands, &on.sets[1], &other, &error), &error, "recording");
    tally_recorded *all[] = {on.recorded, NULL, other};
    const tally_binding both[] = {on.binding, on.binding, on.binding};
    refuse_all(NULL, both, 2, INVALID("the list of recordings is NULL, but has 2"));
    refuse_all(&all[1], both, 1, INVALID("what was recorded is NULL"));
    refuse_all(all, both, 2, INVALID("recording 2 of 2: what was recorded is NULL"));
    all[1] = on.recorded;
    refuse_all(all, both, 2, INVALID("recording 2 of 2: it is recording 1 once more"));
    all[1] = other;
    refuse_all(all, both, 2, INVALID("recording 2 of 2", "another command buffer"));
    fixture_ok(tally_recorded_update(NULL, NULL, 0, &error), &error, "an update of none");
    tally_recorded_release(other);
    tally_recorded_release(NULL);
    replay_release(commands);
}
END_TEST

/* ---- Command buffers ------------------------------------------------------------------------- */

START_TEST(recorded_into_still) {
    tally_error error;
    tally_recorded *other = NULL;
    cl_command_buffer_khr commands = replay_create(on.at.queue);
    fixture_ok(recording_record(commands, &on.sets[0], &other, &error), &error, "recording");
    refuse_all(&other, &on.binding, 1,
               INVALID("the command buffer is in state 0", "it is finalized"));
    tally_recorded_release(other);
    replay_release(commands);
}
END_TEST

/* A replay is pending: refused, unless the command buffer may have several at a time. */
START_TEST(pending) {
    on.offer.states_itself = true;
    on.offer.state = 2;
    layer_change_updates(on.offer);
    refuse(INVALID("the command buffer is in state 2", "a replay has not ended"));
    on.offer.flags |= LAYER_SIMULTANEOUS;
    layer_change_updates(on.offer);
    tally_error error;
    tally_recorded *other = NULL;
    on.offer.states_itself = false;
    layer_change_updates(on.offer);
    cl_command_buffer_khr commands = replay_create(on.at.queue);
    fixture_ok(recording_record(commands, &on.sets[0], &other, &error), &error, "recording");
    replay_finalize(commands);
    on.offer.states_itself = true;
    layer_change_updates(on.offer);
    fixture_ok(tally_recorded_update(&other, &on.binding, 1, &error), &error, "update");
    memories_spoil(&on.sets[1]);
    on.offer.states_itself = false;
    layer_change_updates(on.offer);
    replay_run(commands);
    memories_check(&on.sets[1]);
    replay_release(commands);
    tally_recorded_release(other);
}
END_TEST

static void refuse_recording(tally_op *op, cl_command_buffer_khr commands,
                             const tally_binding *binding, refusal expected) {
    tally_recorded *made = on.recorded;
    cl_sync_point_khr done = 77;
    tally_error error;
    const uint64_t before = layer_count(LAYER_clCommandNDRangeKernelKHR);
    refusal_check(expected,
                  tally_op_record_updatable(op, commands, on.at.queue, binding, 0, NULL, &done,
                                            &made, &error),
                  &error);
    ck_assert_ptr_null(made);
    ck_assert_uint_eq(done, 77);
    ck_assert_uint_eq(layer_count(LAYER_clCommandNDRangeKernelKHR), before);
}

/* Other flags, or no properties at all: one that does not change. And what every recording refuses.
 */
START_TEST(recordings) {
    static const cl_ulong flags[] = {0, LAYER_SIMULTANEOUS};
    cl_command_buffer_khr commands = replay_create(on.at.queue);
    tally_error error;
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++) {
        on.offer.flags = flags[i];
        layer_change_updates(on.offer);
        refuse_recording(on.at.op, commands, &on.binding,
                         INVALID("not created with CL_COMMAND_BUFFER_MUTABLE_KHR"));
    }
    on.offer.flags = LAYER_MUTABLE | LAYER_SIMULTANEOUS;
    layer_change_updates(on.offer);
    refuse_recording(NULL, commands, &on.binding, INVALID("the operator is NULL"));
    refuse_recording(on.at.op, NULL, &on.binding, INVALID("the command buffer is NULL"));
    refuse_recording(on.at.op, commands, NULL, INVALID("the binding is NULL"));
    refuse_recording(on.at.op, on.commands, &on.binding, INVALID("state 1", "finalized"));
    on.binding.output.offset = 1;
    refuse_recording(on.at.op, commands, &on.binding, INVALID("offset of 1"));
    refusal_check(INVALID("the place for what is recorded is NULL"),
                  recording_record(commands, &on.sets[1], NULL, &error), &error);
    tally_recorded *made = NULL;
    fixture_ok(recording_record(commands, &on.sets[1], &made, &error), &error, "recording");
    tally_recorded_release(made);
    replay_release(commands);
}
END_TEST

Suite *suite_update_refusals(void) {
    Suite *suite = suite_create("update_refusals");
    TCase *tests = recording_add_case(suite, "refusals");
    tcase_add_test(tests, bindings);
    tcase_add_test(tests, lists);
    tcase_add_test(tests, recorded_into_still);
    tcase_add_test(tests, pending);
    tcase_add_test(tests, recordings);
    return suite;
}
