/*
 * fail.c: the end of a test of Check's.
 */
#include "fail.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <check.h>

noreturn void fail_with(const char *format, ...) {
    static char sentence[10000];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    ck_abort_msg("%s", sentence);
    abort(); /* Check has left by now */
}
