/*
 * The one of three descriptions that a problem has.
 */
#include "cli/verify/describe.h"

tally_desc verify_describe(verify_problem *problem) {
    tally_desc desc = TALLY_DESC_INIT;
    if (problem->kind == VERIFY_REDUCE) {
        desc.reduce = &problem->reduce;
    } else if (problem->kind == VERIFY_SCAN) {
        desc.cumulative = &problem->scan;
    } else {
        problem->fill.input = problem->has_input ? &problem->input : NULL;
        desc.diagonal = &problem->fill;
    }
    return desc;
}
