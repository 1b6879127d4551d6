/*
 * test_wide_schedules.c: the kernels of GPUs that move 16 bytes for each work-item, on shapes
 * around all that they tell apart: few columns and many, rows of every short length, blocks that
 * are cut, views that begin anywhere, outputs with gaps. Every output has the bits of the plain
 * reference of the orders, and nothing beside the outputs is written.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "api/operator.h"
#include "support/descriptions/legal.h"
#include "support/descriptions/shape.h"
#include "support/fixtures/fixture.h"
#include "support/numbers/number.h"
#include "support/numbers/values.h"
#include "support/oracle/oracle.h"
#include "support/reference/order_check.h"
#include "support/share.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum { GUARD = 64, UNWRITTEN = 0xA5 };

static tally_runtime *runtime;

static void open_runtime(void) {
    runtime = fixture_make_runtime_of(TALLY_FAMILY_GPU);
}

static void close_runtime(void) {
    tally_runtime_release(runtime);
}

/* ---- One problem ----------------------------------------------------------------------------- */

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

/* The problem's outputs have the reference's bits; a launch of it is by that schedule. */
static void check(tally_reduce desc, uint64_t index, const char *schedule) {
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
    fixture_ok(tally_reduce_create(runtime, &desc, &op, &error), &error, "tally_reduce_create");
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

/* ---- Shapes ---------------------------------------------------------------------------------- */

static bool is_there(legal_pair pair) {
    return pair.dtype != TALLY_F64 || fixture_get()->has_f64;
}

/* Few columns: rows that share a pack, strips of one pack and of several, every way to deal lanes.
 */
START_TEST(few_columns_have_the_bits_of_the_order) {
    static const legal_pair pairs[] = {{TALLY_SUM, TALLY_F32},
                                       {TALLY_SUM, TALLY_F16},
                                       {TALLY_MAX, TALLY_I8},
                                       {TALLY_LOG_SUM_EXP, TALLY_F32},
                                       {TALLY_ARGMIN, TALLY_U8}};
    static const uint64_t terms[] = {2, 7, 16, 17, 128, 129, 4095, 4096, 4097, 9000};
    const legal_pair pair = pairs[_i];
    uint64_t index = 0;
    for (uint64_t columns = 2; columns <= 17; columns++) {
        for (size_t k = 0; k < COUNT(terms); k++, index++) {
            /* The dearest program to compile, on half of them. */
            if (pair.function == TALLY_LOG_SUM_EXP && index % 2 != 0)
                continue;
            if (!share_has(columns + k + (uint64_t)_i, 9))
                continue;
            tally_reduce desc =
                shape_reduce(pair.function, pair.dtype, SHAPE(3, terms[k], columns), 2);
            desc.tie = index % 2 == 0 ? TALLY_TIE_FIRST : TALLY_TIE_LAST;
            const uint64_t bytes = columns * number_bytes(pair.dtype);
            const uint64_t most = pair.function == TALLY_LOG_SUM_EXP ? 32 : 64;
            const bool tiled = terms[k] <= 128 && bytes % 16 == 0 && bytes <= most;
            check(desc, index,
                  tiled ? ": tally_fold_short_rows" : "1: tally_fold_"); /* columns or outputs */
        }
    }
}
END_TEST

/*
 * Wide ones: several strips, of which the last is cut, and a group's worth of short blocks; rows
 * that are whole packs apart, or made so, in views that begin at a pack and inside of one.
 */
START_TEST(wide_columns_have_the_bits_of_the_order) {
    static const uint64_t columns[] = {31, 64, 100, 129, 260, 528, 1000, 560};
    static const uint64_t terms[] = {2, 9, 16, 17, 33, 129, 4097};
    static const legal_pair pairs[] = {{TALLY_SUM, TALLY_F32},
                                       {TALLY_ARGMAX, TALLY_F16},
                                       {TALLY_SUM, TALLY_F16},
                                       {TALLY_MAX, TALLY_U8}};
    const legal_pair pair = pairs[_i];
    uint64_t index = 0;
    for (size_t i = 0; i < COUNT(columns) * COUNT(terms); i++, index++) {
        const uint64_t wide = columns[i % COUNT(columns)];
        if (!share_has(i + (uint64_t)_i, 5))
            continue;
        tally_reduce desc =
            shape_reduce(pair.function, pair.dtype, SHAPE(2, terms[i / COUNT(columns)], wide), 2);
        if (i / COUNT(columns) % 2 == 0)
            shape_space_rows(&desc.input, (16 - wide % 16) % 16);
        check(desc, index, "1: tally_fold_"); /* columns or outputs */
    }
}
END_TEST

/* Rows of every short length, two units of them and some. */
START_TEST(short_rows_have_the_bits_of_the_order) {
    static const legal_pair pairs[] = {{TALLY_SUM, TALLY_F32},
                                       {TALLY_LOG_SUM_EXP, TALLY_F16},
                                       {TALLY_ARGMAX, TALLY_I8},
                                       {TALLY_MULTIPLY, TALLY_F64}};
    const legal_pair pair = pairs[_i];
    if (!is_there(pair))
        return; /* nothing is promised of a type that the device does not have */
    for (uint64_t terms = 2; terms <= 130; terms++) {
        const uint64_t rows = 2 * 16384 / (terms * number_bytes(pair.dtype)) + 3;
        const tally_reduce desc = shape_reduce(pair.function, pair.dtype, SHAPE(rows, terms), 2);
        check(desc, terms, terms <= 128 ? "1: tally_fold_short_rows" : "1: tally_fold_rows");
    }
}
END_TEST

/* Short columns of one pack and of two, in units that are full. */
START_TEST(short_columns_have_the_bits_of_the_order) {
    static const legal_pair pairs[] = {{TALLY_SUM, TALLY_F32},
                                       {TALLY_LOG_SUM_EXP, TALLY_F64},
                                       {TALLY_MAX, TALLY_F16},
                                       {TALLY_ARGMAX, TALLY_I8}};
    const legal_pair pair = pairs[_i];
    if (!is_there(pair))
        return;
    for (uint64_t terms = 2; terms <= 128; terms++) {
        const uint64_t columns = (terms / 2 % 2 + 1) * 16 / number_bytes(pair.dtype);
        const uint64_t rows = 2 * 16384 / (terms * columns * number_bytes(pair.dtype)) + 1;
        const tally_reduce desc =
            shape_reduce(pair.function, pair.dtype, SHAPE(rows, terms, columns), 2);
        check(desc, terms, "1: tally_fold_short_rows");
    }
}
END_TEST

/* All lengths whose images have room between rows: of 16 and of 32 bytes. */
START_TEST(short_rows_with_room_between_them_are_full_to_the_last_pack) {
    for (uint64_t terms = 4; terms <= 128; terms += 4) {
        for (uint64_t columns = 4; columns <= 8; columns += 4) {
            const uint64_t rows = 16384 / (terms * columns * 4);
            const tally_reduce desc =
                shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(rows, terms, columns), 2);
            check(desc, 0, "1: tally_fold_short_rows");
        }
    }
}
END_TEST

/* Blocks of rows that work-items take several of, fewer than a group has room for and more. */
START_TEST(rows_have_the_bits_of_the_order) {
    static const legal_pair pairs[] = {
        {TALLY_SUM, TALLY_F32}, {TALLY_ARGMIN, TALLY_U8}, {TALLY_LOG_SUM_EXP, TALLY_F32}};
    static const uint64_t terms[] = {129, 255, 256, 257, 511, 512, 513, 1024, 4095, 4096};
    const legal_pair pair = pairs[_i];
    for (size_t k = 0; k < COUNT(terms); k++) {
        const uint64_t many = terms[k] < 600 ? 300 : 19;
        const tally_reduce few = shape_reduce(pair.function, pair.dtype, SHAPE(5, terms[k]), 2);
        tally_reduce more = shape_reduce(pair.function, pair.dtype, SHAPE(many, terms[k]), 2);
        if (k % 2 != 0) { /* rows that begin at any position of a pack */
            more.input.flags |= TALLY_STRIDED;
            more.input.stride[0] = terms[k] + 1;
            more.input.stride[1] = 1;
        }
        check(few, k, "1: tally_fold_rows");
        check(more, k + 1, "1: tally_fold_rows");
    }
}
END_TEST

/*
 * Rows that have no lane run, of all numbers of stripes, some elements less and more: 300 of them,
 * whose starts and ends are at every position of a pack, and which are by a kernel that knows how
 * many stripes there are.
 */
START_TEST(rows_without_a_lane_run_have_the_bits_of_the_order) {
    static const legal_pair pairs[] = {
        {TALLY_SUM, TALLY_F16},         {TALLY_L2, TALLY_F32},
        {TALLY_AVERAGE, TALLY_F64},     {TALLY_MAX, TALLY_U8},
        {TALLY_MIN, TALLY_F16},         {TALLY_ARGMAX, TALLY_U8},
        {TALLY_ARGMIN, TALLY_F16},      {TALLY_ARGMAX, TALLY_F64},
        {TALLY_SUM, TALLY_I32},         {TALLY_LOG_SUM_EXP, TALLY_F16},
        {TALLY_LOG_SUM_EXP, TALLY_F32}, {TALLY_LOG_SUM_EXP, TALLY_F64}};
    static const uint64_t terms[] = {128, 129, 131, 143, 150, 211, 226,  254,  255,
                                     256, 257, 263, 271, 272, 333, 384,  385,  511,
                                     512, 513, 527, 700, 769, 895, 1009, 1022, 1023};
    const legal_pair pair = pairs[_i];
    if (!is_there(pair))
        return;
    for (size_t k = 0; k < COUNT(terms); k++) {
        tally_reduce desc = shape_reduce(pair.function, pair.dtype, SHAPE(300, terms[k]), 2);
        desc.tie = k % 2 == 0 ? TALLY_TIE_FIRST : TALLY_TIE_LAST;
        desc.input.flags |= TALLY_STRIDED;
        desc.input.stride[0] = terms[k] + 1 + (terms[k] % 2);
        desc.input.stride[1] = 1;
        check(desc, k,
              terms[k] == 128   ? "_stripes1_"
              : terms[k] <= 256 ? "_stripes2_"
              : terms[k] <= 512 ? "_stripes4_"
                                : "_stripes8_");
    }
}
END_TEST

/* Rows of several blocks by one group, up to all it combines, and one term more. */
START_TEST(whole_rows_have_the_bits_of_the_order) {
    static const legal_pair pairs[] = {{TALLY_SUM, TALLY_F32},
                                       {TALLY_LOG_SUM_EXP, TALLY_F32},
                                       {TALLY_ARGMAX, TALLY_I8},
                                       {TALLY_L2, TALLY_F64}};
    static const uint64_t terms[] = {4097, 4100, 8191, 8192, 8193, 40001, 65535, 65536, 65537};
    const legal_pair pair = pairs[_i];
    if (!is_there(pair))
        return;
    for (size_t k = 0; k < COUNT(terms); k++) {
        tally_reduce desc = shape_reduce(pair.function, pair.dtype, SHAPE(1 + k % 3, terms[k]), 2);
        desc.tie = k % 2 == 0 ? TALLY_TIE_LAST : TALLY_TIE_FIRST;
        check(desc, k, terms[k] <= 65536 ? "_wholerows1_" : "1: tally_fold_rows");
    }
}
END_TEST

/* The same of states: what a group of axes leaves is the next one's terms; of an index all is one.
 */
START_TEST(whole_rows_of_states_have_the_bits_of_the_order) {
    static const legal_pair pairs[] = {
        {TALLY_SUM, TALLY_F32}, {TALLY_LOG_SUM_EXP, TALLY_F32}, {TALLY_ARGMIN, TALLY_I16}};
    static const uint64_t terms[] = {8193, 12297, 65536};
    const legal_pair pair = pairs[_i];
    for (size_t k = 0; k < COUNT(terms); k++) {
        tally_reduce desc = shape_reduce(pair.function, pair.dtype, SHAPE(terms[k], 2, 3), 5);
        desc.tie = k % 2 == 0 ? TALLY_TIE_LAST : TALLY_TIE_FIRST;
        check(desc, k, pair.function == TALLY_ARGMIN ? "1: tally_fold_" : "_wholerows1_");
    }
}
END_TEST

/* Several groups of axes, and one of several, of outputs that lie in packs; axes are bits. */
START_TEST(packs_of_outputs_of_several_groups_have_the_bits_of_the_order) {
    static const legal_pair pairs[] = {{TALLY_AVERAGE, TALLY_F16},
                                       {TALLY_MAX, TALLY_U8},
                                       {TALLY_ARGMIN, TALLY_I16},
                                       {TALLY_SUM, TALLY_F32}};
    const struct {
        shape sizes;
        uint32_t axes;
    } cases[] = {
        {SHAPE(4, 3, 5, 2, 17), 21}, {SHAPE(8, 3, 5, 2, 16), 21}, {SHAPE(64, 3, 5, 2, 2), 21},
        {SHAPE(12, 9, 4, 7), 10},    {SHAPE(16, 33, 5), 2},
    };
    const legal_pair pair = pairs[_i];
    for (size_t k = 0; k < COUNT(cases); k++) {
        tally_reduce desc = shape_reduce(pair.function, pair.dtype, cases[k].sizes, cases[k].axes);
        shape_transpose(&desc.input);
        check(desc, k, "1: tally_fold_"); /* the planner's choice; packs where outputs are many */
    }
}
END_TEST

/*
 * Few columns of long terms, planned for a device of many compute units: groups share blocks, which
 * the groups that end last combine.
 */
START_TEST(blocks_that_groups_share_have_the_bits_of_the_order) {
    static const struct {
        tally_function function;
        tally_dtype dtype;
        uint64_t terms, columns;
    } cases[] = {{TALLY_SUM, TALLY_F32, 9000, 14},
                 {TALLY_AVERAGE, TALLY_F16, 9000, 61},
                 {TALLY_LOG_SUM_EXP, TALLY_F32, 8200, 9},
                 {TALLY_ARGMAX, TALLY_I16, 13000, 29}};
    const tally_limits limits = runtime->device.limits;
    tally_reduce desc = shape_reduce(cases[_i].function, cases[_i].dtype,
                                     SHAPE(cases[_i].terms, cases[_i].columns), 1);
    runtime->device.limits.units = 128;
    for (uint64_t index = 0; index < 2; index++) {
        desc.tie = index == 0 ? TALLY_TIE_FIRST : TALLY_TIE_LAST;
        check(desc, index, "_closing");
    }
    runtime->device.limits = limits;
}
END_TEST

/*
 * The states that a group of axes leaves, folded by outputs in a second launch; planned for a
 * device of few compute units, as with more of them the groups that end last would fold these
 * states.
 */
START_TEST(outputs_of_states_have_the_bits_of_the_order) {
    static const struct {
        legal_pair pair;
        shape sizes;
    } cases[] = {{{TALLY_SUM, TALLY_F32}, {3, {20, 600, 20}}},
                 {{TALLY_LOG_SUM_EXP, TALLY_F32}, {3, {9, 300, 129}}},
                 {{TALLY_AVERAGE, TALLY_F16}, {4, {20, 9, 300, 64}}},
                 {{TALLY_ARGMAX, TALLY_I16}, {4, {20, 9, 300, 64}}}};
    const tally_limits limits = runtime->device.limits;
    tally_reduce desc =
        shape_reduce(cases[_i].pair.function, cases[_i].pair.dtype, cases[_i].sizes, 5);
    runtime->device.limits.units = 2;
    for (uint64_t index = 0; index < 2; index++) {
        desc.tie = index == 0 ? TALLY_TIE_FIRST : TALLY_TIE_LAST;
        check(desc, 3 * index, "2: tally_fold_outputs_");
    }
    runtime->device.limits = limits;
}
END_TEST

Suite *suite_wide_schedules(void);

Suite *suite_wide_schedules(void) {
    Suite *suite = suite_create("wide_schedules");
    TCase *tests = tcase_create("wide_schedules");
    tcase_set_timeout(tests, 0);
    tcase_add_unchecked_fixture(tests, open_runtime, close_runtime);
    tcase_add_loop_test(tests, few_columns_have_the_bits_of_the_order, 0, 5);
    tcase_add_loop_test(tests, wide_columns_have_the_bits_of_the_order, 0, 4);
    share_add_loop(tests, short_rows_have_the_bits_of_the_order, 4, 2);
    share_add_loop(tests, short_columns_have_the_bits_of_the_order, 4, 2);
    tcase_add_test(tests, short_rows_with_room_between_them_are_full_to_the_last_pack);
    tcase_add_loop_test(tests, rows_have_the_bits_of_the_order, 0, 3);
    tcase_add_loop_test(tests, whole_rows_have_the_bits_of_the_order, 0, 4);
    tcase_add_loop_test(tests, whole_rows_of_states_have_the_bits_of_the_order, 0, 3);
    tcase_add_loop_test(tests, packs_of_outputs_of_several_groups_have_the_bits_of_the_order, 0, 4);
    tcase_add_loop_test(tests, blocks_that_groups_share_have_the_bits_of_the_order, 0, 4);
    tcase_add_loop_test(tests, outputs_of_states_have_the_bits_of_the_order, 0, 4);
    suite_add_tcase(suite, tests);
    tests = tcase_create("stripes");
    tcase_set_timeout(tests, 0);
    tcase_add_unchecked_fixture(tests, open_runtime, close_runtime);
    share_add_loop(tests, rows_without_a_lane_run_have_the_bits_of_the_order, 12, 2);
    suite_add_tcase(suite, tests);
    return suite;
}
