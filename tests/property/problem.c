/*
 * problem.c: the descriptions of random_desc.h, turned to the wanted function and type, of sizes
 * that an oracle without a thought for speed can take, and elements to go with them.
 */
#include "problem.h"

#include <stdio.h>
#include <string.h>

#include "support/descriptions/describe.h"
#include "support/descriptions/legal.h"
#include "support/descriptions/random_desc.h"
#include "support/descriptions/shape.h"
#include "support/numbers/number.h"

/* One drawn problem of so many has a long axis; fewer of those that a seed's programs let pass. */
#define LONG_SHARE 8

static uint64_t below(uint64_t *state, uint64_t limit) {
    return values_random(state) % limit;
}

problem_pair problem_pair_at(uint32_t index) {
    problem_pair pair = {PROBLEM_DIAGONAL, TALLY_FUNCTION_NONE, TALLY_DTYPE_NONE};
    if (index < LEGAL_REDUCE_PAIRS + LEGAL_SCAN_PAIRS) {
        const bool reduces = index < LEGAL_REDUCE_PAIRS;
        const legal_pair legal = reduces ? legal_reduce_pair((int)index)
                                         : legal_scan_pair((int)index - LEGAL_REDUCE_PAIRS);
        pair.kind = reduces ? PROBLEM_REDUCE : PROBLEM_CUMULATIVE;
        pair.function = legal.function;
        pair.dtype = legal.dtype;
    } else {
        pair.dtype = (tally_dtype)(1 + index - LEGAL_REDUCE_PAIRS - LEGAL_SCAN_PAIRS);
    }
    return pair;
}

const char *problem_pair_name(problem_pair pair) {
    static char name[64];
    snprintf(name, sizeof name, "%s of %s",
             pair.kind == PROBLEM_DIAGONAL ? "diagonal" : describe_function(pair.function),
             number_type_of(pair.dtype)->name);
    return name;
}

tally_tensor *problem_input(problem *it) {
    /* cppcheck-suppress constVariable; it is */
    tally_tensor *const inputs[] = {&it->reduce.input, &it->cumulative.input,
                                    it->has_input ? &it->input : NULL};
    return inputs[it->kind];
}

tally_tensor *problem_output(problem *it) {
    /* cppcheck-suppress constVariable; it is */
    tally_tensor *const outputs[] = {&it->reduce.output, &it->cumulative.output,
                                     &it->diagonal.output};
    return outputs[it->kind];
}

tally_diagonal problem_diagonal(const problem *it) {
    tally_diagonal desc = it->diagonal;
    desc.input = it->has_input ? &it->input : NULL;
    return desc;
}

bool problem_may_be_in_place(const problem *it) {
    problem copy = *it;
    const tally_tensor *input = problem_input(&copy), *output = problem_output(&copy);
    if (it->kind == PROBLEM_REDUCE || input == NULL || input->flags != output->flags)
        return false;
    return input->flags == 0 ||
           memcmp(input->stride, output->stride, input->rank * sizeof input->stride[0]) == 0;
}

/* ---- Drawing --------------------------------------------------------------------------------- */

/* Elements of a tensor at most: mostly a few hundred, now and then more than a block or a tile. */
static uint64_t draw_most(uint64_t *state) {
    const uint64_t draw = below(state, 256);
    return draw < 48 ? 64 : draw < 120 ? 300 : draw < 192 ? 1000 : draw < 248 ? 10000 : 70000;
}

/*
 * The length of a long axis: about one, two or three blocks, which are as long as a scan's tiles;
 * now and then about 64 of them, where a scan's stretch ends; or anything.
 */
static uint64_t draw_length(uint64_t *state) {
    const uint64_t draw = below(state, 32);
    const uint64_t blocks = draw == 0 ? 64 : 1 + below(state, 3);
    return draw < 24 ? blocks * 4096 - 2 + below(state, 5) : 1 + below(state, 40000);
}

/* Make an axis long, of the output too unless it is swept; a new size asks for new strides. */
static void lengthen(problem *it, uint32_t axis, bool swept, uint64_t *state) {
    tally_tensor *input = problem_input(it), *output = problem_output(it);
    const uint64_t length = draw_length(state);
    if (!swept)
        output->size[axis] = length;
    output->flags = 0;
    if (below(state, 4) != 0)
        shape_random_output(output, state);
    if (input == NULL)
        return;
    input->size[axis] = length;
    input->flags = 0;
    if (!swept && below(state, 2) == 0) { /* so that it may run in place */
        input->flags = output->flags;
        memcpy(input->stride, output->stride, sizeof input->stride);
    } else if (below(state, 4) != 0) {
        shape_random_input(input, state);
    }
}

/* An axis that the operator works along, if there is one. */
static void lengthen_some(problem *it, uint64_t *state) {
    const uint32_t rank = problem_output(it)->rank;
    if (it->kind == PROBLEM_CUMULATIVE) {
        lengthen(it, it->cumulative.axis, false, state);
    } else if (it->kind == PROBLEM_DIAGONAL) {
        lengthen(it, rank - 1 - (uint32_t)below(state, 2), false, state);
    } else if (it->reduce.axes != 0) {
        uint32_t axis = (uint32_t)below(state, rank);
        while ((it->reduce.axes >> axis & 1) == 0)
            axis = (axis + 1) % rank;
        lengthen(it, axis, true, state);
    }
}

/* Each axis is swept with the same chance, which may be anything from rare to nearly sure. */
static void redraw_axes(tally_reduce *desc, uint64_t *state) {
    const uint64_t chance = 1 + below(state, 7);
    desc->axes = 0;
    desc->output = desc->input;
    desc->output.flags = 0;
    for (uint32_t k = 0; k < desc->input.rank; k++) {
        if (below(state, 8) < chance) {
            desc->axes |= 1u << k;
            desc->output.size[k] = 1;
        }
    }
    if (below(state, 4) != 0)
        shape_random_output(&desc->output, state);
}

static void draw_reduce(const random_kind *kind, problem_pair pair, uint64_t *state, problem *it) {
    tally_reduce *desc = &it->reduce;
    random_reduce(kind, state, desc);
    if (below(state, 2) == 0)
        redraw_axes(desc, state);
    desc->function = pair.function;
    desc->input.dtype = desc->output.dtype = pair.dtype;
    if (!legal_is_index(pair.function))
        return;
    desc->output.dtype = legal_index_types((int)below(state, 4));
    for (uint32_t k = 0; k < desc->input.rank; k++) /* no index can name an element of nothing */
        if ((desc->axes >> k & 1) != 0 && desc->input.size[k] == 0)
            desc->input.size[k] = 1;
}

static void draw_cumulative(const random_kind *kind, problem_pair pair, uint64_t *state,
                            problem *it) {
    random_cumulative(kind, state, &it->cumulative);
    it->cumulative.function = pair.function;
    it->cumulative.input.dtype = it->cumulative.output.dtype = pair.dtype;
}

/* Half of the bounds lie where they cut the matrix, however large it is. */
static void draw_diagonal(const random_kind *kind, problem_pair pair, uint64_t *state,
                          problem *it) {
    tally_diagonal *desc = &it->diagonal;
    random_diagonal(kind, state, desc, &it->input);
    it->has_input = desc->input != NULL;
    desc->input = NULL;
    desc->output.dtype = it->input.dtype = pair.dtype;
    const uint64_t rows = desc->output.size[desc->output.rank - 2];
    const uint64_t columns = desc->output.size[desc->output.rank - 1];
    int64_t *const bounds[] = {&desc->begin, &desc->end};
    for (int i = 0; i < 2; i++)
        if (below(state, 2) == 0)
            *bounds[i] = (int64_t)below(state, rows + columns + 3) - (int64_t)rows - 1;
}

void problem_draw(problem_pair pair, uint64_t *state, problem *it) {
    static void (*const draws[PROBLEM_KINDS])(const random_kind *, problem_pair, uint64_t *,
                                              problem *) = {
        [PROBLEM_REDUCE] = draw_reduce,
        [PROBLEM_CUMULATIVE] = draw_cumulative,
        [PROBLEM_DIAGONAL] = draw_diagonal,
    };
    const bool is_long = below(state, LONG_SHARE) == 0;
    const random_kind kind = {is_long ? 8 : draw_most(state), 6, below(state, 8) == 0};
    *it = (problem){.kind = pair.kind};
    draws[pair.kind](&kind, pair, state, it);
    if (is_long)
        lengthen_some(it, state);
    it->how.values = (values_class)below(state, VALUES_CLASSES);
    it->how.seed = values_random(state);
    it->how.input_offset = (uint32_t)below(state, 8);
    it->how.output_offset = (uint32_t)below(state, 8);
    it->how.in_place = below(state, 2) == 0 && problem_may_be_in_place(it);
}

void problem_run(const problem *it) {
    const tally_diagonal diagonal = problem_diagonal(it);
    if (it->kind == PROBLEM_REDUCE)
        run_reduce(&it->reduce, it->how);
    else if (it->kind == PROBLEM_CUMULATIVE)
        run_cumulative(&it->cumulative, it->how);
    else
        run_diagonal(&diagonal, it->how);
}
