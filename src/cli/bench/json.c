/*
 * What a benchmark found as JSON in a file. Runs nothing.
 */
#include "cli/bench/json.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cli/json.h"

int bench_json_open(bench_json *json, const char *path, cli_error *error) {
    memset(json, 0, sizeof *json);
    if (path != NULL && output_open(&json->file, path, error) != CLI_DONE)
        return CLI_FAILED;
    json->path = path;
    return CLI_DONE;
}

/* Append; the first failure is kept and ends the file. */
void bench_json_add(bench_json *json, const char *format, ...) {
    char text[1024];
    va_list arguments;
    if (json->path == NULL || json->failed)
        return;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    size_t used = (size_t)length < sizeof text ? (size_t)length : sizeof text - 1;
    json->failed = output_write(&json->file, text, used, &json->error) != CLI_DONE;
}

/* "key": "text", with what JSON wants escaped. */
void bench_json_text(bench_json *json, const char *key, const char *text) {
    char room[JSON_ROOM];
    bench_json_add(json, "\"%s\": \"", key);
    while (*text != '\0')
        bench_json_add(json, "%s", json_escape(&text, room));
    bench_json_add(json, "\"");
}

/* , "key": number; null if it is not known. */
void bench_json_number(bench_json *json, const char *key, double number) {
    if (number < 0)
        bench_json_add(json, ", \"%s\": null", key);
    else
        bench_json_add(json, ", \"%s\": %.6g", key, number);
}

void bench_json_head(bench_json *json, cl_device_id id) {
    char *name = device_text(id, CL_DEVICE_NAME), *driver = device_text(id, CL_DRIVER_VERSION);
    char *version = device_text(id, CL_DEVICE_VERSION);
    const char *told[] = {name != NULL ? name : "", driver != NULL ? driver : "",
                          version != NULL ? version : ""};
    uint32_t own = tally_version();
    char date[32] = "", number[48];
    time_t now = time(NULL);
    struct tm *utc = gmtime(&now);
    if (utc != NULL)
        strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", utc);
    snprintf(number, sizeof number, "%u.%u.%u", (unsigned)(own / 10000),
             (unsigned)(own / 100 % 100), (unsigned)(own % 100));
    printf("%s, driver %s, %s\ntally %s, order version %u, %s\n", told[0], told[1], told[2], number,
           (unsigned)tally_order_version(), date);
    bench_json_add(json, "{");
    bench_json_text(json, "device", told[0]);
    bench_json_add(json, ",\n ");
    bench_json_text(json, "driver", told[1]);
    bench_json_add(json, ",\n ");
    bench_json_text(json, "opencl", told[2]);
    bench_json_add(json, ",\n \"tally\": \"%s\",\n \"order_version\": %u,\n \"date\": \"%s\",\n",
                   number, (unsigned)tally_order_version(), date);
    free(name);
    free(driver);
    free(version);
}

int bench_json_end(bench_json *json, cli_error *error) {
    if (json->path == NULL)
        return CLI_DONE;
    if (json->failed) {
        *error = json->error;
        return CLI_FAILED;
    }
    return output_commit(&json->file, error);
}

void bench_json_close(bench_json *json) {
    if (json->path != NULL)
        output_discard(&json->file);
}
