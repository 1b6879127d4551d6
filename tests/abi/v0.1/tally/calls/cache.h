/*
 * tally/calls/cache.h: the folder that keeps compiled kernels. A part of tally/tally.h.
 * Needs no runtime.
 */
#ifndef TALLY_CALLS_CACHE_H
#define TALLY_CALLS_CACHE_H

#include <stddef.h>
#include <stdint.h>

#include <tally/calls/api.h>
#include <tally/types/errors.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- The cache on disk ---------------------------------------------------------------------- */

/*
 * A runtime with a tally_config.cache_dir keeps values there that take long to find: the binaries
 * of programs, the results of the numerics probe, and the verdict on the single pass. Any later
 * process that names the same folder finds them. Several processes may use the folder at once.
 *
 * The key of a value names all that it depends on: the versions of the library and of the orders,
 * the kernel's source and options, the names and versions of platform, device and driver, and the
 * processor where it may be the device. A value with another key is not used. The key does not
 * contain environment variables of drivers, such as PoCL's POCL_EXTRA_BUILD_FLAGS. A program that
 * sets one must name another folder, or none.
 *
 * The cache never makes a call fail. If the folder cannot be used, a file is damaged, the disk is
 * full, or the driver refuses a binary, then kernels are compiled. Files have a checksum, which is
 * tested before a driver sees the file.
 *
 * Missing folders are created. A folder is not used if others can write to it, if it belongs to
 * another user, or if it is a symbolic link, because what lies there is run. The log says why. If
 * the files have more bytes than tally_config.cache_limit, the least recently used ones are
 * removed.
 */

/*
 * Write the path of the user's cache folder for Tally: $XDG_CACHE_HOME/tally. If that variable is
 * not an absolute path, it is $HOME/.cache/tally, on macOS $HOME/Library/Caches/tally, and on
 * Windows %LOCALAPPDATA%\tally. This is the only function that reads the environment. path has room
 * for bytes; 4096 are always enough for a path that can be used. TALLY_UNSUPPORTED: no variable is
 * an absolute path. TALLY_INVALID: the path does not fit.
 */
TALLY_API tally_status tally_default_cache_dir(char *path, size_t bytes, tally_error *error);

/* A file of a cache. */
typedef struct tally_cache_file {
    /* Lines of text that say what the value depends on. NULL: the file is damaged. The text is gone
     * when the call ends. */
    const char *key;
    uint64_t bytes; /* the size of the file */
    int64_t used;   /* when it was used last, in seconds since 1970 */
} tally_cache_file;

/*
 * Call visit with each file of a cache, in no particular order. user is handed to it. A folder that
 * does not exist has no files. TALLY_INVALID: a runtime would not use the folder.
 */
TALLY_API tally_status tally_cache_list(const char *cache_dir,
                                        void (*visit)(void *user, const tally_cache_file *file),
                                        void *user, tally_error *error);

/*
 * Remove the files of a cache, and no other files. Runtimes that use the cache go on without them.
 * *removed becomes their number, unless removed is NULL. TALLY_INVALID: a runtime would not use the
 * folder, or a file cannot be removed, and the call stops there.
 */
TALLY_API tally_status tally_cache_clear(const char *cache_dir, uint64_t *removed,
                                         tally_error *error);

#ifdef __cplusplus
}
#endif

#endif
