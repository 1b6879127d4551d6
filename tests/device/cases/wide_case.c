/*
 * wide_case.c: the layouts, and the comparison of every byte.
 */
#include "wide_case.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "api/runtime.h"
#include "support/fixtures/fixture.h"
#include "support/numbers/number.h"
#include "support/numbers/values.h"
#include "support/oracle/oracle.h"
#include "support/reference/order_check.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum { GUARD = 64, UNWRITTEN = 0xA5 };

tally_runtime *wide_case_runtime;

void wide_case_open(void) {
    wide_case_runtime = fixture_make_runtime_of(TALLY_FAMILY_GPU);
}

void wide_case_close(void) {
    tally_runtime_release(wide_case_runtime);
}

/* How a problem lies in memory: elements before the views, and between outputs. */
typedef struct layout {
    uint64_t in_offset, out_offset, out_gap;
} layout;

/* One of several that the index-th problem gets; aligned packed outputs are among them. */
static layout layout_of(uint64_t index) {
    static const layout layouts[] = {{0, 0, 0}, {1, 0, 0}, {0, 3, 0}, {4, 0, 1}, {3, 1, 0}};
    return layouts[index % COUNT(layouts)];
}

/* Values that show the order where it matters; for LOG_SUM_EXP infinities and NaN as well. */
static values_class values_for(tally_function function, uint64_t index) {
    static const values_class exponents[] = {VALUES_EXPONENTS, VALUES_WIDE, VALUES_SPECIAL};
    return legal_is_order(function)        ? VALUES_FEW
           : function == TALLY_LOG_SUM_EXP ? exponents[index % COUNT(exponents)]
                                           : VALUES_WIDE;
}

/* The elements from the input's first to its last, behind the offset. */
static unsigned char *make_input(const tally_reduce *desc, uint64_t index, uint64_t before) {
    const size_t bytes = number_bytes(desc->input.dtype);
    unsigned char *input = fixture_make_memory(before + oracle_extent(&desc->input), 0);
    uint64_t state = index + 1;
    for (uint64_t i = 0; i < oracle_count(&desc->input); i++)
        number_store(desc->input.dtype, input + before + oracle_offset(&desc->input, i) * bytes,
                     values_element(values_for(desc->function, index), desc->input.dtype, &state));
    return input;
}

/* Run the operator, and leave the whole buffer of the output in output. */
static void run(tally_op *op, const unsigned char *input, uint64_t in_bytes, uint64_t in_offset,
                unsigned char *output, uint64_t out_bytes, uint64_t out_offset) {
    const cl_command_queue queue = fixture_get()->queue;
    const size_t scratch = tally_op_scratch_size(op);
    tally_binding binding = TALLY_BINDING_INIT;
    tally_error error;
    binding.input.buffer = fixture_make_buffer(input, in_bytes);
    binding.input.offset = (size_t)in_offset;
    binding.output.buffer = fixture_make_buffer(output, out_bytes);
    binding.output.offset = (size_t)out_offset;
    binding.scratch.buffer = scratch > 0 ? fixture_make_buffer(NULL, scratch) : NULL;
    fixture_ok(tally_op_enqueue(op, queue, &binding, 0, NULL, NULL, &error), &error,
               tally_op_describe(op));
    fixture_check(clEnqueueReadBuffer(queue, binding.output.buffer, CL_TRUE, 0, (size_t)out_bytes,
                                      output, 0, NULL, NULL));
    clReleaseMemObject(binding.input.buffer);
    clReleaseMemObject(binding.output.buffer);
    if (scratch > 0)
        clReleaseMemObject(binding.scratch.buffer);
}

static void compare(const tally_reduce *desc, const char *plan, const uint64_t *wanted,
                    unsigned char *output, uint64_t out_bytes, uint64_t out_offset) {
    const tally_dtype dtype = desc->output.dtype;
    const size_t bytes = number_bytes(dtype);
    for (uint64_t i = 0; i < oracle_count(&desc->output); i++) {
        unsigned char *at = output + out_offset + oracle_offset(&desc->output, i) * bytes;
        const uint64_t found = number_load(dtype, at);
        ck_assert_msg(found == wanted[i], "output %llu has bits 0x%llX, the order gives 0x%llX\n%s",
                      (unsigned long long)i, (unsigned long long)found,
                      (unsigned long long)wanted[i], plan);
        memset(at, UNWRITTEN, bytes);
    }
    for (uint64_t i = 0; i < out_bytes; i++)
        ck_assert_msg(output[i] == UNWRITTEN, "byte %llu beside the outputs is written\n%s",
                      (unsigned long long)i, plan);
}

void wide_case_check(tally_reduce desc, uint64_t index, const char *schedule) {
    const layout it = layout_of(index);
    if (it.out_gap > 0)
        shape_pad(&desc.output, it.out_gap);
    const uint64_t in_offset = it.in_offset * number_bytes(desc.input.dtype);
    const uint64_t out_offset = it.out_offset * number_bytes(desc.output.dtype);
    const uint64_t out_bytes = out_offset + oracle_extent(&desc.output) + GUARD;
    unsigned char *input = make_input(&desc, index, in_offset);
    unsigned char *output = fixture_make_memory(out_bytes, 0);
    uint64_t *wanted = fixture_make_memory(oracle_count(&desc.output) * sizeof *wanted, 0);
    tally_op *op = NULL;
    tally_error error;
    memset(output, UNWRITTEN, (size_t)out_bytes);
    order_check_results(&desc, input + in_offset, wanted);
    fixture_ok(tally_reduce_create(wide_case_runtime, &desc, &op, &error), &error,
               "tally_reduce_create");
    ck_assert_msg(strstr(tally_op_describe(op), schedule) != NULL, "no launch by %s:\n%s", schedule,
                  tally_op_describe(op));
    run(op, input, in_offset + oracle_extent(&desc.input), in_offset, output, out_bytes,
        out_offset);
    compare(&desc, tally_op_describe(op), wanted, output, out_bytes, out_offset);
    tally_op_release(op);
    free(wanted);
    free(output);
    free(input);
}

void wide_case_check_of_units(uint32_t units, const wide_case *it, const char *schedule) {
    const tally_limits limits = wide_case_runtime->device.limits;
    tally_reduce desc = shape_reduce(it->pair.function, it->pair.dtype, it->sizes, it->axes);
    wide_case_runtime->device.limits.units = units;
    for (uint64_t index = 0; index < 2; index++) {
        desc.tie = index == 0 ? TALLY_TIE_FIRST : TALLY_TIE_LAST;
        wide_case_check(desc, 3 * index, schedule);
    }
    wide_case_runtime->device.limits = limits;
}
