/*
 * test_scan_pieces.c: scans along few long rows on CPUs, and along columns so few that they lie as
 * one: from end to end and in pieces for as many cores as there might be, in place, to and fro.
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

/* Planned for so many cores. */
static tally_op *make_op(const tally_cumulative *desc, uint32_t units) {
    const uint32_t own = runtime->device.limits.units;
    tally_op *op = NULL;
    tally_error error;
    runtime->device.limits.units = units;
    fixture_ok(tally_cumulative_create(runtime, desc, &op, &error), &error,
               "tally_cumulative_create");
    runtime->device.limits.units = own;
    const char *wanted = units > 1 ? "_apply" : "scan_cpu_rows";
    ck_assert_msg(strstr(tally_op_describe(op), wanted) != NULL, "no %s:\n%s", wanted,
                  tally_op_describe(op));
    return op;
}

/* Rows past a stretch and whole tiles; as many columns as a vector holds several times, and once.
 */
static const struct {
    tally_function function;
    tally_dtype dtype;
    uint64_t rows, terms, columns;
} problems[] = {{TALLY_SUM, TALLY_F32, 1, 600001, 1},      {TALLY_SUM, TALLY_F32, 2, 266240, 1},
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
        scan_memory_check(&desc, make_op(&desc, units[_i]), round % 3 == 0);
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
    suite_add_tcase(suite, tests);
    return suite;
}
