/*
 * The program's table of data types, read from types.def.
 */
#include "cli/tables/types.h"

#define SET_IN true
#define SET_OUT false

#define CLI_TYPE(enumerator, name, class, letter, bytes, exponent, fraction, largest, set, ...)    \
    {TALLY_##enumerator, #name,    CLI_##class, #letter #bytes, bytes,                             \
     exponent,           fraction, largest,     SET_##set},
const cli_type cli_types[] = {
#include "cli/tables/types.def"
};

const size_t cli_type_count = sizeof cli_types / sizeof cli_types[0];

const cli_type *cli_type_find(tally_dtype dtype) {
    for (size_t i = 0; i < cli_type_count; i++)
        if (cli_types[i].dtype == dtype)
            return &cli_types[i];
    return NULL;
}

uint32_t cli_type_bytes(tally_dtype dtype) {
    const cli_type *type = cli_type_find(dtype);
    return type != NULL ? type->bytes : 0;
}

bool cli_type_is_float(tally_dtype dtype) {
    const cli_type *type = cli_type_find(dtype);
    return type != NULL && type->class == CLI_FLOATS;
}

uint64_t cli_type_power(const cli_type *type, uint64_t exponent) {
    return exponent << type->fraction_bits;
}

uint64_t cli_type_bias(const cli_type *type) {
    return (UINT64_C(1) << (type->exponent_bits - 1)) - 1;
}
