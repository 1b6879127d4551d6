/*
 * test_allocator.c: a runtime with an allocator of its caller's takes all of its host memory from
 * there and gives all of it back. Where there is none left, calls say so.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/endings.h"
#include "layer/layer.h"
#include "stage.h"
#include "support/fixtures/folder.h"
#include "support/fixtures/replay.h"

/* Blocks asked for, and those not given back yet. */
typedef struct ledger {
    uint64_t asked, held;
    uint64_t refused; /* the number of the block that there is no memory for; 0: none */
} ledger;

static void *allocate(void *user, size_t bytes) {
    ledger *of = user;
    ck_assert_uint_gt(bytes, 0);
    if (++of->asked == of->refused)
        return NULL;
    void *block = malloc(bytes);
    ck_assert_ptr_nonnull(block);
    memset(block, 0xA5, bytes);
    of->held++;
    return block;
}

static void give_back(void *user, void *block) {
    ledger *of = user;
    ck_assert_ptr_nonnull(block);
    ck_assert_uint_gt(of->held--, 0);
    free(block);
}

static tally_allocator allocator_of(ledger *counts) {
    return (tally_allocator){sizeof(tally_allocator), allocate, give_back, counts};
}

/* Blocks asked of the C library. */
static uint64_t count_c_library(void) {
    return layer_count(LAYER_malloc) + layer_count(LAYER_calloc) + layer_count(LAYER_realloc) +
           layer_count(LAYER_strdup);
}

static void ignore_text(void *user, const char *text) {
    (void)user;
    (void)text;
}

/* An operator whose last groups fold what all left. */
static const subject *find_closing(void) {
    for (int i = 0; i < subjects_count; i++)
        if (subjects[i].family == TALLY_FAMILY_GPU &&
            strcmp(subjects[i].name, "several steps") == 0)
            return &subjects[i];
    ck_abort_msg("there is no operator with closing groups");
    return NULL;
}

/* ---- A life ---------------------------------------------------------------------------------- */

/* All that a runtime may be used for, in order; each only if those before went well. */
static tally_status ask(stage *at, tally_error *error) {
    tally_numerics numerics = TALLY_NUMERICS_INIT;
    tally_scans scans = TALLY_SCANS_INIT;
    tally_recording recording = TALLY_RECORDING_INIT;
    tally_status status = tally_runtime_numerics(at->runtime, &numerics, error);
    if (status == TALLY_OK)
        status = tally_runtime_scans(at->runtime, &scans, error);
    return status == TALLY_OK ? tally_runtime_recording(at->runtime, &recording, error) : status;
}

/* Of a description of the runtime's own, which is warmed up. */
static tally_status explain(stage *at, tally_error *error) {
    tally_cumulative scan = TALLY_CUMULATIVE_INIT;
    tally_desc desc = TALLY_DESC_INIT;
    tally_estimate estimate = TALLY_ESTIMATE_INIT;
    const uint64_t size[] = {3, 300};
    scan.function = TALLY_SUM;
    scan.input = scan.output = tally_tensor_packed(TALLY_U32, 2, size);
    scan.axis = 1;
    desc.cumulative = &scan;
    tally_status status = tally_runtime_estimate(at->runtime, &desc, &estimate, error);
    if (status == TALLY_OK)
        status = tally_runtime_explain(at->runtime, &desc, true, ignore_text, NULL, error);
    return status == TALLY_OK ? tally_warm_up(at->runtime, &desc, 1, NULL, NULL, error) : status;
}

/* Into a command buffer that is thrown away. */
static tally_status record(stage *at, tally_error *error) {
    const tally_binding binding = {image_view(&at->input), image_view(&at->output),
                                   image_view(&at->scratch)};
    cl_command_buffer_khr commands = replay_create(at->queue);
    tally_status status =
        tally_op_record(at->op, commands, at->queue, &binding, 0, NULL, NULL, error);
    replay_release(commands);
    return status;
}

static tally_status use_op(stage *at, tally_error *error) {
    tally_scratch *scratch = NULL;
    tally_view view = TALLY_VIEW_INIT;
    tally_status status = subject_create(at->what, at->runtime, &at->op, error);
    if (status == TALLY_OK)
        status = tally_op_explain(at->op, true, ignore_text, NULL, error);
    if (status == TALLY_OK)
        status = tally_scratch_create(at->runtime, &scratch, error);
    if (status == TALLY_OK)
        status = tally_scratch_view(scratch, at->op, &view, error);
    if (status == TALLY_OK) {
        stage_fit_scratch(at);
        status = stage_enqueue(at, error);
    }
    if (status == TALLY_OK) {
        stage_check(at);
        status = record(at, error);
    }
    tally_scratch_release(scratch);
    return status;
}

static tally_status live(stage *at, bool asks, tally_error *error) {
    tally_status status = stage_make_runtime(at, &at->runtime, error);
    if (status == TALLY_OK && asks)
        status = ask(at, error);
    if (status == TALLY_OK)
        status = explain(at, error);
    if (status == TALLY_OK)
        status = use_op(at, error);
    stage_release_op(at);
    return status;
}

/* A folder for a cache, empty. */
static stage open_stage(const subject *what, char folder[FOLDER_PATH_BYTES],
                        tally_allocator *allocator) {
    stage at = stage_open(what, 0);
    folder_make(folder);
    at.cache_dir = folder;
    at.allocator = allocator;
    return at;
}

static void close_stage(stage *at) {
    folder_remove(at->cache_dir);
    stage_close(at);
    layer_release_programs();
}

/* ---- Tests ----------------------------------------------------------------------------------- */

/* The second life finds the cache that the first one filled. */
START_TEST(all_memory_is_the_allocators) {
    ledger counts = {0, 0, 0};
    tally_allocator allocator = allocator_of(&counts);
    char folder[FOLDER_PATH_BYTES];
    tally_error error;
    stage at = open_stage(&subject_of_trial, folder, &allocator);
    const uint64_t before = count_c_library();
    for (int lives = 0; lives < 2; lives++) {
        counts.asked = 0;
        fixture_ok(live(&at, true, &error), &error, "a life with an allocator");
        ck_assert_uint_gt(counts.asked, 20);
        ck_assert_uint_eq(counts.held, 0);
    }
    ck_assert_uint_eq(count_c_library(), before);
    close_stage(&at);
}
END_TEST

/* One block after the other is refused, until a life asks for fewer. */
START_TEST(refused_blocks_are_told_of) {
    ledger counts = {0, 0, 0};
    tally_allocator allocator = allocator_of(&counts);
    char folder[FOLDER_PATH_BYTES];
    tally_error error;
    uint64_t failures = 0;
    stage at = open_stage(find_closing(), folder, &allocator);
    fixture_ok(live(&at, false, &error), &error, "a life with an allocator");
    do {
        counts.asked = 0;
        counts.refused++;
        const tally_status status = live(&at, false, &error);
        ck_assert_msg(status == TALLY_OK || status == TALLY_OUT_OF_MEMORY, "block %llu: %s",
                      (unsigned long long)counts.refused, error.message);
        ck_assert_int_eq(error.fault, status == TALLY_OK ? TALLY_FAULT_NONE : TALLY_FAULT_HOST);
        ck_assert_uint_eq(counts.held, 0);
        failures += status != TALLY_OK;
    } while (counts.asked >= counts.refused);
    ck_assert_uint_gt(failures, 5);
    printf("fault: %llu of %llu refused blocks of an allocator failed a call\n",
           (unsigned long long)failures, (unsigned long long)counts.refused - 1);
    close_stage(&at);
}
END_TEST

/*
 * More enqueues under way than there are endings of an out-of-order queue: each further one waits
 * for one before it, by a list of events.
 */
START_TEST(lists_of_events_are_the_allocators) {
    ledger counts = {0, 0, 0};
    tally_allocator allocator = allocator_of(&counts);
    tally_error error;
    stage at = stage_open(find_closing(), CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    at.allocator = &allocator;
    stage_make_op(&at);
    stage_shut(&at);
    const uint64_t asked = counts.asked, held = counts.held, before = count_c_library();
    for (int i = 0; i <= TALLY_ENDINGS; i++) {
        if (i > 0)
            layer_release_event(at.done);
        fixture_ok(stage_enqueue(&at, &error), &error, "tally_op_enqueue");
    }
    ck_assert_uint_gt(counts.asked, asked);
    ck_assert_uint_eq(counts.held, held);
    ck_assert_uint_eq(count_c_library(), before);
    counts.refused = counts.asked + 1;
    cl_event done = at.done;
    ck_assert_int_eq(stage_enqueue(&at, &error), TALLY_OUT_OF_MEMORY);
    ck_assert_int_eq(error.fault, TALLY_FAULT_HOST);
    at.done = done;
    stage_let_go(&at);
    stage_check(&at);
    stage_release_op(&at);
    ck_assert_uint_eq(counts.held, 0);
    stage_close(&at);
    layer_release_programs();
}
END_TEST

/* The allocator may go once the runtime is made, but what it points to may not. */
START_TEST(allocators_are_copied) {
    ledger counts = {0, 0, 0};
    tally_allocator allocator = allocator_of(&counts);
    tally_error error;
    stage at = stage_open(&subjects[0], 0);
    at.allocator = &allocator;
    stage_make_op(&at);
    memset(&allocator, 0, sizeof allocator);
    fixture_ok(stage_enqueue(&at, &error), &error, "tally_op_enqueue");
    stage_check(&at);
    stage_release_op(&at);
    ck_assert_uint_eq(counts.held, 0);
    stage_close(&at);
    layer_release_programs();
}
END_TEST

START_TEST(half_an_allocator_is_refused) {
    static const struct {
        tally_allocator allocator;
        tally_status status;
        const char *words;
    } rows[] = {
        {{sizeof(tally_allocator), NULL, give_back, NULL}, TALLY_INVALID, "allocate is NULL"},
        {{sizeof(tally_allocator), allocate, NULL, NULL}, TALLY_INVALID, "release is NULL"},
        {{0, allocate, give_back, NULL}, TALLY_INVALID, "tally_allocator"},
    };
    stage at = stage_open(&subjects[0], 0);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        tally_error error;
        at.allocator = &rows[i].allocator;
        ck_assert_int_eq(stage_make_runtime(&at, &at.runtime, &error), rows[i].status);
        ck_assert_ptr_null(at.runtime);
        ck_assert_msg(strstr(error.message, rows[i].words) != NULL, "%s", error.message);
    }
    stage_close(&at);
    layer_release_programs();
}
END_TEST

Suite *suite_allocator(void);
Suite *suite_allocator(void) {
    Suite *suite = suite_create("allocator");
    TCase *tests = tcase_create("allocator");
    tcase_set_timeout(tests, 0);
    tcase_add_test(tests, all_memory_is_the_allocators);
    tcase_add_test(tests, refused_blocks_are_told_of);
    tcase_add_test(tests, lists_of_events_are_the_allocators);
    tcase_add_test(tests, allocators_are_copied);
    tcase_add_test(tests, half_an_allocator_is_refused);
    suite_add_tcase(suite, tests);
    return suite;
}
