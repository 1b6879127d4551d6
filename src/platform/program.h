/*
 * What a program needs of the system and the library does not: standard streams,
 * mapped files, what a signal leaves behind, running the program once more. Of folders: places.h.
 * As of files.h, texts are UTF-8 on Windows, and a call that fails sets errno.
 */
#ifndef TALLY_PLATFORM_PROGRAM_H
#define TALLY_PLATFORM_PROGRAM_H

#include "platform/files.h"
#include "platform/places.h"

/*
 * To be called first, with main's arguments: they become UTF-8, and standard streams carry bytes as
 * they are.
 */
void tally_program_begin(int *argc, char ***argv);

/* ---- Standard streams -------------------------------------------------------------------- */

typedef enum tally_stream {
    TALLY_STANDARD_INPUT = 0,
    TALLY_STANDARD_OUTPUT = 1,
    TALLY_STANDARD_ERROR = 2
} tally_stream;

bool tally_is_terminal(tally_stream which);

/* A file of its own for the stream, to be closed. */
tally_file tally_stream_open(tally_stream which);

/* ---- Files ------------------------------------------------------------------------------- */

/* Reads wait for what is to come, after TALLY_TO_READ. */
void tally_file_wait(tally_file file);

bool tally_file_resize(tally_file file, uint64_t bytes);

/* Whether what was written is kept, as far as closing the file would tell. It stays open. */
bool tally_file_flush(tally_file file);

/* Give it the permissions of another one, as its facts have them. */
bool tally_file_permit(tally_file file, unsigned permissions);

/* The whole file in memory, read-only, from a page's start; NULL if that fails. */
void *tally_file_map(tally_file file, size_t bytes);
void tally_file_unmap(void *map, size_t bytes);

/* ---- Signals ----------------------------------------------------------------------------- */

/*
 * Have a signal that ends the program remove the file whose name is in *path, if any. On Windows
 * Ctrl-C and the end of the console are such signals.
 */
void tally_remove_on_signal(char *volatile *path);

/*
 * What is not written because nobody reads it, or because a file may not be so large, is an error
 * from then on and no signal.
 */
void tally_fail_without_signal(void);

/*
 * Have a signal that ends the program end the process of tally_run_again alone. Who has put things
 * away then ends the program as the signal would have. Windows ends that process by itself.
 */
void tally_stop_on_signal(void);
bool tally_is_stopped(void);
void tally_end_stopped(void);

/* ---- Running the program once more ------------------------------------------------------- */

void tally_set_environment(const char *name, const char *value);

/*
 * Run this program with these arguments, the first of which is its name, up to a NULL. What it
 * prints on standard output is in the text, as far as there is room. *status is how it ended; 0:
 * well. False if it cannot be started.
 */
bool tally_run_again(char *const *arguments, char *text, size_t bytes, unsigned *status);

/* ---- What program.c asks of a system ----------------------------------------------------- */

/* This program that runs once more. */
typedef struct tally_child {
    tally_file output; /* its standard output, to be read; closed before the end is waited for */
    intptr_t process;
} tally_child;

bool tally_child_start(char *const *arguments, tally_child *child);

/* Wait until it has ended; how it did, as of tally_run_again. */
unsigned tally_child_end(const tally_child *child);

#endif
