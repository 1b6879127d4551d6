/*
 * acts_scratch.c: the act of making a scratch that grows, and growing it.
 */
#include <check.h>

#include "acts.h"

static tally_status run_scratch(stage *at, tally_error *error) {
    static int position;
    tally_scratch *scratch = (tally_scratch *)(void *)&position; /* anything that is not NULL */
    tally_view view = TALLY_VIEW_INIT;
    tally_status status = tally_scratch_create(at->runtime, &scratch, error);
    ck_assert_int_eq(status == TALLY_OK, scratch != NULL);
    if (status != TALLY_OK)
        return status;
    status = tally_scratch_view(scratch, at->op, &view, error);
    const size_t bytes = tally_op_scratch_size(at->op);
    ck_assert_int_eq(status == TALLY_OK && bytes > 0, view.buffer != NULL);
    ck_assert_uint_eq(tally_scratch_bytes(scratch), status == TALLY_OK ? bytes : 0);
    tally_scratch_release(scratch);
    return status;
}

static void check_nothing(stage *at) {
    (void)at;
}

static void close_op(stage *at) {
    tally_op_release(at->op);
    tally_runtime_release(at->runtime);
    at->op = NULL;
    at->runtime = NULL;
}

const act act_scratch = {"making a scratch", stage_make_op, run_scratch,
                         check_nothing,      close_op,      NULL};
