/*
 * What is told of a job that has run.
 */
#include "cli/job/report.h"

#include <inttypes.h>
#include <stdio.h>

/* Of several devices no phases are told. */
static void print_times(const job_result *result) {
    if (result->phase_count == 0) {
        fprintf(stderr, "%" PRIu32 " devices, run %.3f ms, wall %.3f ms\n", result->devices,
                result->kernel_seconds * 1e3, result->seconds * 1e3);
        return;
    }
    if (result->kernel_seconds >= 0)
        fprintf(stderr, "kernels %.3f ms, ", result->kernel_seconds * 1e3);
    else
        fprintf(stderr, "kernels unknown (%s), ",
                result->streams ? "they ran beside the transfers" : "the device gives no times");
    fprintf(stderr, "wall %.3f ms (", result->seconds * 1e3);
    for (size_t i = 0; i < result->phase_count; i++)
        fprintf(stderr, "%s%s %.3f", i > 0 ? ", " : "", result->phases[i].name,
                result->phases[i].seconds * 1e3);
    fprintf(stderr, ")\n");
}

void job_report_file(const task *asked, const char *name, const job *work, const job_result *result,
                     const cli_error *why) {
    (void)work;
    if (why != NULL || !asked->options->time)
        return;
    if (name != NULL)
        fprintf(stderr, "%s: ", name);
    print_times(result);
}
