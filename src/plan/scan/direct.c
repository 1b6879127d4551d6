/*
 * Scans that need no local memory for the sake of their layout: columns that are many, and wide or
 * begin at packs, those that become rows, and short rows that become columns. The schedules that
 * keep terms in registers are faster there than boxes.
 */
#include "model/dtype.h"
#include "plan/plan.h"
#include "plan/scan/tuning.h"

/*
 * Whether work-items that keep terms in registers, a run of a pack of columns each, are too few to
 * keep the device busy: those of boxes have a run of one column. Of many terms boxes take longer,
 * as they come one after the other; and where there is next to nothing a launch is all that counts.
 */
static bool are_too_few(const tally_problem *problem, const tally_limits *limits) {
    uint64_t bytes = tally_dims_elements(&problem->kept) * problem->terms *
                     tally_dtype_find(problem->input)->bytes;
    return problem->terms <= TALLY_SCAN_DIRECT_TERMS &&
           bytes / TALLY_SCAN_DIRECT_NOTHING >= limits->units &&
           bytes / TALLY_SCAN_DIRECT_FEW < limits->units;
}

/* Columns that lie side by side on both sides, and what all other steps are multiples of. */
typedef struct rows_of_columns {
    uint64_t bytes;   /* of a row of columns; 0: there are none */
    uint64_t strides; /* in bytes, their bits together */
} rows_of_columns;

static rows_of_columns find_rows(const tally_problem *problem) {
    const tally_dims *kept = &problem->kept, *axis = &problem->swept[0];
    const uint64_t bytes = tally_dtype_find(problem->input)->bytes;
    rows_of_columns it = {0, axis->in[0] | axis->out[0]};
    for (uint32_t k = 0; k < kept->count; k++) {
        if (kept->in[k] == 1 && kept->out[k] == 1)
            it.bytes = kept->size[k] * bytes;
        else
            it.strides |= kept->in[k] | kept->out[k];
    }
    it.strides *= bytes;
    return it;
}

/* Narrow elements in rows that do not begin at packs, and so come and go by smaller ones. */
static bool are_loose(const tally_problem *problem, const rows_of_columns *rows) {
    return tally_dtype_find(problem->input)->bytes < 4 && rows->strides % 8 != 0;
}

/* Columns side by side, in rows so wide and so well aligned that they need no local memory. */
static bool is_wide(const tally_problem *problem) {
    const rows_of_columns rows = find_rows(problem);
    const bool aligned = rows.strides % 16 == 0;
    if (problem->terms <= TALLY_SCAN_STAGED_LITTLE && !aligned &&
        tally_dtype_find(problem->input)->bytes >= 4)
        return false; /* so few loads at a time are slow where each is of an element */
    if (problem->terms <= TALLY_SCAN_DIRECT_LEAST || are_loose(problem, &rows))
        return false;
    return rows.bytes >= (aligned ? TALLY_SCAN_STAGED_ALIGNED : TALLY_SCAN_STAGED_WIDE);
}

/*
 * Wide columns, of whole dwords, that become long rows: scan_columns_walk.cl has a way for them
 * through local memory.
 */
static bool is_transposed(const tally_problem *problem) {
    const tally_dims *kept = &problem->kept, *axis = &problem->swept[0];
    uint64_t bytes = tally_dtype_find(problem->input)->bytes;
    if (axis->out[0] != 1 || problem->terms <= TALLY_SCAN_STAGED_SHORT ||
        axis->in[0] * bytes % 4 != 0)
        return false;
    for (uint32_t k = 0; k < kept->count; k++)
        if (kept->in[k] == 1)
            return kept->size[k] * bytes >= TALLY_SCAN_CACHE_LINE;
    return false;
}

/*
 * Rows of a sector at most, one behind the other, that become columns: neighbouring work-items read
 * neighbouring rows, and write side by side. Not of narrow elements, which would come one by one.
 */
static bool is_few(const tally_problem *problem) {
    const tally_dims *kept = &problem->kept;
    uint64_t terms = problem->terms, bytes = tally_dtype_find(problem->input)->bytes;
    if (problem->swept[0].in[0] != 1 || bytes < 4 || terms * bytes > TALLY_SECTOR)
        return false;
    for (uint32_t k = 0; k < kept->count; k++)
        if (kept->out[k] == 1)
            return kept->in[k] <= 2 * terms;
    return false;
}

bool tally_plan_scan_is_direct(const tally_problem *problem, const tally_limits *limits) {
    bool few = are_too_few(problem, limits);
    return (!few && (is_wide(problem) || is_transposed(problem))) || is_few(problem);
}

bool tally_plan_scan_has_columns(const tally_problem *problem) {
    const rows_of_columns rows = find_rows(problem);
    return rows.bytes >= TALLY_SCAN_PIECES_ROW && rows.strides % 16 == 0;
}
