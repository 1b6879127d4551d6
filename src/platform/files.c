/*
 * What is the same on every system about files and folders.
 */
#include "platform/files.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "platform/system.h"

/* ---- Reading and writing ----------------------------------------------------------------- */

ptrdiff_t tally_file_read_at(tally_file file, uint64_t offset, void *bytes, size_t size) {
    ptrdiff_t got;
    do
        got = tally_file_read_once(file, offset, bytes, size);
    while (got < 0 && errno == EINTR);
    return got;
}

ptrdiff_t tally_file_read(tally_file file, void *bytes, size_t size) {
    return tally_file_read_at(file, TALLY_NEXT, bytes, size);
}

bool tally_file_write_at(tally_file file, uint64_t offset, const void *bytes, size_t size) {
    for (const char *next = bytes; size > 0;) {
        const ptrdiff_t written = tally_file_write_once(file, offset, next, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return false;
        next += written;
        offset += offset != TALLY_NEXT ? (uint64_t)written : 0;
        size -= (size_t)written;
    }
    return true;
}

bool tally_file_write(tally_file file, const void *bytes, size_t size) {
    return tally_file_write_at(file, TALLY_NEXT, bytes, size);
}

/* ---- Paths of folders -------------------------------------------------------------------- */

bool tally_is_separator(char character) {
    return character != '\0' && strchr(tally_system.separators, character) != NULL;
}

/* Whether it is between a folder's name and what is in it: the colon of a drive is not. */
static bool is_between(char character) {
    return character != ':' && tally_is_separator(character);
}

/* Whether it ends the name of a drive, which the separator behind it belongs to. */
static bool ends_drive(char character) {
    return character == ':' && tally_is_separator(character);
}

size_t tally_folder_path_length(const char *path) {
    size_t length = strlen(path);
    while (length > 1 && is_between(path[length - 1]) && !ends_drive(path[length - 2]))
        length--;
    return length;
}

bool tally_folder_make(char *path) {
    /* What cannot be made may be there, as a drive is; if it is not, the last one fails too. */
    for (size_t i = 1; path[0] != '\0' && path[i] != '\0'; i++) {
        const char separator = path[i];
        if (!is_between(separator) || is_between(path[i - 1]))
            continue;
        path[i] = '\0';
        (void)tally_make_folder(path);
        path[i] = separator;
    }
    return tally_make_folder(path) || errno == EEXIST;
}

bool tally_folder_is_missing(const char *path) {
    tally_file_facts about;
    return !tally_look(TALLY_NO_FOLDER, path, TALLY_KEEP_LINKS, &about) && errno == ENOENT;
}

/* ---- Open folders ------------------------------------------------------------------------ */

/* What errno says of an open folder that there was not to be. */
static void explain_open(const char *path, char why[TALLY_FOLDER_WHY_BYTES]) {
    tally_file_facts about;
    const int code = errno;
    if (tally_look(TALLY_NO_FOLDER, path, TALLY_KEEP_LINKS, &about) &&
        about.kind == TALLY_FILE_LINK)
        snprintf(why, TALLY_FOLDER_WHY_BYTES, "is a symbolic link");
    else
        snprintf(why, TALLY_FOLDER_WHY_BYTES, "can't be opened: %s", strerror(code));
}

tally_file tally_folder_open(const char *path, char why[TALLY_FOLDER_WHY_BYTES]) {
    static const char *const faults[] = {
        [TALLY_WRITERS_OWNER] = "belongs to somebody else",
        [TALLY_WRITERS_OTHERS] = "can be written by others than its owner",
        [TALLY_WRITERS_UNKNOWN] = "does not say whose it is",
    };
    const tally_file folder = tally_open(TALLY_NO_FOLDER, path, TALLY_TO_HOLD);
    if (folder == TALLY_NO_FILE) {
        explain_open(path, why);
        return TALLY_NO_FILE;
    }
    tally_file_facts about = {.writers = TALLY_WRITERS_UNKNOWN};
    const bool looked = tally_file_look(folder, &about);
    if (looked && about.writers == TALLY_WRITERS_SELF)
        return folder;
    snprintf(why, TALLY_FOLDER_WHY_BYTES, "%s", looked ? faults[about.writers] : strerror(errno));
    tally_file_close(folder);
    return TALLY_NO_FILE;
}

/* Who visits the files of a folder, and which of them. */
typedef struct visitor {
    tally_file folder;
    bool (*wanted)(const char *name);
    tally_folder_visit *visit;
    void *user;
} visitor;

static bool visit_name(void *user, const char *name) {
    const visitor *to = user;
    tally_file_facts about;
    if (!to->wanted(name) || !tally_look(to->folder, name, TALLY_KEEP_LINKS, &about) ||
        about.kind == TALLY_FILE_FOLDER)
        return true;
    return to->visit(to->user, name, about.bytes, about.used);
}

void tally_folder_each(tally_file folder, bool (*wanted)(const char *name),
                       tally_folder_visit *visit, void *user) {
    visitor to = {folder, wanted, visit, user};
    tally_folder_names(folder, visit_name, &to);
}

/* ---- The user's caches ------------------------------------------------------------------- */

/* Whether a path begins at a root. */
static bool is_absolute(const char *path) {
    return is_between(path[0]) || (path[0] != '\0' && ends_drive(path[1]));
}

int tally_user_cache(const char *name, char *path, size_t bytes, const char **why) {
    char room[TALLY_ENVIRONMENT_BYTES];
    const char *base = tally_environment("XDG_CACHE_HOME", room), *below = "";
    if (base == NULL || !is_absolute(base)) {
        base = tally_environment(tally_system.home, room);
        below = tally_system.below_home;
    }
    *why = tally_system.no_cache;
    if (base == NULL || !is_absolute(base))
        return -1;
    const int separator = base[0] == '/' ? '/' : tally_system.separators[0];
    return snprintf(path, bytes, "%s%s%c%s", base, below, separator, name);
}
