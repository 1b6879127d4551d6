/*
 * math_c_f64.c: cl/core/math.cl for float64.
 */
#include "math_c.h"

#include "math_c_opencl.h"

MATH_C_AS(as_ulong, uint64_t, double)
MATH_C_AS(as_double, double, uint64_t)

typedef double tally_compute;
typedef int64_t tally_key;
#define TALLY_BYTES 8
#include "cl/core/math.cl"
#include "cl/core/exp.cl"

void math_c_exp_f64(const double *x, double *out, size_t count) {
    for (size_t i = 0; i < count; i++)
        out[i] = tally_exp(x[i]);
}

void math_c_log_f64(const double *x, double *out, size_t count) {
    for (size_t i = 0; i < count; i++)
        out[i] = tally_log(x[i]);
}
