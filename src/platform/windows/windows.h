/*
 * To be included first by the sources of this folder: Windows' own header, and what they share.
 */
#ifndef TALLY_PLATFORM_WINDOWS_WINDOWS_H
#define TALLY_PLATFORM_WINDOWS_WINDOWS_H

#define WIN32_LEAN_AND_MEAN
#define NOMINMAX
#ifndef _WIN32_WINNT
#define _WIN32_WINNT 0x0601 /* Windows 7 */
#endif
#include <windows.h>

#include "platform/files.h"

/* Characters of a path as the system has it. */
#define TALLY_WIDE_MAX 4096
typedef WCHAR tally_wide[TALLY_WIDE_MAX];

/* The path for the system; false, with errno, if it is no UTF-8, too long or empty. */
bool tally_wide_path(const char *path, tally_wide wide);

/* UTF-8 of a text of the system. Returns its bytes without the NUL; 0, with errno, for no room. */
size_t tally_narrow(const WCHAR *wide, char *text, size_t bytes);

/* Set errno to what GetLastError says; false. */
bool tally_set_errno(void);

/* What CreateFileW returns, as a file; sets errno. */
tally_file tally_take_handle(HANDLE handle);

static inline HANDLE tally_handle(tally_file file) {
    return (HANDLE)file;
}

/* Open what has the path, to learn of it: of a link what it leads to, or the link itself. */
tally_file tally_open_to_look(const WCHAR *path, tally_links links);

/* Who may write to an open folder. */
tally_writers tally_find_writers(HANDLE folder);

/* Nanoseconds since 1970 of Windows' hundreds of nanoseconds since 1601. */
int64_t tally_date_of(const FILETIME *time);

#endif
