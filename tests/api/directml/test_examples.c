/*
 * test_examples.c: every worked example of Microsoft's pages on REDUCE, ARGMIN, ARGMAX,
 * CUMULATIVE_SUMMATION, CUMULATIVE_PRODUCT, DIAGONAL_MATRIX and DIAGONAL_MATRIX1.
 *
 * Two of the pages have slips, and here stands what the operators really give:
 *   - DIAGONAL_MATRIX1, example 1, prints ones on the diagonal although its Value is 7.
 *   - REDUCE, example 3, sums the whole tensor to 21, which is right; the comment beside it lists
 *     {1, 2, 3, 3, 0, 4, 2, 5, 2}, whose eighth number should be 4 (with 5 the sum would be 22).
 *     The tensor of the ARGMIN and ARGMAX pages does have a 5 there.
 */
#include <check.h>

#include "support/descriptions/shape.h"
#include "support/fixtures/call.h"
#include "support/oracle/oracle.h"

Suite *suite_examples(void);

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define MAX_ELEMENTS 20

static void check_floats(const char *page, size_t example, const float *is, const float *should,
                         size_t count) {
    for (size_t k = 0; k < count; k++) {
        ck_assert_msg(is[k] == should[k], "%s, example %zu, element %zu: %g, not %g", page,
                      example + 1, k, (double)is[k], (double)should[k]);
    }
}

/* ---- REDUCE --------------------------------------------------------------------------------- */

START_TEST(reduce) {
    const float input[9] = {1, 2, 3, 3, 0, 4, 2, 4, 2};
    const struct {
        uint32_t axes;
        size_t count;
        float output[3];
    } examples[] = {
        {1, 3, {6, 6, 9}},
        {2, 3, {6, 7, 8}},
        {3, 1, {21}},
    };
    for (size_t k = 0; k < COUNT(examples); k++) {
        float output[3] = {0};
        const tally_reduce desc = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(3, 3), examples[k].axes);
        call_reduce(&desc, input, output);
        check_floats("REDUCE", k, output, examples[k].output, examples[k].count);
    }
}
END_TEST

/* ---- ARGMIN, ARGMAX ------------------------------------------------------------------------- */

static void check_index(tally_function function, uint32_t axes, const uint32_t *should,
                        size_t count) {
    const float input[9] = {1, 2, 3, 3, 0, 4, 2, 5, 2};
    uint32_t output[3] = {0};
    const tally_reduce desc = shape_reduce(function, TALLY_F32, SHAPE(3, 3), axes);
    call_reduce(&desc, input, output);
    for (size_t k = 0; k < count; k++) {
        ck_assert_msg(output[k] == should[k], "function %d, axes %u, element %zu: %u, not %u",
                      (int)function, (unsigned)axes, k, (unsigned)output[k], (unsigned)should[k]);
    }
}

START_TEST(argmax) {
    check_index(TALLY_ARGMAX, 1, (const uint32_t[]){1, 2, 1}, 3);
    check_index(TALLY_ARGMAX, 2, (const uint32_t[]){2, 2, 1}, 3);
    check_index(TALLY_ARGMAX, 3, (const uint32_t[]){7}, 1);
}
END_TEST

START_TEST(argmin) {
    check_index(TALLY_ARGMIN, 1, (const uint32_t[]){0, 1, 2}, 3);
    check_index(TALLY_ARGMIN, 2, (const uint32_t[]){0, 1, 0}, 3);
    check_index(TALLY_ARGMIN, 3, (const uint32_t[]){4}, 1);
}
END_TEST

/* The pages' words on AxisDirection: argmax({3,2,1,2,3}) and argmin({1,2,3,2,1}) are 0 or 4. */
START_TEST(axis_direction_breaks_ties) {
    const float inputs[2][5] = {{3, 2, 1, 2, 3}, {1, 2, 3, 2, 1}};
    const tally_function functions[2] = {TALLY_ARGMAX, TALLY_ARGMIN};
    for (size_t k = 0; k < 2; k++) {
        tally_reduce desc = shape_reduce(functions[k], TALLY_F32, SHAPE(5), 1);
        uint32_t first = 9, last = 9;
        call_reduce(&desc, inputs[k], &first);
        desc.tie = TALLY_TIE_LAST;
        call_reduce(&desc, inputs[k], &last);
        ck_assert_uint_eq(first, 0);
        ck_assert_uint_eq(last, 4);
    }
}
END_TEST

/* ---- CUMULATIVE_SUMMATION, CUMULATIVE_PRODUCT ----------------------------------------------- */

typedef struct scan_example {
    uint32_t axis;
    bool descending, exclusive;
    float output[12];
} scan_example;

static void check_scan(tally_function function, const char *page, const scan_example *example,
                       size_t index) {
    const float input[12] = {2, 1, 3, 5, 3, 8, 7, 3, 9, 6, 2, 4};
    float output[12] = {0};
    tally_cumulative desc = shape_scan(function, TALLY_F32, SHAPE(1, 1, 3, 4), example->axis);
    desc.descending = example->descending;
    desc.exclusive = example->exclusive;
    call_cumulative(&desc, input, output);
    check_floats(page, index, output, example->output, 12);
}

START_TEST(cumulative_summation) {
    const scan_example examples[] = {
        {3, false, false, {2, 3, 6, 11, 3, 11, 18, 21, 9, 15, 17, 21}},
        {3, false, true, {0, 2, 3, 6, 0, 3, 11, 18, 0, 9, 15, 17}},
        {3, true, false, {11, 9, 8, 5, 21, 18, 10, 3, 21, 12, 6, 4}},
        {2, false, false, {2, 1, 3, 5, 5, 9, 10, 8, 14, 15, 12, 12}},
    };
    for (size_t k = 0; k < COUNT(examples); k++) {
        check_scan(TALLY_SUM, "CUMULATIVE_SUMMATION", &examples[k], k);
    }
}
END_TEST

START_TEST(cumulative_product) {
    const scan_example examples[] = {
        {3, false, false, {2, 2, 6, 30, 3, 24, 168, 504, 9, 54, 108, 432}},
        {3, false, true, {1, 2, 2, 6, 1, 3, 24, 168, 1, 9, 54, 108}},
        {3, true, false, {30, 15, 15, 5, 504, 168, 21, 3, 432, 48, 8, 4}},
        {2, false, false, {2, 1, 3, 5, 6, 8, 21, 15, 54, 48, 42, 60}},
    };
    for (size_t k = 0; k < COUNT(examples); k++) {
        check_scan(TALLY_MULTIPLY, "CUMULATIVE_PRODUCT", &examples[k], k);
    }
}
END_TEST

/* ---- DIAGONAL_MATRIX, DIAGONAL_MATRIX1 ------------------------------------------------------ */

typedef struct fill_example {
    bool has_input;
    float value;
    int64_t begin, end;
    float output[MAX_ELEMENTS];
} fill_example;

static void check_fill(const char *page, const fill_example *example, size_t index,
                       const float *input, shape sizes) {
    const tally_tensor tensor = shape_tensor(TALLY_F32, sizes);
    tally_diagonal desc = TALLY_DIAGONAL_INIT;
    float output[MAX_ELEMENTS] = {0};
    desc.input = example->has_input ? &tensor : NULL;
    desc.output = tensor;
    desc.value.f32 = example->value;
    desc.begin = example->begin;
    desc.end = example->end;
    call_diagonal(&desc, input, output);
    check_floats(page, index, output, example->output, (size_t)oracle_count(&tensor));
}

START_TEST(diagonal_matrix1) {
    const float input[20] = {4, 7, 3, 7, 9, 1, 2, 8, 6, 9, 9, 4, 1, 8, 7, 4, 3, 4, 2, 4};
    const fill_example examples[] = {
        {false, 7, 0, 1, {7, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 7, 0, 0, 0, 0, 0, 7, 0}},
        {false, 7, 0, 3, {7, 7, 7, 0, 0, 0, 7, 7, 7, 0, 0, 0, 7, 7, 7, 0, 0, 0, 7, 7}},
        {true, 0, INT32_MIN, 1, {0, 7, 3, 7, 9, 0, 0, 8, 6, 9, 0, 0, 0, 8, 7, 0, 0, 0, 0, 4}},
        {true, 0, 1, 0, {4, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 2, 0}},
    };
    for (size_t k = 0; k < COUNT(examples); k++) {
        check_fill("DIAGONAL_MATRIX1", &examples[k], k, input, SHAPE(4, 5));
    }
}
END_TEST

/* The offset is begin, and end lies one behind it. */
START_TEST(diagonal_matrix) {
    const struct {
        shape sizes;
        fill_example fill;
    } examples[] = {
        {SHAPE(1, 1, 3, 3), {false, 1, 0, 1, {1, 0, 0, 0, 1, 0, 0, 0, 1}}},
        {SHAPE(1, 1, 3, 3), {false, 1, 1, 2, {0, 1, 0, 0, 0, 1, 0, 0, 0}}},
        {SHAPE(1, 1, 3, 2), {false, 1, -1, 0, {0, 0, 1, 0, 0, 1}}},
        {SHAPE(1, 1, 3, 2), {false, 1, -3, -2, {0, 0, 0, 0, 0, 0}}},
    };
    for (size_t k = 0; k < COUNT(examples); k++) {
        check_fill("DIAGONAL_MATRIX", &examples[k].fill, k, NULL, examples[k].sizes);
    }
}
END_TEST

Suite *suite_examples(void) {
    Suite *suite = suite_create("examples");
    TCase *tests = tcase_create("examples");
    tcase_set_timeout(tests, 600);
    tcase_add_test(tests, reduce);
    tcase_add_test(tests, argmax);
    tcase_add_test(tests, argmin);
    tcase_add_test(tests, axis_direction_breaks_ties);
    tcase_add_test(tests, cumulative_summation);
    tcase_add_test(tests, cumulative_product);
    tcase_add_test(tests, diagonal_matrix1);
    tcase_add_test(tests, diagonal_matrix);
    suite_add_tcase(suite, tests);
    return suite;
}
