/*
 * A line on the terminal that says what a long run is at. Knows a phase's name and its bytes.
 */
#ifndef TALLY_CLI_PROGRESS_H
#define TALLY_CLI_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/system.h"

typedef struct progress {
    bool running; /* else every call but progress_start is a no-op */
    tally_thread thread;
    tally_lock lock;
    /* Under the lock: */
    bool stop;
    const char *phase;
    size_t item, items; /* 0: there is one */
    uint64_t done;
    uint64_t total; /* bytes; 0: the phase has no end that is known */
} progress;

/* Show a line from half a second on, unless quiet or stderr is no terminal. */
void progress_start(progress *line, bool quiet);

/* Say before each phase which of so many files it is about, counted from 1. */
void progress_item(progress *line, size_t item, size_t items);

/* What is done from now on; phase is a static text. */
void progress_phase(progress *line, const char *phase, uint64_t total);

/* So many more bytes of the phase are done. */
void progress_advance(progress *line, uint64_t bytes);

/* Erase the line. A no-op on {0} and on what was stopped. */
void progress_stop(progress *line);

#endif
