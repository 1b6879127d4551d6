/*
 * Times of things that run on a queue, taken in turns so that a change of the machine's mood meets
 * all of them. Knows how to enqueue a contestant, not what it does.
 */
#ifndef TALLY_CLI_BENCH_TIME_H
#define TALLY_CLI_BENCH_TIME_H

#include <CL/cl.h>
#include <tally/tally.h>

#include "cli/error.h"

#define BENCH_CONTESTANTS_MAX 12

/* Enqueue the work on the queue; event may be NULL. */
typedef int bench_enqueue(void *work, cl_command_queue queue, cl_event *event, cli_error *error);

/* Seconds, medians of all samples. Negative: not measured, or the device does not tell. */
typedef struct bench_times {
    double event; /* on the device's clock, from the end of an empty kernel before it */
    double event_best;
    double wall; /* from the call that enqueues it to the return of clFinish */
    double host; /* the part of wall before clFinish is called */
} bench_times;

typedef struct bench_contestant {
    const char *name;
    bench_enqueue *enqueue;
    void *work;
    bool wall; /* take wall and host too */
    bench_times times;
} bench_contestant;

typedef struct bench_timer {
    cl_command_queue timed;   /* in order, keeps times */
    cl_command_queue untimed; /* in order */
    bench_enqueue *empty;     /* a kernel that does nothing, before each contestant */
    void *empty_work;
    bench_enqueue *cover; /* a long one, under which the host enqueues the others */
    void *cover_work;
    uint32_t samples;
} bench_timer;

/* Wait until the queue has run all of its work. */
int bench_finish(cl_command_queue queue, cli_error *error);

/* Whether the command of a complete event ran; clFinish does not tell. */
int bench_check_event(cl_event event, cli_error *error);

/* The median, sorting them. Negative if one is: a sample without a time spoils the rest. */
double bench_median(double *values, uint32_t count);

/* Fill in the times of all contestants, at most BENCH_CONTESTANTS_MAX. */
int bench_measure(const bench_timer *timer, bench_contestant *contestants, size_t count,
                  cli_error *error);

#endif
