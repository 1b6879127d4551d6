/*
 * math_c.c: cl/core/math.cl for float32.
 */
#include "math_c.h"

#include "math_c_opencl.h"

MATH_C_AS(as_uint, uint32_t, float)
MATH_C_AS(as_float, float, uint32_t)

typedef float tally_compute;
typedef int32_t tally_key;
#define TALLY_BYTES 4
#include "cl/core/math.cl"
#include "cl/core/exp.cl"

void math_c_exp_f32(const float *x, float *out, size_t count) {
    for (size_t i = 0; i < count; i++)
        out[i] = tally_exp(x[i]);
}

void math_c_log_f32(const float *x, float *out, size_t count) {
    for (size_t i = 0; i < count; i++)
        out[i] = tally_log(x[i]);
}

void math_c_sqrt_f32(const float *x, float *out, size_t count) {
    for (size_t i = 0; i < count; i++)
        out[i] = tally_sqrt(x[i]);
}

void math_c_divide_f32(const float *a, const float *b, float *out, size_t count) {
    for (size_t i = 0; i < count; i++)
        out[i] = tally_divide(a[i], b[i]);
}
