/*
 * test_scan_pieces.c: scans along few long rows on CPUs, along columns so few that they lie as one,
 * down strips of columns and by boxes: from end to end and in pieces for as many cores as there
 * might be, in place, to and fro.
 * Every element has the bits of the plain reference of the order, and nothing beside the output is
 * written.
 */
#include <check.h>
#include <string.h>

#include "api/operator.h"
#include "support/descriptions/shape.h"
#include "support/fixtures/fixture.h"
#include "support/numbers/number.h"
#include "support/reference/scan_memory.h"

static tally_runtime *runtime;

static void open_runtime(void) {
    runtime = fixture_make_runtime_of(TALLY_FAMILY_CPU);
}

static void close_runtime(void) {
    tally_runtime_release(runtime);
}

/* Planned for so many cores, by this schedule. */
static tally_op *make_op(const tally_cumulative *desc, const char *schedule, uint32_t units) {
    const uint32_t own = runtime->device.limits.units;
    tally_op *op = NULL;
    tally_error error;
    runtime->device.limits.units = units;
    fixture_ok(tally_cumulative_create(runtime, desc, &op, &error), &error,
               "tally_cumulative_create");
    runtime->device.limits.units = own;
    const char *plan = tally_op_describe(op);
    ck_assert_msg(strstr(plan, schedule) != NULL, "no %s:\n%s", schedule, plan);
    ck_assert_msg((strstr(plan, "_apply") != NULL) == (units > 1), "for %u cores:\n%s",
                  (unsigned)units, plan);
    return op;
}

typedef struct lines {
    tally_function function;
    tally_dtype dtype;
    uint64_t rows, terms, columns;
} lines;

/* Rows past a stretch and whole tiles; as many columns as a vector holds several times, and once.
 */
static const lines problems[] = {
    {TALLY_SUM, TALLY_F32, 1, 600001, 1},      {TALLY_SUM, TALLY_F32, 2, 266240, 1},
    {TALLY_MULTIPLY, TALLY_F32, 1, 140003, 2}, {TALLY_SUM, TALLY_F32, 1, 300003, 4},
    {TALLY_SUM, TALLY_F32, 1, 40003, 8},       {TALLY_SUM, TALLY_F16, 1, 530001, 1},
    {TALLY_SUM, TALLY_F16, 1, 270001, 4},      {TALLY_MAX, TALLY_F32, 1, 280001, 1},
    {TALLY_MIN, TALLY_F32, 1, 140001, 2},      {TALLY_MIN, TALLY_F16, 1, 140001, 4},
    {TALLY_MAX, TALLY_I8, 1, 530001, 2},       {TALLY_SUM, TALLY_I64, 1, 66001, 2},
    {TALLY_SUM, TALLY_F64, 1, 140001, 1},      {TALLY_SUM, TALLY_F64, 1, 70001, 2},
    {TALLY_MAX, TALLY_F64, 1, 40001, 4}};

/* From one core to many: the ways along the axis by turns, those of one problem all different. */
START_TEST(pieces_have_the_bits_of_the_order) {
    static const uint32_t units[] = {1, 4, 2 * 7};
    for (size_t i = 0; i < sizeof problems / sizeof problems[0]; i++) {
        if (problems[i].dtype == TALLY_F64 && !fixture_get()->has_f64)
            continue;
        const size_t round = i + (size_t)_i;
        tally_cumulative desc =
            shape_scan(problems[i].function, problems[i].dtype,
                       SHAPE(problems[i].rows, problems[i].terms, problems[i].columns), 1);
        desc.exclusive = round % 2 != 0;
        desc.descending = round / 2 % 2 != 0;
        scan_memory_check(&desc, make_op(&desc, "scan_cpu_rows", units[_i]), round % 3 == 0);
    }
}
END_TEST

/*
 * Strips narrower than a vector, with and without a vector that reaches back, several of a row;
 * boxes, where there is one column, of rows that lie side by side in the input alone.
 */
static const lines units_of_lines[] = {
    {TALLY_SUM, TALLY_F32, 1, 280001, 7}, {TALLY_SUM, TALLY_F32, 2, 60003, 41},
    {TALLY_SUM, TALLY_F32, 1, 50003, 64}, {TALLY_MAX, TALLY_F16, 1, 90001, 50},
    {TALLY_SUM, TALLY_F32, 5, 280001, 1}, {TALLY_SUM, TALLY_F32, 19, 70001, 1},
    {TALLY_MIN, TALLY_I8, 21, 270001, 1}, {TALLY_SUM, TALLY_I64, 1, 70001, 9},
    {TALLY_SUM, TALLY_I64, 6, 70001, 1}};

START_TEST(units_have_the_bits_of_the_order_in_pieces) {
    static const uint32_t units[] = {4, 2 * 7}; /* what is not cut others scan */
    for (size_t i = 0; i < sizeof units_of_lines / sizeof units_of_lines[0]; i++) {
        const size_t round = i + (size_t)_i;
        const lines *it = &units_of_lines[i];
        const bool boxes = it->columns == 1;
        tally_cumulative desc =
            shape_scan(it->function, it->dtype, SHAPE(it->rows, it->terms, it->columns), 1);
        if (boxes)
            shape_transpose(&desc.input);
        desc.exclusive = round % 2 != 0;
        desc.descending = round / 2 % 2 != 0;
        tally_op *op = make_op(&desc, boxes ? "scan_cpu_panel" : "scan_cpu_columns", units[_i]);
        scan_memory_check(&desc, op, !boxes && round % 3 == 0);
    }
}
END_TEST

Suite *suite_scan_pieces(void);

Suite *suite_scan_pieces(void) {
    Suite *suite = suite_create("scan_pieces");
    TCase *tests = tcase_create("scan_pieces");
    tcase_set_timeout(tests, 0);
    tcase_add_unchecked_fixture(tests, open_runtime, close_runtime);
    tcase_add_loop_test(tests, pieces_have_the_bits_of_the_order, 0, 3);
    tcase_add_loop_test(tests, units_have_the_bits_of_the_order_in_pieces, 0, 2);
    suite_add_tcase(suite, tests);
    return suite;
}
