/*
 * test_wide_rows.c: the kernels of GPUs that move 16 bytes for each work-item, on rows around all
 * that they tell apart: rows of every short length, rows that have no lane run, blocks that are
 * cut, rows of several blocks. Every problem is wide_case.h's.
 */
#include <check.h>

#include "support/descriptions/legal.h"
#include "support/descriptions/shape.h"
#include "support/fixtures/fixture.h"
#include "support/numbers/number.h"
#include "support/share.h"
#include "cases/wide_case.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Rows of every short length, two units of them and some. */
START_TEST(short_rows_have_the_bits_of_the_order) {
    static const legal_pair pairs[] = {{TALLY_SUM, TALLY_F32},
                                       {TALLY_LOG_SUM_EXP, TALLY_F16},
                                       {TALLY_ARGMAX, TALLY_I8},
                                       {TALLY_MULTIPLY, TALLY_F64}};
    const legal_pair pair = pairs[_i];
    if (!fixture_has(pair.dtype))
        return; /* nothing is promised of a type that the device does not have */
    for (uint64_t terms = 2; terms <= 130; terms++) {
        const uint64_t rows = 2 * 16384 / (terms * number_bytes(pair.dtype)) + 3;
        const tally_reduce desc = shape_reduce(pair.function, pair.dtype, SHAPE(rows, terms), 2);
        wide_case_check(desc, terms,
                        terms <= 128 ? "1: tally_fold_short_rows" : "1: tally_fold_rows");
    }
}
END_TEST

/* All lengths whose images have room between rows: of 16 and of 32 bytes. */
START_TEST(short_rows_with_room_between_them_are_full_to_the_last_pack) {
    for (uint64_t terms = 4; terms <= 128; terms += 4) {
        for (uint64_t columns = 4; columns <= 8; columns += 4) {
            const uint64_t rows = 16384 / (terms * columns * 4);
            const tally_reduce desc =
                shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(rows, terms, columns), 2);
            wide_case_check(desc, 0, "1: tally_fold_short_rows");
        }
    }
}
END_TEST

/* Blocks of rows that work-items take several of, fewer than a group has room for and more. */
START_TEST(rows_have_the_bits_of_the_order) {
    static const legal_pair pairs[] = {
        {TALLY_SUM, TALLY_F32}, {TALLY_ARGMIN, TALLY_U8}, {TALLY_LOG_SUM_EXP, TALLY_F32}};
    static const uint64_t terms[] = {129, 255, 256, 257, 511, 512, 513, 1024, 4095, 4096};
    const legal_pair pair = pairs[_i];
    for (size_t k = 0; k < COUNT(terms); k++) {
        const uint64_t many = terms[k] < 600 ? 300 : 19;
        const tally_reduce few = shape_reduce(pair.function, pair.dtype, SHAPE(5, terms[k]), 2);
        tally_reduce more = shape_reduce(pair.function, pair.dtype, SHAPE(many, terms[k]), 2);
        if (k % 2 != 0) { /* rows that begin at any position of a pack */
            more.input.flags |= TALLY_STRIDED;
            more.input.stride[0] = terms[k] + 1;
            more.input.stride[1] = 1;
        }
        wide_case_check(few, k, "1: tally_fold_rows");
        wide_case_check(more, k + 1, "1: tally_fold_rows");
    }
}
END_TEST

/*
 * Rows that have no lane run, of all numbers of stripes, some elements less and more: 300 of them,
 * whose starts and ends are at every position of a pack, and which are by a kernel that knows how
 * many stripes there are.
 */
START_TEST(rows_without_a_lane_run_have_the_bits_of_the_order) {
    static const legal_pair pairs[] = {
        {TALLY_SUM, TALLY_F16},         {TALLY_L2, TALLY_F32},
        {TALLY_AVERAGE, TALLY_F64},     {TALLY_MAX, TALLY_U8},
        {TALLY_MIN, TALLY_F16},         {TALLY_ARGMAX, TALLY_U8},
        {TALLY_ARGMIN, TALLY_F16},      {TALLY_ARGMAX, TALLY_F64},
        {TALLY_SUM, TALLY_I32},         {TALLY_LOG_SUM_EXP, TALLY_F16},
        {TALLY_LOG_SUM_EXP, TALLY_F32}, {TALLY_LOG_SUM_EXP, TALLY_F64}};
    static const uint64_t terms[] = {128, 129, 131, 143, 150, 211, 226,  254,  255,
                                     256, 257, 263, 271, 272, 333, 384,  385,  511,
                                     512, 513, 527, 700, 769, 895, 1009, 1022, 1023};
    const legal_pair pair = pairs[_i];
    if (!fixture_has(pair.dtype))
        return;
    for (size_t k = 0; k < COUNT(terms); k++) {
        tally_reduce desc = shape_reduce(pair.function, pair.dtype, SHAPE(300, terms[k]), 2);
        desc.tie = k % 2 == 0 ? TALLY_TIE_FIRST : TALLY_TIE_LAST;
        desc.input.flags |= TALLY_STRIDED;
        desc.input.stride[0] = (terms[k] == 128 ? 2 : 1) * terms[k] + 1 + (terms[k] % 2);
        desc.input.stride[1] = 1;
        wide_case_check(desc, k,
                        terms[k] == 128   ? "_stripes1_"
                        : terms[k] <= 256 ? "_stripes2_"
                        : terms[k] <= 512 ? "_stripes4_"
                                          : "_stripes8_");
    }
}
END_TEST

/*
 * Rows of several blocks by one group, up to those that it has at a time, of some types by more
 * lanes of each work-item; and by closing groups beyond.
 */
START_TEST(whole_rows_have_the_bits_of_the_order) {
    static const struct {
        legal_pair pair;
        uint64_t whole; /* terms of the longest of these rows that one group folds */
    } cases[] = {{{TALLY_SUM, TALLY_F32}, 65536},     {{TALLY_LOG_SUM_EXP, TALLY_F32}, 65536},
                 {{TALLY_ARGMAX, TALLY_I8}, 65536},   {{TALLY_L2, TALLY_F64}, 32768},
                 {{TALLY_AVERAGE, TALLY_F16}, 65536}, {{TALLY_MIN, TALLY_F32}, 16384}};
    static const uint64_t terms[] = {4097,  4100,  8191,  8192,  8193,  16384, 16385,
                                     20001, 32768, 32769, 40001, 65535, 65536, 65537};
    const legal_pair pair = cases[_i].pair;
    if (!fixture_has(pair.dtype))
        return;
    for (size_t k = 0; k < COUNT(terms); k++) {
        tally_reduce desc = shape_reduce(pair.function, pair.dtype, SHAPE(1 + k % 3, terms[k]), 2);
        desc.tie = k % 2 == 0 ? TALLY_TIE_LAST : TALLY_TIE_FIRST;
        wide_case_check(desc, k, terms[k] <= cases[_i].whole ? "_wholerows1_" : "_closing,");
    }
}
END_TEST

/*
 * Long rows of narrow elements, many for a device of one compute unit: two dwords at a time, of one
 * row and of several, which begin at any position of these.
 */
START_TEST(many_long_rows_have_the_bits_of_the_order) {
    static const wide_case cases[] = {{{TALLY_ARGMAX, TALLY_I8}, {2, {1, 4200001}}, 2},
                                      {{TALLY_MAX, TALLY_U8}, {2, {64, 65539}}, 2},
                                      {{TALLY_MIN, TALLY_F16}, {2, {40, 65537}}, 2},
                                      {{TALLY_ARGMIN, TALLY_I16}, {2, {32, 66001}}, 2}};
    wide_case_check_of_units(1, &cases[_i], "_p8_");
}
END_TEST

/* The same of states: what a group of axes leaves is the next one's terms; of an index all is one.
 */
START_TEST(whole_rows_of_states_have_the_bits_of_the_order) {
    static const legal_pair pairs[] = {
        {TALLY_SUM, TALLY_F32}, {TALLY_LOG_SUM_EXP, TALLY_F32}, {TALLY_ARGMIN, TALLY_I16}};
    static const uint64_t terms[] = {8193, 12297, 65536};
    const legal_pair pair = pairs[_i];
    for (size_t k = 0; k < COUNT(terms); k++) {
        tally_reduce desc = shape_reduce(pair.function, pair.dtype, SHAPE(terms[k], 2, 3), 5);
        desc.tie = k % 2 == 0 ? TALLY_TIE_LAST : TALLY_TIE_FIRST;
        wide_case_check(desc, k, pair.function == TALLY_ARGMIN ? "1: tally_fold_" : "_wholerows1_");
    }
}
END_TEST

Suite *suite_wide_rows(void);

Suite *suite_wide_rows(void) {
    Suite *suite = suite_create("wide_rows");
    TCase *tests = tcase_create("wide_rows");
    tcase_set_timeout(tests, 0);
    tcase_add_unchecked_fixture(tests, wide_case_open, wide_case_close);
    share_add_loop(tests, short_rows_have_the_bits_of_the_order, 4, 2);
    tcase_add_test(tests, short_rows_with_room_between_them_are_full_to_the_last_pack);
    tcase_add_loop_test(tests, rows_have_the_bits_of_the_order, 0, 3);
    tcase_add_loop_test(tests, whole_rows_have_the_bits_of_the_order, 0, 6);
    tcase_add_loop_test(tests, whole_rows_of_states_have_the_bits_of_the_order, 0, 3);
    tcase_add_loop_test(tests, many_long_rows_have_the_bits_of_the_order, 0, 4);
    suite_add_tcase(suite, tests);
    tests = tcase_create("stripes");
    tcase_set_timeout(tests, 0);
    tcase_add_unchecked_fixture(tests, wide_case_open, wide_case_close);
    share_add_loop(tests, rows_without_a_lane_run_have_the_bits_of_the_order, 12, 2);
    suite_add_tcase(suite, tests);
    return suite;
}
