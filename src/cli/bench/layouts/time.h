/*
 * Pipelined times: a run is enqueued several times back to back, and one wait ends the sample. So a
 * short run is not measured by the host's way to the device and back. Knows how to enqueue, not
 * what runs.
 */
#ifndef TALLY_CLI_BENCH_LAYOUTS_TIME_H
#define TALLY_CLI_BENCH_LAYOUTS_TIME_H

#include "cli/bench/time.h"

typedef struct layouts_timed {
    bench_enqueue *enqueue;
    void *work;
    uint32_t repeats; /* runs of a sample: a power of two, at most LAYOUTS_REPEATS */
    double seconds;   /* of one run: the median of the samples */
} layouts_timed;

#define LAYOUTS_REPEATS 128
#define LAYOUTS_SAMPLES_MAX 1001

/*
 * Take samples of all, one after the other in turns, after a warm-up that finds how many runs take
 * at least 1.5 ms. *taken becomes the number of samples: one if a run takes longer than half a
 * second. The queue is in order and keeps no times.
 */
int layouts_time(cl_command_queue queue, layouts_timed *all, size_t count, uint32_t samples,
                 uint32_t *taken, cli_error *error);

#endif
