/*
 * acts.c: the acts, each with what it must come to.
 */
#include "acts.h"

#include <stdio.h>
#include <string.h>

#include <check.h>

#include "api/runtime.h"

static void open_nothing(stage *at) {
    (void)at;
}

static void open_runtime(stage *at) {
    tally_error error;
    fixture_ok(stage_make_runtime(at, &at->runtime, &error), &error, "tally_runtime_create");
}

static void close_runtime(stage *at) {
    tally_runtime_release(at->runtime);
    at->runtime = NULL;
}

/* ---- A runtime ------------------------------------------------------------------------------- */

static tally_status run_runtime(stage *at, tally_error *error) {
    static int position;
    at->runtime = (tally_runtime *)(void *)&position; /* anything that is not NULL */
    const tally_status status = stage_make_runtime(at, &at->runtime, error);
    ck_assert_int_eq(status == TALLY_OK, at->runtime != NULL);
    return status;
}

/* A device does not get other limits because somebody failed to ask for them. */
static void check_runtime(stage *at) {
    tally_runtime *other = NULL;
    tally_error error;
    fixture_ok(stage_make_runtime(at, &other, &error), &error, "tally_runtime_create");
    ck_assert_mem_eq(&at->runtime->device.limits, &other->device.limits,
                     sizeof other->device.limits);
    ck_assert_str_eq(at->runtime->device.build_options, other->device.build_options);
    tally_runtime_release(other);
}

const act act_runtime = {"making a runtime", open_nothing,  run_runtime,
                         check_runtime,      close_runtime, NULL};

/* ---- Its verdicts ---------------------------------------------------------------------------- */

static tally_status run_numerics(stage *at, tally_error *error) {
    tally_numerics numerics = TALLY_NUMERICS_INIT;
    const tally_status status = tally_runtime_numerics(at->runtime, &numerics, error);
    ck_assert_int_eq(status == TALLY_OK, numerics.reasons != NULL);
    return status;
}

static void check_numerics(stage *at) {
    tally_numerics numerics = TALLY_NUMERICS_INIT;
    tally_error error;
    fixture_ok(tally_runtime_numerics(at->runtime, &numerics, &error), &error, "numerics");
    ck_assert_msg(numerics.guaranteed, "%s", numerics.reasons);
    ck_assert_uint_ge(numerics.checks, 80);
}

const act act_numerics = {"asking for numerics", open_runtime,  run_numerics,
                          check_numerics,        close_runtime, NULL};

/* The reason while calls failed. */
static char trial_reason[1024];

/* A no has a reason, which names the call that failed. */
static tally_status run_trial(stage *at, tally_error *error) {
    tally_scans scans = TALLY_SCANS_INIT;
    const tally_status status = tally_runtime_scans(at->runtime, &scans, error);
    const layer_call call = layer_failed_call();
    const char *name = call == LAYER_CALLS     ? ""
                       : layer_is_opencl(call) ? layer_name(call)
                                               : "no host memory left for";
    if (status != TALLY_OK)
        return status;
    ck_assert_msg(strstr(scans.reason, name) != NULL, "no '%s' in '%s'", name, scans.reason);
    ck_assert(call == LAYER_CALLS || !scans.single_pass);
    snprintf(trial_reason, sizeof trial_reason, "%s", scans.reason);
    return status;
}

/* A trial that fails is a no. */
static bool forgives_all(layer_call call, cl_int code) {
    (void)call;
    (void)code;
    return true;
}

/* Whether a reason is a want of memory, the host's or the device's. */
static bool is_want_of_memory(const char *reason) {
    static const char *const names[] = {"no host memory left for", "CL_OUT_OF_HOST_MEMORY",
                                        "CL_OUT_OF_RESOURCES", "CL_MEM_OBJECT_ALLOCATION_FAILURE"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strstr(reason, names[i]) != NULL)
            return true;
    return false;
}

/*
 * A want of memory is over, and the device was tried again; any other answer stands. Scans have the
 * right bits whatever the verdict, which their plan and its scratch go by.
 */
static void check_trial(stage *at) {
    tally_scans scans = TALLY_SCANS_INIT;
    tally_error error;
    fixture_ok(tally_runtime_scans(at->runtime, &scans, &error), &error, "tally_runtime_scans");
    if (!is_want_of_memory(trial_reason)) {
        ck_assert_str_eq(scans.reason, trial_reason);
    } else {
        ck_assert_ptr_null(strstr(scans.reason, "could not be tried"));
        ck_assert_uint_gt(scans.units, 0);
    }
    stage_spoil(at);
    fixture_ok(subject_create(at->what, at->runtime, &at->op, &error), &error, at->what->name);
    stage_fit_scratch(at);
    fixture_ok(stage_enqueue(at, &error), &error, "tally_op_enqueue");
    stage_check(at);
}

const act act_trial = {"trying the single pass", open_runtime, run_trial, check_trial,
                       stage_release_op,         forgives_all};

/* ---- An operator ----------------------------------------------------------------------------- */

static tally_status run_operator(stage *at, tally_error *error) {
    static int position;
    at->op = (tally_op *)(void *)&position; /* anything that is not NULL */
    const tally_status status = subject_create(at->what, at->runtime, &at->op, error);
    ck_assert_int_eq(status == TALLY_OK, at->op != NULL);
    return status;
}

/* A dry launch that is refused for its groups makes the planner start again. */
static bool forgives_groups(layer_call call, cl_int code) {
    return call == LAYER_clEnqueueNDRangeKernel && code == CL_INVALID_WORK_GROUP_SIZE;
}

static void check_operator(stage *at) {
    tally_error error;
    stage_spoil(at);
    fixture_ok(stage_enqueue(at, &error), &error, "tally_op_enqueue");
    stage_check(at);
}

const act act_operator = {"making an operator", open_runtime,     run_operator,
                          check_operator,       stage_release_op, forgives_groups};

/* ---- Both, with a cache on disk ---------------------------------------------------------------
 */

static void open_cold(stage *at) {
    tally_error error;
    fixture_ok(tally_cache_clear(at->cache_dir, NULL, &error), &error, "tally_cache_clear");
}

static tally_status run_cached(stage *at, tally_error *error) {
    tally_status status = run_runtime(at, error);
    if (status == TALLY_OK)
        status = run_operator(at, error);
    if (status != TALLY_OK && at->runtime != NULL)
        close_runtime(at);
    return status;
}

/* What the cache is made of only costs time when it fails. */
static bool forgives_cache(layer_call call, cl_int code) {
    return !layer_is_opencl(call) || call == LAYER_clGetPlatformInfo ||
           call == LAYER_clGetDeviceInfo || call == LAYER_clGetProgramInfo ||
           call == LAYER_clRetainProgram || forgives_groups(call, code);
}

/* And what was remembered and turns out to be of no use is made anew. */
static bool forgives_memories(layer_call call, cl_int code) {
    return forgives_cache(call, code) || call == LAYER_clCreateProgramWithBinary ||
           call == LAYER_clBuildProgram || call == LAYER_clCreateKernel ||
           call == LAYER_clGetKernelWorkGroupInfo || call == LAYER_clSetKernelArg ||
           call == LAYER_clEnqueueNDRangeKernel || call == LAYER_clFinish;
}

const act act_cold = {"making an operator with an empty cache",
                      open_cold,
                      run_cached,
                      check_operator,
                      stage_release_op,
                      forgives_cache};
const act act_warm = {"making an operator from the cache",
                      open_nothing,
                      run_cached,
                      check_operator,
                      stage_release_op,
                      forgives_memories};

/* ---- A program that does not compile --------------------------------------------------------- */

/* It goes well if the refusal says that the compiler refused. */
static tally_status run_complaint(stage *at, tally_error *error) {
    at->runtime->device.build_options = "-cl-no-such-option";
    const tally_status status = run_operator(at, error);
    if (status != TALLY_BUILD_FAILED || layer_failed_call() == LAYER_clBuildProgram)
        return status;
    ck_assert_ptr_nonnull(strstr(error->message, "building"));
    ck_assert_int_ne(error->cl_code, 0);
    *error = (tally_error){.status = TALLY_OK};
    return TALLY_OK;
}

/* The compiler's words may be missing, but not that it had some. */
static bool forgives_words(layer_call call, cl_int code) {
    (void)code;
    return call == LAYER_clGetProgramBuildInfo || !layer_is_opencl(call);
}

static void open_complaint(stage *at) {
    layer_keep_programs(false);
    open_runtime(at);
}

static void check_complaint(stage *at) {
    ck_assert_ptr_null(at->op);
    layer_keep_programs(true);
}

const act act_complaint = {"building what does not compile",
                           open_complaint,
                           run_complaint,
                           check_complaint,
                           close_runtime,
                           forgives_words};

/* ---- A plan in words --------------------------------------------------------------------------
 */

/* How often a text was told. */
static int told;

static void ignore_text(void *user, const char *text) {
    (void)user;
    ck_assert_ptr_nonnull(strstr(text, "// plan: "));
    ck_assert_ptr_nonnull(strstr(text, "__kernel"));
    told++;
}

static tally_status run_explain(stage *at, tally_error *error) {
    told = 0;
    const tally_status status = tally_op_explain(at->op, true, ignore_text, NULL, error);
    ck_assert_int_eq(told, status == TALLY_OK);
    return status;
}

static void check_explain(stage *at) {
    (void)at;
    ck_assert_int_eq(told, 1);
}

const act act_explain = {"explaining an operator", stage_make_op, run_explain, check_explain,
                         stage_release_op,         NULL};

/* ---- An enqueue ------------------------------------------------------------------------------ */

static void open_enqueue(stage *at) {
    stage_spoil(at);
    stage_shut(at);
}

/* What was enqueued before the failure runs, and ends, before the next try. */
static tally_status run_enqueue(stage *at, tally_error *error) {
    const tally_status status = stage_enqueue(at, error);
    if (status != TALLY_OK)
        stage_let_go(at);
    return status;
}

static void check_enqueue(stage *at) {
    stage_let_go(at);
    stage_check(at);
}

const act act_enqueue = {"enqueueing",  open_enqueue, run_enqueue,
                         check_enqueue, open_nothing, NULL};

/* The first one of an operator, which gets to know the queue. */
static void open_first_enqueue(stage *at) {
    stage_make_op(at);
    open_enqueue(at);
}

const act act_first_enqueue = {"enqueueing for the first time",
                               open_first_enqueue,
                               run_enqueue,
                               check_enqueue,
                               stage_release_op,
                               NULL};
