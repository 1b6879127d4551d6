/*
 * What a benchmark found as JSON in a file, and what it was measured on at the head of file and
 * table. Knows no results.
 */
#ifndef TALLY_CLI_BENCH_JSON_H
#define TALLY_CLI_BENCH_JSON_H

#include <stdbool.h>

#include "cli/device.h"
#include "cli/npy/output.h"

typedef struct bench_json {
    const char *path; /* NULL: no file, and every call but bench_json_head is a no-op */
    output_file file;
    bool failed; /* it could not be written; the error says why */
    cli_error error;
} bench_json;

/* Open the file; fails if it cannot be written, before minutes of work. */
int bench_json_open(bench_json *json, const char *path, cli_error *error);

/* Append; the first failure is kept and ends the file. */
void bench_json_add(bench_json *json, const char *format, ...) CLI_PRINTF(2, 3);

/* "key": "text", with what JSON wants escaped. */
void bench_json_text(bench_json *json, const char *key, const char *text);

/* , "key": number; null if it is negative, which stands for not known. */
void bench_json_number(bench_json *json, const char *key, double number);

/* The device, the library and the date: two lines on stdout, and the first members of the file. */
void bench_json_head(bench_json *json, cl_device_id id);

/* The file in its place. */
int bench_json_end(bench_json *json, cli_error *error);

/* Leave nothing of an unfinished file; a no-op after bench_json_end. */
void bench_json_close(bench_json *json);

#endif
