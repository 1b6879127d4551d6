/*
 * Writes go on where the one before ended, and after signals.
 */
#define _POSIX_C_SOURCE 200809L
#include "cli/npy/write.h"

#include <errno.h>
#include <unistd.h>

bool write_all(int file, const void *bytes, size_t count) {
    for (const char *next = bytes; count > 0;) {
        const ssize_t written = write(file, next, count);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return false;
        next += written;
        count -= (size_t)written;
    }
    return true;
}
