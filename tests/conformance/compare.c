/*
 * compare.c: comparing arrays element by element.
 */
#include "compare.h"

#include <inttypes.h>
#include <math.h>

static const double relative = 1e-3, absolute = 1e-7;

static bool is_close(double found, double expected) {
    if (isnan(expected) || isinf(expected) || isnan(found)) {
        return isnan(expected) ? isnan(found) != 0 : found == expected;
    }
    return fabs(found - expected) <= absolute + relative * fabs(expected);
}

/* How many floats lie between two patterns of a type that has `width` bytes. */
static uint64_t distance(uint64_t a, uint64_t b, size_t width) {
    const uint64_t sign = UINT64_C(1) << (8 * width - 1);
    const uint64_t from_zero_a = a & ~sign, from_zero_b = b & ~sign;
    if ((a & sign) != (b & sign)) {
        return from_zero_a + from_zero_b;
    }
    return from_zero_a > from_zero_b ? from_zero_a - from_zero_b : from_zero_b - from_zero_a;
}

static bool compare_floats(const array *found, const array *expected, uint64_t index,
                           outcome *out) {
    const size_t width = expected->width;
    const uint64_t bits = element_bits(found->data + index * width, width);
    const uint64_t wanted = element_bits(expected->data + index * width, width);
    const double value = expected->type->decode(bits), wish = expected->type->decode(wanted);
    if (!is_close(value, wish)) {
        return outcome_fail(out, "element %" PRIu64 " is %.17g, expected %.17g", index, value,
                            wish);
    }
    if (!isnan(wish)) {
        const uint64_t ulps = distance(bits, wanted, width);
        out->ulps = ulps > out->ulps ? ulps : out->ulps;
    }
    return true;
}

static bool compare_exactly(const array *found, const array *expected, uint64_t index,
                            outcome *out) {
    const size_t width = expected->width;
    const uint64_t bits = element_bits(found->data + index * width, width);
    const uint64_t wanted = element_bits(expected->data + index * width, width);
    return bits == wanted ||
           outcome_fail(out, "element %" PRIu64 " has the bits 0x%" PRIx64 ", expected 0x%" PRIx64,
                        index, bits, wanted);
}

static bool is_alike(const array *found, const array *expected) {
    bool alike = found->type == expected->type && found->rank == expected->rank;
    for (uint32_t axis = 0; alike && axis < found->rank; axis++) {
        alike = found->size[axis] == expected->size[axis];
    }
    return alike;
}

bool compare_arrays(const array *found, const array *expected, outcome *out) {
    if (!is_alike(found, expected)) {
        char is[256], should_be[256];
        return outcome_fail(out, "the output is %s, expected %s", array_describe(found, is),
                            array_describe(expected, should_be));
    }
    for (uint64_t k = 0; k < expected->count; k++) {
        if (expected->type->decode != NULL ? !compare_floats(found, expected, k, out)
                                           : !compare_exactly(found, expected, k, out)) {
            return false;
        }
    }
    return true;
}
