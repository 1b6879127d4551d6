/*
 * Short rows, and short columns that are taken as such: packed ones, which a group brings into
 * local memory several at a time.
 */
#include "cl/core/order.h"
#include "cl/core/sizes.h"
#include "model/dtype.h"
#include "model/monoid.h"
#include "plan/fold/schedule.h"
#include "plan/tuning.h"

static uint32_t pack_of(const tally_problem *problem) {
    return 16 / tally_dtype_find(problem->input)->bytes;
}

/*
 * How many rows of length elements lie one after the other: the kept axes but the last inner ones,
 * whose elements are in such a row.
 */
static uint64_t packed_rows(const tally_step *step, uint64_t length, uint32_t inner) {
    uint64_t rows = 1;
    for (uint32_t k = step->spec.kept_rank - inner; k-- > 0; rows *= step->args.fold.kept_size[k])
        if (step->args.fold.kept_size[k] > 1 && step->args.fold.kept_in[k] != length * rows)
            break;
    return rows;
}

/* Whether those are all rows, or fill local memory several times, of so many bytes. */
static bool is_packed(const tally_problem *problem, const tally_step *step, uint64_t length,
                      uint32_t inner, uint32_t staged_bytes) {
    uint64_t columns = length / step->args.fold.terms, rows = packed_rows(step, length, inner);
    uint32_t bytes = tally_dtype_find(problem->input)->bytes;
    return rows * columns == step->args.fold.outputs ||
           rows * length * bytes >= (uint64_t)TALLY_SHORT_ROWS_PACKED * staged_bytes;
}

/*
 * Short rows of length elements. Rows of whole packs, and whole packs of columns, are folded
 * pack by pack. They lie so many packs apart that the work-items which read a pack each, strips of
 * them in one row, meet different banks of local memory.
 */
static void plan_staged(const tally_problem *problem, tally_step *step, uint64_t length, bool whole,
                        uint64_t strips, uint32_t staged_bytes, uint32_t group_max) {
    tally_fold_short_rows_args *args = &step->args.fold_short_rows;
    tally_fold_short_rows_policy *policy = &step->spec.policy.fold_short_rows;
    uint32_t pack = pack_of(problem), packs = staged_bytes / 16;
    uint64_t stride = strips & (0 - strips), pitch = length / pack;
    pitch += stride < 8 && pitch / stride % 4 == 0 ? stride : 0;
    policy->leaf_elements = (uint16_t)(whole ? pack : 1);
    policy->terms_room = args->terms <= 16 ? 16 : args->terms <= 64 ? 64 : TALLY_LANES;
    args->pitch_packs = whole ? pitch : 0;
    args->staged_rows = whole ? packs / pitch : (packs - 1) * pack / length;
    step->spec.group = (uint16_t)group_max;
    while (step->spec.group > TALLY_SHORT_ROWS_GROUP &&
           step->spec.group > args->staged_rows * strips)
        step->spec.group = step->spec.group / 2;
    if (args->staged_rows * strips > step->spec.group && strips <= step->spec.group)
        args->staged_rows -= args->staged_rows % (step->spec.group / strips);
    uint64_t rows = args->outputs / (length / args->terms);
    args->packed_rows = packed_rows(step, length, policy->of_columns);
    args->head.units =
        rows / args->packed_rows * tally_plan_parts(args->packed_rows, args->staged_rows);
}

bool tally_plan_has_short_rows(const tally_problem *problem, const tally_step *step) {
    uint64_t terms = step->args.fold.terms;
    return terms <= TALLY_LANES && is_packed(problem, step, terms, 0, TALLY_SHORT_ROWS_BYTES);
}

void tally_plan_short_rows(const tally_problem *problem, tally_step *step) {
    step->spec.schedule = TALLY_FOLD_SHORT_ROWS;
    uint64_t terms = step->args.fold.terms;
    plan_staged(problem, step, terms, terms % pack_of(problem) == 0, 1, TALLY_SHORT_ROWS_BYTES,
                TALLY_WIDE_GROUP / 2);
}

void tally_plan_short_columns(const tally_problem *problem, tally_step *step) {
    uint64_t columns = step->args.fold.kept_size[step->spec.kept_rank - 1];
    step->spec.schedule = TALLY_FOLD_SHORT_ROWS;
    step->spec.policy.fold_short_rows.of_columns = true;
    bool whole = columns % pack_of(problem) == 0;
    plan_staged(problem, step, columns * step->args.fold.terms, whole,
                whole ? columns / pack_of(problem) : columns, TALLY_SHORT_COLUMNS_BYTES,
                TALLY_WIDE_GROUP);
}

/*
 * Columns that are taken as short rows: few, and with few terms, packed; whole packs, or so few
 * terms that a unit has many outputs.
 */
bool tally_plan_has_short_columns(const tally_problem *problem, const tally_step *step) {
    const tally_fold_args *args = &step->args.fold;
    uint64_t columns = args->kept_size[step->spec.kept_rank - 1];
    uint32_t bytes = tally_dtype_find(problem->input)->bytes;
    bool shifted = tally_monoid_find(problem->function)->state == TALLY_STATE_SHIFTED;
    uint64_t most = shifted ? TALLY_SHORT_COLUMNS_SHIFTED : TALLY_SHORT_COLUMNS_ROW;
    bool whole = columns % pack_of(problem) == 0;
    bool many = args->terms * bytes * TALLY_SHORT_COLUMNS_OUTPUTS <= TALLY_SHORT_COLUMNS_BYTES &&
                args->terms >= TALLY_OUTPUTS_NARROW;
    return args->terms <= TALLY_LANES && columns * bytes <= most && (whole || many) &&
           args->swept_in[step->spec.swept_rank - 1] == columns &&
           is_packed(problem, step, columns * args->terms, 1, TALLY_SHORT_COLUMNS_BYTES) &&
           columns * args->terms * bytes <= TALLY_SHORT_COLUMNS_BYTES / 2;
}
