/*
 * An array in a .npy file, as the file's header tells it.
 */
#ifndef TALLY_CLI_NPY_ARRAY_H
#define TALLY_CLI_NPY_ARRAY_H

#include <tally/types.h>

/* What a header says. Axes are listed as NumPy does, outermost first for C order. */
typedef struct npy_array {
    tally_dtype dtype;
    bool fortran; /* the first axis varies fastest */
    bool swapped; /* the elements are big-endian */
    bool boolean; /* they are booleans, each a byte 0 or 1, with the type of such */
    uint32_t rank;
    uint64_t size[TALLY_MAX_RANK];
    uint64_t data_offset; /* bytes from the file's start */
    uint64_t data_bytes;
} npy_array;

#endif
