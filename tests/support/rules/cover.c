/*
 * cover.c: which positions axes reach, and how often, as one number: each position is a power of a
 * base, a pair of positions a product of two, and what all coordinates reach is their sum in a
 * finite field. Of an axis that is a geometric series, and of several the product of theirs. So it
 * does not matter in which order axes are, nor which are merged. What reaches the same has the same
 * number; what does not has another one, but for one in four thousand million by chance.
 */
#include "parts.h"

#define PRIME UINT64_C(4294967291)
#define BASE_IN UINT64_C(2654435769)
#define BASE_OUT UINT64_C(1597334677)
#define BASE_DIAGONAL UINT64_C(3266489917)

static uint64_t power(uint64_t base, uint64_t exponent) {
    uint64_t result = 1;
    for (; exponent > 0; exponent /= 2, base = base * base % PRIME)
        result = exponent % 2 != 0 ? result * base % PRIME : result;
    return result;
}

/* 1 + step + step^2 + ..., so many. */
static uint64_t series(uint64_t step, uint64_t count) {
    if (step == 1)
        return count % PRIME;
    const uint64_t inverse = power((step + PRIME - 1) % PRIME, PRIME - 2);
    return (power(step, count) + PRIME - 1) % PRIME * inverse % PRIME;
}

uint64_t plan_rules_reach_of(uint64_t size, uint64_t in, uint64_t out) {
    return series(power(BASE_IN, in) * power(BASE_OUT, out) % PRIME, size);
}

uint64_t plan_rules_reach_diagonal(uint64_t size, uint64_t out, int64_t diagonal) {
    const uint64_t length = (uint64_t)(diagonal < 0 ? -diagonal : diagonal) % (PRIME - 1);
    const uint64_t exponent = diagonal < 0 ? PRIME - 1 - length : length;
    return series(power(BASE_OUT, out) * power(BASE_DIAGONAL, exponent) % PRIME, size);
}

uint64_t plan_rules_reach_both(uint64_t a, uint64_t b) {
    return a * b % PRIME;
}

uint64_t plan_rules_reach(uint32_t count, const uint64_t *size, const uint64_t *in,
                          const uint64_t *out) {
    uint64_t all = 1;
    for (uint32_t k = 0; k < count; k++)
        if (size[k] != 1)
            all = plan_rules_reach_both(all, plan_rules_reach_of(size[k], in != NULL ? in[k] : 0,
                                                                 out != NULL ? out[k] : 0));
    return all;
}

uint64_t plan_rules_reach_outputs(const tally_problem *problem, bool reads, bool writes) {
    const tally_dims *kept = &problem->kept;
    return plan_rules_reach(kept->count, kept->size, reads ? kept->in : NULL,
                            writes ? kept->out : NULL);
}

/* Where all terms of the outputs lie, alone or with where the outputs do. */
static uint64_t reach_of_terms(const tally_problem *problem, bool writes) {
    uint64_t all = plan_rules_reach_outputs(problem, true, writes);
    for (uint32_t g = 0; g < problem->groups; g++) {
        const tally_dims *swept = &problem->swept[g];
        all = plan_rules_reach_both(all,
                                    plan_rules_reach(swept->count, swept->size, swept->in, NULL));
    }
    return all;
}

/* Elements as they lie in the tensors, states without gaps. */
static const char *broken_reads(const tally_problem *problem, const tally_step *step) {
    const tally_fold_args *args = &step->args.fold;
    const bool first = !plan_rules_reads_states(problem, step), last = step->spec.last;
    const uint64_t reads = plan_rules_reach_both(
        plan_rules_reach(step->spec.swept_rank, args->swept_size, args->swept_in, NULL),
        plan_rules_reach(step->spec.kept_rank, args->kept_size, args->kept_in,
                         first && last ? args->kept_out : NULL));
    if (first)
        return args->terms > 0 && reads != reach_of_terms(problem, last)
                   ? "each term of each output is read, once"
                   : NULL;
    return reads != plan_rules_reach_of(args->outputs * args->terms, 1, 0)
               ? "each state is read, once"
               : NULL;
}

/* The terms of a launch that works out their indices have these by where they lie. */
static const char *broken_indices(const tally_problem *problem, const tally_step *step) {
    const tally_fold_args *args = &step->args.fold;
    const bool outputs = step->spec.schedule == TALLY_FOLD_OUTPUTS;
    const tally_u64 *index =
        outputs ? step->args.fold_team.swept_index : step->args.fold_any.swept_index;
    uint64_t wanted = 1;
    for (uint32_t g = 0; g < problem->groups && (g == 0 || args->nest[g] > 1); g++)
        wanted = plan_rules_reach_both(
            wanted, plan_rules_reach(problem->swept[g].count, problem->swept[g].size,
                                     problem->swept[g].in, problem->swept[g].out));
    return plan_rules_reach(step->spec.swept_rank, args->swept_size, args->swept_in, index) !=
                   wanted
               ? "each term has its own index"
               : NULL;
}

const char *plan_rules_fold_reach(const tally_problem *problem, const tally_step *step) {
    const tally_fold_args *args = &step->args.fold;
    const uint64_t writes =
        plan_rules_reach(step->spec.kept_rank, args->kept_size, NULL, args->kept_out);
    if (step->spec.last && writes != plan_rules_reach_outputs(problem, false, true))
        return "each output is written, once";
    if (!step->spec.last && writes != plan_rules_reach_of(args->outputs, 0, 1))
        return "the states of all outputs lie side by side";
    const char *broken = broken_reads(problem, step);
    return broken == NULL && plan_rules_has_indices(&step->spec) ? broken_indices(problem, step)
                                                                 : broken;
}
