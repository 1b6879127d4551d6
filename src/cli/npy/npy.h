/*
 * The header of NumPy's .npy format, versions 1.0, 2.0 and 3.0: bytes to an array's type and shape,
 * and back. Pure: it sees memory, no files, and no OpenCL.
 */
#ifndef TALLY_CLI_NPY_NPY_H
#define TALLY_CLI_NPY_NPY_H

#include "cli/error.h"
#include "cli/npy/array.h"

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
