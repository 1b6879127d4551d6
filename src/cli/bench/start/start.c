/*
 * tally bench start: processes, one after the other, that make an operator and get its first
 * result: without a cache, with an empty one, with one that has all, and once more with whatever
 * the driver keeps for itself. Elsewhere the driver's own cache is off or empty, so that it is not
 * what is measured. Knows processes and times, no operator.
 */
#include "cli/bench/start/start.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/bench/results/json.h"
#include "cli/bench/start/folder.h"
#include "cli/bench/start/work.h"
#include "cli/bench/time.h"
#include "platform/program.h"
#include "platform/system.h"

#define ARGUMENTS 16
#define SAMPLES_MAX 1000
#define LINE_BYTES 512

/* ---- What is measured ---------------------------------------------------------------------- */

typedef enum mode { COLD, FILLING, WARM, AGAIN, MODES } mode;

static const struct {
    const char *name, *heading;
    bool cache, kept; /* with a cache; with what the driver kept */
} modes[MODES] = {
    [COLD] = {"cold", "cold", false, false},
    [FILLING] = {"filling", "filling", true, false},
    [WARM] = {"warm", "warm", true, false},
    [AGAIN] = {"again", "again", true, true},
};

/* Medians, in seconds. */
typedef struct measured {
    double driver;       /* from the start of the process until the driver had a queue */
    double ours[MODES];  /* from there to the result */
    double whole[MODES]; /* from the start of the process to the result */
    unsigned programs, loaded;
} measured;

typedef struct session {
    const bench_start_options *given;
    start_folder folder; /* of all that the processes write */
    char cache[TALLY_PATH_BYTES + 16], driver[TALLY_PATH_BYTES + 32];
    unsigned serial; /* of the driver's folder */
    unsigned long long checksum;
    bool has_checksum;
} session;

/* ---- Folders ------------------------------------------------------------------------------- */

/* A folder for the driver's own cache that nobody has written to. */
static void renew_driver(session *state) {
    if (state->driver[0] != '\0')
        tally_path_remove_folder(state->driver);
    snprintf(state->driver, sizeof state->driver, "%s/driver-%u", state->folder.path,
             state->serial++);
    tally_make_folder(state->driver);
}

/* ---- Processes ----------------------------------------------------------------------------- */

/* The drivers' own caches, by the variables that they read: an empty folder, or none. */
static void set_environment(const session *state, bool kept) {
    tally_set_environment("POCL_CACHE_DIR", state->driver);
    tally_set_environment("CUDA_CACHE_PATH", state->driver);
    tally_set_environment("CUDA_CACHE_DISABLE", kept ? "0" : "1");
    tally_set_environment("NEO_CACHE_PERSISTENT", kept ? "1" : "0");
}

static void list_arguments(const session *state, const char *name, bool cache,
                           char *arguments[ARGUMENTS]) {
    const common_options *common = state->given->common;
    static const char *const families[] = {"auto", "generic", "gpu", "cpu"};
    size_t count = 0;
    const char *list[ARGUMENTS] = {"tally", "bench", "start", "--child", name};
    for (count = 0; list[count] != NULL; count++)
        ;
    list[count++] = "--family";
    list[count++] = families[common->family];
    list[count++] = cache ? "--cache-dir" : "--no-cache";
    if (cache)
        list[count++] = state->cache;
    if (common->device != NULL) {
        list[count++] = "--device";
        list[count++] = common->device;
    }
    for (size_t i = 0; i < ARGUMENTS; i++)
        arguments[i] = i < count ? (char *)list[i] : NULL;
}

/* Start the program once more and wait for it; what it prints on stdout is its line. */
static int run_process(char *arguments[ARGUMENTS], char line[LINE_BYTES], cli_error *error) {
    unsigned status = 0;
    if (!tally_run_again(arguments, line, LINE_BYTES, &status))
        return cli_fail(error, "the program can't be started again: %s", strerror(errno));
    return status == 0 ? CLI_DONE
                       : cli_fail(error, "a process of it ended with status 0x%x", status);
}

/* One process in one mode; *began is when it was started. */
static int run_once(session *state, const char *name, mode how, double *began, start_result *result,
                    cli_error *error) {
    char *arguments[ARGUMENTS];
    char line[LINE_BYTES] = "";
    if (how == FILLING)
        tally_path_remove_folder(state->cache);
    if (how != AGAIN)
        renew_driver(state);
    set_environment(state, modes[how].kept);
    list_arguments(state, name, modes[how].cache, arguments);
    *began = tally_clock();
    int status = run_process(arguments, line, error);
    if (status != CLI_DONE)
        return status;
    /* NOLINTNEXTLINE(cert-err34-c): the line is our own program's, which prints no huge numbers */
    if (sscanf(line, "%lf %lf %lf %u %u %u %llx", &result->driver, &result->runtime,
               &result->result, &result->programs, &result->built, &result->loaded,
               &result->checksum) != 7)
        return cli_fail(error, "a process of it printed '%.100s'", line);
    if (state->has_checksum && state->checksum != result->checksum)
        return cli_fail(error, "a process %s has other results than the first", modes[how].name);
    state->checksum = result->checksum;
    state->has_checksum = true;
    return CLI_DONE;
}

/* ---- Rows ---------------------------------------------------------------------------------- */

/* As many samples as wanted of what is quick, one of what compiles all operators. */
static uint32_t samples_of(const session *state, size_t index, mode how) {
    return how <= FILLING && start_work_is_whole(index) ? 1 : state->given->samples;
}

static int measure_mode(session *state, size_t index, mode how, measured *found, cli_error *error) {
    double driver[SAMPLES_MAX], ours[SAMPLES_MAX], whole[SAMPLES_MAX];
    const uint32_t samples = samples_of(state, index, how);
    for (uint32_t i = 0; i < samples; i++) {
        start_result result;
        double began = 0;
        int status = run_once(state, start_work_name(index), how, &began, &result, error);
        if (status != CLI_DONE)
            return status;
        driver[i] = result.driver - began;
        ours[i] = result.result - result.driver;
        whole[i] = result.result - began;
        found->programs = result.programs;
        if (how == WARM)
            found->loaded = result.loaded;
    }
    found->ours[how] = bench_median(ours, samples);
    found->whole[how] = bench_median(whole, samples);
    if (how == WARM)
        found->driver = bench_median(driver, samples);
    return CLI_DONE;
}

static void report_row(bench_file *json, size_t index, size_t before, const measured *found) {
    const char *name = start_work_name(index);
    printf("%-24s %8u %10.1f", name, found->programs, found->driver * 1e3);
    for (int i = 0; i < MODES; i++)
        printf(" %10.1f", found->ours[i] * 1e3);
    printf(" %10.1f %10.1f\n", found->whole[COLD] * 1e3, found->whole[WARM] * 1e3);
    fflush(stdout);
    bench_file_add(json, "%s\n  {", before > 0 ? "," : "");
    bench_json_text(json, "name", name);
    bench_file_add(json, ", \"programs\": %u, \"loaded\": %u", found->programs, found->loaded);
    bench_json_number(json, "driver_ms", found->driver * 1e3);
    for (int i = 0; i < MODES; i++) {
        char key[32];
        snprintf(key, sizeof key, "%s_ms", modes[i].name);
        bench_json_number(json, key, found->ours[i] * 1e3);
        snprintf(key, sizeof key, "%s_whole_ms", modes[i].name);
        bench_json_number(json, key, found->whole[i] * 1e3);
    }
    bench_file_add(json, "}");
}

static int measure_rows(session *state, bench_file *json, cli_error *error) {
    size_t done = 0;
    for (size_t i = 0; start_work_name(i) != NULL; i++) {
        measured found = {.driver = 0};
        int status = CLI_DONE;
        if (state->given->only != NULL && strstr(start_work_name(i), state->given->only) == NULL)
            continue;
        state->has_checksum = false;
        for (mode how = COLD; how < MODES && status == CLI_DONE; how++)
            status = measure_mode(state, i, how, &found, error);
        if (status != CLI_DONE)
            return cli_error_prefix(error, start_work_name(i), status);
        report_row(json, i, done++, &found);
    }
    return CLI_DONE;
}

/* ---- The benchmark ------------------------------------------------------------------------- */

bool bench_start_any(const char *only) {
    for (size_t i = 0; start_work_name(i) != NULL; i++)
        if (only == NULL || strstr(start_work_name(i), only) != NULL)
            return true;
    return false;
}

/* The head is of the device that the processes will choose. */
static int print_head(const session *state, bench_file *json, cli_error *error) {
    device_request request = options_request(state->given->common, false);
    device chosen;
    request.cache_dir = NULL;
    request.no_cache = true;
    int status = device_choose(&request, &chosen, error);
    if (status != CLI_DONE)
        return status;
    bench_json_head(json, chosen.id);
    device_close(&chosen);
    printf(
        "Milliseconds, medians of %u processes each. driver: from the start of a process until\n"
        "the driver has a context and a queue. From there to the first result: cold, no cache;\n"
        "filling, into an empty cache; warm, from the cache, in all of which the driver keeps\n"
        "nothing of its own; again, from the cache, the driver keeping what it will. Last, from\n"
        "the start of a process to its first result.\n\n%-24s %8s %10s",
        (unsigned)state->given->samples, "operator", "programs", "driver");
    for (int i = 0; i < MODES; i++)
        printf(" %10s", modes[i].heading);
    printf(" %10s %10s\n", "whole cold", "whole warm");
    fflush(stdout);
    bench_file_add(json, " \"benchmark\": \"start\",\n \"samples\": %u,\n \"rows\": [",
                   (unsigned)state->given->samples);
    return CLI_DONE;
}

int bench_start_run(const bench_start_options *given, cli_error *error) {
    session state = {.given = given};
    bench_file json;
    if (given->samples > SAMPLES_MAX)
        return cli_misuse(error, "--samples %u: start takes %d at most", (unsigned)given->samples,
                          SAMPLES_MAX);
    int status = bench_file_open(&json, given->json, error);
    if (status == CLI_DONE)
        status = print_head(&state, &json, error);
    if (status == CLI_DONE)
        status = start_folder_open(&state.folder, error);
    if (status == CLI_DONE) {
        snprintf(state.cache, sizeof state.cache, "%s/cache", state.folder.path);
        status = measure_rows(&state, &json, error);
    }
    start_folder_close(&state.folder);
    bench_file_add(&json, "\n ]}\n");
    if (status == CLI_DONE)
        status = bench_file_end(&json, error);
    bench_file_close(&json);
    if (tally_is_stopped())
        tally_end_stopped();
    return status;
}
