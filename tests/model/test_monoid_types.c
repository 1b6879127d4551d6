/*
 * Which function takes which types and gives which, against a second writing of the rules: the
 * tables of DirectML's operator pages at the newest feature level, and float64 beside them.
 */
#include "model/monoid.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "model/dtype.h"
#include "support/expect.h"

/* Spelled as on the pages: the function, its input types, its output types. */
typedef struct page_row {
    tally_function function;
    const char *name;
    const char *inputs;
    const char *outputs; /* NULL: the input's */
    bool scans;
} page_row;

#define ALL "F32 F16 I64 I32 I16 I8 U64 U32 U16 U8"
#define WIDE "F32 F16 I64 I32 U64 U32"
#define FLOATS "F32 F16"
#define INDICES "I64 I32 U64 U32"

static const page_row page[] = {
    {TALLY_ARGMAX, "argmax", ALL, INDICES, false},
    {TALLY_ARGMIN, "argmin", ALL, INDICES, false},
    {TALLY_AVERAGE, "average", FLOATS, NULL, false},
    {TALLY_L1, "l1", WIDE, NULL, false},
    {TALLY_L2, "l2", FLOATS, NULL, false},
    {TALLY_LOG_SUM, "log_sum", FLOATS, NULL, false},
    {TALLY_LOG_SUM_EXP, "log_sum_exp", FLOATS, NULL, false},
    {TALLY_MAX, "max", ALL, NULL, true},
    {TALLY_MIN, "min", ALL, NULL, true},
    {TALLY_MULTIPLY, "multiply", WIDE, NULL, true},
    {TALLY_SUM, "sum", WIDE, NULL, true},
    {TALLY_SUM_SQUARE, "sum_square", WIDE, NULL, false},
};
#define ROWS ((int)(sizeof page / sizeof page[0]))

/* In the order of the enumerators. */
static const char *const spellings[] = {"F16", "F32", "F64", "I8",  "I16", "I32",
                                        "I64", "U8",  "U16", "U32", "U64"};
#define TYPES 11

static bool lists(const char *types, int type) {
    const char *spelling = spellings[type];
    for (const char *at = strstr(types, spelling); at != NULL; at = strstr(at + 1, spelling))
        if (at[strlen(spelling)] == ' ' || at[strlen(spelling)] == '\0')
            return true;
    return false;
}

/* float64 is taken by every function, and only by a function that gives it back or an index. */
static bool legal_input(const page_row *row, int type) {
    return (tally_dtype)(type + 1) == TALLY_F64 || lists(row->inputs, type);
}

static bool legal_output(const page_row *row, int input, int output) {
    return row->outputs != NULL ? lists(row->outputs, output) : input == output;
}

START_TEST(the_pages_have_72_pairs) {
    int pairs = 0;
    for (int row = 0; row < ROWS; row++)
        for (int type = 0; type < TYPES; type++)
            pairs += lists(page[row].inputs, type);
    ck_assert_int_eq(pairs, 72);
    ck_assert_int_eq(ROWS, 12);
}
END_TEST

/* A refusal names the function and the type that it is about. */
static void expect_reason(const page_row *row, int input, int output, const tally_error *error) {
    const char *in = tally_dtype_find((tally_dtype)(input + 1))->name;
    const char *out = tally_dtype_find((tally_dtype)(output + 1))->name;
    const bool about_input = !legal_input(row, input);
    const expect wanted = {TALLY_INVALID, {row->name, about_input ? in : out}};
    expect_refusal("a pair of types", &wanted, error->status, error);
}

START_TEST(each_pair_of_types_is_taken_or_refused) {
    const page_row *row = &page[_i];
    for (int input = 0; input < TYPES; input++) {
        for (int output = 0; output < TYPES; output++) {
            tally_error error = TALLY_ERROR_INIT;
            const tally_status status = tally_monoid_check_types(
                row->function, (tally_dtype)(input + 1), (tally_dtype)(output + 1), &error);
            const bool legal = legal_input(row, input) && legal_output(row, input, output);
            if ((status == TALLY_OK) != legal)
                ck_abort_msg("%s from %s to %s: %s", row->name, spellings[input], spellings[output],
                             legal ? error.message : "not refused");
            if (!legal)
                expect_reason(row, input, output, &error);
        }
    }
}
END_TEST

START_TEST(each_row_has_its_name_types_and_scan) {
    const tally_monoid *monoid = tally_monoid_find(page[_i].function);
    ck_assert_ptr_nonnull(monoid);
    ck_assert_str_eq(monoid->name, page[_i].name);
    ck_assert_int_eq(monoid->scans, page[_i].scans);
    uint32_t types = 0;
    for (int type = 0; type < TYPES; type++)
        types |= legal_input(&page[_i], type) ? TALLY_BIT(type + 1) : 0;
    ck_assert_uint_eq(monoid->types, types);
}
END_TEST

START_TEST(no_other_value_is_a_function) {
    const int strange[] = {0, 13, 14, 1000, INT_MAX, -1, INT_MIN};
    for (size_t i = 0; i < sizeof strange / sizeof strange[0]; i++) {
        char value[16];
        tally_error error = TALLY_ERROR_INIT;
        const tally_function function = (tally_function)strange[i];
        snprintf(value, sizeof value, "%d", strange[i]);
        const expect wanted = {TALLY_INVALID, {"function", value}};
        ck_assert_ptr_null(tally_monoid_find(function));
        expect_refusal("a strange function", &wanted,
                       tally_monoid_check_types(function, TALLY_F32, TALLY_F32, &error), &error);
    }
}
END_TEST

Suite *suite_monoid_types(void) {
    Suite *suite = suite_create("monoid_types");
    TCase *tests = tcase_create("monoid_types");
    tcase_add_test(tests, the_pages_have_72_pairs);
    tcase_add_loop_test(tests, each_pair_of_types_is_taken_or_refused, 0, ROWS);
    tcase_add_loop_test(tests, each_row_has_its_name_types_and_scan, 0, ROWS);
    tcase_add_test(tests, no_other_value_is_a_function);
    suite_add_tcase(suite, tests);
    return suite;
}
