/*
 * A command line as text, in the quotes of POSIX' shells.
 */
#include "cli/bench/page/command.h"

#include <stdlib.h>
#include <string.h>

static const char begin[] = "tally bench";

/* Of one argument: the space before it, and each byte at its longest, '\'' within two quotes. */
static size_t room_for(const char *argument) {
    return 1 + 2 + 4 * strlen(argument);
}

static char *append(char *at, const char *text, size_t count) {
    memcpy(at, text, count);
    return at + count;
}

static char *append_quoted(char *at, const char *argument) {
    at = append(at, "'", 1);
    for (; *argument != '\0'; argument++)
        at = *argument == '\'' ? append(at, "'\\''", 4) : append(at, argument, 1);
    return append(at, "'", 1);
}

char *page_command_line(int argc, char **argv) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "-_./=,:+@%";
    size_t room = sizeof begin;
    for (int i = 0; i < argc; i++)
        room += room_for(argv[i]);
    char *line = malloc(room);
    if (line == NULL)
        return NULL;
    char *at = append(line, begin, strlen(begin));
    for (int i = 0; i < argc; i++) {
        const size_t length = strlen(argv[i]);
        at = append(at, " ", 1);
        at = length > 0 && strspn(argv[i], plain) == length ? append(at, argv[i], length)
                                                            : append_quoted(at, argv[i]);
    }
    *at = '\0';
    return line;
}
