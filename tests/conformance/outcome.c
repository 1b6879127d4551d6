/*
 * outcome.c: writing down why a case did not pass.
 */
#include "outcome.h"

#include <stdarg.h>
#include <stdio.h>

static void set(outcome *out, verdict what, const char *format, va_list arguments) {
    out->verdict = what;
    vsnprintf(out->reason, sizeof out->reason, format, arguments);
}

bool outcome_fail(outcome *out, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    set(out, FAILED, format, arguments);
    va_end(arguments);
    return false;
}

bool outcome_decline(outcome *out, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    set(out, INEXPRESSIBLE, format, arguments);
    va_end(arguments);
    return false;
}
