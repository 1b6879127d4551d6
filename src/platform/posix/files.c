/*
 * Files and folders of POSIX systems. All files of a folder are reached through its descriptor.
 */
#include "platform/posix/posix.h" /* flock too: a process has POSIX's locks, not a file */

#include "platform/files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- Open files ---------------------------------------------------------------------------- */

static tally_file_kind kind_of(mode_t mode) {
    return S_ISREG(mode)    ? TALLY_FILE_PLAIN
           : S_ISDIR(mode)  ? TALLY_FILE_FOLDER
           : S_ISFIFO(mode) ? TALLY_FILE_PIPE
           : S_ISCHR(mode)  ? TALLY_FILE_CHARACTERS
                            : TALLY_FILE_OTHER;
}

void tally_posix_facts(const struct stat *about, tally_file_facts *facts) {
    facts->kind = kind_of(about->st_mode);
    facts->bytes = about->st_size > 0 ? (uint64_t)about->st_size : 0;
    facts->permissions = about->st_mode & 0777;
}

bool tally_file_look(tally_file file, tally_file_facts *facts) {
    struct stat about;
    if (fstat((int)file, &about) != 0)
        return false;
    tally_posix_facts(&about, facts);
    return true;
}

bool tally_file_close(tally_file file) {
    return close((int)file) == 0;
}

ptrdiff_t tally_file_read(tally_file file, void *bytes, size_t size) {
    ssize_t got;
    do
        got = read((int)file, bytes, size);
    while (got < 0 && errno == EINTR);
    return got;
}

bool tally_file_write(tally_file file, const void *bytes, size_t size) {
    for (const char *next = bytes; size > 0;) {
        const ssize_t written = write((int)file, next, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return false;
        next += written;
        size -= (size_t)written;
    }
    return true;
}

bool tally_file_sync(tally_file file) {
    return fsync((int)file) == 0;
}

tally_file_locking tally_file_lock(tally_file file) {
    if (flock((int)file, LOCK_EX | LOCK_NB) == 0)
        return TALLY_FILE_LOCKED;
    return errno == EWOULDBLOCK ? TALLY_FILE_BUSY : TALLY_FILE_LOCKLESS;
}

bool tally_file_has_name(tally_file file) {
    struct stat about;
    return fstat((int)file, &about) == 0 && about.st_nlink > 0;
}

bool tally_file_may_have(uint64_t bytes) {
    struct rlimit most;
    return getrlimit(RLIMIT_FSIZE, &most) == 0 &&
           (most.rlim_cur == RLIM_INFINITY || bytes <= most.rlim_cur);
}

/* ---- Opening a folder ----------------------------------------------------------------------- */

size_t tally_folder_path_length(const char *path) {
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    return length;
}

bool tally_folder_make(char *path) {
    for (char *slash = strchr(path + strspn(path, "/"), '/'); slash != NULL;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        bool made = mkdir(path, 0700) == 0 || errno == EEXIST || access(path, X_OK) == 0;
        *slash = '/';
        if (!made)
            return false;
    }
    return mkdir(path, 0700) == 0 || errno == EEXIST;
}

bool tally_folder_is_missing(const char *path) {
    struct stat about;
    return lstat(path, &about) != 0 && errno == ENOENT;
}

/* Somebody else who can write there could have us run code of theirs. NULL if nobody can. */
static const char *find_fault(int folder) {
    struct stat about;
    if (fstat(folder, &about) != 0)
        return strerror(errno);
    if (about.st_uid != geteuid())
        return "belongs to somebody else";
    return (about.st_mode & (S_IWGRP | S_IWOTH)) != 0 ? "can be written by others than its owner"
                                                      : NULL;
}

/* What errno says of an open folder that there was not to be. */
static void explain_open(const char *path, char why[TALLY_FOLDER_WHY_BYTES]) {
    struct stat about;
    const int code = errno;
    if (lstat(path, &about) == 0 && S_ISLNK(about.st_mode))
        snprintf(why, TALLY_FOLDER_WHY_BYTES, "is a symbolic link");
    else
        snprintf(why, TALLY_FOLDER_WHY_BYTES, "can't be opened: %s", strerror(code));
}

tally_file tally_folder_open(const char *path, char why[TALLY_FOLDER_WHY_BYTES]) {
    const int folder = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0) {
        explain_open(path, why);
        return TALLY_NO_FILE;
    }
    const char *fault = find_fault(folder);
    if (fault == NULL)
        return folder;
    snprintf(why, TALLY_FOLDER_WHY_BYTES, "%s", fault);
    close(folder);
    return TALLY_NO_FILE;
}

/* ---- Files of a folder ---------------------------------------------------------------------- */

tally_file tally_folder_create_file(tally_file folder, const char *name) {
    return openat((int)folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
}

tally_file tally_folder_open_file(tally_file folder, const char *name, tally_folder_purpose to) {
    /* To be locked it is opened to be written too: NFS locks no other files for one alone. */
    const int how = to == TALLY_TO_LOCK ? O_RDWR : O_RDONLY;
    /* NONBLOCK: what has the name may be a pipe. */
    return openat((int)folder, name, how | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
}

bool tally_folder_rename(tally_file folder, const char *name, const char *to) {
    return renameat((int)folder, name, (int)folder, to) == 0;
}

bool tally_folder_remove(tally_file folder, const char *name) {
    return unlinkat((int)folder, name, 0) == 0;
}

void tally_folder_touch(tally_file folder, const char *name) {
    (void)utimensat((int)folder, name, NULL, AT_SYMLINK_NOFOLLOW);
}

/* macOS has another name for the time. */
static int64_t used_at(const struct stat *about) {
#if defined(__APPLE__)
    const struct timespec time = about->st_mtimespec;
#else
    const struct timespec time = about->st_mtim;
#endif
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

void tally_folder_each(tally_file folder, bool (*wanted)(const char *name),
                       tally_folder_visit *visit, void *user) {
    const int own = openat((int)folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *open = own >= 0 ? fdopendir(own) : NULL;
    if (open == NULL) {
        if (own >= 0)
            close(own);
        return;
    }
    for (const struct dirent *next; (next = readdir(open)) != NULL;) {
        struct stat about;
        if (!wanted(next->d_name) ||
            fstatat((int)folder, next->d_name, &about, AT_SYMLINK_NOFOLLOW) != 0 ||
            S_ISDIR(about.st_mode))
            continue;
        if (!visit(user, next->d_name, (uint64_t)about.st_size, used_at(&about)))
            break;
    }
    closedir(open);
}
