/*
 * Which tensors DirectML's feature levels take for which operator: queries on directml_levels.def.
 * Operators, functions, types and levels are DirectML's numbers here, since the caller may pass
 * any. Knows no shapes beyond the rank, and none of DirectML's structs.
 */
#ifndef TALLY_MODEL_DIRECTML_LEVELS_H
#define TALLY_MODEL_DIRECTML_LEVELS_H

#include "base/status.h"

typedef struct tally_levels_type {
    const char *name;  /* "FLOAT32" */
    tally_dtype dtype; /* TALLY_DTYPE_NONE if Tally doesn't have it */
    uint32_t bits;     /* of an element; 0 for UNKNOWN */
} tally_levels_type;

/* NULL if type is none of DirectML's. */
const tally_levels_type *tally_levels_find_type(uint32_t type);

/* "FLOAT32", also for a number that is none: "unknown". */
const char *tally_levels_type_name(uint32_t type);

/* "DML_OPERATOR_REDUCE"; NULL if Tally doesn't have the operator. */
const char *tally_levels_operator_name(uint32_t operator_type);

/* TALLY_FUNCTION_NONE if function is none of REDUCE's. */
tally_function tally_levels_find_function(uint32_t function);

typedef struct tally_levels_tensor {
    bool present;
    uint32_t type;
    uint32_t rank;
} tally_levels_tensor;

typedef struct tally_levels_use {
    uint32_t operator_type;
    uint32_t function; /* of REDUCE only */
    tally_levels_tensor input;
    tally_levels_tensor output;
} tally_levels_use;

/* The lowest level that takes use, and every later one does; 0 if none does. */
uint32_t tally_levels_lowest(const tally_levels_use *use);

/* Refuse an operator that Tally doesn't have: TALLY_UNSUPPORTED, but TALLY_INVALID for 0. */
tally_status tally_levels_refuse_operator(uint32_t operator_type, tally_error *error);

/*
 * Refuse what level does not list. TALLY_UNSUPPORTED if a later level does, which the sentence
 * names; else TALLY_INVALID.
 */
tally_status tally_levels_check(const tally_levels_use *use, uint32_t level, tally_error *error);

#endif
