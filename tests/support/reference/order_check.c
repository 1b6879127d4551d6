/*
 * order_check.c: elements, a run and the comparison.
 */
#include "order_check.h"

#include <stdio.h>
#include <stdlib.h>

#include <check.h>

#include "reference.h"
#include "reference_scan.h"
#include "support/descriptions/legal.h"
#include "support/fixtures/call.h"
#include "support/fixtures/fixture.h"
#include "support/numbers/number.h"
#include "support/numbers/values.h"
#include "support/oracle/oracle.h"
#include "support/plans/addresses.h"

/* Values that show the order where it matters, and whose logarithms are numbers. */
static values_class values_for(tally_function function) {
    return function == TALLY_MULTIPLY || function == TALLY_LOG_SUM ? VALUES_NEAR_ONE
           : function == TALLY_LOG_SUM_EXP                         ? VALUES_EXPONENTS
           : legal_is_index(function)                              ? VALUES_FEW
                                                                   : VALUES_WIDE;
}

static void *allocate(uint64_t bytes) {
    void *memory = calloc((size_t)bytes + 1, 1);
    ck_assert_ptr_nonnull(memory);
    return memory;
}

static void *make_input(const tally_tensor *tensor, tally_function function) {
    const size_t bytes = number_bytes(tensor->dtype);
    unsigned char *input = allocate(oracle_extent(tensor));
    uint64_t state = 11;
    for (uint64_t i = 0; i < oracle_count(tensor); i++)
        number_store(tensor->dtype, input + oracle_offset(tensor, i) * bytes,
                     values_element(values_for(function), tensor->dtype, &state));
    return input;
}

/* Elements along these axes, of which the first lies at memory + first elements. */
static void gather(const tally_tensor *tensor, uint32_t axes, const unsigned char *memory,
                   uint64_t first, uint64_t count, uint64_t *bits) {
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t at = first + addresses_of_axes(tensor, axes, i);
        bits[i] = number_load(tensor->dtype, memory + at * number_bytes(tensor->dtype));
    }
}

static void compare(tally_function function, tally_dtype dtype, uint64_t position, uint64_t found,
                    uint64_t wanted, const char *plan) {
    ck_assert_msg(
        found == wanted, "%s of %s: output %llu has bits 0x%llX, the order gives 0x%llX\n%s",
        tally_function_name(function), tally_dtype_name(dtype), (unsigned long long)position,
        (unsigned long long)found, (unsigned long long)wanted, plan);
}

void order_check_results(const tally_reduce *desc, const unsigned char *input, uint64_t *results) {
    reference_terms terms = {.count = addresses_count(&desc->input, desc->axes)};
    terms.groups = order_groups(desc->input.rank, desc->input.size, desc->axes, terms.length);
    terms.bits = allocate(terms.count * sizeof *terms.bits);
    terms.values = allocate(terms.count * sizeof *terms.values);
    for (uint64_t i = 0; i < oracle_count(&desc->output); i++) {
        gather(&desc->input, desc->axes, input, addresses_of_axes(&desc->input, ~desc->axes, i),
               terms.count, terms.bits);
        results[i] = reference_reduce(desc, &terms);
    }
    free(terms.values);
    free(terms.bits);
}

void order_check_view(tally_runtime *runtime, const tally_reduce *desc, size_t before,
                      char plan[ORDER_CHECK_PLAN]) {
    const uint64_t outputs = oracle_count(&desc->output);
    const tally_dtype dtype = desc->output.dtype;
    tally_op *op = NULL;
    tally_error error;
    unsigned char *input = make_input(&desc->input, desc->function),
                  *output = allocate(oracle_extent(&desc->output));
    uint64_t *wanted = allocate(outputs * sizeof *wanted);
    order_check_results(desc, input, wanted);
    fixture_ok(tally_reduce_create(runtime, desc, &op, &error), &error, "tally_reduce_create");
    snprintf(plan, ORDER_CHECK_PLAN, "%s", tally_op_describe(op));
    call_op_on_view(op, &desc->input, input, before * number_bytes(desc->input.dtype),
                    &desc->output, output);
    for (uint64_t i = 0; i < outputs; i++) {
        const uint64_t at = oracle_offset(&desc->output, i) * number_bytes(dtype);
        compare(desc->function, desc->input.dtype, i, number_load(dtype, output + at), wanted[i],
                plan);
    }
    free(wanted);
    free(output);
    free(input);
}

void order_check(tally_runtime *runtime, const tally_reduce *desc, char plan[ORDER_CHECK_PLAN]) {
    order_check_view(runtime, desc, 0, plan);
}

/* The row-th sequence along the axis: results where the output has them. */
static void check_row(const tally_cumulative *desc, const unsigned char *input,
                      const unsigned char *output, uint64_t row, const char *plan) {
    const uint32_t axis = UINT32_C(1) << desc->axis;
    const uint64_t count = desc->input.size[desc->axis];
    uint64_t *terms = allocate(count * sizeof *terms), *found = allocate(count * sizeof *found);
    uint64_t *wanted = allocate(count * sizeof *wanted);
    gather(&desc->input, axis, input, addresses_of_axes(&desc->input, ~axis, row), count, terms);
    gather(&desc->output, axis, output, addresses_of_axes(&desc->output, ~axis, row), count, found);
    reference_scan(desc, count, terms, wanted);
    for (uint64_t i = 0; i < count; i++)
        compare(desc->function, desc->input.dtype, row * count + i, found[i], wanted[i], plan);
    free(wanted);
    free(found);
    free(terms);
}

void order_check_scan(tally_runtime *runtime, const tally_cumulative *desc,
                      char plan[ORDER_CHECK_PLAN]) {
    tally_op *op = NULL;
    tally_error error;
    unsigned char *input = make_input(&desc->input, desc->function);
    unsigned char *output = allocate(oracle_extent(&desc->output));
    fixture_ok(tally_cumulative_create(runtime, desc, &op, &error), &error,
               "tally_cumulative_create");
    snprintf(plan, ORDER_CHECK_PLAN, "%s", tally_op_describe(op));
    call_op(op, &desc->input, input, &desc->output, output);
    for (uint64_t row = 0; row < addresses_count(&desc->input, ~(UINT32_C(1) << desc->axis)); row++)
        check_row(desc, input, output, row, plan);
    free(output);
    free(input);
}
