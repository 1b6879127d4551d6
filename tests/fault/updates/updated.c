/*
 * updated.c: operators on the fixture's device, recorded and replayed.
 */
#include "updated.h"

#include "fault/layer/layer.h"
#include "support/fixtures/replay.h"

layer_updates updated_offer(uint32_t version) {
    const layer_updates what = {
        .listed = true, .version = version, .able = LAYER_ARGUMENTS, .flags = LAYER_MUTABLE};
    return what;
}

stage updated_open(const subject *what, cl_command_queue_properties order) {
    stage at = {.what = what, .queue = fixture_make_queue(order)};
    stage_make_op(&at);
    return at;
}

void updated_close(stage *at) {
    stage_release_op(at);
    clReleaseCommandQueue(at->queue);
    layer_offer_updates((layer_updates){0});
}

tally_recorded *updated_record(const stage *at, cl_command_buffer_khr commands,
                               const memories *with) {
    const tally_binding binding = memories_binding(with);
    tally_recorded *made = NULL;
    cl_sync_point_khr done = 0;
    tally_error error;
    fixture_ok(tally_op_record_updatable(at->op, commands, at->queue, &binding, 0, NULL, &done,
                                         &made, &error),
               &error, at->what->name);
    ck_assert_ptr_nonnull(made);
    return made;
}

void updated_update(tally_recorded *recorded, const memories *with) {
    const tally_binding binding = memories_binding(with);
    tally_error error;
    fixture_ok(tally_recorded_update(&recorded, &binding, 1, &error), &error, with->what->name);
}

void updated_check(cl_command_buffer_khr commands, const memories *all, int count, int which) {
    for (int i = 0; i < count; i++)
        memories_spoil(&all[i]);
    replay_run(commands);
    for (int i = 0; i < count; i++)
        if (i == which)
            memories_check(&all[i]);
        else
            memories_check_unused(&all[i]);
}

static void release_programs(void) {
    layer_heal();
    layer_offer_updates((layer_updates){0});
    layer_release_programs();
}

TCase *updated_add_case(Suite *suite, const char *name) {
    TCase *tests = tcase_create(name);
    tcase_set_timeout(tests, 0); /* what hangs is ended by ctest */
    tcase_add_checked_fixture(tests, NULL, layer_heal);
    tcase_add_unchecked_fixture(tests, NULL, release_programs);
    suite_add_tcase(suite, tests);
    return tests;
}
