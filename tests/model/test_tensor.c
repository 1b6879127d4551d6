/*
 * The checks of one tensor: every refusal with its sentence, and both sides of every limit. The
 * limits are 2^63 - 1 elements and 2^63 - 1 bytes.
 */
#include "model/tensor.h"

#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "support/descriptions/shape.h"
#include "support/expect.h"
#include "support/numbers/values.h"

#define MOST ((uint64_t)INT64_MAX)
#define STRIDED TALLY_STRIDED

/* ---- Refusals ------------------------------------------------------------------------------ */

typedef struct refusal {
    const char *what;
    tally_tensor tensor;
    expect wanted;
} refusal;

#define INVALID(...) EXPECT(TALLY_INVALID, "gauge", __VA_ARGS__)

static const refusal refusals[] = {
    {"no type", {TALLY_DTYPE_NONE, 1, 0, {4}, {0}}, INVALID("dtype 0")},
    {"a type too far", {(tally_dtype)12, 1, 0, {4}, {0}}, INVALID("dtype 12")},
    {"a negative type", {(tally_dtype)-1, 1, 0, {4}, {0}}, INVALID("dtype -1")},
    {"rank 9", {TALLY_F32, 9, 0, {4}, {0}}, INVALID("rank 9", "8")},
    {"rank 2^32 - 1", {TALLY_F32, UINT32_MAX, 0, {4}, {0}}, INVALID("rank 4294967295", "8")},
    {"flag 2", {TALLY_F32, 1, 2, {4}, {0}}, INVALID("flags 0x2", "0x1")},
    {"flag 2 beside 1", {TALLY_F32, 1, 3, {4}, {1}}, INVALID("flags 0x3", "0x1")},
    {"all flags", {TALLY_F32, 1, UINT32_MAX, {4}, {1}}, INVALID("flags 0xffffffff", "0x1")},
    {"2^63 elements in one axis",
     {TALLY_U8, 1, 0, {MOST + 1}, {0}},
     INVALID("2^63 - 1", "axis 0", "9223372036854775808")},
    {"2^63 elements in two axes",
     {TALLY_U8, 2, 0, {UINT64_C(1) << 32, UINT64_C(1) << 31}, {0}},
     INVALID("2^63 - 1", "axis 0", "4294967296")},
    {"sizes whose product wraps to 0",
     {TALLY_U8, 2, 0, {UINT64_C(1) << 32, UINT64_C(1) << 32}, {0}},
     INVALID("2^63 - 1", "axis 0", "4294967296")},
    {"sizes whose product wraps to 4",
     {TALLY_U8, 3, 0, {2, UINT64_C(1) << 63, 2}, {0}},
     INVALID("2^63 - 1", "axis 1", "9223372036854775808")},
    {"the largest size", {TALLY_U8, 1, 0, {UINT64_MAX}, {0}}, INVALID("18446744073709551615")},
    {"too many elements, though all are one",
     {TALLY_U8, 2, STRIDED, {UINT64_C(1) << 32, UINT64_C(1) << 31}, {0, 0}},
     INVALID("2^63 - 1 elements", "axis 0")},
    {"2^63 bytes of 2",
     {TALLY_F16, 1, 0, {UINT64_C(1) << 62}, {0}},
     INVALID("2^63 - 1 bytes", "axis 0", "4611686018427387904")},
    {"2^63 bytes of 8",
     {TALLY_F64, 2, 0, {UINT64_C(1) << 30, UINT64_C(1) << 30}, {0}},
     INVALID("2^63 - 1 bytes", "axis 1", "1073741824")},
    {"a stride to byte 2^63",
     {TALLY_U8, 1, STRIDED, {2}, {MOST}},
     INVALID("2^63 - 1 bytes", "axis 0", "9223372036854775807")},
    {"a step that wraps",
     {TALLY_U8, 2, STRIDED, {1, 3}, {0, UINT64_C(1) << 63}},
     INVALID("2^63 - 1 bytes", "axis 1", "9223372036854775808")},
    {"the largest stride",
     {TALLY_U8, 1, STRIDED, {2}, {UINT64_MAX}},
     INVALID("2^63 - 1 bytes", "axis 0", "18446744073709551615")},
    {"two strides that only together reach too far",
     {TALLY_U8, 2, STRIDED, {2, 2}, {MOST - 1, 1}},
     INVALID("2^63 - 1 bytes", "axis 1")},
    {"a last element that ends too far",
     {TALLY_I64, 1, STRIDED, {2}, {MOST / 8}},
     INVALID("2^63 - 1 bytes", "1152921504606846975")},
};
#define REFUSALS ((int)(sizeof refusals / sizeof refusals[0]))

START_TEST(a_bad_tensor_is_refused_with_its_sentence) {
    tally_tensor checked;
    tally_error error = TALLY_ERROR_INIT;
    const refusal *it = &refusals[_i];
    const tally_status status = tally_tensor_check(&it->tensor, "gauge", &checked, &error);
    expect_refusal(it->what, &it->wanted, status, &error);
    ck_assert_int_eq(tally_tensor_check(&it->tensor, "gauge", &checked, NULL), TALLY_INVALID);
}
END_TEST

/* ---- What is legal ------------------------------------------------------------------------- */

typedef struct legal {
    const char *what;
    tally_tensor tensor;
    uint64_t elements, extent;
} legal;

static const legal legals[] = {
    {"one element", {TALLY_F64, 0, 0, {0}, {0}}, 1, 1},
    {"rank 8", {TALLY_U8, 8, 0, {2, 2, 2, 2, 2, 2, 2, 2}, {0}}, 256, 256},
    {"2^63 - 1 elements", {TALLY_U8, 1, 0, {MOST}, {0}}, MOST, MOST},
    {"2^62 - 1 elements of 2", {TALLY_I16, 1, 0, {MOST / 2}, {0}}, MOST / 2, MOST / 2},
    {"2^60 - 1 elements of 8", {TALLY_F64, 1, 0, {MOST / 8}, {0}}, MOST / 8, MOST / 8},
    {"2^63 - 1 = 7 * 7 * 73 * ...", {TALLY_U8, 3, 0, {7, 7, MOST / 49}, {0}}, MOST, MOST},
    {"one repeated as often as can be", {TALLY_F64, 1, STRIDED, {MOST}, {0}}, MOST, 1},
    {"a stride to the last byte", {TALLY_U8, 1, STRIDED, {2}, {MOST - 1}}, 2, MOST},
    {"a stride to the last two", {TALLY_U16, 1, STRIDED, {2}, {MOST / 2 - 1}}, 2, MOST / 2},
    {"a stride to the last eight", {TALLY_I64, 1, STRIDED, {2}, {MOST / 8 - 1}}, 2, MOST / 8},
    {"two strides together to the last", {TALLY_U8, 2, STRIDED, {2, 2}, {MOST - 2, 1}}, 4, MOST},
    {"a stride that nothing steps over", {TALLY_F32, 1, STRIDED, {1}, {UINT64_MAX}}, 1, 1},
    {"strides in any order", {TALLY_F32, 3, STRIDED, {2, 3, 4}, {1, 2, 6}}, 24, 24},
    {"strides with gaps", {TALLY_F32, 2, STRIDED, {3, 4}, {10, 2}}, 12, 27},
    {"strides that overlap", {TALLY_F32, 2, STRIDED, {3, 4}, {1, 1}}, 12, 6},
    {"nothing", {TALLY_F32, 1, 0, {0}, {0}}, 0, 0},
    {"nothing, at strides of any size",
     {TALLY_F32, 2, STRIDED, {0, 5}, {UINT64_MAX, UINT64_MAX}},
     0,
     0},
    {"nothing, last", {TALLY_U8, 2, 0, {MOST, 0}, {0}}, 0, 0},
    {"nothing of 2^62 rows of 8 bytes", {TALLY_F64, 2, 0, {UINT64_C(1) << 62, 0}, {0}}, 0, 0},
};
#define LEGALS ((int)(sizeof legals / sizeof legals[0]))

START_TEST(a_good_tensor_is_measured) {
    tally_tensor checked;
    tally_error error = TALLY_ERROR_INIT;
    const legal *it = &legals[_i];
    expect_ok(it->what, tally_tensor_check(&it->tensor, "gauge", &checked, &error), &error);
    ck_assert_uint_eq(tally_tensor_elements(&checked), it->elements);
    ck_assert_uint_eq(tally_tensor_extent(&checked), it->extent);
    ck_assert_uint_eq(checked.flags, TALLY_STRIDED);
    ck_assert_int_eq(checked.dtype, it->tensor.dtype);
    ck_assert_uint_eq(checked.rank, it->tensor.rank);
    ck_assert_mem_eq(checked.size, it->tensor.size, sizeof checked.size);
}
END_TEST

/* Packed, each element is where it is counted; what stride[] holds then is not looked at. */
START_TEST(packed_strides_are_filled_in) {
    uint64_t state = 1;
    for (int i = 0; i < 2000; i++) {
        tally_tensor checked, tensor = {TALLY_U8, (uint32_t)(i % 9), 0, {0}, {0}};
        uint64_t stride = 1;
        for (uint32_t k = 0; k < TALLY_MAX_RANK; k++) {
            tensor.size[k] = 1 + values_random(&state) % 7;
            tensor.stride[k] = values_random(&state);
        }
        ck_assert_int_eq(tally_tensor_check(&tensor, "gauge", &checked, NULL), TALLY_OK);
        for (uint32_t k = tensor.rank; k-- > 0; stride *= tensor.size[k])
            if (checked.stride[k] != stride)
                ck_abort_msg("tensor %d, axis %u: stride %llu", i, k,
                             (unsigned long long)checked.stride[k]);
        ck_assert_uint_eq(tally_tensor_extent(&checked), stride);
    }
}
END_TEST

START_TEST(given_strides_are_kept) {
    const tally_tensor tensor = {TALLY_F16, 3, STRIDED, {2, 1, 3}, {0, 77, 9}};
    tally_tensor checked;
    ck_assert_int_eq(tally_tensor_check(&tensor, "gauge", &checked, NULL), TALLY_OK);
    ck_assert_mem_eq(&checked, &tensor, sizeof tensor);
}
END_TEST

/* ---- Equal sizes --------------------------------------------------------------------------- */

START_TEST(tensors_of_unequal_sizes_are_told_apart) {
    const tally_tensor input = shape_tensor(TALLY_F32, SHAPE(2, 3, 4));
    tally_tensor output = shape_tensor(TALLY_F16, SHAPE(2, 3, 4));
    tally_error error = TALLY_ERROR_INIT;
    expect_ok("equal", tally_tensor_check_same_sizes(&input, &output, &error), &error);
    output.size[1] = 5;
    const expect size = {TALLY_INVALID, {"axis 1", "output has size 5", "input has 3"}};
    expect_refusal("a size", &size, tally_tensor_check_same_sizes(&input, &output, &error), &error);
    output.rank = 2;
    const expect rank = {TALLY_INVALID, {"output has rank 2", "input has rank 3"}};
    expect_refusal("a rank", &rank, tally_tensor_check_same_sizes(&input, &output, &error), &error);
}
END_TEST

Suite *suite_tensor(void) {
    Suite *suite = suite_create("tensor");
    TCase *tests = tcase_create("tensor");
    tcase_add_loop_test(tests, a_bad_tensor_is_refused_with_its_sentence, 0, REFUSALS);
    tcase_add_loop_test(tests, a_good_tensor_is_measured, 0, LEGALS);
    tcase_add_test(tests, packed_strides_are_filled_in);
    tcase_add_test(tests, given_strides_are_kept);
    tcase_add_test(tests, tensors_of_unequal_sizes_are_told_apart);
    suite_add_tcase(suite, tests);
    return suite;
}
