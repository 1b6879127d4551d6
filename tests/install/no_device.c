/*
 * no_device.c: what can be asked where no OpenCL platform is: whether operators are right and
 * supported, what plans look like, names and sizes. It is run without a driver.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <string.h>
#include <tally/directml.h>
#include <tally/tally.h>

static void count_text(void *user, const char *text) {
    *(size_t *)user += strlen(text);
}

static int fail(const char *what) {
    fprintf(stderr, "no_device: %s\n", what);
    return 1;
}

int main(void) {
    cl_uint platforms = 0;
    if (clGetPlatformIDs(0, NULL, &platforms) == CL_SUCCESS && platforms > 0)
        return fail("there is an OpenCL platform");
    tally_error error = TALLY_ERROR_INIT;
    tally_reduce desc = TALLY_REDUCE_INIT;
    desc.function = TALLY_SUM;
    desc.input = tally_tensor_packed(TALLY_F64, 2, (const uint64_t[]){300, 400});
    desc.axes = 1u << 0;
    desc.output = tally_tensor_reduced(&desc.input, desc.axes, TALLY_F64);
    tally_device_limits limits = TALLY_DEVICE_LIMITS_INIT;
    if (tally_reduce_check(&desc, &limits, &error) != TALLY_OK)
        return fail(error.message);
    limits.no_fp64 = true;
    if (tally_reduce_check(&desc, &limits, &error) != TALLY_UNSUPPORTED)
        return fail("a sum of f64 is supported without fp64");
    const DML_OPERATOR_DESC none = {DML_OPERATOR_REDUCE, NULL};
    if (tally_dml_operator_check(&none, DML_FEATURE_LEVEL_5_0, &limits, &error) != TALLY_INVALID)
        return fail("an operator without a description is right");
    size_t length = 0;
    tally_desc any = TALLY_DESC_INIT;
    any.reduce = &desc;
    if (tally_explain(&any, TALLY_FAMILY_GPU, TALLY_SINGLE_PASS_AUTO, true, count_text, &length,
                      &error) != TALLY_OK)
        return fail(error.message);
    if (length == 0 || tally_dtype_size(TALLY_F64) != 8)
        return fail("an explanation or a size is wrong");
    puts("no_device: ok");
    return 0;
}
