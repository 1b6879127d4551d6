/*
 * bytes.h: a fuzzer's input, taken from its front: what comes to be a number, a choice, a size.
 * Behind the end there are zeros, so that every input means something.
 */
#ifndef TESTS_FUZZ_BYTES_H
#define TESTS_FUZZ_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct byte_source {
    const uint8_t *at;
    const uint8_t *end;
} byte_source;

bool bytes_are_left(const byte_source *from);

/* The next byte; the next count of them, up to 8, low end first. */
uint8_t bytes_take(byte_source *from);
uint64_t bytes_take_word(byte_source *from, uint32_t count);

/* A choice among so many, 256 at most, in one byte. */
uint32_t bytes_choose(byte_source *from, uint32_t choices);

/*
 * A size, in one byte if it can be: up to 128 it is itself, then come sizes at which something
 * ends, then powers of two with a byte of difference, then any 8 bytes.
 */
uint64_t bytes_take_size(byte_source *from);

#endif
