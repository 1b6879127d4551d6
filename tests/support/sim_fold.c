/*
 * sim_fold.c: the folds of cl/fold.cl and of the schedules that go with it. What a unit covers and
 * where its elements lie is found as each kernel finds it; who of a group does what of a block is
 * followed for items and teams, elsewhere only in how many lanes there are.
 */
#include "cl/order.h"
#include "sim_launch.h"

/* A block of one output's terms: the i-th of them lies i strides from the origin, or by the axes.
 */
typedef struct block {
    uint64_t output, number, origin, begin, end;
    uint64_t stride; /* 0: the swept axes say where */
} block;

static uint64_t least(uint64_t a, uint64_t b) {
    return a < b ? a : b;
}

static uint64_t origin_of(const sim_launch *launch, uint64_t output) {
    const tally_step *step = launch->step;
    const tally_fold_args *args = &step->args.fold;
    return step->spec.first
               ? sim_offset(launch, step->spec.kept_rank, args->kept_size, args->kept_in, output)
               : output * args->terms;
}

static block block_of(const sim_launch *launch, uint64_t output, uint64_t number) {
    block it = {.output = output, .number = number, .begin = number * TALLY_BLOCK};
    it.end = least(it.begin + TALLY_BLOCK, launch->step->args.fold.terms);
    return it;
}

/* The unit of an item or a team: outputs side by side, then blocks. */
static block find_block(const sim_launch *launch, uint64_t unit) {
    const uint64_t outputs = launch->step->args.fold.outputs, number = unit / outputs;
    block it = block_of(launch, unit - number * outputs, number);
    it.origin = origin_of(launch, it.output);
    return it;
}

static uint64_t load_element(const sim_launch *launch, const block *it, uint64_t i) {
    const tally_spec *spec = &launch->step->spec;
    const tally_fold_args *args = &launch->step->args.fold;
    const uint64_t offset =
        it->stride != 0 ? i * it->stride
                        : sim_offset(launch, spec->swept_rank, args->swept_size, args->swept_in, i);
    return sim_load(&launch->math, sim_load_element(launch, it->origin + offset));
}

static sim_state fold_elements(const sim_launch *launch, const block *it, uint64_t i,
                               uint64_t lanes) {
    sim_state sum = sim_neutral(&launch->math);
    while (i < it->end) {
        uint64_t x[SIM_TAKEN];
        const uint64_t first = i;
        uint32_t count = 0;
        for (; count < SIM_TAKEN && i < it->end; i += lanes)
            x[count++] = load_element(launch, it, i);
        sum = sim_take(&launch->math, sum, x, count, first);
    }
    return sum;
}

static sim_state fold_states(const sim_launch *launch, const block *it, uint64_t i) {
    const uint64_t scale = launch->step->args.fold.index_scale;
    sim_state sum = sim_neutral(&launch->math);
    for (; i < it->end; i += TALLY_LANES) {
        const sim_state state = sim_load_state(launch, it->origin + i);
        sum = sim_join(&launch->math, sum, sim_resume(&launch->math, state, i, scale));
    }
    return sum;
}

static sim_state fold_lane(const sim_launch *launch, const block *it, uint64_t lane) {
    return launch->step->spec.first ? fold_elements(launch, it, it->begin + lane, TALLY_LANES)
                                    : fold_states(launch, it, it->begin + lane);
}

static void put(const sim_launch *launch, const block *it, sim_state state) {
    const tally_step *step = launch->step;
    const tally_fold_args *args = &step->args.fold;
    const uint64_t at =
        sim_offset(launch, step->spec.kept_rank, args->kept_size, args->kept_out, it->output);
    if (!step->spec.last)
        sim_store_state(launch, at * args->blocks + it->number, state);
    else
        sim_store_element(launch, at,
                          args->terms == 0 ? sim_empty(&launch->math)
                                           : sim_end(&launch->math, state, args->count));
}

/* ---- Items --------------------------------------------------------------------------------- */

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
            const block it = find_block(launch, unit);
            put(launch, &it, fold_lanes(launch, &it));
        }
    }
}

/* ---- Groups -------------------------------------------------------------------------------- */

/* Each of a launch's units once: groups go on to the next ones they have room for, slots each. */
static void each_unit(const sim_launch *launch, uint64_t slots,
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
    const block it = find_block(launch, unit);
    sim_state sums[TALLY_LANES];
    for (uint32_t item = 0; item < group; item++)
        for (uint32_t lane = item; lane < TALLY_LANES; lane += group)
            sums[lane] = fold_lane(launch, &it, lane);
    for (uint32_t half = TALLY_LANES / 2; half > 0; half /= 2)
        for (uint32_t item = 0; item < group; item++)
            for (uint32_t k = item; k < half; k += group)
                sums[k] = sim_join(&launch->math, sums[k], sums[k + half]);
    put(launch, &it, sums[0]);
}

void sim_fold_team(sim_launch *launch) {
    each_unit(launch, 1, fold_by_team);
}

/* A block of elements in so many lanes, which are halved; lanes without a term are neutral. */
static void fold_block(const sim_launch *launch, const block *it, uint64_t lanes) {
    sim_state sums[TALLY_LANES];
    if (lanes == 0 || lanes > TALLY_LANES || (lanes & (lanes - 1)) != 0) {
        sim_fault(launch->memory, "step %u: a block has %llu lanes", launch->memory->step,
                  (unsigned long long)lanes);
        return;
    }
    for (uint64_t lane = 0; lane < lanes; lane++)
        sums[lane] = fold_elements(launch, it, it->begin + lane, lanes);
    for (uint64_t half = lanes / 2; half > 0; half /= 2)
        for (uint64_t k = 0; k < half; k++)
            sums[k] = sim_join(&launch->math, sums[k], sums[k + half]);
    put(launch, it, sums[0]);
}

/* Blocks side by side, then outputs. */
static void fold_row(const sim_launch *launch, uint64_t unit) {
    const uint64_t blocks = launch->step->args.fold.blocks;
    block it = block_of(launch, unit / blocks, unit % blocks);
    it.origin = origin_of(launch, it.output);
    it.stride = 1;
    fold_block(launch, &it, TALLY_LANES);
}

void sim_fold_rows(sim_launch *launch) {
    const tally_spec *spec = &launch->step->spec;
    each_unit(launch, spec->each == 0 ? 0 : spec->group / ((uint32_t)TALLY_LANES / spec->each),
              fold_row);
}

/* Strips of columns side by side, then blocks, then the outputs around the columns. */
static void fold_strip(const sim_launch *launch, uint64_t unit) {
    const tally_spec *spec = &launch->step->spec;
    const tally_fold_args *args = &launch->step->args.fold;
    const uint64_t columns = args->kept_size[spec->kept_rank - 1];
    const uint64_t width = args->across * (16 / number_bytes(launch->math.input));
    const uint64_t strips = (columns + width - 1) / width, strip = unit % strips;
    const uint64_t first = unit / strips / args->blocks * columns + strip * width;
    const uint64_t present = least(width, columns - strip * width);
    for (uint64_t column = 0; column < present; column++) {
        block it = block_of(launch, first + column, unit / strips % args->blocks);
        it.origin = origin_of(launch, first) + column;
        it.stride = args->swept_in[spec->swept_rank - 1];
        fold_block(launch, &it, args->slices * spec->each);
    }
}

void sim_fold_columns(sim_launch *launch) {
    const tally_fold_args *args = &launch->step->args.fold;
    const uint64_t team = args->across * args->slices;
    each_unit(launch, team == 0 ? 0 : launch->step->spec.group / team, fold_strip);
}

/* Whole rows, one after the other in memory. */
static void fold_tile(const sim_launch *launch, uint64_t unit) {
    const tally_fold_args *args = &launch->step->args.fold;
    const uint64_t first = unit * args->across;
    const uint64_t present = least(args->across, args->outputs - first);
    for (uint64_t row = first; row < first + present; row++) {
        block it = block_of(launch, row, 0);
        it.origin = row * args->terms;
        it.stride = 1;
        if (args->terms > args->slices)
            sim_fault(launch->memory, "step %u: a tile's rows have more terms than lanes",
                      launch->memory->step);
        fold_block(launch, &it, args->slices);
    }
}

void sim_fold_tile(sim_launch *launch) {
    each_unit(launch, 1, fold_tile);
}
