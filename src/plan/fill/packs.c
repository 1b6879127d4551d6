/*
 * Fills on GPUs by packs: how many a work-item has; where the band repeats, so that it looks one
 * pack up and goes on from there; and where the band has its edges.
 */
#include "plan/fill/fill.h"
#include "plan/fill/tuning.h"
#include "plan/tuning.h"

/*
 * Packs that a work-item has: so few that groups keep all compute units busy, and that the elements
 * which it picks one by one are under way together.
 */
static uint32_t packs_per_item(const tally_limits *limits, uint64_t packs, uint32_t group,
                               uint32_t elements) {
    const uint64_t busy = (uint64_t)limits->units * group * TALLY_FILL_PACK_GROUPS;
    const uint64_t most = elements == 0 ? TALLY_FILL_ITEM_PACKS : TALLY_FILL_LOADS / elements;
    uint64_t each = tally_plan_parts(packs, busy);
    each = each < most ? each : most;
    return each < TALLY_FILL_ITEM_PACKS ? (uint32_t)each : TALLY_FILL_ITEM_PACKS;
}

/* ---- Where the band repeats ---------------------------------------------------------------- */

/* Steps after which packs have the band at the same elements, and how often. */
typedef struct repeat {
    uint32_t axis; /* TALLY_AXES: within a run */
    uint64_t unit; /* packs of the run, or positions along the axis: enough memory side by side */
    uint64_t times;
} repeat;

static repeat repeat_by(uint32_t axis, uint64_t unit, uint64_t unit_bytes, uint64_t all) {
    unit *= tally_plan_parts(TALLY_FILL_REPEAT_BYTES, unit_bytes);
    return (repeat){axis, unit, all / unit};
}

/* Within a run: all of its axes from the outermost one on that the diagonal changes along. */
static repeat repeat_of_run(const tally_step *step, uint32_t pack) {
    const tally_fill_packs_args *args = &step->args.fill_packs;
    uint64_t elements = 1, matrix = 1;
    for (uint32_t k = step->spec.kept_rank; k-- > args->inner_axes;) {
        elements *= args->kept_size[k];
        matrix = args->diagonal[k] != 0 ? elements : matrix;
    }
    const uint64_t unit = matrix / tally_dims_common_divisor(matrix, pack);
    return repeat_by(TALLY_AXES, unit, unit * TALLY_FILL_BYTES, args->length / pack);
}

/* Along an axis outside: as many positions as it takes to packs at the same elements. */
static repeat repeat_of_axis(const tally_step *step, uint32_t k, uint32_t pack) {
    const tally_fill_packs_args *args = &step->args.fill_packs;
    const uint64_t unit = pack / tally_dims_common_divisor(args->kept_out[k], pack);
    return repeat_by(k, unit, args->kept_out[k] * unit * step->target_bytes, args->kept_size[k]);
}

static repeat find_repeat(const tally_step *step, uint32_t pack) {
    const tally_fill_packs_args *args = &step->args.fill_packs;
    repeat most = repeat_of_run(step, pack);
    for (uint32_t k = 0; k < args->inner_axes; k++) {
        if (args->kept_size[k] == 1 || args->diagonal[k] != 0)
            continue;
        const repeat it = repeat_of_axis(step, k, pack);
        most = it.times > most.times ? it : most;
    }
    return most;
}

/*
 * A work-item begins in one of so many packs, and meets the others at their places. Few items would
 * not keep the device busy; many would look up as much as they write.
 */
static void set_repeat(const tally_limits *limits, repeat it, uint64_t packs, uint32_t pack,
                       tally_step *step) {
    tally_fill_packs_args *args = &step->args.fill_packs;
    if (it.times < TALLY_FILL_REPEATS_MIN)
        return;
    const uint64_t busy = (uint64_t)limits->units * step->spec.group * TALLY_FILL_REPEAT_GROUPS;
    const uint64_t enough = packs / TALLY_FILL_REPEATS, wanted = busy > enough ? busy : enough;
    const uint64_t each = tally_plan_parts(wanted, packs / (it.unit * it.times));
    const uint64_t units = tally_plan_least(tally_plan_parts(each, it.unit), it.times);
    const uint64_t visits = tally_plan_parts(it.times, units);
    if (visits < TALLY_FILL_REPEATS_MIN)
        return;
    args->repeat_axis = it.axis;
    if (it.axis == TALLY_AXES) {
        args->length_packs = units * it.unit;
        args->repeat_step = args->repeat_in = args->repeat_out = args->length_packs * pack;
        args->repeat_end = args->length;
    } else {
        args->repeat_step = units * it.unit;
        args->repeat_in = args->repeat_step * args->kept_in[it.axis];
        args->repeat_out = args->repeat_step * args->kept_out[it.axis];
        args->repeat_end = args->kept_size[it.axis];
        args->lengths = args->lengths / args->repeat_end * args->repeat_step;
        tally_plan_magic(args->repeat_step, step->spec.index_bits, &args->magic[it.axis],
                         &args->shift[it.axis]);
    }
    step->spec.policy.fill_packs.repeats = 1;
    step->spec.policy.fill_packs.packs_per_item =
        (uint16_t)tally_plan_least(visits, TALLY_FILL_ITEM_PACKS);
    args->head.units = tally_plan_parts(args->lengths * args->length_packs, step->spec.group);
}

/* ---- The band's edges ---------------------------------------------------------------------- */

/* The least c of n positions at which c * step > reached, or c * step >= reached. */
static uint64_t first_above(int64_t reached, int64_t step, uint64_t n) {
    const uint64_t first = reached < 0 ? 0 : (uint64_t)(reached / step) + 1;
    return tally_plan_least(first, n);
}

static uint64_t first_from(int64_t reached, int64_t step, uint64_t n) {
    return first_above(reached - 1, step, n);
}

/*
 * Along a run's outermost axis the diagonals of what is inside of it go up or down by steps: there
 * are positions before the band, those that its first edge meets, some that are all in it, those
 * that its other edge meets, and what is behind it.
 */
static void find_edges(const tally_step *step, uint32_t k, uint64_t *edge) {
    const tally_fill_packs_args *args = &step->args.fill_packs;
    const uint64_t n = args->kept_size[k];
    const int64_t d = (int64_t)args->diagonal[k], low = args->low, high = args->high;
    int64_t least = 0, most = 0;
    for (uint32_t j = k + 1; j < step->spec.kept_rank; j++) {
        const int64_t span = (int64_t)(args->diagonal[j] * (args->kept_size[j] - 1));
        *(span < 0 ? &least : &most) += span;
    }
    if (d > 0) {
        edge[0] = first_from(low - most, d, n);
        edge[1] = first_from(low - least, d, n);
        edge[2] = first_from(high - most, d, n);
        edge[3] = first_from(high - least, d, n);
    } else {
        edge[0] = first_above(least - high, -d, n);
        edge[1] = first_above(most - high, -d, n);
        edge[2] = first_above(least - low, -d, n);
        edge[3] = first_above(most - low, -d, n);
    }
}

/* In elements of the run, which all are between edges where there are several matrices. */
static void set_edges(tally_step *step) {
    tally_fill_packs_args *args = &step->args.fill_packs;
    uint32_t k = 0;
    while (k + 1 < step->spec.kept_rank && args->kept_size[k] == 1)
        k++;
    const bool is_one = k >= args->inner_axes && args->diagonal[k] != 0;
    uint64_t edge[4] = {0, 1, 1, 1};
    if (is_one)
        find_edges(step, k, edge);
    const uint64_t elements = args->length / (is_one ? args->kept_size[k] : 1);
    args->band_begin = edge[0] * elements;
    args->whole_begin = edge[1] * elements;
    args->whole_end = edge[2] * elements;
    args->band_end = edge[3] * elements;
}

void tally_plan_fill_packs(const tally_problem *problem, const tally_limits *limits, tally_run it,
                           uint32_t group, tally_step *step) {
    tally_fill_packs_args *args = &step->args.fill_packs;
    const uint32_t bits = step->spec.index_bits, pack = TALLY_FILL_BYTES / step->target_bytes;
    step->spec.schedule = TALLY_FILL_PACKS;
    step->spec.group = (uint16_t)group;
    args->inner_axes = it.inner_axes;
    args->length = it.elements;
    args->in_extent = problem->input_extent;
    tally_fill_set_axes(step);
    args->lengths = args->head.units / it.elements;
    args->length_packs = (it.elements + 2 * pack - 2) / pack; /* wherever it begins in its first */
    const uint64_t packs = args->lengths * args->length_packs;
    const uint32_t each = packs_per_item(limits, packs, group, it.picks ? pack : 0);
    step->spec.policy.fill_packs.packs_per_item = (uint16_t)each;
    step->spec.policy.fill_packs.picks = it.picks;
    step->spec.policy.fill_packs.rewrites = it.rewrites;
    args->head.units = tally_plan_parts(packs, (uint64_t)group * each);
    set_edges(step);
    if (!it.picks)
        set_repeat(limits, find_repeat(step, pack), packs, pack, step);
    tally_plan_magic(args->length_packs, bits, &args->packs_magic, &args->packs_shift);
}
