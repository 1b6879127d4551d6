/*
 * What the planners of fills share: runs of elements side by side, and divisors.
 */
#include "plan/fill/fill.h"
#include "plan/fill/tuning.h"

void tally_plan_magic(uint64_t divisor, uint32_t bits, tally_u64 *magic, tally_u64 *shift) {
    uint64_t quotient = 0, rest = 1;
    uint32_t up = 0;
    while (up < bits && (UINT64_C(1) << up) < divisor)
        up++;
    if (divisor == 1)
        quotient = 1, rest = 0;
    for (uint32_t i = 0; i < bits - 1 + up; i++) { /* 2^(bits - 1 + up) / divisor */
        const uint64_t next = divisor - rest;
        const bool carries = rest >= next;
        quotient = quotient * 2 + carries;
        rest = carries ? rest - next : rest * 2;
    }
    *magic = quotient + 1;
    *shift = up;
}

uint64_t tally_fill_run(const tally_step *step, bool input, uint32_t *axes) {
    const tally_fill_args *args = &step->args.fill;
    uint64_t run = 1;
    uint32_t k = step->spec.kept_rank;
    for (; k > 0; run *= args->kept_size[--k])
        if (args->kept_size[k - 1] > 1 &&
            (args->kept_out[k - 1] != run || (input && args->kept_in[k - 1] != run)))
            break;
    *axes = k;
    return run;
}

void tally_fill_set_axes(tally_step *step) {
    tally_fill_axes_args *args = &step->args.fill_axes;
    for (uint32_t k = 0; k < step->spec.kept_rank; k++)
        tally_plan_magic(args->kept_size[k], step->spec.index_bits, &args->magic[k],
                         &args->shift[k]);
}

bool tally_walk_is_transposed(const tally_walk *walk) {
    const tally_dims *dims = &walk->dims;
    uint32_t inner = dims->count;
    for (uint32_t k = 0; k < dims->count; k++)
        if (dims->in[k] != 0 && (inner == dims->count || dims->in[k] <= dims->in[inner]))
            inner = k;
    return inner + 1 < dims->count;
}

tally_boxes tally_fill_boxes(tally_fill_box_args *args, const tally_step *step) {
    return (tally_boxes){&args->box, step->spec.kept_rank, args->kept_size, args->kept_in,
                         args->kept_out};
}
