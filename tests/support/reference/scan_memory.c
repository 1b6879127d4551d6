/*
 * scan_memory.c: a scan's buffers with what guards them, and the judgement of what is there
 * afterwards.
 */
#include "scan_memory.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "plan/plan.h"
#include "reference_scan.h"
#include "support/descriptions/legal.h"
#include "support/fixtures/fixture.h"
#include "support/numbers/number.h"
#include "support/numbers/values.h"

/* The scratch is full of what looks like words that others published. */
enum { GUARD = 64, UNWRITTEN = 0xA5, TOLD = 0xFF, OUT_OFFSET = 3 };

/* Elements from the offsets on; the output's and what guards it are garbage. Offsets in bytes. */
typedef struct scan_memory {
    uint64_t elements, in_first, out_first, bytes;
    unsigned char *input, *output;
    cl_mem in, out, scratch;
} scan_memory;

static scan_memory make_memory(const tally_cumulative *desc, tally_op *op, bool in_place,
                               uint64_t seed) {
    const tally_dtype dtype = desc->input.dtype;
    const size_t size = number_bytes(dtype);
    const uint64_t scratch_bytes = tally_op_scratch_size(op) + TALLY_SCRATCH_ALIGNMENT;
    scan_memory it = {.elements = desc->input.size[0] * desc->input.size[1] * desc->input.size[2]};
    uint64_t state = it.elements + seed;
    it.out_first = OUT_OFFSET * size;
    /* At a pack or one on: the other one of the same terms if the scan is exclusive. */
    it.in_first = in_place ? it.out_first : (it.elements + desc->exclusive) % 2 * size;
    it.bytes = (it.elements + OUT_OFFSET) * size + GUARD;
    it.input = fixture_make_memory(it.bytes, UNWRITTEN);
    it.output = fixture_make_memory(it.bytes, UNWRITTEN);
    for (uint64_t i = 0; i < it.elements; i++)
        number_store(dtype, it.input + it.in_first + i * size,
                     values_element(legal_is_order(desc->function) ? VALUES_FEW : VALUES_WIDE,
                                    dtype, &state));
    unsigned char *told = fixture_make_memory(scratch_bytes, TOLD);
    it.in = fixture_make_buffer(it.input, it.bytes);
    it.out = in_place ? it.in : fixture_make_buffer(it.output, it.bytes);
    it.scratch = fixture_make_buffer(told, scratch_bytes);
    free(told);
    return it;
}

static void free_memory(scan_memory *it) {
    if (it->out != it->in)
        clReleaseMemObject(it->out);
    clReleaseMemObject(it->in);
    clReleaseMemObject(it->scratch);
    free(it->input);
    free(it->output);
}

/* ---- Judgement ------------------------------------------------------------------------------- */

/* Where a term of a column of a row lies. */
static uint64_t element_of(const tally_tensor *tensor, uint64_t row, uint64_t term,
                           uint64_t column) {
    if ((tensor->flags & TALLY_STRIDED) == 0)
        return (row * tensor->size[1] + term) * tensor->size[2] + column;
    return row * tensor->stride[0] + term * tensor->stride[1] + column * tensor->stride[2];
}

/* A column of a row. */
static void compare_column(const tally_cumulative *desc, const scan_memory *it, uint64_t row,
                           uint64_t column, const char *plan) {
    const tally_dtype dtype = desc->input.dtype;
    const size_t size = number_bytes(dtype);
    const uint64_t terms = desc->input.size[1];
    uint64_t *in = fixture_make_memory(terms * sizeof *in, 0),
             *wanted = fixture_make_memory(terms * sizeof *wanted, 0);
    for (uint64_t i = 0; i < terms; i++)
        in[i] = number_load(dtype, it->input + it->in_first +
                                       element_of(&desc->input, row, i, column) * size);
    reference_scan(desc, terms, in, wanted);
    for (uint64_t i = 0; i < terms; i++) {
        const uint64_t found = number_load(
            dtype, it->output + it->out_first + element_of(&desc->output, row, i, column) * size);
        ck_assert_msg(found == wanted[i],
                      "term %llu of column %llu of row %llu has bits 0x%llX, the order gives "
                      "0x%llX\n%s",
                      (unsigned long long)i, (unsigned long long)column, (unsigned long long)row,
                      (unsigned long long)found, (unsigned long long)wanted[i], plan);
    }
    free(wanted);
    free(in);
}

static void compare_memory(const tally_cumulative *desc, scan_memory *it, const char *plan) {
    const uint64_t columns = desc->input.size[2];
    const uint64_t end = it->out_first + it->elements * number_bytes(desc->input.dtype);
    fixture_check(clEnqueueReadBuffer(fixture_get()->queue, it->out, CL_TRUE, 0, (size_t)it->bytes,
                                      it->output, 0, NULL, NULL));
    for (uint64_t row = 0; row < desc->input.size[0]; row++)
        for (uint64_t column = 0; column < columns; column++)
            compare_column(desc, it, row, column, plan);
    for (uint64_t i = 0; i < it->bytes; i++)
        if (i < it->out_first || i >= end)
            ck_assert_msg(it->output[i] == UNWRITTEN, "byte %llu beside the output is written\n%s",
                          (unsigned long long)i, plan);
}

/* ---- Runs ------------------------------------------------------------------------------------ */

static tally_binding bind_memory(const scan_memory *it) {
    tally_binding binding = TALLY_BINDING_INIT;
    binding.input = (tally_view){.buffer = it->in, .offset = (size_t)it->in_first};
    binding.output = (tally_view){.buffer = it->out, .offset = (size_t)it->out_first};
    binding.scratch = (tally_view){.buffer = it->scratch, .offset = TALLY_SCRATCH_ALIGNMENT};
    return binding;
}

void scan_memory_run(const tally_cumulative *desc, tally_op *op, bool in_place, uint64_t seed,
                     int times) {
    scan_memory it = make_memory(desc, op, in_place, seed);
    const tally_binding binding = bind_memory(&it);
    tally_error error;
    for (int time = 0; time < times; time++)
        fixture_ok(tally_op_enqueue(op, fixture_get()->queue, &binding, 0, NULL, NULL, &error),
                   &error, tally_op_describe(op));
    compare_memory(desc, &it, tally_op_describe(op));
    free_memory(&it);
}

void scan_memory_check(const tally_cumulative *desc, tally_op *op, bool in_place) {
    scan_memory_run(desc, op, in_place, 0, in_place ? 1 : 2);
    tally_op_release(op);
}
