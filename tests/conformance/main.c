/*
 * main.c: runs ONNX's node tests on Tally: every model of a folder whose graph is one node of
 * CumSum, CumProd, Reduce*, ArgMax, ArgMin, EyeLike or Trilu, through the public API, on the first
 * OpenCL device. What passes is counted, all else is named with its reason.
 */
#define _POSIX_C_SOURCE 200809L
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case.h"
#include "file.h"
#include "report.h"

static const char usage[] =
    "usage: onnx_conformance VERSION FOLDER [EXPECTED]\n"
    "  VERSION   what to call this ONNX in the closing line\n"
    "  FOLDER    of the cases, such as onnx/backend/test/data/node\n"
    "  EXPECTED  how many cases must pass; without it, all that can be expressed\n";

static void run_folder(const device *where, const char *folder, struct dirent **entries, int count,
                       report *results) {
    for (int k = 0; k < count; k++) {
        const char *name = entries[k]->d_name;
        char path[FILE_PATH_ROOM];
        survey found = {0};
        outcome out = {0};
        if (file_path(path, &out, "%s/%s/model.onnx", folder, name) && !file_exists(path)) {
            continue;
        }
        case_run(where, folder, name, &found, &out);
        report_add(results, name, &found, &out);
    }
}

static bool run(const char *version, const char *folder, unsigned expected) {
    report results = {0};
    struct dirent **entries = NULL;
    device where = {0};
    outcome out = {0};
    bool fine = false;
    const int count = scandir(folder, &entries, NULL, alphasort);
    if (count < 0) {
        fprintf(stderr, "onnx_conformance: %s is no folder that can be read\n", folder);
        return false;
    }
    if (device_open(&where, &out)) {
        printf("ONNX %s, %s, on %s\n\n", version, folder, where.name);
        run_folder(&where, folder, entries, count, &results);
        fine = report_close(&results, version, expected);
        device_close(&where);
    } else {
        fprintf(stderr, "onnx_conformance: %s\n", out.reason);
    }
    for (int k = 0; k < count; k++) {
        free(entries[k]);
    }
    free(entries);
    return fine;
}

int main(int argc, char **argv) {
    unsigned long expected = 0;
    char *end = NULL;
    if (argc == 4) {
        expected = strtoul(argv[3], &end, 10);
    }
    if (argc < 3 || argc > 4 || (argc == 4 && (*end != 0 || expected == 0 || expected > 99999))) {
        fputs(usage, stderr);
        return 2;
    }
    return run(argv[1], argv[2], (unsigned)expected) ? EXIT_SUCCESS : EXIT_FAILURE;
}
