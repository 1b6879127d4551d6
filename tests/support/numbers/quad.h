/*
 * quad.h: the number the oracle computes in. A type of 113 bits where the compiler has one:
 * long double on 64-bit ARM, __float128 with libquadmath's functions on x86-64. The functions are
 * declared here, since clang has the type and links the library, but does not find quadmath.h.
 * Elsewhere it is long double, and the bounds of float64 sums are then only as good as that.
 */
#ifndef TESTS_SUPPORT_NUMBERS_QUAD_H
#define TESTS_SUPPORT_NUMBERS_QUAD_H

#include <float.h>
#include <math.h>

#if LDBL_MANT_DIG < 113 && defined(__SIZEOF_FLOAT128__)

__extension__ typedef __float128 quad;

quad expq(quad x);
quad fabsq(quad x);
quad frexpq(quad x, int *exponent);
quad ldexpq(quad x, int exponent);
quad logq(quad x);
quad rintq(quad x);
quad sqrtq(quad x);

#else

typedef long double quad;

#define expq expl
#define fabsq fabsl
#define frexpq frexpl
#define ldexpq ldexpl
#define logq logl
#define rintq rintl
#define sqrtq sqrtl

#endif

#endif
