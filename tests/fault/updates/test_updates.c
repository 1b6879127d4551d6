/*
 * test_updates.c: recordings that are given other memory, in each form that the call for it has
 * had: what comes out of replays before and after, for each way of launching, and of several
 * recordings that change together.
 */
#include <check.h>
#include <string.h>

#include "fault/layer/layer.h"
#include "fault/layer/layer_device.h"
#include "support/fixtures/replay.h"
#include "support/refusal.h"
#include "updated.h"

Suite *suite_updates(void);

static const uint32_t forms[] = {LAYER_VERSION(9, 0), LAYER_VERSION(9, 1), LAYER_VERSION(9, 2),
                                 LAYER_VERSION(9, 5)};
#define FORMS ((int)(sizeof forms / sizeof forms[0]))
static const cl_command_queue_properties orders[] = {0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE};

/* ---- Every way of launching ------------------------------------------------------------------ */

/* Record with the first set, and go from one to the next, some of them twice. */
static void check_sets(stage *at, const memories *sets, int count) {
    static const int turns[] = {1, 2, 2, 0, 1};
    cl_command_buffer_khr commands = replay_create(at->queue);
    tally_recorded *recorded = updated_record(at, commands, &sets[0]);
    replay_finalize(commands);
    updated_check(commands, sets, count, 0);
    for (size_t i = 0; i < sizeof turns / sizeof turns[0]; i++) {
        updated_update(recorded, &sets[turns[i] % count]);
        updated_check(commands, sets, count, turns[i] % count);
        updated_check(commands, sets, count, turns[i] % count); /* it is there to stay */
    }
    replay_release(commands);
    tally_recorded_release(recorded);
}

/* In one version, one way: as many updates as check_sets has turns, all in the version's form. */
static void check_updates(const subject *what, uint32_t version, cl_command_queue_properties order,
                          bool in_place, uint64_t seed) {
    const uint64_t before[] = {layer_chains(), layer_lists()};
    layer_offer_updates(updated_offer(version));
    stage at = updated_open(what, order);
    const memories_way ways[] = {{16, MEMORY_BUFFER, false, in_place},
                                 {132, MEMORY_BUFFER, false, in_place},
                                 {24, MEMORY_SVM_FINE, false, in_place}};
    memories sets[3];
    for (int i = 0; i < 3; i++)
        sets[i] = memories_make(what, at.op, seed + (uint64_t)i, ways[i]);
    check_sets(&at, sets, 3);
    for (int i = 0; i < 3; i++)
        memories_free(&sets[i]);
    const bool chained = version < LAYER_VERSION(9, 2), empty = subject_outputs(what) == 0;
    ck_assert_uint_eq(layer_chains() - before[0], chained && !empty ? 5 : 0);
    ck_assert_uint_eq(layer_lists() - before[1], !chained && !empty ? 5 : 0);
    updated_close(&at);
}

/*
 * Buffers at other offsets, and shared virtual memory: every form of the call on queues of both
 * kinds, apart and, except for reductions, in place.
 */
START_TEST(replays_have_the_memory_of_the_update) {
    const subject *what = &subjects[_i / FORMS];
    const int orders_count = 2, ways = what->kind == SUBJECT_REDUCE ? 1 : 2;
    for (int k = 0; k < orders_count * ways; k++)
        check_updates(what, forms[_i % FORMS], orders[k % orders_count], k / orders_count != 0,
                      (uint64_t)(_i * 12 + k * 3 + 1));
}
END_TEST

/* Intel's memory, to which the extension has no list of its own. */
START_TEST(updates_take_unified_shared_memory) {
    static const int of[] = {3, 4, 15};
    layer_offer_updates(updated_offer(forms[_i]));
    layer_set_device((layer_device){.has_usm = true, .has_usm_calls = true});
    stage at = updated_open(&subjects[of[_i % 3]], 0);
    const memories_way ways[] = {{16, MEMORY_SVM_FINE, true, false},
                                 {0, MEMORY_BUFFER, false, false}};
    memories sets[2];
    for (int i = 0; i < 2; i++)
        sets[i] = memories_make(at.what, at.op, (uint64_t)(i + 77), ways[i]);
    check_sets(&at, sets, 2);
    for (int i = 0; i < 2; i++)
        memories_free(&sets[i]);
    updated_close(&at);
    layer_set_device((layer_device){0});
}
END_TEST

/* Of these subjects one plan serves both ways; of the last three each way has launches of
 * its own. */
static const int crossings[] = {9, 11, 13, 15, 12, 17, 18};
#define CROSSINGS ((int)(sizeof crossings / sizeof crossings[0]))
enum { CROSSINGS_OF_ONE_PLAN = 4 };

/* From out of place to in place and back: where launches differ, a sentence and nothing changed. */
START_TEST(in_place_and_out_of_place) {
    const bool first_in_place = _i % 2 != 0, both = _i / 2 < CROSSINGS_OF_ONE_PLAN;
    layer_offer_updates(updated_offer(LAYER_VERSION(9, 5)));
    stage at = updated_open(&subjects[crossings[_i / 2]], 0);
    memories sets[] = {
        memories_make(at.what, at.op, 5, (memories_way){.in_place = first_in_place}),
        memories_make(at.what, at.op, 6, (memories_way){.in_place = !first_in_place})};
    const tally_binding other = memories_binding(&sets[1]);
    cl_command_buffer_khr commands = replay_create(at.queue);
    tally_recorded *recorded = updated_record(&at, commands, &sets[0]);
    tally_error error;
    replay_finalize(commands);
    const tally_status status = tally_recorded_update(&recorded, &other, 1, &error);
    if (both)
        fixture_ok(status, &error, at.what->name);
    else
        refusal_check(INVALID(first_in_place ? "recorded for input and output in place"
                                             : "recorded for input and output that lie apart",
                              "record it anew"),
                      status, &error);
    updated_check(commands, sets, 2, both ? 1 : 0);
    replay_release(commands);
    tally_recorded_release(recorded);
    memories_free(&sets[0]);
    memories_free(&sets[1]);
    updated_close(&at);
}
END_TEST

/* ---- Several recordings ---------------------------------------------------------------------- */

/*
 * Two launches, a board, a fill: all are changed by one call of the driver's, or some of them, or,
 * where one of them is refused by the library or the driver, none.
 */
START_TEST(several_recordings_change_together) {
    static const int of[] = {5, 15, 18};
    enum { COUNT = 3 };
    layer_updates offer = updated_offer(forms[_i]);
    stage at[COUNT];
    memories sets[COUNT][2];
    tally_recorded *recorded[COUNT];
    tally_binding bindings[COUNT];
    tally_error error;
    layer_offer_updates(offer);
    cl_command_queue queue = fixture_make_queue(0);
    cl_command_buffer_khr commands = replay_create(queue);
    for (int k = 0; k < COUNT; k++) {
        at[k] = (stage){.what = &subjects[of[k]], .queue = queue};
        stage_make_op(&at[k]);
        for (int i = 0; i < 2; i++)
            sets[k][i] = memories_make(at[k].what, at[k].op, (uint64_t)(9 * k + i),
                                       (memories_way){.first = (size_t)i * 8});
        recorded[k] = updated_record(&at[k], commands, &sets[k][0]);
        bindings[k] = memories_binding(&sets[k][1]);
    }
    replay_finalize(commands);
    const uint64_t before = layer_chains() + layer_lists();
    tally_binding wrong[COUNT] = {bindings[0], bindings[1], bindings[2]};
    wrong[1].output.offset = 3;
    refusal_check(INVALID("recording 2 of 3: ", "output", "offset of 3"),
                  tally_recorded_update(recorded, wrong, COUNT, &error), &error);
    ck_assert_uint_eq(layer_chains() + layer_lists(), before);
    offer.refused = 3;
    layer_change_updates(offer);
    ck_assert_int_eq(tally_recorded_update(recorded, bindings, COUNT, &error), TALLY_DEVICE_ERROR);
    ck_assert_ptr_nonnull(strstr(error.message, "clUpdateMutableCommandsKHR"));
    for (int k = 0; k < COUNT; k++)
        updated_check(commands, sets[k], 2, 0);
    offer.refused = 0;
    layer_change_updates(offer);
    fixture_ok(tally_recorded_update(&recorded[1], &bindings[1], 2, &error), &error, "two");
    for (int k = 0; k < COUNT; k++)
        updated_check(commands, sets[k], 2, k > 0);
    fixture_ok(tally_recorded_update(recorded, bindings, COUNT, &error), &error, "three");
    ck_assert_uint_eq(layer_chains() + layer_lists(), before + 3);
    for (int k = 0; k < COUNT; k++)
        updated_check(commands, sets[k], 2, 1);
    replay_release(commands);
    for (int k = 0; k < COUNT; k++) {
        tally_recorded_release(recorded[k]);
        for (int i = 0; i < 2; i++)
            memories_free(&sets[k][i]);
        stage_release_op(&at[k]);
    }
    clReleaseCommandQueue(queue);
    layer_offer_updates((layer_updates){0});
}
END_TEST

Suite *suite_updates(void) {
    Suite *suite = suite_create("updates");
    TCase *memory = updated_add_case(suite, "memory");
    tcase_add_loop_test(memory, replays_have_the_memory_of_the_update, 0, FORMS * subjects_count);
    tcase_add_loop_test(memory, updates_take_unified_shared_memory, 0, FORMS);
    tcase_add_loop_test(memory, in_place_and_out_of_place, 0, 2 * CROSSINGS);
    tcase_add_loop_test(memory, several_recordings_change_together, 0, FORMS);
    return suite;
}
