/*
 * diagonals.c: which elements a fill gives the value: of each, where it lies and its diagonal,
 * columns less rows, and what range of diagonals gets it.
 */
#include "parts.h"

/* Diagonals from low on and below high, of those that there are from first to last. */
typedef struct range {
    int64_t low, high, first, last;
} range;

static range cut(range it) {
    it.low = it.low > it.first ? it.low : it.first;
    it.high = it.high <= it.last ? it.high : it.last + 1;
    it.high = it.high > it.low ? it.high : it.low;
    return it;
}

static bool is_all(range it) {
    return it.low == it.first && it.high == it.last + 1;
}

static bool is_none(range it) {
    return it.low == it.high;
}

/* The diagonals of a plan's axes. */
typedef struct axes {
    int64_t diagonal[TALLY_AXES];
} axes;

static axes axes_of(const tally_step *step, bool negated) {
    axes it = {{0}};
    for (uint32_t k = 0; k < step->spec.kept_rank; k++)
        it.diagonal[k] = (int64_t)step->args.fill.diagonal[k];
    for (uint32_t k = 0; k < step->spec.kept_rank; k++)
        it.diagonal[k] = negated ? -it.diagonal[k] : it.diagonal[k];
    return it;
}

static range range_of(const tally_step *step, const axes *of, bool negated) {
    const tally_fill_args *args = &step->args.fill;
    range it = {args->low, args->high, 0, 0};
    if (negated)
        it = (range){1 - args->high, 1 - args->low, 0, 0};
    for (uint32_t k = 0; k < step->spec.kept_rank; k++) {
        const int64_t span = of->diagonal[k] * (int64_t)(args->kept_size[k] - 1);
        *(span < 0 ? &it.first : &it.last) += span;
    }
    return cut(it);
}

static uint64_t reach_of(const tally_step *step, const axes *of) {
    const tally_fill_args *args = &step->args.fill;
    uint64_t all = 1;
    for (uint32_t k = 0; k < step->spec.kept_rank; k++)
        all = plan_rules_reach_both(
            all, plan_rules_reach_diagonal(args->kept_size[k], args->kept_out[k], of->diagonal[k]));
    return all;
}

static uint64_t reach_of_problem(const tally_problem *problem) {
    const tally_dims *kept = &problem->kept;
    uint64_t all = 1;
    for (uint32_t k = 0; k < kept->count; k++) {
        const int64_t diagonal = k + 1 == kept->count ? 1 : k + 2 == kept->count ? -1 : 0;
        all = plan_rules_reach_both(
            all, plan_rules_reach_diagonal(kept->size[k], kept->out[k], diagonal));
    }
    return all;
}

/* The diagonals that there are, and those of them between a problem's low and high. */
static range range_of_problem(const tally_problem *problem) {
    const tally_dims *kept = &problem->kept;
    const int64_t rows = (int64_t)kept->size[kept->count - 2];
    const int64_t columns = (int64_t)kept->size[kept->count - 1];
    return cut((range){problem->low, problem->high, 1 - rows, columns - 1});
}

bool plan_rules_has_nothing_to_fill(const tally_problem *problem) {
    const range it = range_of_problem(problem);
    return problem->inverted ? is_all(it) : is_none(it);
}

/* Axes may have all diagonals negated, as those of a transposed matrix. */
const char *plan_rules_diagonals(const tally_problem *problem, const tally_step *step) {
    const range wanted = range_of_problem(problem);
    for (int negated = 0; negated <= 1; negated++) {
        const axes of = axes_of(step, negated != 0);
        const range it = range_of(step, &of, negated != 0);
        if (is_all(wanted) ? is_all(it) : is_none(wanted) && is_none(it))
            return NULL;
        if (it.low == wanted.low && it.high == wanted.high &&
            reach_of(step, &of) == reach_of_problem(problem))
            return NULL;
    }
    return "the elements of the problem's diagonals get the value";
}
