/*
 * math_c.h: the functions of cl/core/math.cl compiled as C, over arrays. The same text is what
 * devices compile, so their bits must be these. Square root and quotient are the ones made of
 * integers.
 */
#ifndef TESTS_SUPPORT_NUMBERS_MATH_C_H
#define TESTS_SUPPORT_NUMBERS_MATH_C_H

#include <stddef.h>

void math_c_exp_f32(const float *x, float *out, size_t count);
void math_c_log_f32(const float *x, float *out, size_t count);
void math_c_sqrt_f32(const float *x, float *out, size_t count);
void math_c_divide_f32(const float *a, const float *b, float *out, size_t count);
void math_c_exp_f64(const double *x, double *out, size_t count);
void math_c_log_f64(const double *x, double *out, size_t count);

#endif
