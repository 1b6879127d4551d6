/*
 * test_contract_types.c: the contract's row on data types: which pairs of function and type there
 * are, that each computes, and that float64 needs fp64 where arithmetic is done on it. The table is
 * DirectML's of feature level 5_1, with float64 beyond it.
 */
#include <check.h>

#include "api/runtime.h"
#include "support/descriptions/shape.h"
#include "support/expect.h"
#include "support/fixtures/call.h"
#include "support/fixtures/fixture.h"
#include "support/fixtures/small.h"
#include "support/numbers/number.h"

Suite *suite_contract_types(void);

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* The types, in the order of the marks below, each with the bits of 1, 3 and 4. */
#define INTEGER(dtype)                                                                             \
    { dtype, 1, 3, 4 }
static const struct {
    tally_dtype dtype;
    uint64_t one, three, four;
} types[] = {
    {TALLY_F16, 0x3C00, 0x4200, 0x4400},
    {TALLY_F32, 0x3F800000, 0x40400000, 0x40800000},
    {TALLY_F64, 0x3FF0000000000000, 0x4008000000000000, 0x4010000000000000},
    INTEGER(TALLY_I8),
    INTEGER(TALLY_I16),
    INTEGER(TALLY_I32),
    INTEGER(TALLY_I64),
    INTEGER(TALLY_U8),
    INTEGER(TALLY_U16),
    INTEGER(TALLY_U32),
    INTEGER(TALLY_U64),
};
#define TYPES ((int)COUNT(types))

#define ORDERED "xxxxxxxxxxx"
#define WIDE "xxx--xx--xx"
#define REAL "xxx--------"
#define NONE "-----------"

/* The types that each function takes, and what it makes of a few numbers, all of them digits. */
static const struct {
    tally_function function;
    const char *reduces, *scans;
    const char *terms;
    char result;
} functions[] = {
    {TALLY_ARGMAX, ORDERED, NONE, "134", '2'},  {TALLY_ARGMIN, ORDERED, NONE, "314", '1'},
    {TALLY_AVERAGE, REAL, NONE, "1443", '3'},   {TALLY_L1, WIDE, NONE, "103", '4'},
    {TALLY_L2, REAL, NONE, "4000", '4'},        {TALLY_LOG_SUM, REAL, NONE, "010", '0'},
    {TALLY_LOG_SUM_EXP, REAL, NONE, "3", '3'},  {TALLY_MAX, ORDERED, ORDERED, "1431", '4'},
    {TALLY_MIN, ORDERED, ORDERED, "4134", '1'}, {TALLY_MULTIPLY, WIDE, WIDE, "1131", '3'},
    {TALLY_SUM, WIDE, WIDE, "1003", '4'},       {TALLY_SUM_SQUARE, WIDE, NONE, "1111", '4'},
};
#define FUNCTIONS ((int)COUNT(functions))

static uint64_t bits_of(int type, char digit) {
    return digit == '0'   ? 0
           : digit == '1' ? types[type].one
           : digit == '3' ? types[type].three
                          : types[type].four;
}

static bool is_index(int function) {
    return functions[function].function <= TALLY_ARGMIN;
}

/* Tensors without an element: nothing is compiled, but all is checked. */
static bool accepts_reduce(int function, int input, tally_dtype output) {
    tally_reduce desc = shape_reduce(functions[function].function, types[input].dtype, SHAPE(0), 0);
    tally_op *op = NULL;
    tally_error error;
    desc.output.dtype = output;
    const tally_status status = tally_reduce_create(fixture_get()->runtime, &desc, &op, &error);
    ck_assert(status == TALLY_OK || status == TALLY_INVALID);
    tally_op_release(op);
    return status == TALLY_OK;
}

static bool accepts_scan(int function, int input, int output) {
    tally_cumulative desc =
        shape_scan(functions[function].function, types[input].dtype, SHAPE(0), 0);
    tally_op *op = NULL;
    tally_error error;
    desc.output.dtype = types[output].dtype;
    const tally_status status = tally_cumulative_create(fixture_get()->runtime, &desc, &op, &error);
    ck_assert(status == TALLY_OK || status == TALLY_INVALID);
    tally_op_release(op);
    return status == TALLY_OK;
}

/* An index has four types; everything else has the input's. */
static bool gives(int function, int in, int out) {
    const tally_dtype dtype = types[out].dtype;
    if (!is_index(function)) {
        return in == out;
    }
    return dtype == TALLY_I32 || dtype == TALLY_I64 || dtype == TALLY_U32 || dtype == TALLY_U64;
}

START_TEST(types_of_the_table_are_accepted_and_no_others) {
    for (int function = 0; function < FUNCTIONS; function++) {
        for (int in = 0; in < TYPES; in++) {
            const bool reduces = functions[function].reduces[in] == 'x';
            const bool scans = functions[function].scans[in] == 'x';
            for (int out = 0; out < TYPES; out++) {
                ck_assert_int_eq(accepts_reduce(function, in, types[out].dtype),
                                 reduces && gives(function, in, out));
                ck_assert_int_eq(accepts_scan(function, in, out), scans && in == out);
            }
        }
    }
}
END_TEST

START_TEST(every_type_reduces) {
    for (int function = 0; function < FUNCTIONS; function++) {
        const char digit = functions[function].result;
        small_fold row = {.function = functions[function].function, .dtype = types[_i].dtype};
        if (functions[function].reduces[_i] != 'x') {
            continue;
        }
        for (const char *term = functions[function].terms; *term != '\0'; term++) {
            row.x[row.count++] = bits_of(_i, *term);
        }
        row.result = is_index(function) ? (uint64_t)(digit - '0') : bits_of(_i, digit);
        small_check_folds(&row, 1);
    }
}
END_TEST

/* The last result is that of all terms, the first one the first term. */
START_TEST(every_type_scans) {
    for (int function = 0; function < FUNCTIONS; function++) {
        const char *terms = functions[function].terms;
        unsigned char x[4 * 8], results[4 * 8];
        const size_t bytes = number_bytes(types[_i].dtype);
        if (functions[function].scans[_i] != 'x') {
            continue;
        }
        for (size_t k = 0; k < 4; k++) {
            number_store(types[_i].dtype, x + k * bytes, bits_of(_i, terms[k]));
        }
        const tally_cumulative desc =
            shape_scan(functions[function].function, types[_i].dtype, SHAPE(4), 0);
        if (small_cumulative(&desc, x, results)) {
            ck_assert_uint_eq(number_load(types[_i].dtype, results), bits_of(_i, terms[0]));
            ck_assert_uint_eq(number_load(types[_i].dtype, results + 3 * bytes),
                              bits_of(_i, functions[function].result));
        }
    }
}
END_TEST

START_TEST(every_type_fills) {
    const tally_dtype dtype = types[_i].dtype;
    const size_t bytes = number_bytes(dtype);
    unsigned char matrix[4 * 8];
    tally_diagonal desc = TALLY_DIAGONAL_INIT;
    desc.output = shape_tensor(dtype, SHAPE(2, 2));
    desc.end = 1;
    number_store(dtype, &desc.value, types[_i].three);
    call_diagonal(&desc, NULL, matrix);
    for (size_t k = 0; k < 4; k++) {
        ck_assert_uint_eq(number_load(dtype, matrix + k * bytes),
                          k == 0 || k == 3 ? types[_i].three : 0);
    }
}
END_TEST

/* On this device as if it had no fp64. */
START_TEST(float64_needs_fp64_for_arithmetic_and_not_for_fills) {
    const expect wanted = {TALLY_UNSUPPORTED, {"fp64", "f64"}};
    const tally_reduce fold = shape_reduce(TALLY_MAX, TALLY_F64, SHAPE(4), 1);
    const tally_cumulative scan = shape_scan(TALLY_SUM, TALLY_F64, SHAPE(4), 0);
    tally_diagonal fill = TALLY_DIAGONAL_INIT;
    tally_op *op = NULL;
    tally_error error;
    fixture_get();
    tally_runtime *runtime = fixture_make_runtime();
    runtime->device.limits.has_f64 = false;
    fill.output = shape_tensor(TALLY_F64, SHAPE(2, 2));
    tally_status status = tally_reduce_create(runtime, &fold, &op, &error);
    expect_refusal("a reduction of float64", &wanted, status, &error);
    status = tally_cumulative_create(runtime, &scan, &op, &error);
    expect_refusal("a scan of float64", &wanted, status, &error);
    fixture_ok(tally_diagonal_create(runtime, &fill, &op, &error), &error, "a fill of float64");
    tally_op_release(op);
    tally_runtime_release(runtime);
}
END_TEST

Suite *suite_contract_types(void) {
    Suite *suite = suite_create("contract_types");
    TCase *tests = tcase_create("contract_types");
    tcase_set_timeout(tests, 600);
    tcase_add_test(tests, types_of_the_table_are_accepted_and_no_others);
    tcase_add_loop_test(tests, every_type_reduces, 0, TYPES);
    tcase_add_loop_test(tests, every_type_scans, 0, TYPES);
    tcase_add_loop_test(tests, every_type_fills, 0, TYPES);
    tcase_add_test(tests, float64_needs_fp64_for_arithmetic_and_not_for_fills);
    suite_add_tcase(suite, tests);
    return suite;
}
