/*
 * The folder of all that the processes of tally bench start write. It goes when the benchmark ends,
 * by a signal too; what a killed one has left goes with the next one. Knows no benchmark.
 */
#ifndef TALLY_CLI_BENCH_START_FOLDER_H
#define TALLY_CLI_BENCH_START_FOLDER_H

#include "cli/error.h"
#include "platform/places.h"

typedef struct start_folder {
    char path[TALLY_PATH_BYTES]; /* "": there is none */
    tally_file lock;
} start_folder;

/* Make one in $TMPDIR or /tmp, on Windows in %TEMP%. From then on a signal that ends the program
 * stops its process. */
int start_folder_open(start_folder *made, cli_error *error);

/* Remove it with all that is in it. A no-op on {0}. */
void start_folder_close(start_folder *made);

#endif
