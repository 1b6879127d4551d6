/*
 * Files, and a folder whose files are reached through it: what was checked when the folder was
 * opened is what is used, whatever becomes of its path. Paths and names are UTF-8 on Windows, and
 * bytes elsewhere. A call that fails sets errno, on every system.
 */
#ifndef TALLY_PLATFORM_FILES_H
#define TALLY_PLATFORM_FILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An open file or folder: a descriptor, or Windows' handle. Never inherited by other programs. */
typedef intptr_t tally_file;
#define TALLY_NO_FILE ((tally_file)-1)

/* ---- Open files ---------------------------------------------------------------------------- */

typedef enum tally_file_kind {
    TALLY_FILE_PLAIN,
    TALLY_FILE_FOLDER,
    TALLY_FILE_PIPE,
    TALLY_FILE_CHARACTERS, /* a terminal, or what throws bytes away */
    TALLY_FILE_OTHER
} tally_file_kind;

typedef struct tally_file_facts {
    tally_file_kind kind;
    uint64_t bytes;       /* of a plain one */
    unsigned permissions; /* for tally_file_permit */
} tally_file_facts;

bool tally_file_look(tally_file file, tally_file_facts *facts);

/* False if what was written before did not reach the file. */
bool tally_file_close(tally_file file);

/* Some bytes, as many as there are up to size; 0 at the end; negative if that fails. */
ptrdiff_t tally_file_read(tally_file file, void *bytes, size_t size);

/* Write all bytes where the write before ended. */
bool tally_file_write(tally_file file, const void *bytes, size_t size);

/* Wait until what was written is on the disk. */
bool tally_file_sync(tally_file file);

/*
 * Lock a file for this process, without waiting. The lock goes when the file is closed, however the
 * process ends.
 */
typedef enum tally_file_locking {
    TALLY_FILE_LOCKED,
    TALLY_FILE_BUSY,    /* somebody else has it */
    TALLY_FILE_LOCKLESS /* files cannot be locked here */
} tally_file_locking;
tally_file_locking tally_file_lock(tally_file file);

/* Whether the file still has a name. */
bool tally_file_has_name(tally_file file);

/* Whether a file may be so large: a limit of the process is told by a signal that ends it. */
bool tally_file_may_have(uint64_t bytes);

/* ---- Folders ------------------------------------------------------------------------------- */

/* The path's length without separators at its end, which would follow a symbolic link. */
size_t tally_folder_path_length(const char *path);

/* Make the folder, and those above it that are missing, for this user alone. */
bool tally_folder_make(char *path);

/* Whether there is nothing of that name. */
bool tally_folder_is_missing(const char *path);

/*
 * Open a folder that is this user's alone. What others may write to, what is somebody else's and a
 * symbolic link are refused: then *why is a text that follows the folder's name in a sentence.
 */
#define TALLY_FOLDER_WHY_BYTES 200
tally_file tally_folder_open(const char *path, char why[TALLY_FOLDER_WHY_BYTES]);

/* Create a file to write, which must not be there: EEXIST. */
tally_file tally_folder_create_file(tally_file folder, const char *name);

/* Open a file to read, or to be locked for one process alone. Waits for no pipe. */
typedef enum tally_folder_purpose { TALLY_TO_READ, TALLY_TO_LOCK } tally_folder_purpose;
tally_file tally_folder_open_file(tally_file folder, const char *name, tally_folder_purpose to);

/* Put a file in the place of another one of the folder, or where there is none. */
bool tally_folder_rename(tally_file folder, const char *name, const char *to);

bool tally_folder_remove(tally_file folder, const char *name);

/* Note that the file was used now. */
void tally_folder_touch(tally_file folder, const char *name);

/*
 * Call visit with each file that is wanted and no folder: its name, its bytes, and when it was last
 * used, in nanoseconds since 1970. Ends when visit returns false.
 */
typedef bool tally_folder_visit(void *user, const char *name, uint64_t bytes, int64_t used);
void tally_folder_each(tally_file folder, bool (*wanted)(const char *name),
                       tally_folder_visit *visit, void *user);

#endif
