/*
 * Folds along lines of terms beside each other in memory, on GPUs and on CPUs. How many a group or
 * work-item has decides no bits.
 */
#include "plan/fold/lines.h"

#include "cl/core/order.h"
#include "cl/core/sizes.h"
#include "model/dtype.h"
#include "model/monoid.h"
#include "plan/tuning.h"

/*
 * On GPUs: bytes that are loaded at once; blocks of a piece of a longer line, at least, unless that
 * leaves fewer groups than such a part of those wanted; terms of a piece, at most; work-items of a
 * group, at least.
 */
#define TALLY_LINES_PACK 16
#define TALLY_LINES_PIECE 4
#define TALLY_LINES_FEW 8
#define TALLY_LINES_TERMS ((uint64_t)1 << 30)
#define TALLY_LINES_GROUP 64

/* On CPUs: bytes of lines beside each other, and lines, at most; blocks of a piece, at least. */
#define TALLY_CPU_LINES_BYTES 256
#define TALLY_CPU_LINES_MOST 64
#define TALLY_CPU_LINES_PIECE 8

tally_near_axis tally_plan_nearest_axis(const tally_step *step) {
    const tally_fold_args *args = &step->args.fold;
    tally_near_axis nearest = {
        .axis = step->spec.swept_rank - 1u, .stride = UINT64_MAX, .size = 1, .inside = 1};
    uint64_t inside = 1;
    for (uint32_t k = step->spec.swept_rank; k-- > 0; inside *= args->swept_size[k])
        if (args->swept_size[k] > 1 && args->swept_in[k] > 0 && args->swept_in[k] < nearest.stride)
            nearest = (tally_near_axis){k, args->swept_size[k], args->swept_in[k], inside};
    return nearest;
}

uint64_t tally_plan_beside(const tally_problem *problem, uint64_t many) {
    uint64_t most = TALLY_ANY_BYTES / tally_dtype_find(problem->input)->bytes;
    return tally_plan_power(many, most < TALLY_ANY_BESIDE ? most : TALLY_ANY_BESIDE);
}

/* Strips of lines beside each other, of so many at once. */
static uint64_t strips_of(const tally_fold_args *args, const tally_near_axis *nearest,
                          uint64_t at_once) {
    return args->outputs * (args->terms / (nearest->inside * nearest->size)) *
           tally_plan_parts(nearest->size, at_once);
}

/*
 * Lines that a work-item loads at once: as many as 16 bytes have, if all packs of them begin at
 * whole ones from the output's first term on.
 */
static uint64_t lines_of_pack(const tally_step *step, const tally_near_axis *nearest,
                              uint64_t bytes) {
    const tally_fold_args *args = &step->args.fold;
    uint64_t all = nearest->size;
    if (nearest->stride != 1)
        return 1;
    for (uint32_t k = 0; k < step->spec.swept_rank; k++)
        all |= args->swept_size[k] > 1 && k != nearest->axis ? args->swept_in[k] : 0;
    for (uint32_t k = 0; k < step->spec.kept_rank; k++)
        all |= args->kept_size[k] > 1 ? args->kept_in[k] : 0;
    uint64_t lines = TALLY_LINES_PACK / bytes;
    while (lines > 1 && all % lines != 0)
        lines /= 2;
    return lines;
}

/* Work-items for so many lines in packs of so many. */
static uint64_t group_of(uint64_t lines, uint64_t pack) {
    uint64_t group = pack == 1 ? TALLY_WIDE_GROUP : TALLY_SHARES * lines;
    return group < TALLY_LINES_GROUP ? TALLY_LINES_GROUP : group;
}

/* Those of them that share a pack. */
static uint64_t sides_of(uint64_t lines, uint64_t pack) {
    return group_of(lines, pack) * pack / lines;
}

/* Terms of a line's pieces, where so many are wanted. */
static uint64_t piece_terms(const tally_near_axis *nearest, uint64_t pieces) {
    return tally_plan_least(tally_plan_parts(nearest->inside, pieces), TALLY_LINES_TERMS);
}

bool tally_plan_lines(const tally_problem *problem, const tally_limits *limits,
                      const tally_near_axis *nearest, tally_step *step) {
    tally_fold_any_args *args = &step->args.fold_any;
    const uint64_t bytes = tally_dtype_find(problem->input)->bytes;
    uint64_t pack = lines_of_pack(step, nearest, bytes);
    uint64_t at_once = tally_plan_beside(problem, nearest->size);
    uint64_t inner = args->swept_size[step->spec.swept_rank - 1];
    while (pack > 1 && sides_of(at_once, pack) > inner)
        pack /= 2;
    uint64_t group = group_of(at_once, pack);
    uint64_t strips = strips_of(&step->args.fold, nearest, at_once);
    uint64_t busy = (uint64_t)TALLY_ANY_GROUPS * TALLY_WIDE_GROUP * limits->units / group;
    uint64_t blocks = tally_plan_parts(nearest->inside, TALLY_BLOCK);
    uint64_t pieces = tally_plan_least(tally_plan_parts(busy, strips),
                                       tally_plan_parts(blocks, TALLY_LINES_PIECE));
    uint64_t few = busy / TALLY_LINES_FEW;
    if (strips * pieces < few)
        pieces = tally_plan_least(tally_plan_parts(few, strips), blocks);
    if (sides_of(at_once, pack) > inner || strips * pieces < few)
        return false;
    step->spec.policy.fold_any.lines_at_once = (uint16_t)at_once;
    step->spec.policy.fold_any.pack = (uint16_t)(pack * bytes);
    step->spec.group = (uint16_t)group;
    args->line_terms = nearest->inside;
    args->lines = nearest->size;
    args->piece_terms = piece_terms(nearest, pieces);
    args->head.units = strips * tally_plan_parts(nearest->inside, args->piece_terms);
    return true;
}

/* Elements of all kept axes lie further apart than those of the nearest swept one. */
static bool is_nearest(const tally_step *step, const tally_near_axis *nearest) {
    const tally_fold_args *args = &step->args.fold;
    for (uint32_t k = 0; k < step->spec.kept_rank; k++)
        if (args->kept_size[k] > 1 && args->kept_in[k] <= nearest->stride)
            return false;
    return true;
}

bool tally_plan_cpu_lines(const tally_problem *problem, const tally_limits *limits,
                          tally_step *step) {
    tally_fold_cpu_lines_args *args = &step->args.fold_cpu_lines;
    const tally_near_axis nearest = tally_plan_nearest_axis(step);
    const tally_dtype_row *type = tally_dtype_find(problem->input);
    if (tally_problem_is_exact(problem) ||
        tally_monoid_find(problem->function)->state != TALLY_STATE_VALUE || nearest.stride != 1 ||
        nearest.inside < TALLY_BLOCK || !is_nearest(step, &nearest))
        return false;
    uint64_t most = tally_plan_least(TALLY_CPU_LINES_BYTES / type->bytes, TALLY_CPU_LINES_MOST);
    uint64_t at_once = tally_plan_power(nearest.size, most), width = 32 / type->compute_bytes;
    at_once = at_once < width ? width : at_once;
    uint64_t strips = strips_of(&step->args.fold, &nearest, at_once);
    uint64_t wanted = tally_plan_parts((uint64_t)limits->units * TALLY_CPU_GRAINS, strips);
    uint64_t longest = nearest.inside / ((uint64_t)TALLY_CPU_LINES_PIECE * TALLY_BLOCK);
    uint64_t pieces = longest < 1 ? 1 : tally_plan_least(wanted, longest);
    step->spec.schedule = TALLY_FOLD_CPU_LINES;
    step->spec.policy.fold_cpu_lines.lines_at_once = (uint16_t)at_once;
    args->line_terms = nearest.inside;
    args->lines = nearest.size;
    args->piece_terms = piece_terms(&nearest, pieces);
    args->head.units = strips * tally_plan_parts(nearest.inside, args->piece_terms);
    args->grain = tally_plan_grain(limits, args->piece_terms * at_once * type->bytes, step);
    return true;
}
