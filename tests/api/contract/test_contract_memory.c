/*
 * test_contract_memory.c: the contract's rows on strides and aliasing: inputs may repeat elements,
 * outputs may have gaps, which stay as they are, but no collisions; and only scans and fills may
 * write where they read, in the very same position.
 */
#include <check.h>

#include "support/descriptions/shape.h"
#include "support/expect.h"
#include "support/fixtures/call.h"
#include "support/fixtures/fixture.h"
#include "support/fixtures/small.h"
#include "support/fixtures/work.h"

Suite *suite_contract_memory(void);

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static void check_memory(const int32_t *memory, const int32_t *expected, size_t count) {
    for (size_t k = 0; k < count; k++) {
        ck_assert_msg(memory[k] == expected[k], "element %zu is %d, and should be %d", k,
                      (int)memory[k], (int)expected[k]);
    }
}

/* ---- Strides ------------------------------------------------------------------------------- */

START_TEST(stride_0_repeats_the_input) {
    const int32_t x[3] = {1, 2, 4};
    const int32_t sums[2] = {7, 7}, totals[6] = {1, 3, 7, 1, 3, 7}, fill[6] = {9, 2, 4, 1, 9, 4};
    int32_t result[6];
    tally_reduce fold = shape_reduce(TALLY_SUM, TALLY_I32, SHAPE(2, 3), 2);
    tally_cumulative scan = shape_scan(TALLY_SUM, TALLY_I32, SHAPE(2, 3), 1);
    tally_diagonal band = TALLY_DIAGONAL_INIT;
    shape_repeat(&fold.input, 1); /* both rows are x */
    scan.input = fold.input;
    band.input = &fold.input;
    band.output = scan.output;
    band.value.i32 = 9;
    band.end = 1;
    ck_assert(small_reduce(&fold, x, result));
    check_memory(result, sums, 2);
    ck_assert(small_cumulative(&scan, x, result));
    check_memory(result, totals, 6);
    call_diagonal(&band, x, result);
    check_memory(result, fill, 6);
    shape_repeat(&fold.input, 2); /* one element three times in each row */
    fold.input.stride[0] = 2;
    ck_assert(small_reduce(&fold, x, result));
    check_memory(result, (const int32_t[]){3, 12}, 2);
}
END_TEST

/* {2, 3} as columns, each 3 apart: elements at 0, 3, 6 and 1, 4, 7; the others are gaps. */
START_TEST(gaps_of_a_strided_output_are_never_written) {
    const int32_t x[2][3] = {{1, 2, 4}, {8, 16, 32}};
    const tally_tensor columns = {TALLY_I32, 2, TALLY_STRIDED, {2, 3}, {1, 3}};
    tally_cumulative scan = shape_scan(TALLY_SUM, TALLY_I32, SHAPE(2, 3), 1);
    tally_diagonal band = TALLY_DIAGONAL_INIT;
    tally_reduce fold = shape_reduce(TALLY_SUM, TALLY_I32, SHAPE(2, 3), 1);
    int32_t scanned[8] = {-1, -1, -1, -1, -1, -1, -1, -1};
    int32_t filled[8] = {-1, -1, -1, -1, -1, -1, -1, -1};
    int32_t sums[5] = {-1, -1, -1, -1, -1};
    scan.output = band.output = columns;
    band.value.i32 = 9;
    band.end = 1;
    fold.output = (tally_tensor){TALLY_I32, 2, TALLY_STRIDED, {1, 3}, {100, 2}};
    ck_assert(small_cumulative(&scan, x, scanned));
    check_memory(scanned, (const int32_t[]){1, 8, -1, 3, 24, -1, 7, 56}, 8);
    call_diagonal(&band, NULL, filled);
    check_memory(filled, (const int32_t[]){9, 0, -1, 0, 9, -1, 0, 0}, 8);
    ck_assert(small_reduce(&fold, x, sums));
    check_memory(sums, (const int32_t[]){9, -1, 18, -1, 36}, 5);
}
END_TEST

static tally_status create_fill(const tally_tensor *output, tally_error *error) {
    tally_diagonal desc = TALLY_DIAGONAL_INIT;
    tally_op *op = NULL;
    desc.output = *output;
    desc.value.i32 = 1;
    desc.end = 1;
    const tally_status status = tally_diagonal_create(fixture_get()->runtime, &desc, &op, error);
    ck_assert_int_eq(op != NULL, status == TALLY_OK);
    tally_op_release(op);
    return status;
}

/* The first layouts nest, in whatever order; the others might write an element twice. */
START_TEST(output_is_accepted_only_if_its_strides_nest) {
    static const struct {
        tally_tensor output;
        bool nests;
    } rows[] = {
        {{TALLY_I32, 2, TALLY_STRIDED, {2, 3}, {3, 1}}, true},
        {{TALLY_I32, 2, TALLY_STRIDED, {2, 3}, {1, 2}}, true},
        {{TALLY_I32, 2, TALLY_STRIDED, {2, 3}, {50, 7}}, true},
        {{TALLY_I32, 3, TALLY_STRIDED, {2, 2, 2}, {2, 8, 1}}, true},
        {{TALLY_I32, 2, TALLY_STRIDED, {1, 3}, {0, 1}}, true}, /* one coordinate meets no other */
        {{TALLY_I32, 2, TALLY_STRIDED, {2, 3}, {0, 1}}, false},
        {{TALLY_I32, 2, TALLY_STRIDED, {2, 3}, {2, 1}}, false}, /* (0, 2) is (1, 0) */
        {{TALLY_I32, 2, TALLY_STRIDED, {2, 3}, {1, 1}}, false},
        {{TALLY_I32, 2, TALLY_STRIDED, {2, 2}, {3, 2}}, true},  /* 0, 2, 3, 5 */
        {{TALLY_I32, 2, TALLY_STRIDED, {2, 3}, {3, 2}}, false}, /* 0, 2, 4, 3, 5, 7: not nested */
    };
    const expect wanted = {TALLY_UNSUPPORTED, {"output", "stride", "collide"}};
    for (size_t k = 0; k < COUNT(rows); k++) {
        tally_error error;
        const tally_status status = create_fill(&rows[k].output, &error);
        if (rows[k].nests) {
            fixture_ok(status, &error, "an output whose strides nest");
        } else {
            expect_refusal("an output whose strides collide", &wanted, status, &error);
        }
    }
}
END_TEST

/* ---- Aliasing ------------------------------------------------------------------------------ */

/* Four elements, bound as input and output at once. Releases the operator. */
static void run_in_place(tally_op *op, const int32_t *x, const int32_t *expected) {
    cl_int code = CL_SUCCESS;
    int32_t result[4];
    tally_error error;
    cl_command_queue queue = fixture_get()->queue;
    cl_mem buffer = clCreateBuffer(fixture_get()->context, CL_MEM_READ_WRITE, 16, NULL, &code);
    fixture_check(code);
    const tally_binding binding = {{.buffer = buffer}, {.buffer = buffer}, {.buffer = NULL}};
    fixture_check(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, 16, x, 0, NULL, NULL));
    fixture_ok(tally_op_enqueue(op, queue, &binding, 0, NULL, NULL, &error), &error, "in place");
    fixture_check(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 16, result, 0, NULL, NULL));
    check_memory(result, expected, 4);
    fixture_check(clReleaseMemObject(buffer));
    tally_op_release(op);
}

START_TEST(scans_and_fills_may_run_in_place) {
    const int32_t x[4] = {1, 2, 4, 8};
    const tally_tensor square = shape_tensor(TALLY_I32, SHAPE(2, 2));
    tally_cumulative scan = shape_scan(TALLY_SUM, TALLY_I32, SHAPE(4), 0);
    tally_diagonal band = TALLY_DIAGONAL_INIT;
    tally_op *op = NULL;
    tally_error error;
    run_in_place(work_scan(&scan), x, (const int32_t[]){1, 3, 7, 15});
    scan.function = TALLY_MULTIPLY;
    scan.descending = scan.exclusive = true;
    run_in_place(work_scan(&scan), x, (const int32_t[]){64, 32, 8, 1});
    band.input = &square;
    band.output = square;
    band.value.i32 = 9;
    band.end = 1;
    fixture_ok(tally_diagonal_create(fixture_get()->runtime, &band, &op, &error), &error, "create");
    run_in_place(op, x, (const int32_t[]){9, 2, 4, 9});
}
END_TEST

/* A buffer that views are laid into; 4096 bytes, of which a sub-buffer has those from 2048 on. */
typedef struct memory {
    cl_mem whole, part;
} memory;

static memory make_memory(void) {
    const cl_buffer_region region = {2048, 2048};
    cl_int code = CL_SUCCESS;
    memory made = {NULL, NULL};
    made.whole = clCreateBuffer(fixture_get()->context, CL_MEM_READ_WRITE, 4096, NULL, &code);
    fixture_check(code);
    made.part = clCreateSubBuffer(made.whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);
    fixture_check(code);
    return made;
}

static void release_memory(memory made) {
    fixture_check(clReleaseMemObject(made.part));
    fixture_check(clReleaseMemObject(made.whole));
}

/*
 * Bind input and output so; all of it lies in one buffer. What must be accepted has no refusal,
 * NULL, and no hint.
 */
static void check_binding(tally_op *op, tally_view input, tally_view output, const char *refusal,
                          const char *hint) {
    const tally_binding binding = {input, output, {.buffer = NULL}};
    tally_error error;
    const tally_status status =
        tally_op_enqueue(op, fixture_get()->queue, &binding, 0, NULL, NULL, &error);
    if (refusal == NULL) {
        fixture_ok(status, &error, "memory that does not overlap");
    } else {
        const expect wanted = {TALLY_INVALID, {"input", refusal, "output", hint}};
        expect_refusal("memory that overlaps", &wanted, status, &error);
    }
}

/* 64 elements of 4 bytes. */
START_TEST(partial_overlap_is_an_error) {
    const memory made = make_memory();
    const tally_cumulative desc = shape_scan(TALLY_SUM, TALLY_I32, SHAPE(64), 0);
    tally_op *op = work_scan(&desc);
    const tally_view base = {.buffer = made.whole, .offset = 2048},
                     next = {.buffer = made.whole, .offset = 2052};
    const tally_view stride = {.buffer = made.whole, .offset = 2048 + 256},
                     before = {.buffer = made.whole, .offset = 1792};
    const tally_view part = {.buffer = made.part}, part_next = {.buffer = made.part, .offset = 4};
    check_binding(op, base, base, NULL, NULL);
    check_binding(op, base, stride, NULL, NULL);
    check_binding(op, base, before, NULL, NULL);
    check_binding(op, base, next, "overlaps", "identical");
    check_binding(op, next, base, "overlaps", "identical");
    check_binding(op, base, part, "the same bytes",
                  "two memory objects"); /* the same bytes by another name */
    check_binding(op, part, part, NULL, NULL);
    check_binding(op, base, part_next, "overlaps", "identical");
    fixture_check(clFinish(fixture_get()->queue));
    tally_op_release(op);
    release_memory(made);
}
END_TEST

/* Identical bytes, but each element would be written to another place. */
START_TEST(in_place_with_other_strides_is_an_error) {
    const memory made = make_memory();
    tally_cumulative desc = shape_scan(TALLY_SUM, TALLY_I32, SHAPE(8, 8), 1);
    shape_transpose(&desc.output);
    tally_op *op = work_scan(&desc);
    const tally_view base = {.buffer = made.whole}, stride = {.buffer = made.whole, .offset = 256};
    check_binding(op, base, stride, NULL, NULL);
    check_binding(op, base, base, "one view", "different strides");
    fixture_check(clFinish(fixture_get()->queue));
    tally_op_release(op);
    release_memory(made);
}
END_TEST

/* Not even of one element onto itself. */
START_TEST(reduction_in_place_is_an_error) {
    const memory made = make_memory();
    const tally_reduce desc = shape_reduce(TALLY_SUM, TALLY_I32, SHAPE(4), 0);
    tally_op *op = work_reduce(&desc);
    const tally_view base = {.buffer = made.whole}, stride = {.buffer = made.whole, .offset = 16};
    check_binding(op, base, stride, NULL, NULL);
    check_binding(op, base, base, "overlaps", "16");
    fixture_check(clFinish(fixture_get()->queue));
    tally_op_release(op);
    release_memory(made);
}
END_TEST

/* So many terms take more than one launch, and what is between them is in the scratch. */
START_TEST(scratch_that_overlaps_is_an_error) {
    const tally_reduce desc = shape_reduce(TALLY_SUM, TALLY_I32, SHAPE(1000000), 1);
    const expect with_input = {TALLY_INVALID, {"input", "overlaps", "scratch"}};
    const expect with_output = {TALLY_INVALID, {"output", "overlaps", "scratch"}};
    cl_int code = CL_SUCCESS;
    tally_op *op = work_reduce(&desc);
    tally_error error;
    ck_assert_uint_gt(tally_op_scratch_size(op), 0);
    const size_t scratch = 4000256, output = scratch + tally_op_scratch_size(op);
    cl_mem whole =
        clCreateBuffer(fixture_get()->context, CL_MEM_READ_WRITE, output + 4, NULL, &code);
    fixture_check(code);
    tally_binding binding = {{.buffer = whole},
                             {.buffer = whole, .offset = output},
                             {.buffer = whole, .offset = scratch}};
    cl_command_queue queue = fixture_get()->queue;
    fixture_ok(tally_op_enqueue(op, queue, &binding, 0, NULL, NULL, &error), &error, "apart");
    fixture_check(clFinish(queue));
    binding.scratch.offset = 3999744; /* the input ends at 4000000 */
    tally_status status = tally_op_enqueue(op, queue, &binding, 0, NULL, NULL, &error);
    expect_refusal("scratch on the input's end", &with_input, status, &error);
    binding.scratch.offset = scratch;
    binding.output.offset = scratch;
    status = tally_op_enqueue(op, queue, &binding, 0, NULL, NULL, &error);
    expect_refusal("scratch on the output", &with_output, status, &error);
    fixture_check(clReleaseMemObject(whole));
    tally_op_release(op);
}
END_TEST

Suite *suite_contract_memory(void) {
    Suite *suite = suite_create("contract_memory");
    TCase *tests = tcase_create("contract_memory");
    tcase_add_test(tests, stride_0_repeats_the_input);
    tcase_add_test(tests, gaps_of_a_strided_output_are_never_written);
    tcase_add_test(tests, output_is_accepted_only_if_its_strides_nest);
    tcase_add_test(tests, scans_and_fills_may_run_in_place);
    tcase_add_test(tests, partial_overlap_is_an_error);
    tcase_add_test(tests, in_place_with_other_strides_is_an_error);
    tcase_add_test(tests, reduction_in_place_is_an_error);
    tcase_add_test(tests, scratch_that_overlaps_is_an_error);
    suite_add_tcase(suite, tests);
    return suite;
}
