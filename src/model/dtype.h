/*
 * Queries on the table of data types. Knows the types alone, not what is computed with them.
 */
#ifndef TALLY_MODEL_DTYPE_H
#define TALLY_MODEL_DTYPE_H

#include <tally/types.h>

typedef enum tally_class { TALLY_FLOATING, TALLY_SIGNED, TALLY_UNSIGNED } tally_class;

/* A row of dtype.def, whose head explains the columns. */
typedef struct tally_dtype_row {
    const char *name;
    uint32_t bytes;         /* of an element in memory */
    uint32_t compute_bytes; /* of a value of the compute type */
    tally_class class;
    const char *storage;
    const char *compute;
    const char *key;
    const char *key_lowest;
    const char *lowest;
    const char *highest;
} tally_dtype_row;

/* NULL if dtype is not one of the data types. */
const tally_dtype_row *tally_dtype_find(tally_dtype dtype);

/* The type's bit in a set of types, and how many types a set has room for. */
#define TALLY_DTYPES_MAX 32
#define TALLY_BIT(dtype) (1u << (unsigned)(dtype))

/* The unsigned type of that many bytes: what moves elements without looking at them. */
tally_dtype tally_dtype_unsigned(uint32_t bytes);

#endif
