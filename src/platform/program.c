/*
 * What is the same on every system about running the program once more.
 */
#include "platform/program.h"

bool tally_run_again(char *const *arguments, char *text, size_t bytes, unsigned *status) {
    tally_child child;
    size_t used = 0;
    text[0] = '\0';
    if (!tally_child_start(arguments, &child))
        return false;
    for (ptrdiff_t got = 1; got > 0 && used < bytes - 1; used += (size_t)got) {
        got = tally_file_read(child.output, text + used, bytes - 1 - used);
        got = got > 0 ? got : 0;
    }
    text[used] = '\0';
    tally_file_close(child.output);
    *status = tally_child_end(&child);
    return true;
}
