/*
 * test_directml_levels.c: the feature levels as a caller meets them: whole descriptions of every
 * operator, function, input type, output type and rank, held against every level, must be taken or
 * refused as the pages say.
 */
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "sample.h"
#include "support/descriptions/pages_levels.h"

static unsigned long cases, accepted;

static const pages_number *name_of(const pages_number *from, size_t count, unsigned value) {
    for (size_t k = 0; k < count; k++) {
        if (from[k].value == value) {
            return &from[k];
        }
    }
    ck_abort_msg("the pages have no number %u", value);
    return NULL;
}

/* A tensor of that type and rank, 2 along every axis, with more bytes than any type needs. */
static void shape_tensors(sample *made, unsigned input, unsigned output, unsigned rank) {
    static const UINT sizes[9] = {2, 2, 2, 2, 2, 2, 2, 2, 2};
    sample_set_shape(made, rank, sizes);
    made->buffer[SAMPLE_INPUT].DataType = (DML_TENSOR_DATA_TYPE)input;
    made->buffer[SAMPLE_OUTPUT].DataType = (DML_TENSOR_DATA_TYPE)output;
    made->diagonal1.ValueDataType = (DML_TENSOR_DATA_TYPE)output;
    for (int k = 0; k < SAMPLE_TENSORS; k++) {
        made->buffer[k].TotalTensorSizeInBytes = 8192;
    }
}

static void compare_levels(const sample *made, const pages_use *use) {
    tally_error error = TALLY_ERROR_INIT;
    const unsigned lowest = pages_lowest(use);
    for (size_t k = 0; k < 15; k++) {
        const unsigned level = pages_levels[k].value;
        const bool expected = pages_accept(use, level);
        const tally_status refusal = lowest != 0 ? TALLY_UNSUPPORTED : TALLY_INVALID;
        const tally_status status =
            tally_dml_operator_check(&made->desc, (DML_FEATURE_LEVEL)level, NULL, &error);
        cases++;
        accepted += expected;
        if (status != (expected ? TALLY_OK : refusal)) {
            ck_abort_msg("%s %s at level %x, %s -> %s of rank %u: status %d: '%s'", use->operator_,
                         use->function, level, use->input != NULL ? use->input : "nothing",
                         use->output, use->rank, (int)status, error.message);
        }
    }
}

/* The call that answers for all levels at once. It knows no input by its type UNKNOWN. */
static void compare_minimum(const sample *made, const pages_use *use) {
    tally_error error = TALLY_ERROR_INIT;
    DML_FEATURE_LEVEL level = DML_FEATURE_LEVEL_6_4;
    const unsigned lowest = pages_lowest(use);
    const DML_TENSOR_DATA_TYPE input =
        made->has_input ? made->buffer[SAMPLE_INPUT].DataType : DML_TENSOR_DATA_TYPE_UNKNOWN;
    if (made->has_input && input == DML_TENSOR_DATA_TYPE_UNKNOWN) {
        return;
    }
    const tally_status status =
        tally_dml_minimum_level(made->desc.Type, made->reduce.Function, input,
                                made->buffer[SAMPLE_OUTPUT].DataType, use->rank, &level, &error);
    if (status != (lowest != 0 ? TALLY_OK : TALLY_INVALID) || (unsigned)level != lowest) {
        ck_abort_msg("%s %s, %s -> %s of rank %u: level %x, but %x: '%s'", use->operator_,
                     use->function, use->input != NULL ? use->input : "nothing", use->output,
                     use->rank, (unsigned)level, lowest, error.message);
    }
}

static void compare_types(sample *made, const char *operator_, const char *function) {
    for (unsigned input = 0; input < (made->has_input ? 14u : 1u); input++) {
        for (unsigned output = 0; output < 14; output++) {
            for (unsigned rank = 0; rank <= 9; rank++) {
                const pages_use use = {operator_, function,
                                       made->has_input ? name_of(pages_types, 14, input)->name
                                                       : NULL,
                                       name_of(pages_types, 14, output)->name, rank};
                shape_tensors(made, input, output, rank);
                compare_levels(made, &use);
                compare_minimum(made, &use);
            }
        }
    }
}

START_TEST(test_every_description) {
    sample made;
    const DML_OPERATOR_TYPE type = sample_operators[_i];
    const char *name = name_of(pages_operators, 7, (unsigned)type)->name;
    cases = accepted = 0;
    sample_make(&made, type);
    sample_set_axes(&made, 0, NULL);
    if (type == DML_OPERATOR_REDUCE) {
        for (unsigned function = 0; function < 12; function++) {
            made.reduce.Function = (DML_REDUCE_FUNCTION)function;
            compare_types(&made, name, name_of(pages_functions, 12, function)->name);
        }
    } else {
        compare_types(&made, name, "");
    }
    if (type == DML_OPERATOR_DIAGONAL_MATRIX1) {
        sample_drop_input(&made);
        compare_types(&made, name, "");
    }
    printf("%s: %lu descriptions, %lu of them accepted\n", name, cases, accepted);
    ck_assert_uint_ge(cases, 14ul * 10 * 15);
    ck_assert_uint_gt(accepted, 0);
    sample_free(&made);
}
END_TEST

Suite *suite_directml_levels(void);

Suite *suite_directml_levels(void) {
    Suite *suite = suite_create("directml_levels");
    TCase *all = tcase_create("all");
    tcase_set_timeout(all, 600);
    tcase_add_loop_test(all, test_every_description, 0, SAMPLE_OPERATORS);
    suite_add_tcase(suite, all);
    return suite;
}
