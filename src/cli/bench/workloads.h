/*
 * The workloads of tally bench: for each operator layouts times functions, as tables. Plain
 * descriptions; no device and no memory.
 */
#ifndef TALLY_CLI_BENCH_WORKLOADS_H
#define TALLY_CLI_BENCH_WORKLOADS_H

#include <tally/tally.h>

#include "cli/bench/subject.h"

#define BENCH_NAME_MAX 64

/* log2 of the elements of a float32 workload. */
enum { BENCH_LOG2_MIN = 16, BENCH_LOG2_MAX = 40, BENCH_LOG2_CPU = 25, BENCH_LOG2_GPU = 28 };

typedef struct bench_workload {
    bench_subject subject;
    char name[BENCH_NAME_MAX]; /* "rows-16 sum f32" */
    const char *layout;
    const char *function;
    bool small;       /* compared with an empty kernel instead of with the limits */
    bool in_place;    /* the input is the output's memory */
    int missing_log2; /* how much larger the log2 must be for this layout; 0: all is well */
    union {
        tally_reduce reduce;
        tally_cumulative scan;
        tally_diagonal diagonal; /* without its input, which points */
    } desc;
    tally_tensor tensor;   /* the input; of a fill the output, which its input is like */
    uint32_t axes;         /* of it, that are swept or scanned */
    uint64_t offset;       /* bytes of the input before the first element */
    uint64_t input_bytes;  /* from the first to the last element, without the offset; 0: none */
    uint64_t output_bytes; /* from the first to the last element */
    uint64_t bytes;        /* the compulsory traffic: what has to be read and written */
} bench_workload;

/*
 * The index-th workload of a benchmark, for 2^log2 elements of float32 and as many bytes of the
 * wider types. False behind the last.
 */
bool bench_workload_at(bench_subject subject, size_t index, int log2, bench_workload *workload);

/* How many rows have the text in their names, which NULL always is. */
size_t bench_workload_count(bench_subject subject, const char *only);

/* Whether this row has. */
bool bench_workload_matches(const bench_workload *workload, const char *only);

/*
 * "64x1024x4096 {1}": the sizes and what is done along them: the axes that are swept, the axis that
 * is scanned, the diagonals where a fill begins and ends.
 */
#define BENCH_SHAPE_BYTES 160
void bench_workload_shape(const bench_workload *workload, char *text, size_t bytes);

/* "size {axes}": what the shapes of an operator say. */
const char *bench_shape_heading(bench_subject subject);

#endif
