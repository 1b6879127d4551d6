/*
 * The numerics probe as plain data: what a device has to compute to give the guaranteed bits, and
 * what it must come to. Knows no OpenCL; src/device runs it.
 */
#ifndef TALLY_PLAN_PROBE_H
#define TALLY_PLAN_PROBE_H

#include <tally/types.h>

#include "cl/core/probe.h"

/* What a check is about. */
typedef enum tally_property {
    TALLY_PROPERTY_CONTRACTION,
    TALLY_PROPERTY_REASSOCIATION,
    TALLY_PROPERTY_ROUNDING,
    TALLY_PROPERTY_OVERFLOW,
    TALLY_PROPERTY_DENORMAL,
    TALLY_PROPERTY_QUOTIENT,
    TALLY_PROPERTY_SQUARE_ROOT,
    TALLY_PROPERTY_SIGNED_ZERO,
    TALLY_PROPERTY_NAN_KNOWN,
    TALLY_PROPERTY_NAN_BITS,
    TALLY_PROPERTY_INTEGER,
    TALLY_PROPERTY_CONVERSION,
    TALLY_PROPERTY_EXPONENTIAL,
    TALLY_PROPERTY_LOGARITHM,
    TALLY_PROPERTIES
} tally_property;

#define TALLY_PROBE_OPERANDS 3

/* Numbers are bits of the compute type, elements those of the type in memory. */
typedef struct tally_probe_check {
    tally_dtype dtype;
    tally_property property;
    uint32_t operation; /* of cl/core/probe.h */
    uint64_t operand[TALLY_PROBE_OPERANDS];
    uint64_t expected;
} tally_probe_check;

/* Room for the checks of any one type. */
#define TALLY_PROBE_CHECKS_MAX 128

/* The checks of a floating type, one after the other, and how many they are. */
const tally_probe_check *tally_probe_checks(tally_dtype dtype, uint32_t *count);

/* The bits of a result that count; the others are not the check's. */
uint64_t tally_probe_mask(const tally_probe_check *check);

#endif
