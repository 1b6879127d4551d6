/*
 * The folder of all that the processes of tally bench start write. A lock on it says that its
 * benchmark lives, as with the files of npy/temporary.c. A signal only stops the process that runs:
 * a handler cannot empty folders. Windows locks no folders: what a killed benchmark has left there
 * stays.
 */
#include "cli/bench/start/folder.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/npy/temporary.h"
#include "platform/program.h"

#define NAME "tally-start-" /* then the host, and what makes it new */
#define ATTEMPTS 100

/* Remove what killed benchmarks of this host have left. */
static void remove_folders_left(const char *begin) {
    char place[TALLY_PATH_BYTES], folder[TALLY_PATH_BYTES + 1];
    if (!tally_temporary_place(place))
        return;
    snprintf(folder, sizeof folder, "%s/", place);
    temporary_remove_left(folder, begin, NULL, TALLY_FILE_FOLDER);
}

/* 0, EEXIST for another attempt, or why there can be none. */
static int make_once(start_folder *made, const char *begin) {
    if (!tally_temporary_folder(begin, made->path))
        return errno;
    made->lock = tally_open(TALLY_NO_FOLDER, made->path, TALLY_TO_LOCK_FOLDER);
    if (made->lock == TALLY_NO_FILE && errno != ENOENT) {
        const int why = errno;
        tally_path_remove_folder(made->path);
        return why;
    }
    if (made->lock != TALLY_NO_FILE && temporary_keep(made->lock, made->path))
        return 0;
    if (made->lock != TALLY_NO_FILE) /* somebody took it for one that was left */
        tally_file_close(made->lock);
    return EEXIST;
}

int start_folder_open(start_folder *made, cli_error *error) {
    char host[TEMPORARY_HOST_BYTES], begin[sizeof NAME + TEMPORARY_HOST_BYTES];
    int why = EEXIST;
    temporary_host(host);
    snprintf(begin, sizeof begin, NAME "%s", host);
    remove_folders_left(begin);
    tally_stop_on_signal();
    for (int i = 0; i < ATTEMPTS && why == EEXIST; i++)
        why = make_once(made, begin);
    if (why == 0)
        return CLI_DONE;
    cli_fail(error, "can't be made: %s", strerror(why));
    cli_error_prefix(error, made->path, CLI_FAILED);
    made->path[0] = '\0';
    return CLI_FAILED;
}

void start_folder_close(start_folder *made) {
    if (made->path[0] == '\0')
        return;
    tally_path_remove_folder(made->path);
    tally_file_close(made->lock);
    made->path[0] = '\0';
}
