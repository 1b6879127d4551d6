/*
 * What a benchmark was measured on.
 */
#include "cli/bench/results/head.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void ask(cl_device_id id, cl_device_info what, char told[512]) {
    char *text = device_text(id, what);
    snprintf(told, 512, "%s", text != NULL ? text : "");
    free(text);
}

void bench_head_make(bench_head *head, cl_device_id id) {
    const unsigned version = tally_version();
    const time_t now = time(NULL);
    const struct tm *utc = gmtime(&now);
    memset(head, 0, sizeof *head);
    ask(id, CL_DEVICE_NAME, head->device);
    ask(id, CL_DRIVER_VERSION, head->driver);
    ask(id, CL_DEVICE_VERSION, head->opencl);
    snprintf(head->tally, sizeof head->tally, "%u.%u.%u", version / 10000, version / 100 % 100,
             version % 100);
    head->order_version = tally_order_version();
    if (utc != NULL)
        strftime(head->date, sizeof head->date, "%Y-%m-%dT%H:%M:%SZ", utc);
}
