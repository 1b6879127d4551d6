/*
 * test_contract_empty.c: the contract's rows on axes that are none and on sizes of 0: what a
 * reduction of single elements gives, what one of nothing gives, and that an empty output leaves
 * nothing to do but the event.
 */
#include <check.h>
#include <string.h>

#include "support/descriptions/shape.h"
#include "support/expect.h"
#include "support/fixtures/fixture.h"
#include "support/fixtures/small.h"
#include "support/numbers/number.h"

Suite *suite_contract_empty(void);

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* ---- No axes ------------------------------------------------------------------------------- */

/* x and its function alone, the logarithms where they are exact. */
static const struct {
    tally_function function;
    float x, result;
} singles[] = {
    {TALLY_AVERAGE, -4, -4},    {TALLY_L1, -4, 4},           {TALLY_L2, -4, 4},
    {TALLY_LOG_SUM, 1, 0},      {TALLY_LOG_SUM_EXP, -4, -4}, {TALLY_MAX, -4, -4},
    {TALLY_MIN, -4, -4},        {TALLY_MULTIPLY, -4, -4},    {TALLY_SUM, -4, -4},
    {TALLY_SUM_SQUARE, -4, 16},
};

/* {2, 3} with axes 0, {2, 1, 3} with axis 1 of size 1, and a scalar: no element meets another. */
START_TEST(axes_empty_applies_the_function_to_each_element) {
    for (size_t k = 0; k < COUNT(singles); k++) {
        const tally_reduce descs[] = {
            shape_reduce(singles[k].function, TALLY_F32, SHAPE(2, 3), 0),
            shape_reduce(singles[k].function, TALLY_F32, SHAPE(2, 1, 3), 2),
            shape_reduce(singles[k].function, TALLY_F32, SHAPE_SCALAR, 0),
        };
        for (size_t d = 0; d < COUNT(descs); d++) {
            const float x[6] = {singles[k].x, singles[k].x, singles[k].x,
                                singles[k].x, singles[k].x, singles[k].x};
            float results[6] = {77, 77, 77, 77, 77, 77};
            ck_assert(small_reduce(&descs[d], x, results));
            for (size_t i = 0; i < 6; i++) {
                const float expected = d == 2 && i > 0 ? 77 : singles[k].result;
                ck_assert_msg(results[i] == expected, "row %zu, shape %zu, element %zu: %g", k, d,
                              i, (double)results[i]);
            }
        }
    }
}
END_TEST

START_TEST(axes_empty_gives_index_0) {
    const float x[6] = {1, 2, 3, -1, -2, -3};
    for (int k = 0; k < 4; k++) {
        uint32_t index[6] = {9, 9, 9, 9, 9, 9};
        tally_reduce desc =
            shape_reduce(k % 2 == 0 ? TALLY_ARGMAX : TALLY_ARGMIN, TALLY_F32, SHAPE(2, 3), 0);
        desc.tie = k / 2 == 0 ? TALLY_TIE_FIRST : TALLY_TIE_LAST;
        ck_assert(small_reduce(&desc, x, index));
        for (size_t i = 0; i < 6; i++) {
            ck_assert_uint_eq(index[i], 0);
        }
    }
}
END_TEST

/* ---- No terms ------------------------------------------------------------------------------ */

static const struct identities {
    tally_dtype dtype;
    uint64_t one, highest, lowest, nan; /* of floats the infinities, and NaN */
} identities[] = {
    {TALLY_F16, 0x3C00, 0x7C00, 0xFC00, 0x7E00},
    {TALLY_F32, 0x3F800000, 0x7F800000, 0xFF800000, 0x7FC00000},
    {TALLY_F64, 0x3FF0000000000000, 0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000},
    {TALLY_I8, 1, 0x7F, 0x80, 0},
    {TALLY_I16, 1, 0x7FFF, 0x8000, 0},
    {TALLY_I32, 1, 0x7FFFFFFF, 0x80000000, 0},
    {TALLY_I64, 1, 0x7FFFFFFFFFFFFFFF, 0x8000000000000000, 0},
    {TALLY_U8, 1, 0xFF, 0, 0},
    {TALLY_U16, 1, 0xFFFF, 0, 0},
    {TALLY_U32, 1, 0xFFFFFFFF, 0, 0},
    {TALLY_U64, 1, 0xFFFFFFFFFFFFFFFF, 0, 0},
};

/* {2, 0} over axis 1: two outputs, no input. */
static void check_nothing(tally_function function, tally_dtype dtype, uint64_t expected) {
    unsigned char results[2 * 8];
    const size_t bytes = number_bytes(dtype);
    const tally_reduce desc = shape_reduce(function, dtype, SHAPE(2, 0), 2);
    memset(results, 0xEE, sizeof results);
    if (small_reduce(&desc, NULL, results)) {
        ck_assert_uint_eq(number_load(dtype, results), expected);
        ck_assert_uint_eq(number_load(dtype, results + bytes), expected);
    }
}

START_TEST(reducing_nothing_gives_the_identity) {
    const struct identities *row = &identities[_i];
    const bool is_float = row->nan != 0;
    check_nothing(TALLY_MIN, row->dtype, row->highest);
    check_nothing(TALLY_MAX, row->dtype, row->lowest);
    if (is_float || number_bytes(row->dtype) >= 4) {
        check_nothing(TALLY_SUM, row->dtype, 0);
        check_nothing(TALLY_L1, row->dtype, 0);
        check_nothing(TALLY_SUM_SQUARE, row->dtype, 0);
        check_nothing(TALLY_MULTIPLY, row->dtype, row->one);
    }
    if (is_float) {
        check_nothing(TALLY_L2, row->dtype, 0);
        check_nothing(TALLY_LOG_SUM, row->dtype, row->lowest);
        check_nothing(TALLY_LOG_SUM_EXP, row->dtype, row->lowest);
        check_nothing(TALLY_AVERAGE, row->dtype, row->nan);
    }
}
END_TEST

START_TEST(arg_of_nothing_is_an_error) {
    const expect wanted = {TALLY_INVALID, {"size 0", "no element"}};
    for (int k = 0; k < 4; k++) {
        const tally_function function = k % 2 == 0 ? TALLY_ARGMAX : TALLY_ARGMIN;
        const tally_reduce desc = k / 2 == 0 ? shape_reduce(function, TALLY_F32, SHAPE(2, 0), 2)
                                             : shape_reduce(function, TALLY_U8, SHAPE(0, 5), 3);
        tally_op *op = NULL;
        tally_error error;
        const tally_status status = tally_reduce_create(fixture_get()->runtime, &desc, &op, &error);
        expect_refusal("ARG* of nothing", &wanted, status, &error);
        ck_assert_ptr_null(op);
    }
}
END_TEST

/* ---- No output ----------------------------------------------------------------------------- */

/* An operator whose output has no element; even ARG* of nothing, and float64 on any device. */
#define EMPTY_OPERATORS 6
static tally_op *make_empty(int which) {
    tally_reduce fold = shape_reduce(TALLY_SUM, TALLY_F64, SHAPE(0, 5), 2);
    tally_cumulative scan = shape_scan(TALLY_SUM, TALLY_F32, SHAPE(3, 0), 1);
    tally_diagonal fill = TALLY_DIAGONAL_INIT;
    tally_runtime *runtime = fixture_get()->runtime;
    tally_op *op = NULL;
    tally_error error;
    if (which == 1) {
        fold = shape_reduce(TALLY_ARGMAX, TALLY_F32, SHAPE(0, 0), 2);
    } else if (which == 2) {
        scan = shape_scan(TALLY_MULTIPLY, TALLY_F64, SHAPE(0, 4), 1);
    }
    fill.output = shape_tensor(TALLY_F64, which == 5 ? SHAPE(0, 4, 4) : SHAPE(4, 0));
    fill.input = which == 5 ? &fill.output : NULL;
    const tally_status status = which < 2   ? tally_reduce_create(runtime, &fold, &op, &error)
                                : which < 4 ? tally_cumulative_create(runtime, &scan, &op, &error)
                                            : tally_diagonal_create(runtime, &fill, &op, &error);
    fixture_ok(status, &error, "create with an empty output");
    return op;
}

/* No memory is asked for and none is looked at: not even a binding need be there. */
START_TEST(empty_output_needs_no_memory) {
    const tally_binding empty = TALLY_BINDING_INIT;
    tally_error error;
    tally_op *op = make_empty(_i);
    ck_assert_uint_eq(tally_op_scratch_size(op), 0);
    fixture_ok(tally_op_enqueue(op, fixture_get()->queue, &empty, 0, NULL, NULL, &error), &error,
               "an empty operator with no buffers");
    fixture_ok(tally_op_enqueue(op, fixture_get()->queue, NULL, 0, NULL, NULL, &error), &error,
               "an empty operator with no binding");
    fixture_check(clFinish(fixture_get()->queue));
    tally_op_release(op);
}
END_TEST

static cl_int state_of(cl_event event) {
    cl_int state = 0;
    fixture_check(
        clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL));
    return state;
}

/* The event is a marker that waits for what the operator was told to wait for. */
START_TEST(empty_output_still_gives_an_event) {
    cl_int code = CL_SUCCESS;
    cl_command_type type = 0;
    cl_event done = NULL, gate = clCreateUserEvent(fixture_get()->context, &code);
    tally_error error;
    fixture_check(code);
    cl_command_queue queue = fixture_make_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    tally_op *op = make_empty(_i);
    fixture_ok(tally_op_enqueue(op, queue, NULL, 1, &gate, &done, &error), &error, "enqueue");
    ck_assert_ptr_nonnull(done);
    fixture_check(clGetEventInfo(done, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    ck_assert_uint_eq(type, CL_COMMAND_MARKER);
    fixture_check(clFlush(queue));
    ck_assert_int_gt(state_of(done), CL_COMPLETE);
    fixture_check(clSetUserEventStatus(gate, CL_COMPLETE));
    fixture_check(clWaitForEvents(1, &done));
    ck_assert_int_eq(state_of(done), CL_COMPLETE);
    fixture_check(clReleaseEvent(done));
    fixture_check(clReleaseEvent(gate));
    tally_op_release(op);
    fixture_check(clReleaseCommandQueue(queue));
}
END_TEST

Suite *suite_contract_empty(void) {
    Suite *suite = suite_create("contract_empty");
    TCase *tests = tcase_create("contract_empty");
    tcase_add_test(tests, axes_empty_applies_the_function_to_each_element);
    tcase_add_test(tests, axes_empty_gives_index_0);
    tcase_add_loop_test(tests, reducing_nothing_gives_the_identity, 0, COUNT(identities));
    tcase_add_test(tests, arg_of_nothing_is_an_error);
    tcase_add_loop_test(tests, empty_output_needs_no_memory, 0, EMPTY_OPERATORS);
    tcase_add_loop_test(tests, empty_output_still_gives_an_event, 0, EMPTY_OPERATORS);
    suite_add_tcase(suite, tests);
    return suite;
}
