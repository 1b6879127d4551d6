/*
 * test_runtime.c: runtimes: what their config must be, what outlives what, and how often they
 * compile.
 */
#include <check.h>
#include <pthread.h>
#include <string.h>

#include "support/descriptions/shape.h"
#include "support/fixtures/call.h"
#include "support/fixtures/fixture.h"
#include "support/fixtures/image.h"
#include "support/refusal.h"

Suite *suite_runtime(void);

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void refuse_config(const tally_config *config, refusal expected) {
    tally_error error;
    int position = 0;
    tally_runtime *runtime = (tally_runtime *)(void *)&position; /* anything that is not NULL */
    memset(&error, 0x55, sizeof error);
    refusal_check(expected, tally_runtime_create(config, &runtime, &error), &error);
    ck_assert_ptr_null(runtime);
    ck_assert_int_eq(tally_runtime_create(config, &runtime, NULL), expected.status);
}

static void refuse_overrides(tally_overrides overrides, refusal expected) {
    tally_config config = fixture_config();
    config.overrides = &overrides;
    refuse_config(&config, expected);
}

START_TEST(bad_configs) {
    const uint32_t sizes[] = {0, 9, UINT32_MAX};
    tally_error error;
    for (size_t k = 0; k < COUNT(sizes); k++) {
        tally_config config = fixture_config();
        config.struct_size = sizes[k];
        refuse_config(&config, REFUSAL(TALLY_INVALID, "struct_size", "tally_config"));
    }
    tally_config config = fixture_config();
    config.context = NULL;
    refuse_config(&config, REFUSAL(TALLY_INVALID, "context", "NULL"));
    const uint32_t size = sizeof(tally_overrides);
    refuse_overrides((tally_overrides){size, (tally_family)4, TALLY_SINGLE_PASS_AUTO},
                     REFUSAL(TALLY_INVALID, "family 4", "highest is 3"));
    refuse_overrides((tally_overrides){size, (tally_family)-1, TALLY_SINGLE_PASS_AUTO},
                     REFUSAL(TALLY_INVALID, "family -1", "highest is 3"));
    refuse_overrides((tally_overrides){size, TALLY_FAMILY_AUTO, (tally_single_pass)3},
                     REFUSAL(TALLY_INVALID, "single_pass 3", "highest is 2"));
    refuse_overrides((tally_overrides){0, TALLY_FAMILY_AUTO, TALLY_SINGLE_PASS_AUTO},
                     REFUSAL(TALLY_INVALID, "struct_size", "tally_overrides"));
    refuse_config(NULL, REFUSAL(TALLY_INVALID, "NULL"));
    config = fixture_config();
    refusal_check(REFUSAL(TALLY_INVALID, "NULL"), tally_runtime_create(&config, NULL, &error),
                  &error);
}
END_TEST

START_TEST(only_device_is_found) {
    tally_config config = fixture_config();
    tally_runtime *runtime = NULL;
    tally_error error;
    config.device = NULL;
    fixture_ok(tally_runtime_create(&config, &runtime, &error), &error, "tally_runtime_create");
    ck_assert_int_eq(error.status, TALLY_OK);
    ck_assert_int_eq(error.cl_code, 0);
    ck_assert_str_eq(error.message, "");
    tally_runtime_release(runtime);
}
END_TEST

START_TEST(every_family_is_accepted) {
    ck_assert_ptr_null(fixture_config().overrides);
    for (int family = TALLY_FAMILY_AUTO; family <= TALLY_FAMILY_CPU; family++) {
        tally_overrides overrides = TALLY_OVERRIDES_INIT;
        tally_config config = fixture_config();
        tally_runtime *runtime = NULL;
        tally_error error;
        overrides.family = (tally_family)family;
        config.overrides = &overrides;
        fixture_ok(tally_runtime_create(&config, &runtime, &error), &error, "tally_runtime_create");
        tally_runtime_release(runtime);
    }
}
END_TEST

static tally_stats stats_of(tally_runtime *runtime) {
    tally_stats stats = TALLY_STATS_INIT;
    tally_error error;
    fixture_ok(tally_runtime_stats(runtime, &stats, &error), &error, "tally_runtime_stats");
    return stats;
}

START_TEST(bad_stats) {
    tally_stats stats = {.struct_size = 0};
    tally_error error;
    tally_runtime *runtime = fixture_get()->runtime;
    refusal_check(REFUSAL(TALLY_INVALID, "struct_size", "0"),
                  tally_runtime_stats(runtime, &stats, &error), &error);
    refusal_check(REFUSAL(TALLY_INVALID, "NULL"), tally_runtime_stats(runtime, NULL, &error),
                  &error);
    stats.struct_size = sizeof stats;
    refusal_check(REFUSAL(TALLY_INVALID, "NULL"), tally_runtime_stats(NULL, &stats, &error),
                  &error);
    ck_assert_int_eq(tally_runtime_stats(NULL, NULL, NULL), TALLY_INVALID);
}
END_TEST

/* ---- Compiling ------------------------------------------------------------------------------ */

static tally_op *make_sum(tally_runtime *runtime, shape sizes, uint32_t axes) {
    const tally_reduce desc = shape_reduce(TALLY_SUM, TALLY_F32, sizes, axes);
    tally_op *op = NULL;
    tally_error error;
    fixture_ok(tally_reduce_create(runtime, &desc, &op, &error), &error, "tally_reduce_create");
    return op;
}

/* Sizes are arguments: rows, short rows and columns have their programs, whatever their sizes. */
START_TEST(another_shape_compiles_nothing) {
    tally_runtime *runtime = fixture_make_runtime();
    ck_assert_uint_eq(stats_of(runtime).programs_built, 0);
    tally_op_release(make_sum(runtime, SHAPE(7, 100), 2));
    tally_op_release(make_sum(runtime, SHAPE(12, 5000), 2));
    tally_op_release(make_sum(runtime, SHAPE(12, 9), 1));
    const tally_stats first = stats_of(runtime);
    ck_assert_uint_ge(first.programs_built, 1);
    ck_assert_uint_eq(first.programs, first.programs_built);
    tally_op_release(make_sum(runtime, SHAPE(7, 100), 2));
    tally_op_release(make_sum(runtime, SHAPE(31, 80), 2));
    tally_op_release(make_sum(runtime, SHAPE(11, 6000), 2));
    tally_op_release(make_sum(runtime, SHAPE(14, 9), 1));
    tally_op_release(make_sum(runtime, SHAPE(2, 3, 4, 1500), 14));
    tally_op_release(make_sum(runtime, SHAPE(14, 3, 3), 1));
    const tally_stats later = stats_of(runtime);
    ck_assert_uint_eq(later.programs_built, first.programs_built);
    ck_assert_uint_eq(later.programs, first.programs);
    ck_assert_uint_gt(later.program_requests, first.program_requests);
    tally_runtime_release(runtime);
}
END_TEST

START_TEST(direction_and_exclusive_share_a_program) {
    tally_runtime *runtime = fixture_make_runtime();
    for (int way = 0; way < 4; way++) {
        tally_cumulative desc = shape_scan(TALLY_MAX, TALLY_U16, SHAPE(9, 20), 1);
        tally_op *op = NULL;
        tally_error error;
        desc.descending = way % 2 == 1;
        desc.exclusive = way / 2 == 1;
        fixture_ok(tally_cumulative_create(runtime, &desc, &op, &error), &error, "create");
        tally_op_release(op);
    }
    ck_assert_uint_eq(stats_of(runtime).programs_built, 1);
    tally_runtime_release(runtime);
}
END_TEST

static void *create_sum(void *runtime) {
    return make_sum(runtime, SHAPE(7, 100), 2);
}

/* Eight threads that want one program at once compile it once. */
START_TEST(threads_compile_once) {
    enum { THREADS = 8 };
    pthread_t threads[THREADS];
    tally_runtime *runtime = fixture_make_runtime(), *alone = fixture_make_runtime();
    tally_op_release(make_sum(alone, SHAPE(7, 100), 2));
    for (int k = 0; k < THREADS; k++) {
        ck_assert_int_eq(pthread_create(&threads[k], NULL, create_sum, runtime), 0);
    }
    for (int k = 0; k < THREADS; k++) {
        void *op = NULL;
        ck_assert_int_eq(pthread_join(threads[k], &op), 0);
        ck_assert_ptr_nonnull(op);
        tally_op_release(op);
    }
    ck_assert_uint_eq(stats_of(runtime).programs_built, stats_of(alone).programs_built);
    tally_runtime_release(runtime);
    tally_runtime_release(alone);
}
END_TEST

/* ---- What outlives what --------------------------------------------------------------------- */

/* The caller's context goes first, then the runtime; the operator works on. */
START_TEST(operator_outlives_runtime_and_context) {
    const fixture *on = fixture_get();
    cl_int code = CL_SUCCESS;
    cl_context context = clCreateContext(NULL, 1, &on->device, NULL, NULL, &code);
    fixture_check(code);
    tally_config config = TALLY_CONFIG_INIT;
    tally_runtime *runtime = NULL;
    tally_error error;
    const float x[3] = {1, 2, 4};
    float sum = 0;
    config.context = context;
    fixture_ok(tally_runtime_create(&config, &runtime, &error), &error, "tally_runtime_create");
    tally_op *op = make_sum(runtime, SHAPE(3), 1);
    cl_command_queue queue = clCreateCommandQueue(context, on->device, 0, &code);
    fixture_check(code);
    cl_mem in = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof x,
                               (void *)(uintptr_t)x, &code);
    fixture_check(code);
    cl_mem out = clCreateBuffer(context, CL_MEM_WRITE_ONLY, sizeof sum, NULL, &code);
    fixture_check(code);
    clReleaseContext(context);
    tally_runtime_release(runtime);
    const tally_binding binding = {{.buffer = in}, {.buffer = out}, {.buffer = NULL}};
    fixture_ok(tally_op_enqueue(op, queue, &binding, 0, NULL, NULL, &error), &error, "enqueue");
    tally_op_release(op); /* the work may still be queued */
    fixture_check(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof sum, &sum, 0, NULL, NULL));
    ck_assert(sum == 7);
    clReleaseMemObject(in);
    clReleaseMemObject(out);
    clReleaseCommandQueue(queue);
}
END_TEST

/* All references to the context are given back, in either order of release. */
START_TEST(context_is_given_back) {
    cl_context context = fixture_get()->context;
    const cl_uint before = fixture_references(context);
    for (int order = 0; order < 2; order++) {
        tally_runtime *runtime = fixture_make_runtime();
        tally_op *op = make_sum(runtime, SHAPE(2, 5000), 2);
        ck_assert_uint_gt(fixture_references(context), before);
        if (order == 0) {
            tally_op_release(op);
            tally_runtime_release(runtime);
        } else {
            tally_runtime_release(runtime);
            tally_op_release(op);
        }
        fixture_check_references(context, before);
    }
}
END_TEST

Suite *suite_runtime(void) {
    Suite *suite = suite_create("runtime");
    TCase *tests = tcase_create("runtime");
    tcase_set_timeout(tests, 600);
    tcase_add_test(tests, bad_configs);
    tcase_add_test(tests, only_device_is_found);
    tcase_add_test(tests, every_family_is_accepted);
    tcase_add_test(tests, bad_stats);
    tcase_add_test(tests, another_shape_compiles_nothing);
    tcase_add_test(tests, direction_and_exclusive_share_a_program);
    tcase_add_test(tests, threads_compile_once);
    tcase_add_test(tests, operator_outlives_runtime_and_context);
    tcase_add_test(tests, context_is_given_back);
    suite_add_tcase(suite, tests);
    return suite;
}
