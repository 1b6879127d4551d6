/*
 * test_scan_spread.c: scans along few long rows, and along columns so few that they lie as one: by
 * one pass over memory and by two, in two launches and in three, with words of both sizes, in units
 * that are tiles and in smaller ones, in place, to and fro; and what is left when groups gave up.
 * Launches of one operator that are under way together do not meet.
 * Every element has the bits of the plain reference of the order, and nothing beside the output is
 * written.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "api/operator.h"
#include "cases/spread_case.h"
#include "support/descriptions/shape.h"
#include "support/fixtures/fixture.h"
#include "support/numbers/number.h"
#include "support/reference/scan_memory.h"
#include "support/share.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* ---- Devices --------------------------------------------------------------------------------- */

/* How the device at hand is planned for. */
typedef struct mode {
    bool single_pass;
    uint8_t word_bytes;
    uint64_t group_max; /* 0: the device's own */
    uint32_t leave;     /* one in so many units is left, as groups look for a word once; 0: none */
    bool large;         /* so large a device that rows have few bytes for each of its units */
} mode;

/* Longer rows take a single pass, or three launches, where they have many bytes. */
#define STRETCH 262144

/* Groups of one launch look at the totals of all tiles where they have so many looks in all. */
#define LOOKS 16384

static const mode modes[] = {{false, 8, 0, 0, false},  {true, 8, 0, 0, false},
                             {true, 8, 16, 0, false},  {true, 4, 0, 3, false},
                             {false, 4, 16, 0, false}, {true, 8, 0, 0, true},
                             {false, 4, 64, 0, true},  {true, 4, 16, 2, true}};

static tally_runtime *runtime;

static void open_runtime(void) {
    runtime = fixture_make_runtime_of(TALLY_FAMILY_GPU);
}

static void close_runtime(void) {
    tally_runtime_release(runtime);
}

static tally_op *make_op(const tally_cumulative *desc, const mode *how) {
    const tally_limits limits = runtime->device.limits;
    tally_op *op = NULL;
    tally_error error;
    runtime->trial.wish = how->single_pass ? TALLY_SINGLE_PASS_ON : TALLY_SINGLE_PASS_OFF;
    runtime->device.limits.word_bytes = how->word_bytes;
    runtime->device.limits.units = how->large ? 64 : 2;
    if (how->group_max != 0)
        runtime->device.limits.group_max = how->group_max;
    fixture_ok(tally_cumulative_create(runtime, desc, &op, &error), &error,
               "tally_cumulative_create");
    runtime->device.limits = limits;
    const uint64_t tiles = (desc->input.size[1] + 4095) / 4096;
    const bool few_looks = op->executable.plan.step[0].args.head.units * tiles <= LOOKS;
    const bool follows =
        (how->large || desc->input.size[1] <= STRETCH) && (few_looks || !how->single_pass);
    const char *phase = follows ? "_follow" : how->single_pass ? "_pass" : "_apply";
    ck_assert_msg(strstr(tally_op_describe(op), phase) != NULL &&
                      (strstr(tally_op_describe(op), "_look_back") != NULL) == how->single_pass,
                  "no chain:\n%s", tally_op_describe(op));
    spread_case_leave(op, how->leave);
    return op;
}

/* ---- Whole scans ----------------------------------------------------------------------------- */

/* Rows of many units, past stretches, of columns, and of states that words hold in parts. */
static const spread_case problems[] = {
    {TALLY_SUM, TALLY_F32, 2, 300000, 1}, {TALLY_SUM, TALLY_F32, 1, 600001, 1},
    {TALLY_SUM, TALLY_F32, 3, 270000, 3}, {TALLY_SUM, TALLY_F64, 1, 140000, 1},
    {TALLY_MAX, TALLY_F16, 1, 300000, 2}, {TALLY_SUM, TALLY_F32, 1, 540000, 1}};

START_TEST(long_rows_have_the_bits_of_the_order) {
    for (size_t i = 0; i < COUNT(problems); i++) {
        const size_t round = i + (size_t)_i;
        const tally_cumulative desc =
            spread_case_describe(&problems[i], round % 2 != 0, round / 2 % 2 != 0);
        if (spread_case_is_there(&problems[i], modes[_i].word_bytes) &&
            share_has(i / 2 + (size_t)_i, 5))
            scan_memory_check(&desc, make_op(&desc, &modes[_i]), round % 3 == 0);
    }
}
END_TEST

/* ---- Boards ---------------------------------------------------------------------------------- */

START_TEST(launches_follow_one_another) {
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t leave[SPREAD_CASE_ROUNDS] = {0, 0, 1 + i, 0};
        if (!share_has(i + 1 + (size_t)_i, 3)) /* of each of the two modes a smaller one */
            continue;
        const tally_cumulative desc = spread_case_describe(&problems[i], i == 2, i == 0);
        spread_case_run_rounds(&desc, make_op(&desc, &modes[_i]), i == 1, leave);
    }
}
END_TEST

Suite *suite_scan_spread(void);

Suite *suite_scan_spread(void) {
    Suite *suite = suite_create("scan_spread");
    TCase *tests = tcase_create("scan_spread");
    tcase_set_timeout(tests, 0);
    tcase_add_unchecked_fixture(tests, open_runtime, close_runtime);
    tcase_add_loop_test(tests, long_rows_have_the_bits_of_the_order, 0, COUNT(modes));
    tcase_add_loop_test(tests, launches_follow_one_another, 1, 3);
    suite_add_tcase(suite, tests);
    return suite;
}
