/*
 * tally/calls/plans.h: plans in words. A part of tally/tally.h. Builds no kernel.
 */
#ifndef TALLY_CALLS_PLANS_H
#define TALLY_CALLS_PLANS_H

#include <stdbool.h>

#include <tally/calls/create.h>
#include <tally/types/settings.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Unstable: looking at plans ------------------------------------------------------------- */

/*
 * For people who want to know which kernels an operator gets, and why. This section may change in
 * any version, and its texts do: read them, do not parse them.
 *
 * An explanation names the limits that the plan keeps, and the problem with its collapsed axes. For
 * each launch it has the kernel's name, the reason for its schedule in one sentence, where it reads
 * and writes, its ND-range, its local memory if a driver has said it, every field of its spec, and
 * its arguments. The spec is all that is compiled into the kernel. docs/glossary.md has the words.
 *
 * write is called once with the whole text, from the thread of the call. user is handed to it. The
 * text is gone when write returns. On failure write is not called.
 *
 * With source, the text is a comment of OpenCL C: its lines begin with two slashes. Behind it comes
 * each program of the plan, as the compiler gets it. If the plan has one program, the whole text is
 * OpenCL C.
 */

/*
 * Explain the plan of an operator, within the limits of its device. TALLY_INVALID: op or write is
 * NULL. TALLY_DEVICE_ERROR: the driver does not say how much memory its kernels take.
 * TALLY_OUT_OF_MEMORY is possible too.
 */
TALLY_API tally_status tally_op_explain(const tally_op *op, bool source,
                                        void (*write)(void *user, const char *text), void *user,
                                        tally_error *error);

/*
 * Explain the plan that a description would get from the runtime, before its kernels are built. The
 * call compiles nothing, runs no trial and makes no OpenCL call. If a trial of the device would
 * decide, the plan is the one with a single pass. If another thread is running the trial, the call
 * waits for it. If the driver allows a kernel fewer work-items than its device does, the operator
 * gets another plan.
 *
 * TALLY_INVALID: runtime, desc or write is NULL, or the description breaks a rule.
 * TALLY_UNSUPPORTED and TALLY_OUT_OF_MEMORY come as in the create calls.
 */
TALLY_API tally_status tally_runtime_explain(tally_runtime *runtime, const tally_desc *desc,
                                             bool source,
                                             void (*write)(void *user, const char *text),
                                             void *user, tally_error *error);

/*
 * Explain the plan that a description would get from a family of kernels, GENERIC, GPU or CPU,
 * without a device. The plan keeps the usual limits of such devices, and the text names them.
 * single_pass AUTO counts as ON. The call compiles nothing and makes no OpenCL call.
 *
 * TALLY_INVALID: desc or write is NULL, family is none of the three, single_pass is none of its
 * values, or the description breaks a rule. TALLY_UNSUPPORTED and TALLY_OUT_OF_MEMORY come as in
 * the create calls.
 */
TALLY_API tally_status tally_explain(const tally_desc *desc, tally_family family,
                                     tally_single_pass single_pass, bool source,
                                     void (*write)(void *user, const char *text), void *user,
                                     tally_error *error);

#ifdef __cplusplus
}
#endif

#endif
