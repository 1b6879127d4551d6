/*
 * The file that a benchmark writes what it found to. Runs nothing.
 */
#include "cli/bench/results/file.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int bench_file_open(bench_file *file, const char *path, cli_error *error) {
    memset(file, 0, sizeof *file);
    if (path != NULL && output_open(&file->file, path, error) != CLI_DONE)
        return CLI_FAILED;
    file->path = path;
    return CLI_DONE;
}

void bench_file_write(bench_file *file, const char *bytes, size_t count) {
    if (file->path != NULL && !file->failed)
        file->failed = output_write(&file->file, bytes, count, &file->error) != CLI_DONE;
}

void bench_file_add(bench_file *file, const char *format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    bench_file_write(file, text, (size_t)length < sizeof text ? (size_t)length : sizeof text - 1);
}

int bench_file_end(bench_file *file, cli_error *error) {
    if (file->path == NULL)
        return CLI_DONE;
    if (file->failed) {
        *error = file->error;
        return CLI_FAILED;
    }
    return output_commit(&file->file, error);
}

void bench_file_close(bench_file *file) {
    if (file->path != NULL)
        output_discard(&file->file);
}
