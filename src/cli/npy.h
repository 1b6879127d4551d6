/*
 * The header of NumPy's .npy format, versions 1.0, 2.0 and 3.0: bytes to an array's type and shape,
 * and back. Pure: it sees memory, no files, and no OpenCL.
 */
#ifndef TALLY_CLI_NPY_H
#define TALLY_CLI_NPY_H

#include <tally/types.h>

#include "cli/error.h"

/* What a header says. Axes are listed as NumPy does, outermost first for C order. */
typedef struct npy_array {
    tally_dtype dtype;
    bool fortran; /* the first axis varies fastest */
    uint32_t rank;
    uint64_t size[TALLY_MAX_RANK];
    uint64_t data_offset; /* bytes from the file's start */
    uint64_t data_bytes;
} npy_array;

/* Most bytes npy_format writes: the longest header, padded to a multiple of 64. */
#define NPY_HEADER_MAX 384

/*
 * Read the header of a file of length bytes, all of which are at bytes. Refuses, with a sentence
 * to be put behind the file's name, whatever Tally cannot take as it stands, and a file that is
 * shorter or longer than its header says.
 */
int npy_parse(const void *bytes, uint64_t length, npy_array *array, cli_error *error);

/* Write the header of a C-order array (version 1.0); returns its length, a multiple of 64. */
size_t npy_format(tally_dtype dtype, uint32_t rank, const uint64_t *size,
                  char header[NPY_HEADER_MAX]);

/* The array as a tensor: packed if in C order, else strided, so that nothing need be moved. */
tally_tensor npy_tensor(const npy_array *array);

#endif
