/*
 * test_scan_chain.c: scans of few long lines by boxes whose groups look back at each other, in one
 * launch: few lines and many, several spans to a unit, past a stretch, with words of both sizes, in
 * place, to and fro; and what is left when groups gave up. Launches one after the other share a
 * board. Every element has the bits of the plain reference of the order.
 */
#include <check.h>
#include <string.h>

#include "api/operator.h"
#include "cases/spread_case.h"
#include "support/descriptions/shape.h"
#include "support/fixtures/fixture.h"
#include "support/reference/scan_memory.h"
#include "support/share.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* How the device at hand is planned for: bytes of a word, and one in so many units is left. */
typedef struct mode {
    uint8_t word_bytes;
    uint32_t leave;
} mode;

static const mode modes[] = {{8, 0}, {8, 3}, {4, 0}, {4, 2}};

static tally_runtime *runtime;

static void open_runtime(void) {
    runtime = fixture_make_runtime_of(TALLY_FAMILY_GPU);
    runtime->trial.wish = TALLY_SINGLE_PASS_ON;
}

static void close_runtime(void) {
    tally_runtime_release(runtime);
}

/*
 * Past a stretch, of several boxes side by side, of one span to a unit and of several, up to a
 * tile's, and of states of all sizes. So many compute units are told; results may lie in the other
 * order.
 */
static const struct {
    spread_case of;
    uint32_t units;
    bool transposed;
    const char *spans;
} problems[] = {{{TALLY_SUM, TALLY_F32, 1, 30001, 13}, 64, false, "_cs1_"},
                {{TALLY_SUM, TALLY_F32, 1, 270001, 13}, 64, false, "_cs1_"},
                {{TALLY_MAX, TALLY_F16, 1, 40000, 16}, 64, false, "_cs1_"},
                {{TALLY_SUM, TALLY_F64, 1, 9000, 5}, 64, false, "_cs1_"},
                {{TALLY_SUM, TALLY_F32, 3, 5000, 24}, 64, false, "_cs1_"},
                {{TALLY_MIN, TALLY_I64, 1, 4097, 16}, 64, false, "_cs1_"},
                {{TALLY_SUM, TALLY_F32, 1, 30011, 9}, 1, false, "_cs2_"},
                {{TALLY_SUM, TALLY_F32, 3, 9001, 1}, 1, true, "_cs4_"},
                {{TALLY_SUM, TALLY_F16, 1, 9001, 2}, 1, true, "_cs8_"},
                {{TALLY_SUM, TALLY_F16, 1, 30749, 2}, 1, true, "_cs16_"}};

static tally_cumulative make_desc(size_t problem, size_t round) {
    tally_cumulative desc =
        spread_case_describe(&problems[problem].of, round % 2 != 0, round / 2 % 2 != 0);
    if (problems[problem].transposed)
        shape_transpose(&desc.output);
    return desc;
}

static tally_op *make_op(size_t problem, const tally_cumulative *desc, const mode *how) {
    tally_op *op = NULL;
    tally_error error;
    runtime->device.limits.units = problems[problem].units;
    runtime->device.limits.word_bytes = how->word_bytes;
    fixture_ok(tally_cumulative_create(runtime, desc, &op, &error), &error,
               "tally_cumulative_create");
    const char *plan = tally_op_describe(op);
    ck_assert_msg(strstr(plan, "scan_staged") != NULL && strstr(plan, "_look_back") != NULL &&
                      strstr(plan, problems[problem].spans) != NULL,
                  "no chain of such boxes:\n%s", plan);
    spread_case_leave(op, how->leave);
    return op;
}

START_TEST(boxes_have_the_bits_of_the_order) {
    for (size_t i = 0; i < COUNT(problems); i++) {
        const size_t round = i + (size_t)_i;
        const tally_cumulative desc = make_desc(i, round);
        if (spread_case_is_there(&problems[i].of, modes[_i].word_bytes) &&
            share_has(i + (size_t)_i, 2))
            scan_memory_check(&desc, make_op(i, &desc, &modes[_i]),
                              round % 3 == 0 && !problems[i].transposed);
    }
}
END_TEST

START_TEST(launches_follow_one_another) {
    static const uint32_t leave[SPREAD_CASE_ROUNDS] = {0, 3, 3, 0};
    const tally_cumulative desc = make_desc(0, 0);
    spread_case_run_rounds(&desc, make_op(0, &desc, &modes[0]), false, leave);
}
END_TEST

Suite *suite_scan_chain(void);

Suite *suite_scan_chain(void) {
    Suite *suite = suite_create("scan_chain");
    TCase *tests = tcase_create("scan_chain");
    tcase_set_timeout(tests, 0);
    tcase_add_unchecked_fixture(tests, open_runtime, close_runtime);
    tcase_add_loop_test(tests, boxes_have_the_bits_of_the_order, 0, COUNT(modes));
    tcase_add_test(tests, launches_follow_one_another);
    suite_add_tcase(suite, tests);
    return suite;
}
