/*
 * ways.h: the ways to compute a problem of bench_parts: at once, by the states of its parts, or in
 * a chain, each part from the last result of the one before. A way is a list of operators with
 * their memory; it knows no times.
 */
#ifndef TESTS_BENCH_WAYS_H
#define TESTS_BENCH_WAYS_H

#include <tally/part.h>

#include "bench/common.h"

enum { WAYS_MOST_PARTS = 64, WAYS_MOST_SAMPLES = 101, WAYS_MOST_QUEUES = 4 };

/*
 * Operators one after the other, each with its memory. Those of one phase need nothing of each
 * other; all of them need the phases before.
 */
typedef struct ways_step {
    tally_op *op;
    tally_part_binding binding;
    uint32_t queue, phase;
} ways_step;

typedef struct ways_way {
    ways_step steps[3 * WAYS_MOST_PARTS];
    uint32_t count;
    double seconds[WAYS_MOST_SAMPLES];
} ways_way;

/* The device with its memory, and how the problem is cut. */
typedef struct ways_bench {
    bench_device on;
    cl_command_queue queues[WAYS_MOST_QUEUES];
    tally_scratch *scratch[WAYS_MOST_QUEUES];
    cl_mem input, output, states, carry[WAYS_MOST_QUEUES];
    uint64_t terms, bounds[WAYS_MOST_PARTS + 1];
    uint32_t parts, samples, queue_count;
} ways_bench;

/* Add the operators of a way, which is empty before. */
void ways_make_parts(ways_bench *it, const tally_desc *desc, bool chain, ways_way *of);
void ways_make_whole(const ways_bench *it, const tally_desc *desc, ways_way *of);

/* Release them. */
void ways_release(ways_way *of);

#endif
