/*
 * Fills on GPUs: by packs where elements lie side by side, by boxes (gpu_box.c) where they do not,
 * and through local memory where input and output have their axes in different orders.
 */
#include "plan/fill/fill.h"
#include "plan/fill/tuning.h"
#include "plan/pieces.h"
#include "plan/tuning.h"

/* ---- Long rows ----------------------------------------------------------------------------- */

/*
 * Rows that lie side by side in both tensors are looked up once each, which long ones are worth.
 * Narrow elements that are copied are faster by packs, and so are rows of zeros that do not begin
 * at packs, as these have the ends of two rows. In place only rows of 4 KB and more of 1- and
 * 2-byte elements are worth it. Of a map no row is looked up.
 */
static bool has_long_rows(const tally_problem *problem, const tally_step *step) {
    const uint32_t last = step->spec.kept_rank - 1u;
    const uint64_t bytes = step->args.fill.in_place
                               ? step->args.fill.kept_size[last] * step->target_bytes
                               : tally_fill_row_bytes(problem, step);
    if (bytes < TALLY_FILL_GPU_ROW || tally_spec_is_map(&step->spec))
        return false;
    if (step->args.fill.in_place)
        return step->target_bytes <= 2 && bytes >= TALLY_FILL_GPU_LONG;
    return step->spec.has_input ? step->target_bytes >= 4
                                : bytes % TALLY_FILL_BYTES == 0 || bytes >= TALLY_FILL_GPU_LONG;
}

/*
 * Packs of a row that a work-item has. What neighbours have together of a narrow row is whole
 * sectors, as one that is written in two parts takes twice as long, with the fewest positions to
 * spare.
 */
static uint32_t packs_of_row(uint64_t packs) {
    const uint32_t most = 2 * TALLY_FILL_ITEM_PACKS;
    uint32_t each = most;
    uint64_t least = UINT64_MAX;
    if (packs > TALLY_FILL_NARROW)
        return TALLY_FILL_ITEM_PACKS;
    for (uint32_t tried = most; tried >= TALLY_FILL_ITEM_PACKS; tried--) {
        const uint64_t team_width = tally_plan_parts(packs, tried);
        if (team_width * TALLY_FILL_BYTES % TALLY_FILL_SECTOR == 0 && team_width * tried < least) {
            least = team_width * tried;
            each = tried;
        }
    }
    return each;
}

/*
 * A work-item has a few packs of a row, which is cut into pieces where a group has fewer. False if
 * a walk in place has no rows.
 */
static bool plan_rows(const tally_problem *problem, const tally_walk *walk, uint32_t group,
                      tally_step *step) {
    tally_fill_rows_args *args = &step->args.fill_rows;
    if (!args->in_place)
        tally_fill_set_matrix(problem, step);
    else if (!tally_fill_set_walk(walk, step))
        return false;
    const uint64_t columns = args->kept_size[step->spec.kept_rank - 1];
    const uint64_t packs = tally_plan_parts(columns, TALLY_FILL_BYTES / step->target_bytes);
    const uint32_t each = packs_of_row(packs);
    step->spec.schedule = TALLY_FILL_ROWS;
    step->spec.group = (uint16_t)group;
    step->spec.policy.fill_rows.packs_per_item = (uint16_t)each;
    step->spec.policy.fill_rows.rows_at_once = 1;
    args->pieces = tally_plan_parts(packs, (uint64_t)group * each);
    args->team_width = tally_plan_parts(packs, args->pieces * each);
    args->head.units = tally_plan_parts(args->rows, group / args->team_width) * args->pieces;
    return true;
}

/* ---- Packs --------------------------------------------------------------------------------- */

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

/* Elements side by side over the axes from one on: in both tensors, or in the output alone. */
typedef struct run {
    uint64_t elements;
    uint32_t inner_axes;
    bool picks, rewrites;
} run;

static run run_of(const tally_step *step, bool input, bool picks) {
    run it = {.picks = picks};
    it.elements = tally_fill_run(step, input, &it.inner_axes);
    return it;
}

static void plan_packs(const tally_limits *limits, run it, uint32_t group, tally_step *step) {
    tally_fill_packs_args *args = &step->args.fill_packs;
    const uint32_t bits = step->spec.index_bits, pack = TALLY_FILL_BYTES / step->target_bytes;
    step->spec.schedule = TALLY_FILL_PACKS;
    step->spec.group = (uint16_t)group;
    args->inner_axes = it.inner_axes;
    args->length = it.elements;
    tally_fill_set_axes(step);
    args->lengths = args->head.units / it.elements;
    args->length_packs = (it.elements + 2 * pack - 2) / pack; /* wherever it begins in its first */
    tally_plan_magic(args->length_packs, bits, &args->packs_magic, &args->packs_shift);
    const uint64_t packs = args->lengths * args->length_packs;
    const uint32_t each = packs_per_item(limits, packs, group, it.picks ? pack : 0);
    step->spec.policy.fill_packs.packs_per_item = (uint16_t)each;
    step->spec.policy.fill_packs.picks = it.picks;
    step->spec.policy.fill_packs.rewrites = it.rewrites;
    args->head.units = tally_plan_parts(packs, (uint64_t)group * each);
}

/*
 * Whether what a group picks of the input lies in pieces of memory of a sector and more: it reads
 * element by element, but all of a piece's while these are in its cache.
 */
static bool has_pieces(const tally_step *step, uint32_t group) {
    const tally_fill_args *args = &step->args.fill;
    const uint64_t sector = TALLY_FILL_SECTOR / step->target_bytes;
    const uint64_t most = (uint64_t)group * TALLY_FILL_LOADS;
    tally_cut cut[TALLY_AXES];
    uint64_t elements = 1;
    uint32_t count = 0;
    for (uint32_t k = step->spec.kept_rank; k-- > 0;) {
        const uint64_t room = tally_plan_parts(most, elements), size = args->kept_size[k];
        if (size == 1)
            continue;
        cut[count] = (tally_cut){k, size, tally_plan_least(size, room), args->kept_in[k]};
        elements *= cut[count++].part;
    }
    tally_cuts_sort(cut, count);
    return tally_pieces_find(cut, count, sector).span >= sector;
}

/*
 * Whether packs are put together of single elements: runs of both tensors are short, and those of
 * the output alone are longer. Bytes are moved faster side by side, where they lie so.
 */
static bool is_picked(const tally_step *step, uint64_t both, uint64_t output_only, uint32_t group) {
    const uint64_t bytes = step->target_bytes;
    const uint64_t enough = bytes > 1 ? TALLY_FILL_PICKED : TALLY_FILL_RUN;
    return output_only > both && output_only * bytes >= TALLY_FILL_RUN && both * bytes < enough &&
           has_pieces(step, group);
}

/* ---- The choice ---------------------------------------------------------------------------- */

/*
 * Whether input and output have their axes in different orders, but for innermost ones that repeat
 * the input's elements, or are so short that they make no run.
 */
static bool is_transposed(const tally_walk *walk, uint32_t bytes) {
    tally_walk outer = *walk;
    for (uint32_t k = outer.dims.count; k-- > 0; outer.dims.count--) {
        const uint64_t stride = outer.dims.in[k];
        if (stride != 0 && tally_walk_is_transposed(&outer))
            return true;
        if (stride * outer.dims.size[k] * bytes >= TALLY_FILL_RUN)
            return false;
    }
    return false;
}

/*
 * Whether packs in place are written whole where the band covers a part of them: narrow elements,
 * one by one, take longer. Large matrices have few such packs.
 */
static bool is_rewritten(const tally_walk *walk, const tally_step *step) {
    uint64_t most = 1;
    for (uint32_t k = 0; k < walk->dims.count; k++)
        if (walk->diagonal[k] != 0 && walk->dims.size[k] > most)
            most = walk->dims.size[k];
    return step->args.fill.in_place != 0 && !walk->sheared && step->target_bytes <= 2 &&
           most * step->target_bytes <= TALLY_FILL_REWRITTEN;
}

void tally_plan_fill_gpu(const tally_problem *problem, const tally_walk *walk,
                         const tally_limits *limits, tally_step *step) {
    uint32_t group = TALLY_WIDE_GROUP;
    while (group > limits->group_max)
        group /= 2;
    run both = run_of(step, step->spec.has_input, false), output_only = run_of(step, false, true);
    both.rewrites = is_rewritten(walk, step);
    const bool stages = step->spec.has_input != 0 && is_transposed(walk, step->target_bytes) &&
                        limits->local_bytes >= TALLY_FILL_STAGED + TALLY_FILL_SPARE;
    if (has_long_rows(problem, step) && plan_rows(problem, walk, group, step))
        return;
    if (is_picked(step, both.elements, output_only.elements, group))
        plan_packs(limits, output_only, group, step);
    else if (both.elements * step->target_bytes >= TALLY_FILL_RUN)
        plan_packs(limits, both, group, step);
    else if (stages && !tally_spec_is_map(&step->spec) &&
             tally_plan_fill_transpose(limits, group, step))
        ;
    else if (stages)
        tally_plan_fill_staged(limits, group, step);
    else if (limits->local_bytes >= 3ull * group * (step->spec.index_bits / 8u))
        tally_plan_fill_box(limits, group, step);
}
