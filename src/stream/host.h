/*
 * Tensors in the host's memory, as sources and sinks. Knows memory, no pieces and no device.
 */
#ifndef TALLY_STREAM_HOST_H
#define TALLY_STREAM_HOST_H

#include <tally/stream.h>

/* The tensor of a source or a sink that is one of this library's; NULL: it is the caller's own. */
const tally_host_tensor *tally_host_source(const tally_source *source);
const tally_host_tensor *tally_host_sink(const tally_sink *sink);

/* The first element of a box that lies packed in one run; NULL: it does not. */
void *tally_host_run(const tally_host_tensor *tensor, const uint64_t *begin, const uint64_t *size);

/* Bytes that a buffer begins before a piece that is lent, at most. */
#define TALLY_HOST_BEFORE 4096u

/* Whether buffers in the memory of two tensors may have memory in common. */
bool tally_host_touch(const tally_host_tensor *a, const tally_host_tensor *b);

#endif
