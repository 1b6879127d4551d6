/*
 * Short rows, and short columns that are taken as such: those that lie one after the other, with
 * hardly a gap, of which a group brings several into local memory at a time.
 */
#include "cl/core/order.h"
#include "cl/core/sizes.h"
#include "model/dtype.h"
#include "model/monoid.h"
#include "plan/fold/schedule.h"
#include "plan/tuning.h"

/*
 * A gap behind a row is no longer than one of so many parts of the row, of at most so many terms:
 * of longer ones few are in local memory together.
 */
#define TALLY_SHORT_ROWS_GAP 4
#define TALLY_SHORT_ROWS_GAP_TERMS 64

/*
 * Terms of columns of whole packs, at most. Of more, local memory has so few rows for a group that
 * most of its work-items wait, and outputs are folded where they lie. Where combining is exact, or
 * elements are narrow: in rows of a sector and more, and in shorter ones. Else: in rows of two
 * sectors and more; shorter ones had better be read once, whatever their terms.
 */
#define TALLY_SHORT_COLUMNS_TERMS 24
#define TALLY_SHORT_COLUMNS_TERMS_PART 40
#define TALLY_SHORT_COLUMNS_TERMS_WIDE 64

/* Leaves of a row that a work-item has, at least, where several share the row. */
#define TALLY_SHORT_ROWS_LEAVES 4

static uint32_t pack_of(const tally_problem *problem) {
    return 16 / tally_dtype_find(problem->input)->bytes;
}

/* Rows whose terms lie one after the other. */
typedef struct rows {
    uint64_t length, stride; /* elements of one, and from one to the next */
    uint64_t packed;         /* of them that lie so, the last kept axes but the inner ones */
} rows;

/*
 * Those of a step whose last inner kept axes have their elements in a row. A gap behind each row is
 * no longer than a part of it, as it is brought too.
 */
static rows find_rows(const tally_step *step, uint64_t length, uint32_t inner) {
    const tally_fold_args *args = &step->args.fold;
    rows it = {length, 0, 1};
    for (uint32_t k = step->spec.kept_rank - inner; k-- > 0; it.packed *= args->kept_size[k]) {
        if (args->kept_size[k] <= 1)
            continue;
        uint64_t stride = args->kept_in[k];
        bool near =
            stride == length || (args->terms <= TALLY_SHORT_ROWS_GAP_TERMS && stride > length &&
                                 stride - length <= length / TALLY_SHORT_ROWS_GAP);
        if (it.stride == 0 && near)
            it.stride = stride;
        if (it.stride == 0 || stride != it.stride * it.packed)
            break;
    }
    it.stride = it.stride == 0 ? length : it.stride;
    return it;
}

/* Whether those are all rows, or fill local memory several times, of so many bytes. */
static bool is_packed(const tally_problem *problem, const tally_step *step, const rows *it,
                      uint64_t columns, uint32_t staged_bytes) {
    uint32_t bytes = tally_dtype_find(problem->input)->bytes;
    return it->packed * columns == step->args.fold.outputs ||
           it->packed * it->stride * bytes >= (uint64_t)TALLY_SHORT_ROWS_PACKED * staged_bytes;
}

/* Whether so many elements are whole packs, and rows begin at such. */
static bool are_packs(const tally_problem *problem, const rows *it, uint64_t elements) {
    return elements % pack_of(problem) == 0 && it->stride % pack_of(problem) == 0;
}

/*
 * Work-items that share a row, where a group has so many for each of those that are there together,
 * and each has a few leaves; 0: one for each row.
 */
static uint16_t sharers_of(const tally_step *step, uint32_t leaf_elements) {
    const tally_fold_short_rows_args *args = &step->args.fold_short_rows;
    uint64_t leaves = tally_plan_parts(args->terms, leaf_elements), sharers = 1;
    while (2 * sharers * args->staged_rows <= step->spec.group &&
           2 * sharers * TALLY_SHORT_ROWS_LEAVES <= leaves)
        sharers *= 2;
    return (uint16_t)(sharers > 1 ? sharers : 0);
}

/*
 * Short rows, of the terms of one output or of some columns. Rows of whole packs, and whole packs
 * of columns, are folded pack by pack. They lie so many packs apart that the work-items which read
 * a pack each, strips of them in one row, meet different banks of local memory.
 */
static void plan_staged(const tally_problem *problem, tally_step *step, uint64_t columns,
                        uint32_t staged_bytes, uint32_t group_max) {
    tally_fold_short_rows_args *args = &step->args.fold_short_rows;
    tally_fold_short_rows_policy *policy = &step->spec.policy.fold_short_rows;
    const rows it = find_rows(step, columns * args->terms, policy->of_columns);
    bool whole = are_packs(problem, &it, policy->of_columns ? columns : it.length);
    uint32_t pack = pack_of(problem), packs = staged_bytes / 16;
    uint64_t strips = policy->of_columns && whole ? columns / pack : columns;
    uint64_t between = strips & (0 - strips), pitch = it.stride / pack;
    pitch += between < 8 && pitch / between % 4 == 0 ? between : 0;
    policy->leaf_elements = (uint16_t)(whole ? pack : 1);
    policy->terms_room = args->terms <= 16 ? 16 : args->terms <= 64 ? 64 : TALLY_LANES;
    args->pitch_packs = whole ? pitch : 0;
    args->row_stride = it.stride;
    args->packed_rows = it.packed;
    args->staged_rows = whole ? packs / pitch : (packs - 1) * pack / it.stride;
    step->spec.group = (uint16_t)group_max;
    while (step->spec.group > TALLY_SHORT_ROWS_GROUP &&
           step->spec.group > args->staged_rows * strips)
        step->spec.group = step->spec.group / 2;
    if (args->staged_rows * strips > step->spec.group && strips <= step->spec.group)
        args->staged_rows -= args->staged_rows % (step->spec.group / strips);
    policy->sharers = policy->of_columns ? 0 : sharers_of(step, policy->leaf_elements);
    args->head.units =
        args->outputs / columns / it.packed * tally_plan_parts(it.packed, args->staged_rows);
}

bool tally_plan_has_short_rows(const tally_problem *problem, const tally_step *step) {
    const rows it = find_rows(step, step->args.fold.terms, 0);
    return step->args.fold.terms <= TALLY_LANES &&
           is_packed(problem, step, &it, 1, TALLY_SHORT_ROWS_BYTES);
}

void tally_plan_short_rows(const tally_problem *problem, tally_step *step) {
    step->spec.schedule = TALLY_FOLD_SHORT_ROWS;
    plan_staged(problem, step, 1, TALLY_SHORT_ROWS_BYTES, TALLY_WIDE_GROUP / 2);
}

void tally_plan_short_columns(const tally_problem *problem, tally_step *step) {
    step->spec.schedule = TALLY_FOLD_SHORT_ROWS;
    step->spec.policy.fold_short_rows.of_columns = true;
    plan_staged(problem, step, step->args.fold.kept_size[step->spec.kept_rank - 1],
                TALLY_SHORT_COLUMNS_BYTES, TALLY_WIDE_GROUP);
}

/* Terms of columns of whole packs, in rows of so many bytes, that short rows are used for. */
static uint64_t most_terms(const tally_problem *problem, uint64_t row) {
    if (tally_monoid_find(problem->function)->state == TALLY_STATE_SHIFTED)
        return TALLY_LANES;
    if (tally_dtype_find(problem->input)->bytes <= 2 || tally_problem_is_exact(problem))
        return row < TALLY_SECTOR ? TALLY_SHORT_COLUMNS_TERMS_PART : TALLY_SHORT_COLUMNS_TERMS;
    return row < 2 * TALLY_SECTOR ? TALLY_LANES : TALLY_SHORT_COLUMNS_TERMS_WIDE;
}

/*
 * Columns that are taken as short rows: few, and with few terms, packed; whole packs, or so few
 * terms that a unit has many outputs.
 */
bool tally_plan_has_short_columns(const tally_problem *problem, const tally_step *step) {
    const tally_fold_args *args = &step->args.fold;
    uint64_t columns = args->kept_size[step->spec.kept_rank - 1];
    const rows it = find_rows(step, columns * args->terms, 1);
    uint32_t bytes = tally_dtype_find(problem->input)->bytes;
    bool shifted = tally_monoid_find(problem->function)->state == TALLY_STATE_SHIFTED;
    uint64_t most = shifted ? TALLY_SHORT_COLUMNS_SHIFTED : TALLY_SHORT_COLUMNS_ROW;
    bool many =
        it.stride * bytes * TALLY_SHORT_COLUMNS_OUTPUTS <= columns * TALLY_SHORT_COLUMNS_BYTES &&
        args->terms >= TALLY_OUTPUTS_NARROW;
    bool packs = are_packs(problem, &it, columns);
    return args->terms <= (packs ? most_terms(problem, columns * bytes) : TALLY_LANES) &&
           columns * bytes <= most && (packs || many) &&
           args->swept_in[step->spec.swept_rank - 1] == columns &&
           is_packed(problem, step, &it, columns, TALLY_SHORT_COLUMNS_BYTES) &&
           it.stride * bytes <= TALLY_SHORT_COLUMNS_BYTES / 2;
}
