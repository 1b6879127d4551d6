/*
 * The directory of a zip archive, with the numbers of 64 bits of ZIP64. All that a number says is
 * held against the archive's length before it is used.
 *
 * Format: https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
 */
#include "cli/npy/zip.h"

#include <string.h>

/* What the parts of an archive begin with. */
#define LOCAL UINT32_C(0x04034b50)
#define ENTRY UINT32_C(0x02014b50)
#define END UINT32_C(0x06054b50)
#define END64 UINT32_C(0x06064b50)
#define LOCATOR64 UINT32_C(0x07064b50)

/* Their bytes, without names and comments. */
#define LOCAL_BYTES 30
#define ENTRY_BYTES 46
#define END_BYTES 22
#define END64_BYTES 56
#define LOCATOR64_BYTES 20

#define COMMENT_MAX 65535
#define IN_64_BITS UINT32_C(0xFFFFFFFF) /* a number is elsewhere, of 64 bits */
#define EXTRA_64 1                      /* the kind of field where such numbers are */
#define FLAG_ENCRYPTED 1u

/* ---- Numbers ------------------------------------------------------------------------------- */

static uint64_t number(const unsigned char *at, unsigned bytes) {
    uint64_t value = 0;
    for (unsigned i = 0; i < bytes; i++)
        value |= (uint64_t)at[i] << (8 * i);
    return value;
}

static uint32_t u16(const unsigned char *at) {
    return (uint32_t)number(at, 2);
}

static uint32_t u32(const unsigned char *at) {
    return (uint32_t)number(at, 4);
}

static uint64_t u64(const unsigned char *at) {
    return number(at, 8);
}

/* So many bytes from an offset on; NULL: they are not there. */
static const unsigned char *look(const zip_archive *archive, uint64_t offset, uint64_t count) {
    return offset <= archive->length && count <= archive->length - offset ? archive->bytes + offset
                                                                          : NULL;
}

/* A part that begins with its mark. */
static const unsigned char *look_part(const zip_archive *archive, uint64_t offset, uint64_t count,
                                      uint32_t mark) {
    const unsigned char *at = look(archive, offset, count);
    return at != NULL && u32(at) == mark ? at : NULL;
}

static int broken(const char *what, cli_error *error) {
    return cli_fail(error, "is a broken .npz file: %s", what);
}

/* ---- The directory ------------------------------------------------------------------------- */

bool zip_begins(const void *bytes, uint64_t length) {
    return length >= 4 && (u32(bytes) == LOCAL || u32(bytes) == END);
}

/* Where the part at the archive's end begins: behind it comes nothing but its comment. */
static bool find_end(const zip_archive *archive, uint64_t *offset) {
    const uint64_t most = END_BYTES + COMMENT_MAX;
    for (uint64_t back = END_BYTES; back <= archive->length && back <= most; back++) {
        *offset = archive->length - back;
        const unsigned char *end = look_part(archive, *offset, END_BYTES, END);
        if (end != NULL && u16(end + 20) == back - END_BYTES)
            return true;
    }
    return false;
}

int zip_open(const void *bytes, uint64_t length, zip_archive *archive, cli_error *error) {
    uint64_t offset = 0;
    *archive = (zip_archive){.bytes = bytes, .length = length};
    if (!find_end(archive, &offset))
        return broken("its end is missing, it is cut off", error);
    const unsigned char *end = archive->bytes + offset;
    uint64_t bytes_of = u32(end + 12);
    archive->count = u16(end + 10);
    archive->next = u32(end + 16);
    const unsigned char *locator =
        offset < LOCATOR64_BYTES
            ? NULL
            : look_part(archive, offset - LOCATOR64_BYTES, LOCATOR64_BYTES, LOCATOR64);
    if (locator != NULL) {
        end = look_part(archive, u64(locator + 8), END64_BYTES, END64);
        if (end == NULL)
            return broken("its end of 64 bits is not where it says", error);
        archive->count = u64(end + 32);
        bytes_of = u64(end + 40);
        archive->next = u64(end + 48);
    }
    if (look(archive, archive->next, bytes_of) == NULL)
        return broken("its directory is not where it says", error);
    archive->end = archive->next + bytes_of;
    return CLI_DONE;
}

/* ---- Members ------------------------------------------------------------------------------- */

/* Replace numbers that are in a field of 64 bits. False: they are missing there. */
static bool widen(const unsigned char *extra, uint32_t length, uint64_t *const numbers[3]) {
    uint32_t at = 0, missing = 0;
    for (size_t i = 0; i < 3; i++)
        missing += *numbers[i] == IN_64_BITS;
    while (missing > 0 && length - at >= 4) {
        const uint32_t kind = u16(extra + at), bytes = u16(extra + at + 2);
        at += 4;
        if (bytes > length - at)
            return false;
        for (uint32_t i = 0, used = 0; kind == EXTRA_64 && i < 3; i++)
            if (*numbers[i] == IN_64_BITS && bytes - used >= 8) {
                *numbers[i] = u64(extra + at + used);
                used += 8;
                missing--;
            }
        if (kind == EXTRA_64)
            break;
        at += bytes;
    }
    return missing == 0;
}

/* The packed bytes lie behind a head of their own, which has the name once more. */
static int find_bytes(const zip_archive *archive, uint64_t head, zip_member *member,
                      cli_error *error) {
    const unsigned char *local = look_part(archive, head, LOCAL_BYTES, LOCAL);
    if (local == NULL)
        return broken("a member is not where its directory says", error);
    const uint32_t name_length = u16(local + 26);
    const unsigned char *name = look(archive, head + LOCAL_BYTES, name_length);
    if (name == NULL || name_length != member->name_length ||
        memcmp(name, member->name, name_length) != 0)
        return broken("a member has another name than in its directory", error);
    member->offset = head + LOCAL_BYTES + name_length + u16(local + 28);
    if (look(archive, member->offset, member->packed) == NULL)
        return broken("a member goes beyond its end", error);
    return CLI_DONE;
}

int zip_next(zip_archive *archive, zip_member *member, cli_error *error) {
    const unsigned char *entry = look_part(archive, archive->next, ENTRY_BYTES, ENTRY);
    if (entry == NULL || archive->end - archive->next < ENTRY_BYTES)
        return broken("its directory ends too early", error);
    const uint32_t name_length = u16(entry + 28), extra_length = u16(entry + 30);
    const uint64_t all = (uint64_t)ENTRY_BYTES + name_length + extra_length + u16(entry + 32);
    if (all > archive->end - archive->next)
        return broken("its directory ends too early", error);
    *member = (zip_member){.name = (const char *)entry + ENTRY_BYTES,
                           .name_length = name_length,
                           .method = u16(entry + 10),
                           .crc = u32(entry + 16),
                           .packed = u32(entry + 20),
                           .bytes = u32(entry + 24)};
    uint64_t head = u32(entry + 42);
    uint64_t *const numbers[3] = {&member->bytes, &member->packed, &head};
    if (!widen(entry + ENTRY_BYTES + name_length, extra_length, numbers))
        return broken("numbers of 64 bits are missing", error);
    if ((u16(entry + 8) & FLAG_ENCRYPTED) != 0)
        return cli_fail(error, "is encrypted");
    if (member->method == ZIP_STORED && member->packed != member->bytes)
        return broken("a stored member has two sizes", error);
    archive->next += all;
    archive->count--;
    return find_bytes(archive, head, member, error);
}
