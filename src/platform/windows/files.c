/*
 * Files and folders of Windows. A folder that is open can be neither renamed nor removed, so its
 * files are reached through the path that its handle has. Files are open to all, and can be renamed
 * and removed meanwhile, as on other systems.
 */
#include "platform/windows/windows.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define SHARE_ALL (FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE)

/* ---- Open files ---------------------------------------------------------------------------- */

tally_file tally_take_handle(HANDLE handle) {
    if (handle == INVALID_HANDLE_VALUE)
        tally_set_errno();
    return (tally_file)handle;
}

static bool look_at_disk(HANDLE file, tally_file_facts *facts) {
    BY_HANDLE_FILE_INFORMATION about;
    if (!GetFileInformationByHandle(file, &about))
        return tally_set_errno();
    const DWORD odd = FILE_ATTRIBUTE_REPARSE_POINT | FILE_ATTRIBUTE_DEVICE;
    facts->kind = (about.dwFileAttributes & odd) != 0                        ? TALLY_FILE_OTHER
                  : (about.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0 ? TALLY_FILE_FOLDER
                                                                             : TALLY_FILE_PLAIN;
    facts->bytes = (uint64_t)about.nFileSizeHigh << 32 | about.nFileSizeLow;
    return true;
}

bool tally_file_look(tally_file file, tally_file_facts *facts) {
    *facts = (tally_file_facts){TALLY_FILE_OTHER, 0, 0};
    switch (GetFileType(tally_handle(file))) {
    case FILE_TYPE_DISK:
        return look_at_disk(tally_handle(file), facts);
    case FILE_TYPE_PIPE:
        facts->kind = TALLY_FILE_PIPE;
        return true;
    case FILE_TYPE_CHAR:
        facts->kind = TALLY_FILE_CHARACTERS;
        return true;
    default:
        return GetLastError() == NO_ERROR || tally_set_errno();
    }
}

bool tally_file_close(tally_file file) {
    return CloseHandle(tally_handle(file)) || tally_set_errno();
}

OVERLAPPED tally_at(uint64_t offset) {
    OVERLAPPED at;
    memset(&at, 0, sizeof at);
    at.Offset = (DWORD)offset;
    at.OffsetHigh = (DWORD)(offset >> 32);
    return at;
}

/* Calls take 32 bits of bytes. */
static DWORD share_of(size_t size) {
    return size < 1u << 30 ? (DWORD)size : 1u << 30;
}

ptrdiff_t tally_read_some(tally_file file, OVERLAPPED *at, void *bytes, size_t size) {
    DWORD got = 0;
    if (ReadFile(tally_handle(file), bytes, share_of(size), &got, at))
        return (ptrdiff_t)got;
    if (GetLastError() == ERROR_BROKEN_PIPE || GetLastError() == ERROR_HANDLE_EOF)
        return 0;
    tally_set_errno();
    return -1;
}

ptrdiff_t tally_file_read(tally_file file, void *bytes, size_t size) {
    return tally_read_some(file, NULL, bytes, size);
}

bool tally_write_all(tally_file file, OVERLAPPED *at, const void *bytes, size_t size) {
    for (const char *next = bytes; size > 0;) {
        DWORD written = 0;
        if (!WriteFile(tally_handle(file), next, share_of(size), &written, at))
            return tally_set_errno();
        if (at != NULL) {
            const uint64_t offset = ((uint64_t)at->OffsetHigh << 32 | at->Offset) + written;
            *at = tally_at(offset);
        }
        next += written;
        size -= written;
    }
    return true;
}

bool tally_file_write(tally_file file, const void *bytes, size_t size) {
    return tally_write_all(file, NULL, bytes, size);
}

bool tally_file_sync(tally_file file) {
    return FlushFileBuffers(tally_handle(file)) || tally_set_errno();
}

/* A byte far behind the end: what is locked nobody else can read or write. */
tally_file_locking tally_file_lock(tally_file file) {
    OVERLAPPED at = tally_at(UINT64_C(1) << 62);
    if (LockFileEx(tally_handle(file), LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0,
                   &at))
        return TALLY_FILE_LOCKED;
    const DWORD why = GetLastError();
    return why == ERROR_LOCK_VIOLATION || why == ERROR_IO_PENDING ? TALLY_FILE_BUSY
                                                                  : TALLY_FILE_LOCKLESS;
}

bool tally_file_has_name(tally_file file) {
    FILE_STANDARD_INFO about;
    return GetFileInformationByHandleEx(tally_handle(file), FileStandardInfo, &about,
                                        sizeof about) &&
           !about.DeletePending && about.NumberOfLinks > 0;
}

bool tally_file_may_have(uint64_t bytes) {
    (void)bytes;
    return true;
}

/* ---- Folders ------------------------------------------------------------------------------- */

size_t tally_folder_path_length(const char *path) {
    size_t length = strlen(path);
    while (length > 1 && strchr("/\\", path[length - 1]) != NULL && path[length - 2] != ':')
        length--;
    return length;
}

bool tally_folder_make(char *path) {
    size_t at = strspn(path, "/\\");
    for (at += strcspn(path + at, "/\\"); path[at] != '\0';
         at += 1 + strcspn(path + at + 1, "/\\")) {
        const char separator = path[at];
        path[at] = '\0';
        (void)tally_make_one_folder(
            path); /* a drive cannot be made; of another one the last tells */
        path[at] = separator;
    }
    return tally_make_one_folder(path) || errno == EEXIST;
}

bool tally_folder_is_missing(const char *path) {
    tally_wide wide;
    if (tally_wide_path(path, wide) && GetFileAttributesW(wide) != INVALID_FILE_ATTRIBUTES)
        return false;
    tally_set_errno();
    return errno == ENOENT;
}

/* Open without leave to remove it, so that its path stays what it is. */
static HANDLE open_folder(const char *path) {
    tally_wide wide;
    return !tally_wide_path(path, wide)
               ? INVALID_HANDLE_VALUE
               : CreateFileW(wide, FILE_LIST_DIRECTORY | READ_CONTROL,
                             FILE_SHARE_READ | FILE_SHARE_WRITE, NULL, OPEN_EXISTING,
                             FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT, NULL);
}

tally_file tally_folder_open(const char *path, char why[TALLY_FOLDER_WHY_BYTES]) {
    tally_file folder = tally_take_handle(open_folder(path));
    tally_file_facts about = {TALLY_FILE_FOLDER, 0, 0};
    if (folder == TALLY_NO_FILE || !tally_file_look(folder, &about)) {
        snprintf(why, TALLY_FOLDER_WHY_BYTES, "can't be opened: %s", strerror(errno));
    } else {
        const char *fault = about.kind == TALLY_FILE_OTHER ? "is a symbolic link"
                            : about.kind != TALLY_FILE_FOLDER
                                ? "can't be opened: Not a directory"
                                : tally_find_fault(tally_handle(folder));
        if (fault == NULL)
            return folder;
        snprintf(why, TALLY_FOLDER_WHY_BYTES, "%s", fault);
    }
    if (folder != TALLY_NO_FILE)
        CloseHandle(tally_handle(folder));
    return TALLY_NO_FILE;
}

/* The path of a file of the folder. */
static bool find_path(tally_file folder, const char *name, tally_wide path) {
    DWORD length = GetFinalPathNameByHandleW(tally_handle(folder), path, TALLY_WIDE_MAX - 1, 0);
    if (length == 0)
        return tally_set_errno();
    errno = ENAMETOOLONG;
    if (length >= TALLY_WIDE_MAX - 1)
        return false;
    path[length++] = L'\\';
    return MultiByteToWideChar(CP_UTF8, 0, name, -1, path + length, TALLY_WIDE_MAX - (int)length) !=
           0;
}

/* Open or create the file at a path. */
static tally_file open_at(const WCHAR *path, DWORD access, DWORD creation) {
    return tally_take_handle(
        CreateFileW(path, access, SHARE_ALL, NULL, creation, FILE_FLAG_OPEN_REPARSE_POINT, NULL));
}

tally_file tally_create_new(const WCHAR *path) {
    return open_at(path, GENERIC_WRITE, CREATE_NEW);
}

tally_file tally_folder_create_file(tally_file folder, const char *name) {
    tally_wide path;
    return find_path(folder, name, path) ? tally_create_new(path) : TALLY_NO_FILE;
}

tally_file tally_folder_open_file(tally_file folder, const char *name, tally_folder_purpose to) {
    const DWORD access = to == TALLY_TO_LOCK ? GENERIC_READ | GENERIC_WRITE : GENERIC_READ;
    tally_wide path;
    return find_path(folder, name, path) ? open_at(path, access, OPEN_EXISTING) : TALLY_NO_FILE;
}

tally_file tally_open_there(const char *path, DWORD access, tally_links links) {
    const DWORD how = links == TALLY_OPEN_LINKS ? FILE_FLAG_OPEN_REPARSE_POINT : 0;
    tally_wide wide;
    if (!tally_wide_path(path, wide))
        return TALLY_NO_FILE;
    return tally_take_handle(CreateFileW(wide, access, SHARE_ALL, NULL, OPEN_EXISTING,
                                         FILE_FLAG_BACKUP_SEMANTICS | how, NULL));
}

bool tally_folder_rename(tally_file folder, const char *name, const char *to) {
    tally_wide from, target;
    return find_path(folder, name, from) && find_path(folder, to, target) &&
           (MoveFileExW(from, target, MOVEFILE_REPLACE_EXISTING) || tally_set_errno());
}

bool tally_folder_remove(tally_file folder, const char *name) {
    tally_wide path;
    return find_path(folder, name, path) && (DeleteFileW(path) || tally_set_errno());
}

void tally_folder_touch(tally_file folder, const char *name) {
    FILETIME now;
    tally_wide path;
    GetSystemTimeAsFileTime(&now);
    tally_file file = find_path(folder, name, path)
                          ? open_at(path, FILE_WRITE_ATTRIBUTES, OPEN_EXISTING)
                          : TALLY_NO_FILE;
    if (file == TALLY_NO_FILE)
        return;
    SetFileTime(tally_handle(file), NULL, NULL, &now);
    CloseHandle(tally_handle(file));
}

bool tally_each_found(const WCHAR *pattern, tally_found_visit *visit, void *user) {
    WIN32_FIND_DATAW next;
    char name[MAX_PATH * 3 + 1];
    HANDLE list = FindFirstFileW(pattern, &next);
    if (list == INVALID_HANDLE_VALUE)
        return tally_set_errno();
    bool more = true;
    while (more) {
        if (tally_narrow(next.cFileName, name, sizeof name) > 0)
            more = visit(user, &next, name);
        more = more && FindNextFileW(list, &next);
    }
    FindClose(list);
    return true;
}

/* Who visits the files of a folder, and which of them. */
typedef struct visitor {
    bool (*wanted)(const char *name);
    tally_folder_visit *visit;
    void *user;
} visitor;

static bool visit_file(void *user, const WIN32_FIND_DATAW *found, const char *name) {
    const visitor *to = user;
    const uint64_t bytes = (uint64_t)found->nFileSizeHigh << 32 | found->nFileSizeLow;
    if ((found->dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0 || !to->wanted(name))
        return true;
    return to->visit(to->user, name, bytes, tally_date_of(&found->ftLastWriteTime));
}

void tally_folder_each(tally_file folder, bool (*wanted)(const char *name),
                       tally_folder_visit *visit, void *user) {
    visitor to = {wanted, visit, user};
    tally_wide pattern;
    if (find_path(folder, "*", pattern))
        (void)tally_each_found(pattern, visit_file, &to);
}
