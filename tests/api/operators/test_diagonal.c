/*
 * test_diagonal.c: fills on the device against the oracle: every type with and without an input,
 * in place, every kind of interval, ranks 2 to 8, wide and tall matrices, strides and gaps.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "support/descriptions/legal.h"
#include "support/descriptions/shape.h"
#include "support/fixtures/call.h"
#include "support/fixtures/image.h"
#include "support/fixtures/run.h"
#include "support/numbers/number.h"

Suite *suite_diagonal(void);

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

typedef struct interval {
    int64_t begin, end;
} interval;

static const interval intervals[] = {
    {0, 1},
    {0, 0},
    {1, 0},
    {-1, 2},
    {2, -1},
    {3, 4},
    {-3, -2},
    {-2, 0},
    {100, 200},
    {-200, -100},
    {200, -200},
    {5, 5},
    {INT32_MIN, 1},
    {1, INT32_MAX},
    {1, INT32_MIN},
    {INT32_MAX, 1},
    {INT32_MIN, INT32_MAX},
    {INT32_MAX, INT32_MIN},
    {INT32_MAX, INT32_MAX},
    {INT64_MIN, 0},
    {0, INT64_MAX},
    {0, INT64_MIN},
    {INT64_MAX, 0},
    {INT64_MIN, INT64_MAX},
    {INT64_MAX, INT64_MIN},
    {INT64_MIN, INT64_MIN},
    {INT64_MAX - 1, INT64_MAX},
    {INT64_MIN, INT64_MIN + 1},
};

/* A value with bits in every byte; of floats a NaN with a payload every second time. */
static tally_scalar value_of(tally_dtype dtype, uint64_t seed) {
    tally_scalar value;
    memset(&value, 0xC3, sizeof value);
    const uint64_t nan = number_is_float(dtype) && seed % 2 == 0 ? number_lowest(dtype) | 9 : 0;
    number_store(dtype, &value, nan != 0 ? nan : 0x0123456789ABCDEFu);
    return value;
}

/* Without an input, with one, and in place. The input has any bits, so NaN of all patterns too. */
static void run_ways(tally_dtype dtype, const tally_tensor *output, const tally_tensor *input,
                     interval band) {
    const uint64_t seed = run_count();
    tally_diagonal desc = TALLY_DIAGONAL_INIT;
    run_how how = {VALUES_BITS, seed, (uint32_t)(seed % 3), (uint32_t)(seed % 5), false};
    desc.output = *output;
    desc.value = value_of(dtype, seed);
    desc.begin = band.begin;
    desc.end = band.end;
    run_diagonal(&desc, how);
    desc.input = input;
    run_diagonal(&desc, how);
    desc.input = &desc.output;
    how.in_place = true;
    run_diagonal(&desc, how);
}

START_TEST(all_intervals) {
    const tally_dtype dtype = (tally_dtype)(TALLY_F16 + _i);
    const shape shapes[] = {SHAPE(4, 5), SHAPE(7, 3), SHAPE(2, 6, 6)};
    for (size_t k = 0; k < COUNT(intervals); k++) {
        for (size_t s = 0; s < COUNT(shapes); s++) {
            const tally_tensor tensor = shape_tensor(dtype, shapes[s]);
            run_ways(dtype, &tensor, &tensor, intervals[k]);
        }
    }
}
END_TEST

START_TEST(shapes_of_matrices) {
    const tally_dtype dtype = (tally_dtype)(TALLY_F16 + _i);
    const shape shapes[] = {SHAPE(1, 1), SHAPE(1, 300), SHAPE(300, 1),  SHAPE(129, 257),
                            SHAPE(0, 4), SHAPE(4, 0),   SHAPE(3, 0, 0), SHAPE(0, 3, 3)};
    for (size_t s = 0; s < COUNT(shapes); s++) {
        const tally_tensor tensor = shape_tensor(dtype, shapes[s]);
        run_ways(dtype, &tensor, &tensor, (interval){-1, 2});
        run_ways(dtype, &tensor, &tensor, (interval){100, 3});
    }
}
END_TEST

/* One type of each size. */
static const tally_dtype sized[] = {TALLY_I8, TALLY_F16, TALLY_U32, TALLY_F64};

/* Every rank, with the batch's axes in any order and gaps on both sides. */
START_TEST(layouts_of_all_ranks) {
    const tally_dtype dtype = sized[(size_t)_i % COUNT(sized)];
    const uint64_t sizes[TALLY_MAX_RANK] = {3, 2, 1, 3, 2, 4, 5, 2};
    uint64_t state = (uint64_t)_i;
    for (uint32_t rank = 2; rank <= TALLY_MAX_RANK; rank++) {
        shape some = {rank, {0}};
        for (uint32_t k = 0; k < rank; k++) {
            some.size[k] = sizes[(k + (uint32_t)_i) % TALLY_MAX_RANK];
        }
        for (int layout = 0; layout < 5; layout++) {
            tally_tensor input = shape_tensor(dtype, some), output = input;
            if (layout > 0) {
                shape_random_input(&input, &state);
                shape_random_output(&output, &state);
            }
            run_ways(dtype, &output, &input, (interval){-1, 1});
            run_ways(dtype, &output, &input, (interval){2, -1});
        }
    }
}
END_TEST

START_TEST(large_matrices) {
    const tally_dtype dtype = sized[_i];
    const tally_tensor tensor = shape_tensor(dtype, SHAPE(1021, 1031));
    run_ways(dtype, &tensor, &tensor, (interval){-40, 500});
}
END_TEST

/* NaN of every float pass with all their bits, in the input and as the value. */
START_TEST(nan_patterns_survive) {
    const uint32_t input[4] = {0x7F800001, 0xFFFFFFFF, 0x7FC12345, 0xFF812345};
    uint32_t output[4] = {0};
    const tally_tensor tensor = shape_tensor(TALLY_F32, SHAPE(2, 2));
    tally_diagonal desc = TALLY_DIAGONAL_INIT;
    desc.input = &tensor;
    desc.output = tensor;
    desc.value.u32 = 0xFFABCDEF;
    desc.begin = 1;
    desc.end = 2;
    call_diagonal(&desc, input, output);
    ck_assert_uint_eq(output[0], input[0]);
    ck_assert_uint_eq(output[1], 0xFFABCDEF);
    ck_assert_uint_eq(output[2], input[2]);
    ck_assert_uint_eq(output[3], input[3]);
}
END_TEST

/* The input's tensor is read by the create call only. */
START_TEST(input_tensor_may_change_after_create) {
    const fixture *on = fixture_get();
    tally_tensor tensor = shape_tensor(TALLY_U8, SHAPE(2, 2));
    tally_diagonal desc = TALLY_DIAGONAL_INIT;
    tally_error error;
    tally_op *op = NULL;
    tally_binding binding = TALLY_BINDING_INIT;
    desc.input = &tensor;
    desc.output = tensor;
    fixture_ok(tally_diagonal_create(on->runtime, &desc, &op, &error), &error, "create");
    memset(&tensor, 0xFF, sizeof tensor);
    memset(&desc, 0xFF, sizeof desc);
    image memory = image_make(0, 4, 7);
    image_upload(&memory);
    binding.input = binding.output = image_view(&memory);
    fixture_ok(tally_op_enqueue(op, on->queue, &binding, 0, NULL, NULL, &error), &error, "enqueue");
    unsigned char *now = image_download(&memory);
    ck_assert_mem_eq(now, memory.bytes, 4); /* begin and end are both 0: nothing is filled */
    free(now);
    image_free(&memory);
    tally_op_release(op);
}
END_TEST

Suite *suite_diagonal(void) {
    Suite *suite = suite_create("diagonal");
    TCase *tests = tcase_create("diagonal");
    tcase_set_timeout(tests, 600);
    tcase_add_loop_test(tests, all_intervals, 0, LEGAL_DTYPES);
    tcase_add_loop_test(tests, shapes_of_matrices, 0, LEGAL_DTYPES);
    tcase_add_loop_test(tests, layouts_of_all_ranks, 0, 3 * (int)COUNT(sized));
    tcase_add_loop_test(tests, large_matrices, 0, (int)COUNT(sized));
    tcase_add_test(tests, nan_patterns_survive);
    tcase_add_test(tests, input_tensor_may_change_after_create);
    suite_add_tcase(suite, tests);
    return suite;
}
