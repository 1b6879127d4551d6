/*
 * The folder of all that the processes of tally bench start write. It goes when the benchmark ends,
 * by a signal too; what a killed one has left goes with the next one. Knows no benchmark.
 */
#ifndef TALLY_CLI_BENCH_START_FOLDER_H
#define TALLY_CLI_BENCH_START_FOLDER_H

#include <stdbool.h>

#include "cli/error.h"

#define START_PATH_BYTES 4096

typedef struct start_folder {
    char path[START_PATH_BYTES]; /* "": there is none */
    int lock;
} start_folder;

/* Make one in $TMPDIR or /tmp. From then on a signal that ends the program stops its process. */
int start_folder_open(start_folder *made, cli_error *error);

/* Remove it with all that is in it. A no-op on {0}. */
void start_folder_close(start_folder *made);

/* Remove any folder with all that is in it. */
void start_folder_remove(const char *path);

/* The process that a signal stops, by its number; 0: none. */
void start_folder_note(long process);

/* Whether a signal came. Who has put things away then ends the program as the signal would have. */
bool start_folder_stopped(void);
void start_folder_end(void);

#endif
