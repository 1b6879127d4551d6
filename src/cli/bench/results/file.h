/*
 * The file that a benchmark writes what it found to, as text. Knows no results.
 */
#ifndef TALLY_CLI_BENCH_RESULTS_FILE_H
#define TALLY_CLI_BENCH_RESULTS_FILE_H

#include <stdbool.h>

#include "cli/npy/output.h"

typedef struct bench_file {
    const char *path; /* NULL: no file, and every call is a no-op */
    output_file file;
    bool failed; /* it could not be written; the error says why */
    cli_error error;
} bench_file;

/* Open the file; fails if it cannot be written, before minutes of work. */
int bench_file_open(bench_file *file, const char *path, cli_error *error);

/* Append bytes; the first failure is kept and ends the file. */
void bench_file_write(bench_file *file, const char *bytes, size_t count);

/* Append a text of less than 1024 bytes. */
void bench_file_add(bench_file *file, const char *format, ...) CLI_PRINTF(2, 3);

/* The file in its place. */
int bench_file_end(bench_file *file, cli_error *error);

/* Leave nothing of an unfinished file; a no-op after bench_file_end. */
void bench_file_close(bench_file *file);

#endif
