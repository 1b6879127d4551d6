/*
 * legal.c: the table of functions and types.
 */
#include "legal.h"

#include <stdio.h>
#include <stdlib.h>

#define BIT(dtype) (1u << (dtype))
#define FLOATS (BIT(TALLY_F16) | BIT(TALLY_F32) | BIT(TALLY_F64))
#define WIDE_INTEGERS (BIT(TALLY_I32) | BIT(TALLY_I64) | BIT(TALLY_U32) | BIT(TALLY_U64))
#define NARROW_INTEGERS (BIT(TALLY_I8) | BIT(TALLY_I16) | BIT(TALLY_U8) | BIT(TALLY_U16))
#define ALL (FLOATS | WIDE_INTEGERS | NARROW_INTEGERS)

static const unsigned reduce_types[] = {
    [TALLY_ARGMAX] = ALL,
    [TALLY_ARGMIN] = ALL,
    [TALLY_AVERAGE] = FLOATS,
    [TALLY_L1] = FLOATS | WIDE_INTEGERS,
    [TALLY_L2] = FLOATS,
    [TALLY_LOG_SUM] = FLOATS,
    [TALLY_LOG_SUM_EXP] = FLOATS,
    [TALLY_MAX] = ALL,
    [TALLY_MIN] = ALL,
    [TALLY_MULTIPLY] = FLOATS | WIDE_INTEGERS,
    [TALLY_SUM] = FLOATS | WIDE_INTEGERS,
    [TALLY_SUM_SQUARE] = FLOATS | WIDE_INTEGERS,
};

bool legal_reduce(tally_function function, tally_dtype dtype) {
    return (reduce_types[function] & BIT(dtype)) != 0;
}

bool legal_scan(tally_function function, tally_dtype dtype) {
    const bool runs = function == TALLY_SUM || function == TALLY_MULTIPLY ||
                      function == TALLY_MAX || function == TALLY_MIN;
    return runs && legal_reduce(function, dtype);
}

/* The index-th of the pairs that a rule allows, float64 last. */
static legal_pair find_pair(bool (*legal)(tally_function, tally_dtype), int index) {
    for (int f64 = 0; f64 < 2; f64++) {
        for (int function = TALLY_ARGMAX; function <= TALLY_SUM_SQUARE; function++) {
            for (int dtype = TALLY_F16; dtype <= TALLY_U64; dtype++) {
                const legal_pair pair = {(tally_function)function, (tally_dtype)dtype};
                if (legal(pair.function, pair.dtype) && (dtype == TALLY_F64) == (f64 == 1) &&
                    index-- == 0) {
                    return pair;
                }
            }
        }
    }
    fprintf(stderr, "the tests asked for more legal pairs than there are\n");
    abort();
}

legal_pair legal_reduce_pair(int index) {
    return find_pair(legal_reduce, index);
}

legal_pair legal_scan_pair(int index) {
    return find_pair(legal_scan, index);
}

bool legal_is_index(tally_function function) {
    return function == TALLY_ARGMAX || function == TALLY_ARGMIN;
}

bool legal_index_type(tally_dtype dtype) {
    return (WIDE_INTEGERS & BIT(dtype)) != 0;
}

tally_dtype legal_index_types(int index) {
    static const tally_dtype types[] = {TALLY_I32, TALLY_I64, TALLY_U32, TALLY_U64};
    return types[index % 4];
}

bool legal_is_order(tally_function function) {
    return legal_is_index(function) || function == TALLY_MAX || function == TALLY_MIN;
}
