/*
 * file.c: reading whole files.
 */
#define _POSIX_C_SOURCE 200809L
#include "file.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

bool file_read(file *it, const char *path, outcome *out) {
    FILE *stream = fopen(path, "rb");
    size_t room = 4096, got = 0;
    bool done = false;
    *it = (file){malloc(room), 0};
    if (stream == NULL) {
        outcome_fail(out, "%s cannot be opened", path);
        goto close;
    }
    while (it->data != NULL && (got = fread(it->data + it->size, 1, room - it->size, stream)) > 0) {
        it->size += got;
        if (it->size == room) {
            uint8_t *more = realloc(it->data, room *= 2);
            if (more == NULL) {
                file_free(it);
            } else {
                it->data = more;
            }
        }
    }
    done = it->data != NULL && !ferror(stream);
    if (!done) {
        outcome_fail(out, "%s cannot be read", path);
    }
close:
    if (stream != NULL) {
        fclose(stream);
    }
    if (!done) {
        file_free(it);
    }
    return done;
}

void file_free(file *it) {
    free(it->data);
    *it = (file){NULL, 0};
}

bool file_path(char path[FILE_PATH_ROOM], outcome *out, const char *format, ...) {
    va_list arguments;
    int length = 0;
    va_start(arguments, format);
    length = vsnprintf(path, FILE_PATH_ROOM, format, arguments);
    va_end(arguments);
    if (length < 0 || length >= FILE_PATH_ROOM) {
        return outcome_fail(out, "the file name %.64s... is too long", path);
    }
    return true;
}

bool file_exists(const char *path) {
    return access(path, R_OK) == 0;
}
