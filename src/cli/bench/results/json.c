/*
 * What a benchmark found as JSON in a file. Runs nothing.
 */
#include "cli/bench/results/json.h"

#include <stdio.h>

#include "cli/bench/results/head.h"
#include "cli/text/json.h"

void bench_json_text(bench_file *json, const char *key, const char *text) {
    char room[JSON_ROOM];
    bench_file_add(json, "\"%s\": \"", key);
    while (*text != '\0')
        bench_file_add(json, "%s", json_escape(&text, room));
    bench_file_add(json, "\"");
}

void bench_json_number(bench_file *json, const char *key, double number) {
    if (number < 0)
        bench_file_add(json, ", \"%s\": null", key);
    else
        bench_file_add(json, ", \"%s\": %.6g", key, number);
}

void bench_json_head(bench_file *json, cl_device_id id) {
    bench_head head;
    bench_head_make(&head, id);
    printf("%s, driver %s, %s\ntally %s, order version %u, %s\n", head.device, head.driver,
           head.opencl, head.tally, head.order_version, head.date);
    bench_file_add(json, "{");
    bench_json_text(json, "device", head.device);
    bench_file_add(json, ",\n ");
    bench_json_text(json, "driver", head.driver);
    bench_file_add(json, ",\n ");
    bench_json_text(json, "opencl", head.opencl);
    bench_file_add(json, ",\n \"tally\": \"%s\",\n \"order_version\": %u,\n \"date\": \"%s\",\n",
                   head.tally, head.order_version, head.date);
}
