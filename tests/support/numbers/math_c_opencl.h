/*
 * math_c_opencl.h: what cl/core/math.cl takes from OpenCL C, in C. Included last, before it: the
 * names of the types are macros.
 */
#ifndef TESTS_SUPPORT_NUMBERS_MATH_C_OPENCL_H
#define TESTS_SUPPORT_NUMBERS_MATH_C_OPENCL_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define uint uint32_t
#define ulong uint64_t
#define min(a, b) ((a) < (b) ? (a) : (b))
#define max(a, b) ((a) > (b) ? (a) : (b))
#define fmax(a, b) ((a) > (b) ? (a) : (b)) /* b if a is NaN */
#define clz(x) __builtin_clz(x)

#define MATH_C_AS(name, to, from)                                                                  \
    static inline to name(from x) {                                                                \
        to y;                                                                                      \
        memcpy(&y, &x, sizeof y);                                                                  \
        return y;                                                                                  \
    }

#endif
