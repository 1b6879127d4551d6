/*
 * test_directml_malformed.c: descriptions for DirectML with one fault each. Creating must fail with
 * the right status and a sentence that names the fault, and leave nothing behind: no operator, no
 * program, and, under a leak checker, no memory.
 */
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "faults.h"
#include "support/fixtures/fixture.h"

/* What is tried, for the messages. */
typedef struct attempt {
    const fault *fault;
    int operator_; /* index */
    int tensor;    /* or -1 */
    char name[160];
} attempt;

static bool says(const char *message, const char *parts) {
    char part[128];
    while (*parts != '\0') {
        const size_t length = strcspn(parts, "|");
        ck_assert_uint_lt(length, sizeof part);
        memcpy(part, parts, length);
        part[length] = '\0';
        if (strstr(message, part) == NULL) {
            return false;
        }
        parts += length + (parts[length] == '|');
    }
    return true;
}

static void judge(const attempt *try, tally_status status, const tally_error *error) {
    const char *role = try->tensor == SAMPLE_INPUT ? "InputTensor" : "OutputTensor";
    const bool modelled = strstr(try->fault->says, "collide") != NULL;
    if (status != try->fault->status || error->status != status || error->cl_code != 0) {
        ck_abort_msg("%s: status %d instead of %d: %s", try->name, (int)status,
                     (int)try->fault->status, error->message);
    }
    if (!says(error->message, try->fault->says)) {
        ck_abort_msg("%s: '%s' does not say '%s'", try->name, error->message, try->fault->says);
    }
    if (try->tensor >= 0 && !modelled && strstr(error->message, role) == NULL) {
        ck_abort_msg("%s: '%s' does not name the %s", try->name, error->message, role);
    }
    if (strlen(error->message) > 400) {
        ck_abort_msg("%s: too long: '%s'", try->name, error->message);
    }
}

/* The same without the fault is legal; with it, it is refused by all ways. */
static void try_fault(tally_runtime *runtime, attempt *try) {
    static const char *const tensors[] = {"", " of the input", " of the output"};
    tally_error error = TALLY_ERROR_INIT;
    tally_op *op = NULL;
    sample broken;
    snprintf(try->name, sizeof try->name, "%s%s, operator %d", try->fault->name,
             tensors[try->tensor + 1], (int)sample_operators[try->operator_]);
    sample_make(&broken, sample_operators[try->operator_]);
    fixture_ok(tally_dml_operator_check(&broken.desc, broken.level, NULL, &error), &error,
               try->name);
    try->fault->apply(&broken, try->tensor, try->fault->value);
    judge(try, tally_dml_operator_create(runtime, &broken.desc, broken.level, &op, &error), &error);
    ck_assert_ptr_null(op);
    judge(try, tally_dml_operator_check(&broken.desc, broken.level, NULL, &error), &error);
    ck_assert_int_eq(tally_dml_operator_create(runtime, &broken.desc, broken.level, &op, NULL),
                     try->fault->status);
    sample_free(&broken);
}

/* The number of cases. */
static unsigned try_all(tally_runtime *runtime, const fault *given) {
    unsigned count = 0;
    for (int k = 0; k < SAMPLE_OPERATORS; k++) {
        if ((given->operators >> k & 1) == 0) {
            continue;
        }
        for (int tensor = -1; tensor < SAMPLE_TENSORS; tensor++) {
            const bool wanted =
                tensor < 0 ? given->tensors == NEITHER : given->tensors >> tensor & 1;
            const bool has_input = sample_operators[k] != DML_OPERATOR_DIAGONAL_MATRIX;
            if (wanted && (tensor != SAMPLE_INPUT || has_input)) {
                attempt try = {given, k, tensor, ""};
                try_fault(runtime, &try);
                count++;
            }
        }
    }
    return count;
}

START_TEST(test_one_fault_each) {
    tally_stats stats = TALLY_STATS_INIT;
    tally_error error;
    unsigned count = 0;
    fixture_get();
    tally_runtime *runtime = fixture_make_runtime();
    for (size_t k = 0; k < fault_count; k++) {
        const unsigned cases = try_all(runtime, &faults[k]);
        ck_assert_msg(cases > 0, "%s breaks nothing", faults[k].name);
        count += cases;
    }
    printf("%u malformed descriptions refused\n", count);
    ck_assert_uint_ge(count, 200);
    fixture_ok(tally_runtime_stats(runtime, &stats, &error), &error, "tally_runtime_stats");
    ck_assert_uint_eq(stats.program_requests, 0);
    tally_runtime_release(runtime);
}
END_TEST

START_TEST(test_missing_arguments) {
    tally_error error;
    tally_op *op = NULL;
    sample made;
    sample_make(&made, DML_OPERATOR_REDUCE);
    tally_runtime *runtime = fixture_get()->runtime;
    ck_assert_int_eq(tally_dml_operator_create(runtime, NULL, made.level, &op, &error),
                     TALLY_INVALID);
    ck_assert_str_eq(error.message, "the DML_OPERATOR_DESC is NULL");
    ck_assert_int_eq(tally_dml_operator_create(NULL, &made.desc, made.level, &op, &error),
                     TALLY_INVALID);
    ck_assert_str_eq(error.message, "the runtime is NULL");
    ck_assert_int_eq(tally_dml_operator_create(runtime, &made.desc, made.level, NULL, &error),
                     TALLY_INVALID);
    ck_assert_str_eq(error.message, "the place for the operator is NULL");
    ck_assert_int_eq(tally_dml_operator_check(NULL, made.level, NULL, &error), TALLY_INVALID);
    ck_assert_int_eq(tally_dml_operator_check(NULL, made.level, NULL, NULL), TALLY_INVALID);
    sample_free(&made);
}
END_TEST

Suite *suite_directml_malformed(void);

Suite *suite_directml_malformed(void) {
    Suite *suite = suite_create("directml_malformed");
    TCase *all = tcase_create("all");
    tcase_set_timeout(all, 600);
    tcase_add_test(all, test_one_fault_each);
    tcase_add_test(all, test_missing_arguments);
    suite_add_tcase(suite, all);
    return suite;
}
