/*
 * bytes.c: the meanings of bytes. A change here makes the kept inputs mean something else.
 */
#include "bytes.h"

bool bytes_are_left(const byte_source *from) {
    return from->at < from->end;
}

uint8_t bytes_take(byte_source *from) {
    return bytes_are_left(from) ? *from->at++ : 0;
}

uint64_t bytes_take_word(byte_source *from, uint32_t count) {
    uint64_t word = 0;
    for (uint32_t i = 0; i < count; i++)
        word |= (uint64_t)bytes_take(from) << (8 * i);
    return word;
}

uint32_t bytes_choose(byte_source *from, uint32_t choices) {
    return bytes_take(from) % choices;
}

/* Ends of runs, lanes, spans, blocks, tiles, stretches; of 16, 31, 32 bits; and a prime. */
static const uint64_t edges[] = {
    129,         130,         255,           256,        257,        271,        272,
    300,         511,         512,           513,        700,        1000,       1021,
    1023,        1024,        1025,          1100,       1500,       2047,       2048,
    2049,        3000,        4095,          4096,       4097,       4100,       4999,
    5000,        8191,        8192,          8193,       16383,      16384,      16385,
    65521,       65535,       65536,         65537,      262143,     262144,     262145,
    1048573,     1048576,     16777215,      16777216,   16777217,   268435456,  INT32_MAX,
    2147483648,  UINT32_MAX,  4294967296,    4294967297, 4294967311, 8589934592, 68719476735,
    68719476736, 68719476737, INT64_MAX / 2, INT64_MAX,  UINT64_MAX, 0,          1};

#define PLAIN 128u
#define EDGES (sizeof edges / sizeof edges[0])
#define POWERS (PLAIN + 1 + EDGES)

uint64_t bytes_take_size(byte_source *from) {
    const uint32_t code = bytes_take(from);
    if (code <= PLAIN)
        return code;
    if (code < POWERS)
        return edges[code - PLAIN - 1];
    if (code < UINT8_MAX)
        return (UINT64_C(1) << (code - POWERS)) + (uint64_t)(int8_t)bytes_take(from);
    return bytes_take_word(from, 8);
}

_Static_assert(POWERS + 63 == UINT8_MAX, "a power for each bit but the highest");
