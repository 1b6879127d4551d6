/*
 * A growing text: kernel sources and plan descriptions are put together in one. Knows nothing of
 * what it holds.
 */
#ifndef TALLY_BASE_TEXT_H
#define TALLY_BASE_TEXT_H

#include "base/host_memory.h"
#include "base/status.h"

typedef struct tally_text {
    char *data; /* NUL-terminated once anything was added; NULL before */
    size_t length;
    size_t capacity;
    bool
        failed; /* memory ran out: later additions are ignored, so one check at the end is enough */
    const tally_allocator *allocator;
} tally_text;

#define TALLY_TEXT_INIT                                                                            \
    { NULL, 0, 0, false, NULL }

/* An empty text whose memory comes from there. */
tally_text tally_text_from(const tally_allocator *allocator);

void tally_text_add(tally_text *text, const char *addition);
void tally_text_format(tally_text *text, const char *format, ...) TALLY_PRINTF(2, 3);
void tally_text_free(tally_text *text);

#endif
