/*
 * test_own_functions.c: the device computes exp, log, square root and quotient with the bits of the
 * same text compiled as C, with its own correctly rounded operations and with those of integers.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "api/runtime.h"
#include "device/program.h"
#include "plan/program/source.h"
#include "support/fixtures/fixture.h"
#include "support/numbers/math_c.h"
#include "support/numbers/math_check.h"

enum { INPUTS = 1 << 22, STEP = 1021 }; /* STEP * INPUTS are just below all of float32's bits */

static const char kernel_text[] =
    "__kernel void test_math(__global const tally_compute *x, __global const tally_compute *y,\n"
    "                        __global tally_compute *out, uint function) {\n"
    "    const size_t i = get_global_id(0);\n"
    "    out[i] = function == 0   ? tally_exp(x[i])\n"
    "             : function == 1 ? tally_log(x[i])\n"
    "             : function == 2 ? tally_sqrt(x[i])\n"
    "                             : tally_divide(x[i], y[i]);\n"
    "}\n";

/* A program as the library makes it, with the kernel behind its own. */
static cl_program build(tally_dtype dtype, const char *options) {
    const tally_spec spec = {.schedule = TALLY_FOLD_ANY,
                             .function = TALLY_AVERAGE,
                             .input = (uint8_t)dtype,
                             .kept_rank = 1,
                             .swept_rank = 1,
                             .index_bits = 64};
    tally_device device = fixture_get()->runtime->device;
    tally_text source = TALLY_TEXT_INIT;
    tally_error error;
    cl_program program = NULL;
    tally_source_write(&spec, &source);
    tally_text_add(&source, kernel_text);
    ck_assert(!source.failed);
    if (options != NULL)
        device.build_options = options;
    fixture_ok(tally_program_build(&device, "test_math", source.data, &program, &error), &error,
               "tally_program_build");
    tally_text_free(&source);
    return program;
}

static void run_device(cl_program program, cl_uint function, const void *x, const void *y,
                       void *out, size_t bytes) {
    const size_t count = INPUTS;
    cl_int code = CL_SUCCESS;
    cl_command_queue queue = fixture_get()->queue;
    cl_kernel kernel = clCreateKernel(program, "test_math", &code);
    fixture_check(code);
    cl_mem buffers[] = {fixture_make_buffer(x, bytes), fixture_make_buffer(y, bytes),
                        fixture_make_buffer(NULL, bytes)};
    for (cl_uint k = 0; k < 3; k++)
        fixture_check(clSetKernelArg(kernel, k, sizeof buffers[k], &buffers[k]));
    fixture_check(clSetKernelArg(kernel, 3, sizeof function, &function));
    fixture_check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &count, NULL, 0, NULL, NULL));
    fixture_check(clEnqueueReadBuffer(queue, buffers[2], CL_TRUE, 0, bytes, out, 0, NULL, NULL));
    for (int k = 0; k < 3; k++)
        clReleaseMemObject(buffers[k]);
    clReleaseKernel(kernel);
}

static void *allocate(size_t bytes) {
    void *memory = malloc(bytes);
    ck_assert_ptr_nonnull(memory);
    return memory;
}

/* The inputs in the function's type, edges first; bits and other have room for INPUTS. */
static void make_inputs(math_function function, uint64_t *bits, uint64_t *other) {
    const uint32_t *narrow = NULL;
    const uint64_t *wide = NULL;
    const int narrows = math_edges_f32(&narrow), wides = math_edges_f64(&wide);
    const int edges = function < MATH_EXP_F64 ? narrows : wides;
    math_inputs(function, 0, STEP, bits, other, INPUTS);
    for (int i = 0; i < 2 * edges; i++)
        bits[i] = function < MATH_EXP_F64 ? narrow[i / 2] ^ (i % 2 ? (uint32_t)1 << 31 : 0)
                                          : wide[i / 2] ^ (i % 2 ? (uint64_t)1 << 63 : 0);
    for (int i = 0; i < 2 * edges; i++)
        bits[i] = math_in_domain(function, bits[i]);
    if (function == MATH_EXP_F32 || function == MATH_EXP_F64)
        bits[0] = 0; /* the one that is not negative */
}

static void compare_f32(cl_program program, math_function function) {
    uint64_t *bits = allocate(INPUTS * sizeof *bits), *other = allocate(INPUTS * sizeof *other);
    float *x = allocate(4 * INPUTS * sizeof *x), *y = x + INPUTS;
    float *expected = y + INPUTS, *got = expected + INPUTS;
    make_inputs(function, bits, other);
    for (size_t i = 0; i < INPUTS; i++) {
        const uint32_t low = (uint32_t)bits[i], divisor = (uint32_t)other[i];
        memcpy(&x[i], &low, sizeof low);
        memcpy(&y[i], &divisor, sizeof divisor);
    }
    if (function == MATH_DIVIDE_F32)
        math_c_divide_f32(x, y, expected, INPUTS);
    else
        (function == MATH_EXP_F32   ? math_c_exp_f32
         : function == MATH_LOG_F32 ? math_c_log_f32
                                    : math_c_sqrt_f32)(x, expected, INPUTS);
    run_device(program, (cl_uint)function, x, y, got, INPUTS * sizeof *x);
    for (size_t i = 0; i < INPUTS; i++)
        if (memcmp(&got[i], &expected[i], sizeof *x) != 0 && !(isnan(got[i]) && isnan(expected[i])))
            ck_abort_msg("%s of 0x%08X (divisor 0x%08X) is %a, and %a in C", math_name(function),
                         (unsigned)bits[i], (unsigned)other[i], (double)got[i],
                         (double)expected[i]);
    free(x);
    free(other);
    free(bits);
}

static void compare_f64(cl_program program, math_function function) {
    uint64_t *bits = allocate(INPUTS * sizeof *bits), *other = allocate(INPUTS * sizeof *other);
    double *x = allocate(3 * INPUTS * sizeof *x);
    double *expected = x + INPUTS, *got = expected + INPUTS;
    make_inputs(function, bits, other);
    memcpy(x, bits, INPUTS * sizeof *x);
    (function == MATH_EXP_F64 ? math_c_exp_f64 : math_c_log_f64)(x, expected, INPUTS);
    run_device(program, (cl_uint)(function - MATH_EXP_F64), x, x, got, INPUTS * sizeof *x);
    for (size_t i = 0; i < INPUTS; i++)
        if (memcmp(&got[i], &expected[i], sizeof *x) != 0 && !(isnan(got[i]) && isnan(expected[i])))
            ck_abort_msg("%s of 0x%016llX is %a, and %a in C", math_name(function),
                         (unsigned long long)bits[i], got[i], expected[i]);
    free(x);
    free(other);
    free(bits);
}

static void compare_all_f32(const char *options) {
    cl_program program = build(TALLY_F32, options);
    for (math_function function = MATH_EXP_F32; function <= MATH_DIVIDE_F32; function++)
        compare_f32(program, function);
    clReleaseProgram(program);
}

START_TEST(float32_has_the_bits_of_c) {
    compare_all_f32(NULL);
}
END_TEST

START_TEST(float32_has_the_bits_of_c_without_the_rounding_option) {
    compare_all_f32("-cl-std=CL1.2 -DTALLY_ROUNDS_CORRECTLY=0");
}
END_TEST

START_TEST(float64_has_the_bits_of_c) {
    if (!fixture_get()->has_f64)
        return; /* nothing is promised of a type that the device does not have */
    cl_program program = build(TALLY_F64, NULL);
    compare_f64(program, MATH_EXP_F64);
    compare_f64(program, MATH_LOG_F64);
    clReleaseProgram(program);
}
END_TEST

Suite *suite_own_functions(void);

Suite *suite_own_functions(void) {
    Suite *suite = suite_create("own_functions");
    TCase *tests = tcase_create("math");
    tcase_set_timeout(tests, 0);
    tcase_add_test(tests, float32_has_the_bits_of_c);
    tcase_add_test(tests, float32_has_the_bits_of_c_without_the_rounding_option);
    tcase_add_test(tests, float64_has_the_bits_of_c);
    suite_add_tcase(suite, tests);
    return suite;
}
