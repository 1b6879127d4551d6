/*
 * image.h: the memory of one tensor on the host and on the device, with foreign bytes before,
 * behind and between its elements. It tells whether a kernel read or wrote what it must not.
 */
#ifndef TESTS_SUPPORT_IMAGE_H
#define TESTS_SUPPORT_IMAGE_H

#include "fixture.h"

typedef struct image {
    unsigned char *bytes; /* what the buffer was filled with */
    size_t size;
    size_t first; /* the byte of the tensor's first element */
    cl_mem buffer;
} image;

/* Host memory for so many bytes behind `first`, and some more, all of this byte. */
image image_make(size_t first, uint64_t extent, unsigned char fill);

/* Give every byte a value of its own, so that moved bytes show. */
void image_scramble(image *memory, uint64_t seed);

/* Make the buffer and copy the bytes to it. */
void image_upload(image *memory);

/* The buffer's bytes now; the caller frees them. Waits for the fixture's queue. */
unsigned char *image_download(const image *memory);

/* The view of the tensor. */
tally_view image_view(const image *memory);

void image_free(image *memory);

#endif
