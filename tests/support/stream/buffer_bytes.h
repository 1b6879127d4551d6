/*
 * buffer_bytes.h: how much memory buffers have. It stands before the driver's clCreateBuffer in the
 * executable that uses it.
 */
#ifndef TESTS_SUPPORT_STREAM_BUFFER_BYTES_H
#define TESTS_SUPPORT_STREAM_BUFFER_BYTES_H

#include <stdint.h>

/* Count anew: buffers that are there do not count, and those in memory of the caller's never do. */
void buffer_bytes_begin(void);

/* Bytes of buffers that were made since and are there now, and the most at any time. */
uint64_t buffer_bytes_now(void);
uint64_t buffer_bytes_most(void);

/* Refuse the buffer that is made after so many others; negative: none. */
void buffer_bytes_refuse(int after);

#endif
