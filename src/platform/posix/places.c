/*
 * What a program finds and puts in the folders of POSIX systems.
 */
#include "platform/posix/posix.h" /* O_TMPFILE, where there is one */

#include "platform/places.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Paths --------------------------------------------------------------------------------- */

bool tally_is_separator(char character) {
    return character == '/';
}

size_t tally_path_folder(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash != NULL ? (size_t)(slash - path) + 1 : 0;
}

void tally_path_each(const char *folder, bool (*visit)(void *user, const char *name), void *user) {
    DIR *opened = opendir(folder);
    if (opened == NULL)
        return;
    for (const struct dirent *next; (next = readdir(opened)) != NULL;)
        if (!visit(user, next->d_name))
            break;
    closedir(opened);
}

ptrdiff_t tally_path_match(const char *pattern, bool (*visit)(void *user, const char *path),
                           void *user) {
    glob_t found;
    const int failed = glob(pattern, 0, NULL, &found);
    const size_t count = failed == 0 ? found.gl_pathc : 0;
    for (size_t i = 0; i < count; i++)
        if (!visit(user, found.gl_pathv[i]))
            break;
    globfree(&found);
    return failed == 0 || failed == GLOB_NOMATCH ? (ptrdiff_t)count : -1;
}

bool tally_path_takes_files(const char *path) {
    struct stat about;
    if (stat(path, &about) != 0)
        return false;
    errno = ENOTDIR;
    return S_ISDIR(about.st_mode) && access(path, W_OK | X_OK) == 0;
}

bool tally_path_make_folder(const char *path) {
    return mkdir(path, 0700) == 0;
}

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *at) {
    (void)about;
    (void)kind;
    (void)at;
    return remove(path);
}

void tally_path_remove_folder(const char *path) {
    nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* ---- Which file it is ----------------------------------------------------------------------- */

static bool tell(int failed, const struct stat *about, tally_identity *identity) {
    if (failed != 0)
        return false;
    *identity = (tally_identity){(uint64_t)about->st_dev, (uint64_t)about->st_ino};
    return true;
}

bool tally_file_identify(tally_file file, tally_identity *identity) {
    struct stat about;
    const int failed = fstat((int)file, &about);
    return tell(failed, &about, identity);
}

bool tally_path_identify(const char *path, tally_identity *identity) {
    struct stat about;
    const int failed = lstat(path, &about);
    return tell(failed, &about, identity);
}

tally_file tally_path_open_to_lock(const char *path, tally_file_kind kind) {
    /* NONBLOCK: what has the name may be a pipe. NFS locks no files that are only read. */
    const int how = kind == TALLY_FILE_FOLDER ? O_RDONLY | O_DIRECTORY : O_RDWR | O_NONBLOCK;
    return open(path, how | O_NOFOLLOW | O_CLOEXEC);
}

void tally_host(char *name, size_t bytes) {
    memset(name, 0, bytes);
    (void)gethostname(name, bytes - 1);
}

/* ---- For a while ---------------------------------------------------------------------------- */

/* False, with errno, if the path is too long. */
static bool name_temporary(const char *folder, const char *begin, char path[TALLY_PATH_BYTES]) {
    const int length = snprintf(path, TALLY_PATH_BYTES, "%s/%s-XXXXXX", folder, begin);
    errno = ENAMETOOLONG;
    return length < TALLY_PATH_BYTES;
}

tally_file tally_temporary_file(char folder[TALLY_PATH_BYTES]) {
    char name[TALLY_PATH_BYTES];
    const char *own = getenv("TMPDIR");
    const char *base = own != NULL && own[0] != '\0' ? own : "/tmp";
    snprintf(folder, TALLY_PATH_BYTES, "%s", base);
#ifdef O_TMPFILE
    const int nameless = open(base, O_TMPFILE | O_RDWR | O_EXCL | O_CLOEXEC, 0600);
    if (nameless >= 0)
        return nameless;
#endif
    const int file = name_temporary(base, "tally", name) ? mkstemp(name) : -1;
    if (file < 0)
        return TALLY_NO_FILE;
    unlink(name);
    (void)fcntl(file, F_SETFD, FD_CLOEXEC);
    return file;
}

bool tally_temporary_place(char folder[TALLY_PATH_BYTES]) {
    const char *own = getenv("TMPDIR");
    const int length =
        snprintf(folder, TALLY_PATH_BYTES, "%s", own != NULL && own[0] == '/' ? own : "/tmp");
    errno = ENAMETOOLONG;
    return length < TALLY_PATH_BYTES;
}

bool tally_temporary_folder(const char *begin, char path[TALLY_PATH_BYTES]) {
    char folder[TALLY_PATH_BYTES];
    return tally_temporary_place(folder) && name_temporary(folder, begin, path) &&
           mkdtemp(path) != NULL;
}
