/*
 * all_specs_fold.c: how groups share the work of folds: the fields of their policies, each with the
 * values that the fields before allow.
 */
#include "all_specs_inside.h"
#include "cl/core/order.h"
#include "support/descriptions/legal.h"
#include "support/numbers/number.h"

/*
 * A pack of a row of one block, else a dword, or of narrow types two; of LOG_SUM_EXP packs, but of
 * narrow types dwords.
 */
static void load_rows(tally_spec *program, bool one_block, bool two) {
    const size_t bytes = number_bytes((tally_dtype)program->input);
    const bool shifted = program->function == TALLY_LOG_SUM_EXP;
    tally_fold_rows_policy *policy = &program->policy.fold_rows;
    policy->pack = (uint16_t)(bytes > 4 ? bytes : two ? 8 : 4);
    if (shifted ? bytes >= 4 : one_block)
        policy->pack = 16;
    policy->lanes_per_item = (uint16_t)(policy->pack / bytes);
    policy->runs_at_once = (uint16_t)(one_block || shifted ? 1 : 16 / policy->pack);
}

/* Rows of one block that have lane runs, and those of all numbers of stripes that have none. */
static void each_of_stripes(const all_specs_visitor *it, tally_spec program) {
    tally_fold_rows_policy *policy = &program.policy.fold_rows;
    all_specs_each_size(it, program);
    for (policy->stripes = 1; policy->one_block && policy->stripes <= 8; policy->stripes *= 2)
        if (!it->thin || policy->stripes == 2)
            all_specs_each_size(it, program);
}

/* Of elements what they load, of states four. */
static void each_of_whole_rows(const all_specs_visitor *it, tally_spec program) {
    tally_fold_rows_policy *policy = &program.policy.fold_rows;
    policy->whole_rows = 1;
    load_rows(&program, false, false);
    all_specs_each_size(it, program);
    if (policy->lanes_per_item == 4 || it->thin)
        return;
    policy->lanes_per_item = 4;
    all_specs_each_size(it, program);
}

void all_specs_each_of_fold_rows(const all_specs_visitor *it, tally_spec program) {
    tally_fold_rows_policy *policy = &program.policy.fold_rows;
    each_of_whole_rows(it, program);
    for (policy->one_block = 0; policy->one_block <= 1; policy->one_block++) {
        load_rows(&program, policy->one_block, false);
        for (policy->blocks_per_item = 1; policy->blocks_per_item <= (it->thin ? 1 : 4);
             policy->blocks_per_item *= 2)
            each_of_stripes(it, program);
    }
    if (number_bytes((tally_dtype)program.input) >= 4 || !tally_spec_is_exact(&program))
        return;
    policy->one_block = 0;
    policy->blocks_per_item = 1;
    load_rows(&program, false, true);
    all_specs_each_size(it, program);
}

/*
 * As many lanes as a work-item alone may have, or as one that shares a block has, which all have
 * where combining is exact.
 */
static void each_lanes_of_columns(const all_specs_visitor *it, tally_spec program) {
    tally_fold_columns_policy *policy = &program.policy.fold_columns;
    const bool exact = tally_spec_is_exact(&program);
    for (policy->whole_block = 0; policy->whole_block < (exact ? 1 : 2); policy->whole_block++)
        for (policy->lanes_per_item = 1; policy->lanes_per_item <= (exact ? 1 : 16);
             policy->lanes_per_item = (uint16_t)(policy->lanes_per_item * 2))
            if (exact || (policy->whole_block ? !it->thin || policy->lanes_per_item == 4
                                              : policy->lanes_per_item == 8 ||
                                                    (policy->lanes_per_item == 4 && !it->thin)))
                all_specs_each_size(it, program);
}

void all_specs_each_of_fold_columns(const all_specs_visitor *it, tally_spec program) {
    program.policy.fold_columns.pack = number_bytes((tally_dtype)program.input) == 2 ? 8 : 16;
    each_lanes_of_columns(it, program);
}

/* Room for a period of as many packs as a group has work-items, or for more or less. */
void all_specs_each_of_fold_sets(const all_specs_visitor *it, tally_spec program) {
    tally_fold_sets_policy *policy = &program.policy.fold_sets;
    const size_t bytes = number_bytes((tally_dtype)program.input);
    if (program.function == TALLY_LOG_SUM_EXP)
        return;
    policy->pack = bytes < 4 ? 8 : 16;
    for (policy->lanes_per_item = 4; policy->lanes_per_item > 0; policy->lanes_per_item /= 2)
        for (policy->states = 256; policy->states <= 2048; policy->states *= 2)
            if (!it->thin || policy->lanes_per_item * policy->states == 4096)
                all_specs_each_size(it, program);
}

/*
 * An output each or a pack of them, lanes or none, shared or not, with a table or without, of
 * several terms or of one.
 */
void all_specs_each_of_fold_outputs(const all_specs_visitor *it, tally_spec program) {
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
                    all_specs_each_size(it, program);
                    policy->indices =
                        policy->table > 0 && legal_is_index((tally_function)program.function);
                    if (policy->indices)
                        all_specs_each_size(it, program);
                    policy->indices = 0;
                }
    }
    policy->depth = exact ? 4 : 0;
    policy->pack = 16;
    policy->lanes_at_once = 1;
    policy->visits = exact ? 0 : 2;
    policy->whole_outputs = 1;
    policy->table = 0;
    all_specs_each_size(it, program);
    policy->pack = (uint16_t)bytes;
    policy->crossed = 16;
    all_specs_each_size(it, program);
    policy->crossed = 0;
    for (policy->spread = 2; program.first && policy->spread <= (bytes < 8 ? 4 : 2);
         policy->spread *= 2)
        for (policy->table = 0; policy->table <= 64;
             policy->table = (uint16_t)(policy->table + 64)) {
            policy->depth = policy->table > 0 || policy->spread > 2 ? 0 : exact ? 8 : 1;
            policy->lanes_at_once = policy->depth == 8 ? 1 : 4;
            policy->visits = exact ? 0 : policy->spread > 2 ? 1 : 2;
            policy->indices = policy->table > 0 && legal_is_index((tally_function)program.function);
            all_specs_each_size(it, program);
        }
    policy->spread = 4; /* of narrow elements, of many terms */
    policy->table = policy->indices = 0;
    policy->depth = exact ? 8 : 1;
    policy->lanes_at_once = exact ? 1 : 4;
    policy->visits = exact ? 0 : 32;
    if (program.first && bytes < 4)
        all_specs_each_size(it, program);
}

/* Groups of fold_any, each alone or with a few outputs, along lines, or of staged blocks. */
static void each_team_of_any(const all_specs_visitor *it, tally_spec program) {
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
    const uint16_t bytes = (uint16_t)number_bytes((tally_dtype)program.input);
    for (policy->lines_at_once = it->thin ? 16 : 4; policy->lines_at_once <= 32 && !indexed;
         policy->lines_at_once *= 2)
        for (policy->pack = bytes;
             policy->pack <= 16 && policy->pack <= bytes * policy->lines_at_once;
             policy->pack *= 2) {
            program.group = policy->pack == bytes       ? 256
                            : policy->lines_at_once > 8 ? policy->lines_at_once * 8
                                                        : 64;
            it->visit(&program, it->user);
        }
    policy->lines_at_once = 0;
    policy->pack = bytes;
    program.group = TALLY_LANES;
    for (policy->lines_beside = 2; policy->lines_beside <= (it->thin ? 2 : 32);
         policy->lines_beside *= 4)
        it->visit(&program, it->user);
    program.group = 256;
    policy->lines_beside = 16;
    for (policy->blocks_at_once = 2; policy->blocks_at_once * bytes <= (it->thin ? 4 : 8);
         policy->blocks_at_once *= 2)
        it->visit(&program, it->user);
}

/* Terms in the order of their indices, or in another one. */
void all_specs_each_of_fold_any(const all_specs_visitor *it, tally_spec program) {
    const uint16_t most = legal_is_index((tally_function)program.function) ? 1 : 0;
    for (uint16_t indices = 0; indices <= most; indices++) {
        program.policy.fold_any.indices = indices;
        program.policy.fold_any.pack = (uint16_t)number_bytes((tally_dtype)program.input);
        all_specs_each_size(it, program);
        each_team_of_any(it, program);
    }
}

/* Short rows of whole packs, and those of rows that are taken element by element. */
void all_specs_each_of_fold_short_rows(const all_specs_visitor *it, tally_spec program) {
    tally_fold_short_rows_policy *policy = &program.policy.fold_short_rows;
    static const uint16_t stacks[] = {16, 128, 64};
    for (int i = 0; i < (it->thin ? 1 : 3); i++) {
        policy->terms_room = stacks[i];
        policy->leaf_elements = (uint16_t)(16 / number_bytes((tally_dtype)program.input));
        for (policy->of_columns = 0; policy->of_columns <= 1; policy->of_columns++)
            all_specs_each_size(it, program);
        policy->of_columns = 0;
        for (policy->sharers = 2; policy->sharers <= (policy->terms_room > 16 ? 4 : 0);
             policy->sharers *= 2)
            all_specs_each_size(it, program);
        policy->leaf_elements = 1;
        for (policy->sharers = 0; policy->sharers <= 2; policy->sharers += 2)
            all_specs_each_size(it, program);
        policy->sharers = 0;
    }
}

/* Lines of functions whose terms are combined one by one, as many as vectors hold. */
void all_specs_each_of_fold_cpu_lines(const all_specs_visitor *it, tally_spec program) {
    const uint16_t width = number_bytes((tally_dtype)program.input) == 8 ? 4 : 8;
    if (tally_spec_is_exact(&program) || program.function == TALLY_LOG_SUM_EXP)
        return;
    for (uint16_t lines = width; lines <= (it->thin ? width : 64); lines = (uint16_t)(lines * 2)) {
        program.policy.fold_cpu_lines.lines_at_once = lines;
        all_specs_each_size(it, program);
    }
}
