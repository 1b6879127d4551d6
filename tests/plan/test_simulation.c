/*
 * Plans, run: for random problems and for sizes around every edge, on several invented devices, a
 * simulated plan writes each output once with the right value, and the same bits everywhere.
 */
#include <stdlib.h>

#include <check.h>

#include "support/descriptions/legal.h"
#include "support/descriptions/random_desc.h"
#include "support/descriptions/shape.h"
#include "support/share.h"
#include "support/simulation/case.h"

/* ---- Random problems ----------------------------------------------------------------------- */

#define FOLDS 2400
#define SCANS 1200
#define FILLS 1500

START_TEST(random_folds_are_right) {
    const random_kind kind = {2500, 5, true};
    uint64_t state = 61 + (uint64_t)_i;
    for (uint32_t i = 0; i < FOLDS / 2; i++) {
        tally_reduce desc;
        random_reduce(&kind, &state, &desc);
        const sim_case it = sim_case_reduce(
            &desc, sim_case_values(desc.function, values_random(&state)), values_random(&state));
        sim_case_check(&it, i % sim_devices(), 3);
    }
}
END_TEST

START_TEST(random_scans_are_right) {
    const random_kind kind = {2500, 5, true};
    uint64_t state = 63 + (uint64_t)_i;
    for (uint32_t i = 0; i < SCANS / 2; i++) {
        tally_cumulative desc;
        tally_problem problem;
        random_cumulative(&kind, &state, &desc);
        sim_case it = sim_case_cumulative(
            &desc, sim_case_values(desc.function, values_random(&state)), values_random(&state));
        ck_assert_int_eq(tally_problem_cumulative(&desc, &problem, NULL), TALLY_OK);
        it.in_place = problem.in_place && i % 2 == 0;
        sim_case_check(&it, i % sim_devices(), 3);
    }
}
END_TEST

START_TEST(random_fills_are_right) {
    const random_kind kind = {2000, 5, true};
    uint64_t state = 65;
    for (uint32_t i = 0; i < FILLS; i++) {
        tally_tensor input;
        tally_diagonal desc;
        tally_problem problem;
        random_diagonal(&kind, &state, &desc, &input);
        sim_case it = sim_case_diagonal(&desc, VALUES_BITS, values_random(&state));
        ck_assert_int_eq(tally_problem_diagonal(&desc, &problem, NULL), TALLY_OK);
        it.in_place = problem.in_place && i % 2 == 0;
        sim_case_check(&it, i % sim_devices(), 3);
    }
}
END_TEST

/* ---- Edges --------------------------------------------------------------------------------- */

static const uint64_t edges[] = {1,   2,   15,  16,   17,   127,  128,  129,
                                 255, 256, 257, 4095, 4096, 4097, 8192, 8193};
#define EDGES ((int)(sizeof edges / sizeof edges[0]))

/*
 * A row, a column among others, two groups whose blocks end alike; columns of which a pack holds
 * several rows, and of whole packs.
 */
START_TEST(folds_of_edge_sizes_are_right) {
    static const legal_pair pairs[] = {{TALLY_SUM, TALLY_I64},
                                       {TALLY_ARGMAX, TALLY_U8},
                                       {TALLY_LOG_SUM_EXP, TALLY_F32},
                                       {TALLY_MIN, TALLY_F16},
                                       {TALLY_AVERAGE, TALLY_F64}};
    const uint64_t n = edges[_i];
    const shape shapes[] = {SHAPE(n),       SHAPE(2, n),    SHAPE(n, 3),
                            SHAPE(3, n, 2), SHAPE(3, n, 2), SHAPE(5, n, 16)};
    const uint32_t axes[] = {1, 2, 1, 5, 2, 2};
    for (uint32_t i = 0; i < 6 * sizeof pairs / sizeof pairs[0]; i++) {
        const legal_pair pair = pairs[i / 6];
        const tally_reduce desc =
            shape_reduce(pair.function, pair.dtype, shapes[i % 6], axes[i % 6]);
        const sim_case it = sim_case_reduce(&desc, sim_case_values(desc.function, i / 3), n + i);
        sim_case_check(&it, i % 3, 3);
    }
}
END_TEST

START_TEST(scans_of_edge_sizes_are_right) {
    const uint64_t n = edges[_i];
    for (uint32_t i = 0; i < 8; i++) {
        const tally_function function = i % 2 == 0 ? TALLY_SUM : TALLY_MAX;
        tally_cumulative desc = shape_scan(function, i < 4 ? TALLY_I32 : TALLY_F32, SHAPE(n, 2), 0);
        desc.descending = i / 2 % 2 != 0;
        desc.exclusive = i % 3 == 0;
        sim_case it = sim_case_cumulative(&desc, sim_case_values(function, i), n + i);
        it.in_place = i % 4 == 1;
        sim_case_check(&it, i % 2, 2);
    }
}
END_TEST

/* Columns side by side, a strip of them and several; transposed, they become rows. */
START_TEST(scans_of_columns_are_right) {
    static const uint64_t columns[] = {8, 37, 130};
    const uint64_t n = edges[_i];
    for (uint32_t i = 0; i < 12; i++) {
        const tally_function function = i % 2 == 0 ? TALLY_SUM : TALLY_MIN;
        const tally_dtype type = i % 3 == 0 ? TALLY_F64 : i % 3 == 1 ? TALLY_F16 : TALLY_I32;
        const uint64_t width = columns[i / 2 % (n < 1000 ? 3 : 2)];
        tally_cumulative desc = shape_scan(function, type, SHAPE(2, n, width), 1);
        desc.descending = i / 3 % 2 != 0;
        desc.exclusive = i % 5 < 2;
        if (i >= 9) {
            desc = shape_scan(function, type, SHAPE(n, width), 1);
            shape_transpose(&desc.input);
        }
        sim_case it = sim_case_cumulative(&desc, sim_case_values(function, i), n + i);
        it.in_place = i < 9 && i % 4 == 1;
        if (!share_has(i / 3 + (uint64_t)_i, 4))
            continue;
        sim_case_check(&it, 0, 4);
        sim_case_check(&it, 2, 7);
    }
}
END_TEST

/* Rows of several tiles, whatever their functions; in place, where units are read before. */
START_TEST(scans_of_long_rows_are_right) {
    static const tally_dtype types[] = {TALLY_I64, TALLY_F16, TALLY_U8};
    for (uint32_t i = 0; i < 6; i++) {
        const tally_dtype type = types[i % 3];
        const tally_function function = type == TALLY_I64 ? TALLY_SUM : TALLY_MAX;
        const shape sizes = i < 3 ? SHAPE(2, 70000) : SHAPE(2, 24000, 3);
        tally_cumulative desc = shape_scan(function, type, sizes, 1);
        desc.descending = i % 2 != 0;
        desc.exclusive = i % 4 > 1;
        sim_case it = sim_case_cumulative(&desc, sim_case_values(function, i), i);
        it.in_place = (i + (uint32_t)_i) % 2 == 0;
        sim_case_check(&it, 0, 3);
        sim_case_check(&it, 2, 5);
        sim_case_check(&it, 8, 1);
    }
}
END_TEST

/* Rows in one launch, whose groups read again what is before them; and in place, in two. */
START_TEST(scans_that_read_again_are_right) {
    static const legal_pair pairs[] = {
        {TALLY_SUM, TALLY_F32}, {TALLY_MAX, TALLY_U8}, {TALLY_SUM, TALLY_F16}};
    for (uint32_t i = 0; i < 3; i++) {
        const shape sizes = i == 1 ? SHAPE(1, 8200, 3) : SHAPE(2, 8193 + 4000 * i);
        tally_cumulative desc = shape_scan(pairs[i].function, pairs[i].dtype, sizes, 1);
        desc.descending = i % 2 != 0;
        desc.exclusive = i > 1;
        sim_case it = sim_case_cumulative(&desc, sim_case_values(desc.function, i), i);
        it.in_place = _i != 0;
        sim_case_check(&it, 0, 3);
        sim_case_check(&it, 8, 1);
    }
}
END_TEST

/*
 * A row and columns so long that all cores of a CPU have pieces of them, which begin in the middle
 * of a stretch and behind one.
 */
START_TEST(scans_of_pieces_are_right) {
    static const shape shapes[] = {{3, {1, 132000, 1}}, {3, {1, 330001, 1}}, {3, {1, 70003, 2}}};
    for (uint32_t i = 0; i < 3; i++) {
        const bool sums = (i + (uint32_t)_i) % 2 == 0;
        const tally_function function = sums ? TALLY_SUM : TALLY_MAX;
        tally_cumulative desc =
            shape_scan(function, sums || i != 1 ? TALLY_I64 : TALLY_F32, shapes[i], 1);
        desc.descending = i % 2 == (uint32_t)_i;
        desc.exclusive = i == 0;
        sim_case it = sim_case_cumulative(&desc, sim_case_values(function, i), i);
        it.in_place = _i == 0;
        sim_case_check(&it, 1, 4);
    }
}
END_TEST

/* Work-items for themselves on a GPU: enough columns side by side for all of its units. */
START_TEST(wide_columns_are_right) {
    static const tally_function folds[] = {TALLY_SUM, TALLY_ARGMIN};
    static const tally_function scans[] = {TALLY_SUM, TALLY_MIN};
    static const tally_dtype types[] = {TALLY_I32, TALLY_F32};
    const tally_reduce fold = shape_reduce(folds[_i], types[_i], SHAPE(70, 1030), 1);
    const tally_cumulative scan = shape_scan(scans[_i], types[_i], SHAPE(70, 1030), 0);
    const sim_case folded = sim_case_reduce(&fold, VALUES_SMALL, 1);
    const sim_case scanned = sim_case_cumulative(&scan, VALUES_SMALL, 2);
    sim_case_check(&folded, 0, 2);
    sim_case_check(&scanned, 0, 2);
}
END_TEST

/* Rows of as many blocks as one group combines, and of one more; units of which the last is cut. */
START_TEST(whole_rows_and_short_rows_are_right) {
    static const struct {
        shape sizes;
        tally_dtype type;
    } cases[] = {{{2, {3, 65536}}, TALLY_F32},    {{2, {2, 65537}}, TALLY_F32},
                 {{2, {5, 4097}}, TALLY_F64},     {{2, {1000, 7}}, TALLY_U8},
                 {{2, {1100, 32}}, TALLY_F16},    {{3, {77, 120, 4}}, TALLY_F32},
                 {{3, {300, 100, 2}}, TALLY_I64}, {{3, {50, 128, 16}}, TALLY_U8}};
    for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const tally_function function = _i == 0 ? TALLY_SUM : TALLY_ARGMAX;
        const tally_dtype type = _i == 0 && cases[i].type == TALLY_U8 ? TALLY_I64 : cases[i].type;
        const tally_reduce desc = shape_reduce(function, type, cases[i].sizes, 2);
        const sim_case it = sim_case_reduce(&desc, sim_case_values(function, i), i);
        sim_case_check(&it, 0, 3);
        sim_case_check(&it, 2, 3);
    }
}
END_TEST

/*
 * Three launches of one group: there are more than 4096 blocks. 4097 rows are all of these 4097
 * elements; the last of the highest is in the last row.
 */
START_TEST(a_fold_of_more_than_4096_blocks_is_right) {
    tally_reduce desc = shape_reduce(TALLY_ARGMAX, TALLY_U8, SHAPE(4097, 4097), 3);
    desc.tie = TALLY_TIE_LAST;
    shape_repeat(&desc.input, 1);
    const sim_case it = sim_case_reduce(&desc, VALUES_BITS, 4097);
    uint64_t result = 0, best = 0;
    unsigned char *input = sim_case_input(&it);
    sim_case_run(&it, input, sim_device_at(0), &result);
    for (uint64_t i = 0; i < 4097; i++)
        best = input[i] >= input[best] ? i : best;
    if (result != UINT64_C(4096) * 4097 + best)
        sim_case_fail(&it, sim_device_at(0), "the result is %llu", (unsigned long long)result);
    free(input);
}
END_TEST

Suite *suite_simulation(void) {
    Suite *suite = suite_create("simulation");
    TCase *tests = tcase_create("simulation");
    tcase_set_timeout(tests, 600);
    tcase_add_loop_test(tests, random_folds_are_right, 0, 2);
    tcase_add_loop_test(tests, random_scans_are_right, 0, 2);
    tcase_add_test(tests, random_fills_are_right);
    tcase_add_loop_test(tests, folds_of_edge_sizes_are_right, 0, EDGES);
    tcase_add_loop_test(tests, scans_of_edge_sizes_are_right, 0, EDGES);
    tcase_add_loop_test(tests, scans_of_columns_are_right, 0, EDGES);
    tcase_add_loop_test(tests, scans_of_long_rows_are_right, 0, 2);
    tcase_add_loop_test(tests, scans_that_read_again_are_right, 0, 2);
    tcase_add_loop_test(tests, scans_of_pieces_are_right, 0, 2);
    tcase_add_loop_test(tests, wide_columns_are_right, 0, 2);
    tcase_add_loop_test(tests, whole_rows_and_short_rows_are_right, 0, 2);
    tcase_add_test(tests, a_fold_of_more_than_4096_blocks_is_right);
    suite_add_tcase(suite, tests);
    return suite;
}
