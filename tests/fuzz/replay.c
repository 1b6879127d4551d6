/*
 * replay.c: a fuzzer without libFuzzer: its input is each file of the folders that are named, in
 * turn. So every build, by any compiler, runs the corpora.
 *
 *   fuzz_NAME FOLDER...
 */
#define _POSIX_C_SOURCE 200809L

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What a fuzzer has to say of its corpus when all of it was seen; most have nothing to say. */
void replay_end(void) __attribute__((weak));

#define PATH_ROOM 4096

static void stop(const char *what, const char *path) {
    fprintf(stderr, "%s: %s\n", path, what);
    exit(1);
}

/* In memory of just its size, so that a sanitizer sees what reads beyond. */
static void run_file(const char *path) {
    FILE *file = fopen(path, "rb");
    if (file == NULL || fseek(file, 0, SEEK_END) != 0)
        stop("can't be read", path);
    const long size = ftell(file);
    uint8_t *data = size >= 0 ? malloc((size_t)size > 0 ? (size_t)size : 1) : NULL;
    if (data == NULL || fseek(file, 0, SEEK_SET) != 0 ||
        fread(data, 1, (size_t)size, file) != (size_t)size)
        stop("can't be read", path);
    fclose(file);
    LLVMFuzzerTestOneInput(data, (size_t)size);
    free(data);
}

/* The name of a file that ends the program is the last line of the log. */
static unsigned run_folder(const char *folder) {
    unsigned count = 0;
    DIR *files = opendir(folder);
    if (files == NULL)
        stop("no such folder", folder);
    for (const struct dirent *entry = readdir(files); entry != NULL; entry = readdir(files)) {
        char path[PATH_ROOM];
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        puts(path);
        fflush(stdout);
        run_file(path);
        count++;
    }
    closedir(files);
    return count;
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        const unsigned count = run_folder(argv[i]);
        if (count == 0)
            stop("no file", argv[i]);
        printf("%u inputs of %s\n", count, argv[i]);
    }
    if (replay_end != NULL)
        replay_end();
    return argc > 1 ? 0 : 2;
}
