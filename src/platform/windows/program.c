/*
 * What a program needs of Windows.
 */
#include "platform/windows/windows.h"

#include "platform/program.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <shellapi.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

/* ---- The arguments ------------------------------------------------------------------------- */

/* To be freed; NULL if there is no memory. */
static char *copy_narrow(const WCHAR *wide) {
    const int bytes = WideCharToMultiByte(CP_UTF8, 0, wide, -1, NULL, 0, NULL, NULL);
    char *text = malloc((size_t)bytes + 1);
    if (text != NULL)
        tally_narrow(wide, text, (size_t)bytes + 1);
    return text;
}

/* They stay until the program ends. Without memory they are what main was given. */
static void take_arguments(int *argc, char ***argv) {
    int count = 0;
    WCHAR **wide = CommandLineToArgvW(GetCommandLineW(), &count);
    char **list = wide != NULL ? calloc((size_t)count + 1, sizeof *list) : NULL;
    bool taken = list != NULL;
    for (int i = 0; taken && i < count; i++) {
        list[i] = copy_narrow(wide[i]);
        taken = list[i] != NULL;
    }
    LocalFree((void *)wide);
    if (!taken)
        return;
    *argc = count;
    *argv = list;
}

void tally_program_begin(int *argc, char ***argv) {
    take_arguments(argc, argv);
    for (int stream = 0; stream < 3; stream++)
        (void)_setmode(stream, _O_BINARY);
    if (tally_is_terminal(TALLY_STANDARD_OUTPUT) || tally_is_terminal(TALLY_STANDARD_ERROR))
        SetConsoleOutputCP(CP_UTF8);
}

/* ---- Standard streams ---------------------------------------------------------------------- */

static HANDLE stream_of(tally_stream which) {
    static const DWORD numbers[] = {STD_INPUT_HANDLE, STD_OUTPUT_HANDLE, STD_ERROR_HANDLE};
    return GetStdHandle(numbers[which]);
}

bool tally_is_terminal(tally_stream which) {
    DWORD mode;
    return GetConsoleMode(stream_of(which), &mode) != 0;
}

tally_file tally_stream_open(tally_stream which) {
    HANDLE own = INVALID_HANDLE_VALUE;
    const HANDLE self = GetCurrentProcess();
    if (!DuplicateHandle(self, stream_of(which), self, &own, 0, FALSE, DUPLICATE_SAME_ACCESS))
        own = INVALID_HANDLE_VALUE;
    return tally_take_handle(own);
}

/* ---- Paths --------------------------------------------------------------------------------- */

bool tally_path_look(const char *path, tally_file_facts *facts) {
    const tally_file file = tally_open_there(path, FILE_READ_ATTRIBUTES, TALLY_FOLLOW_LINKS);
    if (file == TALLY_NO_FILE)
        return false;
    const bool looked = tally_file_look(file, facts);
    CloseHandle(tally_handle(file));
    return looked;
}

bool tally_path_is_writable(const char *path) {
    const tally_file file = tally_path_open_to_write(path);
    return file != TALLY_NO_FILE && tally_file_close(file);
}

char *tally_path_resolve(const char *path) {
    const tally_file file = tally_open_there(path, FILE_READ_ATTRIBUTES, TALLY_FOLLOW_LINKS);
    tally_wide wide;
    if (file == TALLY_NO_FILE)
        return NULL;
    const DWORD length = GetFinalPathNameByHandleW(tally_handle(file), wide, TALLY_WIDE_MAX, 0);
    if (length == 0)
        tally_set_errno();
    CloseHandle(tally_handle(file));
    errno = length >= TALLY_WIDE_MAX ? ENAMETOOLONG : errno;
    return length > 0 && length < TALLY_WIDE_MAX ? copy_narrow(wide) : NULL;
}

tally_file tally_path_open(const char *path) {
    return tally_open_there(path, GENERIC_READ, TALLY_FOLLOW_LINKS);
}

tally_file tally_path_open_to_write(const char *path) {
    return tally_open_there(path, GENERIC_WRITE, TALLY_FOLLOW_LINKS);
}

tally_file tally_path_create(const char *path) {
    tally_wide wide;
    return tally_wide_path(path, wide) ? tally_create_new(wide) : TALLY_NO_FILE;
}

bool tally_path_rename(const char *path, const char *to) {
    tally_wide from, target;
    return tally_wide_path(path, from) && tally_wide_path(to, target) &&
           (MoveFileExW(from, target, MOVEFILE_REPLACE_EXISTING) || tally_set_errno());
}

bool tally_path_remove(const char *path) {
    tally_wide wide;
    return tally_wide_path(path, wide) && (DeleteFileW(wide) || tally_set_errno());
}

/* ---- Files --------------------------------------------------------------------------------- */

void tally_file_wait(tally_file file) {
    (void)file;
}

ptrdiff_t tally_file_read_at(tally_file file, uint64_t offset, void *bytes, size_t size) {
    OVERLAPPED at = tally_at(offset);
    return tally_read_some(file, &at, bytes, size);
}

bool tally_file_write_at(tally_file file, uint64_t offset, const void *bytes, size_t size) {
    OVERLAPPED at = tally_at(offset);
    return tally_write_all(file, &at, bytes, size);
}

bool tally_file_resize(tally_file file, uint64_t bytes) {
    FILE_END_OF_FILE_INFO end;
    end.EndOfFile.QuadPart = (LONGLONG)bytes;
    return SetFileInformationByHandle(tally_handle(file), FileEndOfFileInfo, &end, sizeof end) ||
           tally_set_errno();
}

/* Windows tells when it is written. */
bool tally_file_flush(tally_file file) {
    (void)file;
    return true;
}

/* The folder gives new files their permissions. */
bool tally_file_permit(tally_file file, unsigned permissions) {
    (void)file;
    (void)permissions;
    return true;
}

void *tally_file_map(tally_file file, size_t bytes) {
    HANDLE mapping = CreateFileMappingW(tally_handle(file), NULL, PAGE_READONLY, 0, 0, NULL);
    void *map = mapping != NULL ? MapViewOfFile(mapping, FILE_MAP_READ, 0, 0, bytes) : NULL;
    if (map == NULL)
        tally_set_errno();
    if (mapping != NULL)
        CloseHandle(mapping);
    return map;
}

void tally_file_unmap(void *map, size_t bytes) {
    (void)bytes;
    UnmapViewOfFile(map);
}

/* ---- Signals -------------------------------------------------------------------------------- */

/* What the end of the program has to remove: a handler gets no other argument. */
static char *volatile *unfinished;

static BOOL WINAPI remove_unfinished(DWORD event) {
    (void)event;
    char *path = *unfinished;
    if (path != NULL)
        tally_path_remove(path);
    return FALSE; /* and the program ends */
}

void tally_remove_on_signal(char *volatile *path) {
    unfinished = path;
    SetConsoleCtrlHandler(remove_unfinished, FALSE);
    SetConsoleCtrlHandler(remove_unfinished, TRUE);
}

/* There are none for what is written. */
void tally_fail_without_signal(void) {}

static volatile LONG stopped;

/*
 * The console tells the process that runs as well, which ends by that. Where it is closed Windows
 * ends all at once, and nothing is put away.
 */
static BOOL WINAPI stop(DWORD event) {
    if (event != CTRL_C_EVENT && event != CTRL_BREAK_EVENT)
        return FALSE;
    InterlockedExchange(&stopped, 1);
    return TRUE; /* and the program goes on */
}

void tally_stop_on_signal(void) {
    SetConsoleCtrlHandler(stop, TRUE);
}

bool tally_is_stopped(void) {
    return stopped != 0;
}

void tally_end_stopped(void) {
    ExitProcess((UINT)STATUS_CONTROL_C_EXIT);
}

/* ---- Running the program once more ----------------------------------------------------------- */

void tally_set_environment(const char *name, const char *value) {
    tally_wide wide_name, wide_value;
    if (tally_wide_path(name, wide_name) && tally_wide_path(value, wide_value))
        SetEnvironmentVariableW(wide_name, wide_value);
}

/* The argument in quotes, as CommandLineToArgvW takes it: none of ours ends in a backslash. */
static size_t add_argument(const char *argument, WCHAR *line, size_t used) {
    tally_wide wide;
    if (!tally_wide_path(argument, wide) || used + wcslen(wide) + 4 >= TALLY_WIDE_MAX)
        return used;
    return used + (size_t)swprintf(line + used, TALLY_WIDE_MAX - used, L"\"%ls\" ", wide);
}

/* Start it with one end of a pipe as its standard output. */
static bool start(char *const *arguments, HANDLE output, PROCESS_INFORMATION *child) {
    tally_wide self, line = L"";
    size_t used = 0;
    STARTUPINFOW how;
    memset(&how, 0, sizeof how);
    how.cb = sizeof how;
    how.dwFlags = STARTF_USESTDHANDLES;
    how.hStdInput = stream_of(TALLY_STANDARD_INPUT);
    how.hStdOutput = output;
    how.hStdError = stream_of(TALLY_STANDARD_ERROR);
    for (size_t i = 0; arguments[i] != NULL; i++)
        used = add_argument(arguments[i], line, used);
    return GetModuleFileNameW(NULL, self, TALLY_WIDE_MAX) != 0 &&
           CreateProcessW(self, line, NULL, NULL, TRUE, 0, NULL, NULL, &how, child) != 0;
}

bool tally_run_again(char *const *arguments, char *text, size_t bytes, unsigned *status) {
    SECURITY_ATTRIBUTES inherited = {sizeof inherited, NULL, TRUE};
    PROCESS_INFORMATION child;
    HANDLE from = NULL, to = NULL;
    DWORD ended = 0;
    size_t used = 0;
    if (!CreatePipe(&from, &to, &inherited, 0))
        return tally_set_errno();
    SetHandleInformation(from, HANDLE_FLAG_INHERIT, 0);
    const bool started = start(arguments, to, &child) || tally_set_errno();
    CloseHandle(to);
    for (ptrdiff_t got = 1; started && got > 0 && used < bytes - 1; used += (size_t)got) {
        got = tally_file_read((tally_file)from, text + used, bytes - 1 - used);
        got = got > 0 ? got : 0;
    }
    text[used] = '\0';
    CloseHandle(from);
    if (!started)
        return false;
    WaitForSingleObject(child.hProcess, INFINITE);
    GetExitCodeProcess(child.hProcess, &ended);
    CloseHandle(child.hThread);
    CloseHandle(child.hProcess);
    *status = (unsigned)ended;
    return true;
}
