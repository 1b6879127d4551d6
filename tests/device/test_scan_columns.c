/*
 * test_scan_columns.c: scans down columns by the kernels for GPUs, in registers or by boxes in
 * local memory, on shapes around all that they tell apart: strips that are cut, runs, spans, tiles
 * and stretches that end or do not. Every problem is columns_case.h's.
 */
#include <check.h>

#include "api/runtime.h"
#include "cases/columns_case.h"
#include "support/fixtures/fixture.h"
#include "support/numbers/number.h"
#include "support/share.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const legal_pair pairs[] = {
    {TALLY_SUM, TALLY_F32}, {TALLY_SUM, TALLY_F16}, {TALLY_MIN, TALLY_I8}, {TALLY_SUM, TALLY_F64}};

/* A run and less, several, a span and more, whole strips or cut ones by turns, in every layout. */
START_TEST(short_columns_have_the_bits_of_the_order) {
    static const uint64_t terms[] = {2, 16, 17, 241, 256, 257, 600};
    static const uint64_t columns[] = {32, 37, 64, 131};
    uint64_t round = (uint64_t)_i;
    for (size_t i = 0; i < COUNT(terms) && fixture_has(pairs[_i].dtype); i++)
        for (size_t k = (i + (size_t)_i) % 2; k < COUNT(columns); k += 2, round++)
            if (share_has(round + (uint64_t)_i, 5))
                columns_case_check(pairs[_i], SHAPE(3, terms[i], columns[k]), round,
                                   "1: tally_scan_");
}
END_TEST

/* Narrow elements whose rows are no whole 8 bytes go by boxes, others as it should be. */
static const char *plan_of(tally_dtype type) {
    return number_bytes(type) < 4 ? "1: tally_scan_" : "1: tally_scan_columns";
}

/*
 * The same of wide ones that begin anywhere, in the layouts in which they are columns: of a device
 * for which they are next to nothing, as boxes serve a few more.
 */
START_TEST(wide_columns_have_the_bits_of_the_order) {
    static const uint64_t terms[] = {17, 241, 256, 257, 600}, rounds[] = {0, 1, 2, 3, 4, 5, 7};
    const uint32_t units = columns_case_runtime->device.limits.units;
    uint64_t round = (uint64_t)_i;
    columns_case_runtime->device.limits.units = 1024;
    for (size_t i = 0; i < COUNT(terms) && fixture_has(pairs[_i].dtype); i++, round++)
        if (share_has(i + (size_t)_i, 3))
            columns_case_check(pairs[_i], SHAPE(2, terms[i], 517), rounds[round % COUNT(rounds)],
                               plan_of(pairs[_i].dtype));
    columns_case_runtime->device.limits.units = units;
}
END_TEST

/* Some layouts of 8-byte elements lie in whole sectors, which are columns and no boxes. */
static const char *box_name(legal_pair pair, const char *name) {
    return pair.dtype == TALLY_F64 ? "tally_scan_" : name;
}

/* Boxes of lines that go on, past spans and tiles, in every layout. */
START_TEST(boxes_that_walk_have_the_bits_of_the_order) {
    static const uint64_t terms[] = {15, 16, 31, 257, 600, 1500, 4097, 8200, 1000};
    const uint32_t units = columns_case_runtime->device.limits.units;
    columns_case_runtime->device.limits.units = 1;
    for (size_t i = 0; i < COUNT(terms) && fixture_has(pairs[_i].dtype); i++)
        if (share_has(i + 2 * (size_t)_i, 5))
            columns_case_check(pairs[_i], SHAPE(4, terms[i], 61), i + (uint64_t)_i,
                               box_name(pairs[_i], "1: tally_scan_staged_"));
    columns_case_runtime->device.limits.units = units;
}
END_TEST

/* Boxes that lie in local memory as in one of both memories: rows and views begin anywhere. */
START_TEST(boxes_of_whole_packs_have_the_bits_of_the_order) {
    static const struct {
        legal_pair pair;
        uint64_t outer, terms, columns;
    } cases[] = {{{TALLY_SUM, TALLY_F16}, 16, 70, 131},
                 {{TALLY_MAX, TALLY_U16}, 16, 90, 131},
                 {{TALLY_MIN, TALLY_I8}, 7, 70, 301},
                 {{TALLY_SUM, TALLY_F32}, 40, 5, 211},
                 {{TALLY_MIN, TALLY_I32}, 40, 7, 211}};
    static const uint64_t rounds[] = {0, 1, 2, 5, 7, 9 + 1, 9 + 5};
    const uint32_t units = columns_case_runtime->device.limits.units;
    columns_case_runtime->device.limits.units = 1;
    for (size_t i = 0; i < COUNT(rounds) && fixture_has(cases[_i].pair.dtype); i++)
        columns_case_check(cases[_i].pair,
                           SHAPE(cases[_i].outer, cases[_i].terms, cases[_i].columns), rounds[i],
                           "_whole");
    columns_case_runtime->device.limits.units = units;
}
END_TEST

/* Few long lines with gaps, by tiles of boxes: tiles that are cut, and for one type past a stretch.
 */
START_TEST(tiles_of_boxes_have_the_bits_of_the_order) {
    static const uint64_t rounds[] = {3, 4, 7};
    const uint32_t units = columns_case_runtime->device.limits.units;
    columns_case_runtime->device.limits.units = 64;
    for (uint64_t i = 0; i < COUNT(rounds) && fixture_has(pairs[_i].dtype); i++)
        columns_case_check(pairs[_i], SHAPE(2, 24577 + i * 509, 1 + i * 2), rounds[i],
                           box_name(pairs[_i], "_two_passes_"));
    if (_i == 0)
        columns_case_check(pairs[_i], SHAPE(1, 262144 + 4097, 3), 3,
                           box_name(pairs[_i], "_two_passes_"));
    columns_case_runtime->device.limits.units = units;
}
END_TEST

/*
 * Of results that become rows, by way of local memory: spans whole and cut, past a tile, rows that
 * begin aligned and not, for devices of large groups and of small ones by turns.
 */
START_TEST(columns_that_become_rows_have_the_bits_of_the_order) {
    static const uint64_t terms[] = {1025, 1040, 1300, 4097}, columns[] = {132, 260};
    static const struct {
        uint64_t group_max, local_bytes;
    } devices[] = {{1024, 49152}, {256, 32768}};
    const tally_limits limits = columns_case_runtime->device.limits;
    uint64_t round = (uint64_t)_i;
    for (size_t d = 0; d < COUNT(devices) && fixture_has(pairs[_i].dtype); d++)
        for (size_t i = 0; i < COUNT(terms) * COUNT(columns); i++) {
            if ((d + i / 2 + i + (size_t)_i) % 2 != 0)
                continue;
            round++;
            if (!share_has(round + (uint64_t)_i, 3))
                continue;
            columns_case_runtime->device.limits.group_max = devices[d].group_max;
            columns_case_runtime->device.limits.local_bytes = devices[d].local_bytes;
            columns_case_runtime->device.limits.units = 1;
            columns_case_check(pairs[_i], SHAPE(1, terms[i / 2], columns[i % 2]),
                               round * COLUMNS_CASE_LAYOUTS + (round % 3 == 0 ? 8 : 6),
                               "_results2_");
        }
    columns_case_runtime->device.limits = limits;
}
END_TEST

/* Of few columns groups have several spans at a time: parts of them, a tile's, and past a tile. */
START_TEST(spans_at_a_time_have_the_bits_of_the_order) {
    static const struct {
        uint64_t terms, columns, round;
    } cases[] = {{257, 32, 0}, {1000, 517, 1}, {4097, 64, 5}, {9001, 32, 4}, {600, 517, 7}};
    const uint32_t units = columns_case_runtime->device.limits.units;
    columns_case_runtime->device.limits.units = 1024;
    for (size_t i = 0; i < COUNT(cases) && fixture_has(pairs[_i].dtype); i++)
        columns_case_check(pairs[_i], SHAPE(2, cases[i].terms, cases[i].columns), cases[i].round,
                           plan_of(pairs[_i].dtype));
    columns_case_runtime->device.limits.units = units;
}
END_TEST

/* Past tiles, and for sums of float32 past a stretch. */
START_TEST(long_columns_have_the_bits_of_the_order) {
    static const uint64_t terms[] = {4096, 4097, 8200, 262144 + 300}, rounds[] = {5, 1, 2, 0};
    const uint32_t units = columns_case_runtime->device.limits.units;
    columns_case_runtime->device.limits.units = 1;
    for (size_t i = 0; i < COUNT(terms) - (_i > 0) && fixture_has(pairs[_i].dtype); i++)
        columns_case_check(pairs[_i], SHAPE(1, terms[i], _i == 1 ? 64 : 32), rounds[i],
                           "1: tally_scan_columns");
    columns_case_runtime->device.limits.units = units;
}
END_TEST

/* So many that work-items go down them alone, past a span: for one compute unit they are enough. */
START_TEST(many_columns_have_the_bits_of_the_order) {
    const uint32_t units = columns_case_runtime->device.limits.units;
    columns_case_runtime->device.limits.units = 1;
    const uint64_t round = (uint64_t)_i;
    columns_case_check(pairs[0], SHAPE(3, 270, 22000 + round), round, "_wholespans");
    columns_case_runtime->device.limits.units = units;
}
END_TEST

/*
 * Few and long, for so many compute units that their tiles are spread over groups, or parts of
 * them: tiles that are cut, columns that fill strips or do not, in every layout, and a stretch and
 * more.
 */
START_TEST(few_long_columns_have_the_bits_of_the_order) {
    static const uint64_t columns[] = {32, 37, 64, 131, 48, 33, 40, 65, 35};
    static const uint32_t units[] = {64, 7};
    const uint32_t usual = columns_case_runtime->device.limits.units;
    for (uint64_t i = 0; i < 2 * COLUMNS_CASE_LAYOUTS && fixture_has(pairs[_i].dtype); i++) {
        const uint64_t round = i / 2;
        if (!share_has(round + 2 * (uint64_t)_i, 5))
            continue;
        columns_case_runtime->device.limits.units = units[i % 2];
        columns_case_check(pairs[_i],
                           SHAPE(1 + round % 2 * (i + 1) % 2, 18433 + round * 509, columns[round]),
                           (uint64_t)_i + round, units[i % 2] > 7 ? "_two_passes_" : "tally_scan_");
    }
    columns_case_runtime->device.limits.units = usual;
}
END_TEST

/* Columns for so many compute units that the plan has this in its name. */
typedef struct long_columns {
    size_t pair;
    uint64_t terms, columns, round;
    uint32_t units;
    const char *name;
} long_columns;

static void check_long(const long_columns *cases, size_t count) {
    const uint32_t usual = columns_case_runtime->device.limits.units;
    for (size_t i = 0; i < count; i++) {
        if (!fixture_has(pairs[cases[i].pair].dtype))
            continue;
        columns_case_runtime->device.limits.units = cases[i].units;
        columns_case_check(pairs[cases[i].pair], SHAPE(1, cases[i].terms, cases[i].columns),
                           cases[i].round, cases[i].name);
    }
    columns_case_runtime->device.limits.units = usual;
}

/*
 * So long that a launch folds the totals, of tiles or, for more compute units, of spans; and a
 * stretch that is before a piece. In other rounds and of an exact function as well.
 */
START_TEST(columns_past_stretches_have_the_bits_of_the_order) {
    static const long_columns cases[] = {
        {0, 262144 + 4097, 32, 0, 64, "_p4_tileparts1_l5_w4_apply"},
        {0, 262144 + 4097, 32, 1, 9, "_p4_l5_w4_apply"},
        {0, 262144 + 4097, 64, 0, 16, "_p8_l5_w4_apply"},
        {1, 24 * 4096 + 300, 128, 0, 8, "_p8_l4_w4_apply"},
        {0, 262144 + 8200, 16, 2, 64, "_p4_tileparts1_l5_w4_apply"},
        {0, 262144 + 8200, 16, 1, 9, "_p4_l5_w4_follow"},
        {3, 262144 + 6000, 8, 0, 64, "_tileparts1_l5_w8_follow"},
        {3, 215 * 4096 + 50, 8, 0, 64, "_spans2_l5_w8_apply"},
        {2, 18 * 4096 + 700, 64, 5, 64, "_tileparts1_l2_w4_apply"}};
    const legal_pair exact = {TALLY_SUM, TALLY_I32};
    const uint32_t usual = columns_case_runtime->device.limits.units;
    check_long(cases, COUNT(cases));
    columns_case_runtime->device.limits.units = 10;
    columns_case_check(exact, SHAPE(1, 30 * 4096 + 300, 128), 0, "_g256_two_passes_p16_l2_w4_");
    columns_case_runtime->device.limits.units = usual;
}
END_TEST

/*
 * Boxes of columns whose rows begin anywhere: a first pass over spans, or over tiles where these
 * are many, of terms in registers or in local memory; a last one that folds what is before its
 * pieces; what comes before a piece past a stretch, and lines that are fewer at the end. Names of
 * columns in registers have no flag before that of parts.
 */
START_TEST(pieces_of_boxes_have_the_bits_of_the_order) {
    static const long_columns cases[] = {
        {0, 262144 + 4097, 7, 3, 64, "1_tileparts1_l5_w4_apply"},
        {0, 262144 + 8200, 9, 0, 4, "_tiletotals1_only2_l5_w4_totals"},
        {0, 9 * 4096 + 300, 33, 5, 1, "_tiletotals1_only2_l4_w4_totals"},
        {1, 20 * 4096 + 1, 33, 2, 2, "_tiletotals1_only2_l4_w4_totals"},
        {2, 10 * 4096 - 7, 131, 4, 1, "_tiletotals1_only2_l2_w4_totals"},
        {3, 33 * 4096 + 256, 13, 5, 4, "_tiletotals1_only2_l4_w8_totals"},
        {0, 104252, 5, 3, 2, "_wa1_reversedterms1_tileparts1_tiletotals1"},
        {0, 6 * 4096 + 30, 35, 0, 64, "inregisters1_tileparts1_l4_w4_follow"}};
    check_long(cases, COUNT(cases));
}
END_TEST

Suite *suite_scan_columns(void);

Suite *suite_scan_columns(void) {
    Suite *suite = suite_create("scan_columns");
    TCase *tests = tcase_create("scan_columns");
    tcase_set_timeout(tests, 0);
    tcase_add_unchecked_fixture(tests, columns_case_open, columns_case_close);
    tcase_add_loop_test(tests, short_columns_have_the_bits_of_the_order, 0, COUNT(pairs));
    tcase_add_loop_test(tests, wide_columns_have_the_bits_of_the_order, 0, COUNT(pairs));
    tcase_add_loop_test(tests, boxes_that_walk_have_the_bits_of_the_order, 0, COUNT(pairs));
    tcase_add_loop_test(tests, boxes_of_whole_packs_have_the_bits_of_the_order, 0, 5);
    tcase_add_loop_test(tests, tiles_of_boxes_have_the_bits_of_the_order, 0, COUNT(pairs));
    tcase_add_loop_test(tests, columns_that_become_rows_have_the_bits_of_the_order, 0,
                        COUNT(pairs));
    tcase_add_loop_test(tests, spans_at_a_time_have_the_bits_of_the_order, 0, COUNT(pairs));
    tcase_add_loop_test(tests, long_columns_have_the_bits_of_the_order, 0, 2);
    tcase_add_loop_test(tests, many_columns_have_the_bits_of_the_order, 0, 3);
    suite_add_tcase(suite, tests);
    tests = tcase_create("few_long_columns");
    tcase_set_timeout(tests, 0);
    tcase_add_test(tests, columns_past_stretches_have_the_bits_of_the_order);
    tcase_add_test(tests, pieces_of_boxes_have_the_bits_of_the_order);
    tcase_add_unchecked_fixture(tests, columns_case_open, columns_case_close);
    tcase_add_loop_test(tests, few_long_columns_have_the_bits_of_the_order, 0, COUNT(pairs));
    suite_add_tcase(suite, tests);
    return suite;
}
