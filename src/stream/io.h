/*
 * Pieces from a source and to a sink, by one thread or by several. Knows the caller's functions, no
 * device.
 */
#ifndef TALLY_STREAM_IO_H
#define TALLY_STREAM_IO_H

#include "stream/boxes.h"
#include "stream/host.h"

typedef struct tally_io {
    const tally_flat *flat;
    tally_source source;
    tally_sink sink;
    const tally_host_tensor
        *lends[2];    /* memory of source and sink that a device may use; or NULL */
    uint32_t threads; /* at most, of those that take several */
    bool (*progress)(void *user, uint64_t done, uint64_t all);
    void *user;
    uint64_t done, all; /* bytes */
} tally_io;

/* Check a stream's members. has_ends: the source and the sink have to be there. */
tally_status tally_io_open(tally_io *io, const tally_flat *flat, const tally_stream *stream,
                           bool has_ends, bool copies, tally_error *error);

/* The input of a box from the source, packed; the output of a box to the sink. */
tally_status tally_io_read(tally_io *io, const tally_flat_box *box, void *elements,
                           tally_error *error);
tally_status tally_io_write(tally_io *io, const tally_flat_box *box, const void *elements,
                            tally_error *error);

/* Without copies: whether the host writes what kernels read, or reads what they write. */
bool tally_io_shares_cache(const tally_io *io);

/* Where the input, or the output, of a box lies packed in the host's memory; NULL: nowhere. */
void *tally_io_lend(const tally_io *io, const tally_flat_box *box, bool output);

/* In the place of reading or writing a box that is lent: report the progress. */
tally_status tally_io_pass(tally_io *io, const tally_flat_box *box, bool output,
                           tally_error *error);

#endif
