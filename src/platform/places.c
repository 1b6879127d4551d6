/*
 * What is the same on every system about folders that a program uses.
 */
#include "platform/places.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "platform/system.h"

#define ATTEMPTS 100 /* at a name that nothing has yet */

/* ---- Paths ------------------------------------------------------------------------------- */

size_t tally_path_folder(const char *path) {
    size_t length = strlen(path);
    while (length > 0 && !tally_is_separator(path[length - 1]))
        length--;
    return length;
}

void tally_path_each(const char *folder, tally_name_visit *visit, void *user) {
    const tally_file open = tally_open(TALLY_NO_FOLDER, folder, TALLY_TO_READ);
    if (open == TALLY_NO_FILE)
        return;
    tally_folder_names(open, visit, user);
    tally_file_close(open);
}

bool tally_path_takes_files(const char *path) {
    tally_file_facts about;
    if (!tally_look(TALLY_NO_FOLDER, path, TALLY_FOLLOW_LINKS, &about))
        return false;
    errno = ENOTDIR;
    return about.kind == TALLY_FILE_FOLDER && tally_path_is_writable(path, about.kind);
}

/* ---- Removing a folder ------------------------------------------------------------------- */

static bool remove_entry(void *user, const char *name) {
    const char *const *folder = user;
    char path[TALLY_PATH_BYTES];
    if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0 &&
        snprintf(path, sizeof path, "%s/%s", *folder, name) < (int)sizeof path &&
        !tally_remove(TALLY_NO_FOLDER, path))
        tally_path_remove_folder(path);
    return true;
}

void tally_path_remove_folder(const char *path) {
    /* So that no link is followed to what is elsewhere. */
    const tally_file folder = tally_open(TALLY_NO_FOLDER, path, TALLY_TO_LOCK_FOLDER);
    tally_file_facts about;
    if (folder != TALLY_NO_FILE && tally_file_look(folder, &about) &&
        about.kind == TALLY_FILE_FOLDER)
        tally_folder_names(folder, remove_entry, (void *)&path);
    if (folder != TALLY_NO_FILE)
        tally_file_close(folder);
    (void)tally_path_remove_empty(path);
}

/* ---- For a while ------------------------------------------------------------------------- */

/* Another name with each call. False, with errno, if the path is too long. */
static bool name_temporary(const char *begin, char path[TALLY_PATH_BYTES]) {
    char folder[TALLY_PATH_BYTES];
    if (!tally_temporary_place(folder))
        return false;
    errno = ENAMETOOLONG;
    return snprintf(path, TALLY_PATH_BYTES, "%s%c%s-%lx-%llx", folder, tally_system.separators[0],
                    begin, tally_process(),
                    (unsigned long long)(tally_clock() * 1e9)) < TALLY_PATH_BYTES;
}

tally_file tally_temporary_file(char folder[TALLY_PATH_BYTES]) {
    char path[TALLY_PATH_BYTES];
    tally_file file = TALLY_NO_FILE;
    (void)tally_temporary_place(folder);
    errno = EEXIST;
    for (int i = 0; i < ATTEMPTS && file == TALLY_NO_FILE && errno == EEXIST; i++)
        file = name_temporary("tally", path) ? tally_open(TALLY_NO_FOLDER, path, TALLY_TO_DROP)
                                             : TALLY_NO_FILE;
    if (file != TALLY_NO_FILE)
        (void)tally_remove(TALLY_NO_FOLDER, path); /* which Windows does when it is closed */
    return file;
}

bool tally_temporary_folder(const char *begin, char path[TALLY_PATH_BYTES]) {
    return name_temporary(begin, path) && tally_make_folder(path);
}
