/*
 * What a program finds in folders, and what it puts there for a while. As of files.h, paths are
 * UTF-8 on Windows, and a call that fails sets errno.
 */
#ifndef TALLY_PLATFORM_PLACES_H
#define TALLY_PLATFORM_PLACES_H

#include "platform/files.h"

#define TALLY_PATH_BYTES 4096

/* ---- Paths --------------------------------------------------------------------------------- */

/* Whether what is in front of the character names a folder. */
bool tally_is_separator(char character);

/* The bytes of the path that name the folder, with the separator at its end; 0: there are none. */
size_t tally_path_folder(const char *path);

/* Call visit with the name of all that is in a folder, until it returns false. */
void tally_path_each(const char *folder, bool (*visit)(void *user, const char *name), void *user);

/*
 * Call visit with each path that fits a pattern, in order, until it returns false. * and ? stand
 * for characters, and [...] for one of several; on Windows * and ? alone, in the last part of a
 * path. Returns how many there are; negative if that can't be found out.
 */
ptrdiff_t tally_path_match(const char *pattern, bool (*visit)(void *user, const char *path),
                           void *user);

/* Whether new files can be made in the folder. Windows tells only when one is. */
bool tally_path_takes_files(const char *path);

/* Make a folder for this user alone, which must not be there: EEXIST. Remove one with all in it. */
bool tally_path_make_folder(const char *path);
void tally_path_remove_folder(const char *path);

/* ---- Which file it is ----------------------------------------------------------------------- */

/* The same for two that are one file or one folder, and for no others. */
typedef struct tally_identity {
    uint64_t volume, number;
} tally_identity;

/* Of what is open; of what has the path, be it a link. */
bool tally_file_identify(tally_file file, tally_identity *identity);
bool tally_path_identify(const char *path, tally_identity *identity);

/* Open a file, or a folder, to be locked; links are not followed. Windows locks no folders. */
tally_file tally_path_open_to_lock(const char *path, tally_file_kind kind);

/* What this host is called: locks need not reach from host to host. "" if it has no name. */
void tally_host(char *name, size_t bytes);

/* ---- For a while ---------------------------------------------------------------------------- */

/* A file that ends with the program, in the folder that the user has for such, which is told. */
tally_file tally_temporary_file(char folder[TALLY_PATH_BYTES]);

/* The folder for those of the next call, without a separator at its end. */
bool tally_temporary_place(char folder[TALLY_PATH_BYTES]);

/*
 * Make a new folder for this user alone, whose name begins so; its path is told. EEXIST: somebody
 * was quicker with the name, and the next call has another one.
 */
bool tally_temporary_folder(const char *begin, char path[TALLY_PATH_BYTES]);

#endif
