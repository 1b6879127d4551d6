/*
 * layer.h: a layer between the library and what it calls: OpenCL, and the host's memory and locks.
 * It counts the calls of calls.def, makes those fail that a test asks for, and keeps a list of all
 * that the library holds. The build renames these calls in a copy of the library (interpose.cmake),
 * so that neither a test's own calls nor the driver's come this way. It knows no operators.
 */
#ifndef TESTS_FAULT_LAYER_H
#define TESTS_FAULT_LAYER_H

#include <stdbool.h>
#include <stdint.h>

#include <CL/cl.h>

#include "layer_types.h"

/* "clFinish"; the call of a name, LAYER_CALLS if none has it. */
const char *layer_name(layer_call call);
layer_call layer_call_of(const char *name);

/* Whether a call is OpenCL's rather than the host's; can be made to fail; gives something back. */
bool layer_is_opencl(layer_call call);
bool layer_can_fail(layer_call call);
bool layer_is_release(layer_call call);
bool layer_is_lookup(layer_call call); /* or looks a function up */

/* ---- Failures -------------------------------------------------------------------------------- */

/* LAYER_CALLS as the call: every call of OpenCL. */
typedef struct layer_failure {
    layer_call call;
    uint64_t nth; /* from now on; 1 is the next one */
    bool lasting; /* all calls after that one as well */
    cl_int code;  /* OpenCL's; not looked at for calls of the host */
} layer_failure;

/*
 * Ask for a failure, or take it back; take it back and forget what failed. No call of the library
 * may be under way.
 */
void layer_fail(layer_failure failure);
void layer_heal(void);
void layer_forget(void);

/* Whether a call was made to fail since it was asked for. */
bool layer_has_failed(void);

/* The first of them that was no release; LAYER_CALLS if there was none. */
layer_call layer_failed_call(void);

/* Calls since the program began, and those of them that were made to fail. */
uint64_t layer_count(layer_call call);
uint64_t layer_failures(layer_call call);

/* ---- What is held ---------------------------------------------------------------------------- */

/* References to objects of OpenCL, allocations, locks: how many the library holds. */
typedef struct layer_balance {
    uint32_t held[LAYER_TYPES];
} layer_balance;

/*
 * What is held now. Objects whose release was made to fail do not count: they are really released
 * here.
 */
layer_balance layer_take_balance(void);

/* Of all types. */
uint32_t layer_sum(const layer_balance *balance);

/* The sentence on the first difference, or on something released that was not held; NULL if none.
 */
const char *layer_compare(const layer_balance *before, const layer_balance *now);

/*
 * Programs are compiled once and kept: who makes another one of the same source in the same context
 * gets the first one, built, so that a test may make some thousands. Let go of them; do without.
 */
void layer_release_programs(void);
void layer_keep_programs(bool keeps);

/* The caller's release of an event that an enqueue gave it. */
void layer_release_event(cl_event event);

#endif
