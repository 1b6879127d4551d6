/*
 * test_wide_schedules.c: the kernels of GPUs that move 16 bytes for each work-item, on columns and
 * outputs around all that they tell apart: few columns and many, short ones, blocks that groups
 * share, packs of outputs, states. Every problem is wide_case.h's. Rows: test_wide_rows.c.
 */
#include <check.h>

#include "support/descriptions/legal.h"
#include "support/descriptions/shape.h"
#include "support/fixtures/fixture.h"
#include "support/numbers/number.h"
#include "support/share.h"
#include "cases/wide_case.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Few columns: rows that share a pack, strips of one pack and of several, every way to deal lanes.
 */
START_TEST(few_columns_have_the_bits_of_the_order) {
    static const legal_pair pairs[] = {{TALLY_SUM, TALLY_F32},
                                       {TALLY_SUM, TALLY_F16},
                                       {TALLY_MAX, TALLY_I8},
                                       {TALLY_LOG_SUM_EXP, TALLY_F32},
                                       {TALLY_ARGMIN, TALLY_U8}};
    static const uint64_t terms[] = {2, 7, 16, 17, 128, 129, 4095, 4096, 4097, 9000};
    const legal_pair pair = pairs[_i];
    uint64_t index = 0;
    for (uint64_t columns = 2; columns <= 17; columns++) {
        for (size_t k = 0; k < COUNT(terms); k++, index++) {
            /* The dearest program to compile, on half of them. */
            if (pair.function == TALLY_LOG_SUM_EXP && index % 2 != 0)
                continue;
            if (!share_has(columns + k + (uint64_t)_i, 9))
                continue;
            tally_reduce desc =
                shape_reduce(pair.function, pair.dtype, SHAPE(3, terms[k], columns), 2);
            desc.tie = index % 2 == 0 ? TALLY_TIE_FIRST : TALLY_TIE_LAST;
            const uint64_t bytes = columns * number_bytes(pair.dtype);
            const uint64_t most = pair.function == TALLY_LOG_SUM_EXP ? 32 : 64;
            const bool tiled = terms[k] <= 128 && bytes % 16 == 0 && bytes <= most;
            wide_case_check(desc, index,
                            tiled ? ": tally_fold_short_rows"
                                  : "1: tally_fold_"); /* columns or outputs */
        }
    }
}
END_TEST

/*
 * Wide ones: several strips, of which the last is cut, and a group's worth of short blocks; rows
 * that are whole packs apart, or made so, in views that begin at a pack and inside of one.
 */
START_TEST(wide_columns_have_the_bits_of_the_order) {
    static const uint64_t columns[] = {31, 64, 100, 129, 260, 528, 1000, 560};
    static const uint64_t terms[] = {2, 9, 16, 17, 33, 129, 4097};
    static const legal_pair pairs[] = {{TALLY_SUM, TALLY_F32},
                                       {TALLY_ARGMAX, TALLY_F16},
                                       {TALLY_SUM, TALLY_F16},
                                       {TALLY_MAX, TALLY_U8}};
    const legal_pair pair = pairs[_i];
    uint64_t index = 0;
    for (size_t i = 0; i < COUNT(columns) * COUNT(terms); i++, index++) {
        const uint64_t wide = columns[i % COUNT(columns)];
        if (!share_has(i + (uint64_t)_i, 5))
            continue;
        tally_reduce desc =
            shape_reduce(pair.function, pair.dtype, SHAPE(2, terms[i / COUNT(columns)], wide), 2);
        if (i / COUNT(columns) % 2 == 0)
            shape_space_rows(&desc.input, (16 - wide % 16) % 16);
        wide_case_check(desc, index, "1: tally_fold_"); /* columns or outputs */
    }
}
END_TEST

/* Short columns of one pack and of two, in units that are full. */
START_TEST(short_columns_have_the_bits_of_the_order) {
    static const legal_pair pairs[] = {{TALLY_SUM, TALLY_F32},
                                       {TALLY_LOG_SUM_EXP, TALLY_F64},
                                       {TALLY_MAX, TALLY_F16},
                                       {TALLY_ARGMAX, TALLY_I8}};
    const legal_pair pair = pairs[_i];
    if (!fixture_has(pair.dtype))
        return;
    for (uint64_t terms = 2; terms <= 128; terms++) {
        const uint64_t columns = (terms / 2 % 2 + 1) * 16 / number_bytes(pair.dtype);
        const uint64_t rows = 2 * 16384 / (terms * columns * number_bytes(pair.dtype)) + 1;
        const tally_reduce desc =
            shape_reduce(pair.function, pair.dtype, SHAPE(rows, terms, columns), 2);
        wide_case_check(desc, terms, "1: tally_fold_short_rows");
    }
}
END_TEST

/* Several groups of axes, and one of several, of outputs that lie in packs; axes are bits. */
START_TEST(packs_of_outputs_of_several_groups_have_the_bits_of_the_order) {
    static const legal_pair pairs[] = {{TALLY_AVERAGE, TALLY_F16},
                                       {TALLY_MAX, TALLY_U8},
                                       {TALLY_ARGMIN, TALLY_I16},
                                       {TALLY_SUM, TALLY_F32}};
    const struct {
        shape sizes;
        uint32_t axes;
    } cases[] = {
        {SHAPE(4, 3, 5, 2, 17), 21}, {SHAPE(8, 3, 5, 2, 16), 21}, {SHAPE(64, 3, 5, 2, 2), 21},
        {SHAPE(12, 9, 4, 7), 10},    {SHAPE(16, 33, 5), 2},
    };
    const legal_pair pair = pairs[_i];
    for (size_t k = 0; k < COUNT(cases); k++) {
        tally_reduce desc = shape_reduce(pair.function, pair.dtype, cases[k].sizes, cases[k].axes);
        shape_transpose(&desc.input);
        wide_case_check(desc, k,
                        "1: tally_fold_"); /* the planner's choice; packs where outputs are many */
    }
}
END_TEST

/*
 * Few columns of long terms, planned for a device of many compute units: groups share blocks, which
 * the groups that end last combine.
 */
START_TEST(blocks_that_groups_share_have_the_bits_of_the_order) {
    static const wide_case cases[] = {{{TALLY_SUM, TALLY_F32}, {2, {9000, 14}}, 1},
                                      {{TALLY_AVERAGE, TALLY_F16}, {2, {9000, 61}}, 1},
                                      {{TALLY_LOG_SUM_EXP, TALLY_F32}, {2, {8200, 9}}, 1},
                                      {{TALLY_ARGMAX, TALLY_I16}, {2, {13000, 29}}, 1}};
    wide_case_check_of_units(128, &cases[_i], "_closing");
}
END_TEST

/*
 * The states that a group of axes leaves, folded by outputs in a second launch; planned for a
 * device of few compute units, as with more of them the groups that end last would fold these
 * states.
 */
START_TEST(outputs_of_states_have_the_bits_of_the_order) {
    static const wide_case cases[] = {{{TALLY_SUM, TALLY_F32}, {3, {20, 600, 20}}, 5},
                                      {{TALLY_LOG_SUM_EXP, TALLY_F32}, {3, {9, 300, 129}}, 5},
                                      {{TALLY_AVERAGE, TALLY_F16}, {4, {20, 9, 300, 64}}, 5},
                                      {{TALLY_ARGMAX, TALLY_I16}, {4, {20, 9, 300, 64}}, 5}};
    wide_case_check_of_units(2, &cases[_i], "2: tally_fold_outputs_");
}
END_TEST

/*
 * Outputs of few terms, of one axis and of two: work-items have several outputs each, and the last
 * strip of a row shares some with the one before it. Planned for a device of one compute
 * unit, which they fill.
 */
START_TEST(outputs_that_are_spread_have_the_bits_of_the_order) {
    static const wide_case cases[] = {{{TALLY_SUM, TALLY_F32}, {3, {5, 6, 5003}}, 2},
                                      {{TALLY_AVERAGE, TALLY_F16}, {3, {2, 3, 9001}}, 2},
                                      {{TALLY_MAX, TALLY_F16}, {3, {3, 7, 4999}}, 2},
                                      {{TALLY_ARGMIN, TALLY_F64}, {3, {4, 5, 3333}}, 2},
                                      {{TALLY_ARGMAX, TALLY_I8}, {3, {5, 4, 4097}}, 2},
                                      {{TALLY_MULTIPLY, TALLY_I64}, {3, {4, 8, 2051}}, 2},
                                      {{TALLY_SUM, TALLY_F32}, {4, {3, 2, 2, 5001}}, 5},
                                      {{TALLY_ARGMAX, TALLY_I32}, {4, {2, 2, 3, 5003}}, 5}};
    wide_case_check_of_units(1, &cases[_i], "_spread");
}
END_TEST

/* Short rows, of an output's terms or of some columns, with a gap behind each that is read too. */
START_TEST(short_rows_with_gaps_have_the_bits_of_the_order) {
    static const struct {
        legal_pair pair;
        shape sizes;
        uint64_t stride; /* from row to row */
    } cases[] = {{{TALLY_SUM, TALLY_F32}, {2, {1500, 7}}, 8},
                 {{TALLY_MAX, TALLY_U8}, {2, {2000, 16}}, 20},
                 {{TALLY_L2, TALLY_F16}, {2, {700, 32}}, 40},
                 {{TALLY_ARGMIN, TALLY_F64}, {2, {900, 61}}, 63},
                 {{TALLY_SUM, TALLY_F32}, {3, {999, 12, 3}}, 40},
                 {{TALLY_AVERAGE, TALLY_F32}, {3, {500, 16, 4}}, 68},
                 {{TALLY_ARGMAX, TALLY_I16}, {3, {600, 60, 2}}, 121}};
    tally_reduce desc =
        shape_reduce(cases[_i].pair.function, cases[_i].pair.dtype, cases[_i].sizes, 2);
    desc.input.flags |= TALLY_STRIDED;
    desc.input.stride[0] = cases[_i].stride;
    desc.input.stride[1] = cases[_i].sizes.rank == 3 ? cases[_i].sizes.size[2] : 1;
    desc.input.stride[2] = 1;
    for (uint64_t index = 0; index < 5; index++)
        wide_case_check(desc, index, "_fold_short_rows_");
}
END_TEST

/*
 * Rows of which few are in local memory together: work-items share them. Rows of packs and of
 * elements, of a few terms less than there is room for, and a last unit of fewer rows.
 */
START_TEST(short_rows_that_are_shared_have_the_bits_of_the_order) {
    static const wide_case cases[] = {{{TALLY_SUM, TALLY_F32}, {2, {500, 128}}, 2},
                                      {{TALLY_SUM, TALLY_F32}, {2, {301, 97}}, 2},
                                      {{TALLY_LOG_SUM_EXP, TALLY_F32}, {2, {200, 104}}, 2},
                                      {{TALLY_AVERAGE, TALLY_F64}, {2, {123, 91}}, 2},
                                      {{TALLY_MAX, TALLY_F64}, {2, {100, 128}}, 2},
                                      {{TALLY_ARGMIN, TALLY_F64}, {2, {77, 126}}, 2},
                                      {{TALLY_ARGMAX, TALLY_I32}, {2, {300, 127}}, 2},
                                      {{TALLY_MULTIPLY, TALLY_U64}, {2, {90, 65}}, 2}};
    wide_case_check_of_units(128, &cases[_i], "_sharers");
}
END_TEST

Suite *suite_wide_schedules(void);

Suite *suite_wide_schedules(void) {
    Suite *suite = suite_create("wide_schedules");
    TCase *tests = tcase_create("wide_schedules");
    tcase_set_timeout(tests, 0);
    tcase_add_unchecked_fixture(tests, wide_case_open, wide_case_close);
    tcase_add_loop_test(tests, few_columns_have_the_bits_of_the_order, 0, 5);
    tcase_add_loop_test(tests, wide_columns_have_the_bits_of_the_order, 0, 4);
    share_add_loop(tests, short_columns_have_the_bits_of_the_order, 4, 2);
    tcase_add_loop_test(tests, packs_of_outputs_of_several_groups_have_the_bits_of_the_order, 0, 4);
    tcase_add_loop_test(tests, blocks_that_groups_share_have_the_bits_of_the_order, 0, 4);
    tcase_add_loop_test(tests, outputs_of_states_have_the_bits_of_the_order, 0, 4);
    tcase_add_loop_test(tests, short_rows_with_gaps_have_the_bits_of_the_order, 0, 7);
    tcase_add_loop_test(tests, outputs_that_are_spread_have_the_bits_of_the_order, 0, 8);
    tcase_add_loop_test(tests, short_rows_that_are_shared_have_the_bits_of_the_order, 0, 8);
    suite_add_tcase(suite, tests);
    return suite;
}
