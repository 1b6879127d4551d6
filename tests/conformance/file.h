/*
 * file.h: whole files in memory, and the names of files.
 */
#ifndef TESTS_CONFORMANCE_FILE_H
#define TESTS_CONFORMANCE_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "outcome.h"

typedef struct file {
    uint8_t *data;
    size_t size;
} file;

bool file_read(file *it, const char *path, outcome *out);
void file_free(file *it);

/* Room for any name that is made here; a longer one fails the case. */
#define FILE_PATH_ROOM 2048
bool file_path(char path[FILE_PATH_ROOM], outcome *out, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

bool file_exists(const char *path);

#endif
