/*
 * image.c: buffers with a known surrounding.
 */
#include "image.h"

#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "values.h"

/* Bytes behind the last element: more than the widest load that a kernel could overshoot by. */
#define TAIL 136

static unsigned char *allocate(size_t size) {
    unsigned char *bytes = malloc(size);
    if (bytes == NULL) {
        ck_abort_msg("no memory for an image of %zu bytes", size);
    }
    return bytes;
}

image image_make(size_t first, uint64_t extent, unsigned char fill) {
    image memory = {NULL, first + (size_t)extent + TAIL, first, NULL};
    memory.bytes = allocate(memory.size);
    memset(memory.bytes, fill, memory.size);
    return memory;
}

void image_scramble(image *memory, uint64_t seed) {
    for (size_t k = 0; k < memory->size; k++) {
        memory->bytes[k] = (unsigned char)values_random(&seed);
    }
}

void image_upload(image *memory) {
    memory->buffer = fixture_make_buffer(memory->bytes, memory->size);
}

unsigned char *image_download(const image *memory) {
    unsigned char *bytes = allocate(memory->size);
    fixture_check(clEnqueueReadBuffer(fixture_get()->queue, memory->buffer, CL_TRUE, 0,
                                      memory->size, bytes, 0, NULL, NULL));
    return bytes;
}

tally_view image_view(const image *memory) {
    const tally_view view = {memory->buffer, NULL, memory->first};
    return view;
}

void image_free(image *memory) {
    if (memory->buffer != NULL) {
        clReleaseMemObject(memory->buffer);
    }
    free(memory->bytes);
    memory->buffer = NULL;
    memory->bytes = NULL;
}
