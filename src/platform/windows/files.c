/*
 * Files and folders of Windows. A folder that is open can be neither renamed nor removed, so its
 * files are reached through the path that its handle has. Files are open to all, and can be renamed
 * and removed meanwhile, as on other systems.
 */
#include "platform/windows/windows.h"

#include <errno.h>
#include <string.h>

/* ---- What is known of a file ------------------------------------------------------------- */

static uint64_t join(DWORD high, DWORD low) {
    return (uint64_t)high << 32 | low;
}

int64_t tally_date_of(const FILETIME *time) {
    const int64_t since_1601 = (int64_t)join(time->dwHighDateTime, time->dwLowDateTime);
    return (since_1601 - INT64_C(116444736000000000)) * 100;
}

static tally_file_kind kind_of(DWORD attributes) {
    return (attributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0 ? TALLY_FILE_LINK
           : (attributes & FILE_ATTRIBUTE_DEVICE) != 0      ? TALLY_FILE_OTHER
           : (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0   ? TALLY_FILE_FOLDER
                                                            : TALLY_FILE_PLAIN;
}

static bool look_at_disk(HANDLE file, tally_file_facts *facts) {
    BY_HANDLE_FILE_INFORMATION about;
    FILE_STANDARD_INFO more;
    if (!GetFileInformationByHandle(file, &about))
        return tally_set_errno();
    facts->kind = kind_of(about.dwFileAttributes);
    if (facts->kind == TALLY_FILE_FOLDER)
        facts->writers = tally_find_writers(file);
    facts->has_name = GetFileInformationByHandleEx(file, FileStandardInfo, &more, sizeof more) &&
                      !more.DeletePending && more.NumberOfLinks > 0;
    facts->bytes = join(about.nFileSizeHigh, about.nFileSizeLow);
    facts->used = tally_date_of(&about.ftLastWriteTime);
    facts->identity.volume = about.dwVolumeSerialNumber;
    facts->identity.number = join(about.nFileIndexHigh, about.nFileIndexLow);
    return true;
}

bool tally_file_look(tally_file file, tally_file_facts *facts) {
    memset(facts, 0, sizeof *facts);
    facts->kind = TALLY_FILE_OTHER;
    facts->writers = TALLY_WRITERS_UNKNOWN;
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

/* The path of a name in an open folder. */
static bool find_path(tally_file folder, const char *name, tally_wide path) {
    if (folder == TALLY_NO_FOLDER)
        return tally_wide_path(name, path);
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

bool tally_look(tally_file folder, const char *name, tally_links links, tally_file_facts *facts) {
    tally_wide path;
    const tally_file file =
        find_path(folder, name, path) ? tally_open_to_look(path, links) : TALLY_NO_FILE;
    if (file == TALLY_NO_FILE)
        return false;
    const bool looked = tally_file_look(file, facts);
    CloseHandle(tally_handle(file));
    return looked;
}

/* ---- Opening ----------------------------------------------------------------------------- */

tally_file tally_take_handle(HANDLE handle) {
    if (handle == INVALID_HANDLE_VALUE)
        tally_set_errno();
    return (tally_file)handle;
}

/* How a file is opened. Folders are with the flag BACKUP alone, links themselves with LINK. */
typedef struct way {
    DWORD access, share, creation, flags;
} way;
#define ALL (FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE)
#define BACKUP FILE_FLAG_BACKUP_SEMANTICS
#define LINK FILE_FLAG_OPEN_REPARSE_POINT

static tally_file open_path(const WCHAR *path, const way *how) {
    return tally_take_handle(
        CreateFileW(path, how->access, how->share, NULL, how->creation, how->flags, NULL));
}

tally_file tally_open_to_look(const WCHAR *path, tally_links links) {
    const way how = {FILE_READ_ATTRIBUTES, ALL, OPEN_EXISTING,
                     links == TALLY_KEEP_LINKS ? BACKUP | LINK : BACKUP};
    return open_path(path, &how);
}

/* Only a folder itself can be held. */
static tally_file keep_folder(tally_file file) {
    tally_file_facts about;
    if (file == TALLY_NO_FILE || !tally_file_look(file, &about) || about.kind == TALLY_FILE_FOLDER)
        return file;
    CloseHandle(tally_handle(file));
    errno = ENOTDIR;
    return TALLY_NO_FILE;
}

tally_file tally_open(tally_file folder, const char *name, tally_purpose to) {
    static const way ways[] = {
        [TALLY_TO_READ] = {GENERIC_READ, ALL, OPEN_EXISTING, BACKUP},
        [TALLY_TO_WRITE] = {GENERIC_WRITE, ALL, OPEN_EXISTING, BACKUP},
        [TALLY_TO_CREATE] = {GENERIC_WRITE, ALL, CREATE_NEW, LINK},
        [TALLY_TO_CREATE_OWN] = {GENERIC_WRITE, ALL, CREATE_NEW, LINK},
        [TALLY_TO_DROP] = {GENERIC_READ | GENERIC_WRITE | DELETE, 0, CREATE_NEW,
                           FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE},
        [TALLY_TO_READ_ITSELF] = {GENERIC_READ, ALL, OPEN_EXISTING, LINK},
        [TALLY_TO_LOCK] = {GENERIC_READ | GENERIC_WRITE, ALL, OPEN_EXISTING, LINK},
        [TALLY_TO_LOCK_FOLDER] = {FILE_READ_ATTRIBUTES, ALL, OPEN_EXISTING, BACKUP | LINK},
        /* Without leave to remove it, so that its path stays what it is. */
        [TALLY_TO_HOLD] = {FILE_LIST_DIRECTORY | READ_CONTROL, FILE_SHARE_READ | FILE_SHARE_WRITE,
                           OPEN_EXISTING, BACKUP | LINK},
    };
    tally_wide path;
    if (!find_path(folder, name, path))
        return TALLY_NO_FILE;
    const tally_file file = open_path(path, &ways[to]);
    return to == TALLY_TO_HOLD ? keep_folder(file) : file;
}

bool tally_file_close(tally_file file) {
    return CloseHandle(tally_handle(file)) || tally_set_errno();
}

/* ---- Reading and writing ----------------------------------------------------------------- */

static OVERLAPPED at(uint64_t offset) {
    OVERLAPPED place;
    memset(&place, 0, sizeof place);
    place.Offset = (DWORD)offset;
    place.OffsetHigh = (DWORD)(offset >> 32);
    return place;
}

/* Calls take 32 bits of bytes. */
static DWORD share_of(size_t size) {
    return size < 1u << 30 ? (DWORD)size : 1u << 30;
}

ptrdiff_t tally_file_read_once(tally_file file, uint64_t offset, void *bytes, size_t size) {
    OVERLAPPED from = at(offset);
    DWORD got = 0;
    if (ReadFile(tally_handle(file), bytes, share_of(size), &got,
                 offset != TALLY_NEXT ? &from : NULL))
        return (ptrdiff_t)got;
    if (GetLastError() == ERROR_BROKEN_PIPE || GetLastError() == ERROR_HANDLE_EOF)
        return 0;
    tally_set_errno();
    return -1;
}

ptrdiff_t tally_file_write_once(tally_file file, uint64_t offset, const void *bytes, size_t size) {
    OVERLAPPED to = at(offset);
    DWORD written = 0;
    if (WriteFile(tally_handle(file), bytes, share_of(size), &written,
                  offset != TALLY_NEXT ? &to : NULL))
        return (ptrdiff_t)written;
    tally_set_errno();
    return -1;
}

bool tally_file_sync(tally_file file) {
    return FlushFileBuffers(tally_handle(file)) || tally_set_errno();
}

/* A byte far behind the end: what is locked nobody else can read or write. */
tally_file_locking tally_file_lock(tally_file file) {
    OVERLAPPED place = at(UINT64_C(1) << 62);
    if (LockFileEx(tally_handle(file), LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0,
                   &place))
        return TALLY_FILE_LOCKED;
    const DWORD why = GetLastError();
    return why == ERROR_LOCK_VIOLATION || why == ERROR_IO_PENDING ? TALLY_FILE_BUSY
                                                                  : TALLY_FILE_LOCKLESS;
}

bool tally_file_may_have(uint64_t bytes) {
    (void)bytes;
    return true;
}

/* ---- Names ------------------------------------------------------------------------------- */

bool tally_rename(tally_file folder, const char *name, const char *to) {
    tally_wide from, target;
    return find_path(folder, name, from) && find_path(folder, to, target) &&
           (MoveFileExW(from, target, MOVEFILE_REPLACE_EXISTING) || tally_set_errno());
}

bool tally_remove(tally_file folder, const char *name) {
    tally_wide path;
    return find_path(folder, name, path) && (DeleteFileW(path) || tally_set_errno());
}

void tally_touch(tally_file folder, const char *name) {
    const way how = {FILE_WRITE_ATTRIBUTES, ALL, OPEN_EXISTING, LINK};
    FILETIME now;
    tally_wide path;
    GetSystemTimeAsFileTime(&now);
    const tally_file file = find_path(folder, name, path) ? open_path(path, &how) : TALLY_NO_FILE;
    if (file == TALLY_NO_FILE)
        return;
    SetFileTime(tally_handle(file), NULL, NULL, &now);
    CloseHandle(tally_handle(file));
}

void tally_folder_names(tally_file folder, tally_name_visit *visit, void *user) {
    WIN32_FIND_DATAW next;
    tally_wide pattern;
    char name[MAX_PATH * 3 + 1];
    HANDLE list =
        find_path(folder, "*", pattern) ? FindFirstFileW(pattern, &next) : INVALID_HANDLE_VALUE;
    if (list == INVALID_HANDLE_VALUE)
        return;
    bool more = true;
    while (more) {
        if (tally_narrow(next.cFileName, name, sizeof name) > 0)
            more = visit(user, name);
        more = more && FindNextFileW(list, &next);
    }
    FindClose(list);
}
