/*
 * Pieces from a source and to a sink, by one thread or by several. Knows the caller's functions, no
 * device.
 */
#ifndef TALLY_STREAM_IO_H
#define TALLY_STREAM_IO_H

#include "stream/boxes.h"

typedef struct tally_io {
    const tally_flat *flat;
    tally_source source;
    tally_sink sink;
    uint32_t threads; /* at most, of those that take several */
    bool (*progress)(void *user, uint64_t done, uint64_t all);
    void *user;
    uint64_t done, all; /* bytes */
} tally_io;

/* Check a stream's members. has_ends: the source and the sink are needed. */
tally_status tally_io_open(tally_io *io, const tally_flat *flat, const tally_stream *stream,
                           bool has_ends, bool copies, tally_error *error);

/* The input of a box from the source, packed; the output of a box to the sink. */
tally_status tally_io_read(tally_io *io, const tally_flat_box *box, void *elements,
                           tally_error *error);
tally_status tally_io_write(tally_io *io, const tally_flat_box *box, const void *elements,
                            tally_error *error);

#endif
