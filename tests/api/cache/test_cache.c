/*
 * test_cache.c: kernels and verdicts kept on disk. A later runtime compiles nothing and computes
 * the same; whatever is wrong with a file, the operator is made and is right.
 */
#define _XOPEN_SOURCE 700
#include <check.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/operator.h"
#include "base/entry.h"
#include "cache_case.h"
#include "device/recall.h"
#include "support/descriptions/shape.h"
#include "support/fixtures/call.h"
#include "support/fixtures/fixture.h"

Suite *suite_cache(void);

/* ---- Warm starts ------------------------------------------------------------------------------
 */

START_TEST(the_second_runtime_compiles_nothing) {
    const tally_stats first = cache_case_start();
    ck_assert_uint_eq(first.programs_built, 1);
    ck_assert_uint_eq(first.cache_hits, 0);
    ck_assert_uint_eq(first.cache_misses, 1);
    ck_assert_uint_eq(first.cache_writes, 1);
    ck_assert_uint_eq(folder_count(cache_case_path, ".blob"), 1);
    const tally_stats second = cache_case_start();
    ck_assert_uint_eq(second.programs, 1);
    ck_assert_uint_eq(second.programs_built, 0);
    ck_assert_uint_eq(second.programs_loaded, 1);
    ck_assert_uint_eq(second.program_requests, 1);
    ck_assert_uint_eq(second.cache_hits, 1);
    ck_assert_uint_eq(second.cache_misses, 0);
    ck_assert_uint_eq(second.cache_writes, 0);
}
END_TEST

/*
 * In all families: several launches, of several kernels of a program. Without a trial, whose
 * verdict on a busy machine is not always the same.
 */
START_TEST(plans_of_several_kernels_are_kept) {
    static const struct {
        tally_family family;
        tally_single_pass single_pass;
    } ways[] = {{TALLY_FAMILY_GENERIC, TALLY_SINGLE_PASS_AUTO},
                {TALLY_FAMILY_GPU, TALLY_SINGLE_PASS_ON},
                {TALLY_FAMILY_GPU, TALLY_SINGLE_PASS_OFF},
                {TALLY_FAMILY_CPU, TALLY_SINGLE_PASS_AUTO}};
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++)
        for (int again = 0; again < 2; again++) {
            tally_runtime *runtime = cache_case_open_of(ways[i].family, ways[i].single_pass);
            const tally_cumulative desc = shape_scan(TALLY_SUM, TALLY_I32, SHAPE(100000), 0);
            tally_op *op = NULL;
            tally_error error;
            int32_t *terms = malloc(2 * 100000 * sizeof *terms);
            ck_assert_ptr_nonnull(terms);
            int32_t *sums = terms + 100000, sum = 0;
            for (int32_t k = 0; k < 100000; k++)
                terms[k] = k % 1000 - 300;
            fixture_ok(tally_cumulative_create(runtime, &desc, &op, &error), &error, "create");
            call_op(op, &desc.input, terms, &desc.output, sums);
            for (int32_t k = 0; k < 100000; k++) {
                sum += terms[k];
                ck_assert_int_eq(sums[k], sum);
            }
            if (again == 1)
                ck_assert_uint_eq(fixture_stats(runtime).programs_built, 0);
            tally_runtime_release(runtime);
            free(terms);
        }
}
END_TEST

START_TEST(verdicts_are_kept) {
    tally_numerics numerics[2] = {TALLY_NUMERICS_INIT, TALLY_NUMERICS_INIT};
    tally_scans scans[2] = {TALLY_SCANS_INIT, TALLY_SCANS_INIT};
    char reason[2][256];
    tally_error error;
    for (int i = 0; i < 2; i++) {
        tally_runtime *runtime = cache_case_open_of(TALLY_FAMILY_GPU, TALLY_SINGLE_PASS_AUTO);
        fixture_ok(tally_runtime_numerics(runtime, &numerics[i], &error), &error, "numerics");
        fixture_ok(tally_runtime_scans(runtime, &scans[i], &error), &error, "scans");
        snprintf(reason[i], sizeof reason[i], "%s", scans[i].reason);
        const tally_stats stats = fixture_stats(runtime);
        if (i == 1)
            ck_assert_uint_ge(stats.cache_hits, 2);
        /* A no for groups that waited in vain, as they may on a busy machine, is not kept. */
        if (i == 1 && scans[0].single_pass) {
            ck_assert_uint_eq(stats.program_requests, 0);
            ck_assert_uint_eq(stats.cache_misses, 0);
            ck_assert_uint_ge(stats.cache_hits, 3);
        }
        tally_runtime_release(runtime);
    }
    ck_assert(numerics[0].guaranteed == numerics[1].guaranteed);
    ck_assert_uint_eq(numerics[0].checks, numerics[1].checks);
    ck_assert_uint_eq(numerics[0].dtypes, numerics[1].dtypes);
    ck_assert_uint_ge(scans[0].units, 200);
    ck_assert_uint_eq(scans[0].units, scans[1].units);
    if (scans[0].single_pass) {
        ck_assert(scans[1].single_pass);
        ck_assert_uint_eq(scans[0].left, scans[1].left);
        ck_assert_str_eq(reason[0], reason[1]);
    }
}
END_TEST

/* ---- Damage -----------------------------------------------------------------------------------
 */

/* The topic of the one program that a runtime has, by its file. */
static bool is_found(tally_runtime *runtime, const char *key) {
    tally_blob blob;
    bool found = tally_store_get(&runtime->device.recall.store, key, &blob);
    tally_blob_free(&blob);
    return found;
}

static void keep_key(void *user, const tally_cache_file *file) {
    ck_assert_ptr_nonnull(file->key);
    snprintf(user, 4096, "%s", file->key);
}

/* A program's file, of a size that a driver makes: cut off everywhere, and bits flipped. */
START_TEST(a_damaged_file_is_a_miss) {
    char file[FOLDER_PATH_BYTES], key[4096];
    size_t size = 0;
    const int flips = 1000;
    cache_case_check_compiles();
    folder_first(cache_case_path, ".blob", file);
    ck_assert_int_eq(tally_cache_list(cache_case_path, keep_key, key, NULL), TALLY_OK);
    unsigned char *bytes = folder_read(file, &size);
    tally_runtime *runtime = cache_case_open();
    ck_assert(is_found(runtime, key));
    for (size_t length = size; length-- > 0;) {
        ck_assert_int_eq(truncate(file, (off_t)length), 0);
        ck_assert(!is_found(runtime, key));
    }
    srand(3);
    for (int i = 0; i < flips; i++) {
        const size_t at = (size_t)rand() % size;
        const unsigned char bit = (unsigned char)(1u << rand() % 8);
        bytes[at] ^= bit;
        folder_write(file, bytes, size);
        bytes[at] ^= bit;
        ck_assert(!is_found(runtime, key));
    }
    tally_runtime_release(runtime);
    /* What operators make of it. */
    for (size_t i = 0; i < 4; i++) {
        const size_t length = i == 0 ? 0 : i == 1 ? 100 : i == 2 ? size / 2 : size - 1;
        folder_write(file, bytes, length);
        cache_case_check_compiles();
        cache_case_check_loads();
    }
    printf("cache: %zu truncation lengths and %d flipped bits of a program: all missed\n", size,
           flips);
    free(bytes);
}
END_TEST

/* Another driver's binary is another key's, and under this key's name it is still not taken. */
START_TEST(another_drivers_binary_is_not_taken) {
    tally_runtime *runtime = cache_case_open();
    char file[FOLDER_PATH_BYTES], own[FOLDER_PATH_BYTES];
    char *driver = strstr(runtime->device.recall.identity.data, "\ndriver: ");
    ck_assert_ptr_nonnull(driver);
    driver[9] ^= 1;
    cache_case_check_result(runtime, TALLY_SUM);
    ck_assert_uint_eq(fixture_stats(runtime).cache_writes, 1);
    tally_runtime_release(runtime);
    folder_first(cache_case_path, ".blob", file);
    cache_case_check_compiles();
    ck_assert_uint_eq(folder_count(cache_case_path, ".blob"), 2);
    cache_case_check_loads();
    folder_first(cache_case_path, ".blob", own);
    if (strcmp(own, file) == 0) { /* the first of the two is the other driver's */
        ck_assert_int_eq(rename(file, strcat(strcpy(own, cache_case_path), "/moved")), 0);
        folder_first(cache_case_path, ".blob", file);
        ck_assert_int_eq(rename(own, file), 0);
    } else {
        ck_assert_int_eq(rename(file, own), 0);
    }
    cache_case_check_compiles();
    cache_case_check_loads();
}
END_TEST

/* Put bytes under the key of the sum's program. */
static void plant(const void *bytes, size_t size) {
    char key[4096];
    tally_runtime *runtime = cache_case_open();
    ck_assert_int_eq(tally_cache_list(cache_case_path, keep_key, key, NULL), TALLY_OK);
    ck_assert(tally_store_put(&runtime->device.recall.store, key, bytes, size));
    tally_runtime_release(runtime);
}

/* Under the key of the sum's program, which is there: another program's binary. */
static void plant_foreign(void) {
    char foreign[FOLDER_PATH_BYTES], first[FOLDER_PATH_BYTES];
    size_t size = 0;
    folder_first(cache_case_path, ".blob", first);
    char aside[FOLDER_PATH_BYTES + 8];
    snprintf(aside, sizeof aside, "%s/aside", cache_case_path);
    ck_assert_int_eq(rename(first, aside), 0);
    tally_runtime *runtime = cache_case_open();
    cache_case_check_result(runtime, TALLY_MAX);
    folder_first(cache_case_path, ".blob", foreign);
    unsigned char *bytes = folder_read(foreign, &size);
    tally_entry entry;
    ck_assert(tally_entry_read(bytes, size, NULL, &entry));
    ck_assert_int_eq(remove(foreign), 0);
    ck_assert_int_eq(rename(aside, first), 0);
    tally_runtime_release(runtime);
    plant(entry.payload, entry.payload_bytes);
    free(bytes);
}

/* Bytes that are whole, but no binary of this program: refused by the driver, or without a kernel.
 */
START_TEST(a_useless_binary_is_built_anew) {
    cache_case_check_compiles();
    plant("no binary at all", 16);
    cache_case_check_compiles();
    cache_case_check_loads();
    plant("", 0);
    cache_case_check_compiles();
    plant_foreign();
    const tally_stats stats = cache_case_start();
    ck_assert_uint_eq(stats.programs_loaded, 1);
    ck_assert_uint_eq(stats.programs_built, 1);
    ck_assert_uint_eq(stats.programs, 1);
    cache_case_check_loads();
}
END_TEST

static void *make_sum(void *runtime) {
    const tally_reduce desc = shape_reduce(TALLY_SUM, TALLY_I32, SHAPE(CACHE_CASE_TERMS), 1);
    tally_op *op = NULL;
    const tally_status status = tally_reduce_create(runtime, &desc, &op, NULL);
    tally_op_release(op);
    return status == TALLY_OK ? runtime : NULL;
}

/* One of them builds it, and the others, who have met the same fault, try again. */
START_TEST(threads_that_meet_a_useless_binary_go_on) {
    enum { THREADS = 4 };
    pthread_t threads[THREADS];
    cache_case_check_compiles();
    plant_foreign();
    tally_runtime *runtime = cache_case_open();
    for (int k = 0; k < THREADS; k++)
        ck_assert_int_eq(pthread_create(&threads[k], NULL, make_sum, runtime), 0);
    for (int k = 0; k < THREADS; k++) {
        void *made = NULL;
        ck_assert_int_eq(pthread_join(threads[k], &made), 0);
        ck_assert_ptr_eq(made, runtime);
    }
    const tally_stats stats = fixture_stats(runtime);
    ck_assert_uint_eq(stats.programs_built, 1);
    ck_assert_uint_eq(stats.programs, 1);
    tally_runtime_release(runtime);
}
END_TEST

Suite *suite_cache(void) {
    Suite *suite = suite_create("cache");
    TCase *tests = tcase_create("cache");
    tcase_set_timeout(tests, 600);
    tcase_add_checked_fixture(tests, cache_case_set_up, cache_case_tear_down);
    tcase_add_test(tests, the_second_runtime_compiles_nothing);
    tcase_add_test(tests, plans_of_several_kernels_are_kept);
    tcase_add_test(tests, verdicts_are_kept);
    tcase_add_test(tests, a_damaged_file_is_a_miss);
    tcase_add_test(tests, another_drivers_binary_is_not_taken);
    tcase_add_test(tests, a_useless_binary_is_built_anew);
    tcase_add_test(tests, threads_that_meet_a_useless_binary_go_on);
    suite_add_tcase(suite, tests);
    return suite;
}
