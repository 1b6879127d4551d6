/*
 * What a program finds in folders, and what it puts there for a while. As of files.h, paths are
 * UTF-8 on Windows, and a call that fails sets errno.
 */
#ifndef TALLY_PLATFORM_PLACES_H
#define TALLY_PLATFORM_PLACES_H

#include "platform/files.h"

#define TALLY_PATH_BYTES 4096

/* ---- Paths ------------------------------------------------------------------------------- */

/* The bytes of the path that name the folder, with the separator at its end; 0: there are none. */
size_t tally_path_folder(const char *path);

/* The path of what it leads to, without symbolic links; to be freed. */
char *tally_path_resolve(const char *path);

/* Call visit with the name of all that is in a folder, until it returns false. */
void tally_path_each(const char *folder, tally_name_visit *visit, void *user);

/*
 * Call visit with each path that fits a pattern, in order, until it returns false. * and ? stand
 * for characters, and [...] for one of several. On Windows the letters a to z may be of either
 * case. Elsewhere \ takes its meaning from the character behind it. Returns how many there are;
 * negative if there is no memory.
 */
ptrdiff_t tally_path_match(const char *pattern, tally_name_visit *visit, void *user);

/*
 * Whether a file can be written, or new files be made in a folder: what has the path is of that
 * kind. Of a folder Windows tells only when one is made.
 */
bool tally_path_is_writable(const char *path, tally_file_kind kind);

/* Whether it is a folder where new files can be made. */
bool tally_path_takes_files(const char *path);

/* Remove a folder with nothing in it; or one with all in it, as far as that can be removed. */
bool tally_path_remove_empty(const char *path);
void tally_path_remove_folder(const char *path);

/* What this host is called: locks need not reach from host to host. "" if it has no name. */
void tally_host(char *name, size_t bytes);

/* ---- For a while ------------------------------------------------------------------------- */

/* The folder that the user has for what is there for a while, without a separator at its end. */
bool tally_temporary_place(char folder[TALLY_PATH_BYTES]);

/* A file there that ends with the program. The folder is told. */
tally_file tally_temporary_file(char folder[TALLY_PATH_BYTES]);

/*
 * Make a new folder there for this user alone, whose name begins so; its path is told. EEXIST:
 * somebody was quicker with the name, and the next call has another one.
 */
bool tally_temporary_folder(const char *begin, char path[TALLY_PATH_BYTES]);

#endif
