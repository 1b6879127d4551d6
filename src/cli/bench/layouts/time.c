/*
 * Pipelined times. Knows no problem.
 */
#include "cli/bench/layouts/time.h"

#include <stdlib.h>

#include "platform/system.h"

#define SAMPLE_SECONDS 1.5e-3
#define SLOW_SECONDS 0.5

/* The first run, whose event says whether it ran at all. */
static int run_first(cl_command_queue queue, const layouts_timed *timed, double *seconds,
                     cli_error *error) {
    cl_event done = NULL;
    const double began = tally_clock();
    int status = timed->enqueue(timed->work, queue, &done, error);
    if (status != CLI_DONE)
        return status;
    status = bench_finish(queue, error);
    *seconds = tally_clock() - began;
    if (status == CLI_DONE)
        status = bench_check_event(done, error);
    clReleaseEvent(done);
    return status;
}

/* All runs of a sample; *seconds is the time of them all. */
static int run_sample(cl_command_queue queue, const layouts_timed *timed, double *seconds,
                      cli_error *error) {
    int status = CLI_DONE;
    const double began = tally_clock();
    for (uint32_t i = 0; i < timed->repeats && status == CLI_DONE; i++)
        status = timed->enqueue(timed->work, queue, NULL, error);
    if (status == CLI_DONE)
        status = bench_finish(queue, error);
    *seconds = tally_clock() - began;
    return status;
}

/* Double the runs until a sample is long enough. */
static int warm_up(cl_command_queue queue, layouts_timed *timed, bool *slow, cli_error *error) {
    double seconds = 0;
    timed->repeats = 1;
    int status = run_first(queue, timed, &seconds, error);
    *slow = *slow || seconds > SLOW_SECONDS;
    if (status != CLI_DONE || seconds > SLOW_SECONDS)
        return status;
    status = run_sample(queue, timed, &seconds, error);
    while (status == CLI_DONE && seconds < SAMPLE_SECONDS && timed->repeats < LAYOUTS_REPEATS) {
        timed->repeats *= 2;
        status = run_sample(queue, timed, &seconds, error);
    }
    return status;
}

int layouts_time(cl_command_queue queue, layouts_timed *all, size_t count, uint32_t samples,
                 uint32_t *taken, cli_error *error) {
    double *seconds = calloc(count * samples, sizeof *seconds);
    bool slow = false;
    int status = seconds != NULL ? CLI_DONE : cli_fail_memory(error, "the samples");
    for (size_t k = 0; k < count && status == CLI_DONE; k++)
        status = warm_up(queue, &all[k], &slow, error);
    *taken = slow ? 1 : samples;
    for (uint32_t i = 0; i < *taken && status == CLI_DONE; i++)
        for (size_t k = 0; k < count && status == CLI_DONE; k++)
            status = run_sample(queue, &all[k], &seconds[k * samples + i], error);
    for (size_t k = 0; k < count && status == CLI_DONE; k++)
        all[k].seconds = bench_median(&seconds[k * samples], *taken) / all[k].repeats;
    free(seconds);
    return status;
}
