/*
 * What the program knows of the data types, by its own table types.def. Knows neither the library
 * nor its tables, so that files that the tests compile without it can ask.
 */
#ifndef TALLY_CLI_TABLES_TYPES_H
#define TALLY_CLI_TABLES_TYPES_H

#include <tally/types.h>

/* Sets of types, each with those of the one before. */
typedef enum cli_class { CLI_FLOATS, CLI_WIDES, CLI_ANY } cli_class;

/* A row of types.def, whose head explains the columns. */
typedef struct cli_type {
    tally_dtype dtype;
    const char *name; /* "f32" */
    cli_class class;
    const char *npy; /* "f4": the letter and the bytes */
    uint32_t bytes;
    uint32_t exponent_bits, fraction_bits;
    const char *largest;
    bool in_set;
} cli_type;

extern const cli_type cli_types[];
extern const size_t cli_type_count;

/* NULL of what is no data type. */
const cli_type *cli_type_find(tally_dtype dtype);

/* Bytes of an element; 0 of what is no data type. */
uint32_t cli_type_bytes(tally_dtype dtype);

bool cli_type_is_float(tally_dtype dtype);

/* The bits of a float with that exponent, biased, and no fraction. */
uint64_t cli_type_power(const cli_type *type, uint64_t exponent);

/* What is added to exponents of a float's format. */
uint64_t cli_type_bias(const cli_type *type);

#endif
