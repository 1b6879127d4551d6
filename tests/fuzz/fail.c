/*
 * fail.c: fail_with for fuzzers, which know a failure by the program's end.
 */
#include "support/fail.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

noreturn void fail_with(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    abort();
}
