/*
 * Threads, clocks and facts of Windows, and what its errors and texts are elsewhere. Locks are slim
 * reader-writer locks, which take no resources and need no end: no library of threads has to come
 * with the program.
 */
#include "platform/windows/windows.h"

#include "platform/system.h"

#include <aclapi.h>
#include <errno.h>
#include <process.h>
#include <sddl.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

/* ---- Errors -------------------------------------------------------------------------------- */

bool tally_set_errno(void) {
    static const struct {
        DWORD windows;
        int code;
    } rows[] = {
        {ERROR_FILE_NOT_FOUND, ENOENT},
        {ERROR_PATH_NOT_FOUND, ENOENT},
        {ERROR_INVALID_NAME, ENOENT},
        {ERROR_BAD_NETPATH, ENOENT},
        {ERROR_BAD_PATHNAME, ENOENT},
        {ERROR_ACCESS_DENIED, EACCES},
        {ERROR_SHARING_VIOLATION, EACCES},
        {ERROR_LOCK_VIOLATION, EACCES},
        {ERROR_WRITE_PROTECT, EROFS},
        {ERROR_FILE_EXISTS, EEXIST},
        {ERROR_ALREADY_EXISTS, EEXIST},
        {ERROR_DISK_FULL, ENOSPC},
        {ERROR_HANDLE_DISK_FULL, ENOSPC},
        {ERROR_NOT_ENOUGH_MEMORY, ENOMEM},
        {ERROR_OUTOFMEMORY, ENOMEM},
        {ERROR_COMMITMENT_LIMIT, ENOMEM},
        {ERROR_TOO_MANY_OPEN_FILES, EMFILE},
        {ERROR_DIRECTORY, ENOTDIR},
        {ERROR_DIR_NOT_EMPTY, ENOTEMPTY},
        {ERROR_BROKEN_PIPE, EPIPE},
        {ERROR_NO_DATA, EPIPE},
        {ERROR_FILENAME_EXCED_RANGE, ENAMETOOLONG},
        {ERROR_INVALID_HANDLE, EBADF},
        {ERROR_NO_UNICODE_TRANSLATION, EILSEQ},
        {ERROR_INVALID_PARAMETER, EINVAL},
    };
    const DWORD last = GetLastError();
    errno = EIO;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].windows == last)
            errno = rows[i].code;
    return false;
}

/* ---- Texts --------------------------------------------------------------------------------- */

/* Windows takes paths of 260 characters and more only in full, with this before them. */
static bool lengthen(tally_wide wide) {
    static const WCHAR mark[] = L"\\\\?\\";
    const size_t marked = sizeof mark / sizeof *mark - 1;
    tally_wide full;
    if (wcslen(wide) < 240 || wcsncmp(wide, mark, marked) == 0)
        return true;
    const DWORD length = GetFullPathNameW(wide, TALLY_WIDE_MAX, full, NULL);
    if (length == 0 || length + marked >= TALLY_WIDE_MAX) {
        errno = ENAMETOOLONG;
        return false;
    }
    memcpy(wide, mark, sizeof mark);
    memcpy(wide + marked, full, (length + 1) * sizeof *full);
    return true;
}

bool tally_wide_path(const char *path, tally_wide wide) {
    SetLastError(ERROR_PATH_NOT_FOUND);
    if (path[0] == '\0' ||
        MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, wide, TALLY_WIDE_MAX) == 0) {
        if (GetLastError() == ERROR_INSUFFICIENT_BUFFER)
            SetLastError(ERROR_FILENAME_EXCED_RANGE);
        return tally_set_errno();
    }
    return lengthen(wide);
}

size_t tally_narrow(const WCHAR *wide, char *text, size_t bytes) {
    const int room = bytes < INT32_MAX ? (int)bytes : INT32_MAX;
    const int length = WideCharToMultiByte(CP_UTF8, 0, wide, -1, text, room, NULL, NULL);
    if (length == 0)
        errno = ENAMETOOLONG;
    return length > 0 ? (size_t)length - 1 : 0;
}

/* ---- Locks --------------------------------------------------------------------------------- */

typedef struct own_lock {
    SRWLOCK mutex;
    CONDITION_VARIABLE changed;
} own_lock;
_Static_assert(sizeof(own_lock) <= sizeof(tally_lock), "a lock has no room for the system's");

static own_lock *its(tally_lock *lock) {
    return (own_lock *)lock;
}

bool tally_lock_init(tally_lock *lock) {
    InitializeSRWLock(&its(lock)->mutex);
    InitializeConditionVariable(&its(lock)->changed);
    return true;
}

void tally_lock_destroy(tally_lock *lock) {
    (void)lock;
}

void tally_lock_acquire(tally_lock *lock) {
    AcquireSRWLockExclusive(&its(lock)->mutex);
}

void tally_lock_release(tally_lock *lock) {
    ReleaseSRWLockExclusive(&its(lock)->mutex);
}

void tally_lock_wait(tally_lock *lock) {
    SleepConditionVariableSRW(&its(lock)->changed, &its(lock)->mutex, INFINITE, 0);
}

void tally_lock_announce(tally_lock *lock) {
    WakeAllConditionVariable(&its(lock)->changed);
}

bool tally_lock_wait_until(tally_lock *lock, double time) {
    const double left = (time - tally_clock()) * 1e3;
    /* A millisecond more: a wait must not end before its time. */
    const DWORD most = left > 0 ? left < 1e6 ? (DWORD)left + 1 : 1000000 : 0;
    return SleepConditionVariableSRW(&its(lock)->changed, &its(lock)->mutex, most, 0) != 0 ||
           tally_clock() < time;
}

/* ---- Threads ------------------------------------------------------------------------------- */

static unsigned __stdcall run_thread(void *user) {
    const tally_thread *self = user;
    self->run(self->user);
    return 0;
}

bool tally_thread_start(tally_thread *thread, void (*run)(void *user), void *user) {
    thread->run = run;
    thread->user = user;
    thread->of = (HANDLE)_beginthreadex(NULL, 0, run_thread, thread, 0, NULL);
    return thread->of != NULL;
}

void tally_thread_join(tally_thread *thread) {
    WaitForSingleObject(thread->of, INFINITE);
    CloseHandle(thread->of);
}

uint32_t tally_processors(void) {
    const DWORD count = GetActiveProcessorCount(ALL_PROCESSOR_GROUPS);
    return count > 1 && count < 65536 ? (uint32_t)count : 1;
}

/* ---- Clocks -------------------------------------------------------------------------------- */

double tally_clock(void) {
    LARGE_INTEGER now, in_second;
    QueryPerformanceCounter(&now);
    QueryPerformanceFrequency(&in_second);
    return (double)now.QuadPart / (double)in_second.QuadPart;
}

int64_t tally_date(void) {
    FILETIME now;
    GetSystemTimeAsFileTime(&now);
    return tally_date_of(&now);
}

/* ---- Facts --------------------------------------------------------------------------------- */

long tally_process(void) {
    return (long)GetCurrentProcessId();
}

void tally_machine(char *text, size_t bytes) {
    SYSTEM_INFO about;
    unsigned long long features = 0;
    GetNativeSystemInfo(&about);
    for (DWORD i = 0; i < 64; i++)
        features |= (unsigned long long)(IsProcessorFeaturePresent(i) != 0) << i;
    snprintf(text, bytes, "%u-%u-%u %llx", about.wProcessorArchitecture, about.wProcessorLevel,
             about.wProcessorRevision, features);
}

const tally_conventions tally_system = {
    .separators = "\\/:",
    .folds_case = true,
    .home = "LOCALAPPDATA",
    .below_home = "",
    .no_cache = "neither XDG_CACHE_HOME nor LOCALAPPDATA is an absolute path",
};

const char *tally_environment(const char *name, char room[TALLY_ENVIRONMENT_BYTES]) {
    tally_wide wide_name, value;
    if (!tally_wide_path(name, wide_name))
        return NULL;
    const DWORD length = GetEnvironmentVariableW(wide_name, value, TALLY_WIDE_MAX);
    return length > 0 && length < TALLY_WIDE_MAX &&
                   tally_narrow(value, room, TALLY_ENVIRONMENT_BYTES) > 0
               ? room
               : NULL;
}

tally_any_function tally_find_function(const char *library, const char *name) {
    HMODULE loaded = GetModuleHandleA(library);
    return loaded != NULL ? (tally_any_function)(void (*)(void))GetProcAddress(loaded, name) : NULL;
}

/* ---- Whose a folder is ----------------------------------------------------------------------- */

/* Of the user who runs this process; NULL if that cannot be known. */
typedef union user {
    TOKEN_USER token;
    BYTE room[sizeof(TOKEN_USER) + SECURITY_MAX_SID_SIZE];
} user;

static PSID find_user(user *of) {
    HANDLE token = NULL;
    DWORD used = 0;
    if (!OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &token))
        return NULL;
    const bool told = GetTokenInformation(token, TokenUser, of, sizeof *of, &used) != 0;
    CloseHandle(token);
    return told ? of->token.User.Sid : NULL;
}

/* The user, and those who may do everything on this machine anyway. */
static bool is_trusted(PSID sid, PSID own) {
    return EqualSid(sid, own) || IsWellKnownSid(sid, WinLocalSystemSid) ||
           IsWellKnownSid(sid, WinBuiltinAdministratorsSid) ||
           IsWellKnownSid(sid, WinCreatorOwnerSid) || IsWellKnownSid(sid, WinCreatorOwnerRightsSid);
}

/* Whether an entry of the list lets somebody else write. */
static bool opens_to_others(ACL *list, DWORD index, PSID own) {
    const DWORD writes = FILE_ADD_FILE | FILE_ADD_SUBDIRECTORY | FILE_DELETE_CHILD | WRITE_DAC |
                         WRITE_OWNER | GENERIC_WRITE | GENERIC_ALL;
    ACCESS_ALLOWED_ACE *entry = NULL;
    if (!GetAce(list, index, (void **)&entry))
        return true;
    return entry->Header.AceType == ACCESS_ALLOWED_ACE_TYPE && (entry->Mask & writes) != 0 &&
           !is_trusted(&entry->SidStart, own);
}

tally_writers tally_find_writers(HANDLE folder) {
    user self;
    PSID owner = NULL, own = find_user(&self);
    ACL *list = NULL;
    PSECURITY_DESCRIPTOR all = NULL;
    if (own == NULL || GetSecurityInfo(folder, SE_FILE_OBJECT,
                                       OWNER_SECURITY_INFORMATION | DACL_SECURITY_INFORMATION,
                                       &owner, NULL, &list, NULL, &all) != ERROR_SUCCESS)
        return TALLY_WRITERS_UNKNOWN;
    const tally_writers owners = is_trusted(owner, own) ? TALLY_WRITERS_SELF : TALLY_WRITERS_OWNER;
    bool open = list == NULL; /* to everybody */
    for (DWORD i = 0; list != NULL && i < list->AceCount; i++)
        open = open || opens_to_others(list, i, own);
    LocalFree(all);
    return owners == TALLY_WRITERS_SELF && open ? TALLY_WRITERS_OTHERS : owners;
}

bool tally_make_folder(const char *path) {
    static const WCHAR format[] = L"D:P(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)(A;OICI;FA;;;%ls)";
    SECURITY_ATTRIBUTES how = {sizeof how, NULL, FALSE};
    user self;
    PSID own = find_user(&self);
    WCHAR text[256], *name = NULL;
    tally_wide wide;
    if (!tally_wide_path(path, wide))
        return false;
    if (own != NULL && ConvertSidToStringSidW(own, &name)) {
        swprintf(text, sizeof text / sizeof *text, format, name);
        ConvertStringSecurityDescriptorToSecurityDescriptorW(text, SDDL_REVISION_1,
                                                             &how.lpSecurityDescriptor, NULL);
    }
    const bool made = CreateDirectoryW(wide, how.lpSecurityDescriptor != NULL ? &how : NULL) != 0 ||
                      tally_set_errno();
    LocalFree(how.lpSecurityDescriptor);
    LocalFree(name);
    return made;
}
