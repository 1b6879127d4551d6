/*
 * folder.h: an empty folder for a test to fill, in the folder that the test runs in.
 */
#ifndef TESTS_SUPPORT_FOLDER_H
#define TESTS_SUPPORT_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

#define FOLDER_PATH_BYTES 512

/* Make one for this user alone, and write its path, which begins with a slash. */
void folder_make(char path[FOLDER_PATH_BYTES]);

/* Remove it with all that is in it. */
void folder_remove(const char *path);

/* The files in it whose names have the part, which may be "". */
size_t folder_count(const char *path, const char *part);

/* The path of the first of them in the order of names. Fails the test if there is none. */
void folder_first(const char *path, const char *part, char file[FOLDER_PATH_BYTES]);

/* All bytes of a file, to be freed; and a file of these bytes. */
unsigned char *folder_read(const char *file, size_t *size);
void folder_write(const char *file, const unsigned char *bytes, size_t size);

#endif
