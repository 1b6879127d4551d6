/*
 * A line on the terminal that says what a long run is at, drawn by a thread of its own: a compiler
 * or a kernel that runs for seconds gives no other chance to. Knows a phase's name and its bytes.
 */
#define _POSIX_C_SOURCE 200809L
#include "cli/progress.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define FIRST 0.5  /* seconds until the line shows */
#define REDRAW 0.1 /* seconds between two drawings */
#define WIDTH 70   /* characters of the line, which is drawn over, never scrolled */

double progress_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static struct timespec after(double seconds) {
    double at = progress_clock() + seconds;
    struct timespec when;
    when.tv_sec = (time_t)at;
    when.tv_nsec = (long)((at - (double)when.tv_sec) * 1e9);
    return when;
}

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

static void *run(void *context) {
    progress *line = context;
    double began = progress_clock();
    double wait = FIRST;
    bool shown = false;
    pthread_mutex_lock(&line->lock);
    while (!line->stop) {
        struct timespec until = after(wait);
        int woken = 0;
        while (!line->stop && woken == 0)
            woken = pthread_cond_timedwait(&line->stopped, &line->lock, &until);
        if (line->stop)
            break;
        draw(line, progress_clock() - began);
        shown = true;
        wait = REDRAW;
    }
    pthread_mutex_unlock(&line->lock);
    if (shown)
        fprintf(stderr, "\r%*s\r", WIDTH, "");
    return NULL;
}

void progress_start(progress *line, bool quiet) {
    pthread_condattr_t attributes;
    memset(line, 0, sizeof *line);
    line->phase = "starting";
    if (quiet || !isatty(STDERR_FILENO))
        return;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_mutex_init(&line->lock, NULL);
    pthread_cond_init(&line->stopped, &attributes);
    pthread_condattr_destroy(&attributes);
    line->running = pthread_create(&line->thread, NULL, run, line) == 0;
    if (!line->running) { /* a run without the line is better than none */
        pthread_cond_destroy(&line->stopped);
        pthread_mutex_destroy(&line->lock);
    }
}

void progress_item(progress *line, size_t item, size_t items) {
    if (!line->running)
        return;
    pthread_mutex_lock(&line->lock);
    line->item = item;
    line->items = items;
    pthread_mutex_unlock(&line->lock);
}

void progress_phase(progress *line, const char *phase, uint64_t total) {
    if (!line->running)
        return;
    pthread_mutex_lock(&line->lock);
    line->phase = phase;
    line->done = 0;
    line->total = total;
    pthread_mutex_unlock(&line->lock);
}

void progress_advance(progress *line, uint64_t bytes) {
    if (!line->running)
        return;
    pthread_mutex_lock(&line->lock);
    line->done += bytes;
    pthread_mutex_unlock(&line->lock);
}

void progress_stop(progress *line) {
    if (!line->running)
        return;
    pthread_mutex_lock(&line->lock);
    line->stop = true;
    pthread_cond_signal(&line->stopped);
    pthread_mutex_unlock(&line->lock);
    pthread_join(line->thread, NULL);
    pthread_cond_destroy(&line->stopped);
    pthread_mutex_destroy(&line->lock);
    line->running = false;
}
