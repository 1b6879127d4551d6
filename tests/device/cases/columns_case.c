/*
 * columns_case.c: the layouts, and the comparison of every byte.
 */
#include "columns_case.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "support/fixtures/fixture.h"
#include "support/numbers/number.h"
#include "support/numbers/values.h"
#include "support/oracle/oracle.h"
#include "support/plans/addresses.h"
#include "support/reference/reference_scan.h"

enum { GUARD = 64, UNWRITTEN = 0xA5, AXIS = 1 };

tally_runtime *columns_case_runtime;

void columns_case_open(void) {
    columns_case_runtime = fixture_make_runtime_of(TALLY_FAMILY_GPU);
}

void columns_case_close(void) {
    tally_runtime_release(columns_case_runtime);
}

/* How {outer, terms, columns} lie in memory: elements before the views and between rows. */
typedef struct layout {
    uint64_t in_offset, out_offset, in_gap, out_gap;
    bool in_place, transposed;
} layout;

static const layout layouts[COLUMNS_CASE_LAYOUTS] = {
    {0, 0, 0, 0, false, false}, {1, 1, 0, 0, false, false}, {0, 3, 0, 0, false, false},
    {4, 0, 3, 1, false, false}, {0, 8, 8, 0, false, false}, {0, 0, 0, 0, true, false},
    {0, 0, 0, 0, false, true},  {3, 0, 1, 0, true, false},  {0, 1, 0, 0, false, true}};

/* The columns are the first axis, and only in the input beside each other. */
static void transpose(tally_cumulative *desc) {
    const tally_tensor given = desc->input;
    desc->input = shape_tensor(given.dtype, SHAPE(given.size[2], given.size[1], given.size[0]));
    desc->output = desc->input;
    shape_space_rows(&desc->output, 0);
    shape_transpose(&desc->input);
}

static void lay_out(tally_cumulative *desc, const layout *it) {
    if (it->transposed) {
        transpose(desc);
        return;
    }
    shape_space_rows(&desc->input, it->in_gap);
    shape_space_rows(&desc->output, it->in_place ? it->in_gap : it->out_gap);
}

static void run(tally_op *op, const tally_cumulative *desc, const layout *it, unsigned char *input,
                uint64_t in_bytes, unsigned char *output, uint64_t out_bytes) {
    const cl_command_queue queue = fixture_get()->queue;
    const size_t size = number_bytes(desc->input.dtype);
    tally_binding binding = TALLY_BINDING_INIT;
    tally_error error;
    binding.input.buffer = fixture_make_buffer(input, in_bytes);
    binding.output.buffer =
        it->in_place ? binding.input.buffer : fixture_make_buffer(output, out_bytes);
    binding.input.offset = (size_t)it->in_offset * size;
    binding.output.offset = (size_t)it->out_offset * size;
    const size_t scratch = tally_op_scratch_size(op);
    if (scratch > 0)
        binding.scratch.buffer = fixture_make_buffer(NULL, scratch);
    fixture_ok(tally_op_enqueue(op, queue, &binding, 0, NULL, NULL, &error), &error,
               tally_op_describe(op));
    fixture_check(clEnqueueReadBuffer(queue, binding.output.buffer, CL_TRUE, 0, (size_t)out_bytes,
                                      output, 0, NULL, NULL));
    clReleaseMemObject(binding.input.buffer);
    if (scratch > 0)
        clReleaseMemObject(binding.scratch.buffer);
    if (!it->in_place)
        clReleaseMemObject(binding.output.buffer);
}

/* One row of the scan, from these positions on; then it is as if it were not written. */
static void compare_row(const tally_cumulative *desc, const unsigned char *input,
                        unsigned char *output, const char *plan) {
    const tally_dtype dtype = desc->input.dtype;
    const size_t size = number_bytes(dtype);
    const uint64_t terms = desc->input.size[AXIS];
    uint64_t *in = fixture_make_memory(terms * sizeof *in, UNWRITTEN),
             *wanted = fixture_make_memory(terms * sizeof *wanted, UNWRITTEN);
    for (uint64_t i = 0; i < terms; i++)
        in[i] = number_load(dtype, input + i * desc->input.stride[AXIS] * size);
    reference_scan(desc, terms, in, wanted);
    for (uint64_t i = 0; i < terms; i++) {
        unsigned char *at = output + i * desc->output.stride[AXIS] * size;
        const uint64_t found = number_load(dtype, at);
        if (found != wanted[i])
            ck_abort_msg("element %llu has bits 0x%llX, the order gives 0x%llX\n%s",
                         (unsigned long long)i, (unsigned long long)found,
                         (unsigned long long)wanted[i], plan);
        memset(at, UNWRITTEN, size);
    }
    free(wanted);
    free(in);
}

static void compare(const tally_cumulative *desc, const unsigned char *input, unsigned char *output,
                    uint64_t before, uint64_t bytes, const char *plan) {
    const size_t size = number_bytes(desc->input.dtype);
    const uint32_t kept = ~(UINT32_C(1) << AXIS);
    for (uint64_t row = 0; row < addresses_count(&desc->input, kept); row++)
        compare_row(desc, input + addresses_of_axes(&desc->input, kept, row) * size,
                    output + before + addresses_of_axes(&desc->output, kept, row) * size, plan);
    for (uint64_t i = 0; i < bytes; i++)
        if (output[i] != UNWRITTEN)
            ck_abort_msg("byte %llu beside the output is written\n%s", (unsigned long long)i, plan);
}

static values_class values_for(legal_pair pair) {
    return legal_is_order(pair.function)     ? VALUES_FEW
           : pair.function == TALLY_MULTIPLY ? VALUES_NEAR_ONE
                                             : VALUES_WIDE;
}

/* The input, and only elements of it. */
static void fill(const tally_cumulative *desc, legal_pair pair, uint64_t round,
                 unsigned char *first) {
    const size_t size = number_bytes(pair.dtype);
    uint64_t state = round + 1;
    for (uint64_t i = 0; i < oracle_count(&desc->input); i++)
        number_store(pair.dtype, first + oracle_offset(&desc->input, i) * size,
                     values_element(values_for(pair), pair.dtype, &state));
}

void columns_case_check(legal_pair pair, shape sizes, uint64_t round, const char *schedule) {
    layout it = layouts[round % COLUMNS_CASE_LAYOUTS];
    tally_cumulative desc = shape_scan(pair.function, pair.dtype, sizes, AXIS);
    desc.descending = round / 2 % 2 != 0;
    desc.exclusive = round / 3 % 2 != 0;
    lay_out(&desc, &it);
    it.out_offset = it.in_place ? it.in_offset : it.out_offset;
    const size_t size = number_bytes(pair.dtype);
    const uint64_t out_bytes = it.out_offset * size + oracle_extent(&desc.output) + GUARD;
    const uint64_t in_bytes =
        it.in_place ? out_bytes : it.in_offset * size + oracle_extent(&desc.input);
    unsigned char *input = fixture_make_memory(in_bytes, UNWRITTEN),
                  *output = fixture_make_memory(out_bytes, UNWRITTEN);
    tally_op *op = NULL;
    tally_error error;
    fill(&desc, pair, round, input + it.in_offset * size);
    fixture_ok(tally_cumulative_create(columns_case_runtime, &desc, &op, &error), &error,
               "tally_cumulative_create");
    ck_assert_msg(strstr(tally_op_describe(op), schedule) != NULL, "not by %s:\n%s", schedule,
                  tally_op_describe(op));
    run(op, &desc, &it, input, in_bytes, output, out_bytes);
    compare(&desc, input + it.in_offset * size, output, it.out_offset * size, out_bytes,
            tally_op_describe(op));
    tally_op_release(op);
    free(output);
    free(input);
}
