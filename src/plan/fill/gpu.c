/*
 * Fills on GPUs: by packs where elements lie side by side, by boxes (gpu_box.c) where they do not,
 * and through local memory where input and output have their axes in different orders.
 */
#include "plan/fill/fill.h"
#include "plan/fill/tuning.h"
#include "plan/pieces.h"
#include "plan/tuning.h"

/* ---- Packs --------------------------------------------------------------------------------- */

static tally_run run_of(const tally_step *step, bool input, bool picks) {
    tally_run it = {.picks = picks};
    it.elements = tally_fill_run(step, input, &it.inner_axes);
    return it;
}

/* The axes, and what so many elements of the output, one after the other, have of each. */
static uint32_t cut_output(const tally_step *step, uint64_t most, tally_cut *cut) {
    const tally_fill_args *args = &step->args.fill;
    uint64_t elements = 1;
    uint32_t count = 0;
    for (uint32_t k = step->spec.kept_rank; k-- > 0;) {
        const uint64_t size = args->kept_size[k];
        const uint64_t part = tally_plan_least(size, tally_plan_parts(most, elements));
        if (size > 1)
            cut[count++] = (tally_cut){k, size, part, args->kept_in[k]};
        elements *= part;
    }
    return count;
}

/*
 * Whether what a group picks of the input lies in pieces of memory of a sector and more: it reads
 * element by element, but all of a piece's while these are in its cache.
 */
static bool has_pieces(const tally_step *step, uint32_t group) {
    const uint64_t sector = TALLY_FILL_SECTOR / step->target_bytes;
    tally_cut cut[TALLY_AXES];
    const uint32_t count = cut_output(step, (uint64_t)group * TALLY_FILL_LOADS, cut);
    tally_cuts_sort(cut, count);
    return tally_pieces_find(cut, count, sector).span >= sector;
}

/*
 * Whether the elements that work-items side by side pick together are on few pages of memory, whose
 * addresses a device looks up together: a row on each is half as fast as by way of a box.
 */
static bool are_near(const tally_step *step) {
    const uint64_t page = TALLY_FILL_PAGE / step->target_bytes;
    tally_cut cut[TALLY_AXES];
    const uint32_t count = cut_output(step, TALLY_FILL_SIDE_BY_SIDE / step->target_bytes, cut);
    uint64_t pages = 1;
    for (uint32_t i = 0; i < count; i++)
        pages *= tally_plan_least(cut[i].part, (cut[i].part - 1) * cut[i].stride / page + 1);
    return pages <= TALLY_FILL_PAGES;
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
 * Whether packs in place are written whole where the band covers a part of them: elements one by
 * one take longer. Large matrices have few such packs.
 */
static bool is_rewritten(const tally_walk *walk, const tally_step *step) {
    uint64_t most = 1;
    for (uint32_t k = 0; k < walk->dims.count; k++)
        if (walk->diagonal[k] != 0 && walk->dims.size[k] > most)
            most = walk->dims.size[k];
    return step->args.fill.in_place != 0 && !walk->sheared &&
           most * step->target_bytes <= TALLY_FILL_REWRITTEN;
}

void tally_plan_fill_gpu(const tally_problem *problem, const tally_walk *walk,
                         const tally_limits *limits, tally_step *step) {
    uint32_t group = TALLY_WIDE_GROUP;
    while (group > limits->group_max)
        group /= 2;
    tally_run both = run_of(step, step->spec.has_input, false),
              output_only = run_of(step, false, true);
    both.rewrites = is_rewritten(walk, step);
    const bool stages = step->spec.has_input != 0 && is_transposed(walk, step->target_bytes);
    const bool picked = is_picked(step, both.elements, output_only.elements, group);
    if (picked && stages && !are_near(step) && tally_plan_fill_transpose(limits, group, step))
        return;
    if (picked)
        tally_plan_fill_packs(problem, limits, output_only, group, step);
    else if (both.elements * step->target_bytes >= TALLY_FILL_RUN)
        tally_plan_fill_packs(problem, limits, both, group, step);
    else if (!(stages && tally_plan_fill_transpose(limits, group, step)) &&
             limits->local_bytes >= 3ull * group * (step->spec.index_bits / 8u))
        tally_plan_fill_box(limits, group, step);
}
