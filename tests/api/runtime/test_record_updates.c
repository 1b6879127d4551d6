/*
 * test_record_updates.c: recordings that are given other memory, on a device that has
 * cl_khr_command_buffer_mutable_dispatch itself: a replay gives the bits of an enqueue on the
 * memory of the last update. What platforms of other versions do is tested in tests/fault, with a
 * platform that has none.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/descriptions/shape.h"
#include "support/fixtures/image.h"
#include "support/fixtures/replay.h"
#include "support/fixtures/work.h"
#include "support/numbers/values.h"

Suite *suite_record_updates(void);

enum { SETS = 3, TERMS = 270000 };

/* Operators of float32 on one row, by the way in which they are launched. */
static const struct subject {
    const char *plan; /* in the plan's words */
    tally_family family;
    tally_single_pass single_pass;
    bool is_scan;
} subjects[] = {
    {"_closing", TALLY_FAMILY_GPU, TALLY_SINGLE_PASS_OFF, false},
    {"_last", TALLY_FAMILY_GENERIC, TALLY_SINGLE_PASS_OFF, false},
    {"_cpu_", TALLY_FAMILY_CPU, TALLY_SINGLE_PASS_OFF, true},
    {"_two_passes", TALLY_FAMILY_GPU, TALLY_SINGLE_PASS_OFF, true},
    {"_look_back", TALLY_FAMILY_GPU, TALLY_SINGLE_PASS_ON, true},
};
#define SUBJECTS ((int)(sizeof subjects / sizeof subjects[0]))

static bool offered(void) {
    tally_recording recording = TALLY_RECORDING_INIT;
    tally_error error;
    fixture_ok(tally_runtime_recording(fixture_get()->runtime, &recording, &error), &error,
               "tally_runtime_recording");
    if (!recording.updatable)
        printf("NOT RUN: updates of recordings: %s\n", recording.update_reason);
    return recording.updatable;
}

static tally_op *make_op(const struct subject *what) {
    tally_runtime *runtime = fixture_make_runtime_with(what->family, what->single_pass);
    const tally_reduce sum = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(1, TERMS), 1u << 1);
    const tally_cumulative scan = shape_scan(TALLY_SUM, TALLY_F32, SHAPE(1, TERMS), 1);
    tally_op *op = NULL;
    tally_error error;
    fixture_ok(what->is_scan ? tally_cumulative_create(runtime, &scan, &op, &error)
                             : tally_reduce_create(runtime, &sum, &op, &error),
               &error, what->plan);
    tally_runtime_release(runtime); /* an operator keeps it */
    ck_assert_msg(strstr(tally_op_describe(op), what->plan) != NULL, "no %s in:\n%s", what->plan,
                  tally_op_describe(op));
    return op;
}

/* ---- Memory ---------------------------------------------------------------------------------- */

typedef struct set {
    image in, out, scratch;
} set;

static set make_set(const struct subject *what, const tally_op *op, uint64_t seed, size_t first,
                    memory_kind kind) {
    set it = {.in = image_make(first, TERMS * sizeof(float), 0)};
    for (size_t i = 0; i < TERMS; i++) {
        const float x = (float)(values_random(&seed) >> 40) * 0x1p-20f - 7.0f;
        memcpy(it.in.bytes + first + i * sizeof x, &x, sizeof x);
    }
    it.out = image_make(first, (what->is_scan ? TERMS : 1) * sizeof(float), 0xA5);
    image_choose(&kind, 1);
    image_upload(&it.in);
    image_upload(&it.out);
    it.scratch = work_scratch(op);
    image_choose(NULL, 0);
    return it;
}

static void free_set(set *it) {
    image_free(&it->in);
    image_free(&it->out);
    image_free(&it->scratch);
}

static tally_binding binding_of(const set *it) {
    const tally_binding binding = {image_view(&it->in), image_view(&it->out),
                                   image_view(&it->scratch)};
    return binding;
}

/* What an enqueue leaves in the output. */
static unsigned char *enqueue(tally_op *op, const set *it) {
    image_restore(&it->out);
    cl_event done =
        work_enqueue(op, fixture_get()->queue, &it->in, &it->out, &it->scratch, 0, NULL);
    fixture_check(clWaitForEvents(1, &done));
    clReleaseEvent(done);
    return image_download(&it->out);
}

/* A replay leaves there what an enqueue does, and in the outputs of other sets nothing. */
static void check_replay(cl_command_buffer_khr commands, const set *sets, int which,
                         const unsigned char *wanted) {
    for (int i = 0; i < SETS; i++)
        image_restore(&sets[i].out);
    replay_run(commands);
    for (int i = 0; i < SETS; i++) {
        unsigned char *now = image_download(&sets[i].out);
        ck_assert_msg(memcmp(now, i == which ? wanted : sets[i].out.bytes, sets[i].out.size) == 0,
                      i == which ? "a replay has other bits than an enqueue"
                                 : "a replay wrote elsewhere");
        free(now);
    }
}

/* ---- Tests ----------------------------------------------------------------------------------- */

START_TEST(replays_have_the_memory_of_the_update) {
    static const int turns[] = {1, 2, 0, 2, 1};
    const struct subject *what = &subjects[_i / 2];
    if (!replay_offered() || !offered())
        return;
    const memory_kind kind = memory_has(MEMORY_SVM_COARSE) ? MEMORY_SVM_COARSE : MEMORY_BUFFER;
    cl_command_queue queue =
        fixture_make_queue(_i % 2 != 0 ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0);
    tally_op *op = make_op(what);
    set sets[SETS] = {make_set(what, op, 1, 16, MEMORY_BUFFER),
                      make_set(what, op, 2, 132, MEMORY_BUFFER), make_set(what, op, 3, 24, kind)};
    unsigned char *wanted[SETS];
    tally_binding binding = binding_of(&sets[0]);
    cl_command_buffer_khr commands = replay_create_updatable(queue);
    tally_recorded *recorded = NULL;
    tally_error error;
    for (int i = 0; i < SETS; i++)
        wanted[i] = enqueue(op, &sets[i]);
    fixture_ok(
        tally_op_record_updatable(op, commands, queue, &binding, 0, NULL, NULL, &recorded, &error),
        &error, what->plan);
    replay_finalize(commands);
    check_replay(commands, sets, 0, wanted[0]);
    for (size_t i = 0; i < sizeof turns / sizeof turns[0]; i++) {
        binding = binding_of(&sets[turns[i]]);
        fixture_ok(tally_recorded_update(&recorded, &binding, 1, &error), &error, what->plan);
        check_replay(commands, sets, turns[i], wanted[turns[i]]);
        check_replay(commands, sets, turns[i], wanted[turns[i]]);
    }
    replay_release(commands);
    tally_recorded_release(recorded);
    for (int i = 0; i < SETS; i++) {
        free_set(&sets[i]);
        free(wanted[i]);
    }
    tally_op_release(op);
    clReleaseCommandQueue(queue);
}
END_TEST

Suite *suite_record_updates(void) {
    Suite *suite = suite_create("record_updates");
    TCase *tests = tcase_create("memory");
    tcase_set_timeout(tests, 300);
    tcase_add_loop_test(tests, replays_have_the_memory_of_the_update, 0, 2 * SUBJECTS);
    suite_add_tcase(suite, tests);
    return suite;
}
