/*
 * fold.c: what the folds of cl/thread/fold.cl have in common, and the schedules that serve any
 * strides: items and teams, of which is followed who does what of a block.
 */
#include "fold.h"
#include "support/descriptions/legal.h"

uint64_t sim_least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

uint64_t sim_origin(const sim_launch *launch, uint64_t output) {
    const tally_step *step = launch->step;
    const tally_fold_args *args = &step->args.fold;
    return sim_offset(launch, step->spec.kept_rank, args->kept_size, args->kept_in, output);
}

uint64_t sim_row_mates(const sim_launch *launch) {
    const tally_spec *spec = &launch->step->spec;
    const bool exact = legal_is_order((tally_function)spec->function) || !launch->math.floating;
    return exact && spec->first && spec->policy.fold_rows.one_block == 0
               ? 128u
               : (uint32_t)TALLY_LANES / spec->policy.fold_rows.lanes_per_item;
}

/* The terms of a block: 32 of each lane. */
static uint64_t block_length(const sim_launch *launch) {
    const tally_spec *spec = &launch->step->spec;
    return spec->schedule == TALLY_FOLD_ROWS
               ? 32u * sim_row_mates(launch) * spec->policy.fold_rows.lanes_per_item
               : TALLY_BLOCK;
}

sim_terms sim_terms_of(const sim_launch *launch, uint64_t output, uint64_t number) {
    const uint64_t length = block_length(launch);
    sim_terms it = {.output = output, .number = number, .begin = number * length};
    it.end = sim_least(it.begin + length, launch->step->args.fold.terms);
    return it;
}

/* The unit of an item or a team: outputs side by side, then blocks. */
static sim_terms find_block(const sim_launch *launch, uint64_t unit) {
    const uint64_t outputs = launch->step->args.fold.outputs, number = unit / outputs;
    sim_terms it = sim_terms_of(launch, unit - number * outputs, number);
    it.origin = sim_origin(launch, it.output);
    return it;
}

static uint64_t load_element(const sim_launch *launch, const sim_terms *it, uint64_t i) {
    const tally_spec *spec = &launch->step->spec;
    const tally_fold_args *args = &launch->step->args.fold;
    const uint64_t offset =
        it->stride != 0 ? i * it->stride
                        : sim_offset(launch, spec->swept_rank, args->swept_size, args->swept_in, i);
    return sim_load(&launch->math, sim_load_element(launch, it->origin + offset));
}

/* A term's index that is looked up, as terms come in another order. */
static sim_state combine_element(const sim_launch *launch, const sim_terms *it, sim_state sum,
                                 uint64_t i) {
    const tally_spec *spec = &launch->step->spec;
    const tally_fold_any_args *args = &launch->step->args.fold_any;
    const uint64_t index =
        sim_offset(launch, spec->swept_rank, args->swept_size, args->swept_index, i);
    return sim_combine(&launch->math, sum,
                       sim_begin(&launch->math, load_element(launch, it, i), index));
}

static bool has_indices(const sim_launch *launch) {
    const tally_spec *spec = &launch->step->spec;
    return spec->schedule == TALLY_FOLD_ANY       ? spec->policy.fold_any.indices
           : spec->schedule == TALLY_FOLD_OUTPUTS ? spec->policy.fold_outputs.indices
                                                  : false;
}

/* States of a lane, every lanes-th of the launch's terms. */
static sim_state fold_states(const sim_launch *launch, const sim_terms *it, uint64_t i,
                             uint64_t lanes) {
    const tally_fold_args *args = &launch->step->args.fold;
    const uint64_t stride = args->swept_in[launch->step->spec.swept_rank - 1];
    const uint64_t scale = args->index_scale;
    sim_state sum = sim_identity(&launch->math);
    for (; i < it->end; i += lanes) {
        const sim_state state = sim_load_state(launch, it->origin + i * stride);
        sum = sim_combine(&launch->math, sum, sim_resume(&launch->math, state, i, scale));
    }
    return sum;
}

sim_state sim_fold_elements(const sim_launch *launch, const sim_terms *it, uint64_t i,
                            uint64_t lanes) {
    if (!launch->step->spec.first || launch->step->source == TALLY_IN_SCRATCH)
        return fold_states(launch, it, i, lanes);
    sim_state sum = sim_identity(&launch->math);
    for (; has_indices(launch) && i < it->end; i += lanes)
        sum = combine_element(launch, it, sum, i);
    while (i < it->end) {
        uint64_t x[SIM_TAKEN];
        const uint64_t first = i;
        uint32_t count = 0;
        for (; count < SIM_TAKEN && i < it->end; i += lanes)
            x[count++] = load_element(launch, it, i);
        sum = sim_take(&launch->math, sum, x, count, first, lanes);
    }
    return sum;
}

sim_state sim_fold_lane(const sim_launch *launch, const sim_terms *it, uint64_t lane) {
    return sim_fold_elements(launch, it, it->begin + lane, TALLY_LANES);
}

void sim_put_result(const sim_launch *launch, const sim_terms *it, sim_state state) {
    const tally_step *step = launch->step;
    const tally_fold_args *args = &step->args.fold;
    const uint64_t at =
        sim_offset(launch, step->spec.kept_rank, args->kept_size, args->kept_out, it->output);
    if (step->spec.first && !step->spec.last)
        state.index = state.index * args->index_scale & launch->math.index_mask;
    if (!step->spec.last)
        sim_store_state(launch, at * args->blocks + it->number, state);
    else
        sim_store_element(launch, at,
                          args->terms == 0 ? sim_empty(&launch->math)
                                           : sim_end(&launch->math, state, args->count));
}

sim_state sim_halve(const sim_launch *launch, sim_state *sums, uint64_t count) {
    for (uint64_t half = TALLY_LANES / 2; half > 0; half /= 2)
        for (uint64_t k = 0; k < half && k + half < count; k++)
            sums[k] = sim_combine(&launch->math, sums[k], sums[k + half]);
    return sums[0];
}

sim_state sim_fold_block(const sim_launch *launch, const sim_terms *it, uint64_t lanes) {
    sim_state sums[TALLY_LANES] = {{0, 0, 0}};
    if (lanes == 0 || lanes > TALLY_LANES || (lanes & (lanes - 1)) != 0) {
        sim_fault(launch->memory, "step %u: a block has %llu lanes", launch->memory->step,
                  (unsigned long long)lanes);
        return sums[0];
    }
    for (uint64_t lane = 0; lane < lanes; lane++)
        sums[lane] = sim_fold_elements(launch, it, it->begin + lane, lanes);
    return sim_halve(launch, sums, lanes);
}

/* ---- Items --------------------------------------------------------------------------------- */

/* Lanes in bit-reversed order, an accumulator for each halving. */
sim_state sim_fold_lanes(const sim_launch *launch, const sim_terms *it) {
    sim_state pending[8];
    uint32_t levels = 0;
    while (levels < 7 && (UINT64_C(1) << levels) < it->end - it->begin)
        levels++;
    for (uint32_t visit = 0; visit < 1u << levels; visit++) {
        uint32_t lane = 0, level = 0;
        for (uint32_t bit = 0; bit < levels; bit++)
            lane |= (visit >> bit & 1u) << (levels - 1 - bit);
        sim_state sum = sim_fold_lane(launch, it, lane);
        for (; (visit >> level & 1u) != 0; level++)
            sum = sim_combine(&launch->math, pending[level], sum);
        pending[level] = sum;
    }
    return pending[levels];
}

static void fold_items(sim_launch *launch) {
    const uint64_t units = launch->step->args.head.units, items = sim_items(launch);
    for (uint64_t item = 0; item < items && item < units; item++) {
        for (uint64_t unit = item; unit < units; unit += items) {
            const sim_terms it = find_block(launch, unit);
            sim_put_result(launch, &it, sim_fold_lanes(launch, &it));
        }
    }
}

/* ---- Groups -------------------------------------------------------------------------------- */

void sim_each_unit(const sim_launch *launch, uint64_t slots,
                   void (*visit)(const sim_launch *launch, uint64_t unit)) {
    const uint64_t units = launch->step->args.head.units;
    if (slots == 0)
        sim_fault(launch->memory, "step %u: a group has no room for a unit", launch->memory->step);
    for (uint64_t group = 0; group < launch->groups && slots > 0; group++)
        for (uint64_t first = group * slots; first < units; first += launch->groups * slots)
            for (uint64_t slot = 0; slot < slots && first + slot < units; slot++)
                visit(launch, first + slot);
}

/* The work-items of a group take turns between barriers: each loop over item is one phase. */
static void fold_by_team(const sim_launch *launch, uint64_t unit) {
    const uint32_t group = launch->step->spec.group;
    const sim_terms it = find_block(launch, unit);
    sim_state sums[TALLY_LANES];
    for (uint32_t item = 0; item < group; item++)
        for (uint32_t lane = item; lane < TALLY_LANES; lane += group)
            sums[lane] = sim_fold_lane(launch, &it, lane);
    for (uint32_t half = TALLY_LANES / 2; half > 0; half /= 2)
        for (uint32_t item = 0; item < group; item++)
            for (uint32_t k = item; k < half; k += group)
                sums[k] = sim_combine(&launch->math, sums[k], sums[k + half]);
    sim_put_result(launch, &it, sums[0]);
}

/* Blocks of an output that are staged together, one after the other. */
static void fold_staged(const sim_launch *launch, uint64_t unit) {
    const tally_fold_args *args = &launch->step->args.fold;
    const uint64_t at_once = launch->step->spec.policy.fold_any.blocks_at_once;
    const uint64_t together = at_once > 0 ? at_once : 1, parts = (args->blocks - 1) / together + 1;
    const uint64_t first = unit % parts * together;
    for (uint64_t block = first; block < sim_least(first + together, args->blocks); block++) {
        sim_terms it = sim_terms_of(launch, unit / parts, block);
        it.origin = sim_origin(launch, unit / parts);
        sim_put_result(launch, &it, sim_fold_block(launch, &it, TALLY_LANES));
    }
}

static void fold_teams(sim_launch *launch) {
    const uint64_t outputs = launch->step->spec.policy.fold_any.outputs_at_once;
    sim_each_unit(launch, outputs > 0 ? outputs : 1, fold_by_team);
}

/*
 * The blocks that begin in a piece of a line: where combining is symmetric, lanes may be rotated.
 */
static void fold_piece(const sim_launch *launch, uint64_t output, uint64_t from, uint64_t terms) {
    const uint64_t first = (from + TALLY_BLOCK - 1) / TALLY_BLOCK;
    for (uint64_t number = first; number * TALLY_BLOCK < from + terms; number++) {
        sim_terms it = sim_terms_of(launch, output, number);
        it.origin = sim_origin(launch, output);
        sim_put_result(launch, &it, sim_fold_block(launch, &it, TALLY_LANES));
    }
}

void sim_fold_lines(const sim_launch *launch, uint64_t unit, const sim_lines *it) {
    const uint64_t pieces = (it->terms - 1) / it->piece + 1;
    const uint64_t tiles = (it->lines - 1) / it->at_once + 1;
    const uint64_t sets = launch->step->args.fold.terms / (it->terms * it->lines);
    const uint64_t piece = unit % pieces, tile = unit / pieces % tiles;
    const uint64_t set = unit / pieces / tiles % sets;
    for (uint64_t line = tile * it->at_once; line < sim_least((tile + 1) * it->at_once, it->lines);
         line++)
        fold_piece(launch, unit / pieces / tiles / sets,
                   (set * it->lines + line) * it->terms + piece * it->piece,
                   sim_least(it->piece, it->terms - piece * it->piece));
}

static void fold_lines(const sim_launch *launch, uint64_t unit) {
    const tally_fold_any_args *args = &launch->step->args.fold_any;
    const sim_lines lines = {args->line_terms, args->lines, args->piece_terms,
                             launch->step->spec.policy.fold_any.lines_at_once};
    sim_fold_lines(launch, unit, &lines);
}

void sim_fold_any(sim_launch *launch) {
    if (launch->step->spec.group == 0)
        fold_items(launch);
    else if (launch->step->spec.policy.fold_any.lines_at_once > 0)
        sim_each_unit(launch, 1, fold_lines);
    else if (launch->step->spec.policy.fold_any.lines_beside > 0)
        sim_each_unit(launch, 1, fold_staged);
    else
        fold_teams(launch);
}
