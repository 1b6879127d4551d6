/*
 * Why a command failed: formats the sentence, names the code of an OpenCL call, prints one line.
 * Knows nothing of what the commands do.
 */
#include "cli/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CL/cl.h>
#include <tally/tally.h>

#include "platform/program.h"

#define LABEL_SHOWN 300 /* bytes of a label */

static void fill(cli_error *error, const char *format, va_list arguments) {
    int length = vsnprintf(error->text, sizeof error->text, format, arguments);
    if (length >= (int)sizeof error->text)
        memcpy(error->text + sizeof error->text - 4, "...", 4);
}

int cli_fail(cli_error *error, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fill(error, format, arguments);
    va_end(arguments);
    return CLI_FAILED;
}

int cli_misuse(cli_error *error, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fill(error, format, arguments);
    va_end(arguments);
    return CLI_MISUSED;
}

int cli_fail_cl(cli_error *error, const char *call, int code) {
    static const struct {
        int code;
        const char *name;
    } names[] = {
        {CL_DEVICE_NOT_FOUND, "CL_DEVICE_NOT_FOUND"},
        {CL_DEVICE_NOT_AVAILABLE, "CL_DEVICE_NOT_AVAILABLE"},
        {CL_MEM_OBJECT_ALLOCATION_FAILURE, "CL_MEM_OBJECT_ALLOCATION_FAILURE"},
        {CL_OUT_OF_RESOURCES, "CL_OUT_OF_RESOURCES"},
        {CL_OUT_OF_HOST_MEMORY, "CL_OUT_OF_HOST_MEMORY"},
        {CL_INVALID_BUFFER_SIZE, "CL_INVALID_BUFFER_SIZE"},
        {CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
         "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST"},
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (names[i].code == code)
            return cli_fail(error, "%s failed: %s (%d)", call, names[i].name, code);
    return cli_fail(error, "%s failed: OpenCL error %d", call, code);
}

int cli_fail_memory(cli_error *error, const char *what) {
    return cli_fail(error, "no host memory left for %s", what);
}

int cli_error_prefix(cli_error *error, const char *label, int status) {
    cli_error sentence = *error;
    size_t length = strlen(label);
    bool cut = length > LABEL_SHOWN;
    const char *end = cut ? label + length - LABEL_SHOWN : label;
    if (cut) /* not in the middle of a UTF-8 character */
        while (((unsigned char)*end & 0xc0) == 0x80)
            end++;
    int used = snprintf(error->text, sizeof error->text, "%s%s: ", cut ? "..." : "", end);
    snprintf(error->text + used, sizeof error->text - (size_t)used, "%s", sentence.text);
    return status;
}

/* Whether stderr shows colours, and the user has not said no: see https://no-color.org. */
static bool has_colour(void) {
    const char *no = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return (no == NULL || no[0] == '\0') && terminal != NULL && strcmp(terminal, "dumb") != 0 &&
           tally_is_terminal(TALLY_STANDARD_ERROR);
}

void cli_error_print(const cli_error *error) {
    cli_error line = *error;
    const bool red = has_colour();
    for (char *c = line.text; *c != '\0'; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            *c = ' ';
    fprintf(stderr, "%stally:%s %s\n", red ? "\033[1;31m" : "", red ? "\033[0m" : "", line.text);
}
