/*
 * test_faults.c: kernels and calls with one fault each, so that it is known that the simulator
 * tells of such. run.cmake wants to read of them.
 */
#include <check.h>

#include "support/fixtures/fixture.h"

static const char source[] =
    "__kernel void race(__global int *out) {\n"
    "    __local int shared[2];\n"
    "    shared[get_local_id(0)] = (int)get_local_id(0);\n"
    "    out[get_local_id(0)] = shared[1 - get_local_id(0)];\n" /* no barrier */
    "}\n"
    "__kernel void uninitialized(__global int *out) {\n"
    "    __local int shared[2];\n"
    "    if (shared[get_local_id(0)] > 0)\n"
    "        out[get_local_id(0)] = 1;\n"
    "}\n"
    "__kernel void beyond(__global int *out) {\n"
    "    out[get_local_id(0) + 2] = 0;\n"
    "}\n";

static void run(const char *name) {
    const fixture *it = fixture_get();
    const char *text = source;
    const size_t items = 2;
    cl_int code = CL_SUCCESS;
    cl_program program = clCreateProgramWithSource(it->context, 1, &text, NULL, &code);
    fixture_check(code);
    fixture_check(clBuildProgram(program, 1, &it->device, "-cl-std=CL1.2", NULL, NULL));
    cl_kernel kernel = clCreateKernel(program, name, &code);
    fixture_check(code);
    cl_mem out = clCreateBuffer(it->context, CL_MEM_READ_WRITE, 2 * sizeof(cl_int), NULL, &code);
    fixture_check(code);
    fixture_check(clSetKernelArg(kernel, 0, sizeof out, &out));
    fixture_check(
        clEnqueueNDRangeKernel(it->queue, kernel, 1, NULL, &items, &items, 0, NULL, NULL));
    fixture_check(clFinish(it->queue));
    clReleaseMemObject(out);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
}

START_TEST(a_data_race) {
    run("race");
}
END_TEST

START_TEST(an_uninitialized_value) {
    run("uninitialized");
}
END_TEST

START_TEST(a_write_beyond_a_buffer) {
    run("beyond");
}
END_TEST

START_TEST(a_call_with_a_wrong_argument) {
    cl_int code = CL_SUCCESS;
    ck_assert_ptr_null(clCreateBuffer(fixture_get()->context, CL_MEM_READ_WRITE, 0, NULL, &code));
    ck_assert_int_eq(code, CL_INVALID_BUFFER_SIZE);
}
END_TEST

Suite *suite_faults(void);
Suite *suite_faults(void) {
    Suite *suite = suite_create("faults");
    TCase *tests = tcase_create("faults");
    tcase_add_unchecked_fixture(tests, NULL, fixture_close);
    tcase_add_test(tests, a_data_race);
    tcase_add_test(tests, an_uninitialized_value);
    tcase_add_test(tests, a_write_beyond_a_buffer);
    tcase_add_test(tests, a_call_with_a_wrong_argument);
    suite_add_tcase(suite, tests);
    return suite;
}
