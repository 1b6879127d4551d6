/*
 * test_levels.c: DirectML's feature levels as the library's table has them, against the pages:
 * every operator, function, level, input type, output type and rank, and the sentence of each
 * refusal.
 */
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "model/directml_levels.h"
#include "support/descriptions/pages_levels.h"

/* None, DirectML's fourteen, and a number that is none of them. */
#define INPUTS 16
#define OUTPUTS 15

static const pages_number foreign = {"unknown", 14};

static const pages_number *type_at(unsigned index) {
    return index < 14 ? &pages_types[index] : &foreign;
}

/* One use, as the pages and as the library know it. */
typedef struct pair {
    pages_use pages;
    tally_levels_use library;
} pair;

static pair make_pair(const pages_number *operator_, const pages_number *function, unsigned input,
                      unsigned output, unsigned rank) {
    const pages_number *in = input > 0 ? type_at(input - 1) : NULL;
    const pages_number *out = type_at(output);
    pair made = {
        {operator_->name, function != NULL ? function->name : "", in != NULL ? in->name : NULL,
         out->name, rank},
        {operator_->value,
         function != NULL ? function->value : 12345,
         {in != NULL, in != NULL ? in->value : 0, rank},
         {true, out->value, rank}},
    };
    return made;
}

static void fail_pair(const pair *use, unsigned level, const char *why, const char *message) {
    ck_abort_msg("%s %s at level %x, %s -> %s of rank %u: %s: '%s'", use->pages.operator_,
                 use->pages.function, level,
                 use->pages.input != NULL ? use->pages.input : "nothing", use->pages.output,
                 use->pages.rank, why, message);
}

/* The sentence names the operator and function, a tensor or the level, and who would accept it. */
static bool names_all(const pair *use, unsigned level, unsigned lowest, const char *message) {
    char operator_[64], function[64], tail[64], rank[32], input[64], output[96], absent[64];
    snprintf(operator_, sizeof operator_, "DML_OPERATOR_%s", use->pages.operator_);
    snprintf(function, sizeof function, "DML_REDUCE_FUNCTION_%s", use->pages.function);
    snprintf(rank, sizeof rank, "DimensionCount %u", use->pages.rank);
    snprintf(input, sizeof input, "DataType %s", use->pages.input != NULL ? use->pages.input : "?");
    snprintf(output, sizeof output, "OutputTensor of %s", operator_);
    snprintf(absent, sizeof absent, "is not in DML_FEATURE_LEVEL_%s;", pages_level_name(level));
    if (lowest != 0)
        snprintf(tail, sizeof tail, "; DML_FEATURE_LEVEL_%s accepts it", pages_level_name(lowest));
    else
        snprintf(tail, sizeof tail, "; no level accepts it");
    const char *end = strstr(message, tail);
    if (strstr(message, operator_) == NULL || end == NULL || strcmp(end, tail) != 0)
        return false;
    if (use->pages.function[0] != '\0' && strstr(message, function) == NULL)
        return false;
    if (strstr(message, output) != NULL) {
        snprintf(output, sizeof output, "DataType %s", use->pages.output);
        return strstr(message, output) != NULL || strstr(message, rank) != NULL;
    }
    if (strstr(message, "the InputTensor of") != NULL)
        return strstr(message, input) != NULL || strstr(message, rank) != NULL ||
               (use->pages.input == NULL && strstr(message, "is missing") != NULL);
    return strstr(message, absent) != NULL;
}

/* True if the pages accept it. */
static bool compare(const pair *use, unsigned level) {
    tally_error error = TALLY_ERROR_INIT;
    const unsigned lowest = pages_lowest(&use->pages);
    const bool expected = pages_accept(&use->pages, level);
    const tally_status status = tally_levels_check(&use->library, level, &error);
    if (expected != (status == TALLY_OK))
        fail_pair(use, level, expected ? "refused" : "accepted", error.message);
    if (expected)
        return true;
    if (status != (lowest != 0 ? TALLY_UNSUPPORTED : TALLY_INVALID) || error.status != status)
        fail_pair(use, level, "wrong status", error.message);
    if (!names_all(use, level, lowest, error.message))
        fail_pair(use, level, "unclear sentence", error.message);
    return false;
}

static unsigned long uses, cases, accepted;

static void compare_levels(const pair *use) {
    uses++;
    if (tally_levels_lowest(&use->library) != pages_lowest(&use->pages))
        fail_pair(use, tally_levels_lowest(&use->library), "wrong lowest level", "");
    for (size_t level = 0; level < 15; level++) {
        cases++;
        accepted += compare(use, pages_levels[level].value);
    }
}

START_TEST(test_every_use_at_every_level) {
    uses = cases = accepted = 0;
    for (size_t k = 0; k < 7; k++) {
        const bool reduce = strcmp(pages_operators[k].name, "REDUCE") == 0;
        for (unsigned function = 0; function < (reduce ? 12 : 1); function++)
            for (unsigned input = 0; input < INPUTS; input++)
                for (unsigned output = 0; output < OUTPUTS; output++)
                    for (unsigned rank = 0; rank <= 9; rank++) {
                        const pair use = make_pair(&pages_operators[k],
                                                   reduce ? &pages_functions[function] : NULL,
                                                   input, output, rank);
                        compare_levels(&use);
                    }
    }
    printf("%lu cases, %lu of them accepted\n", cases, accepted);
    ck_assert_uint_eq(cases, 18ul * 15 * INPUTS * OUTPUTS * 10);
    ck_assert_uint_gt(accepted, 0);
}
END_TEST

/* Tensors of different rank are held against the level one by one. */
START_TEST(test_rank_of_each_tensor) {
    tally_error error;
    tally_levels_use use = {55, 10, {true, 1, 4}, {true, 1, 5}};
    ck_assert_int_eq(tally_levels_check(&use, 0x2100, &error), TALLY_UNSUPPORTED);
    ck_assert_str_eq(error.message,
                     "the OutputTensor of DML_OPERATOR_REDUCE with DML_REDUCE_FUNCTION_SUM has "
                     "DimensionCount 5, but DML_FEATURE_LEVEL_2_1 takes 4; DML_FEATURE_LEVEL_3_0 "
                     "accepts it");
    use.input.rank = 9;
    ck_assert_int_eq(tally_levels_check(&use, 0x2100, &error), TALLY_INVALID);
    ck_assert_str_eq(error.message,
                     "the InputTensor of DML_OPERATOR_REDUCE with DML_REDUCE_FUNCTION_SUM has "
                     "DimensionCount 9, but even the newest feature level takes 1 to 8; no level "
                     "accepts it");
}
END_TEST

START_TEST(test_sentence_of_a_type) {
    tally_error error;
    const tally_levels_use use = {55, 10, {true, 11, 4}, {true, 11, 4}};
    ck_assert_int_eq(tally_levels_check(&use, 0x4100, &error), TALLY_UNSUPPORTED);
    ck_assert_str_eq(
        error.message,
        "the InputTensor of DML_OPERATOR_REDUCE with DML_REDUCE_FUNCTION_SUM has "
        "DataType INT64 (11), but DML_FEATURE_LEVEL_4_1 takes FLOAT32, FLOAT16, INT32, "
        "UINT32; DML_FEATURE_LEVEL_5_0 accepts it");
}
END_TEST

START_TEST(test_numbers_that_are_none) {
    tally_error error;
    const unsigned strange[] = {0, 0x0FFF, 0x1001, 0x4500, 0x6500, 0xFFFFFFFF};
    tally_levels_use use = {55, 10, {true, 1, 4}, {true, 1, 4}};
    for (size_t k = 0; k < sizeof strange / sizeof strange[0]; k++) {
        ck_assert_int_eq(tally_levels_check(&use, strange[k], &error), TALLY_INVALID);
        ck_assert_ptr_nonnull(strstr(error.message, "is none of DirectML's"));
    }
    use.function = 12;
    ck_assert_int_eq(tally_levels_check(&use, 0x1000, &error), TALLY_INVALID);
    ck_assert_ptr_nonnull(strstr(error.message, "Function 12 of DML_OPERATOR_REDUCE is none"));
    ck_assert_uint_eq(tally_levels_lowest(&use), 0);
    use.operator_type = 54;
    ck_assert_int_eq(tally_levels_check(&use, 0x1000, &error), TALLY_UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(error.message, "operator type 54 is none of the 7"));
    ck_assert_uint_eq(tally_levels_lowest(&use), 0);
    ck_assert_ptr_null(tally_levels_operator_name(54));
    ck_assert_ptr_null(tally_levels_find_type(14));
    ck_assert_int_eq(tally_levels_find_function(12), TALLY_FUNCTION_NONE);
}
END_TEST

/* Names and numbers, and what they are to Tally. */
START_TEST(test_names) {
    static const tally_dtype dtypes[14] = {TALLY_DTYPE_NONE, TALLY_F32,       TALLY_F16, TALLY_U32,
                                           TALLY_U16,        TALLY_U8,        TALLY_I32, TALLY_I16,
                                           TALLY_I8,         TALLY_F64,       TALLY_U64, TALLY_I64,
                                           TALLY_DTYPE_NONE, TALLY_DTYPE_NONE};
    static const unsigned bits[14] = {0, 32, 16, 32, 16, 8, 32, 16, 8, 64, 64, 64, 4, 4};
    static const tally_function functions[12] = {TALLY_ARGMAX,      TALLY_ARGMIN, TALLY_AVERAGE,
                                                 TALLY_L1,          TALLY_L2,     TALLY_LOG_SUM,
                                                 TALLY_LOG_SUM_EXP, TALLY_MAX,    TALLY_MIN,
                                                 TALLY_MULTIPLY,    TALLY_SUM,    TALLY_SUM_SQUARE};
    char name[64];
    for (unsigned k = 0; k < 14; k++) {
        const tally_levels_type *type = tally_levels_find_type(pages_types[k].value);
        ck_assert_str_eq(type->name, pages_types[k].name);
        ck_assert_int_eq(type->dtype, dtypes[k]);
        ck_assert_uint_eq(type->bits, bits[k]);
    }
    for (unsigned k = 0; k < 12; k++)
        ck_assert_int_eq(tally_levels_find_function(pages_functions[k].value), functions[k]);
    for (unsigned k = 0; k < 7; k++) {
        snprintf(name, sizeof name, "DML_OPERATOR_%s", pages_operators[k].name);
        ck_assert_str_eq(tally_levels_operator_name(pages_operators[k].value), name);
    }
}
END_TEST

Suite *suite_levels(void);

Suite *suite_levels(void) {
    Suite *suite = suite_create("levels");
    TCase *all = tcase_create("all");
    tcase_set_timeout(all, 600);
    tcase_add_test(all, test_every_use_at_every_level);
    tcase_add_test(all, test_rank_of_each_tensor);
    tcase_add_test(all, test_sentence_of_a_type);
    tcase_add_test(all, test_numbers_that_are_none);
    tcase_add_test(all, test_names);
    suite_add_tcase(suite, all);
    return suite;
}
