/*
 * The values of the fixed set of problems: element i of a class is a function of the type, the
 * class and i, made of integer operations alone, so that it is the same everywhere. Knows no
 * problem and no device.
 */
#ifndef TALLY_CLI_VERIFY_SET_VALUES_H
#define TALLY_CLI_VERIFY_SET_VALUES_H

#include <stddef.h>
#include <stdint.h>

#include <tally/types.h>

/*
 * What a class has of floats / of integers. A change of any of them is another set: it raises
 * VERIFY_SET_VERSION.
 */
typedef enum verify_class {
    VERIFY_MIXED,    /* both signs, 2^-8 to 2^8 / any bits */
    VERIFY_POSITIVE, /* the same without signs / below a sixteenth of the range */
    VERIFY_UNIT,     /* both signs, within 2^-7 of 1 / odd numbers: their products last */
    VERIFY_EXPONENT, /* -32 to -8 and a few zeros: exp is small and counts / below 128 */
    VERIFY_CANCEL,   /* neighbours that leave little of each other / the same */
    VERIFY_WIDE,     /* any exponent, denormals among them / any number of leading zeros */
    VERIFY_HUGE,     /* just below the largest number / near both ends of the range */
    VERIFY_DENORMAL, /* denormals and zeros / 0, 1 and the number below 0 */
    VERIFY_TIES,     /* -2, -1, -0, +0, 1 and 2 / the same, with 3 for -0 */
    VERIFY_SPECIAL,  /* as MIXED, with NaN, infinities, zeros and denormals / with both ends */
    VERIFY_RARE,     /* as MIXED, with a NaN or infinity in a thousand / with both ends */
    VERIFY_CLASSES
} verify_class;

/* "mixed" */
const char *verify_class_name(verify_class values);

/* The bits of an element, in the low bits of the result. */
uint64_t verify_value(tally_dtype dtype, verify_class values, uint64_t index);

/* Elements 0 to count - 1, little-endian. */
void verify_fill(tally_dtype dtype, verify_class values, uint64_t count, unsigned char *into);

#endif
