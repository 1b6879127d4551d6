/*
 * What tally bench measures, as tables: sets of layouts, each with the operations that run on all
 * of them. Knows no size: those follow from the number of elements that a run is to have.
 */
#ifndef TALLY_CLI_BENCH_TABLES_H
#define TALLY_CLI_BENCH_TABLES_H

#include <tally/types.h>

/* Where a size comes from; height times width are all elements, about square. */
typedef enum bench_extent_of { BENCH_FIXED, BENCH_PART, BENCH_HEIGHT, BENCH_WIDTH } bench_extent_of;

typedef struct bench_extent {
    bench_extent_of of;
    uint64_t number; /* BENCH_FIXED: the size; BENCH_PART: what divides the elements */
    uint64_t less;   /* taken off */
} bench_extent;

typedef struct bench_layout {
    const char *name;
    uint32_t rank;
    bench_extent size[3];
    uint32_t axes;
    uint32_t skip;   /* elements before the first */
    bool transposed; /* two axes: a step along the first is a step in memory */
} bench_layout;

/* A diagonal: a number, and quarters of the columns. */
typedef struct bench_band_edge {
    int64_t number, quarters;
} bench_band_edge;

/* What is computed; of a scan the way that it goes besides, of a fill all but function. */
typedef struct bench_operation {
    tally_function function;
    tally_dtype dtype;
    bool exclusive, reverse, in_place; /* scans */
    const char *fill;                  /* fills: what a function's name is to the others */
    bool reads;
    float value;
    bench_band_edge begin, end;
} bench_operation;

typedef struct bench_set {
    const bench_layout *layouts;
    size_t layout_count;
    const bench_operation *operations;
    size_t operation_count;
    bool small; /* to be compared with an empty kernel */
} bench_set;

/* The sets of a benchmark, in the order of its rows. */
typedef struct bench_sets {
    const bench_set *sets;
    size_t count;
} bench_sets;

extern const bench_sets bench_sets_reduce, bench_sets_scan, bench_sets_diagonal;

#endif
