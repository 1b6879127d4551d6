/*
 * Bytes to a descriptor. Knows no files.
 */
#ifndef TALLY_CLI_NPY_WRITE_H
#define TALLY_CLI_NPY_WRITE_H

#include <stdbool.h>
#include <stddef.h>

/* Write all bytes; false: errno says why not. */
bool write_all(int file, const void *bytes, size_t count);

#endif
