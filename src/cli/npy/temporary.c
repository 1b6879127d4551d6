/*
 * Files that are there for a while. Who makes one holds a lock on it for as long as it is open,
 * which the system takes away with the process however that ends: a file of such a name without a
 * lock is nobody's. The name tells the host, because locks need not reach from host to host.
 */
#include "cli/npy/temporary.h"

#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platform/program.h"
#include "platform/system.h"

#define ATTEMPTS 100 /* at a name that no file has yet */

/* Room for a name, ".tally-HOST-PROCESS-TIME.tmp", and for what it begins with. */
#define NAME_BYTES 80
#define PREFIX_BYTES 32

/* What a signal has to remove. A global, since a handler gets no other argument. */
static char *volatile unfinished;

/* ---- Names --------------------------------------------------------------------------------- */

void temporary_host(char text[TEMPORARY_HOST_BYTES]) {
    char host[256] = "";
    uint32_t hash = UINT32_C(2166136261); /* FNV-1a: any host's name in 8 characters */
    tally_host(host, sizeof host);
    for (const char *c = host; *c != '\0'; c++)
        hash = (hash ^ (unsigned char)*c) * UINT32_C(16777619);
    snprintf(text, TEMPORARY_HOST_BYTES, "%08" PRIx32, hash);
}

/* What the names of this host's files begin with. */
static void name_host(char prefix[PREFIX_BYTES]) {
    char host[TEMPORARY_HOST_BYTES];
    temporary_host(host);
    snprintf(prefix, PREFIX_BYTES, ".tally-%s-", host);
}

/*
 * A path in the folder of another one, which nobody else takes: processes differ in their number,
 * or, where a number comes again, in the time. The caller frees it. The name is short, for those of
 * outputs may be the longest.
 */
static char *name_file(const char *beside) {
    const size_t folder = tally_path_folder(beside), room = folder + NAME_BYTES;
    char prefix[PREFIX_BYTES], *path = malloc(room);
    name_host(prefix);
    if (path != NULL)
        snprintf(path, room, "%.*s%s%ld-%016" PRIx64 ".tmp", (int)folder, beside, prefix,
                 tally_process(), (uint64_t)tally_date());
    return path;
}

/* Whether what follows the prefix is one of name_file's. */
static bool ends_as_ours(const char *rest) {
    const size_t process = strspn(rest, "0123456789");
    if (process == 0 || rest[process] != '-')
        return false;
    rest += process + 1;
    return strspn(rest, "0123456789abcdef") == 16 && strcmp(rest + 16, ".tmp") == 0;
}

/* ---- Locks --------------------------------------------------------------------------------- */

static bool is_same(const tally_identity *a, const tally_identity *b) {
    return a->volume == b->volume && a->number == b->number;
}

/* Whether the open file still has that path. */
static bool has_path(tally_file file, const char *path) {
    tally_file_facts opened, found;
    return tally_file_look(file, &opened) &&
           tally_look(TALLY_NO_FOLDER, path, TALLY_KEEP_LINKS, &found) &&
           is_same(&opened.identity, &found.identity);
}

bool temporary_keep(tally_file file, const char *path) {
    const tally_file_locking how = tally_file_lock(file);
    return how == TALLY_FILE_LOCKED ? has_path(file, path) : how == TALLY_FILE_LOCKLESS;
}

/* ---- What was left -------------------------------------------------------------------------- */

/* Remove it if nobody holds its lock. Who got the lock after it was placed finds no path. */
static void remove_left(const char *path, tally_file_kind kind) {
    const tally_file file = tally_open(
        TALLY_NO_FOLDER, path, kind == TALLY_FILE_FOLDER ? TALLY_TO_LOCK_FOLDER : TALLY_TO_LOCK);
    if (file == TALLY_NO_FILE)
        return;
    if (tally_file_lock(file) == TALLY_FILE_LOCKED && has_path(file, path)) {
        if (kind == TALLY_FILE_FOLDER)
            tally_path_remove_folder(path);
        else
            tally_remove(TALLY_NO_FOLDER, path);
    }
    tally_file_close(file);
}

/* What is looked for: as of temporary_remove_left. */
typedef struct search {
    const char *folder, *begin;
    bool (*ends)(const char *rest);
    tally_file_kind kind;
} search;

static bool remove_if_left(void *user, const char *name) {
    const search *what = user;
    const size_t length = strlen(what->begin);
    char path[TALLY_PATH_BYTES];
    if (strncmp(name, what->begin, length) == 0 &&
        (what->ends == NULL || what->ends(name + length)) &&
        snprintf(path, sizeof path, "%s%s", what->folder, name) < (int)sizeof path)
        remove_left(path, what->kind);
    return true;
}

void temporary_remove_left(const char *folder, const char *begin, bool (*ends)(const char *rest),
                           tally_file_kind kind) {
    search what = {folder, begin, ends, kind};
    tally_path_each(folder, remove_if_left, &what);
}

/* Whether the folder was looked through already, by this process: it has one folder at a time. */
static bool is_known(const char *folder) {
    static tally_identity last;
    tally_file_facts found;
    if (!tally_look(TALLY_NO_FOLDER, folder, TALLY_KEEP_LINKS, &found))
        return false;
    const bool known = is_same(&found.identity, &last);
    last = found.identity;
    return known;
}

/* Remove what runs of this host have left in the folder of that path. */
static void remove_files_left(const char *beside) {
    const size_t length = tally_path_folder(beside);
    char prefix[PREFIX_BYTES], folder[TALLY_PATH_BYTES];
    if (snprintf(folder, sizeof folder, "%.*s%s", (int)length, beside, length > 0 ? "" : "./") >=
            (int)sizeof folder ||
        is_known(folder))
        return;
    name_host(prefix);
    temporary_remove_left(folder, prefix, ends_as_ours, TALLY_FILE_PLAIN);
}

/* ---- Files with a name --------------------------------------------------------------------- */

/* One attempt: 0, EEXIST for another attempt, or why there can be none. */
static int make_once(temporary *made, const char *beside) {
    made->path = name_file(beside);
    if (made->path == NULL)
        return ENOMEM;
    /* Named before it is there: a signal may come, to another thread too, as soon as it is. */
    unfinished = made->path;
    made->file = tally_open(TALLY_NO_FOLDER, made->path, TALLY_TO_CREATE);
    if (made->file != TALLY_NO_FILE && temporary_keep(made->file, made->path))
        return 0;
    const int why = made->file != TALLY_NO_FILE ? EEXIST : errno;
    if (made->file != TALLY_NO_FILE)
        tally_file_close(made->file);
    unfinished = NULL;
    free(made->path);
    *made = (temporary){NULL, TALLY_NO_FILE};
    return why;
}

int temporary_make(temporary *made, const char *beside) {
    int why = EEXIST;
    tally_remove_on_signal(&unfinished);
    remove_files_left(beside);
    for (unsigned attempt = 0; attempt < ATTEMPTS && why == EEXIST; attempt++)
        why = make_once(made, beside);
    return why;
}

void temporary_remove(temporary *made) {
    if (made->path == NULL)
        return;
    tally_remove(TALLY_NO_FOLDER, made->path);
    unfinished = NULL;
    tally_file_close(made->file);
    free(made->path);
    *made = (temporary){NULL, TALLY_NO_FILE};
}

int temporary_place(temporary *made, const char *target) {
    /* Some file systems say only when a file is closed that they are full. The lock stays. */
    int why = tally_file_flush(made->file) ? 0 : errno;
    /* Renamed before it is closed: without its lock it would be anybody's to remove. */
    if (why == 0 && !tally_rename(TALLY_NO_FOLDER, made->path, target))
        why = errno;
    temporary_remove(made); /* of what has another name now there is nothing to remove */
    return why;
}
