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

/* In the place of a folder: what is named is a path. */
#define TALLY_NO_FOLDER ((tally_file)-2)

/* ---- What is known of a file ------------------------------------------------------------- */

typedef enum tally_file_kind {
    TALLY_FILE_PLAIN,
    TALLY_FILE_FOLDER,
    TALLY_FILE_PIPE,
    TALLY_FILE_CHARACTERS, /* a terminal, or what throws bytes away */
    TALLY_FILE_LINK,
    TALLY_FILE_OTHER
} tally_file_kind;

/* The same for two that are one file or one folder, and for no others. */
typedef struct tally_identity {
    uint64_t volume, number;
} tally_identity;

/* Who may write to a folder: others than its user could have us run code of theirs. */
typedef enum tally_writers {
    TALLY_WRITERS_SELF,
    TALLY_WRITERS_OWNER, /* who is somebody else */
    TALLY_WRITERS_OTHERS,
    TALLY_WRITERS_UNKNOWN
} tally_writers;

typedef struct tally_file_facts {
    tally_file_kind kind;
    tally_writers writers; /* of a folder that is open TALLY_TO_HOLD */
    bool has_name;         /* still, of what is open */
    unsigned permissions;  /* for tally_file_permit */
    uint64_t bytes;        /* of a plain one */
    int64_t used;          /* when it was last written or touched: nanoseconds since 1970 */
    tally_identity identity;
} tally_file_facts;

/* Of what is open. */
bool tally_file_look(tally_file file, tally_file_facts *facts);

/* Of what has the name: where that is a link, of what it leads to, or of the link. */
typedef enum tally_links { TALLY_FOLLOW_LINKS, TALLY_KEEP_LINKS } tally_links;
bool tally_look(tally_file folder, const char *name, tally_links links, tally_file_facts *facts);

/* ---- Opening ----------------------------------------------------------------------------- */

typedef enum tally_purpose {
    TALLY_TO_READ,        /* whatever it is: of a pipe without a writer nothing is waited for */
    TALLY_TO_WRITE,       /* what is there */
    TALLY_TO_CREATE,      /* a file to write, which must not be there: EEXIST */
    TALLY_TO_CREATE_OWN,  /* the same, for this user alone */
    TALLY_TO_DROP,        /* the same, to be read too: on Windows it goes when it is closed */
    TALLY_TO_READ_ITSELF, /* as TALLY_TO_READ, but no link is followed, here and below */
    TALLY_TO_LOCK,        /* a file, for one process alone */
    TALLY_TO_LOCK_FOLDER, /* Windows locks none */
    TALLY_TO_HOLD         /* a folder, which on Windows nobody can rename or remove meanwhile */
} tally_purpose;
tally_file tally_open(tally_file folder, const char *name, tally_purpose to);

/* False if what was written before did not reach the file. */
bool tally_file_close(tally_file file);

/* ---- Reading and writing ----------------------------------------------------------------- */

/* Some bytes, as many as there are up to size; 0 at the end; negative if that fails. */
ptrdiff_t tally_file_read(tally_file file, void *bytes, size_t size);

/* Write all bytes where the write before ended. */
bool tally_file_write(tally_file file, const void *bytes, size_t size);

/* The same from an offset on. Several threads may. */
ptrdiff_t tally_file_read_at(tally_file file, uint64_t offset, void *bytes, size_t size);
bool tally_file_write_at(tally_file file, uint64_t offset, const void *bytes, size_t size);

/* Wait until what was written is on the disk. */
bool tally_file_sync(tally_file file);

/* Whether a file may be so large: a limit of the process is told by a signal that ends it. */
bool tally_file_may_have(uint64_t bytes);

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

/* ---- Names of files ---------------------------------------------------------------------- */

/* Put a file in the place of another one, or where there is none. */
bool tally_rename(tally_file folder, const char *name, const char *to);

bool tally_remove(tally_file folder, const char *name);

/* Note that the file was used now. */
void tally_touch(tally_file folder, const char *name);

/* ---- Folders ----------------------------------------------------------------------------- */

/* Whether what is in front of the character names a folder or a drive. */
bool tally_is_separator(char character);

/* The path's length without separators at its end, which would follow a symbolic link. */
size_t tally_folder_path_length(const char *path);

/* Make one folder for this user alone, which must not be there: EEXIST. */
bool tally_make_folder(const char *path);

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

/* Call visit with the name of all that is in an open folder, until it returns false. */
typedef bool tally_name_visit(void *user, const char *name);
void tally_folder_names(tally_file folder, tally_name_visit *visit, void *user);

/*
 * Call visit with each file that is wanted and no folder: its name, its bytes, and when it was last
 * used, in nanoseconds since 1970. Ends when visit returns false.
 */
typedef bool tally_folder_visit(void *user, const char *name, uint64_t bytes, int64_t used);
void tally_folder_each(tally_file folder, bool (*wanted)(const char *name),
                       tally_folder_visit *visit, void *user);

/* ---- What files.c asks of a system ------------------------------------------------------- */

/* One call of the system, of fewer bytes maybe. EINTR: it is to be repeated. */
#define TALLY_NEXT UINT64_MAX /* the offset where the one before ended */
ptrdiff_t tally_file_read_once(tally_file file, uint64_t offset, void *bytes, size_t size);
ptrdiff_t tally_file_write_once(tally_file file, uint64_t offset, const void *bytes, size_t size);

#endif
