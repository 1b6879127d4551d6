/*
 * fuzz_zip.c: bytes as a .npz file. A refusal has a sentence; of what is accepted every member's
 * bytes lie in the file, and none of them is read beyond its end.
 */
#include <string.h>

#include "cli/npy/zip.h"
#include "support/fail.h"

static void check_sentence(const cli_error *error) {
    if (memchr(error->text, '\0', sizeof error->text) == NULL || strlen(error->text) < 6)
        fail_with("no sentence");
}

/* Reads every byte, so that a sanitizer sees those that are not there. */
static void check_member(const uint8_t *data, size_t size, const zip_member *member) {
    volatile unsigned sum = 0;
    if (member->offset > size || member->packed > size - member->offset)
        fail_with("a member beyond the end");
    if (member->method == ZIP_STORED && member->packed != member->bytes)
        fail_with("a stored member of two sizes");
    for (uint64_t i = 0; i < member->packed; i++)
        sum += data[member->offset + i];
    for (size_t i = 0; i < member->name_length; i++)
        sum += (unsigned char)member->name[i];
    (void)sum; /* clang counts a variable that nothing reads as unused */
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    zip_archive archive;
    zip_member member;
    cli_error error = {""};
    memset(&archive, 0xAB, sizeof archive);
    (void)zip_begins(data, size);
    int status = zip_open(data, size, &archive, &error);
    for (size_t seen = 0; status == CLI_DONE && archive.count > 0; seen++) {
        if (seen > size) /* each has bytes of its own in the directory */
            fail_with("more members than bytes");
        status = zip_next(&archive, &member, &error);
        if (status == CLI_DONE)
            check_member(data, size, &member);
    }
    if (status != CLI_DONE)
        check_sentence(&error);
    return 0;
}
