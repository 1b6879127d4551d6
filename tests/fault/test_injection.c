/*
 * test_injection.c: every call that the library makes fails, the first, the second, the third of
 * each kind, alone and with all that follow; so does the host's memory. Each time the caller is
 * told what failed, nothing is leaked, and the next try gives the right bits. The last test prints
 * how many failures there were, and that no call of the library's was left out.
 */
#include <check.h>
#include <stdio.h>

#include "acts.h"
#include "api/operator.h"
#include "layer/layer_device.h"
#include "support/fixtures/folder.h"
#include "support/share.h"

/* ---- Runtimes -------------------------------------------------------------------------------- */

START_TEST(runtimes) {
    sweep_subject(&act_runtime, &subjects[_i], true);
}
END_TEST

START_TEST(runtimes_with_unified_shared_memory) {
    sweep_subject(&act_usm_runtime, &subjects[0], true);
}
END_TEST

/* Two questions may be unknown to a device: about float64, and about shared virtual memory. */
START_TEST(questions_that_devices_may_not_know) {
    stage at = stage_open(&subjects[0], 0);
    int known = 0;
    for (uint64_t nth = 1;; nth++) {
        tally_error error;
        layer_fail((layer_failure){LAYER_clGetDeviceInfo, nth, false, CL_INVALID_VALUE});
        const tally_status status = stage_make_runtime(&at, &at.runtime, &error);
        layer_heal();
        if (!layer_has_failed())
            break;
        known += status == TALLY_OK;
        if (status == TALLY_OK)
            ck_assert(!at.runtime->device.limits.has_f64 ||
                      at.runtime->device.pointers.svm.set == NULL);
        else
            ck_assert_int_eq(error.cl_code, CL_INVALID_VALUE);
        tally_runtime_release(at.runtime);
    }
    ck_assert_int_eq(known, 2);
    tally_runtime_release(at.runtime);
    stage_close(&at);
}
END_TEST

START_TEST(numerics) {
    sweep_subject(&act_numerics, &subjects[0], true);
}
END_TEST

START_TEST(single_pass_trials) {
    sweep_subject(&act_trial, &subject_of_trial, false);
}
END_TEST

/* Programs that do not compile, to which only other failures are added. */
START_TEST(compilers_complaints) {
    sweep_subject(&act_complaint, &subjects[0], true);
}
END_TEST

/* ---- Operators ------------------------------------------------------------------------------- */

START_TEST(operators) {
    sweep_subject(&act_operator, &subjects[_i], share_has((uint64_t)_i, 6));
}
END_TEST

/* Of an operator of several launches. */
START_TEST(explanations_and_scratch) {
    stage at = stage_open(&subjects[3], 0);
    sweep_all(&act_explain, &at, true);
    sweep_all(&act_scratch, &at, true);
    stage_close(&at);
}
END_TEST

/* The largest file of the cache. */
static void find_largest(void *user, const tally_cache_file *file) {
    uint64_t *most = user;
    *most = file->bytes > *most ? file->bytes : *most;
}

/* Fill the cache of the stage; the bytes of its largest file. */
static uint64_t fill_cache(stage *at) {
    uint64_t most = 0;
    tally_error error;
    stage_make_op(at);
    stage_release_op(at);
    fixture_ok(tally_cache_list(at->cache_dir, find_largest, &most, &error), &error, "cache");
    return most;
}

/*
 * With a cache on disk whose every call fails too: an empty one that has room for one file, so that
 * others have to go, and a full one, whose programs are loaded: the layer keeps none then.
 */
START_TEST(caches) {
    static const act *const acts[] = {&act_cold, &act_warm};
    char folder[FOLDER_PATH_BYTES];
    stage at = stage_open(&subjects[3], 0);
    folder_make(folder);
    at.cache_dir = folder;
    layer_keep_programs(acts[_i] == &act_cold);
    const uint64_t most = fill_cache(&at);
    at.cache_limit = acts[_i] == &act_cold ? most : 0;
    sweep_all(acts[_i], &at, false);
    layer_keep_programs(true);
    ck_assert_uint_eq(folder_count(folder, ".tmp"), 0);
    folder_remove(folder);
    stage_close(&at);
}
END_TEST

/* On a queue that keeps the order and on one that does not. */
START_TEST(enqueues) {
    static const cl_command_queue_properties orders[] = {0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE};
    for (int k = 0; k < 2; k++) {
        stage at = stage_open(&subjects[_i], orders[k]);
        const uint64_t before = layer_count(LAYER_clEnqueueNDRangeKernel);
        tally_error error;
        stage_make_op(&at);
        const uint64_t dry = layer_count(LAYER_clEnqueueNDRangeKernel) - before;
        ck_assert_msg(dry == at.what->launches, "%s of family %d is planned with %u launches:\n%s",
                      at.what->name, (int)at.what->family, (unsigned)dry, tally_op_describe(at.op));
        fixture_ok(stage_enqueue(&at, &error), &error, "tally_op_enqueue");
        stage_check(&at);
        sweep_all(&act_enqueue, &at, share_has((uint64_t)_i, 6));
        stage_release_op(&at);
        stage_close(&at);
    }
}
END_TEST

/* Several launches with scratch, a closing group, a scan: by both kinds of pointers. */
#define BY_POINTERS 3
START_TEST(enqueues_by_pointers) {
    static const int which[BY_POINTERS] = {3, 4, 13};
    const memory_kind kind = MEMORY_SVM_FINE;
    const bool has_usm = _i >= BY_POINTERS;
    const layer_call call =
        has_usm ? LAYER_clSetKernelArgMemPointerINTEL : LAYER_clSetKernelArgSVMPointer;
    const uint64_t before = layer_failures(call);
    layer_set_device((layer_device){.has_usm = has_usm, .has_usm_calls = has_usm});
    image_choose(&kind, 1);
    stage at = stage_open(&subjects[which[_i % BY_POINTERS]], 0);
    image_choose(NULL, 0);
    layer_add_usm(at.input.pointer, at.input.size);
    layer_add_usm(at.output.pointer, at.output.size);
    layer_add_usm(at.scratch.pointer, at.scratch.size);
    tally_error error;
    stage_make_op(&at);
    fixture_ok(stage_enqueue(&at, &error), &error, "tally_op_enqueue"); /* it may keep the queue */
    stage_check(&at);
    sweep_all(&act_enqueue, &at, true);
    ck_assert_uint_gt(layer_failures(call), before);
    stage_release_op(&at);
    stage_close(&at);
    layer_set_device((layer_device){0});
}
END_TEST

/* Of an operator that keeps its queue. */
START_TEST(first_enqueues) {
    sweep_subject(&act_first_enqueue, &subjects[4], true);
    stage at = stage_open(&subjects[3], CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    sweep_all(&act_launches, &at, true);
    stage_close(&at);
}
END_TEST

/* Recordings of two launches, with a closing group, with a board, and of none. */
START_TEST(recordings) {
    sweep_subject(&act_record, &subjects[((const int[]){5, 4, 15, 8})[_i]], _i == 2);
}
END_TEST

/* Launches that are under way in endings that they share. */
static uint32_t count_under_way(const tally_op *op) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < TALLY_ENDINGS; i++) {
        cl_int state = CL_COMPLETE;
        if (op->executable.endings.event[i] != NULL)
            fixture_check(clGetEventInfo(op->executable.endings.event[i],
                                         CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state,
                                         NULL));
        count += state > CL_COMPLETE;
    }
    return count;
}

/*
 * An enqueue that fails when its launch is under way already: the launch keeps its ending, and the
 * next one gets another.
 */
START_TEST(launches_of_failed_enqueues_keep_their_endings) {
    stage at = stage_open(&subjects[_i], CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    tally_error error;
    stage_make_op(&at);
    stage_shut(&at);
    layer_fail((layer_failure){LAYER_clRetainEvent, 1, false, CL_OUT_OF_HOST_MEMORY});
    tally_status status = stage_enqueue(&at, &error);
    layer_heal();
    const bool has_ending = at.op->executable.endings.memory != NULL;
    ck_assert_int_eq(layer_has_failed(), has_ending);
    ck_assert_int_eq(status, has_ending ? TALLY_OUT_OF_MEMORY : TALLY_OK);
    ck_assert_uint_eq(count_under_way(at.op), has_ending);
    if (has_ending) {
        fixture_ok(stage_enqueue(&at, &error), &error, "tally_op_enqueue");
        ck_assert_uint_eq(count_under_way(at.op), 2);
    }
    stage_let_go(&at);
    stage_check(&at);
    stage_release_op(&at);
    stage_close(&at);
}
END_TEST

/* ---- Streams --------------------------------------------------------------------------------- */

START_TEST(streams) {
    sweep_subject(&acts_of_streams[_i], &subject_of_stream, false);
}
END_TEST

/* ---- The sum --------------------------------------------------------------------------------- */

static const char *const imports[] = {
#define IMPORT(name) #name,
#include "imports.inc"
};
#define IMPORTS (sizeof imports / sizeof imports[0])

/* What the library calls, by its object files, is what was made to fail. */
START_TEST(every_call_has_failed) {
    uint64_t failures = 0;
    for (size_t i = 0; i < IMPORTS; i++) {
        const layer_call call = layer_call_of(imports[i]);
        ck_assert_msg(call != LAYER_CALLS, "the library calls %s, which has no row in calls.def",
                      imports[i]);
        ck_assert_msg(layer_failures(call) > 0 || !layer_can_fail(call),
                      "no test made %s fail, which the library calls", imports[i]);
        failures += layer_failures(call);
    }
    layer_release_programs();
    ck_assert_uint_eq(sweep_successes(), sweep_tries());
    printf("fault: %llu failures of %zu entry points injected in %llu calls, all handled\n",
           (unsigned long long)failures, IMPORTS, (unsigned long long)sweep_tries());
}
END_TEST

static TCase *add_case(Suite *suite, const char *name) {
    TCase *tests = tcase_create(name);
    tcase_set_timeout(tests, 0); /* what hangs is ended by ctest */
    tcase_add_checked_fixture(tests, NULL, layer_heal);
    suite_add_tcase(suite, tests);
    return tests;
}

Suite *suite_injection(void);
Suite *suite_injection(void) {
    Suite *suite = suite_create("injection");
    TCase *runtime_tests = add_case(suite, "runtimes");
    tcase_add_loop_test(runtime_tests, runtimes, 0, 3);
    tcase_add_test(runtime_tests, runtimes_with_unified_shared_memory);
    tcase_add_test(runtime_tests, questions_that_devices_may_not_know);
    tcase_add_test(add_case(suite, "numerics"), numerics);
    tcase_add_test(add_case(suite, "trials"), single_pass_trials);
    tcase_add_test(add_case(suite, "complaints"), compilers_complaints);
    tcase_add_loop_test(add_case(suite, "operators"), operators, 0, subjects_count);
    tcase_add_test(add_case(suite, "explanations"), explanations_and_scratch);
    tcase_add_loop_test(add_case(suite, "caches"), caches, 0, 2);
    tcase_add_loop_test(add_case(suite, "enqueues"), enqueues, 0, subjects_count);
    tcase_add_loop_test(add_case(suite, "pointers"), enqueues_by_pointers, 0, 2 * BY_POINTERS);
    tcase_add_test(add_case(suite, "first enqueues"), first_enqueues);
    tcase_add_loop_test(add_case(suite, "recordings"), recordings, 0, 4);
    tcase_add_loop_test(add_case(suite, "places"), launches_of_failed_enqueues_keep_their_endings,
                        0, subjects_count);
    tcase_add_loop_test(add_case(suite, "streams"), streams, 0, ACTS_OF_STREAMS);
    tcase_add_test(add_case(suite, "sum"), every_call_has_failed);
    return suite;
}
