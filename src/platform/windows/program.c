/*
 * What a program needs of Windows.
 */
#include "platform/windows/windows.h"

#include "platform/places.h"
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

/* ---- Places -------------------------------------------------------------------------------- */

bool tally_path_is_writable(const char *path, tally_file_kind kind) {
    if (kind == TALLY_FILE_FOLDER)
        return true;
    const tally_file file = tally_open(TALLY_NO_FOLDER, path, TALLY_TO_WRITE);
    return file != TALLY_NO_FILE && tally_file_close(file);
}

char *tally_path_resolve(const char *path) {
    tally_wide wide;
    const tally_file file =
        tally_wide_path(path, wide) ? tally_open_to_look(wide, TALLY_FOLLOW_LINKS) : TALLY_NO_FILE;
    if (file == TALLY_NO_FILE)
        return NULL;
    const DWORD length = GetFinalPathNameByHandleW(tally_handle(file), wide, TALLY_WIDE_MAX, 0);
    if (length == 0)
        tally_set_errno();
    CloseHandle(tally_handle(file));
    errno = length >= TALLY_WIDE_MAX ? ENAMETOOLONG : errno;
    return length > 0 && length < TALLY_WIDE_MAX ? copy_narrow(wide) : NULL;
}

bool tally_path_remove_empty(const char *path) {
    tally_wide wide;
    return tally_wide_path(path, wide) && (RemoveDirectoryW(wide) || tally_set_errno());
}

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

void tally_host(char *name, size_t bytes) {
    WCHAR wide[MAX_COMPUTERNAME_LENGTH + 1];
    DWORD length = MAX_COMPUTERNAME_LENGTH + 1;
    name[0] = '\0';
    if (GetComputerNameW(wide, &length) && tally_narrow(wide, name, bytes) == 0)
        name[0] = '\0';
}

/* ---- Files --------------------------------------------------------------------------------- */

void tally_file_wait(tally_file file) {
    (void)file;
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
        tally_remove(TALLY_NO_FOLDER, path);
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

bool tally_child_start(char *const *arguments, tally_child *child) {
    SECURITY_ATTRIBUTES inherited = {sizeof inherited, NULL, TRUE};
    PROCESS_INFORMATION made;
    HANDLE from = NULL, to = NULL;
    if (!CreatePipe(&from, &to, &inherited, 0))
        return tally_set_errno();
    SetHandleInformation(from, HANDLE_FLAG_INHERIT, 0);
    const bool started = start(arguments, to, &made) || tally_set_errno();
    CloseHandle(to);
    if (!started) {
        CloseHandle(from);
        return false;
    }
    CloseHandle(made.hThread);
    *child = (tally_child){(tally_file)from, (intptr_t)made.hProcess};
    return true;
}

unsigned tally_child_end(const tally_child *child) {
    const HANDLE process = (HANDLE)child->process;
    DWORD ended = 0;
    WaitForSingleObject(process, INFINITE);
    GetExitCodeProcess(process, &ended);
    CloseHandle(process);
    return (unsigned)ended;
}
