/*
 * What a benchmark found as JSON in a file, and what it was measured on at the head of file and
 * table. Knows no results.
 */
#ifndef TALLY_CLI_BENCH_RESULTS_JSON_H
#define TALLY_CLI_BENCH_RESULTS_JSON_H

#include "cli/bench/results/file.h"
#include "cli/device.h"

/* "key": "text", with what JSON wants escaped. */
void bench_json_text(bench_file *json, const char *key, const char *text);

/* , "key": number; null if it is negative, which stands for not known. */
void bench_json_number(bench_file *json, const char *key, double number);

/* The device, the library and the date: two lines on stdout, and the first members of the file. */
void bench_json_head(bench_file *json, cl_device_id id);

#endif
