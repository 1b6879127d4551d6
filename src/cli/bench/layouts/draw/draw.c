/*
 * The random problems of tally bench layouts: first what is done to which axes and how the tensors
 * lie, then sizes for the wanted bytes, then strides. Part of what a seed means, as
 * random.c is.
 */
#include "cli/bench/layouts/draw/draw.h"

#include <string.h>

#include "cli/bench/layouts/draw/parts.h"
#include "cli/tables/functions.h"

/* ---- The operator -------------------------------------------------------------------------- */

static tally_function draw_function(layouts_random *random, bench_subject subject,
                                    cli_class *types) {
    uint32_t weights[32];
    for (size_t i = 0; i < layouts_function_count; i++)
        weights[i] = layouts_functions[i].weight[subject];
    const layouts_function *row =
        &layouts_functions[layouts_random_pick(random, weights, layouts_function_count)];
    *types = row->types;
    return row->function;
}

/* float32 half of the time; else one of the others that the function takes. */
static tally_dtype draw_dtype(layouts_random *random, cli_class types) {
    uint32_t weights[32];
    if (layouts_random_percent(random, 50))
        return TALLY_F32;
    for (size_t i = 0; i < layouts_type_count; i++) {
        const layouts_type *row = &layouts_type_rows[i];
        weights[i] = row->of <= types && row->dtype != TALLY_F32 ? row->weight : 0;
    }
    return layouts_type_rows[layouts_random_pick(random, weights, layouts_type_count)].dtype;
}

static bool is_extreme(tally_function function) {
    return cli_function_find(function).options != CLI_PLAIN;
}

static tally_dtype draw_output_dtype(layouts_random *random, const layouts_problem *problem) {
    uint32_t weights[LAYOUTS_INDICES];
    for (size_t i = 0; i < LAYOUTS_INDICES; i++)
        weights[i] = layouts_indices[i].weight;
    const size_t index = layouts_random_pick(random, weights, LAYOUTS_INDICES);
    return cli_function_is_index(problem->function) ? layouts_indices[index].dtype
                                                    : problem->input.dtype;
}

static uint32_t draw_rank(layouts_random *random, bench_subject subject) {
    uint32_t weights[LAYOUTS_RANK_MAX];
    memcpy(weights, layouts_rank_weights, sizeof weights);
    if (subject == BENCH_DIAGONAL)
        weights[0] = 0;
    return (uint32_t)layouts_random_pick(random, weights, LAYOUTS_RANK_MAX) + 1;
}

static uint32_t count_bits(uint32_t mask) {
    uint32_t count = 0;
    for (; mask != 0; mask &= mask - 1)
        count++;
    return count;
}

/* The swept axes of a reduction, the one axis of a scan. */
static uint32_t draw_axes(layouts_random *random, const layouts_problem *problem) {
    const uint32_t rank = problem->input.rank, all = (UINT32_C(1) << rank) - 1;
    layouts_axes kind =
        (layouts_axes)layouts_random_pick(random, layouts_axes_weights, LAYOUTS_AXES);
    uint32_t mask = UINT32_C(1) << layouts_random_below(random, rank);
    if (problem->subject == BENCH_DIAGONAL)
        return 0;
    if (problem->subject == BENCH_SCAN || (kind == LAYOUTS_SEVERAL_AXES && rank < 3))
        kind = LAYOUTS_ONE_AXIS;
    while (kind == LAYOUTS_SEVERAL_AXES && (count_bits(mask) < 2 || mask == all))
        mask = (uint32_t)layouts_random_below(random, all);
    return kind == LAYOUTS_NO_AXES ? 0 : kind == LAYOUTS_ALL_AXES ? all : mask;
}

static void draw_options(layouts_random *random, layouts_problem *problem) {
    const bool ignore = layouts_random_percent(random, LAYOUTS_NAN_IGNORE);
    const bool last = layouts_random_percent(random, LAYOUTS_TIE_LAST);
    const bool exclusive = layouts_random_percent(random, LAYOUTS_EXCLUSIVE);
    const bool descending = layouts_random_percent(random, LAYOUTS_DESCENDING);
    const bool scan_in_place = layouts_random_percent(random, LAYOUTS_SCAN_IN_PLACE);
    const bool fill_input = layouts_random_percent(random, LAYOUTS_FILL_INPUT);
    const bool fill_in_place = layouts_random_percent(random, LAYOUTS_FILL_IN_PLACE);
    const bool scan = problem->subject == BENCH_SCAN, fill = problem->subject == BENCH_DIAGONAL;
    if (is_extreme(problem->function) && cli_type_is_float(problem->input.dtype) && ignore)
        problem->nan = TALLY_NAN_IGNORE;
    if (cli_function_is_index(problem->function) && last)
        problem->tie = TALLY_TIE_LAST;
    problem->exclusive = scan && exclusive;
    problem->descending = scan && descending;
    problem->has_input = !fill || fill_input;
    problem->in_place = scan ? scan_in_place : fill && fill_input && fill_in_place;
}

static void draw_operator(layouts_problem *problem) {
    layouts_random random = layouts_stream(problem, LAYOUTS_STREAM_OPERATOR);
    cli_class types;
    const size_t subject = layouts_random_pick(&random, layouts_subject_weights, BENCH_SUBJECTS);
    problem->subject =
        problem->from.only != BENCH_SUBJECTS ? problem->from.only : (bench_subject)subject;
    problem->function = draw_function(&random, problem->subject, &types);
    problem->input.dtype = draw_dtype(&random, types);
    problem->output.dtype = draw_output_dtype(&random, problem);
    problem->input.rank = problem->output.rank = draw_rank(&random, problem->subject);
    problem->axes = draw_axes(&random, problem);
    draw_options(&random, problem);
}

/*
 * ---- Positions --------------------------------------------------------------------------------
 */

static void draw_order(layouts_random *random, const uint32_t weights[LAYOUTS_ORDERS],
                       const uint32_t *inputs, uint32_t rank, uint32_t *order) {
    const layouts_order kind = (layouts_order)layouts_random_pick(random, weights, LAYOUTS_ORDERS);
    for (uint32_t k = 0; k < rank; k++)
        order[k] = kind == LAYOUTS_INPUTS_ORDER ? inputs[k] : k;
    for (uint32_t k = rank; k-- > 1;) {
        const uint32_t other = (uint32_t)layouts_random_below(random, k + 1), axis = order[k];
        if (kind == LAYOUTS_PERMUTED) {
            order[k] = order[other];
            order[other] = axis;
        }
    }
    if (kind == LAYOUTS_SWAPPED && rank >= 2) {
        order[rank - 1] = rank - 2;
        order[rank - 2] = rank - 1;
    }
}

static void draw_placement(layouts_random *random, const layouts_placement_weights *weights,
                           layouts_placement *placement) {
    placement->wants_padding = layouts_random_percent(random, weights->padding);
    placement->wants_gaps = layouts_random_percent(random, weights->gaps);
    const bool is_off = layouts_random_percent(random, weights->offset);
    const uint64_t offset = 1 + layouts_random_below(random, 63);
    placement->offset = is_off ? offset : 0;
}

/* Everything but what depends on sizes. *remaining: the axis that takes what the others leave. */
static void draw_placements(layouts_problem *problem, uint32_t *remaining) {
    layouts_random random = layouts_stream(problem, LAYOUTS_STREAM_PLACEMENT);
    layouts_placement *in = &problem->input_placement, *out = &problem->output_placement;
    const uint32_t rank = problem->input.rank;
    *in = *out = layouts_placement_packed(rank);
    draw_order(&random, layouts_input_orders, in->order, rank, in->order);
    draw_order(&random, layouts_output_orders, in->order, rank, out->order);
    draw_placement(&random, &layouts_input_weights, in);
    draw_placement(&random, &layouts_output_weights, out);
    *remaining = (uint32_t)layouts_random_below(&random, rank);
    const bool repeats = layouts_random_percent(&random, LAYOUTS_REPEATED);
    const uint64_t step = layouts_random_next(&random);
    if (repeats && rank >= 2 && !problem->in_place && problem->subject != BENCH_DIAGONAL)
        in->repeated = (*remaining + 1 + (uint32_t)(step % (rank - 1))) % rank;
}

/* ---- All of it ------------------------------------------------------------------------------ */

static void set_strides(layouts_problem *problem) {
    const uint64_t most = UINT64_C(4) << problem->from.log2;
    layouts_placement_strides(&problem->input_placement,
                              layouts_stream(problem, LAYOUTS_STREAM_INPUT_PADDING), most,
                              &problem->input);
    if (problem->in_place) {
        problem->output = problem->input;
        problem->output_placement = problem->input_placement;
    } else
        layouts_placement_strides(&problem->output_placement,
                                  layouts_stream(problem, LAYOUTS_STREAM_OUTPUT_PADDING), most,
                                  &problem->output);
}

void layouts_draw(const layouts_request *request, layouts_problem *problem) {
    uint32_t remaining;
    memset(problem, 0, sizeof *problem);
    problem->from = *request;
    draw_operator(problem);
    draw_placements(problem, &remaining);
    layouts_set_sizes(problem, remaining);
    set_strides(problem);
    if (problem->subject == BENCH_DIAGONAL)
        layouts_set_band(problem);
}
