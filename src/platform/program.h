/*
 * What a program needs of the system and the library does not: files by their paths, standard
 * streams, what a signal leaves behind, running the program once more. Of folders: places.h. As of
 * files.h, paths are UTF-8 on Windows, and a call that fails sets errno.
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

/* ---- Standard streams ---------------------------------------------------------------------- */

typedef enum tally_stream {
    TALLY_STANDARD_INPUT = 0,
    TALLY_STANDARD_OUTPUT = 1,
    TALLY_STANDARD_ERROR = 2
} tally_stream;

bool tally_is_terminal(tally_stream which);

/* A file of its own for the stream, to be closed. */
tally_file tally_stream_open(tally_stream which);

/* ---- Paths --------------------------------------------------------------------------------- */

/* Of what the path leads to. */
bool tally_path_look(const char *path, tally_file_facts *facts);
bool tally_path_is_writable(const char *path);

/* The path of what it leads to, without symbolic links; to be freed. */
char *tally_path_resolve(const char *path);

/* Open anything to read; of a pipe without a writer nothing is waited for. */
tally_file tally_path_open(const char *path);

/* Open what is there to write; or create a file to write, which must not be there: EEXIST. */
tally_file tally_path_open_to_write(const char *path);
tally_file tally_path_create(const char *path);

bool tally_path_rename(const char *path, const char *to);
bool tally_path_remove(const char *path);

/* ---- Files --------------------------------------------------------------------------------- */

/* Reads wait for what is to come, after tally_path_open. */
void tally_file_wait(tally_file file);

/* Bytes of a file from an offset on. Several threads may. As tally_file_read and _write. */
ptrdiff_t tally_file_read_at(tally_file file, uint64_t offset, void *bytes, size_t size);
bool tally_file_write_at(tally_file file, uint64_t offset, const void *bytes, size_t size);

bool tally_file_resize(tally_file file, uint64_t bytes);

/* Whether what was written is kept, as far as closing the file would tell. It stays open. */
bool tally_file_flush(tally_file file);

/* Give it the permissions of another one, as its facts have them. */
bool tally_file_permit(tally_file file, unsigned permissions);

/* The whole file in memory, read-only, from a page's start; NULL if that fails. */
void *tally_file_map(tally_file file, size_t bytes);
void tally_file_unmap(void *map, size_t bytes);

/* ---- Signals -------------------------------------------------------------------------------- */

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

/* ---- Running the program once more ----------------------------------------------------------- */

void tally_set_environment(const char *name, const char *value);

/*
 * Run this program with these arguments, the first of which is its name, up to a NULL. What it
 * prints on standard output is in the text, as far as there is room. *status is how it ended; 0:
 * well. False if it cannot be started.
 */
bool tally_run_again(char *const *arguments, char *text, size_t bytes, unsigned *status);

#endif
