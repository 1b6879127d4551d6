/*
 * plan_rules_band.c: what the kernels of fills take for granted, worked out from what is said at
 * the head of each file of cl/: each element of each row is one work-item's.
 */
#include "number.h"
#include "plan_rules_parts.h"

/* Numbers of the kernels, written once more. */
#define PACK_BYTES 16

static uint64_t columns_of(const tally_step *step) {
    return step->args.band.kept_size[step->spec.kept_rank - 1];
}

static uint64_t quotient(uint64_t n, uint64_t of) {
    return n / of + (n % of != 0);
}

static const char *broken_elements(const tally_problem *problem, const tally_step *step) {
    const tally_band_args *args = &step->args.band;
    if (args->head.units != tally_dims_elements(&problem->kept))
        return "each element is a unit";
    return step->spec.stack != 0 || step->spec.each != 0 || step->slots != 0 || args->rows != 0 ||
                   args->across != 0 || args->pieces != 0 || args->slices != 0 || args->stream != 0
               ? "what a schedule has no use for is 0"
               : NULL;
}

/* Whether elements of a row lie side by side, and there are some packs of them. */
static const char *broken_contiguous(const tally_problem *problem, const tally_step *step) {
    const tally_band_args *args = &step->args.band;
    const uint32_t last = step->spec.kept_rank - 1u;
    if (args->kept_out[last] != 1 || (problem->has_input && args->kept_in[last] != 1))
        return "a row's elements lie side by side";
    if (columns_of(step) * number_bytes((tally_dtype)step->spec.input) < PACK_BYTES)
        return "a row has a pack at least";
    if (args->rows != tally_dims_elements(&problem->kept) / columns_of(step))
        return "the rows are those of all matrices";
    return args->pieces == 0 || args->across == 0 ? "a row is in pieces" : NULL;
}

/* A row that is not aligned has a pack more, which the last piece takes in another round. */
static const char *broken_rows(const tally_problem *problem, const tally_step *step) {
    const tally_band_args *args = &step->args.band;
    const tally_spec *spec = &step->spec;
    const char *broken = broken_contiguous(problem, step);
    if (broken != NULL)
        return broken;
    const uint64_t pack = PACK_BYTES / number_bytes((tally_dtype)spec->input);
    const uint64_t packs = quotient(columns_of(step), pack);
    if (spec->stack == 0 || spec->each == 0 || spec->stack * spec->each > 8 ||
        (spec->each > 1 && args->pieces > 1))
        return "a work-item has a few packs, of several rows only if these are narrow";
    if (args->across > spec->group || args->across * spec->stack * args->pieces < packs ||
        args->across * spec->stack * (args->pieces - 1) >= packs)
        return "each pack is in a piece and no piece is empty";
    if (step->slots != 0 || args->slices != 0 || args->stream != 0)
        return "what a schedule has no use for is 0";
    const uint64_t rows = spec->group / args->across * spec->each;
    return args->head.units != quotient(args->rows, rows) * args->pieces
               ? "each piece of as many rows as a group has is a unit"
               : NULL;
}

static const char *broken_cpu(const tally_problem *problem, const tally_step *step) {
    const tally_band_args *args = &step->args.band;
    const char *broken = broken_contiguous(problem, step);
    if (broken != NULL)
        return broken;
    if (args->pieces != quotient(columns_of(step), args->across) || step->spec.stack != 0 ||
        step->spec.each != 0 || step->slots != args->slices)
        return "each column is in a piece and no piece is empty";
    return args->head.units != args->rows * args->pieces || args->slices == 0
               ? "each piece of a row is a unit, of which a work-item takes some"
               : NULL;
}

const char *plan_rules_fill(const tally_problem *problem, const tally_step *step) {
    static const char *(*const rules[TALLY_SCHEDULES])(const tally_problem *,
                                                       const tally_step *) = {
        [TALLY_BAND] = broken_elements,
        [TALLY_BAND_ROWS] = broken_rows,
        [TALLY_BAND_CPU] = broken_cpu,
    };
    return rules[step->spec.schedule](problem, step);
}
