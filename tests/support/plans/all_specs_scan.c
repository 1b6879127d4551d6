/*
 * all_specs_scan.c: how groups share the work of scans: the fields of their policies, each with the
 * values that the fields before allow; and scans that are parts of a problem.
 */
#include "all_specs_inside.h"
#include "cl/core/sizes.h"
#include "support/numbers/number.h"

/* Rows of several runs, one for each work-item, and those of one run of so many terms. */
void all_specs_each_of_scan_short_rows(const all_specs_visitor *it, tally_spec program) {
    tally_scan_short_rows_policy *policy = &program.policy.scan_short_rows;
    for (uint16_t terms = 0; terms <= 16; terms += 16) {
        policy->runs_per_item = terms == 0;
        policy->row_terms = terms;
        policy->pack_elements = (uint16_t)(16 / number_bytes((tally_dtype)program.input));
        all_specs_each_size(it, program);
        policy->row_terms = terms > 0 ? 15 : 0;
        policy->pack_elements = 1;
        all_specs_each_size(it, program);
    }
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

static void each_of_walked_columns(const all_specs_visitor *it, tally_spec program) {
    tally_scan_columns_policy *policy = &program.policy.scan_columns;
    policy->carry = TALLY_CARRY_WALK;
    policy->pack = number_bytes((tally_dtype)program.input) < 4 ? 8 : 16;
    for (policy->whole_spans = 0; policy->whole_spans <= 1; policy->whole_spans++)
        for (policy->results = 0; policy->results <= 1; policy->results++) {
            program.levels = policy->whole_spans > policy->results ? 1 : most_levels(&program);
            all_specs_each_size(it, program);
        }
    policy->whole_spans = 0;
    program.levels = 2;
    policy->results = TALLY_RESULTS_STAGED;
    policy->pack = least_pack(&program);
    all_specs_each_size(it, program);
    policy->results = TALLY_SIDE_BY_SIDE;
    policy->spans_at_once = 4; /* spans at a time */
    all_specs_each_size(it, program);
}

/* Boxes of the terms alone, in runs apart, and of two or four axes, in one order or in another. */
static void each_box(const all_specs_visitor *it, tally_spec program) {
    tally_scan_staged_policy *policy = &program.policy.scan_staged;
    static const struct {
        uint8_t rank, read, write, skewed, each, packs, axes, reversed, loads, stores, registers,
            whole;
    } boxes[] = {{2, 4, 1, 0, 16, 8, 1, 0, 0, 1, 0, 0},    {1, 0, 0, 1, 16, 8, 1, 1, 0, 0, 0, 0},
                 {2, 1, 1, 0, 16, 1, 1, 0, 1, 1, 1, 0},    {4, 228, 27, 0, 5, 1, 1, 1, 0, 1, 0, 0},
                 {3, 6, 36, 1, 16, 1, 1, 0, 0, 0, 0, 0},   {2, 1, 1, 0, 3, 16, 2, 0, 0, 0, 0, 3},
                 {3, 6, 36, 0, 16, 1, 1, 0, 1, 0, 1, 0},   {3, 6, 9, 0, 16, 1, 1, 1, 1, 1, 0, 0},
                 {4, 57, 57, 0, 16, 16, 3, 1, 0, 0, 0, 1}, {3, 6, 9, 0, 16, 16, 1, 1, 1, 0, 1, 2}};
    static const uint8_t phases[] = {0, TALLY_TOTALS, TALLY_SPINE};
    const int all = sizeof boxes / sizeof boxes[0];
    const bool tiles = policy->carry != TALLY_CARRY_WALK;
    const bool chain = policy->carry == TALLY_CARRY_LOOK_BACK;
    const uint8_t bytes = (uint8_t)number_bytes((tally_dtype)program.input);
    program.word = (uint8_t)(tiles ? bytes == 8 ? 8 : 4 : 0);
    for (int i = 0; i < (it->thin ? 3 : all); i++) {
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
        policy->whole_packs = boxes[i].whole;
        policy->run_terms = tiles ? 16 : boxes[i].each;
        program.levels = (uint8_t)(tiles ? 5 : policy->run_terms < 16 ? 1 : 2 + i % 4);
        policy->runs_per_item = (uint16_t)(i % 2 + 1);
        policy->tile_parts = tiles && !chain && i % 2 == 0;
        policy->chain_lines = (uint16_t)(chain ? 1 << i % 4 : 0);
        policy->chain_spans = (uint16_t)(chain ? 8 >> i % 4 : 0);
        policy->only_phase = policy->tile_parts ? phases[i / 2 % 3] : 0;
        policy->tile_totals = policy->only_phase != 0 && i % 4 == 0;
        all_specs_each_size(it, program);
    }
}

void all_specs_each_of_scan_staged(const all_specs_visitor *it, tally_spec program) {
    program.policy.scan_staged.carry = TALLY_CARRY_WALK;
    each_box(it, program);
    program.policy.scan_staged.carry = TALLY_CARRY_TWO_PASSES;
    each_box(it, program);
    program.policy.scan_staged.carry = TALLY_CARRY_LOOK_BACK;
    each_box(it, program);
}

/* Few lines with many terms at once, many with one, and some between. */
void all_specs_each_of_scan_transpose(const all_specs_visitor *it, tally_spec program) {
    static const struct {
        uint16_t lines, terms, bytes;
    } ways[] = {{16, 1, 33792}, {1, 16, 8192}, {4, 2, 45056}};
    tally_scan_transpose_policy *policy = &program.policy.scan_transpose;
    const int all = sizeof ways / sizeof ways[0];
    for (int i = 0; i < (it->thin ? 2 : all); i++) {
        policy->lines_per_item = ways[i].lines;
        policy->terms_at_once = ways[i].terms;
        policy->box_bytes = ways[i].bytes;
        for (program.levels = 1; program.levels <= most_levels(&program); program.levels++)
            all_specs_each_size(it, program);
    }
}

/* Terms in the scratch, of the type that they are computed in. */
static void each_of_strips(const all_specs_visitor *it, tally_spec program) {
    tally_scan_columns_policy *policy = &program.policy.scan_columns;
    const bool exact = tally_spec_is_exact(&program);
    policy->carry = TALLY_CARRY_TWO_PASSES;
    program.levels = most_levels(&program);
    policy->pack = !exact                                         ? least_pack(&program)
                   : number_bytes((tally_dtype)program.input) < 4 ? 8
                                                                  : 16;
    program.word = number_bytes((tally_dtype)program.input) == 8 ? 8 : 4;
    for (policy->results = 0; policy->results <= 1; policy->results++)
        all_specs_each_size(it, program);
    policy->results = TALLY_SIDE_BY_SIDE;
    policy->pack = 8;
    if (!exact && least_pack(&program) < 8)
        all_specs_each_size(it, program);
    policy->pack = least_pack(&program);
    policy->results = TALLY_RESULTS_STAGED;
    all_specs_each_size(it, program);
    policy->results = TALLY_SIDE_BY_SIDE;
    for (policy->tile_parts = 0; policy->tile_parts <= 1; policy->tile_parts++) {
        policy->spans_at_once = policy->tile_parts > 0 ? 2 : 4;
        policy->pack = policy->tile_parts > 0 ? (uint16_t)number_bytes((tally_dtype)program.input)
                                              : least_pack(&program);
        all_specs_each_size(it, program);
    }
}

void all_specs_each_of_scan_columns(const all_specs_visitor *it, tally_spec program) {
    each_of_walked_columns(it, program);
    each_of_strips(it, program);
}

/* Columns that lie as one row, of up to 32 bytes, and the largest groups for them. */
static void each_of_scan_units(const all_specs_visitor *it, tally_spec program) {
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
        all_specs_each_size(it, program);
    }
}

/* The same for groups so large, with a run for each work-item. */
static void each_of_recomputed(const all_specs_visitor *it, tally_spec program) {
    tally_scan_rows_policy *policy = &program.policy.scan_rows;
    const size_t bytes = number_bytes((tally_dtype)program.input);
    const uint16_t most = it->thin ? 2 : 31;
    policy->carry = TALLY_CARRY_RECOMPUTE;
    policy->runs_per_item = 1;
    program.levels = 4;
    for (policy->merged = 1; policy->merged <= most && policy->merged * bytes < 16;
         policy->merged++)
        all_specs_each_size(it, program);
}

/* Walked, by words of both sizes, and recomputed. */
void all_specs_each_of_scan_rows(const all_specs_visitor *it, tally_spec program) {
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
void all_specs_each_of_scan_cpu_line(const all_specs_visitor *it, tally_spec program) {
    tally_scan_cpu_line_policy *policy = &program.policy.scan_cpu_line;
    const unsigned width = number_bytes((tally_dtype)program.input) == 8 ? 4 : 8;
    for (unsigned merged = 0; merged <= width; merged = merged == 0 ? 1 : merged * 2) {
        policy->strided = merged == 0;
        policy->merged = (uint16_t)(merged == 0 ? 1 : merged);
        for (unsigned pieces = 0; pieces < 2; pieces++) {
            program.word = (uint8_t)(pieces * (32 / width));
            policy->carry = pieces ? TALLY_CARRY_TWO_PASSES : TALLY_CARRY_WALK;
            if (!it->thin || merged < 2 || merged == width / 2)
                all_specs_each_size(it, program);
        }
    }
}

/* Whole units and pieces. */
void all_specs_each_of_scan_cpu_pieces(const all_specs_visitor *it, tally_spec program) {
    program.policy.scan_cpu_pieces.carry = TALLY_CARRY_WALK;
    all_specs_each_size(it, program);
    program.policy.scan_cpu_pieces.carry = TALLY_CARRY_TWO_PASSES;
    program.word = number_bytes((tally_dtype)program.input) == 8 ? 8 : 4;
    all_specs_each_size(it, program);
}

/* Agents of scans whose parts go on from a carry or hand on states: one way of each, of both. */
void all_specs_each_of_parts(const all_specs_visitor *it, tally_spec program) {
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
