/*
 * math_check.h: the functions of math_c.h held against better ones, over parts of all inputs.
 * float32's exp and log are held against C's in double, float64's against those of 113 bits,
 * square root and quotient against C's own, bit for bit. exp is asked of numbers that are not
 * positive and of NaN alone, and is that of the clamp, -87 or -708, below it and of NaN.
 */
#ifndef TESTS_SUPPORT_NUMBERS_MATH_CHECK_H
#define TESTS_SUPPORT_NUMBERS_MATH_CHECK_H

#include <stddef.h>
#include <stdint.h>

typedef enum math_function {
    MATH_EXP_F32,
    MATH_LOG_F32,
    MATH_SQRT_F32,
    MATH_DIVIDE_F32,
    MATH_EXP_F64,
    MATH_LOG_F64,
    MATH_FUNCTIONS
} math_function;

/* The largest error and where it was; infinite where a NaN, an infinity or any bit is wrong. */
typedef struct math_worst {
    double ulp;
    uint64_t bits, other; /* of the input, of the divisor */
} math_worst;

/* "exp", "log", "sqrt", "divide", "exp64", "log64" */
const char *math_name(math_function function);

/*
 * The bits of count inputs from the first on. Of exp, log and sqrt of float32 they are the numbers
 * whose bits are first * step, (first + 1) * step and so on, in the domain; of the others random
 * ones, of which every eighth or so is an edge, so that another first gives others.
 */
void math_inputs(math_function function, uint64_t first, uint64_t step, uint64_t *bits,
                 uint64_t *other, size_t count);

/* The worst of these, count of them. */
math_worst math_check(math_function function, uint64_t first, uint64_t count, uint64_t step);

/* Those bits, for exp with the sign set: it is not asked of positive numbers. */
uint64_t math_in_domain(math_function function, uint64_t bits);

/* One input by its bits; other is the divisor of MATH_DIVIDE_F32. */
double math_check_one(math_function function, uint64_t bits, uint64_t other);

/* Bits of numbers at which something changes, for each type; returns how many. */
int math_edges_f32(const uint32_t **edges);
int math_edges_f64(const uint64_t **edges);

#endif
