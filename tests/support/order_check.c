/*
 * order_check.c: elements, a run and the comparison.
 */
#include "order_check.h"

#include <stdio.h>
#include <stdlib.h>

#include <check.h>

#include "addresses.h"
#include "call.h"
#include "fixture.h"
#include "legal.h"
#include "number.h"
#include "oracle.h"
#include "reference.h"
#include "values.h"

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

static void *make_input(const tally_reduce *desc) {
    const size_t bytes = number_bytes(desc->input.dtype);
    unsigned char *input = allocate(oracle_extent(&desc->input));
    uint64_t state = 11;
    for (uint64_t i = 0; i < oracle_count(&desc->input); i++)
        number_store(desc->input.dtype, input + oracle_offset(&desc->input, i) * bytes,
                     values_element(values_for(desc->function), desc->input.dtype, &state));
    return input;
}

/* The terms of the output whose first one lies at input + first elements. */
static void gather(const tally_reduce *desc, const unsigned char *input, uint64_t first,
                   const reference_terms *terms) {
    const tally_dtype dtype = desc->input.dtype;
    for (uint64_t i = 0; i < terms->count; i++) {
        const uint64_t at = first + addresses_of_axes(&desc->input, desc->axes, i);
        terms->bits[i] = number_load(dtype, input + at * number_bytes(dtype));
    }
}

void order_check_results(const tally_reduce *desc, const unsigned char *input, uint64_t *results) {
    reference_terms terms = {.count = addresses_count(&desc->input, desc->axes)};
    terms.groups = order_groups(desc->input.rank, desc->input.size, desc->axes, terms.length);
    terms.bits = allocate(terms.count * sizeof *terms.bits);
    terms.values = allocate(terms.count * sizeof *terms.values);
    for (uint64_t i = 0; i < oracle_count(&desc->output); i++) {
        gather(desc, input, addresses_of_axes(&desc->input, ~desc->axes, i), &terms);
        results[i] = reference_reduce(desc, &terms);
    }
    free(terms.values);
    free(terms.bits);
}

void order_check(tally_runtime *runtime, const tally_reduce *desc, char plan[ORDER_CHECK_PLAN]) {
    const uint64_t outputs = oracle_count(&desc->output);
    const tally_dtype dtype = desc->output.dtype;
    tally_op *op = NULL;
    tally_error error;
    unsigned char *input = make_input(desc), *output = allocate(oracle_extent(&desc->output));
    uint64_t *wanted = allocate(outputs * sizeof *wanted);
    order_check_results(desc, input, wanted);
    fixture_ok(tally_reduce_create(runtime, desc, &op, &error), &error, "tally_reduce_create");
    snprintf(plan, ORDER_CHECK_PLAN, "%s", tally_op_describe(op));
    call_op(op, &desc->input, input, &desc->output, output);
    for (uint64_t i = 0; i < outputs; i++) {
        const uint64_t at = oracle_offset(&desc->output, i) * number_bytes(dtype);
        const uint64_t found = number_load(dtype, output + at);
        ck_assert_msg(
            found == wanted[i], "%s of %s: output %llu has bits 0x%llX, the order gives 0x%llX\n%s",
            tally_function_name(desc->function), tally_dtype_name(desc->input.dtype),
            (unsigned long long)i, (unsigned long long)found, (unsigned long long)wanted[i], plan);
    }
    free(wanted);
    free(output);
    free(input);
}
