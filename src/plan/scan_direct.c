/*
 * Scans that need no local memory for the sake of their layout: columns that are wide or begin at
 * packs, those that become rows, and short rows that become columns. The schedules that keep terms
 * in registers are faster there than boxes.
 */
#include "cl/order.h"
#include "model/dtype.h"
#include "plan/plan.h"
#include "plan/tuning.h"

/* Columns side by side, in rows so wide and so well aligned that they need no local memory. */
static bool is_wide(const tally_problem *problem) {
    const tally_dims *kept = &problem->kept, *axis = &problem->swept[0];
    uint64_t bytes = tally_dtype_find(problem->input)->bytes, columns = 0;
    bool aligned = axis->in[0] * bytes % 16 == 0 && axis->out[0] * bytes % 16 == 0;
    for (uint32_t k = 0; k < kept->count; k++) {
        if (kept->in[k] == 1 && kept->out[k] == 1)
            columns = kept->size[k];
        else
            aligned = aligned && kept->in[k] * bytes % 16 == 0 && kept->out[k] * bytes % 16 == 0;
    }
    if (problem->terms <= TALLY_SCAN_STAGED_LITTLE && bytes >= 4 && !aligned)
        return false; /* so few loads at a time are slow where each is of an element */
    return columns * bytes >= (aligned ? TALLY_SCAN_STAGED_ALIGNED : TALLY_SCAN_STAGED_WIDE);
}

/*
 * Wide columns, of whole words, that become long rows: scan_columns_walk.cl has a way for them
 * through local memory.
 */
static bool is_turned(const tally_problem *problem) {
    const tally_dims *kept = &problem->kept, *axis = &problem->swept[0];
    uint64_t bytes = tally_dtype_find(problem->input)->bytes;
    if (axis->out[0] != 1 || problem->terms <= TALLY_SPAN - TALLY_RUN ||
        axis->in[0] * bytes % 4 != 0)
        return false;
    for (uint32_t k = 0; k < kept->count; k++)
        if (kept->in[k] == 1)
            return kept->size[k] * bytes >= TALLY_SCAN_LINE;
    return false;
}

/*
 * Rows of a sector at most, one behind the other, that become columns: neighbouring work-items read
 * neighbouring rows, and write side by side.
 */
static bool is_few(const tally_problem *problem) {
    const tally_dims *kept = &problem->kept;
    uint64_t terms = problem->terms;
    if (problem->swept[0].in[0] != 1 ||
        terms * tally_dtype_find(problem->input)->bytes > TALLY_SECTOR)
        return false;
    for (uint32_t k = 0; k < kept->count; k++)
        if (kept->out[k] == 1)
            return kept->in[k] <= 2 * terms;
    return false;
}

bool tally_plan_scan_is_direct(const tally_problem *problem) {
    return is_wide(problem) || is_turned(problem) || is_few(problem);
}

/* Columns that lie side by side on both sides, a sector of them: scan_columns_passes.cl serves long
 * ones.
 */
bool tally_plan_scan_has_columns(const tally_problem *problem) {
    const tally_dims *kept = &problem->kept;
    for (uint32_t k = 0; k < kept->count; k++)
        if (kept->in[k] == 1 && kept->out[k] == 1)
            return kept->size[k] * tally_dtype_find(problem->input)->bytes >= TALLY_SECTOR;
    return false;
}
