/*
 * test_warm_up.c: getting programs ready. What was warmed up is not compiled again, one description
 * that is wrong does not keep the others from it, and a caller may stop it.
 */
#include <check.h>
#include <string.h>

#include "support/descriptions/shape.h"
#include "support/fixtures/fixture.h"
#include "support/fixtures/folder.h"
#include "support/refusal.h"

Suite *suite_warm_up(void);

/* One of each kind. */
typedef struct three {
    tally_reduce reduce;
    tally_cumulative scan;
    tally_diagonal fill;
    tally_desc desc[3];
} three;

static void fill_in(three *all) {
    all->reduce = shape_reduce(TALLY_SUM, TALLY_I32, SHAPE(100), 1);
    all->scan = shape_scan(TALLY_SUM, TALLY_I32, SHAPE(100), 0);
    all->fill = (tally_diagonal)TALLY_DIAGONAL_INIT;
    all->fill.output = shape_tensor(TALLY_I32, SHAPE(4, 5));
    all->fill.end = 1;
    for (int i = 0; i < 3; i++)
        all->desc[i] = (tally_desc)TALLY_DESC_INIT;
    all->desc[0].reduce = &all->reduce;
    all->desc[1].cumulative = &all->scan;
    all->desc[2].diagonal = &all->fill;
}

static void create_all(tally_runtime *runtime, const three *all) {
    tally_op *op[3] = {NULL, NULL, NULL};
    tally_error error;
    fixture_ok(tally_reduce_create(runtime, &all->reduce, &op[0], &error), &error, "reduce");
    fixture_ok(tally_cumulative_create(runtime, &all->scan, &op[1], &error), &error, "scan");
    fixture_ok(tally_diagonal_create(runtime, &all->fill, &op[2], &error), &error, "fill");
    for (int i = 0; i < 3; i++)
        tally_op_release(op[i]);
}

START_TEST(what_is_warm_is_not_compiled) {
    three all;
    tally_error error;
    tally_runtime *runtime = fixture_make_runtime();
    fill_in(&all);
    memset(&error, 0x55, sizeof error);
    fixture_ok(tally_warm_up(runtime, all.desc, 3, NULL, NULL, &error), &error, "tally_warm_up");
    ck_assert_str_eq(error.message, "");
    const tally_stats warm = fixture_stats(runtime);
    ck_assert_uint_eq(warm.programs_built, 3);
    create_all(runtime, &all);
    ck_assert_uint_eq(fixture_stats(runtime).programs_built, 3);
    ck_assert_int_eq(tally_warm_up(runtime, NULL, 0, NULL, NULL, NULL), TALLY_OK);
    tally_runtime_release(runtime);
}
END_TEST

static tally_runtime *open_with_cache(const char *path) {
    tally_config config = fixture_config();
    config.cache_dir = path;
    return fixture_make_runtime_by(&config);
}

/* In another process, as here in another runtime. */
START_TEST(what_was_warm_is_found_on_disk) {
    three all;
    char path[FOLDER_PATH_BYTES];
    fill_in(&all);
    folder_make(path);
    tally_runtime *runtime = open_with_cache(path);
    ck_assert_int_eq(tally_warm_up(runtime, all.desc, 3, NULL, NULL, NULL), TALLY_OK);
    tally_runtime_release(runtime);
    runtime = open_with_cache(path);
    create_all(runtime, &all);
    ck_assert_uint_eq(fixture_stats(runtime).programs_built, 0);
    ck_assert_uint_eq(fixture_stats(runtime).programs_loaded, 3);
    tally_runtime_release(runtime);
    folder_remove(path);
}
END_TEST

static bool stop_after(void *user, size_t done) {
    return done < *(const size_t *)user;
}

START_TEST(a_caller_may_stop_it) {
    three all;
    size_t most = 1;
    tally_runtime *runtime = fixture_make_runtime();
    fill_in(&all);
    ck_assert_int_eq(tally_warm_up(runtime, all.desc, 3, stop_after, &most, NULL), TALLY_OK);
    ck_assert_uint_eq(fixture_stats(runtime).programs_built, 1);
    tally_runtime_release(runtime);
}
END_TEST

START_TEST(one_that_fails_does_not_stop_the_others) {
    three all;
    tally_error error;
    tally_runtime *runtime = fixture_make_runtime();
    fill_in(&all);
    all.scan.axis = 7;
    refusal_check(REFUSAL(TALLY_INVALID, "operator 2 of 3: ", "axis"),
                  tally_warm_up(runtime, all.desc, 3, NULL, NULL, &error), &error);
    ck_assert_uint_eq(fixture_stats(runtime).programs_built, 2);
    all.desc[0].diagonal = &all.fill;
    refusal_check(REFUSAL(TALLY_INVALID, "operator 1 of 3: 2 of its three"),
                  tally_warm_up(runtime, all.desc, 3, NULL, NULL, &error), &error);
    all.desc[0] = (tally_desc)TALLY_DESC_INIT;
    refusal_check(REFUSAL(TALLY_INVALID, "operator 1 of 1: 0 of its three"),
                  tally_warm_up(runtime, all.desc, 1, NULL, NULL, &error), &error);
    all.desc[0].struct_size = 1;
    refusal_check(REFUSAL(TALLY_INVALID, "operator 1 of 1: ", "struct_size of the tally_desc is 1"),
                  tally_warm_up(runtime, all.desc, 1, NULL, NULL, &error), &error);
    refusal_check(REFUSAL(TALLY_INVALID, "the runtime is NULL"),
                  tally_warm_up(NULL, all.desc, 1, NULL, NULL, &error), &error);
    refusal_check(REFUSAL(TALLY_INVALID, "descs is NULL"),
                  tally_warm_up(runtime, NULL, 2, NULL, NULL, &error), &error);
    tally_runtime_release(runtime);
}
END_TEST

Suite *suite_warm_up(void) {
    Suite *suite = suite_create("warm_up");
    TCase *tests = tcase_create("warm_up");
    tcase_set_timeout(tests, 300);
    tcase_add_test(tests, what_is_warm_is_not_compiled);
    tcase_add_test(tests, what_was_warm_is_found_on_disk);
    tcase_add_test(tests, a_caller_may_stop_it);
    tcase_add_test(tests, one_that_fails_does_not_stop_the_others);
    suite_add_tcase(suite, tests);
    return suite;
}
