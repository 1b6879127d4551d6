/*
 * test_scan_columns.c: scans down columns by the kernels for GPUs, in registers or by boxes in
 * local memory, on shapes around all that they tell apart: strips that are cut, runs, spans, tiles
 * and stretches that end or do not, columns that begin anywhere, gaps between rows, axes
 * transposed, in place or not. Every element has the bits of the plain reference of the order, and
 * nothing beside the output is written.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "api/runtime.h"
#include "support/descriptions/legal.h"
#include "support/descriptions/shape.h"
#include "support/fixtures/fixture.h"
#include "support/numbers/number.h"
#include "support/numbers/values.h"
#include "support/oracle/oracle.h"
#include "support/plans/addresses.h"
#include "support/reference/reference_scan.h"
#include "support/share.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum { GUARD = 64, UNWRITTEN = 0xA5, AXIS = 1 };

static tally_runtime *runtime;

static void open_runtime(void) {
    runtime = fixture_make_runtime_of(TALLY_FAMILY_GPU);
}

static void close_runtime(void) {
    tally_runtime_release(runtime);
}

/* ---- One problem ----------------------------------------------------------------------------- */

/* How {outer, terms, columns} lie in memory: elements before the views and between rows. */
typedef struct layout {
    uint64_t in_offset, out_offset, in_gap, out_gap;
    bool in_place, transposed;
} layout;

static const layout layouts[] = {
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

/* One of the layouts and of the ways along the axis, by turns. */
static void check(legal_pair pair, shape sizes, uint64_t round, const char *schedule) {
    layout it = layouts[round % COUNT(layouts)];
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
    fixture_ok(tally_cumulative_create(runtime, &desc, &op, &error), &error,
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

/* ---- Shapes ---------------------------------------------------------------------------------- */

static bool is_there(legal_pair pair) {
    return pair.dtype != TALLY_F64 || fixture_get()->has_f64;
}

static const legal_pair pairs[] = {
    {TALLY_SUM, TALLY_F32}, {TALLY_SUM, TALLY_F16}, {TALLY_MIN, TALLY_I8}, {TALLY_SUM, TALLY_F64}};

/* A run and less, several, a span and more, whole strips or cut ones by turns, in every layout. */
START_TEST(short_columns_have_the_bits_of_the_order) {
    static const uint64_t terms[] = {2, 16, 17, 241, 256, 257, 600};
    static const uint64_t columns[] = {32, 37, 64, 131};
    uint64_t round = (uint64_t)_i;
    for (size_t i = 0; i < COUNT(terms) && is_there(pairs[_i]); i++)
        for (size_t k = (i + (size_t)_i) % 2; k < COUNT(columns); k += 2, round++)
            if (share_has(round + (uint64_t)_i, 5))
                check(pairs[_i], SHAPE(3, terms[i], columns[k]), round, "1: tally_scan_");
}
END_TEST

/* Narrow elements whose rows are no whole dwords go by boxes, others as it should be. */
static const char *plan_of(tally_dtype type) {
    return number_bytes(type) < 4 ? "1: tally_scan_" : "1: tally_scan_columns";
}

/*
 * The same of wide ones that begin anywhere, in the layouts in which they are columns: of a device
 * for which they are next to nothing, as boxes serve a few more.
 */
START_TEST(wide_columns_have_the_bits_of_the_order) {
    static const uint64_t terms[] = {17, 241, 256, 257, 600}, rounds[] = {0, 1, 2, 3, 4, 5, 7};
    const uint32_t units = runtime->device.limits.units;
    uint64_t round = (uint64_t)_i;
    runtime->device.limits.units = 1024;
    for (size_t i = 0; i < COUNT(terms) && is_there(pairs[_i]); i++, round++)
        if (share_has(i + (size_t)_i, 3))
            check(pairs[_i], SHAPE(2, terms[i], 517), rounds[round % COUNT(rounds)],
                  plan_of(pairs[_i].dtype));
    runtime->device.limits.units = units;
}
END_TEST

/* Some layouts of 8-byte elements lie in whole sectors, which are columns and no boxes. */
static const char *box_name(legal_pair pair, const char *name) {
    return pair.dtype == TALLY_F64 ? "tally_scan_" : name;
}

/* Boxes of lines that go on, past spans and tiles, in every layout. */
START_TEST(boxes_that_walk_have_the_bits_of_the_order) {
    static const uint64_t terms[] = {15, 16, 31, 257, 600, 1500, 4097, 8200, 1000};
    const uint32_t units = runtime->device.limits.units;
    runtime->device.limits.units = 1;
    for (size_t i = 0; i < COUNT(terms) && is_there(pairs[_i]); i++)
        if (share_has(i + 2 * (size_t)_i, 5))
            check(pairs[_i], SHAPE(4, terms[i], 61), i + (uint64_t)_i,
                  box_name(pairs[_i], "1: tally_scan_staged_"));
    runtime->device.limits.units = units;
}
END_TEST

/* Few long lines with gaps, by tiles of boxes: tiles that are cut, and for one type past a stretch.
 */
START_TEST(tiles_of_boxes_have_the_bits_of_the_order) {
    static const uint64_t rounds[] = {3, 4, 7};
    const uint32_t units = runtime->device.limits.units;
    runtime->device.limits.units = 64;
    for (uint64_t i = 0; i < COUNT(rounds) && is_there(pairs[_i]); i++)
        check(pairs[_i], SHAPE(2, 24577 + i * 509, 1 + i * 2), rounds[i],
              box_name(pairs[_i], "_two_passes_"));
    if (_i == 0)
        check(pairs[_i], SHAPE(1, 262144 + 4097, 3), 3, box_name(pairs[_i], "_two_passes_"));
    runtime->device.limits.units = units;
}
END_TEST

/*
 * Of results that become rows, by way of local memory: spans whole and cut, past a tile, rows that
 * begin aligned and not, for devices of large groups and of small ones by turns.
 */
START_TEST(columns_that_become_rows_have_the_bits_of_the_order) {
    static const uint64_t terms[] = {1025, 1040, 1300, 4097}, columns[] = {132, 260};
    static const struct {
        uint64_t group_max, local_bytes;
    } devices[] = {{1024, 49152}, {256, 32768}};
    const tally_limits limits = runtime->device.limits;
    uint64_t round = (uint64_t)_i;
    for (size_t d = 0; d < COUNT(devices) && is_there(pairs[_i]); d++)
        for (size_t i = 0; i < COUNT(terms) * COUNT(columns); i++) {
            if ((d + i / 2 + i + (size_t)_i) % 2 != 0)
                continue;
            round++;
            if (!share_has(round + (uint64_t)_i, 3))
                continue;
            runtime->device.limits.group_max = devices[d].group_max;
            runtime->device.limits.local_bytes = devices[d].local_bytes;
            runtime->device.limits.units = 1;
            check(pairs[_i], SHAPE(1, terms[i / 2], columns[i % 2]),
                  round * COUNT(layouts) + (round % 3 == 0 ? 8 : 6), "_results2_");
        }
    runtime->device.limits = limits;
}
END_TEST

/* Of few columns groups have several spans at a time: parts of them, a tile's, and past a tile. */
START_TEST(spans_at_a_time_have_the_bits_of_the_order) {
    static const struct {
        uint64_t terms, columns, round;
    } cases[] = {{257, 32, 0}, {1000, 517, 1}, {4097, 64, 5}, {9001, 32, 4}, {600, 517, 7}};
    const uint32_t units = runtime->device.limits.units;
    runtime->device.limits.units = 1024;
    for (size_t i = 0; i < COUNT(cases) && is_there(pairs[_i]); i++)
        check(pairs[_i], SHAPE(2, cases[i].terms, cases[i].columns), cases[i].round,
              plan_of(pairs[_i].dtype));
    runtime->device.limits.units = units;
}
END_TEST

/* Past tiles, and for sums of float32 past a stretch. */
START_TEST(long_columns_have_the_bits_of_the_order) {
    static const uint64_t terms[] = {4096, 4097, 8200, 262144 + 300}, rounds[] = {5, 1, 2, 0};
    const uint32_t units = runtime->device.limits.units;
    runtime->device.limits.units = 1;
    for (size_t i = 0; i < COUNT(terms) - (_i > 0) && is_there(pairs[_i]); i++)
        check(pairs[_i], SHAPE(1, terms[i], _i == 1 ? 64 : 32), rounds[i], "1: tally_scan_columns");
    runtime->device.limits.units = units;
}
END_TEST

/* So many that work-items go down them alone, past a span: for one compute unit they are enough. */
START_TEST(many_columns_have_the_bits_of_the_order) {
    const uint32_t units = runtime->device.limits.units;
    runtime->device.limits.units = 1;
    for (uint64_t round = 0; round < 3; round++)
        check(pairs[_i], SHAPE(3, 270 + 30 * round, 5500 + round), round, "_wholespans");
    runtime->device.limits.units = units;
}
END_TEST

/*
 * Few and long, for so many compute units that their tiles are spread over groups, or parts of
 * them: tiles that are cut, columns that fill strips or do not, in every layout, and a stretch and
 * more.
 */
START_TEST(few_long_columns_have_the_bits_of_the_order) {
    static const uint64_t columns[] = {32, 37, 64, 131, 48, 33, 40, 65, 35};
    static const uint32_t units[] = {64, 7};
    const uint32_t usual = runtime->device.limits.units;
    for (uint64_t i = 0; i < 2 * COUNT(layouts) && is_there(pairs[_i]); i++) {
        const uint64_t round = i / 2;
        if (!share_has(round + 2 * (uint64_t)_i, 5))
            continue;
        runtime->device.limits.units = units[i % 2];
        check(pairs[_i], SHAPE(1 + round % 2 * (i + 1) % 2, 18433 + round * 509, columns[round]),
              (uint64_t)_i + round, units[i % 2] > 7 ? "_two_passes_" : "tally_scan_");
    }
    runtime->device.limits.units = usual;
}
END_TEST

/*
 * So long that a launch folds the totals, of tiles or, for more compute units, of spans; and a
 * stretch that is before a piece. In other rounds and of an exact function as well. The last one is
 * of boxes, whose names have a flag before that of parts.
 */
START_TEST(columns_past_stretches_have_the_bits_of_the_order) {
    static const struct {
        size_t pair;
        uint64_t terms, columns, round;
        uint32_t units;
        const char *name;
    } cases[] = {{0, 262144 + 4097, 32, 0, 64, "_p4_tileparts1_l5_w4_apply"},
                 {0, 262144 + 4097, 32, 1, 9, "_p4_l5_w4_apply"},
                 {0, 262144 + 8200, 9, 2, 64, "_p4_tileparts1_l5_w4_apply"},
                 {0, 262144 + 8200, 9, 3, 9, "_p4_l5_w4_follow"},
                 {0, 262144 + 39000, 9, 0, 64, "_tileparts1_l5_w4_follow"},
                 {0, 215 * 4096 + 50, 9, 0, 64, "_spans2_l5_w4_apply"},
                 {2, 18 * 4096 + 700, 64, 5, 64, "_tileparts1_l2_w4_apply"},
                 {0, 262144 + 4097, 7, 3, 64, "1_tileparts1_l5_w4_apply"}};
    const uint32_t usual = runtime->device.limits.units;
    for (size_t i = 0; i < COUNT(cases); i++) {
        runtime->device.limits.units = cases[i].units;
        check(pairs[cases[i].pair], SHAPE(1, cases[i].terms, cases[i].columns), cases[i].round,
              cases[i].name);
    }
    runtime->device.limits.units = usual;
}
END_TEST

Suite *suite_scan_columns(void);

Suite *suite_scan_columns(void) {
    Suite *suite = suite_create("scan_columns");
    TCase *tests = tcase_create("scan_columns");
    tcase_set_timeout(tests, 0);
    tcase_add_unchecked_fixture(tests, open_runtime, close_runtime);
    tcase_add_loop_test(tests, short_columns_have_the_bits_of_the_order, 0, COUNT(pairs));
    tcase_add_loop_test(tests, wide_columns_have_the_bits_of_the_order, 0, COUNT(pairs));
    tcase_add_loop_test(tests, boxes_that_walk_have_the_bits_of_the_order, 0, COUNT(pairs));
    tcase_add_loop_test(tests, tiles_of_boxes_have_the_bits_of_the_order, 0, COUNT(pairs));
    tcase_add_loop_test(tests, columns_that_become_rows_have_the_bits_of_the_order, 0,
                        COUNT(pairs));
    tcase_add_loop_test(tests, spans_at_a_time_have_the_bits_of_the_order, 0, COUNT(pairs));
    tcase_add_loop_test(tests, long_columns_have_the_bits_of_the_order, 0, 2);
    tcase_add_loop_test(tests, many_columns_have_the_bits_of_the_order, 0, 1);
    suite_add_tcase(suite, tests);
    tests = tcase_create("few_long_columns");
    tcase_set_timeout(tests, 0);
    tcase_add_test(tests, columns_past_stretches_have_the_bits_of_the_order);
    tcase_add_unchecked_fixture(tests, open_runtime, close_runtime);
    tcase_add_loop_test(tests, few_long_columns_have_the_bits_of_the_order, 0, COUNT(pairs));
    suite_add_tcase(suite, tests);
    return suite;
}
