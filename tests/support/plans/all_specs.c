/*
 * all_specs.c: loops over the fields of a spec, each with the values that the fields before allow.
 */
#include "all_specs.h"

#include "cl/core/order.h"
#include "cl/core/sizes.h"
#include "support/descriptions/legal.h"
#include "support/numbers/number.h"
#include "support/rules/parts.h"

typedef struct visitor {
    bool thin;
    void (*visit)(const tally_spec *program, void *user);
    void *user;
} visitor;

static const uint8_t ranks[] = {1, 8, 2, 4};

/* Sizes of groups that are compiled in, the thin choices first. */
typedef struct group_sizes {
    int count;
    uint16_t group[9];
} group_sizes;

static const group_sizes sizes_of[TALLY_SCHEDULES] = {
    [TALLY_FOLD_ANY] = {9, {128, 0, 1, 2, 4, 8, 16, 32, 64}},
    [TALLY_SCAN_ANY] = {9, {128, 0, 1, 2, 4, 8, 16, 32, 64}},
    [TALLY_SCAN_CARRY] = {2, {128, 0}},
    [TALLY_FOLD_ROWS] = {3, {256, 64, 128}},
    [TALLY_FOLD_COLUMNS] = {3, {256, 64, 128}},
    [TALLY_FOLD_SETS] = {1, {256}},
    [TALLY_FOLD_OUTPUTS] = {1, {256}},
    [TALLY_FOLD_SHORT_ROWS] = {3, {256, 64, 128}},
    [TALLY_SCAN_ROWS] = {5, {64, 128, 256, 32, 16}},
    [TALLY_SCAN_SHORT_ROWS] = {2, {128, 256}},
    [TALLY_SCAN_COLUMNS] = {6, {256, 512, 64, 128, 192, 320}},
    [TALLY_FILL_ROWS] = {3, {256, 64, 128}},
    [TALLY_SCAN_STAGED] = {2, {128, 256}},
    [TALLY_FILL_PACKS] = {3, {256, 64, 128}},
    [TALLY_FILL_BOX] = {3, {256, 64, 128}},
    [TALLY_FILL_TRANSPOSE] = {3, {256, 64, 128}},
};

static void each_width_and_group(const visitor *it, tally_spec program) {
    static const group_sizes large = {2, {256, 128}}, largest = {2, {512, 256}};
    const bool recompute = tally_spec_carry(&program) == TALLY_CARRY_RECOMPUTE;
    const bool whole = program.schedule == TALLY_FOLD_ROWS && program.policy.fold_rows.whole_rows;
    const group_sizes *sizes = recompute ? &large : whole ? &largest : &sizes_of[program.schedule];
    const int most = it->thin && sizes->count > 2 ? 2 : sizes->count;
    for (int i = 0; i < (most > 0 ? most : 1); i++) {
        program.group = sizes->group[i];
        program.index_bits = 32;
        it->visit(&program, it->user);
        program.index_bits = 64;
        it->visit(&program, it->user);
    }
}

/* ---- How a group shares its work ------------------------------------------------------------- */

static uint16_t pack_of(const tally_spec *program) {
    return (uint16_t)(16 / number_bytes((tally_dtype)program->input));
}

/* A pack of a row of one block, else a dword; of LOG_SUM_EXP packs, but of narrow types dwords. */
static void load_rows(tally_spec *program, bool one_block) {
    const size_t bytes = number_bytes((tally_dtype)program->input);
    const bool shifted = program->function == TALLY_LOG_SUM_EXP;
    tally_fold_rows_policy *policy = &program->policy.fold_rows;
    policy->pack = (uint16_t)(bytes > 4 ? bytes : 4);
    if (shifted ? bytes >= 4 : one_block)
        policy->pack = 16;
    policy->lanes_per_item = (uint16_t)(policy->pack / bytes);
    policy->runs_at_once = (uint16_t)(one_block || shifted ? 1 : 16 / policy->pack);
}

/* Rows of one block that have lane runs, and those of all numbers of stripes that have none. */
static void each_of_stripes(const visitor *it, tally_spec program) {
    tally_fold_rows_policy *policy = &program.policy.fold_rows;
    each_width_and_group(it, program);
    for (policy->stripes = 1; policy->one_block && policy->stripes <= 8; policy->stripes *= 2)
        if (!it->thin || policy->stripes == 2)
            each_width_and_group(it, program);
}

/* Of elements what they load, of states four. */
static void each_of_whole_rows(const visitor *it, tally_spec program) {
    tally_fold_rows_policy *policy = &program.policy.fold_rows;
    policy->whole_rows = 1;
    load_rows(&program, false);
    each_width_and_group(it, program);
    if (policy->lanes_per_item == 4 || it->thin)
        return;
    policy->lanes_per_item = 4;
    each_width_and_group(it, program);
}

static void each_of_fold_rows(const visitor *it, tally_spec program) {
    tally_fold_rows_policy *policy = &program.policy.fold_rows;
    each_of_whole_rows(it, program);
    for (policy->one_block = 0; policy->one_block <= 1; policy->one_block++) {
        load_rows(&program, policy->one_block);
        for (policy->blocks_per_item = 1; policy->blocks_per_item <= (it->thin ? 1 : 4);
             policy->blocks_per_item *= 2)
            each_of_stripes(it, program);
    }
}

/* As many lanes as a work-item alone may have, or as one that shares a block has. */
static void each_lanes_of_columns(const visitor *it, tally_spec program) {
    tally_fold_columns_policy *policy = &program.policy.fold_columns;
    const bool exact = tally_spec_is_exact(&program);
    for (policy->whole_block = 0; policy->whole_block < 2; policy->whole_block++)
        for (policy->lanes_per_item = 1; policy->lanes_per_item <= (exact ? 1 : 16);
             policy->lanes_per_item = (uint16_t)(policy->lanes_per_item * 2))
            if (exact || (policy->whole_block ? !it->thin || policy->lanes_per_item == 4
                                              : policy->lanes_per_item == 8 ||
                                                    (policy->lanes_per_item == 4 && !it->thin)))
                each_width_and_group(it, program);
}

static void each_of_fold_columns(const visitor *it, tally_spec program) {
    program.policy.fold_columns.pack = number_bytes((tally_dtype)program.input) == 2 ? 8 : 16;
    each_lanes_of_columns(it, program);
}

/* Room for a period of as many packs as a group has work-items, or for more or less. */
static void each_of_fold_sets(const visitor *it, tally_spec program) {
    tally_fold_sets_policy *policy = &program.policy.fold_sets;
    const size_t bytes = number_bytes((tally_dtype)program.input);
    if (program.function == TALLY_LOG_SUM_EXP)
        return;
    policy->pack = bytes < 4 ? 8 : 16;
    for (policy->lanes_per_item = 4; policy->lanes_per_item > 0; policy->lanes_per_item /= 2)
        for (policy->states = 256; policy->states <= 2048; policy->states *= 2)
            if (!it->thin || policy->lanes_per_item * policy->states == 4096)
                each_width_and_group(it, program);
}

/*
 * An output each or a pack of them, lanes or none, shared or not, with a table or without, of
 * several terms or of one.
 */
static void each_of_fold_outputs(const visitor *it, tally_spec program) {
    tally_fold_outputs_policy *policy = &program.policy.fold_outputs;
    const unsigned bytes = (unsigned)number_bytes((tally_dtype)program.input);
    const bool exact = tally_spec_is_exact(&program);
    for (unsigned pack = bytes; pack <= (bytes < 4 ? 4 : bytes); pack = pack < 4 ? 4 : 2 * pack) {
        policy->pack = (uint16_t)pack;
        policy->lanes_at_once = (uint16_t)(it->thin ? 4 : 8);
        policy->visits = exact ? 0 : 4;
        for (policy->whole_outputs = 0; policy->whole_outputs <= 1; policy->whole_outputs++)
            for (policy->table = 0; policy->table <= 64;
                 policy->table = (uint16_t)(policy->table + 64))
                if (!it->thin || (policy->table == 0) == (policy->whole_outputs == 0)) {
                    policy->depth = policy->table == 0 ? 2 : 0;
                    each_width_and_group(it, program);
                    policy->indices =
                        policy->table > 0 && legal_is_index((tally_function)program.function);
                    if (policy->indices)
                        each_width_and_group(it, program);
                    policy->indices = 0;
                }
    }
    policy->depth = exact ? 4 : 0;
    policy->pack = 16;
    policy->lanes_at_once = 1;
    policy->visits = exact ? 0 : 2;
    policy->whole_outputs = 1;
    policy->table = 0;
    each_width_and_group(it, program);
    policy->pack = (uint16_t)bytes;
    policy->crossed = 16;
    each_width_and_group(it, program);
}

/* Groups of fold_any, each alone or with a few outputs, along lines, or of staged blocks. */
static void each_team_of_any(const visitor *it, tally_spec program) {
    tally_fold_any_policy *policy = &program.policy.fold_any;
    program.index_bits = 32;
    program.group = 256;
    for (policy->outputs_at_once = it->thin ? 32 : 2; policy->outputs_at_once <= 32;
         policy->outputs_at_once *= 2)
        it->visit(&program, it->user);
    policy->outputs_at_once = 0;
    if (policy->indices)
        return;
    const bool indexed = legal_is_index((tally_function)program.function);
    for (policy->lines_at_once = it->thin ? 16 : 4; policy->lines_at_once <= 32 && !indexed;
         policy->lines_at_once *= 2)
        it->visit(&program, it->user);
    policy->lines_at_once = 0;
    program.group = TALLY_LANES;
    for (policy->lines_beside = 2; policy->lines_beside <= (it->thin ? 2 : 32);
         policy->lines_beside *= 4)
        it->visit(&program, it->user);
}

/* Terms in the order of their indices, or in another one. */
static void each_of_fold_any(const visitor *it, tally_spec program) {
    const uint16_t most = legal_is_index((tally_function)program.function) ? 1 : 0;
    for (uint16_t indices = 0; indices <= most; indices++) {
        program.policy.fold_any.indices = indices;
        each_width_and_group(it, program);
        each_team_of_any(it, program);
    }
}

/* Short rows of whole packs, and those of rows that are taken element by element. */
static void each_of_fold_short_rows(const visitor *it, tally_spec program) {
    tally_fold_short_rows_policy *policy = &program.policy.fold_short_rows;
    static const uint16_t stacks[] = {16, 128, 64};
    for (int i = 0; i < (it->thin ? 1 : 3); i++) {
        policy->terms_room = stacks[i];
        policy->leaf_elements = pack_of(&program);
        for (policy->of_columns = 0; policy->of_columns <= 1; policy->of_columns++)
            each_width_and_group(it, program);
        policy->of_columns = 0;
        policy->leaf_elements = 1;
        each_width_and_group(it, program);
    }
}

/* Rows of several runs, one for each work-item, and those of one run of so many terms. */
static void each_of_scan_short_rows(const visitor *it, tally_spec program) {
    tally_scan_short_rows_policy *policy = &program.policy.scan_short_rows;
    for (uint16_t terms = 0; terms <= 16; terms += 16) {
        policy->runs_per_item = terms == 0;
        policy->row_terms = terms;
        policy->pack_elements = pack_of(&program);
        each_width_and_group(it, program);
        policy->row_terms = terms > 0 ? 15 : 0;
        policy->pack_elements = 1;
        each_width_and_group(it, program);
    }
}

/* Four packs of a row, or eight of a narrow one. */
static void each_of_fill_rows(const visitor *it, tally_spec program) {
    tally_fill_rows_policy *policy = &program.policy.fill_rows;
    policy->rows_at_once = 1;
    for (policy->packs_per_item = 4; policy->packs_per_item <= 8; policy->packs_per_item++)
        each_width_and_group(it, program);
}

static void each_of_fill_packs(const visitor *it, tally_spec program) {
    tally_fill_packs_policy *policy = &program.policy.fill_packs;
    for (policy->packs_per_item = 1; policy->packs_per_item <= 4; policy->packs_per_item++)
        for (policy->picks = 0; policy->picks <= 1; policy->picks++)
            each_width_and_group(it, program);
    policy->picks = 0;
    policy->packs_per_item = 4;
    policy->rewrites = 1;
    each_width_and_group(it, program);
}

static void each_of_fill_box(const visitor *it, tally_spec program) {
    tally_fill_box_policy *policy = &program.policy.fill_box;
    for (policy->positions_per_item = 1; policy->positions_per_item <= 4;
         policy->positions_per_item += 3)
        each_width_and_group(it, program);
    policy->positions_per_item = 0;
    policy->loads_at_once = 8;
    for (policy->box_bytes = 23552; policy->box_bytes <= 43008; policy->box_bytes += 19456)
        each_width_and_group(it, program);
}

static void each_of_fill_transpose(const visitor *it, tally_spec program) {
    tally_fill_transpose_policy *policy = &program.policy.fill_transpose;
    if (number_bytes((tally_dtype)program.input) >= 4)
        return;
    policy->rows_at_once = 8;
    for (policy->box_bytes = 10240; policy->box_bytes <= 20480; policy->box_bytes += 10240)
        each_width_and_group(it, program);
}

/* The least pack: a dword of columns, or an element. */
static uint8_t least_pack(const tally_spec *program) {
    const size_t bytes = number_bytes((tally_dtype)program->input);
    return (uint8_t)(bytes < 4 ? 4 : bytes);
}

/* Levels of the order, of columns whose combining is exact two. */
static uint8_t most_levels(const tally_spec *program) {
    return tally_spec_is_exact(program) ? 2 : 5;
}

static void each_of_walked_columns(const visitor *it, tally_spec program) {
    tally_scan_columns_policy *policy = &program.policy.scan_columns;
    policy->carry = TALLY_CARRY_WALK;
    policy->pack = number_bytes((tally_dtype)program.input) < 4 ? 8 : 16;
    for (policy->whole_spans = 0; policy->whole_spans <= 1; policy->whole_spans++)
        for (policy->results = 0; policy->results <= 1; policy->results++) {
            program.levels = policy->whole_spans > policy->results ? 1 : most_levels(&program);
            each_width_and_group(it, program);
        }
    policy->whole_spans = 0;
    program.levels = 2;
    policy->results = TALLY_RESULTS_STAGED;
    policy->pack = least_pack(&program);
    each_width_and_group(it, program);
    policy->results = TALLY_SIDE_BY_SIDE;
    policy->spans_at_once = 4; /* spans at a time */
    each_width_and_group(it, program);
}

/* Boxes of the terms alone, in runs apart, and of two or four axes, in one order or in another. */
static void each_box(const visitor *it, tally_spec program) {
    tally_scan_staged_policy *policy = &program.policy.scan_staged;
    static const struct {
        uint8_t rank, read, write, skewed, each, packs, axes, reversed, loads, stores, registers;
    } boxes[] = {{2, 4, 1, 0, 16, 8, 1, 0, 0, 1, 0},  {1, 0, 0, 1, 16, 8, 1, 1, 0, 0, 0},
                 {2, 1, 1, 0, 16, 1, 1, 0, 1, 1, 1},  {4, 228, 27, 0, 5, 1, 1, 1, 0, 1, 0},
                 {3, 6, 36, 1, 16, 1, 1, 0, 0, 0, 0}, {2, 1, 1, 0, 3, 8, 2, 0, 0, 0, 0},
                 {3, 6, 36, 0, 16, 1, 1, 0, 1, 0, 1}, {3, 6, 9, 0, 16, 1, 1, 1, 1, 1, 0},
                 {4, 57, 57, 0, 16, 8, 3, 1, 0, 0, 0}};
    const bool tiles = policy->carry == TALLY_CARRY_TWO_PASSES;
    const uint8_t bytes = (uint8_t)number_bytes((tally_dtype)program.input);
    program.word = (uint8_t)(tiles ? bytes == 8 ? 8 : 4 : 0);
    for (int i = 0; i < (it->thin ? 3 : 9); i++) {
        policy->box_rank = boxes[i].rank;
        policy->read_order = boxes[i].read;
        policy->write_order = boxes[i].write;
        policy->skewed = boxes[i].skewed;
        policy->read_bytes = policy->write_bytes = boxes[i].packs > bytes ? boxes[i].packs : bytes;
        policy->read_bytes = boxes[i].loads ? bytes : policy->read_bytes;
        policy->write_bytes = boxes[i].stores ? bytes : policy->write_bytes;
        policy->read_axes = policy->write_axes = boxes[i].axes;
        policy->reversed_terms = boxes[i].reversed;
        policy->direct_loads = boxes[i].loads;
        policy->direct_stores = boxes[i].stores;
        policy->in_registers = boxes[i].registers;
        policy->run_terms = tiles ? 16 : boxes[i].each;
        program.levels = (uint8_t)(tiles ? 5 : policy->run_terms < 16 ? 1 : 2 + i % 4);
        policy->runs_per_item = (uint16_t)(i % 2 + 1);
        policy->tile_parts = tiles && i % 2 == 0;
        each_width_and_group(it, program);
    }
}

static void each_of_scan_staged(const visitor *it, tally_spec program) {
    program.policy.scan_staged.carry = TALLY_CARRY_WALK;
    each_box(it, program);
    program.policy.scan_staged.carry = TALLY_CARRY_TWO_PASSES;
    each_box(it, program);
}

/* Terms in the scratch, of the type that they are computed in. */
static void each_of_strips(const visitor *it, tally_spec program) {
    tally_scan_columns_policy *policy = &program.policy.scan_columns;
    const bool exact = tally_spec_is_exact(&program);
    policy->carry = TALLY_CARRY_TWO_PASSES;
    program.levels = most_levels(&program);
    policy->pack = !exact                                         ? least_pack(&program)
                   : number_bytes((tally_dtype)program.input) < 4 ? 8
                                                                  : 16;
    program.word = number_bytes((tally_dtype)program.input) == 8 ? 8 : 4;
    for (policy->results = 0; policy->results <= 1; policy->results++)
        each_width_and_group(it, program);
    policy->pack = least_pack(&program);
    policy->results = TALLY_RESULTS_STAGED;
    each_width_and_group(it, program);
    policy->results = TALLY_SIDE_BY_SIDE;
    for (policy->tile_parts = 0; policy->tile_parts <= 1; policy->tile_parts++) {
        policy->spans_at_once = policy->tile_parts > 0 ? 2 : 4;
        policy->pack = policy->tile_parts > 0 ? (uint16_t)number_bytes((tally_dtype)program.input)
                                              : least_pack(&program);
        each_width_and_group(it, program);
    }
}

static void each_of_scan_columns(const visitor *it, tally_spec program) {
    each_of_walked_columns(it, program);
    each_of_strips(it, program);
}

/* Columns that lie as one row, of up to 32 bytes, and the largest groups for them. */
static void each_of_scan_units(const visitor *it, tally_spec program) {
    tally_scan_rows_policy *policy = &program.policy.scan_rows;
    const size_t bytes = number_bytes((tally_dtype)program.input);
    const uint16_t most = it->thin ? 3 : 31;
    for (policy->merged = 1; policy->merged <= most; policy->merged++) {
        if (policy->merged * bytes > 32 || (policy->merged * bytes == 32 && policy->merged > 8))
            break;
        policy->runs_per_item = policy->merged * bytes <= 4   ? 4
                                : policy->merged * bytes <= 8 ? 2
                                                              : 1;
        program.levels = (uint8_t)(2 + policy->merged % 4);
        each_width_and_group(it, program);
    }
}

/* The same for groups so large, with a run for each work-item. */
static void each_of_recomputed(const visitor *it, tally_spec program) {
    tally_scan_rows_policy *policy = &program.policy.scan_rows;
    const size_t bytes = number_bytes((tally_dtype)program.input);
    const uint16_t most = it->thin ? 2 : 31;
    policy->carry = TALLY_CARRY_RECOMPUTE;
    policy->runs_per_item = 1;
    program.levels = 4;
    for (policy->merged = 1; policy->merged <= most && policy->merged * bytes < 16;
         policy->merged++)
        each_width_and_group(it, program);
}

/* Walked, by words of both sizes, and recomputed. */
static void each_of_scan_rows(const visitor *it, tally_spec program) {
    static const uint16_t spread[] = {TALLY_CARRY_TWO_PASSES, TALLY_CARRY_LOOK_BACK};
    program.policy.scan_rows.carry = TALLY_CARRY_WALK;
    each_of_scan_units(it, program);
    each_of_recomputed(it, program);
    for (int i = 0; i < 4; i++) {
        program.word = i % 2 == 0 ? 4 : 8;
        program.policy.scan_rows.carry = spread[i / 2];
        if (!it->thin || i != 1)
            each_of_scan_units(it, program);
    }
}

/* Lines of as many columns as a vector holds several times, or once, and rows apart; whole ones and
 * pieces. */
static void each_of_scan_cpu_line(const visitor *it, tally_spec program) {
    tally_scan_cpu_line_policy *policy = &program.policy.scan_cpu_line;
    const unsigned width = number_bytes((tally_dtype)program.input) == 8 ? 4 : 8;
    for (unsigned merged = 0; merged <= width; merged = merged == 0 ? 1 : merged * 2) {
        policy->strided = merged == 0;
        policy->merged = (uint16_t)(merged == 0 ? 1 : merged);
        for (unsigned pieces = 0; pieces < 2; pieces++) {
            program.word = (uint8_t)(pieces * (32 / width));
            policy->carry = pieces ? TALLY_CARRY_TWO_PASSES : TALLY_CARRY_WALK;
            if (!it->thin || merged < 2 || merged == width / 2)
                each_width_and_group(it, program);
        }
    }
}

/* Whole units and pieces. */
static void each_of_scan_cpu_pieces(const visitor *it, tally_spec program) {
    program.policy.scan_cpu_pieces.carry = TALLY_CARRY_WALK;
    each_width_and_group(it, program);
    program.policy.scan_cpu_pieces.carry = TALLY_CARRY_TWO_PASSES;
    program.word = number_bytes((tally_dtype)program.input) == 8 ? 8 : 4;
    each_width_and_group(it, program);
}

/* Agents of scans whose parts go on from a carry or hand on states: one way of each, of both. */
static void each_of_parts(const visitor *it, tally_spec program) {
    static const uint16_t carries[] = {TALLY_CARRY_WALK, TALLY_CARRY_TWO_PASSES,
                                       TALLY_CARRY_LOOK_BACK};
    const size_t bytes = number_bytes((tally_dtype)program.input);
    program.index_bits = 64;
    program.levels = program.schedule == TALLY_SCAN_COLUMNS ? most_levels(&program) : 5;
    for (size_t i = 0; i < sizeof carries / sizeof carries[0]; i++) {
        const bool two = carries[i] == TALLY_CARRY_TWO_PASSES, walks = i == 0;
        program.word = (uint8_t)(walks ? 0 : bytes == 8 ? 8 : 4);
        if (program.schedule == TALLY_SCAN_ROWS) {
            program.policy.scan_rows = (tally_scan_rows_policy){
                .carry = carries[i], .merged = 1, .runs_per_item = bytes == 8 ? 2 : 4};
            program.group = bytes == 8 ? 128 : 64;
        } else if (program.schedule == TALLY_SCAN_COLUMNS && walks) {
            program.policy.scan_columns =
                (tally_scan_columns_policy){.carry = TALLY_CARRY_WALK, .pack = bytes < 4 ? 8 : 16};
            program.group = 256;
        } else if (program.schedule == TALLY_SCAN_CPU_ROWS && i < 2) {
            program.policy.scan_cpu_line =
                (tally_scan_cpu_line_policy){.carry = carries[i], .merged = 1};
            program.group = 1;
        } else if (program.schedule != TALLY_SCAN_ANY || !walks) {
            continue;
        }
        program.part = TALLY_PART_CARRIED;
        it->visit(&program, it->user);
        if (!two && program.schedule != TALLY_SCAN_ANY)
            continue;
        program.part = TALLY_PART_STATES;
        program.word = bytes == 8 ? 8 : 4;
        it->visit(&program, it->user);
    }
}

/* Of each row of policy.def, so that a policy whose choices nobody goes through is not compiled. */
static void each_share(const visitor *it, tally_spec program) {
#define TALLY_POLICY(agent, ...) [TALLY_POLICY_##agent] = each_of_##agent,
    static void (*const shares[TALLY_POLICIES])(const visitor *, tally_spec) = {
        [TALLY_POLICY_none] = each_width_and_group,
#include "plan/policy.def"
    };
#undef TALLY_POLICY
    shares[tally_schedule_find(program.schedule)->policy](it, program);
    if (tally_schedule_find(program.schedule)->kind == TALLY_KIND_SCAN && program.kept_rank == 1)
        each_of_parts(it, program);
}

/* ---- The rest -------------------------------------------------------------------------------- */

static void each_rank(const visitor *it, tally_spec program) {
    const tally_kind kind = tally_schedule_find(program.schedule)->kind;
    const int most = it->thin ? 2 : 4;
    for (int kept = 0; kept < most; kept++) {
        for (int swept = 0; swept < (kind == TALLY_KIND_FOLD ? most : 1); swept++) {
            program.kept_rank = ranks[kept];
            program.swept_rank = kind == TALLY_KIND_FILL ? 0 : ranks[swept];
            if (kind != TALLY_KIND_FILL || program.kept_rank > 1)
                each_share(it, program);
        }
    }
}

static void each_option(const visitor *it, tally_spec program) {
    const tally_function function = (tally_function)program.function;
    const int nans = legal_is_order(function) && program.input <= TALLY_F64 ? 2 : 1;
    const int ties = legal_is_index(function) ? 2 : 1;
    for (int option = 0; option < nans * ties; option++) {
        program.nan = (uint8_t)(option % nans);
        program.tie = (uint8_t)(option / nans);
        each_rank(it, program);
    }
}

/* Of the functions that give indices there are no maps: fills of zeros are. */
static void each_pair(const visitor *it, tally_spec program) {
    const tally_kind kind = tally_schedule_find(program.schedule)->kind;
    const bool scans = kind == TALLY_KIND_SCAN;
    for (int i = 0; i < (scans ? LEGAL_SCAN_PAIRS : LEGAL_REDUCE_PAIRS); i++) {
        const legal_pair pair = scans ? legal_scan_pair(i) : legal_reduce_pair(i);
        program.function = (uint8_t)pair.function;
        program.input = (uint8_t)pair.dtype;
        if (kind != TALLY_KIND_FILL || !legal_is_index(pair.function))
            each_option(it, program);
    }
}

void all_specs_each_program(bool thin, void (*visit)(const tally_spec *program, void *user),
                            void *user) {
    static const tally_dtype moved[] = {TALLY_U8, TALLY_U16, TALLY_U32, TALLY_U64};
    const visitor it = {thin, visit, user};
    for (uint8_t schedule = 0; schedule < TALLY_SCHEDULES; schedule++) {
        tally_spec program = {.schedule = schedule};
        const bool maps = schedule == TALLY_FILL_PACKS || schedule == TALLY_FILL_BOX;
        if (maps || tally_schedule_find(schedule)->kind != TALLY_KIND_FILL)
            each_pair(&it, program);
        if (tally_schedule_find(schedule)->kind != TALLY_KIND_FILL)
            continue;
        program.function = program.nan = program.tie = 0;
        for (int i = 0; i < 4; i++) {
            program.input = (uint8_t)moved[i];
            each_rank(&it, program);
        }
    }
}
