/*
 * wide.c: the folds that move 16 bytes for each work-item. Who of a group does what of a block
 * is followed only in how many lanes there are; what a kernel takes for granted is a fault if it is
 * not so.
 */
#include "fold.h"

#include "cl/core/sizes.h"
#include "support/descriptions/legal.h"

static void fold_block(const sim_launch *launch, const sim_terms *it, uint64_t lanes) {
    sim_put_result(launch, it, sim_fold_block(launch, it, lanes));
}

/* ---- Rows ---------------------------------------------------------------------------------- */

/* Blocks side by side, then outputs. */
static void fold_row(const sim_launch *launch, uint64_t unit) {
    const uint64_t blocks = launch->step->args.fold.blocks;
    sim_terms it = sim_terms_of(launch, unit / blocks, unit % blocks);
    it.origin = sim_origin(launch, it.output);
    it.stride = 1;
    fold_block(launch, &it, TALLY_LANES);
}

/* All blocks of a row of elements or states, and what they come to. */
static void fold_whole_row(const sim_launch *launch, uint64_t unit) {
    const uint64_t blocks = launch->step->args.fold_rows.row_blocks;
    sim_state results[TALLY_WHOLE_BLOCKS], lanes[TALLY_LANES];
    sim_terms it = {0};
    if (blocks == 0 || blocks > TALLY_WHOLE_BLOCKS) {
        sim_fault(launch->memory, "step %u: a group joins %llu blocks", launch->memory->step,
                  (unsigned long long)blocks);
        return;
    }
    for (uint64_t number = 0; number < blocks; number++) {
        it = sim_terms_of(launch, unit, number);
        it.origin = sim_origin(launch, unit);
        it.stride = 1;
        for (uint64_t lane = 0; lane < TALLY_LANES; lane++)
            lanes[lane] = sim_fold_lane(launch, &it, lane);
        results[number] = sim_halve(launch, lanes, TALLY_LANES);
    }
    it.number = 0;
    sim_put_result(launch, &it, sim_halve(launch, results, blocks));
}

void sim_fold_rows(sim_launch *launch) {
    const tally_spec *spec = &launch->step->spec;
    if (spec->policy.fold_rows.whole_rows) {
        sim_each_unit(launch, 1, fold_whole_row);
        return;
    }
    sim_each_unit(launch,
                  spec->group / sim_row_mates(launch) * spec->policy.fold_rows.blocks_per_item,
                  fold_row);
}

/* ---- Columns ------------------------------------------------------------------------------- */

/* Strips of columns side by side, then blocks, then the outputs around the columns. */
static void fold_strip(const sim_launch *launch, uint64_t unit) {
    const tally_spec *spec = &launch->step->spec;
    const tally_fold_team_args *args = &launch->step->args.fold_team;
    const uint64_t columns = args->kept_size[spec->kept_rank - 1],
                   pack = spec->policy.fold_columns.pack / number_bytes(launch->math.input);
    const uint64_t width = args->team_width * pack, stride = args->swept_in[spec->swept_rank - 1];
    const uint64_t strips = (columns + width - 1) / width, strip = unit % strips;
    const uint64_t first = unit / strips / args->blocks * columns + strip * width;
    const uint64_t present = sim_least(width, columns - strip * width);
    for (uint64_t column = 0; column < present; column++) {
        sim_terms it = sim_terms_of(launch, first + column, unit / strips % args->blocks);
        it.origin = sim_origin(launch, first) + column;
        it.stride = stride;
        fold_block(launch, &it, args->slices * spec->policy.fold_columns.lanes_per_item);
    }
}

void sim_fold_columns(sim_launch *launch) {
    const tally_fold_team_args *args = &launch->step->args.fold_team;
    const uint64_t team =
        args->team_width * (launch->step->spec.policy.fold_columns.whole_block ? 1 : args->slices);
    sim_each_unit(launch, team == 0 ? 0 : launch->step->spec.group / team, fold_strip);
}

/* ---- Sets of columns ----------------------------------------------------------------------- */

/* Blocks of a set of columns, whose elements lie as one run, or of a row; then sets. */
static void fold_set(const sim_launch *launch, uint64_t unit) {
    const tally_spec *spec = &launch->step->spec;
    const tally_fold_sets_args *args = &launch->step->args.fold_sets;
    const uint64_t columns = args->columns, first = unit / args->blocks * columns;
    if (args->swept_in[spec->swept_rank - 1] != columns ||
        (columns > 1 && columns != args->kept_size[spec->kept_rank - 1]))
        sim_fault(launch->memory, "step %u: a set has %llu columns", launch->memory->step,
                  (unsigned long long)columns);
    for (uint64_t column = 0; column < columns; column++) {
        sim_terms it = sim_terms_of(launch, first + column, unit % args->blocks);
        it.origin = sim_origin(launch, first) + column;
        it.stride = columns;
        fold_block(launch, &it,
                   tally_spec_is_exact(spec) ? TALLY_LANES
                                             : args->rows * spec->policy.fold_sets.lanes_per_item);
    }
}

void sim_fold_sets(sim_launch *launch) {
    const uint64_t mates = launch->step->args.fold_sets.mates;
    sim_each_unit(launch, mates == 0 ? 0 : launch->step->spec.group / mates, fold_set);
}

/* ---- Outputs ------------------------------------------------------------------------------- */

/* One of parts: each has every so manyth lane of a block, or of the outermost of several groups. */
typedef struct sim_part {
    uint64_t number, parts;
} sim_part;

/* The lanes of a part of a block. */
static sim_state fold_part(const sim_launch *launch, const sim_terms *it, sim_part part) {
    sim_state lanes[TALLY_LANES];
    const uint64_t count = TALLY_LANES / part.parts;
    if (part.parts == 1)
        return sim_fold_lanes(launch, it);
    for (uint64_t k = 0; k < count; k++)
        lanes[k] = sim_fold_lane(launch, it, part.number + k * part.parts);
    return sim_halve(launch, lanes, count);
}

/* The terms of so many groups from the first on: each coordinate of the outermost has a lane. */
static sim_state fold_groups(const sim_launch *launch, const sim_terms *it, uint32_t groups,
                             uint64_t first, sim_part part) {
    const tally_fold_args *args = &launch->step->args.fold;
    const uint64_t terms = args->nest[groups - 1];
    sim_state lanes[TALLY_LANES] = {{0, 0, 0}};
    uint64_t inner = 1;
    for (uint32_t g = 0; g + 1 < groups; g++)
        inner *= args->nest[g];
    if (groups == 1) {
        sim_terms block = *it;
        block.begin = first;
        block.end = first + terms;
        return fold_part(launch, &block, part);
    }
    uint64_t of_group = 1; /* parts of its lanes; where they are more, they divide those inside */
    while (of_group < part.parts && of_group < terms && of_group < TALLY_LANES)
        of_group *= 2;
    const sim_part inside = {part.number / of_group, part.parts / of_group};
    for (uint64_t lane = 0; lane < TALLY_LANES / of_group; lane++)
        lanes[lane] = sim_identity(&launch->math);
    for (uint64_t k = part.number % of_group; k < terms; k += of_group) {
        sim_state *sum = &lanes[k % TALLY_LANES / of_group];
        const sim_state state = fold_groups(launch, it, groups - 1, first + k * inner, inside);
        *sum = k < TALLY_LANES ? state : sim_combine(&launch->math, *sum, state);
    }
    return sim_halve(launch, lanes, TALLY_LANES / of_group);
}

/* Packs of outputs side by side, then the parts of a block, then blocks. */
static void fold_output(const sim_launch *launch, uint64_t unit) {
    const tally_fold_args *args = &launch->step->args.fold;
    const tally_spec *spec = &launch->step->spec;
    const uint64_t bytes = number_bytes(launch->math.input);
    const uint64_t width = spec->first ? spec->policy.fold_outputs.pack / bytes : 1;
    const uint64_t packs = args->outputs / width;
    uint32_t groups = 1;
    while (groups < TALLY_NEST && args->nest[groups] > 1)
        groups++;
    const uint64_t number = unit / packs;
    const sim_part part = {number % args->parts, args->parts};
    for (uint64_t v = 0; v < width; v++) {
        sim_terms it = sim_terms_of(launch, unit % packs * width + v, number / args->parts);
        it.origin = sim_origin(launch, unit % packs * width) + v;
        const sim_state state =
            groups == 1 ? fold_part(launch, &it, part) : fold_groups(launch, &it, groups, 0, part);
        it.number = number;
        sim_put_result(launch, &it, state);
    }
}

/*
 * Positions of boxes, some of which have no output: along the other axes first, then the innermost.
 */
static void fold_crossed(const sim_launch *launch, uint64_t unit) {
    const tally_fold_team_args *args = &launch->step->args.fold_team;
    const uint64_t group = launch->step->spec.group, along = group / args->team_width;
    const uint64_t boxes = (args->crossed_outputs - 1) / along + 1;
    const uint64_t box = unit / group, position = unit % group;
    const uint64_t other = box / boxes * args->team_width + position % args->team_width,
                   inner = box % boxes * along + position / args->team_width;
    if (position < args->team_width * along && other < args->outputs / args->crossed_outputs &&
        inner < args->crossed_outputs)
        fold_output(launch, other * args->crossed_outputs + inner);
}

/*
 * Outputs of a row in strips, of which neighbours have some each, a stride from one to the next.
 * The last strip ends with its row: what the one before it has is that one's.
 */
static void fold_spread(const sim_launch *launch, uint64_t unit) {
    const tally_fold_args *args = &launch->step->args.fold;
    const tally_spec *spec = &launch->step->spec;
    const uint64_t columns = args->kept_size[spec->kept_rank - 1u];
    const uint64_t width = spec->policy.fold_outputs.spread, strip = width * TALLY_SPREAD_STRIDE;
    const uint64_t strips = (columns - 1) / strip + 1, number = unit / TALLY_SPREAD_STRIDE;
    for (uint64_t v = 0; v < width; v++) {
        const uint64_t column =
            number % strips * strip + v * TALLY_SPREAD_STRIDE + unit % TALLY_SPREAD_STRIDE;
        if (column < columns)
            fold_output(launch, number / strips * columns + column);
    }
}

void sim_fold_outputs(sim_launch *launch) {
    const tally_fold_team_args *args = &launch->step->args.fold_team;
    const uint64_t team = args->team_width * args->slices;
    const uint64_t group = launch->step->spec.group;
    if (launch->step->spec.policy.fold_outputs.crossed)
        sim_each_unit(launch, group, fold_crossed);
    else if (launch->step->spec.policy.fold_outputs.spread)
        sim_each_unit(launch, group, fold_spread);
    else
        sim_each_unit(launch, team == 0 ? 0 : group / team * args->team_width, fold_output);
}

/* ---- Short rows ---------------------------------------------------------------------------- */

/* Where in local memory the image of so many rows ends, in bytes. */
static uint64_t staged_end(const sim_launch *launch, uint64_t rows) {
    const tally_fold_short_rows_args *args = &launch->step->args.fold_short_rows;
    const uint64_t bytes = number_bytes(launch->math.input);
    if (launch->step->spec.policy.fold_short_rows.leaf_elements ==
        1) /* as they lie, from any position of the first pack on */
        return rows * args->row_stride * bytes + 16 - bytes;
    return (args->row_stride * bytes + 15) / 16 > args->pitch_packs ? UINT64_MAX
                                                                    : rows * args->pitch_packs * 16;
}

/* Rows one after the other in memory, each the terms of so many columns. */
static void fold_short_rows(const sim_launch *launch, uint64_t unit, uint64_t columns,
                            uint64_t staged_bytes) {
    const tally_fold_short_rows_args *args = &launch->step->args.fold_short_rows;
    const uint64_t length = args->terms * columns, rows = args->outputs / columns;
    const uint64_t packed = args->packed_rows, tiles = (packed - 1) / args->staged_rows + 1;
    const uint64_t in_packed = unit % tiles * args->staged_rows;
    const uint64_t first = unit / tiles * packed + in_packed,
                   present = sim_least(args->staged_rows, packed - in_packed);
    if (first >= rows || args->terms > launch->step->spec.policy.fold_short_rows.terms_room ||
        staged_end(launch, present) > staged_bytes || args->row_stride < length) {
        sim_fault(launch->memory, "step %u: no tile of %llu rows of %llu elements",
                  launch->memory->step, (unsigned long long)present, (unsigned long long)length);
        return;
    }
    for (uint64_t k = 0; k < present * columns; k++) {
        sim_terms it = sim_terms_of(launch, first * columns + k, 0);
        it.origin =
            sim_origin(launch, first * columns) + k / columns * args->row_stride + k % columns;
        it.stride = columns;
        fold_block(launch, &it, launch->step->spec.policy.fold_short_rows.terms_room);
    }
}

static void fold_group_of_rows(const sim_launch *launch, uint64_t unit) {
    fold_short_rows(launch, unit, 1, TALLY_SHORT_ROWS_BYTES);
}

static void fold_group_of_columns(const sim_launch *launch, uint64_t unit) {
    const tally_step *step = launch->step;
    fold_short_rows(launch, unit, step->args.fold.kept_size[step->spec.kept_rank - 1],
                    TALLY_SHORT_COLUMNS_BYTES);
}

void sim_fold_short_rows(sim_launch *launch) {
    const bool columns = launch->step->spec.policy.fold_short_rows.of_columns != 0;
    sim_each_unit(launch, 1, columns ? fold_group_of_columns : fold_group_of_rows);
}
