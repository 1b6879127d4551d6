/*
 * What the jobs of one command share. A runtime has what it compiled, so that a second file of the
 * same shape needs no compiler.
 */
#include "cli/job/session.h"

void session_begin(session *shared, const common_options *options) {
    *shared = (session){.options = options};
}

bool session_is_timed(const session *shared) {
    return shared->options->time || shared->options->json;
}

int session_open(session *shared, cli_error *error) {
    const device_request request = options_request(shared->options, session_is_timed(shared));
    if (several_named(shared->options->device))
        return shared->on.count > 0 ? CLI_DONE : several_open(&request, &shared->on, error);
    return shared->device.queue != NULL ? CLI_DONE
                                        : device_choose(&request, &shared->device, error);
}

void session_pause(session *shared) {
    progress_stop(&shared->line);
}

void session_resume(session *shared) {
    progress_start(&shared->line, shared->options->quiet);
    progress_item(&shared->line, shared->at, shared->count);
}

void session_end(session *shared) {
    progress_stop(&shared->line);
    tally_devices_release(shared->devices);
    several_close(&shared->on);
    device_close(&shared->device);
}
