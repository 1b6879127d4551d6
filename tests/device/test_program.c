/*
 * test_program.c: building programs. A compiler's complaint must name the file of cl/ and the line
 * and reach the caller, every kernel that the tables allow must compile, and nothing is compiled
 * twice.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/runtime.h"
#include "device/program.h"
#include "plan/group.h"
#include "plan/program/source.h"
#include "plan/program/variants.h"
#include "support/fixtures/fixture.h"
#include "support/plans/all_specs.h"

/* What the log callback got. */
typedef struct words {
    int calls;
    char text[4096];
} words;

static void keep(void *user, tally_log_level level, const char *text) {
    words *kept = user;
    ck_assert_int_eq(level, TALLY_LOG_ERROR);
    kept->calls++;
    strncpy(kept->text, text, sizeof kept->text - 1);
}

static tally_runtime *make_logging_runtime(words *kept) {
    tally_config config = TALLY_CONFIG_INIT;
    tally_runtime *runtime = NULL;
    tally_error error;
    config.context = fixture_get()->context;
    config.log = keep;
    config.user = kept;
    fixture_ok(tally_runtime_create(&config, &runtime, &error), &error, "tally_runtime_create");
    return runtime;
}

static tally_spec sum_spec(void) {
    return (tally_spec){.schedule = TALLY_FOLD_ANY,
                        .function = TALLY_SUM,
                        .input = TALLY_F32,
                        .kept_rank = 1,
                        .swept_rank = 1,
                        .index_bits = 32};
}

static tally_status make_kernel(tally_runtime *runtime, const tally_spec *spec, cl_kernel *kernel,
                                tally_error *error) {
    const tally_program_key key = tally_kernels_key(&runtime->device, spec, NULL, 0);
    bool loaded = true;
    const tally_status status =
        tally_kernels_make(&runtime->kernels, &runtime->device, &key, spec, kernel, &loaded, error);
    ck_assert(!loaded);
    return status;
}

/* The line of a text, from 1, in which part begins. */
static int line_of(const char *text, const char *part) {
    int line = 1;
    for (const char *c = text; c < part; c++)
        line += *c == '\n';
    return line;
}

/* A fault put into the text of cl/thread/fold.cl is reported with that file's name and line. */
START_TEST(test_complaint_names_file_and_line) {
    words kept = {0};
    tally_runtime *runtime = make_logging_runtime(&kept);
    tally_text source = TALLY_TEXT_INIT;
    tally_spec spec = sum_spec();
    tally_source_write(&spec, &source);
    ck_assert(!source.failed);
    char *file = strstr(source.data, "#line 1 \"cl/thread/fold.cl\"\n");
    ck_assert_ptr_nonnull(file);
    file = strchr(file, '\n') + 1;
    char *fault = strstr(file, "static void TALLY_FN(put)"); /* which every program compiles */
    ck_assert_ptr_nonnull(fault);
    memcpy(fault, "static vxid", strlen("static vxid"));
    char position[64];
    snprintf(position, sizeof position, "cl/thread/fold.cl:%d", line_of(file, fault));

    tally_error error;
    cl_program program = NULL;
    tally_status status =
        tally_program_build(&runtime->device, "a faulty program", source.data, &program, &error);
    ck_assert_int_eq(status, TALLY_BUILD_FAILED);
    ck_assert_int_eq(error.status, TALLY_BUILD_FAILED);
    ck_assert_int_ne(error.cl_code, 0);
    ck_assert_ptr_null(program);
    ck_assert_msg(strstr(error.message, position) != NULL, "'%s' lacks '%s'", error.message,
                  position);
    ck_assert_ptr_nonnull(strstr(error.message, "a faulty program"));
    ck_assert_int_eq(kept.calls, 1);
    ck_assert_msg(strstr(kept.text, position) != NULL, "the log '%s' lacks '%s'", kept.text,
                  position);
    tally_text_free(&source);
    tally_runtime_release(runtime);
}
END_TEST

/* A build that failed is not remembered as a program, and the next operator is not harmed. */
START_TEST(test_failed_build_is_forgotten) {
    words kept = {0};
    tally_runtime *runtime = make_logging_runtime(&kept);
    const char *options = runtime->device.build_options;
    tally_spec spec = sum_spec();
    spec.first = spec.last = 1;
    tally_error error;
    cl_kernel kernel = NULL;
    runtime->device.build_options = "-cl-std=CL1.2 -cl-no-such-option";
    ck_assert_int_eq(make_kernel(runtime, &spec, &kernel, &error), TALLY_BUILD_FAILED);
    ck_assert_ptr_null(kernel);
    ck_assert_uint_eq(runtime->kernels.count, 0);
    runtime->device.build_options = options;
    fixture_ok(make_kernel(runtime, &spec, &kernel, &error), &error, "tally_kernels_make");
    ck_assert_uint_eq(runtime->kernels.count, 1);
    ck_assert_uint_eq(runtime->kernels.built, 1);
    clReleaseKernel(kernel);
    tally_runtime_release(runtime);
}
END_TEST

static void make_variant(const tally_spec *variant, void *user) {
    tally_runtime *runtime = user;
    tally_error error;
    cl_kernel kernel = NULL;
    fixture_ok(make_kernel(runtime, variant, &kernel, &error), &error, "tally_kernels_make");
    clReleaseKernel(kernel);
}

/* One program holds all kernels that differ in their variants only, at both index widths. */
START_TEST(test_variants_share_a_program) {
    static const tally_spec specs[] = {
        {.schedule = TALLY_FOLD_ANY,
         .function = TALLY_ARGMIN,
         .input = TALLY_F16,
         .kept_rank = 8,
         .swept_rank = 8,
         .index_bits = 64,
         .nan = TALLY_NAN_IGNORE,
         .tie = TALLY_TIE_LAST},
        {.schedule = TALLY_FOLD_ANY,
         .function = TALLY_LOG_SUM_EXP,
         .input = TALLY_F16,
         .kept_rank = 2,
         .swept_rank = 4,
         .index_bits = 64,
         .group = 64},
        {.schedule = TALLY_SCAN_ANY,
         .function = TALLY_MIN,
         .input = TALLY_I8,
         .kept_rank = 4,
         .swept_rank = 1,
         .index_bits = 64},
        {.schedule = TALLY_SCAN_ANY,
         .function = TALLY_MULTIPLY,
         .input = TALLY_U64,
         .kept_rank = 8,
         .swept_rank = 1,
         .index_bits = 32,
         .group = 16},
        {.schedule = TALLY_SCAN_SHORT_ROWS,
         .function = TALLY_SUM,
         .input = TALLY_F16,
         .kept_rank = 1,
         .swept_rank = 1,
         .index_bits = 32,
         .group = 128,
         .policy.scan_short_rows.runs_per_item = 1,
         .policy.scan_short_rows.pack_elements = 1},
        {.schedule = TALLY_SCAN_ROWS,
         .function = TALLY_MIN,
         .input = TALLY_F32,
         .kept_rank = 2,
         .swept_rank = 1,
         .index_bits = 32,
         .group = 64,
         .policy.scan_rows.carry = TALLY_CARRY_WALK,
         .policy.scan_rows.merged = 5,
         .policy.scan_rows.runs_per_item = 1},
        {.schedule = TALLY_SCAN_ROWS,
         .function = TALLY_MULTIPLY,
         .input = TALLY_F32,
         .kept_rank = 2,
         .swept_rank = 1,
         .index_bits = 64,
         .group = 256,
         .policy.scan_rows.carry = TALLY_CARRY_RECOMPUTE,
         .policy.scan_rows.merged = 2,
         .policy.scan_rows.runs_per_item = 1},
        {.schedule = TALLY_SCAN_ROWS,
         .function = TALLY_SUM,
         .input = TALLY_F16,
         .kept_rank = 4,
         .swept_rank = 1,
         .index_bits = 64,
         .group = 64,
         .policy.scan_rows.carry = TALLY_CARRY_LOOK_BACK,
         .policy.scan_rows.merged = 3,
         .policy.scan_rows.runs_per_item = 2,
         .word = 4},
        {.schedule = TALLY_SCAN_COLUMNS,
         .function = TALLY_SUM,
         .input = TALLY_F16,
         .kept_rank = 4,
         .swept_rank = 1,
         .index_bits = 64,
         .group = 64,
         .policy.scan_columns.carry = TALLY_CARRY_WALK,
         .policy.scan_columns.pack = 8},
        {.schedule = TALLY_FILL, .input = TALLY_U16, .kept_rank = 8, .index_bits = 64},
    };
    tally_runtime *runtime = fixture_make_runtime();
    for (size_t i = 0; i < sizeof specs / sizeof specs[0]; i++) {
        tally_source_each_variant(&specs[i], make_variant, runtime);
        ck_assert_uint_eq(runtime->kernels.built, i + 1);
    }
    tally_runtime_release(runtime);
}
END_TEST

/* Kernels that are asked: of each schedule the first program, and every so many-th of those with
 * local memory. */
typedef struct asked {
    tally_runtime *runtime;
    int seen[TALLY_SCHEDULES], count;
} asked;

static void check_local_memory(const tally_spec *variant, void *user) {
    asked *it = user;
    const cl_device_id device = it->runtime->device.id;
    cl_ulong bytes = 0;
    tally_error error;
    cl_kernel kernel = NULL;
    fixture_ok(make_kernel(it->runtime, variant, &kernel, &error), &error, "tally_kernels_make");
    fixture_check(clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof bytes,
                                           &bytes, NULL));
    char name[TALLY_NAME_BYTES];
    tally_spec_name(variant, name);
    ck_assert_msg(bytes <= tally_group_local_bytes(variant), "%s has %llu bytes, not %llu", name,
                  (unsigned long long)bytes, (unsigned long long)tally_group_local_bytes(variant));
    clReleaseKernel(kernel);
    it->count++;
}

static void ask(const tally_spec *program, void *user) {
    asked *it = user;
    const uint64_t bytes = tally_group_local_bytes(program);
    int *seen = &it->seen[program->schedule];
    if (bytes > it->runtime->device.limits.local_bytes)
        return;
    if (bytes > 0 ? *seen % 1499 == 0 : *seen == 0)
        tally_source_each_variant(program, check_local_memory, it);
    ++*seen;
}

/* What planners count on is what a driver says, or more. */
START_TEST(test_local_memory_is_known) {
    asked it = {.runtime = fixture_make_runtime()};
    all_specs_each_program(true, ask, &it);
    ck_assert_int_gt(it.count, 20);
    for (uint8_t schedule = 0; schedule < TALLY_SCHEDULES; schedule++)
        ck_assert_msg(it.seen[schedule] > 0, "no program of %s was compiled",
                      tally_schedule_find(schedule)->name);
    tally_runtime_release(it.runtime);
}
END_TEST

Suite *suite_program(void);
Suite *suite_program(void) {
    Suite *suite = suite_create("program");
    TCase *cases = tcase_create("program");
    tcase_set_timeout(cases, 0);
    tcase_add_test(cases, test_complaint_names_file_and_line);
    tcase_add_test(cases, test_failed_build_is_forgotten);
    tcase_add_test(cases, test_variants_share_a_program);
    tcase_add_test(cases, test_local_memory_is_known);
    suite_add_tcase(suite, cases);
    return suite;
}
