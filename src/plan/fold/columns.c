/*
 * Columns that work-items go down: outputs lie side by side, and the terms of each a stride apart.
 */
#include "cl/core/order.h"
#include "model/dtype.h"
#include "model/monoid.h"
#include "plan/fold/schedule.h"
#include "plan/group.h"
#include "plan/tuning.h"

/* Work-items of a group whose local memory holds so many bytes for each of them. */
static uint16_t wide_group(uint32_t bytes) {
    uint16_t group = TALLY_WIDE_GROUP;
    while (group * bytes > TALLY_WIDE_LOCAL)
        group = (uint16_t)(group / 2);
    return group;
}

/*
 * Lanes that a work-item takes of so many, of strips of so many bytes: fewer where those are
 * narrow, so that its neighbours are beside it. Where combining is exact it has nothing to keep for
 * each lane.
 */
static uint32_t lanes_per_item(const tally_problem *problem, const tally_step *step, uint32_t lanes,
                               uint64_t packs) {
    if (lanes <= TALLY_COLUMN_LANES_ALL)
        return lanes;
    if (packs * step->spec.policy.fold_columns.pack > TALLY_COLUMN_NARROW)
        return tally_dtype_find(problem->input)->bytes == 2 ? TALLY_COLUMN_LANES_HALF
                                                            : TALLY_COLUMN_LANES;
    uint32_t each = TALLY_COLUMN_LANES_NARROW;
    while (lanes / each * packs > step->spec.group)
        each *= 2;
    return each;
}

/*
 * Float16 is loaded 8 bytes at a time, as the states of 16 would fill the registers, and so are
 * bytes of which a row has fewer than 16.
 */
static void set_columns(const tally_problem *problem, tally_step *step) {
    tally_fold_team_args *args = &step->args.fold_team;
    tally_fold_columns_policy *policy = &step->spec.policy.fold_columns;
    uint32_t bytes = tally_dtype_find(problem->input)->bytes;
    uint64_t columns = args->kept_size[step->spec.kept_rank - 1];
    policy->pack = bytes == 2 || (bytes == 1 && columns < 16) ? 8 : 16;
    uint32_t pack = policy->pack / bytes;
    uint64_t packs = tally_plan_parts(columns, pack);
    uint32_t lanes = (uint32_t)tally_plan_power(args->terms, TALLY_LANES);
    step->spec.group = wide_group(pack * tally_spec_state_bytes(&step->spec));
    uint32_t each = lanes_per_item(problem, step, lanes, packs), slices = lanes / each;
    step->spec.schedule = TALLY_FOLD_COLUMNS;
    policy->lanes_per_item = (uint16_t)(tally_problem_is_exact(problem) ? 1 : each);
    policy->whole_block = slices == 1;
    uint64_t most = step->spec.group / slices;
    most = most < TALLY_TEAM_WIDTH_MAX ? most : TALLY_TEAM_WIDTH_MAX;
    uint64_t strips = tally_plan_parts(packs, most);
    args->slices = slices;
    args->team_width = tally_plan_parts(packs, strips);
    strips = tally_plan_parts(packs, args->team_width);
    args->head.units = args->outputs / columns * strips * args->blocks;
}

/*
 * Few columns that lie beside others, a cache line of them at least, which are nearer than their
 * own next terms: strips of them would leave out most of that line.
 */
static bool are_beside_others(const tally_step *step, uint32_t bytes) {
    const tally_fold_args *args = &step->args.fold;
    uint64_t columns = args->kept_size[step->spec.kept_rank - 1], nearest = UINT64_MAX, size = 1;
    for (uint32_t k = 0; k + 1u < step->spec.kept_rank; k++)
        if (args->kept_size[k] > 1 && args->kept_in[k] > 0 && args->kept_in[k] < nearest) {
            nearest = args->kept_in[k];
            size = args->kept_size[k];
        }
    return columns * bytes < TALLY_COLUMN_NARROW && nearest <= 2 * columns &&
           nearest * size * bytes >= TALLY_OUTPUTS_CACHE_LINE &&
           nearest < args->swept_in[step->spec.swept_rank - 1];
}

/*
 * Columns that fold_columns takes. Long ones: of 8 and 16 bits only the narrow and the aligned
 * ones, of LOG_SUM_EXP only the aligned ones. Of 4 and 8 bytes also those of so few terms that a
 * work-item has them all, where combining is not exact; of LOG_SUM_EXP only the aligned ones of 4
 * bytes. The states of others would fill the registers.
 */
static bool are_columns(const tally_problem *problem, const tally_step *step) {
    const tally_fold_args *args = &step->args.fold;
    uint32_t bytes = tally_dtype_find(problem->input)->bytes, pack = 16 / bytes;
    uint64_t columns = args->kept_size[step->spec.kept_rank - 1];
    uint32_t least = bytes == 2 ? pack / 2 : pack; /* as set_columns has it */
    bool aligned = columns % least == 0 && args->swept_in[step->spec.swept_rank - 1] % least == 0;
    bool shifted = tally_monoid_find(problem->function)->state == TALLY_STATE_SHIFTED;
    const bool whole = args->terms <= TALLY_COLUMN_LANES_ALL;
    if (aligned && shifted && bytes == 4 && whole)
        return true;
    if (are_beside_others(step, bytes))
        return false;
    if (args->terms >= TALLY_COLUMN_LONG)
        return aligned || (!shifted && (bytes >= 4 || columns * bytes < TALLY_OUTPUTS_CACHE_LINE));
    return args->terms <= TALLY_COLUMN_FEW && bytes >= 4 && !tally_problem_is_exact(problem) &&
           columns * bytes > TALLY_COLUMN_NARROW;
}

/* Plan columns; whether their strips are enough groups to keep the device busy. */
static bool fills_device(const tally_limits *limits, const tally_problem *problem,
                         tally_step *step) {
    tally_step columns = *step;
    set_columns(problem, &columns);
    if (columns.args.head.units < limits->units * tally_group_slots(&columns))
        return false;
    *step = columns;
    return true;
}

bool tally_plan_columns(const tally_problem *problem, const tally_limits *limits,
                        tally_step *step) {
    return are_columns(problem, step) && fills_device(limits, problem, step);
}
