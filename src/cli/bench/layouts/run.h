/*
 * One random problem on the device of a session: its operators made, its time taken, or its results
 * compared with those of the generic kernels. Prints nothing.
 */
#ifndef TALLY_CLI_BENCH_LAYOUTS_RUN_H
#define TALLY_CLI_BENCH_LAYOUTS_RUN_H

#include "cli/bench/layouts/session.h"

#define LAYOUTS_SCHEDULE_BYTES 160

typedef struct layouts_result {
    char refusal[LAYOUTS_REFUSAL_BYTES]; /* why it was not run; "": it ran */
    char *plan; /* in words, a line for each launch; NULL: not run. layouts_result_release */
    char schedules[LAYOUTS_SCHEDULE_BYTES]; /* of the plan's launches: "fold_rows fold_rows" */
    uint64_t bytes;                         /* that must be moved */
    double seconds, copy_seconds;           /* of one run, and of a copy of as many bytes */
    double share;                           /* copy_seconds to seconds */
    const char *copy;                       /* which copy that was */
    uint32_t repeats, copy_repeats, samples;
} layouts_result;

/*
 * What to do with a problem. What the device cannot run, such as float64 without fp64, is CLI_DONE
 * with a refusal.
 *
 *   prepare    makes its operators, so that their kernels are in the cache
 *   measure    takes the time, in turns with a copy
 *   check      fails where an output differs from that of the generic kernels in any byte
 */
typedef int layouts_action(layouts_session *session, const layouts_problem *problem,
                           layouts_result *result, cli_error *error);
layouts_action layouts_prepare, layouts_measure, layouts_check;

void layouts_result_release(layouts_result *result);

/* ---- Shared by the actions ----------------------------------------------------------------- */

/* Make the operator. *op is NULL where the runtime does not support it; refusal says why. */
int layouts_create(tally_runtime *runtime, const layouts_problem *problem, tally_op **op,
                   char refusal[LAYOUTS_REFUSAL_BYTES], cli_error *error);

/* Bind the operator to the session's memory, with this output. */
int layouts_bind(layouts_session *session, const layouts_problem *problem, tally_op *op,
                 cl_mem output, tally_binding *binding, cli_error *error);

/* Keep the operator's plan in the result. */
int layouts_keep_plan(const tally_op *op, layouts_result *result, cli_error *error);

#endif
