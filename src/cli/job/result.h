/*
 * What became of the job of one file: how it was run, and its times.
 */
#ifndef TALLY_CLI_JOB_RESULT_H
#define TALLY_CLI_JOB_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define JOB_PHASES 8

typedef struct job_result {
    uint32_t devices;      /* of several; 0: it ran on one, whose phases are told */
    bool streams;          /* in pieces */
    double kernel_seconds; /* negative: not known */
    double seconds;        /* from its begin to its end */
    struct {
        const char *name;
        double seconds;
    } phases[JOB_PHASES];
    size_t phase_count;
} job_result;

#endif
