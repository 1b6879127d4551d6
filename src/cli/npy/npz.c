/*
 * The arrays of a .npz file: finds one by name, unpacks it with zlib in blocks, and holds it
 * against its checksum.
 */
#include "cli/npy/npz.h"

#include <stdio.h>
#include <string.h>

#ifdef TALLY_HAVE_ZLIB

#include <errno.h>
#include <inttypes.h>

#define ZLIB_CONST /* it reads what it unpacks, and no more */
#include <zlib.h>

#include "cli/nearest.h"

#define BLOCK ((size_t)1 << 18)        /* bytes that are unpacked at once */
#define MOST_GIVEN ((uint64_t)1 << 30) /* packed bytes that zlib is given at once */
#define SUFFIX ".npy"

/* ---- Names --------------------------------------------------------------------------------- */

/* Bytes of a member's name, without its suffix. */
static size_t bare_length(const zip_member *member) {
    const size_t suffix = strlen(SUFFIX), length = member->name_length;
    const bool has = length > suffix && memcmp(member->name + length - suffix, SUFFIX, suffix) == 0;
    return has ? length - suffix : length;
}

static bool is_called(const zip_member *member, const char *name) {
    const size_t length = strlen(name);
    return (length == bare_length(member) || length == member->name_length) &&
           memcmp(member->name, name, length) == 0;
}

/* "; did you mean b?" of names in the archive, which have no ends: the names list has. */
typedef struct listed {
    char names[400]; /* " a b c" */
    char near[64];   /* the name that is nearest to what was given */
    size_t used, changes, count;
} listed;

static void list_name(listed *list, const char *wanted, const zip_member *member) {
    char name[64];
    const int shown = (int)bare_length(member);
    snprintf(name, sizeof name, "%.*s", shown, member->name);
    if (list->used < sizeof list->names)
        list->used += (size_t)snprintf(list->names + list->used, sizeof list->names - list->used,
                                       " %s", name);
    list->count++;
    if (wanted == NULL)
        return;
    nearest right = nearest_begin(wanted, strlen(wanted));
    nearest_offer(&right, name);
    if (right.name == NULL || (list->near[0] != '\0' && right.changes >= list->changes))
        return;
    list->changes = right.changes;
    memcpy(list->near, name, sizeof name);
}

static int refuse(const listed *list, const char *name, cli_error *error) {
    if (list->count == 0)
        return cli_fail(error, "has no arrays");
    if (name == NULL)
        return cli_fail(error, "has %zu arrays; name one behind it, as in FILE.npz:NAME, of%s",
                        list->count, list->names);
    return cli_fail(error, "has no array '%s'%s%s%s it has%s", name,
                    list->near[0] != '\0' ? "; did you mean " : ";", list->near,
                    list->near[0] != '\0' ? "?" : "", list->names);
}

int npz_find(const void *bytes, uint64_t length, const char *name, zip_member *member,
             cli_error *error) {
    zip_archive archive;
    zip_member next = {.method = ZIP_STORED};
    listed list = {.used = 0};
    int status = zip_open(bytes, length, &archive, error);
    while (status == CLI_DONE && archive.count > 0) {
        status = zip_next(&archive, &next, error);
        if (status != CLI_DONE)
            break;
        *member = next;
        if (name != NULL && is_called(&next, name))
            return CLI_DONE;
        list_name(&list, name, &next);
    }
    if (status == CLI_DONE && (name != NULL || list.count != 1))
        return refuse(&list, name, error);
    return status;
}

/* ---- Bytes --------------------------------------------------------------------------------- */

static int check(const zip_member *member, uint64_t found, uint32_t crc, cli_error *error) {
    if (found != member->bytes)
        return cli_fail(error, "is broken: it unpacks to %s%" PRIu64 " bytes, %" PRIu64 " are said",
                        found > member->bytes ? "more than " : "",
                        found > member->bytes ? member->bytes : found, member->bytes);
    if (crc != member->crc)
        return cli_fail(error, "is broken: its checksum is %08" PRIx32 ", %08" PRIx32 " is said",
                        crc, member->crc);
    return CLI_DONE;
}

static int read_stored(const unsigned char *bytes, const zip_member *member, cli_error *error) {
    const uLong crc = crc32_z(crc32_z(0, NULL, 0), bytes, (size_t)member->bytes);
    return check(member, member->bytes, (uint32_t)crc, error);
}

/* What was unpacked so far. */
typedef struct unpacked {
    uint64_t bytes;
    uLong crc;
} unpacked;

/* Unpack a block; *ended is set behind the last one. */
static int unpack_block(z_stream *stream, tally_file file, unpacked *all, bool *ended,
                        cli_error *error) {
    static unsigned char block[BLOCK];
    stream->next_out = block;
    stream->avail_out = (uInt)sizeof block;
    const int code = inflate(stream, Z_NO_FLUSH);
    const size_t count = sizeof block - stream->avail_out;
    *ended = code == Z_STREAM_END;
    if (code != Z_OK && code != Z_STREAM_END)
        return cli_fail(error, "is broken: it cannot be unpacked behind %" PRIu64 " bytes",
                        all->bytes + count);
    all->bytes += count;
    all->crc = crc32_z(all->crc, block, count);
    if (!tally_file_write(file, block, count))
        return cli_fail(error, "is unpacked into a file, which cannot be written: %s",
                        strerror(errno));
    return CLI_DONE;
}

static int unpack(const unsigned char *bytes, const zip_member *member, tally_file file,
                  cli_error *error) {
    z_stream stream = {.next_in = NULL};
    unpacked all = {0, crc32_z(0, NULL, 0)};
    uint64_t given = 0;
    bool ended = false;
    int status = CLI_DONE;
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK)
        return cli_fail_memory(error, "unpacking");
    while (status == CLI_DONE && !ended && all.bytes <= member->bytes) {
        if (stream.avail_in == 0 && given < member->packed) {
            const uint64_t left = member->packed - given;
            const uint64_t part = left < MOST_GIVEN ? left : MOST_GIVEN;
            stream.next_in = bytes + given;
            stream.avail_in = (uInt)part;
            given += part;
        }
        status = unpack_block(&stream, file, &all, &ended, error);
    }
    inflateEnd(&stream);
    return status == CLI_DONE ? check(member, all.bytes, (uint32_t)all.crc, error) : status;
}

int npz_unpack(const void *bytes, const zip_member *member, tally_file file, cli_error *error) {
    const unsigned char *packed = (const unsigned char *)bytes + member->offset;
    int status = CLI_DONE;
    if (member->method == ZIP_STORED)
        status = read_stored(packed, member, error);
    else if (member->method == ZIP_DEFLATED)
        status = unpack(packed, member, file, error);
    else
        status = cli_fail(error, "is packed by method %u; stored (0) and deflated (8) can be read",
                          member->method);
    return status;
}

#else

static int refuse_all(cli_error *error) {
    return cli_fail(error, "is a .npz file, which this program was built without zlib to read");
}

int npz_find(const void *bytes, uint64_t length, const char *name, zip_member *member,
             cli_error *error) {
    (void)bytes;
    (void)length;
    (void)name;
    (void)member;
    return refuse_all(error);
}

int npz_unpack(const void *bytes, const zip_member *member, tally_file file, cli_error *error) {
    (void)bytes;
    (void)member;
    (void)file;
    return refuse_all(error);
}

#endif
