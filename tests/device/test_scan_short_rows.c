/*
 * test_scan_short_rows.c: scans of short packed rows by the kernels for GPUs, on lengths around all
 * that they tell apart: one run and several, whole packs and not, spans, the last row that fits.
 * Views begin anywhere, in place or not, in both directions, inclusive and exclusive. Every element
 * has the bits of the plain reference of the order, and nothing beside the output is written.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "support/descriptions/legal.h"
#include "support/descriptions/shape.h"
#include "support/fixtures/fixture.h"
#include "support/numbers/number.h"
#include "support/numbers/values.h"
#include "support/reference/reference_scan.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum { GUARD = 64, UNWRITTEN = 0xA5, ELEMENTS = 6000 };

static tally_runtime *runtime;

static void open_runtime(void) {
    runtime = fixture_make_runtime_of(TALLY_FAMILY_GPU);
}

static void close_runtime(void) {
    tally_runtime_release(runtime);
}

/* Where the views begin, in elements; in place both are the output's. */
typedef struct layout {
    uint64_t in_offset, out_offset;
    bool in_place;
} layout;

static const layout layouts[] = {{0, 0, false}, {1, 1, false}, {0, 3, false}, {0, 0, true},
                                 {5, 2, false}, {3, 0, true},  {2, 16, false}};

/* The words of the plan, which the test judges, and the elements from the output's first on. */
static void run(const tally_cumulative *desc, layout it, unsigned char *input, uint64_t bytes,
                unsigned char *output, char plan[1024]) {
    const cl_command_queue queue = fixture_get()->queue;
    const size_t size = number_bytes(desc->input.dtype);
    tally_binding binding = TALLY_BINDING_INIT;
    tally_op *op = NULL;
    tally_error error;
    fixture_ok(tally_cumulative_create(runtime, desc, &op, &error), &error,
               "tally_cumulative_create");
    strncpy(plan, tally_op_describe(op), 1023);
    binding.input.buffer = fixture_make_buffer(input, bytes);
    binding.output.buffer = it.in_place ? binding.input.buffer : fixture_make_buffer(output, bytes);
    binding.input.offset = (size_t)(it.in_place ? it.out_offset : it.in_offset) * size;
    binding.output.offset = (size_t)it.out_offset * size;
    fixture_ok(tally_op_enqueue(op, queue, &binding, 0, NULL, NULL, &error), &error, plan);
    fixture_check(clEnqueueReadBuffer(queue, binding.output.buffer, CL_TRUE, 0, (size_t)bytes,
                                      output, 0, NULL, NULL));
    clReleaseMemObject(binding.input.buffer);
    if (!it.in_place)
        clReleaseMemObject(binding.output.buffer);
    tally_op_release(op);
}

/* Every row is the reference's; what is beside them is what it was. */
static void compare(const tally_cumulative *desc, const unsigned char *input,
                    const unsigned char *output, uint64_t before, uint64_t bytes,
                    const char *plan) {
    const tally_dtype dtype = desc->input.dtype;
    const size_t size = number_bytes(dtype);
    const uint64_t rows = desc->input.size[0], terms = desc->input.size[1];
    uint64_t in[5000], wanted[5000];
    ck_assert_uint_le(terms, COUNT(in));
    for (uint64_t row = 0; row < rows; row++) {
        for (uint64_t i = 0; i < terms; i++)
            in[i] = number_load(dtype, input + (row * terms + i) * size);
        reference_scan(desc, terms, in, wanted);
        for (uint64_t i = 0; i < terms; i++) {
            const uint64_t found = number_load(dtype, output + before + (row * terms + i) * size);
            ck_assert_msg(found == wanted[i],
                          "element %llu of row %llu has bits 0x%llX, the order gives 0x%llX\n%s",
                          (unsigned long long)i, (unsigned long long)row, (unsigned long long)found,
                          (unsigned long long)wanted[i], plan);
        }
    }
    for (uint64_t i = 0; i < bytes; i++)
        if (i < before || i >= before + rows * terms * size)
            ck_assert_msg(output[i] == UNWRITTEN, "byte %llu beside the output is written\n%s",
                          (unsigned long long)i, plan);
}

/* One of the layouts and of the ways along the axis, by turns. */
static void check(legal_pair pair, uint64_t terms, uint64_t rows, uint64_t round) {
    const layout it = layouts[round % COUNT(layouts)];
    const size_t size = number_bytes(pair.dtype);
    const uint64_t begin = it.in_place ? it.out_offset : it.in_offset;
    const uint64_t bytes = (rows * terms + 16) * size + GUARD;
    tally_cumulative desc = shape_scan(pair.function, pair.dtype, SHAPE(rows, terms), 1);
    unsigned char *input = fixture_make_memory(bytes, UNWRITTEN),
                  *output = fixture_make_memory(bytes, UNWRITTEN);
    uint64_t state = round + 1;
    char plan[1024] = "";
    desc.descending = (round / 2) % 2 != 0;
    desc.exclusive = (round / 4) % 2 != 0;
    for (uint64_t i = 0; i < rows * terms; i++)
        number_store(pair.dtype, input + (begin + i) * size,
                     values_element(legal_is_order(pair.function) ? VALUES_FEW : VALUES_WIDE,
                                    pair.dtype, &state));
    run(&desc, it, input, bytes, output, plan);
    ck_assert_msg(strstr(plan, "1: tally_scan_short_rows") != NULL, "no tiles:\n%s", plan);
    compare(&desc, input + begin * size, output, it.out_offset * size, bytes, plan);
    free(output);
    free(input);
}

/* ---- Lengths --------------------------------------------------------------------------------- */

static const legal_pair pairs[] = {{TALLY_SUM, TALLY_F32},      {TALLY_SUM, TALLY_F16},
                                   {TALLY_MULTIPLY, TALLY_F64}, {TALLY_MIN, TALLY_I8},
                                   {TALLY_SUM, TALLY_I64},      {TALLY_MAX, TALLY_U16},
                                   {TALLY_MAX, TALLY_F32}};

/* Every length up to a few runs, and some up to spans, in units that are full, the last of them
 * not. */
START_TEST(short_rows_have_the_bits_of_the_order) {
    if (!fixture_has(pairs[_i].dtype))
        return; /* nothing is promised of a type that the device does not have */
    uint64_t round = (uint64_t)_i;
    for (uint64_t terms = 2; terms <= 70; terms += terms < 12 && _i > 1 ? 4 : 1, round++)
        check(pairs[_i], terms, ELEMENTS / terms + 3, round);
    for (uint64_t terms = 71; terms <= 700; terms += 13, round++)
        check(pairs[_i], terms, ELEMENTS / terms + 3, round);
}
END_TEST

/* Around spans, up to the longest row of which two fit a unit. */
START_TEST(rows_of_spans_have_the_bits_of_the_order) {
    static const uint64_t lengths[] = {255,  256,  257,  271,  272,  273,  496,  511,  512,  513,
                                       767,  768,  769,  1000, 1008, 1009, 1023, 1024, 1025, 1279,
                                       1500, 1792, 1793, 2000, 2032, 2033, 2047, 2048};
    if (!fixture_has(pairs[_i].dtype))
        return;
    const uint64_t most = number_bytes(pairs[_i].dtype) == 8 ? 1024 : 2048;
    uint64_t round = (uint64_t)_i;
    for (size_t k = 0; k < COUNT(lengths); k++)
        for (uint64_t rows = 1; lengths[k] <= most && rows <= 4; rows += 3, round++)
            check(pairs[_i], lengths[k], rows, round);
}
END_TEST

/* All layouts in all ways, whole packs and not, of one run and of several. */
START_TEST(views_may_begin_anywhere) {
    static const uint64_t lengths[] = {15, 16, 30, 32, 100, 1000};
    if (!fixture_has(pairs[_i].dtype))
        return;
    for (size_t k = 0; k < COUNT(lengths); k++)
        for (uint64_t round = 0; round < 8 * COUNT(layouts); round++)
            check(pairs[_i], lengths[k], 2048 / lengths[k] + 3, round);
}
END_TEST

Suite *suite_scan_short_rows(void);

Suite *suite_scan_short_rows(void) {
    Suite *suite = suite_create("scan_short_rows");
    TCase *tests = tcase_create("scan_short_rows");
    const int count = (int)COUNT(pairs);
    tcase_set_timeout(tests, 0);
    tcase_add_unchecked_fixture(tests, open_runtime, close_runtime);
    tcase_add_loop_test(tests, short_rows_have_the_bits_of_the_order, 0, count);
    tcase_add_loop_test(tests, rows_of_spans_have_the_bits_of_the_order, 0, count);
    tcase_add_loop_test(tests, views_may_begin_anywhere, 0, 4);
    suite_add_tcase(suite, tests);
    return suite;
}
