/*
 * A line on the terminal that says what a long run is at, drawn by a thread of its own: a compiler
 * or a kernel that runs for seconds gives no other chance to. Knows a phase's name and its bytes.
 */
#include "cli/progress.h"

#include <stdio.h>
#include <string.h>

#include "platform/program.h"

#define FIRST 0.5  /* seconds until the line shows */
#define REDRAW 0.1 /* seconds between two drawings */
#define WIDTH 70   /* characters of the line, which is drawn over, never scrolled */

/* The lock is held. */
static void draw(const progress *line, double seconds) {
    char text[WIDTH + 1];
    int used = 0;
    if (line->items > 1)
        used = snprintf(text, sizeof text, "%zu of %zu, ", line->item, line->items);
    if (line->total > 0)
        snprintf(text + used, sizeof text - (size_t)used, "%s: %.0f %% of %.1f MB", line->phase,
                 100.0 * (double)line->done / (double)line->total, (double)line->total * 1e-6);
    else
        snprintf(text + used, sizeof text - (size_t)used, "%s: %.0f s", line->phase, seconds);
    fprintf(stderr, "\r%-*s", WIDTH, text);
}

static void run(void *context) {
    progress *line = context;
    double began = tally_clock();
    double wait = FIRST;
    bool shown = false;
    tally_lock_acquire(&line->lock);
    while (!line->stop) {
        const double until = tally_clock() + wait;
        while (!line->stop && tally_lock_wait_until(&line->lock, until))
            ;
        if (line->stop)
            break;
        draw(line, tally_clock() - began);
        shown = true;
        wait = REDRAW;
    }
    tally_lock_release(&line->lock);
    if (shown)
        fprintf(stderr, "\r%*s\r", WIDTH, "");
}

void progress_start(progress *line, bool quiet) {
    memset(line, 0, sizeof *line);
    line->phase = "starting";
    /* A run without the line is better than none. */
    if (quiet || !tally_is_terminal(TALLY_STANDARD_ERROR) || !tally_lock_init(&line->lock))
        return;
    line->running = tally_thread_start(&line->thread, run, line);
    if (!line->running)
        tally_lock_destroy(&line->lock);
}

void progress_item(progress *line, size_t item, size_t items) {
    if (!line->running)
        return;
    tally_lock_acquire(&line->lock);
    line->item = item;
    line->items = items;
    tally_lock_release(&line->lock);
}

void progress_phase(progress *line, const char *phase, uint64_t total) {
    if (!line->running)
        return;
    tally_lock_acquire(&line->lock);
    line->phase = phase;
    line->done = 0;
    line->total = total;
    tally_lock_release(&line->lock);
}

void progress_advance(progress *line, uint64_t bytes) {
    if (!line->running)
        return;
    tally_lock_acquire(&line->lock);
    line->done += bytes;
    tally_lock_release(&line->lock);
}

void progress_stop(progress *line) {
    if (!line->running)
        return;
    tally_lock_acquire(&line->lock);
    line->stop = true;
    tally_lock_announce(&line->lock);
    tally_lock_release(&line->lock);
    tally_thread_join(&line->thread);
    tally_lock_destroy(&line->lock);
    line->running = false;
}
