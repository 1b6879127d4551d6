/*
 * streamed.h: a problem computed at once and as a stream. Every byte of both outputs must be equal,
 * and what the stream asks of its source and sink must be right: each element once, boxes within
 * the tensor, one call at a time.
 */
#ifndef TESTS_SUPPORT_STREAM_STREAMED_H
#define TESTS_SUPPORT_STREAM_STREAMED_H

#include <tally/stream.h>

#include "support/numbers/values.h"

/* A stream's ends in the host's memory that count, check and fail. */
typedef struct streamed_end {
    tally_host_tensor memory;
    void *block;               /* the memory that it is in */
    const tally_tensor *shape; /* the tensor whose boxes come */
    uint64_t calls, elements;
    uint64_t fail_at; /* the call that fails, counted from 1; 0: none does */
    tally_status fail_with;
    bool busy; /* a call has not ended */
} streamed_end;

typedef struct streamed_how {
    tally_runtime *runtime; /* NULL: the fixture's */
    uint64_t memory, piece;
    tally_stream_copies copies;
    uint32_t threads; /* 0: the test's own source and sink, which take one; else the memory's */
    uint32_t shift;   /* bytes between a multiple of 4096 and where the memory begins */
    bool pinned;      /* the memory's source and sink say so */
    values_class values;
    uint64_t seed;
    uint64_t pieces; /* that there must be, at least */
} streamed_how;

/* Fails the running test with the problem in words unless they are equal. */
void streamed_check(const tally_desc *whole, streamed_how how);

/* The ends of a description, with the input's elements; and how they are handed over. */
void streamed_open(const tally_desc *whole, const streamed_how *how, streamed_end *in,
                   streamed_end *out);
void streamed_close(streamed_end *in, streamed_end *out);
/* A stream over memory, which may be the same twice, that it says to be pinned. */
typedef struct streamed_memory {
    tally_source source;
    tally_sink sink;
    tally_stream stream;
} streamed_memory;

void streamed_lend(streamed_memory *of, tally_host_tensor *in, tally_host_tensor *out);
tally_source streamed_source(streamed_end *end);
tally_sink streamed_sink(streamed_end *end);

#endif
