/* cache_case.c: see cache_case.h. */
#include "cache_case.h"

#include <check.h>
#include <stdio.h>

#include "support/descriptions/shape.h"
#include "support/fixtures/call.h"
#include "support/fixtures/fixture.h"

char cache_case_path[FOLDER_PATH_BYTES];

void cache_case_set_up(void) {
    folder_make(cache_case_path);
}

void cache_case_tear_down(void) {
    folder_remove(cache_case_path);
}

/* ---- Runtimes with a cache --------------------------------------------------------------------
 */

char cache_case_told[1024];

static void keep_text(void *user, tally_log_level level, const char *text) {
    (void)user;
    ck_assert_int_eq(level, TALLY_LOG_WARNING);
    snprintf(cache_case_told, sizeof cache_case_told, "%s", text);
}

tally_runtime *cache_case_open_of(tally_family family, tally_single_pass single_pass) {
    const tally_overrides overrides = {sizeof overrides, family, single_pass};
    tally_config config = fixture_config();
    config.overrides = &overrides;
    config.cache_dir = cache_case_path;
    config.log = keep_text;
    cache_case_told[0] = '\0';
    return fixture_make_runtime_by(&config);
}

tally_runtime *cache_case_open(void) {
    return cache_case_open_of(TALLY_FAMILY_AUTO, TALLY_SINGLE_PASS_AUTO);
}

/* Make the operator, run it on 0, 1, 2 ... and hold the result against what it must be. */
void cache_case_check_result(tally_runtime *runtime, tally_function function) {
    const tally_reduce desc = shape_reduce(function, TALLY_I32, SHAPE(CACHE_CASE_TERMS), 1);
    int32_t terms[CACHE_CASE_TERMS], result = -1;
    tally_op *op = NULL;
    tally_error error;
    for (int32_t i = 0; i < CACHE_CASE_TERMS; i++)
        terms[i] = i;
    fixture_ok(tally_reduce_create(runtime, &desc, &op, &error), &error, "tally_reduce_create");
    call_op(op, &desc.input, terms, &desc.output, &result);
    ck_assert_int_eq(result, function == TALLY_SUM ? CACHE_CASE_TERMS * (CACHE_CASE_TERMS - 1) / 2
                                                   : CACHE_CASE_TERMS - 1);
}

/* Programs that a new runtime compiles and loads for the sum. */
tally_stats cache_case_start(void) {
    tally_runtime *runtime = cache_case_open();
    cache_case_check_result(runtime, TALLY_SUM);
    const tally_stats stats = fixture_stats(runtime);
    tally_runtime_release(runtime);
    return stats;
}

void cache_case_check_compiles(void) {
    const tally_stats stats = cache_case_start();
    ck_assert_uint_eq(stats.programs_built, 1);
    ck_assert_uint_eq(stats.programs_loaded, 0);
}

void cache_case_check_loads(void) {
    const tally_stats stats = cache_case_start();
    ck_assert_uint_eq(stats.programs_built, 0);
    ck_assert_uint_eq(stats.programs_loaded, 1);
    ck_assert_uint_eq(stats.cache_writes, 0);
}
