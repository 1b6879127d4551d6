/*
 * test_errors_states.c: numbers of states that cannot be combined, and cuts that have no carry: the
 * status, the whole sentence with its value and its limit, no operator, and nothing compiled.
 */
#include <check.h>

#include "support/descriptions/shape.h"
#include "support/fixtures/fixture.h"
#include "support/parts/parts.h"
#include "support/refusal.h"

Suite *suite_errors_states(void);

#define STRETCH UINT64_C(262144)

static void refuse_states(const tally_desc *desc, const tally_cut *cut, uint64_t states,
                          const char *sentence) {
    int position = 0;
    tally_op *op = (tally_op *)(void *)&position; /* anything that is not NULL */
    tally_runtime *runtime = fixture_get()->runtime;
    tally_error error;
    const uint64_t built = fixture_stats(runtime).programs_built;
    refusal_check(INVALID(sentence), tally_combine_create(runtime, desc, cut, states, &op, &error),
                  &error);
    ck_assert_ptr_null(op);
    ck_assert_uint_eq(fixture_stats(runtime).programs_built, built);
}

START_TEST(states_of_reductions) {
    uint64_t bounds[6];
    const tally_reduce sum = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(20000, 6), 1);
    const tally_reduce exact = shape_reduce(TALLY_MAX, TALLY_F32, SHAPE(9, 3), 1);
    tally_desc desc = TALLY_DESC_INIT;
    desc.reduce = &sum;
    tally_cut cut = parts_cut(&desc, 0, 5, bounds);
    refuse_states(&desc, &cut, 4,
                  "4 states are to be combined, but the parts of this cut have 5 together");
    refuse_states(&desc, &cut, 6,
                  "6 states are to be combined, but the parts of this cut have 5 together");
    refuse_states(&desc, &cut, UINT64_MAX, "18446744073709551615 states are to be combined");
    cut = parts_cut(&desc, 1, 2, bounds);
    refuse_states(&desc, &cut, 1, "the cut along axis 1 gives results, so there are no states");
    desc.reduce = &exact;
    cut = parts_cut(&desc, 0, 2, bounds);
    refuse_states(&desc, &cut, 0,
                  "0 states are to be combined, but the parts of this cut have 1 to 9 together");
    refuse_states(&desc, &cut, 10,
                  "10 states are to be combined, but the parts of this cut have 1 to 9 together");
}
END_TEST

START_TEST(states_of_scans) {
    uint64_t bounds[6];
    const tally_cumulative scan = shape_scan(TALLY_SUM, TALLY_F32, SHAPE(3 * STRETCH), 0);
    const tally_diagonal fill = shape_fill(SHAPE(10, 20));
    tally_desc desc = TALLY_DESC_INIT;
    desc.cumulative = &scan;
    tally_cut cut = parts_cut(&desc, 0, 3, bounds);
    refuse_states(&desc, &cut, 0,
                  "0 states are to be combined, but the parts of this cut have 1 to 3 together");
    refuse_states(&desc, &cut, 4,
                  "4 states are to be combined, but the parts of this cut have 1 to 3 together");
    desc = (tally_desc)TALLY_DESC_INIT;
    desc.diagonal = &fill;
    cut = parts_cut(&desc, 0, 2, bounds);
    refuse_states(&desc, &cut, 1, "the cut along axis 0 gives results, so there are no states");
}
END_TEST

/* Only the parts of a scan that is cut along its axis go on from a carry. */
START_TEST(cuts_without_a_carry) {
    uint64_t bounds[6];
    const refusal expected =
        INVALID("the cut along axis 0 has no carry: its parts are made by tally_part_create()");
    const tally_reduce sum = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(20000), 1);
    const tally_cumulative scan = shape_scan_rows();
    const tally_part part = TALLY_PART_INIT;
    tally_desc desc = TALLY_DESC_INIT;
    tally_error error;
    int position = 0;
    for (int i = 0; i < 2; i++) {
        tally_op *op = (tally_op *)(void *)&position; /* anything that is not NULL */
        desc.reduce = i == 0 ? &sum : NULL;
        desc.cumulative = i == 0 ? NULL : &scan;
        const tally_cut cut = parts_cut(&desc, 0, 2, bounds);
        refusal_check(
            expected,
            tally_part_scan_create(fixture_get()->runtime, &desc, &cut, &part, &op, &error),
            &error);
        ck_assert_ptr_null(op);
    }
}
END_TEST

Suite *suite_errors_states(void) {
    Suite *suite = suite_create("errors_states");
    TCase *tests = tcase_create("errors_states");
    tcase_set_timeout(tests, 600);
    tcase_add_test(tests, states_of_reductions);
    tcase_add_test(tests, states_of_scans);
    tcase_add_test(tests, cuts_without_a_carry);
    suite_add_tcase(suite, tests);
    return suite;
}
