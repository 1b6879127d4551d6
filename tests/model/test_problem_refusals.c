/*
 * Every way to describe an operator wrongly, with the sentence it is refused with: the offending
 * value and the limit that it broke. And the last legal step before some of the limits.
 */
#include "model/problem.h"

#include <check.h>

#include "support/expect.h"

#define UNSUPPORTED(...) EXPECT(TALLY_UNSUPPORTED, __VA_ARGS__)
#define INVALID(...) EXPECT(TALLY_INVALID, __VA_ARGS__)

/* A packed tensor of these sizes; one with strides. */
#define PACKED(dtype, rank, ...)                                                                   \
    {                                                                                              \
        TALLY_##dtype, rank, 0, {__VA_ARGS__}, {                                                   \
            0                                                                                      \
        }                                                                                          \
    }
#define LIST(...)                                                                                  \
    { __VA_ARGS__ }
#define STRIDED(dtype, rank, sizes, strides)                                                       \
    { TALLY_##dtype, rank, TALLY_STRIDED, sizes, strides }

/* ---- REDUCE, ARGMIN, ARGMAX ---------------------------------------------------------------- */

typedef struct reduce_case {
    const char *what;
    tally_reduce desc;
    expect wanted;
} reduce_case;

#define REDUCE(function, input, output, ...)                                                       \
    { sizeof(tally_reduce), TALLY_##function, input, output, __VA_ARGS__, 0 }
#define IN PACKED(F32, 3, 2, 3, 4)
#define OUT PACKED(F32, 3, 2, 1, 4)
#define FIRST TALLY_TIE_FIRST
#define PROPAGATE TALLY_NAN_PROPAGATE
#define MILLIONS (UINT64_C(1) << 31)
#define BILLIONS (UINT64_C(1) << 32)

static const reduce_case reduce_refusals[] = {
    {"struct_size 0",
     {0, TALLY_SUM, IN, OUT, 2, FIRST, PROPAGATE, 0},
     INVALID("tally_reduce", "struct_size", "0")},
    {"struct_size of no struct",
     {5000, TALLY_SUM, IN, OUT, 2, FIRST, PROPAGATE, 0},
     INVALID("tally_reduce", "struct_size")},
    {"no function", REDUCE(FUNCTION_NONE, IN, OUT, 2, FIRST, PROPAGATE), INVALID("function 0")},
    {"function 13",
     {sizeof(tally_reduce), (tally_function)13, IN, OUT, 2, FIRST, PROPAGATE, 0},
     INVALID("function 13")},
    {"an input of no type", REDUCE(SUM, PACKED(DTYPE_NONE, 3, 2, 3, 4), OUT, 2, FIRST, PROPAGATE),
     INVALID("input", "dtype 0")},
    {"an output of no type", REDUCE(SUM, IN, PACKED(DTYPE_NONE, 3, 2, 1, 4), 2, FIRST, PROPAGATE),
     INVALID("output", "dtype 0")},
    {"an input of rank 9", REDUCE(SUM, PACKED(F32, 9, 2, 3, 4), OUT, 2, FIRST, PROPAGATE),
     INVALID("input", "rank 9", "8")},
    {"an output of rank 9", REDUCE(SUM, IN, PACKED(F32, 9, 2, 1, 4), 2, FIRST, PROPAGATE),
     INVALID("output", "rank 9", "8")},
    {"a sum of bytes",
     REDUCE(SUM, PACKED(U8, 3, 2, 3, 4), PACKED(U8, 3, 2, 1, 4), 2, FIRST, PROPAGATE),
     INVALID("sum", "u8")},
    {"an average of integers",
     REDUCE(AVERAGE, PACKED(I32, 3, 2, 3, 4), PACKED(I32, 3, 2, 1, 4), 2, FIRST, PROPAGATE),
     INVALID("average", "i32")},
    {"a sum of another type", REDUCE(SUM, IN, PACKED(F64, 3, 2, 1, 4), 2, FIRST, PROPAGATE),
     INVALID("sum of f32 gives f32", "output", "type f64")},
    {"an index of a narrow type", REDUCE(ARGMAX, IN, PACKED(U16, 3, 2, 1, 4), 2, FIRST, PROPAGATE),
     INVALID("argmax", "i32, i64, u32 or u64", "type u16")},
    {"the axes of the manual", REDUCE(SUM, IN, OUT, 0x12, FIRST, PROPAGATE),
     INVALID("axes 0x12", "axis 4", "rank 3")},
    {"the axis after the last", REDUCE(SUM, IN, OUT, 0xA, FIRST, PROPAGATE),
     INVALID("axes 0xa", "axis 3", "rank 3")},
    {"axis 31", REDUCE(SUM, IN, OUT, 0x80000002, FIRST, PROPAGATE),
     INVALID("axes 0x80000002", "axis 31", "rank 3")},
    {"axis 0 of a scalar", REDUCE(SUM, PACKED(F32, 0, 0), PACKED(F32, 0, 0), 1, FIRST, PROPAGATE),
     INVALID("axes 0x1", "axis 0", "rank 0")},
    {"axis 8 of rank 8",
     REDUCE(SUM, PACKED(F32, 8, 1, 1, 1, 1, 1, 1, 1, 1), PACKED(F32, 8, 1, 1, 1, 1, 1, 1, 1, 1),
            0x100, FIRST, PROPAGATE),
     INVALID("axes 0x100", "axis 8", "rank 8")},
    {"a swept axis that is left whole", REDUCE(SUM, IN, IN, 2, FIRST, PROPAGATE),
     INVALID("axis 1", "output has size 3", "size 1")},
    {"a swept axis that is left empty",
     REDUCE(SUM, IN, PACKED(F32, 3, 2, 0, 4), 2, FIRST, PROPAGATE),
     INVALID("axis 1", "output has size 0", "size 1")},
    {"a kept axis of another size", REDUCE(SUM, IN, PACKED(F32, 3, 2, 1, 5), 2, FIRST, PROPAGATE),
     INVALID("axis 2", "output has size 5", "input has 4")},
    {"an output without the swept axis", REDUCE(SUM, IN, PACKED(F32, 2, 2, 4), 2, FIRST, PROPAGATE),
     INVALID("output has rank 2", "input has rank 3")},
    {"an output of stride 0",
     REDUCE(SUM, IN, STRIDED(F32, 3, LIST(2, 1, 4), LIST(0, 0, 1)), 2, FIRST, PROPAGATE),
     UNSUPPORTED("output", "stride 0", "axis 0")},
    {"an output whose rows overlap",
     REDUCE(SUM, IN, STRIDED(F32, 3, LIST(2, 1, 4), LIST(3, 0, 1)), 2, FIRST, PROPAGATE),
     UNSUPPORTED("output", "stride 3", "axis 0", "4 elements")},
    {"tie 2", REDUCE(ARGMAX, IN, PACKED(U32, 3, 2, 1, 4), 2, (tally_tie)2, PROPAGATE),
     INVALID("tie 2", "TALLY_TIE_FIRST")},
    {"nan 2", REDUCE(MAX, IN, OUT, 2, FIRST, (tally_nan)2),
     INVALID("nan 2", "TALLY_NAN_PROPAGATE")},
    {"nan -1", REDUCE(SUM, IN, OUT, 2, FIRST, (tally_nan)-1), INVALID("nan -1")},
    {"an index into nothing",
     REDUCE(ARGMIN, PACKED(F32, 2, 3, 0), PACKED(U32, 2, 3, 1), 2, FIRST, PROPAGATE),
     INVALID("argmin", "size 0")},
    {"an index beyond i32",
     REDUCE(ARGMAX, PACKED(U8, 1, MILLIONS + 1), PACKED(I32, 1, 1), 1, FIRST, PROPAGATE),
     INVALID("argmax over 2147483649 elements", "index 2147483648", "i32 ends at 2147483647")},
    {"an index beyond u32",
     REDUCE(ARGMAX, PACKED(U8, 2, BILLIONS + 1, 1), PACKED(U32, 2, 1, 1), 1, FIRST, PROPAGATE),
     INVALID("argmax over 4294967297 elements", "index 4294967296", "u32 ends at 4294967295")},
    {"an index beyond u32 over two axes",
     REDUCE(ARGMIN, PACKED(U8, 3, 65537, 2, 65537), PACKED(U32, 3, 1, 2, 1), 5, FIRST, PROPAGATE),
     INVALID("argmin over 4295098369 elements", "u32 ends at 4294967295")},
};

static const reduce_case reduce_legals[] = {
    {"the last index of i32",
     REDUCE(ARGMAX, PACKED(U8, 1, MILLIONS), PACKED(I32, 1, 1), 1, FIRST, PROPAGATE),
     {TALLY_OK, {NULL}}},
    {"the last index of u32",
     REDUCE(ARGMAX, PACKED(U8, 1, BILLIONS), PACKED(U32, 1, 1), 1, FIRST, PROPAGATE),
     {TALLY_OK, {NULL}}},
    {"the last index of all",
     REDUCE(ARGMAX, PACKED(U8, 1, INT64_MAX), PACKED(I64, 1, 1), 1, FIRST, PROPAGATE),
     {TALLY_OK, {NULL}}},
    {"indices into nothing, of which there are none",
     REDUCE(ARGMAX, PACKED(U8, 2, 0, 0), PACKED(U32, 2, 0, 1), 2, FIRST, PROPAGATE),
     {TALLY_OK, {NULL}}},
    {"a swept axis of size 0",
     REDUCE(SUM, PACKED(F32, 2, 3, 0), PACKED(F32, 2, 3, 1), 2, FIRST, PROPAGATE),
     {TALLY_OK, {NULL}}},
    {"a scalar",
     REDUCE(SUM, PACKED(F32, 0, 0), PACKED(F32, 0, 0), 0, FIRST, PROPAGATE),
     {TALLY_OK, {NULL}}},
    {"an input of stride 0",
     REDUCE(SUM, STRIDED(F32, 3, LIST(2, 3, 4), LIST(0, 0, 0)), OUT, 2, FIRST, PROPAGATE),
     {TALLY_OK, {NULL}}},
};

START_TEST(a_bad_reduction_is_refused_with_its_sentence) {
    tally_problem problem;
    tally_error error = TALLY_ERROR_INIT;
    const reduce_case *it = &reduce_refusals[_i];
    expect_refusal(it->what, &it->wanted, tally_problem_reduce(&it->desc, &problem, &error),
                   &error);
    ck_assert_int_eq(tally_problem_reduce(&it->desc, &problem, NULL), it->wanted.status);
}
END_TEST

START_TEST(a_reduction_at_the_limit_is_legal) {
    tally_problem problem;
    tally_error error = TALLY_ERROR_INIT;
    const reduce_case *it = &reduce_legals[_i];
    expect_ok(it->what, tally_problem_reduce(&it->desc, &problem, &error), &error);
}
END_TEST

/* ---- CUMULATIVE_SUMMATION, CUMULATIVE_PRODUCT ---------------------------------------------- */

typedef struct scan_case {
    const char *what;
    tally_cumulative desc;
    expect wanted;
} scan_case;

#define SCAN(function, input, output, axis)                                                        \
    { sizeof(tally_cumulative), TALLY_##function, input, output, axis, false, false, PROPAGATE, 0 }

static const scan_case scan_refusals[] = {
    {"struct_size 0",
     {0, TALLY_SUM, IN, IN, 1, false, false, PROPAGATE, 0},
     INVALID("tally_cumulative", "struct_size", "0")},
    {"no function", SCAN(FUNCTION_NONE, IN, IN, 1), INVALID("function 0")},
    {"a running average", SCAN(AVERAGE, IN, IN, 1),
     INVALID("average", "sum, multiply, min and max")},
    {"a running square", SCAN(SUM_SQUARE, IN, IN, 1), INVALID("sum_square", "sum, multiply")},
    {"a running index", SCAN(ARGMAX, IN, IN, 1), INVALID("argmax", "sum, multiply, min and max")},
    {"a running index of its type", SCAN(ARGMIN, IN, PACKED(U32, 3, 2, 3, 4), 1),
     INVALID("argmin", "sum, multiply, min and max")},
    {"a running sum of bytes", SCAN(SUM, PACKED(I8, 3, 2, 3, 4), PACKED(I8, 3, 2, 3, 4), 1),
     INVALID("sum", "i8")},
    {"a running sum of another type", SCAN(SUM, IN, PACKED(F16, 3, 2, 3, 4), 1),
     INVALID("sum of f32 gives f32", "f16")},
    {"the axis after the last", SCAN(SUM, IN, IN, 3), INVALID("axis 3", "rank 3")},
    {"the largest axis", SCAN(SUM, IN, IN, UINT32_MAX), INVALID("axis 4294967295", "rank 3")},
    {"a scalar", SCAN(SUM, PACKED(F32, 0, 0), PACKED(F32, 0, 0), 0), INVALID("axis 0", "rank 0")},
    {"an output of another size", SCAN(SUM, IN, OUT, 1),
     INVALID("axis 1", "size 1", "input has 3")},
    {"an output of another rank", SCAN(SUM, IN, PACKED(F32, 2, 2, 12), 1),
     INVALID("output has rank 2", "input has rank 3")},
    {"an output of stride 0", SCAN(SUM, IN, STRIDED(F32, 3, LIST(2, 3, 4), LIST(12, 0, 1)), 1),
     UNSUPPORTED("output", "stride 0", "axis 1")},
    {"an input of rank 9", SCAN(SUM, PACKED(F32, 9, 1), IN, 1), INVALID("input", "rank 9", "8")},
    {"an output of no type", SCAN(SUM, IN, PACKED(DTYPE_NONE, 3, 2, 3, 4), 1),
     INVALID("output", "dtype 0")},
    {"nan 7",
     {sizeof(tally_cumulative), TALLY_MAX, IN, IN, 1, false, false, (tally_nan)7, 0},
     INVALID("nan 7")},
};

START_TEST(a_bad_scan_is_refused_with_its_sentence) {
    tally_problem problem;
    tally_error error = TALLY_ERROR_INIT;
    const scan_case *it = &scan_refusals[_i];
    expect_refusal(it->what, &it->wanted, tally_problem_cumulative(&it->desc, &problem, &error),
                   &error);
}
END_TEST

/* ---- DIAGONAL_MATRIX1 ---------------------------------------------------------------------- */

typedef struct fill_case {
    const char *what;
    bool has_input;
    tally_tensor input, output;
    expect wanted;
} fill_case;

static const fill_case fill_refusals[] = {
    {"a scalar", false, IN, PACKED(F32, 0, 0), INVALID("output", "rank 0", "2 to 8")},
    {"a row", false, IN, PACKED(F32, 1, 5), INVALID("output", "rank 1", "2 to 8")},
    {"an output of rank 9", false, IN, PACKED(F32, 9, 5), INVALID("output", "rank 9", "8")},
    {"an output of no type", false, IN, PACKED(DTYPE_NONE, 2, 3, 3), INVALID("output", "dtype 0")},
    {"an output of stride 0", false, IN, STRIDED(F32, 2, LIST(3, 3), LIST(3, 0)),
     UNSUPPORTED("output", "stride 0", "axis 1")},
    {"an input of another type", true, PACKED(I32, 2, 3, 3), PACKED(F32, 2, 3, 3),
     INVALID("output has type f32", "input has type i32")},
    {"an input of another size", true, PACKED(F32, 2, 3, 4), PACKED(F32, 2, 3, 3),
     INVALID("axis 1", "output has size 3", "input has 4")},
    {"an input of another rank", true, IN, PACKED(F32, 2, 3, 4),
     INVALID("output has rank 2", "input has rank 3")},
    {"an input of no type", true, PACKED(DTYPE_NONE, 2, 3, 3), PACKED(F32, 2, 3, 3),
     INVALID("input", "dtype 0")},
    {"an input with flag 4",
     true,
     {TALLY_F32, 2, 4, {3, 3}, {0}},
     PACKED(F32, 2, 3, 3),
     INVALID("input", "flags 0x4")},
};

START_TEST(a_bad_fill_is_refused_with_its_sentence) {
    tally_problem problem;
    tally_error error = TALLY_ERROR_INIT;
    const fill_case *it = &fill_refusals[_i];
    tally_diagonal desc = TALLY_DIAGONAL_INIT;
    desc.input = it->has_input ? &it->input : NULL;
    desc.output = it->output;
    expect_refusal(it->what, &it->wanted, tally_problem_diagonal(&desc, &problem, &error), &error);
}
END_TEST

/* ---- All three ----------------------------------------------------------------------------- */

START_TEST(no_description_is_refused) {
    tally_problem problem;
    tally_error error = TALLY_ERROR_INIT;
    const expect reduce = INVALID("tally_reduce", "NULL");
    const expect cumulative = INVALID("tally_cumulative", "NULL");
    const expect diagonal = INVALID("tally_diagonal", "NULL");
    expect_refusal("reduce", &reduce, tally_problem_reduce(NULL, &problem, &error), &error);
    expect_refusal("scan", &cumulative, tally_problem_cumulative(NULL, &problem, &error), &error);
    expect_refusal("fill", &diagonal, tally_problem_diagonal(NULL, &problem, &error), &error);
}
END_TEST

START_TEST(a_diagonal_of_another_version_is_refused) {
    tally_problem problem;
    tally_error error = TALLY_ERROR_INIT;
    tally_diagonal desc = TALLY_DIAGONAL_INIT;
    desc.struct_size = 7;
    const expect wanted = INVALID("tally_diagonal", "struct_size", "7");
    expect_refusal("size", &wanted, tally_problem_diagonal(&desc, &problem, &error), &error);
}
END_TEST

#define COUNT(table) (int)(sizeof table / sizeof table[0])

Suite *suite_problem_refusals(void) {
    Suite *suite = suite_create("problem_refusals");
    TCase *tests = tcase_create("problem_refusals");
    tcase_add_loop_test(tests, a_bad_reduction_is_refused_with_its_sentence, 0,
                        COUNT(reduce_refusals));
    tcase_add_loop_test(tests, a_reduction_at_the_limit_is_legal, 0, COUNT(reduce_legals));
    tcase_add_loop_test(tests, a_bad_scan_is_refused_with_its_sentence, 0, COUNT(scan_refusals));
    tcase_add_loop_test(tests, a_bad_fill_is_refused_with_its_sentence, 0, COUNT(fill_refusals));
    tcase_add_test(tests, no_description_is_refused);
    tcase_add_test(tests, a_diagonal_of_another_version_is_refused);
    suite_add_tcase(suite, tests);
    return suite;
}
