/*
 * test_errors_tensor.c: tensors that no operator takes, as input and as output of each: the status,
 * the value and the limit in the sentence, nothing made, nothing compiled.
 */
#include <check.h>

#include "support/descriptions/shape.h"
#include "support/fixtures/fixture.h"
#include "support/refusal.h"

Suite *suite_errors_tensor(void);

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* A tensor that no operator takes, as the input and as the output of each. */
static void refuse_tensor(tally_tensor tensor, refusal expected) {
    const char *roles[] = {"input", "output"};
    for (int output = 0; output < 2; output++) {
        tally_reduce reduce = shape_sum_rows();
        tally_cumulative scan = shape_scan_rows();
        tally_diagonal band = shape_fill(SHAPE(4, 4));
        const tally_tensor matrix = band.output;
        *(output != 0 ? &reduce.output : &reduce.input) = tensor;
        *(output != 0 ? &scan.output : &scan.input) = tensor;
        band.input = output != 0 ? &matrix : &tensor;
        band.output = output != 0 ? tensor : matrix;
        expected.words[2] = roles[output];
        refuse_reduce(&reduce, expected);
        refuse_cumulative(&scan, expected);
        refuse_diagonal(&band, expected);
    }
}

START_TEST(bad_tensors) {
    tally_tensor tensor = shape_tensor(TALLY_F32, SHAPE(3, 4, 5));
    tensor.rank = 9;
    refuse_tensor(tensor, INVALID("rank 9", "8"));
    tensor.rank = UINT32_MAX;
    refuse_tensor(tensor, INVALID("rank 4294967295", "8"));
    tensor = shape_tensor(TALLY_F32, SHAPE(3, 4, 5));
    tensor.flags = 2;
    refuse_tensor(tensor, INVALID("flags 0x2", "0x1"));
    tensor.flags = 0x80000001;
    refuse_tensor(tensor, INVALID("flags 0x80000001", "0x1"));
    tensor = shape_tensor(TALLY_DTYPE_NONE, SHAPE(3, 4, 5));
    refuse_tensor(tensor, INVALID("dtype 0"));
    tensor.dtype = (tally_dtype)12;
    refuse_tensor(tensor, INVALID("dtype 12"));
    tensor.dtype = (tally_dtype)-1;
    refuse_tensor(tensor, INVALID("dtype -1"));
}
END_TEST

/* Sizes and strides whose products or sums leave 64 bits. */
START_TEST(tensors_beyond_64_bits) {
    const uint64_t big = (uint64_t)1 << 40, half = (uint64_t)1 << 63;
    refuse_tensor(shape_tensor(TALLY_F32, SHAPE(big, big)), INVALID("1099511627776", "2^63"));
    refuse_tensor(shape_tensor(TALLY_F32, SHAPE(UINT64_MAX)),
                  INVALID("18446744073709551615", "2^63"));
    refuse_tensor(shape_tensor(TALLY_F64, SHAPE(half / 8)), INVALID("1152921504606846976", "2^63"));
    tally_tensor tensor = shape_tensor(TALLY_F32, SHAPE(2, 2));
    tensor.flags = TALLY_STRIDED;
    tensor.stride[0] = UINT64_MAX;
    tensor.stride[1] = 1;
    refuse_tensor(tensor, INVALID("18446744073709551615", "2^63"));
    tensor.stride[0] = half / 8; /* two strides, each of which would be legal alone */
    tensor.stride[1] = half / 8;
    refuse_tensor(tensor, INVALID("1152921504606846976", "2^63"));
    tensor.size[0] = half;
    tensor.stride[0] = 2;
    refuse_tensor(tensor, INVALID("9223372036854775808", "2^63"));
}
END_TEST

/* Outputs on which two coordinates may meet. */
START_TEST(colliding_outputs) {
    const struct {
        uint64_t outer, inner;
    } strides[] = {{0, 1}, {1, 0}, {1, 1}, {4, 1}, {1, 2}, {3, 2}, {0, 0}};
    for (size_t k = 0; k < COUNT(strides); k++) {
        tally_reduce reduce = shape_reduce(TALLY_L1, TALLY_I32, SHAPE(3, 5), 0);
        tally_cumulative scan = shape_scan(TALLY_MAX, TALLY_I8, SHAPE(3, 5), 0);
        tally_diagonal band = shape_fill(SHAPE(3, 5));
        tally_tensor *outputs[] = {&reduce.output, &scan.output, &band.output};
        for (size_t o = 0; o < COUNT(outputs); o++) {
            outputs[o]->flags = TALLY_STRIDED;
            outputs[o]->stride[0] = strides[k].outer;
            outputs[o]->stride[1] = strides[k].inner;
        }
        refuse_reduce(&reduce, UNSUPPORTED("output", "stride", "collide"));
        refuse_cumulative(&scan, UNSUPPORTED("output", "stride", "collide"));
        refuse_diagonal(&band, UNSUPPORTED("output", "stride", "collide"));
    }
}
END_TEST

/* Any stride is legal where an axis has no second element, or the tensor none at all. */
START_TEST(strides_that_do_not_matter) {
    tally_error error;
    tally_op *op = NULL;
    const shape shapes[] = {SHAPE(1, 5), SHAPE(0, 5), SHAPE(5, 0)};
    for (size_t k = 0; k < COUNT(shapes); k++) {
        tally_reduce desc = shape_reduce(TALLY_SUM, TALLY_F32, shapes[k], 0);
        desc.output.flags = TALLY_STRIDED;
        desc.output.stride[0] = 0;
        desc.output.stride[1] = 1;
        fixture_ok(tally_reduce_create(fixture_get()->runtime, &desc, &op, &error), &error,
                   "create");
        tally_op_release(op);
    }
}
END_TEST

Suite *suite_errors_tensor(void) {
    Suite *suite = suite_create("errors_tensor");
    TCase *tests = tcase_create("errors_tensor");
    tcase_set_timeout(tests, 600);
    tcase_add_test(tests, bad_tensors);
    tcase_add_test(tests, tensors_beyond_64_bits);
    tcase_add_test(tests, colliding_outputs);
    tcase_add_test(tests, strides_that_do_not_matter);
    suite_add_tcase(suite, tests);
    return suite;
}
