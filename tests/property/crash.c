/*
 * crash.c: signals.
 */
#define _POSIX_C_SOURCE 200809L
#include "crash.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTERM};
#define FATAL (sizeof fatal / sizeof fatal[0])

static char last_word[256];
static struct sigaction before[FATAL]; /* sanitizers have handlers of their own */

/* Speak, and let happen what would have happened. */
static void speak(int number) {
    const size_t length = strlen(last_word);
    if (length > 0 && write(STDERR_FILENO, last_word, length) < 0)
        last_word[0] = '\0';
    for (size_t k = 0; k < FATAL; k++)
        if (fatal[k] == number)
            sigaction(number, &before[k], NULL);
    if (number == SIGABRT || number == SIGTERM) /* the others come again by themselves */
        raise(number);
}

void crash_watch(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = speak;
    sigemptyset(&action.sa_mask);
    for (size_t k = 0; k < FATAL; k++)
        sigaction(fatal[k], &action, &before[k]);
}

void crash_say(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(last_word, sizeof last_word, format, arguments);
    va_end(arguments);
}
