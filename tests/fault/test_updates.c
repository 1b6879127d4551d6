/*
 * test_updates.c: recordings that are given other memory, on a platform that the layer gives
 * cl_khr_command_buffer_mutable_dispatch in one version and another: what comes out of replays
 * before and after, for each way of launching; what devices say that can't; who releases what when.
 */
#include <check.h>
#include <pthread.h>
#include <string.h>

#include "layer/layer.h"
#include "layer/layer_commands.h"
#include "layer/layer_device.h"
#include "layer/layer_updates.h"
#include "memories.h"
#include "stage.h"
#include "support/fixtures/replay.h"
#include "support/refusal.h"

Suite *suite_updates(void);

#define V(minor, patch) ((minor) << 12 | (patch))
static const uint32_t forms[] = {V(9, 0), V(9, 1), V(9, 2), V(9, 5)};
#define FORMS ((int)(sizeof forms / sizeof forms[0]))
static const cl_command_queue_properties orders[] = {0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE};

static layer_updates offer_of(uint32_t version) {
    const layer_updates what = {
        .listed = true, .version = version, .able = LAYER_ARGUMENTS, .flags = LAYER_MUTABLE};
    return what;
}

/* An operator, and a queue; memory comes later. */
static stage open_op(const subject *what, cl_command_queue_properties order) {
    stage at = {.what = what, .queue = fixture_make_queue(order)};
    stage_make_op(&at);
    return at;
}

static void close_op(stage *at) {
    stage_release_op(at);
    clReleaseCommandQueue(at->queue);
    layer_offer_updates((layer_updates){0});
}

static tally_recorded *record(const stage *at, cl_command_buffer_khr commands,
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

static void update(tally_recorded *recorded, const memories *with) {
    const tally_binding binding = memories_binding(with);
    tally_error error;
    fixture_ok(tally_recorded_update(&recorded, &binding, 1, &error), &error, with->what->name);
}

/* A replay has this one of several sets, and no other. */
static void check_replay(cl_command_buffer_khr commands, const memories *all, int count,
                         int which) {
    for (int i = 0; i < count; i++)
        memories_spoil(&all[i]);
    replay_run(commands);
    for (int i = 0; i < count; i++)
        if (i == which)
            memories_check(&all[i]);
        else
            memories_check_unused(&all[i]);
}

/* ---- Every way of launching ------------------------------------------------------------------ */

/* Record with the first set, and go from one to the next, some of them twice. */
static void check_sets(stage *at, const memories *sets, int count) {
    static const int turns[] = {1, 2, 2, 0, 1};
    cl_command_buffer_khr commands = replay_create(at->queue);
    tally_recorded *recorded = record(at, commands, &sets[0]);
    replay_finalize(commands);
    check_replay(commands, sets, count, 0);
    for (size_t i = 0; i < sizeof turns / sizeof turns[0]; i++) {
        update(recorded, &sets[turns[i] % count]);
        check_replay(commands, sets, count, turns[i] % count);
        check_replay(commands, sets, count, turns[i] % count); /* it is there to stay */
    }
    replay_release(commands);
    tally_recorded_release(recorded);
}

/* In one version, one way: as many updates as check_sets has turns, all in the version's form. */
static void check_updates(const subject *what, uint32_t version, cl_command_queue_properties order,
                          bool in_place, uint64_t seed) {
    const uint64_t before[] = {layer_chains(), layer_lists()};
    layer_offer_updates(offer_of(version));
    stage at = open_op(what, order);
    const memories_way ways[] = {{16, MEMORY_BUFFER, false, in_place},
                                 {132, MEMORY_BUFFER, false, in_place},
                                 {24, MEMORY_SVM_FINE, false, in_place}};
    memories sets[3];
    for (int i = 0; i < 3; i++)
        sets[i] = memories_make(what, at.op, seed + (uint64_t)i, ways[i]);
    check_sets(&at, sets, 3);
    for (int i = 0; i < 3; i++)
        memories_free(&sets[i]);
    const bool chained = version < V(9, 2), empty = subject_outputs(what) == 0;
    ck_assert_uint_eq(layer_chains() - before[0], chained && !empty ? 5 : 0);
    ck_assert_uint_eq(layer_lists() - before[1], !chained && !empty ? 5 : 0);
    close_op(&at);
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
    layer_offer_updates(offer_of(forms[_i]));
    layer_set_device((layer_device){.has_usm = true, .has_usm_calls = true});
    stage at = open_op(&subjects[of[_i % 3]], 0);
    const memories_way ways[] = {{16, MEMORY_SVM_FINE, true, false},
                                 {0, MEMORY_BUFFER, false, false}};
    memories sets[2];
    for (int i = 0; i < 2; i++)
        sets[i] = memories_make(at.what, at.op, (uint64_t)(i + 77), ways[i]);
    check_sets(&at, sets, 2);
    for (int i = 0; i < 2; i++)
        memories_free(&sets[i]);
    close_op(&at);
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
    layer_offer_updates(offer_of(V(9, 5)));
    stage at = open_op(&subjects[crossings[_i / 2]], 0);
    memories sets[] = {
        memories_make(at.what, at.op, 5, (memories_way){.in_place = first_in_place}),
        memories_make(at.what, at.op, 6, (memories_way){.in_place = !first_in_place})};
    const tally_binding other = memories_binding(&sets[1]);
    cl_command_buffer_khr commands = replay_create(at.queue);
    tally_recorded *recorded = record(&at, commands, &sets[0]);
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
    check_replay(commands, sets, 2, both ? 1 : 0);
    replay_release(commands);
    tally_recorded_release(recorded);
    memories_free(&sets[0]);
    memories_free(&sets[1]);
    close_op(&at);
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
    layer_updates offer = offer_of(forms[_i]);
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
        recorded[k] = record(&at[k], commands, &sets[k][0]);
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
        check_replay(commands, sets[k], 2, 0);
    offer.refused = 0;
    layer_change_updates(offer);
    fixture_ok(tally_recorded_update(&recorded[1], &bindings[1], 2, &error), &error, "two");
    for (int k = 0; k < COUNT; k++)
        check_replay(commands, sets[k], 2, k > 0);
    fixture_ok(tally_recorded_update(recorded, bindings, COUNT, &error), &error, "three");
    ck_assert_uint_eq(layer_chains() + layer_lists(), before + 3);
    for (int k = 0; k < COUNT; k++)
        check_replay(commands, sets[k], 2, 1);
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

/* ---- Threads --------------------------------------------------------------------------------- */

enum { THREADS = 4, ROUNDS = 8 };

typedef struct worker {
    pthread_t thread;
    tally_recorded *recorded;
    tally_binding binding[2];
    cl_command_buffer_khr commands;
    memories sets[2];
    tally_error error; /* of the first call that failed */
} worker;

static void *work(void *given) {
    worker *it = given;
    tally_status status = TALLY_OK;
    for (int i = 0; i < ROUNDS && status == TALLY_OK; i++)
        status = tally_recorded_update(&it->recorded, &it->binding[(i + 1) % 2], 1, &it->error);
    return NULL;
}

/* Recordings of one operator, each in a command buffer of its own. */
START_TEST(threads_update_recordings_of_one_operator) {
    static worker workers[THREADS];
    layer_offer_updates(offer_of(V(9, 5)));
    stage at = open_op(&subjects[_i == 0 ? 4 : 15], 0);
    for (int k = 0; k < THREADS; k++) {
        worker *it = &workers[k];
        *it = (worker){.commands = replay_create(at.queue)};
        for (int i = 0; i < 2; i++) {
            it->sets[i] = memories_make(at.what, at.op, (uint64_t)(k * 2 + i), (memories_way){0});
            it->binding[i] = memories_binding(&it->sets[i]);
        }
        it->recorded = record(&at, it->commands, &it->sets[1]);
        replay_finalize(it->commands);
    }
    for (int k = 0; k < THREADS; k++)
        ck_assert_int_eq(pthread_create(&workers[k].thread, NULL, work, &workers[k]), 0);
    for (int k = 0; k < THREADS; k++) {
        ck_assert_int_eq(pthread_join(workers[k].thread, NULL), 0);
        ck_assert_str_eq(workers[k].error.message, "");
    }
    for (int k = 0; k < THREADS; k++) {
        check_replay(workers[k].commands, workers[k].sets, 2, 0);
        replay_release(workers[k].commands);
        tally_recorded_release(workers[k].recorded);
        memories_free(&workers[k].sets[0]);
        memories_free(&workers[k].sets[1]);
    }
    close_op(&at);
}
END_TEST

/* ---- Lifetime -------------------------------------------------------------------------------- */

/* What goes when: the operator's holds of the caller's, the command buffer, what was recorded. */
static const char *const lives[] = {"uc", "ocu", "ouc", "cou", "cuo", "uco"};
#define LIVES ((int)(sizeof lives / sizeof lives[0]))

/*
 * While the command buffer is there, so is the operator, by the caller's hold or by what was
 * recorded; a replay has the updated memory. At the end the library holds nothing.
 */
START_TEST(releases_in_any_order) {
    const layer_balance before = layer_take_balance();
    layer_offer_updates(offer_of(V(9, 5)));
    stage at = open_op(&subjects[_i % 2 == 0 ? 15 : 4], 0);
    memories sets[] = {memories_make(at.what, at.op, 1, (memories_way){0}),
                       memories_make(at.what, at.op, 2, (memories_way){0})};
    cl_command_buffer_khr commands = replay_create(at.queue);
    tally_recorded *recorded = record(&at, commands, &sets[0]);
    bool updated = false;
    replay_finalize(commands);
    for (const char *next = lives[_i / 2]; *next != '\0'; next++) {
        if (*next == 'o')
            stage_release_op(&at);
        if (recorded != NULL && commands != NULL && (*next == 'o' || *next == 'u')) {
            update(recorded, &sets[1]);
            updated = true;
        }
        if (*next == 'u') {
            tally_recorded_release(recorded);
            recorded = NULL;
        }
        if (commands != NULL && (*next != 'u' || at.op != NULL))
            check_replay(commands, sets, 2, updated);
        if (*next == 'c') {
            replay_release(commands);
            commands = NULL;
        }
    }
    if (commands != NULL)
        replay_release(commands);
    memories_free(&sets[0]);
    memories_free(&sets[1]);
    close_op(&at);
    const layer_balance after = layer_take_balance();
    const char *difference = layer_compare(&before, &after);
    ck_assert_msg(difference == NULL, "'%s': %s", lives[_i / 2], difference);
}
END_TEST

/* ---- Other devices --------------------------------------------------------------------------- */

/* What devices say, and what is said of them. */
static const struct offer_row {
    layer_offer commands;
    uint32_t commands_version;
    layer_updates updates;
    const char *words; /* of the reason; "": recordings can be updated */
} rows[] = {
#define QUESTION "clGetDeviceInfo(CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES_KHR) failed with "
#define ROW(version, ...)                                                                          \
    { OFFER_AS_IT_IS, 0, {true, version, 15, .flags = LAYER_MUTABLE}, __VA_ARGS__ }
    ROW(V(9, 0), ""),
    ROW(V(9, 1), ""),
    ROW(V(9, 2), ""),
    ROW(V(9, 5), ""),
    ROW(V(8, 9), "version 0.8.9 of cl_khr_command_buffer_mutable_dispatch"),
    ROW(V(9, 6), "0.9.6 of cl_khr_command_buffer_mutable_dispatch, but this version of Tally knows "
                 "0.9.0 to 0.9.5"),
    ROW(1u << 22, "version 1.0.0 of cl_khr_command_buffer_mutable_dispatch"),
    ROW(0, "cl_khr_command_buffer_mutable_dispatch but does not say of which version"),
    {OFFER_AS_IT_IS,
     0,
     {.listed = false},
     "its extensions do not have cl_khr_command_buffer_mutable"},
    {OFFER_AS_IT_IS, 0, {true, V(9, 1), 7, .flags = 2}, "its capabilities are 0x7"},
#define REFUSED(code, words)                                                                       \
    {                                                                                              \
        OFFER_AS_IT_IS, 0, {true, V(9, 1), 15, .able_code = (code), .flags = LAYER_MUTABLE},       \
            QUESTION words                                                                         \
    }
    REFUSED(CL_INVALID_VALUE, "CL_INVALID_VALUE (-30)"),
    REFUSED(CL_INVALID_OPERATION, "CL_INVALID_OPERATION (-59)"),
    REFUSED(CL_MAP_FAILURE, "a code that is not known here (-12)"),
    REFUSED(-9999, "an unknown code, perhaps as an earlier command broke the context (-9999)"),
    {OFFER_AS_IT_IS, 0, {true, V(9, 4), 15, .lacks_call = true}, "no clUpdateMutableCommandsKHR"},
    {OFFER_NONE, 0, {true, V(9, 1), 15, .flags = 2}, "the device has no command buffers"},
    {OFFER_NO_LIST, 0, {true, V(9, 1), 15, .flags = 2}, "does not say of which version"},
    {OFFER_VERSION, V(9, 9), {true, V(9, 5), 15, .flags = 2}, "0.9.9 of cl_khr_command_buffer,"},
    {OFFER_VERSION, V(9, 8), {true, V(9, 5), 15, .flags = 2}, ""},
};
#define ROWS ((int)(sizeof rows / sizeof rows[0]))

START_TEST(versions) {
    const struct offer_row *row = &rows[_i];
    const bool updatable = row->words[0] == '\0';
    layer_offer_commands(row->commands, row->commands_version);
    layer_offer_updates(row->updates);
    stage at = open_op(&subjects[5], 0);
    memories with = memories_make(at.what, at.op, 3, (memories_way){0});
    const tally_binding binding = memories_binding(&with);
    tally_recording recording = TALLY_RECORDING_INIT;
    tally_recorded *recorded = NULL;
    tally_error error;
    cl_command_buffer_khr commands = replay_create(at.queue);
    fixture_ok(tally_runtime_recording(at.runtime, &recording, &error), &error, "recording");
    ck_assert_int_eq(recording.updatable, updatable);
    ck_assert_msg(strstr(recording.update_reason, row->words) != NULL, "no '%s' in '%s'",
                  row->words, recording.update_reason);
    ck_assert_int_eq(recording.update_reason[0] == '\0', updatable);
    if (row->commands == OFFER_AS_IT_IS) {
        ck_assert(recording.supported);
        ck_assert_uint_eq(recording.update_version, row->updates.listed ? row->updates.version : 0);
    }
    const tally_status status = tally_op_record_updatable(at.op, commands, at.queue, &binding, 0,
                                                          NULL, NULL, &recorded, &error);
    if (updatable)
        fixture_ok(status, &error, "tally_op_record_updatable");
    else
        refusal_check(UNSUPPORTED(row->words), status, &error);
    ck_assert_int_eq(recorded != NULL, updatable);
    if (recording.supported) /* the other way to record is as good as ever */
        fixture_ok(tally_op_record(at.op, commands, at.queue, &binding, 0, NULL, NULL, &error),
                   &error, "tally_op_record");
    replay_release(commands);
    tally_recorded_release(recorded);
    memories_free(&with);
    layer_offer_commands(OFFER_AS_IT_IS, 0);
    close_op(&at);
}
END_TEST

/* Memory that is short is no answer to the question about updates: it is asked again. */
START_TEST(a_question_without_memory_is_asked_again) {
    static const cl_int codes[] = {CL_OUT_OF_HOST_MEMORY, CL_OUT_OF_RESOURCES};
    layer_updates offer = offer_of(V(9, 5));
    offer.able_code = codes[_i];
    layer_offer_updates(offer);
    stage at = open_op(&subjects[5], 0);
    tally_recording recording = TALLY_RECORDING_INIT;
    tally_error error;
    ck_assert_int_eq(tally_runtime_recording(at.runtime, &recording, &error), TALLY_OUT_OF_MEMORY);
    ck_assert_int_eq(error.cl_code, codes[_i]);
    ck_assert_ptr_nonnull(strstr(error.message, QUESTION));
    offer.able_code = CL_SUCCESS;
    layer_change_updates(offer);
    fixture_ok(tally_runtime_recording(at.runtime, &recording, &error), &error, "recording");
    ck_assert(recording.supported && recording.updatable);
    close_op(&at);
}
END_TEST

static void release_programs(void) {
    layer_heal();
    layer_offer_updates((layer_updates){0});
    layer_release_programs();
}

static TCase *add_case(Suite *suite, const char *name) {
    TCase *tests = tcase_create(name);
    tcase_set_timeout(tests, 0); /* what hangs is ended by ctest */
    tcase_add_checked_fixture(tests, NULL, layer_heal);
    tcase_add_unchecked_fixture(tests, NULL, release_programs);
    suite_add_tcase(suite, tests);
    return tests;
}

Suite *suite_updates(void) {
    Suite *suite = suite_create("updates");
    TCase *devices = add_case(suite, "versions");
    tcase_add_loop_test(devices, versions, 0, ROWS);
    tcase_add_loop_test(devices, a_question_without_memory_is_asked_again, 0, 2);
    TCase *memory = add_case(suite, "memory");
    tcase_add_loop_test(memory, replays_have_the_memory_of_the_update, 0, FORMS * subjects_count);
    tcase_add_loop_test(memory, updates_take_unified_shared_memory, 0, FORMS);
    tcase_add_loop_test(memory, in_place_and_out_of_place, 0, 2 * CROSSINGS);
    tcase_add_loop_test(memory, several_recordings_change_together, 0, FORMS);
    TCase *life = add_case(suite, "life");
    tcase_add_loop_test(life, threads_update_recordings_of_one_operator, 0, 2);
    tcase_add_loop_test(life, releases_in_any_order, 0, 2 * LIVES);
    return suite;
}
