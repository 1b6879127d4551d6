/*
 * Times of things that run on a queue. A sample is one chain of them all, each behind an empty
 * kernel whose end is its start, and then the wall time of each alone. Knows no workload.
 */
#include "cli/bench/time.h"

#include <stdlib.h>

#include "platform/system.h"

/* ---- Medians ------------------------------------------------------------------------------- */

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double bench_median(double *values, uint32_t count) {
    qsort(values, count, sizeof *values, compare);
    if (values[0] < 0)
        return -1;
    return count % 2 != 0 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

/* ---- One sample ---------------------------------------------------------------------------- */

/* When the event ended on the device's clock, in ns; 0 if it does not say. */
static cl_ulong end_of(cl_event event) {
    cl_ulong end = 0;
    cl_int code = clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL);
    return code == CL_SUCCESS ? end : 0;
}

/* Seconds between the two ends, negative if the device does not tell. */
static double between(cl_event before, cl_event after) {
    cl_ulong start = end_of(before), end = end_of(after);
    return start > 0 && end >= start ? (double)(end - start) * 1e-9 : -1;
}

int bench_finish(cl_command_queue queue, cli_error *error) {
    cl_int code = clFinish(queue);
    return code == CL_SUCCESS ? CLI_DONE : cli_fail_cl(error, "clFinish", code);
}

/* A failed command ends its event with a negative status. */
int bench_check_event(cl_event event, cli_error *error) {
    cl_int state = CL_COMPLETE;
    cl_int code =
        clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
    if (code == CL_SUCCESS && state == CL_COMPLETE)
        return CLI_DONE;
    return cli_fail_cl(error, "a run", code != CL_SUCCESS ? code : state);
}

/* The chain: cover, then an empty kernel and the work for each. Fills event times. */
static int sample_events(const bench_timer *timer, const bench_contestant *contestants,
                         size_t count, double *seconds, cli_error *error) {
    cl_event before[BENCH_CONTESTANTS_MAX] = {NULL}, after[BENCH_CONTESTANTS_MAX] = {NULL};
    int status = timer->cover(timer->cover_work, timer->timed, NULL, error);
    for (size_t i = 0; i < count && status == CLI_DONE; i++) {
        status = timer->empty(timer->empty_work, timer->timed, &before[i], error);
        if (status == CLI_DONE)
            status = contestants[i].enqueue(contestants[i].work, timer->timed, &after[i], error);
    }
    cli_error ignored;
    int finished = bench_finish(timer->timed, status == CLI_DONE ? error : &ignored);
    status = status == CLI_DONE ? finished : status;
    for (size_t i = 0; i < count && status == CLI_DONE; i++) {
        status = bench_check_event(after[i], error);
        seconds[i] = between(before[i], after[i]);
    }
    for (size_t i = 0; i < count; i++) {
        if (before[i] != NULL)
            clReleaseEvent(before[i]);
        if (after[i] != NULL)
            clReleaseEvent(after[i]);
    }
    return status;
}

static int sample_wall(const bench_timer *timer, const bench_contestant *contestant, double *wall,
                       double *host, cli_error *error) {
    int status =
        timer->empty(timer->empty_work, timer->untimed, NULL, error); /* wakes the driver */
    if (status == CLI_DONE)
        status = bench_finish(timer->untimed, error);
    if (status != CLI_DONE)
        return status;
    double began = tally_clock();
    status = contestant->enqueue(contestant->work, timer->untimed, NULL, error);
    *host = tally_clock() - began;
    int finished = status == CLI_DONE ? bench_finish(timer->untimed, error) : status;
    *wall = tally_clock() - began;
    return finished;
}

/* ---- All samples --------------------------------------------------------------------------- */

/* The samples of one kind of time lie together: [kind][contestant][sample]. */
enum { EVENT, WALL, HOST, KINDS };

static double *samples_of(const bench_timer *timer, double *all, size_t count, size_t kind,
                          size_t contestant) {
    return all + (kind * count + contestant) * timer->samples;
}

static int take_sample(const bench_timer *timer, bench_contestant *contestants, size_t count,
                       uint32_t sample, double *all, cli_error *error) {
    double events[BENCH_CONTESTANTS_MAX];
    int status = sample_events(timer, contestants, count, events, error);
    for (size_t i = 0; i < count && status == CLI_DONE; i++) {
        double *wall = samples_of(timer, all, count, WALL, i) + sample;
        double *host = samples_of(timer, all, count, HOST, i) + sample;
        samples_of(timer, all, count, EVENT, i)[sample] = events[i];
        *wall = *host = -1;
        if (contestants[i].wall)
            status = sample_wall(timer, &contestants[i], wall, host, error);
    }
    return status;
}

int bench_measure(const bench_timer *timer, bench_contestant *contestants, size_t count,
                  cli_error *error) {
    double *all = calloc((size_t)timer->samples * count * KINDS, sizeof *all);
    if (all == NULL)
        return cli_fail_memory(error, "the samples");
    int status = CLI_DONE;
    for (uint32_t i = 0; i < timer->samples && status == CLI_DONE; i++)
        status = take_sample(timer, contestants, count, i, all, error);
    for (size_t i = 0; i < count && status == CLI_DONE; i++) {
        bench_times *times = &contestants[i].times;
        times->event = bench_median(samples_of(timer, all, count, EVENT, i), timer->samples);
        times->event_best = samples_of(timer, all, count, EVENT, i)[0];
        times->wall = bench_median(samples_of(timer, all, count, WALL, i), timer->samples);
        times->host = bench_median(samples_of(timer, all, count, HOST, i), timer->samples);
    }
    free(all);
    return status;
}
