/*
 * From a part of a cut to a problem. A part that gives results is a problem like any other, of
 * smaller tensors. Others are folds and scans whose input or output are states, which lie packed:
 * state by state, of each state all lines.
 */
#include "model/parts/part.h"

#include <inttypes.h>

#include "base/struct.h"
#include "model/parts/tensors.h"

uint64_t tally_part_states(const tally_cut *cut, uint64_t begin, uint64_t end) {
    const uint64_t terms = (end - begin) * cut->coordinate_terms;
    if (cut->kind == TALLY_CUT_RESULTS || terms == 0)
        return 0;
    if (cut->grain == 0)
        return 1;
    /* Nothing comes after a stretch that is not complete. */
    return terms / cut->grain + (cut->kind == TALLY_CUT_STATES && terms % cut->grain != 0 ? 1 : 0);
}

/* ---- Parts that give results ---------------------------------------------------------------- */

/* A bound of a band as the part's coordinates have it; the ends of the numbers stand for all. */
static int64_t moved(int64_t bound, uint64_t by, bool up) {
    const uint64_t room =
        up ? (uint64_t)INT64_MAX - (uint64_t)bound : (uint64_t)bound - (uint64_t)INT64_MIN;
    if (by > room)
        return up ? INT64_MAX : INT64_MIN;
    return (int64_t)(up ? (uint64_t)bound + by : (uint64_t)bound - by);
}

/* A band lies further to the right of later rows, and to the left of later columns. */
static void move_band(const tally_cut *cut, uint32_t rank, uint64_t by, tally_problem *problem) {
    const bool rows = cut->axis + 2 == rank;
    if (cut->axis + 2 < rank)
        return;
    problem->low = moved(problem->low, by, rows);
    problem->high = moved(problem->high, by, rows);
}

static tally_status results_of(const tally_whole *whole, const tally_cut *cut,
                               const tally_part *part, tally_problem *problem, tally_error *error) {
    tally_part_tensors of;
    tally_status status = tally_part_tensors_take(whole, cut, part, &of, error);
    if (status != TALLY_OK)
        return status;
    if (whole->kind == TALLY_KIND_FOLD) {
        tally_reduce desc = whole->reduce;
        desc.input = of.input;
        desc.output = of.output;
        return tally_problem_reduce_part(&desc, whole->input.size, problem, error);
    }
    if (whole->kind == TALLY_KIND_SCAN) {
        tally_cumulative desc = whole->cumulative;
        desc.input = of.input;
        desc.output = of.output;
        return tally_problem_cumulative(&desc, problem, error);
    }
    tally_diagonal desc = whole->diagonal;
    desc.input = desc.input != NULL ? &of.input : NULL;
    desc.output = of.output;
    status = tally_problem_diagonal(&desc, problem, error);
    if (status == TALLY_OK)
        move_band(cut, whole->output.rank, part->begin, problem);
    return status;
}

/* ---- Parts that give states ----------------------------------------------------------------- */

/* Nothing to do: no state, so no output. */
static void set_empty(tally_problem *problem) {
    problem->output_extent = 0;
    problem->input_extent = 0;
    problem->has_input = false;
}

static void set_states(const tally_whole *whole, const tally_cut *cut, uint64_t states,
                       tally_problem *problem) {
    problem->partial.to_states = true;
    problem->partial.states = states;
    problem->count = whole->problem.terms;
    problem->in_place = false;
    problem->output_extent = states * cut->lines;
    if (problem->output_extent == 0)
        set_empty(problem);
}

/*
 * States of a fold. With a grain of one term the terms of the outermost group are kept: a state of
 * each is what the groups inside come to. Otherwise the planner stops where blocks are a grain.
 */
static tally_status fold_states(const tally_whole *whole, const tally_cut *cut,
                                const tally_part *part, const tally_reduce *of_whole,
                                tally_problem *problem, tally_error *error) {
    tally_part_tensors of;
    tally_reduce desc = *of_whole;
    tally_status status = tally_part_tensors_take(whole, cut, part, &of, error);
    if (status != TALLY_OK)
        return status;
    const uint32_t kept = tally_all_axes(&of.input) & ~desc.axes;
    const uint32_t terms = cut->grain == 1 ? tally_whole_group(whole, cut->axis) : 0;
    const uint64_t states = tally_part_states(cut, part->begin, part->end);
    desc.axes &= ~terms;
    desc.input = of.input;
    desc.output = desc.input;
    desc.output.dtype = of_whole->output.dtype;
    desc.output.flags = TALLY_STRIDED;
    for (uint32_t k = 0; k < desc.output.rank; k++) {
        desc.output.size[k] = (desc.axes >> k & 1u) != 0 ? 1 : desc.output.size[k];
        desc.output.stride[k] = 1; /* of swept axes, which have one coordinate */
    }
    tally_pack_axes(&desc.output, terms, tally_pack_axes(&desc.output, kept, 1));
    status = tally_problem_reduce_part(&desc, whole->input.size, problem, error);
    if (status != TALLY_OK)
        return status;
    problem->partial.first_index =
        part->begin * tally_whole_terms_inside(whole, whole->swept, cut->axis);
    set_states(whole, cut, states, problem);
    if (terms != 0)
        problem->partial.states = 1; /* of each output, which the terms are */
    return TALLY_OK;
}

/* A scan as the reduction of its lines, whose states are the same where combining is exact. */
static tally_reduce reduce_of(const tally_cumulative *scan) {
    tally_reduce desc = TALLY_REDUCE_INIT;
    desc.function = scan->function;
    desc.nan = scan->nan;
    desc.axes = 1u << scan->axis;
    desc.input = scan->input;
    desc.output = scan->output;
    return desc;
}

/* What the stretches of a scan's part come to, in the order in which they are visited. */
static tally_status scan_states(const tally_whole *whole, const tally_cut *cut,
                                const tally_part *part, tally_problem *problem,
                                tally_error *error) {
    tally_part_tensors of;
    tally_cumulative desc = whole->cumulative;
    tally_part packed = *part;
    packed.output = NULL;
    tally_status status = tally_part_tensors_take(whole, cut, &packed, &of, error);
    if (status != TALLY_OK)
        return status;
    const uint64_t states = tally_part_states(cut, part->begin, part->end);
    desc.input = of.input;
    desc.output = of.input;
    desc.output.flags = TALLY_STRIDED;
    desc.exclusive = false;
    const uint32_t lines = tally_all_axes(&of.input) & ~(1u << cut->axis);
    tally_pack_axes(&desc.output, 1u << cut->axis, tally_pack_axes(&desc.output, lines, 1));
    status = tally_problem_cumulative(&desc, problem, error);
    if (status != TALLY_OK)
        return status;
    set_states(whole, cut, states, problem);
    return TALLY_OK;
}

static tally_status take_part(const tally_cut *cut, const tally_part *given, tally_part *part,
                              tally_error *error) {
    tally_status status = tally_struct_take(given, part, sizeof *part, "tally_part", error);
    if (status == TALLY_OK)
        status = tally_struct_check_reserved(part->reserved, "tally_part", error);
    if (status == TALLY_OK)
        status = tally_cut_check_range(cut, part->begin, part->end, error);
    return status;
}

tally_status tally_part_problem(const tally_whole *whole, const tally_cut *cut,
                                const tally_part *given, tally_problem *problem,
                                tally_error *error) {
    tally_part part;
    tally_status status = take_part(cut, given, &part, error);
    if (status != TALLY_OK)
        return status;
    if (cut->kind == TALLY_CUT_RESULTS)
        return results_of(whole, cut, &part, problem, error);
    if (cut->kind == TALLY_CUT_STATES)
        return fold_states(whole, cut, &part, &whole->reduce, problem, error);
    if (!tally_problem_is_exact(&whole->problem))
        return scan_states(whole, cut, &part, problem, error);
    const tally_reduce desc = reduce_of(&whole->cumulative);
    part.output = NULL;
    return fold_states(whole, cut, &part, &desc, problem, error);
}

/* ---- Scans that go on from a carry ---------------------------------------------------------- */

tally_status tally_part_scan(const tally_whole *whole, const tally_cut *cut,
                             const tally_part *given, tally_problem *problem, tally_error *error) {
    tally_part part;
    if (cut->kind != TALLY_CUT_TOTALS)
        return tally_fail(error, TALLY_INVALID,
                          "the cut along axis %" PRIu32 " has no carry: its parts are made by "
                          "tally_part_create()",
                          cut->axis);
    tally_status status = take_part(cut, given, &part, error);
    if (status == TALLY_OK)
        status = results_of(whole, cut, &part, problem, error);
    if (status != TALLY_OK)
        return status;
    const bool first = whole->problem.descending ? part.end == cut->size : part.begin == 0;
    problem->partial.has_carry = !first && problem->output_extent > 0;
    return TALLY_OK;
}
