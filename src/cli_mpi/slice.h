/*
 * Where a range of one axis lies in a file: equal runs of bytes at equal distances. Knows no files.
 */
#ifndef TALLY_CLI_MPI_SLICE_H
#define TALLY_CLI_MPI_SLICE_H

#include <tally/types.h>

typedef struct slice {
    uint64_t first; /* byte of the data where the first run begins */
    uint64_t run;   /* bytes of a run */
    uint64_t step;  /* bytes from one run to the next */
    uint64_t bytes; /* of all runs */
} slice;

/* The range of a tensor that lies packed in C order, or in Fortran order. */
slice slice_of(const tally_tensor *whole, bool fortran, uint32_t axis, uint64_t begin,
               uint64_t end);

/*
 * The bytes that follow byte `at` of all runs and lie together in the file, at most `most`;
 * *position is where the first of them lies in the data.
 */
uint64_t slice_next(const slice *of, uint64_t at, uint64_t most, uint64_t *position);

#endif
