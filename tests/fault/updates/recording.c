/*
 * recording.c: the recording, made before each test and replayed after it.
 */
#include "recording.h"

#include "fault/layer/layer.h"
#include "support/fixtures/replay.h"

recording on;

tally_status recording_record(cl_command_buffer_khr commands, const memories *with,
                              tally_recorded **recorded, tally_error *error) {
    const tally_binding binding = memories_binding(with);
    return tally_op_record_updatable(on.at.op, commands, on.at.queue, &binding, 0, NULL, NULL,
                                     recorded, error);
}

static void open_recording(void) {
    tally_error error;
    on.offer = (layer_updates){.listed = true,
                               .version = LAYER_VERSION(9, 5),
                               .able = LAYER_ARGUMENTS,
                               .flags = LAYER_MUTABLE};
    layer_offer_updates(on.offer);
    on.at = (stage){.what = &subjects[5], .queue = fixture_make_queue(0)};
    stage_make_op(&on.at);
    for (int i = 0; i < 2; i++)
        on.sets[i] = memories_make(on.at.what, on.at.op, (uint64_t)i, (memories_way){0});
    on.binding = memories_binding(&on.sets[1]);
    on.commands = replay_create(on.at.queue);
    fixture_ok(recording_record(on.commands, &on.sets[0], &on.recorded, &error), &error,
               "recording");
    replay_finalize(on.commands);
}

/* A replay has the memory that was recorded: nothing was changed. */
static void close_recording(void) {
    memories_spoil(&on.sets[0]);
    memories_spoil(&on.sets[1]);
    replay_run(on.commands);
    memories_check(&on.sets[0]);
    memories_check_unused(&on.sets[1]);
    replay_release(on.commands);
    tally_recorded_release(on.recorded);
    memories_free(&on.sets[0]);
    memories_free(&on.sets[1]);
    stage_release_op(&on.at);
    clReleaseCommandQueue(on.at.queue);
    layer_offer_updates((layer_updates){0});
    layer_heal();
}

static void release_programs(void) {
    layer_heal();
    layer_release_programs();
}

TCase *recording_add_case(Suite *suite, const char *name) {
    TCase *tests = tcase_create(name);
    tcase_set_timeout(tests, 0); /* what hangs is ended by ctest */
    tcase_add_unchecked_fixture(tests, NULL, release_programs);
    tcase_add_checked_fixture(tests, open_recording, close_recording);
    suite_add_tcase(suite, tests);
    return tests;
}
