/*
 * small.h: operators on elements that a test writes out, with results that it writes out too: bits
 * in, bits out. It runs and compares; what is right is the test's to say, so it uses no oracle.
 */
#ifndef TESTS_SUPPORT_SMALL_H
#define TESTS_SUPPORT_SMALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <tally/types.h>

#define SMALL_MOST 8
#define SMALL_ROWS(rows) (rows), sizeof(rows) / sizeof((rows)[0])

/*
 * A row of elements reduced to one, all as bits in the low end of a number. An index is a U32. The
 * row is x; or, where length is not 0, that many elements `fill` but for x[k] at place[k].
 */
typedef struct small_fold {
    tally_function function;
    tally_dtype dtype;
    uint32_t count; /* of x */
    uint64_t x[SMALL_MOST];
    uint64_t result;
    tally_nan nan;
    tally_tie tie;
    uint64_t length, fill, place[SMALL_MOST];
} small_fold;

/* A row of elements and the results along it. */
typedef struct small_scan {
    tally_function function;
    tally_dtype dtype;
    bool descending, exclusive;
    uint32_t count;
    uint64_t x[SMALL_MOST], result[SMALL_MOST];
    tally_nan nan;
} small_scan;

/* Run every row; fail the test at the first wrong bit, with the row's number. */
void small_check_folds(const small_fold *rows, size_t count);
void small_check_scans(const small_scan *rows, size_t count);

/*
 * The calls of call.h. False: the device has no float64 arithmetic and it was refused, as it must
 * be.
 */
bool small_reduce(const tally_reduce *desc, const void *input, void *output);
bool small_cumulative(const tally_cumulative *desc, const void *input, void *output);

/* Patterns of a float type. */
#define SMALL_NANS 4
typedef struct small_float {
    tally_dtype dtype;
    uint64_t minus; /* the sign: +0 is 0, and this is -0 */
    uint64_t one, two, four, sixteen;
    uint64_t infinity;
    uint64_t nan;              /* the one that results have */
    uint64_t nans[SMALL_NANS]; /* others: with payload, with sign, signalling */
} small_float;

#define SMALL_FLOATS 3
extern const small_float small_floats[SMALL_FLOATS];

#endif
