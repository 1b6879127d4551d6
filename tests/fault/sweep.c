/*
 * sweep.c: trying an act with failures, and judging what it said.
 */
#include "sweep.h"

#include <stdio.h>
#include <string.h>

#include <check.h>

#include "support/share.h"

/* ---- What must be said ----------------------------------------------------------------------- */

typedef struct code_row {
    cl_int code;
    const char *name;
    tally_status status;
    tally_fault fault;
} code_row;

/* The last is no code of OpenCL's: drivers have their own. */
static const code_row code_rows[] = {
    {CL_OUT_OF_HOST_MEMORY, "CL_OUT_OF_HOST_MEMORY", TALLY_OUT_OF_MEMORY, TALLY_FAULT_OPENCL},
    {CL_OUT_OF_RESOURCES, "CL_OUT_OF_RESOURCES", TALLY_OUT_OF_MEMORY, TALLY_FAULT_OPENCL},
    {CL_MEM_OBJECT_ALLOCATION_FAILURE, "CL_MEM_OBJECT_ALLOCATION_FAILURE", TALLY_OUT_OF_MEMORY,
     TALLY_FAULT_OPENCL},
    {CL_DEVICE_NOT_AVAILABLE, "CL_DEVICE_NOT_AVAILABLE", TALLY_DEVICE_ERROR, TALLY_FAULT_OPENCL},
    {CL_INVALID_WORK_GROUP_SIZE, "CL_INVALID_WORK_GROUP_SIZE", TALLY_DEVICE_ERROR,
     TALLY_FAULT_OPENCL},
    {CL_INVALID_OPERATION, "CL_INVALID_OPERATION", TALLY_DEVICE_ERROR, TALLY_FAULT_OPENCL},
    {CL_BUILD_PROGRAM_FAILURE, "CL_BUILD_PROGRAM_FAILURE", TALLY_DEVICE_ERROR, TALLY_FAULT_OPENCL},
    {CL_MAP_FAILURE, "a code that is not known here", TALLY_DEVICE_ERROR, TALLY_FAULT_OPENCL},
    {-9999, "an unknown code", TALLY_DEVICE_ERROR, TALLY_FAULT_CONTEXT},
};
#define CODES ((int)(sizeof code_rows / sizeof code_rows[0]))

int sweep_codes_count(void) {
    return CODES;
}

cl_int sweep_code(int index) {
    return code_rows[index % CODES].code;
}

static const code_row *find_code(cl_int code) {
    for (int i = 0; i < CODES; i++)
        if (code_rows[i].code == code)
            return &code_rows[i];
    ck_abort_msg("no row for the code %d", (int)code);
    return NULL;
}

/* Where the message must have a text. */
static void check_words(const char *name, const tally_error *error, const char *words) {
    ck_assert_msg(strstr(error->message, words) != NULL, "%s: no '%s' in '%s'", name, words,
                  error->message);
}

/* The status, the code, and the sentence that names the call that failed first. */
static void check_report(const char *name, layer_call call, cl_int code, tally_status status,
                         const tally_error *error) {
    const bool opencl = layer_is_opencl(call);
    tally_status wanted = opencl ? find_code(code)->status : TALLY_OUT_OF_MEMORY;
    char number[32];
    if (call == LAYER_clBuildProgram && wanted == TALLY_DEVICE_ERROR)
        wanted = TALLY_BUILD_FAILED;
    ck_assert_msg(status == wanted, "%s, %s failed: the status is %s, not %s: %s", name,
                  layer_name(call), tally_status_name(status), tally_status_name(wanted),
                  error->message);
    ck_assert_int_eq(error->status, status);
    ck_assert_int_eq(error->cl_code, opencl ? code : 0);
    ck_assert_int_eq(error->fault, opencl ? find_code(code)->fault : TALLY_FAULT_HOST);
    ck_assert_ptr_null(strchr(error->message, '\n'));
    if (!opencl) {
        check_words(name, error, "no host memory left for ");
        return;
    }
    snprintf(number, sizeof number, "(%d)", (int)code);
    check_words(name, error, layer_name(call));
    check_words(name, error, find_code(code)->name);
    check_words(name, error, number);
}

/* ---- Trying ---------------------------------------------------------------------------------- */

static uint64_t tries, successes;

uint64_t sweep_tries(void) {
    return tries;
}

uint64_t sweep_successes(void) {
    return successes;
}

/* The call that a message is about; LAYER_CALLS if about none. */
static layer_call find_named(const tally_error *error) {
    int call = 0;
    while (call < LAYER_CALLS && strstr(error->message, layer_name((layer_call)call)) == NULL)
        call++;
    return (layer_call)call;
}

/* Run while calls fail, and again if that was too much. Whether a call failed. */
static bool run(const act *what, stage *at, layer_failure failure) {
    tally_error error;
    memset(&error, 0x55, sizeof error);
    layer_fail(failure);
    const tally_status status = what->run(at, &error);
    layer_heal();
    layer_call call = layer_failed_call();
    const bool forgiven = call == LAYER_CALLS || layer_is_lookup(call) ||
                          (what->forgives && what->forgives(call, failure.code));
    if (status == TALLY_OK) {
        ck_assert_msg(forgiven, "%s: %s failed at its call %llu, and nobody was told", what->name,
                      layer_name(call), (unsigned long long)failure.nth);
        ck_assert_int_eq(error.status, TALLY_OK);
        ck_assert_str_eq(error.message, "");
        return layer_has_failed();
    }
    if (forgiven && failure.call == LAYER_CALLS) /* then a later one is what was too much */
        call = find_named(&error);
    ck_assert_msg(call != LAYER_CALLS, "%s failed by itself: %s", what->name, error.message);
    check_report(what->name, call, failure.code, status, &error);
    layer_forget();
    fixture_ok(what->run(at, &error), &error, what->name);
    return true;
}

static bool try_once(const act *what, stage *at, layer_failure failure) {
    const layer_balance before = layer_take_balance();
    tries++;
    what->open(at);
    bool failed = run(what, at, failure);
    what->check(at);
    layer_fail(failure);
    what->close(at);
    layer_heal();
    failed = failed || layer_has_failed();
    const layer_balance after = layer_take_balance();
    const char *difference = layer_compare(&before, &after);
    ck_assert_msg(difference == NULL, "%s, with call %llu of %s to fail: %s", what->name,
                  (unsigned long long)failure.nth,
                  failure.call < LAYER_CALLS ? layer_name(failure.call) : "OpenCL", difference);
    successes++;
    return failed;
}

void sweep(const act *what, stage *at, layer_failure failure) {
    failure.nth = 1;
    while (try_once(what, at, failure))
        failure.nth++;
}

/* ---- All calls ------------------------------------------------------------------------------- */

/* Each call of OpenCL, with every code or with one in turn. */
static void sweep_opencl(const act *what, stage *at, bool every_code) {
    for (int call = 0; call < LAYER_CALLS; call++)
        for (int i = 0; layer_is_opencl((layer_call)call) && i < sweep_codes_count(); i++)
            if (every_code || i == call % sweep_codes_count())
                sweep(what, at, (layer_failure){.call = (layer_call)call, .code = sweep_code(i)});
}

/* Each call of the host that can fail: that one alone, and that one with all behind it; in a share
 * one of the two, by turns of calls and of acts. */
static void sweep_host(const act *what, stage *at) {
    static int turn;
    turn++;
    for (int call = 0; call < LAYER_CALLS; call++)
        for (int lasting = 0; lasting < 2; lasting++)
            if (!layer_is_opencl((layer_call)call) && layer_can_fail((layer_call)call) &&
                share_has((uint64_t)(turn + call + lasting), 2))
                sweep(what, at, (layer_failure){.call = (layer_call)call, .lasting = lasting != 0});
}

/* The device is lost at any call: all that come after fail too. */
static void sweep_loss(const act *what, stage *at) {
    sweep(what, at, (layer_failure){LAYER_CALLS, 1, true, CL_DEVICE_NOT_AVAILABLE});
}

void sweep_all(const act *what, stage *at, bool every_code) {
    sweep_opencl(what, at, every_code);
    sweep_host(what, at);
    sweep_loss(what, at);
}

void sweep_subject(const act *what, const subject *of, bool every_code) {
    stage at = stage_open(of, 0);
    sweep_all(what, &at, every_code);
    stage_close(&at);
}
