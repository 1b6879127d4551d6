/*
 * The text of a .npy header: a Python dict of the three keys 'descr', 'fortran_order' and 'shape'.
 * Knows the notation, not the file around it.
 */
#ifndef TALLY_CLI_NPY_DICT_H
#define TALLY_CLI_NPY_DICT_H

#include "cli/error.h"
#include "cli/npy/array.h"

/* Read length bytes of text at chars into the type, order, rank and sizes of *array. */
int npy_dict_parse(const char *chars, uint64_t length, npy_array *array, cli_error *error);

#endif
