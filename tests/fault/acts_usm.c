/*
 * acts_usm.c: making a runtime of a device with Intel's unified shared memory. An extension of
 * which a call is not found is none, and no reason to fail.
 */
#include <check.h>

#include "acts.h"
#include "api/runtime.h"
#include "layer/layer_device.h"

static void open_device(stage *at) {
    (void)at;
    layer_set_device((layer_device){.has_usm = true, .has_usm_calls = true});
}

static tally_status run_runtime(stage *at, tally_error *error) {
    return act_runtime.run(at, error);
}

static void check_pointers(stage *at) {
    const layer_call call = layer_failed_call();
    const bool has_usm = call != LAYER_clGetExtensionFunctionAddressForPlatform;
    act_runtime.check(at);
    ck_assert_int_eq(at->runtime->device.pointers.usm.set != NULL, has_usm);
    ck_assert_int_eq(at->runtime->device.pointers.svm.set != NULL, call != LAYER_dlsym);
}

static void close_device(stage *at) {
    act_runtime.close(at);
    layer_set_device((layer_device){0});
}

const act act_usm_runtime = {"making a runtime with unified shared memory",
                             open_device,
                             run_runtime,
                             check_pointers,
                             close_device,
                             NULL};
