/*
 * The workloads of tally bench reduce: layouts times operators, as tables. Plain descriptions; no
 * device and no memory.
 */
#ifndef TALLY_CLI_BENCH_WORKLOADS_H
#define TALLY_CLI_BENCH_WORKLOADS_H

#include <tally/tally.h>

#define BENCH_NAME_MAX 64

/* log2 of the elements of a float32 workload. */
enum { BENCH_LOG2_MIN = 16, BENCH_LOG2_MAX = 40, BENCH_LOG2_CPU = 25, BENCH_LOG2_GPU = 28 };

typedef struct bench_workload {
    char name[BENCH_NAME_MAX]; /* "rows-16 sum f32" */
    const char *layout;
    bool small;       /* compared with an empty kernel instead of with the limits */
    int missing_log2; /* how much larger the log2 must be for this layout; 0: all is well */
    tally_reduce desc;
    uint64_t offset;       /* bytes of the input before the first element */
    uint64_t input_bytes;  /* from the first to the last element, without the offset */
    uint64_t output_bytes; /* input_bytes + output_bytes is the compulsory traffic */
} bench_workload;

/*
 * The index-th workload, for 2^log2 elements of float32 and as many bytes of the wider types. False
 * behind the last.
 */
bool bench_workload_at(size_t index, int log2, bench_workload *workload);

/* Whether any row has the text in its name, which NULL always is. */
bool bench_workload_any(const char *only);

/* Whether this row has. */
bool bench_workload_matches(const bench_workload *workload, const char *only);

/* "64x1024x4096 {1}": the sizes and the axes that are reduced. bytes: 128 is enough. */
void bench_workload_shape(const bench_workload *workload, char *text, size_t bytes);

#endif
