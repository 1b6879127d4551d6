/*
 * Where a fold's launches read and write: the axes of their outputs and terms. It follows the
 * groups of the problem and the order of memory, and knows no device and no schedule.
 */
#include "plan/fold/axes.h"

/*
 * States that a launch hands on are many, so that they had better be written in the order in which
 * their terms are read, and outputs of which so many are beside each other.
 */
#define TALLY_STATES_MANY 16384
#define TALLY_STATES_BESIDE 8

tally_dims tally_fold_terms(const tally_problem *problem, uint32_t groups) {
    tally_dims dims = {0};
    for (uint32_t g = groups < problem->groups ? groups : problem->groups; g-- > 0;)
        for (uint32_t k = 0; k < problem->swept[g].count; k++)
            tally_dims_append(&dims, problem->swept[g].size[k], problem->swept[g].in[k],
                              problem->swept[g].out[k]);
    return dims;
}

uint64_t tally_fold_index_scale(const tally_dims *terms) {
    uint64_t scale = terms->count > 0 ? terms->out[terms->count - 1] : 1, step = scale;
    for (uint32_t k = terms->count; k-- > 0; step *= terms->size[k])
        if (terms->out[k] != step)
            return 0;
    return scale;
}

/* Put the axis of that number innermost, if there are few states, or few of them inside of it. */
static void move_terms(tally_dims *all, uint64_t number) {
    uint64_t inside = 1;
    uint32_t at = all->count;
    while (at > 0 && all->out[at - 1] != number)
        inside *= all->size[--at];
    if (at > 0 && (inside < TALLY_STATES_BESIDE || tally_dims_elements(all) < TALLY_STATES_MANY))
        tally_dims_move(all, at - 1, all->count - 1);
}

tally_problem tally_fold_states(const tally_problem *read, uint32_t folded,
                                tally_states_order order) {
    tally_problem states = *read;
    tally_dims all = {0}; /* with the number of an axis in place of its stride in the output */
    for (uint32_t k = 0; k < read->kept.count; k++)
        tally_dims_append(&all, read->kept.size[k], read->kept.in[k], k);
    for (uint32_t g = read->groups; g-- > folded;) {
        const tally_dims *swept = &read->swept[g];
        states.swept[g] = (tally_dims){.count = 1, .size = {tally_dims_elements(swept)}, .in = {1}};
        tally_dims_append(&all, states.swept[g].size[0], swept->in[swept->count - 1],
                          TALLY_MAX_RANK + g);
    }
    if (order != TALLY_STATES_IN_ROWS)
        tally_dims_sort(&all, false);
    if (order == TALLY_STATES_FEW_IN_ROWS)
        move_terms(&all, TALLY_MAX_RANK + folded);
    uint64_t stride = 1;
    for (uint32_t i = all.count; i-- > 0; stride *= all.size[i]) {
        if (all.out[i] < TALLY_MAX_RANK)
            states.kept.in[all.out[i]] = stride;
        else
            states.swept[all.out[i] - TALLY_MAX_RANK].in[0] = stride;
    }
    return states;
}

tally_dims tally_fold_outputs(const tally_problem *read, uint32_t folded,
                              const tally_problem *written) {
    tally_dims dims = {0};
    for (uint32_t k = 0; k < read->kept.count; k++)
        tally_dims_append(&dims, read->kept.size[k], read->kept.in[k],
                          written != NULL ? written->kept.in[k] : read->kept.out[k]);
    for (uint32_t g = read->groups; written != NULL && g-- > folded;) {
        const tally_dims *swept = &read->swept[g];
        uint64_t stride = written->swept[g].in[0] * tally_dims_elements(swept);
        for (uint32_t k = 0; k < swept->count; k++) {
            stride /= swept->size[k];
            tally_dims_append(&dims, swept->size[k], swept->in[k], stride);
        }
    }
    tally_dims_sort(&dims, false); /* so that neighbouring outputs read neighbours */
    tally_dims_merge(&dims);
    return dims;
}
