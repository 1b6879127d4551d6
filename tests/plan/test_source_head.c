/*
 * What stands in front of the sources of all programs: each field of the spec, the state and the
 * function's row, as macros and expressions that the files below read.
 */
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "model/dtype.h"
#include "model/monoid.h"
#include "support/plans/sources.h"

static void expect_line(const tally_spec *program, const char *source, const char *macro,
                        const char *value) {
    char line[400];
    snprintf(line, sizeof line, "\n#define TALLY_%s %s\n", macro, value);
    if (strstr(source, line) == NULL)
        sources_fail(program, line);
}

static void expect_number(const tally_spec *program, const char *source, const char *macro,
                          unsigned value) {
    char digits[16];
    snprintf(digits, sizeof digits, "%u", value);
    expect_line(program, source, macro, digits);
}

static void check_head(const tally_spec *program, const char *text) {
    const tally_dtype_row *type = tally_dtype_find((tally_dtype)program->input);
    const bool needs_f64 = program->input == TALLY_F64;
    if (strncmp(text, "#pragma OPENCL FP_CONTRACT OFF\n", 31) != 0)
        sources_fail(program, "contraction is forbidden before all else");
    if ((strstr(text, "cl_khr_fp64") != NULL) != needs_f64 || strstr(text, "cl_khr_fp16") != NULL)
        sources_fail(program, "fp64 is asked for exactly where it is computed with");
    expect_line(program, text, "STORAGE", type->storage);
    expect_line(program, text, "COMPUTE", type->compute);
    expect_line(program, text, "KEY", type->key);
    expect_line(program, text, "INDEX", program->index_bits == 32 ? "uint" : "ulong");
    expect_number(program, text, "BYTES", type->bytes);
    expect_number(program, text, "FLOATING", type->class == TALLY_FLOATING);
    expect_number(program, text, "SIGNED", type->class == TALLY_SIGNED);
    expect_number(program, text, "KEPT_RANK", program->kept_rank);
    expect_number(program, text, "SWEPT_RANK", program->swept_rank);
    expect_number(program, text, "GROUP", program->group);
    const tally_policy_row *policy = tally_spec_policy(program);
    bool has_pack = false;
    for (size_t i = 0; i < policy->count; i++) {
        expect_number(program, text, policy->fields[i].macro, program->policy.field[i]);
        has_pack = has_pack || strcmp(policy->fields[i].macro, "PACK_BYTES") == 0;
    }
    if (!has_pack)
        expect_number(program, text, "PACK_BYTES", 16);
}

START_TEST(every_field_is_compiled_in) {
    sources_check(11, check_head);
}
END_TEST

/* A fill carries no state, but the numbers that it shares with others ask for one. */
static void check_state(const tally_spec *program, const char *text) {
    const tally_monoid *monoid = tally_monoid_find((tally_function)program->function);
    const int state = monoid != NULL ? (int)monoid->state : -1;
    expect_number(program, text, "STATE_IS_KEY", state == TALLY_STATE_KEY);
    expect_number(program, text, "STATE_IS_INDEXED", state == TALLY_STATE_INDEXED);
    expect_number(program, text, "STATE_IS_SHIFTED", state == TALLY_STATE_SHIFTED);
}

START_TEST(every_state_is_known) {
    sources_check(11, check_state);
}
END_TEST

static void check_function(const tally_spec *program, const char *text) {
    const tally_monoid *monoid = tally_monoid_find((tally_function)program->function);
    char body[200];
    if (monoid == NULL)
        return;
    snprintf(body, sizeof body, "{ return %s; }\n", monoid->map);
    if (strstr(text, body) == NULL)
        sources_fail(program, "the map is not there");
    snprintf(body, sizeof body, "tally_combine_terms(tally_term a, tally_term b) { return %s; }\n",
             monoid->combine);
    if (strstr(text, body) == NULL)
        sources_fail(program, "the join is not there");
    snprintf(body, sizeof body, "{ return %s; }\n", monoid->finalize);
    if (strstr(text, body) == NULL && monoid->state != TALLY_STATE_INDEXED)
        sources_fail(program, "the finish is not there");
    snprintf(body, sizeof body, "(%s)", monoid->identity);
    expect_line(program, text, "IDENTITY", body);
    snprintf(body, sizeof body, "(%s)", monoid->empty);
    expect_line(program, text, "EMPTY", body);
    expect_number(program, text, "STATE_BYTES", tally_spec_state_bytes(program));
    expect_number(program, text, "NAN_IS_IGNORED", program->nan == TALLY_NAN_IGNORE);
    expect_number(program, text, "TIE_IS_LAST", program->tie == TALLY_TIE_LAST);
}

START_TEST(every_function_is_its_row) {
    sources_check(11, check_function);
}
END_TEST

Suite *suite_source_head(void);

Suite *suite_source_head(void) {
    Suite *suite = suite_create("source_head");
    TCase *tests = tcase_create("source_head");
    tcase_set_timeout(tests, 600);
    tcase_add_test(tests, every_field_is_compiled_in);
    tcase_add_test(tests, every_state_is_known);
    tcase_add_test(tests, every_function_is_its_row);
    suite_add_tcase(suite, tests);
    return suite;
}
