/*
 * sim_fold.c: the folds of cl/fold.cl, cl/fold_item.cl and cl/fold_team.cl.
 */
#include "cl/order.h"
#include "sim_launch.h"

/* A block of one output's terms. */
typedef struct block {
    uint64_t output, number, origin, begin, end;
    uint64_t top;
} block;

static uint64_t least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

static block find_block(const sim_launch *launch, uint64_t unit) {
    const tally_step *step = launch->step;
    const tally_fold_args *args = &step->args.fold;
    block it = {.number = unit / args->outputs};
    it.output = unit - it.number * args->outputs;
    it.origin = step->spec.first ? sim_offset(launch, step->spec.kept_rank, args->kept_size,
                                              args->kept_in, it.output)
                                 : it.output * args->terms;
    it.begin = it.number * TALLY_BLOCK;
    it.end = least(it.begin + TALLY_BLOCK, args->terms);
    return it;
}

static sim_state load_term(const sim_launch *launch, const block *it, uint64_t i) {
    const tally_step *step = launch->step;
    const tally_fold_args *args = &step->args.fold;
    if (!step->spec.first)
        return sim_resume(&launch->math, sim_load_state(launch, it->origin + i), i,
                          args->index_scale);
    const uint64_t at =
        it->origin + sim_offset(launch, step->spec.swept_rank, args->swept_size, args->swept_in, i);
    return sim_begin(&launch->math, sim_load(&launch->math, sim_load_element(launch, at)), i);
}

static sim_state fold_lane(const sim_launch *launch, const block *it, uint64_t lane) {
    sim_state sum = sim_neutral(&launch->math);
    for (uint64_t i = it->begin + lane; i < it->end; i += TALLY_LANES)
        sum = sim_join(&launch->math, sum,
                       sim_enter(&launch->math, load_term(launch, it, i), it->top));
    return sum;
}

static uint64_t find_top(const sim_launch *launch, const block *it, uint64_t lane, uint64_t step) {
    uint64_t top = sim_lowest(&launch->math);
    for (uint64_t i = it->begin + lane; i < it->end; i += step)
        top = sim_higher(&launch->math, top, load_term(launch, it, i).top);
    return top;
}

static void put(const sim_launch *launch, const block *it, sim_state sum) {
    const tally_step *step = launch->step;
    const tally_fold_args *args = &step->args.fold;
    const sim_state state = sim_leave(&launch->math, sum, it->top);
    if (!step->spec.last) {
        sim_store_state(launch, it->output * args->blocks + it->number, state);
        return;
    }
    const uint64_t at =
        sim_offset(launch, step->spec.kept_rank, args->kept_size, args->kept_out, it->output);
    sim_store_element(launch, at,
                      args->terms == 0 ? sim_empty(&launch->math)
                                       : sim_end(&launch->math, state, args->count));
}

/* Lanes in bit-reversed order, an accumulator for each halving. */
static sim_state fold_lanes(const sim_launch *launch, const block *it) {
    sim_state pending[8];
    uint32_t levels = 0;
    while (levels < 7 && (UINT64_C(1) << levels) < it->end - it->begin)
        levels++;
    for (uint32_t visit = 0; visit < 1u << levels; visit++) {
        uint32_t lane = 0, level = 0;
        for (uint32_t bit = 0; bit < levels; bit++)
            lane |= (visit >> bit & 1u) << (levels - 1 - bit);
        sim_state sum = fold_lane(launch, it, lane);
        for (; (visit >> level & 1u) != 0; level++)
            sum = sim_join(&launch->math, pending[level], sum);
        pending[level] = sum;
    }
    return pending[levels];
}

void sim_fold_item(sim_launch *launch) {
    const uint64_t units = launch->step->args.head.units, items = sim_items(launch);
    for (uint64_t item = 0; item < items && item < units; item++) {
        for (uint64_t unit = item; unit < units; unit += items) {
            block it = find_block(launch, unit);
            if (sim_is_shifted(&launch->math))
                it.top = find_top(launch, &it, 0, 1);
            put(launch, &it, fold_lanes(launch, &it));
        }
    }
}

/* The work-items of a group take turns between barriers: each loop over item is one phase. */
static void fold_unit(const sim_launch *launch, block *it) {
    const uint32_t group = launch->step->spec.group;
    sim_state sums[TALLY_LANES];
    uint64_t tops[TALLY_LANES] = {0};
    if (sim_is_shifted(&launch->math)) {
        for (uint32_t item = 0; item < group; item++)
            for (uint32_t lane = item; lane < TALLY_LANES; lane += group)
                tops[lane] = find_top(launch, it, lane, TALLY_LANES);
        for (uint32_t half = TALLY_LANES / 2; half > 0; half /= 2)
            for (uint32_t item = 0; item < group; item++)
                for (uint32_t k = item; k < half; k += group)
                    tops[k] = sim_higher(&launch->math, tops[k], tops[k + half]);
        it->top = tops[0];
    }
    for (uint32_t item = 0; item < group; item++)
        for (uint32_t lane = item; lane < TALLY_LANES; lane += group)
            sums[lane] = fold_lane(launch, it, lane);
    for (uint32_t half = TALLY_LANES / 2; half > 0; half /= 2)
        for (uint32_t item = 0; item < group; item++)
            for (uint32_t k = item; k < half; k += group)
                sums[k] = sim_join(&launch->math, sums[k], sums[k + half]);
    put(launch, it, sums[0]);
}

void sim_fold_team(sim_launch *launch) {
    const uint64_t units = launch->step->args.head.units;
    for (uint64_t group = 0; group < launch->groups; group++) {
        for (uint64_t unit = group; unit < units; unit += launch->groups) {
            block it = find_block(launch, unit);
            fold_unit(launch, &it);
        }
    }
}
