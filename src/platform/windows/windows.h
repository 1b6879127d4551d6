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

/* UTF-8 of a text of the system; returns its bytes without the NUL, 0 with errno if it has no room.
 */
size_t tally_narrow(const WCHAR *wide, char *text, size_t bytes);

/* Set errno to what GetLastError says; false. */
bool tally_set_errno(void);

/* What CreateFileW returns, as a file; sets errno. */
tally_file tally_take_handle(HANDLE handle);

static inline HANDLE tally_handle(tally_file file) {
    return (HANDLE)file;
}

/* Create a new file to write. */
tally_file tally_create_new(const WCHAR *path);

/* Open what is there, folders too: of a link what it leads to, or the link itself. */
typedef enum tally_links { TALLY_FOLLOW_LINKS, TALLY_OPEN_LINKS } tally_links;
tally_file tally_open_there(const char *path, DWORD access, tally_links links);

/*
 * Call visit with all that fits a pattern and its name in UTF-8, until it returns false. False,
 * with errno, if nothing fits.
 */
typedef bool tally_found_visit(void *user, const WIN32_FIND_DATAW *found, const char *name);
bool tally_each_found(const WCHAR *pattern, tally_found_visit *visit, void *user);

/* An offset in a file, for ReadFile and WriteFile. */
OVERLAPPED tally_at(uint64_t offset);

/* Write all bytes, from *at on if it is not NULL. */
bool tally_write_all(tally_file file, OVERLAPPED *at, const void *bytes, size_t size);
ptrdiff_t tally_read_some(tally_file file, OVERLAPPED *at, void *bytes, size_t size);

/* Nanoseconds since 1970 of Windows' hundreds of nanoseconds since 1601. */
int64_t tally_date_of(const FILETIME *time);

/* What lets somebody else write to a folder, who could have us run code of theirs; NULL: nothing.
 */
const char *tally_find_fault(HANDLE folder);

/* Make one folder, for this user and those who may do everything anyway; EEXIST if it is there. */
bool tally_make_one_folder(const char *path);

#endif
