/*
 * What a program finds and puts in the folders of Windows.
 */
#include "platform/windows/windows.h"

#include "platform/places.h"

#include <errno.h>
#include <shellapi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

/* ---- Paths --------------------------------------------------------------------------------- */

bool tally_is_separator(char character) {
    return character == '/' || character == '\\' || character == ':';
}

size_t tally_path_folder(const char *path) {
    size_t length = strlen(path);
    while (length > 0 && !tally_is_separator(path[length - 1]))
        length--;
    return length;
}

/* Who visits what is found by its name alone. */
typedef struct visitor {
    bool (*visit)(void *user, const char *name);
    void *user;
} visitor;

static bool visit_name(void *user, const WIN32_FIND_DATAW *found, const char *name) {
    const visitor *to = user;
    (void)found;
    return to->visit(to->user, name);
}

/* What fits a pattern, as the system compares them; false, with errno, if that fails. */
static bool list(const char *pattern, bool (*visit)(void *user, const char *name), void *user) {
    visitor to = {visit, user};
    tally_wide wide;
    return tally_wide_path(pattern, wide) && tally_each_found(wide, visit_name, &to);
}

void tally_path_each(const char *folder, bool (*visit)(void *user, const char *name), void *user) {
    char pattern[TALLY_PATH_BYTES];
    const size_t length = strlen(folder);
    const bool ended = length > 0 && tally_is_separator(folder[length - 1]);
    if (snprintf(pattern, sizeof pattern, "%s%s*", folder, ended ? "" : "\\") < (int)sizeof pattern)
        (void)list(pattern, visit, user);
}

/* Paths that were found; NULL at the end of what there is memory for. */
typedef struct matches {
    const char *pattern;
    char **paths;
    size_t count;
    bool failed;
} matches;

static bool add_match(void *user, const char *name) {
    matches *all = user;
    const size_t folder = tally_path_folder(all->pattern);
    if (name[0] == '.') /* hidden, as on other systems */
        return true;
    char **paths = realloc(all->paths, (all->count + 1) * sizeof *paths);
    all->failed = paths == NULL;
    if (paths == NULL)
        return false;
    all->paths = paths;
    char *path = malloc(folder + strlen(name) + 1);
    all->failed = path == NULL;
    if (path == NULL)
        return false;
    memcpy(path, all->pattern, folder);
    memcpy(path + folder, name, strlen(name) + 1);
    all->paths[all->count++] = path;
    return true;
}

static int compare(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

ptrdiff_t tally_path_match(const char *pattern, bool (*visit)(void *user, const char *path),
                           void *user) {
    matches all = {pattern, NULL, 0, false};
    if (!list(pattern, add_match, &all) && errno != ENOENT)
        return -1;
    if (all.count > 0)
        qsort(all.paths, all.count, sizeof *all.paths, compare);
    bool more = !all.failed;
    for (size_t i = 0; i < all.count; i++) {
        more = more && visit(user, all.paths[i]);
        free(all.paths[i]);
    }
    free(all.paths);
    return all.failed ? -1 : (ptrdiff_t)all.count;
}

bool tally_path_takes_files(const char *path) {
    tally_wide wide;
    if (!tally_wide_path(path, wide))
        return false;
    const DWORD attributes = GetFileAttributesW(wide);
    if (attributes == INVALID_FILE_ATTRIBUTES)
        return tally_set_errno();
    errno = ENOTDIR;
    return (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
}

bool tally_path_make_folder(const char *path) {
    return tally_make_one_folder(path);
}

void tally_path_remove_folder(const char *path) {
    SHFILEOPSTRUCTW how;
    tally_wide paths; /* which an empty one ends */
    if (!tally_wide_path(path, paths) || wcslen(paths) + 2 > TALLY_WIDE_MAX)
        return;
    paths[wcslen(paths) + 1] = L'\0';
    memset(&how, 0, sizeof how);
    how.wFunc = FO_DELETE;
    how.pFrom = paths;
    how.fFlags = FOF_NO_UI;
    SHFileOperationW(&how);
}

/* ---- Which file it is ----------------------------------------------------------------------- */

bool tally_file_identify(tally_file file, tally_identity *identity) {
    BY_HANDLE_FILE_INFORMATION about;
    if (!GetFileInformationByHandle(tally_handle(file), &about))
        return tally_set_errno();
    *identity = (tally_identity){about.dwVolumeSerialNumber,
                                 (uint64_t)about.nFileIndexHigh << 32 | about.nFileIndexLow};
    return true;
}

bool tally_path_identify(const char *path, tally_identity *identity) {
    const tally_file file = tally_open_there(path, FILE_READ_ATTRIBUTES, TALLY_OPEN_LINKS);
    if (file == TALLY_NO_FILE)
        return false;
    const bool told = tally_file_identify(file, identity);
    CloseHandle(tally_handle(file));
    return told;
}

tally_file tally_path_open_to_lock(const char *path, tally_file_kind kind) {
    const DWORD access =
        kind == TALLY_FILE_FOLDER ? FILE_READ_ATTRIBUTES : GENERIC_READ | GENERIC_WRITE;
    return tally_open_there(path, access, TALLY_OPEN_LINKS);
}

void tally_host(char *name, size_t bytes) {
    WCHAR wide[MAX_COMPUTERNAME_LENGTH + 1];
    DWORD length = MAX_COMPUTERNAME_LENGTH + 1;
    name[0] = '\0';
    if (GetComputerNameW(wide, &length) && tally_narrow(wide, name, bytes) == 0)
        name[0] = '\0';
}

/* ---- For a while ---------------------------------------------------------------------------- */

bool tally_temporary_place(char folder[TALLY_PATH_BYTES]) {
    tally_wide base;
    const DWORD length = GetTempPathW(TALLY_WIDE_MAX, base);
    folder[0] = '\0';
    errno = ENAMETOOLONG;
    if (length == 0 || length >= TALLY_WIDE_MAX)
        return false;
    base[length - 1] = L'\0'; /* it ends in a separator */
    return tally_narrow(base, folder, TALLY_PATH_BYTES) != 0;
}

/* A name that nothing has. False, with errno, if the path is too long. */
static bool name_temporary(const char *folder, const char *begin, char path[TALLY_PATH_BYTES]) {
    LARGE_INTEGER now;
    QueryPerformanceCounter(&now);
    errno = ENAMETOOLONG;
    return snprintf(path, TALLY_PATH_BYTES, "%s\\%s-%lx-%llx", folder, begin, GetCurrentProcessId(),
                    (unsigned long long)now.QuadPart) < TALLY_PATH_BYTES;
}

tally_file tally_temporary_file(char folder[TALLY_PATH_BYTES]) {
    char path[TALLY_PATH_BYTES];
    tally_wide wide;
    if (!tally_temporary_place(folder) || !name_temporary(folder, "tally", path) ||
        !tally_wide_path(path, wide))
        return TALLY_NO_FILE;
    return tally_take_handle(
        CreateFileW(wide, GENERIC_READ | GENERIC_WRITE | DELETE, 0, NULL, CREATE_NEW,
                    FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE, NULL));
}

bool tally_temporary_folder(const char *begin, char path[TALLY_PATH_BYTES]) {
    char folder[TALLY_PATH_BYTES];
    return tally_temporary_place(folder) && name_temporary(folder, begin, path) &&
           tally_path_make_folder(path);
}
