/*
 * What is told of jobs that have run. docs/command-line.md has the fields of the document.
 */
#include "cli/job/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- A line -------------------------------------------------------------------------------- */

/* Of several devices no phases are told. */
static void print_times(const job_result *result) {
    if (result->devices > 0) {
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

/* ---- A document ---------------------------------------------------------------------------- */

/* "input": {"file": ..., "type": ..., "shape": [...]}; NULL for a tensor that is not known. */
static void write_tensor(json_document *document, const char *key, const char *file,
                         const tally_tensor *tensor) {
    json_begin(document, key, '{');
    json_text(document, "file", file);
    json_text(document, "type", tensor != NULL ? tally_dtype_name(tensor->dtype) : NULL);
    if (tensor != NULL)
        json_numbers(document, "shape", tensor->size, tensor->rank);
    else
        json_text(document, "shape", NULL);
    json_end(document, '}');
}

static void write_phases(json_document *document, const job_result *result) {
    json_begin(document, "phases_ms", '{');
    for (size_t i = 0; i < result->phase_count; i++)
        json_real(document, result->phases[i].name, result->phases[i].seconds * 1e3);
    json_end(document, '}');
}

static void write_file(json_document *document, const job_file *file, const job *work,
                       const job_result *result, const cli_error *why) {
    const bool known = work->steps != NULL;
    const tally_tensor *input = known ? tally_desc_input(job_desc(work)) : NULL;
    json_begin(document, NULL, '{');
    json_text(document, "error", why != NULL ? why->text : NULL);
    if (file->input != NULL)
        write_tensor(document, "input", file->input, input);
    else
        json_text(document, "input", NULL);
    write_tensor(document, "output", file->output, known ? job_output(work) : NULL);
    json_truth(document, "in_pieces", result->streams);
    json_real(document, "kernels_ms", result->kernel_seconds * 1e3);
    json_real(document, "wall_ms", result->seconds * 1e3);
    write_phases(document, result);
    json_end(document, '}');
}

/* The devices' names, and what their runtimes compiled. */
static void write_devices(json_document *document, const session *shared) {
    const bool many = shared->on.count > 0;
    const device *first = many ? shared->on.device : &shared->device;
    const uint32_t count = many ? shared->on.count : shared->device.queue != NULL;
    uint64_t programs = 0;
    json_begin(document, "devices", '[');
    for (uint32_t i = 0; i < count; i++) {
        tally_stats stats = {.struct_size = sizeof stats};
        char *name = device_text(first[i].id, CL_DEVICE_NAME);
        json_text(document, NULL, name);
        free(name);
        if (tally_runtime_stats(first[i].runtime, &stats, NULL) == TALLY_OK)
            programs += stats.programs_built;
    }
    json_end(document, ']');
    json_integer(document, "programs_built", programs);
}

/* ---- All of them --------------------------------------------------------------------------- */

void job_report_begin(job_report *report, const task *asked) {
    *report = (job_report){.asked = asked, .document = {.to = stdout}};
    if (!asked->options->json)
        return;
    json_begin(&report->document, NULL, '{');
    json_text(&report->document, "command", asked->command);
    json_begin(&report->document, "files", '[');
}

void job_report_file(job_report *report, const job_file *file, bool is_one, const job *work,
                     const job_result *result, const cli_error *why) {
    const common_options *options = report->asked->options;
    if (options->json)
        write_file(&report->document, file, work, result, why);
    if (why != NULL || !options->time)
        return;
    if (is_one)
        fprintf(stderr, "%s: ", file->input);
    print_times(result);
}

void job_report_end(job_report *report, const session *shared) {
    if (!report->asked->options->json)
        return;
    json_end(&report->document, ']');
    write_devices(&report->document, shared);
    json_end(&report->document, '}');
}
