/*
 * folder.c: making, looking through and removing a test's folder.
 */
#define _XOPEN_SOURCE 700
#include "support/folder.h"

#include <dirent.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <check.h>

void folder_make(char path[FOLDER_PATH_BYTES]) {
    char here[FOLDER_PATH_BYTES - 32];
    ck_assert_ptr_nonnull(getcwd(here, sizeof here));
    snprintf(path, FOLDER_PATH_BYTES, "%s/folder-XXXXXX", here);
    ck_assert_ptr_nonnull(mkdtemp(path));
}

static int remove_one(const char *path, const struct stat *about, int kind, struct FTW *at) {
    (void)about;
    (void)kind;
    (void)at;
    return remove(path);
}

void folder_remove(const char *path) {
    chmod(path, 0700); /* a test may have taken its own rights */
    ck_assert_int_eq(nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS), 0);
}

/* How many there are, and the least name. */
static size_t look(const char *path, const char *part, char *least, size_t bytes) {
    size_t count = 0;
    DIR *open = opendir(path);
    ck_assert_ptr_nonnull(open);
    for (const struct dirent *next; (next = readdir(open)) != NULL;) {
        if (strcmp(next->d_name, ".") == 0 || strcmp(next->d_name, "..") == 0 ||
            strstr(next->d_name, part) == NULL)
            continue;
        if (least != NULL && (count == 0 || strcmp(next->d_name, least) < 0))
            snprintf(least, bytes, "%s", next->d_name);
        count++;
    }
    closedir(open);
    return count;
}

size_t folder_count(const char *path, const char *part) {
    return look(path, part, NULL, 0);
}

void folder_first(const char *path, const char *part, char file[FOLDER_PATH_BYTES]) {
    char name[256] = "";
    ck_assert_uint_gt(look(path, part, name, sizeof name), 0);
    int length = snprintf(file, FOLDER_PATH_BYTES, "%s/%s", path, name);
    ck_assert_int_lt(length, FOLDER_PATH_BYTES);
}

unsigned char *folder_read(const char *file, size_t *size) {
    FILE *open = fopen(file, "rb");
    ck_assert_ptr_nonnull(open);
    ck_assert_int_eq(fseek(open, 0, SEEK_END), 0);
    *size = (size_t)ftell(open);
    rewind(open);
    unsigned char *bytes = malloc(*size > 0 ? *size : 1);
    ck_assert_ptr_nonnull(bytes);
    ck_assert_uint_eq(fread(bytes, 1, *size, open), *size);
    fclose(open);
    return bytes;
}

void folder_write(const char *file, const unsigned char *bytes, size_t size) {
    FILE *open = fopen(file, "wb");
    ck_assert_ptr_nonnull(open);
    ck_assert_uint_eq(fwrite(bytes, 1, size, open), size);
    ck_assert_int_eq(fclose(open), 0);
}
