/*
 * test_pointers.c: operators on every kind of memory that the device has, and on kinds mixed in one
 * binding, against the oracle: at addresses that are multiples of an element and of no more, in
 * place, strided, with scratch. Nothing but the output's elements may change. PoCL must have shared
 * virtual memory; of another device the tests say by name what it lacks.
 */
#include <check.h>
#include <stdio.h>

#include "support/descriptions/shape.h"
#include "support/fixtures/image.h"
#include "support/fixtures/run.h"

Suite *suite_pointers(void);

/* Whether to go on with a kind. */
static bool offers(memory_kind kind) {
    const bool has = memory_has(kind);
    ck_assert_msg(has || !memory_must_have(kind), "the device has no %s, which PoCL has",
                  memory_name(kind));
    if (!has)
        printf("pointers: the device has no %s\n", memory_name(kind));
    return has;
}

static void choose_buffers(void) {
    image_choose(NULL, 0);
}

/* ---- Operators ------------------------------------------------------------------------------- */

/* Rows, columns and gaps, of elements of 1, 2 and 4 bytes. */
static void run_folds(tally_runtime *runtime, run_how how) {
    const tally_reduce rows = shape_reduce(TALLY_MAX, TALLY_U8, SHAPE(5, 1003), 2);
    const tally_reduce columns = shape_reduce(TALLY_SUM, TALLY_F16, SHAPE(70, 33), 1);
    tally_reduce strided = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(6, 50), 2);
    shape_pad(&strided.input, 2);
    run_reduce_on(runtime, &rows, how);
    run_reduce_on(runtime, &columns, how);
    run_reduce_on(runtime, &strided, how);
}

static void run_scans(tally_runtime *runtime, run_how how) {
    const tally_cumulative rows = shape_scan(TALLY_SUM, TALLY_F32, SHAPE(3, 301), 1);
    tally_cumulative strided = shape_scan(TALLY_MAX, TALLY_U8, SHAPE(40, 37), 0);
    run_cumulative_on(runtime, &rows, how);
    if (!how.in_place)
        shape_pad(&strided.output, 1);
    run_cumulative_on(runtime, &strided, how);
}

static void run_fills(tally_runtime *runtime, run_how how) {
    tally_diagonal fill = TALLY_DIAGONAL_INIT;
    const tally_tensor matrix = shape_tensor(TALLY_F16, SHAPE(2, 33, 65));
    fill.output = matrix;
    fill.value.f16_bits = 0x3C00;
    fill.begin = -3;
    fill.end = 2;
    fill.input = &matrix;
    run_diagonal_on(runtime, NULL, &fill, how);
    if (how.in_place)
        return;
    fill.input = NULL; /* zeros, and nothing to read */
    run_diagonal_on(runtime, NULL, &fill, how);
}

static void run_all(tally_runtime *runtime, run_how how) {
    if (!how.in_place)
        run_folds(runtime, how);
    run_scans(runtime, how);
    run_fills(runtime, how);
}

/* Out of place and in place, the first elements at each of some elements behind 256 bytes. */
static void run_everywhere(tally_runtime *runtime) {
    for (uint32_t first = 0; first < 8; first++) {
        const uint32_t other = (first * 3 + 1) % 8;
        run_all(runtime, (run_how){VALUES_SMALL, first, first, other, false});
        run_all(runtime, (run_how){VALUES_SMALL, first, first, first, true});
    }
}

static const tally_family families[] = {TALLY_FAMILY_CPU, TALLY_FAMILY_GPU};

/* All views of one kind; the loop is over families and kinds. */
START_TEST(every_kind) {
    const memory_kind kind = (memory_kind)(_i / 2);
    if (!offers(kind))
        return;
    tally_runtime *runtime = fixture_make_runtime_of(families[_i % 2]);
    const uint64_t before = run_count();
    image_choose(&kind, 1);
    run_everywhere(runtime);
    ck_assert_uint_eq(run_count() - before, 8 * (7 + 3));
    tally_runtime_release(runtime);
}
END_TEST

/* Images come in threes: scratch, input, output. Each kind meets each other. */
START_TEST(kinds_are_mixed) {
    memory_kind there[MEMORY_KINDS];
    uint32_t kinds = 0;
    for (int kind = 0; kind < MEMORY_KINDS; kind++)
        if (memory_has((memory_kind)kind))
            there[kinds++] = (memory_kind)kind;
    tally_runtime *runtime = fixture_make_runtime_of(families[_i]);
    for (uint32_t i = 0; i < kinds * kinds; i++) {
        const memory_kind in = there[i / kinds], out = there[i % kinds];
        image_choose((const memory_kind[]){there[(i + i / kinds) % kinds], in, out}, 3);
        run_all(runtime, (run_how){VALUES_SMALL, i, i % 5, i % 7, false});
    }
    tally_runtime_release(runtime);
}
END_TEST

/* The generic kernels take two launches for so many terms, and pass states on in the scratch. */
START_TEST(scratch_by_pointer) {
    const memory_kind kind = (memory_kind)_i;
    const tally_reduce reduce = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(5000), 1);
    tally_desc desc = TALLY_DESC_INIT;
    tally_estimate estimate = TALLY_ESTIMATE_INIT;
    tally_error error;
    if (!offers(kind))
        return;
    tally_runtime *runtime = fixture_make_runtime_of(TALLY_FAMILY_GENERIC);
    desc.reduce = &reduce;
    fixture_ok(tally_runtime_estimate(runtime, &desc, &estimate, &error), &error, "estimate");
    ck_assert_uint_eq(estimate.launches, 2);
    ck_assert_uint_gt(estimate.scratch, 0);
    const memory_kind mixes[][3] = {{kind, kind, kind},
                                    {kind, MEMORY_BUFFER, MEMORY_BUFFER},
                                    {MEMORY_BUFFER, kind, MEMORY_BUFFER},
                                    {MEMORY_BUFFER, MEMORY_BUFFER, kind}};
    for (uint32_t k = 0; k < 4; k++) {
        image_choose(mixes[k], 3);
        run_reduce_on(runtime, &reduce, (run_how){VALUES_WIDE, k, k, 3 - k, false});
    }
    tally_runtime_release(runtime);
}
END_TEST

Suite *suite_pointers(void) {
    Suite *suite = suite_create("pointers");
    TCase *tests = tcase_create("pointers");
    tcase_set_timeout(tests, 600);
    tcase_add_checked_fixture(tests, choose_buffers, choose_buffers);
    tcase_add_loop_test(tests, every_kind, 2, 2 * MEMORY_KINDS);
    tcase_add_loop_test(tests, kinds_are_mixed, 0, 2);
    tcase_add_loop_test(tests, scratch_by_pointer, MEMORY_SVM_COARSE, MEMORY_KINDS);
    suite_add_tcase(suite, tests);
    return suite;
}
