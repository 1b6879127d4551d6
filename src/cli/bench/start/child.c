/*
 * A process that tally bench start has started: does one row, and prints its times as a line.
 */
#include <stdio.h>
#include <string.h>

#include "cli/bench/start/start.h"
#include "cli/bench/start/work.h"

int bench_start_child(const common_options *common, const char *name, cli_error *error) {
    const device_request request = options_request(common, false);
    start_result result;
    size_t index = 0;
    while (start_work_name(index) != NULL && strcmp(start_work_name(index), name) != 0)
        index++;
    if (start_work_name(index) == NULL)
        return cli_misuse(error, "--child %s: is no row of start", name);
    int status = start_work_run(index, &request, &result, error);
    if (status == CLI_DONE)
        printf("%.9f %.9f %.9f %u %u %u %llx\n", result.driver, result.runtime, result.result,
               result.programs, result.built, result.loaded, result.checksum);
    return status;
}
