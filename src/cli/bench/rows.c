/*
 * The workloads of one operator measured, row by row.
 */
#include "cli/bench/rows.h"

static int measure_rows(bench_session *session, const char *only, const bench_listener *listener,
                        cli_error *error) {
    bench_workload workload;
    bench_result result;
    listener->begin(listener->user, session);
    for (size_t i = 0; bench_workload_at(session->subject, i, session->log2, &workload); i++) {
        if (!bench_workload_matches(&workload, only))
            continue;
        int status = bench_run(session, &workload, &result, error);
        if (status != CLI_DONE)
            return cli_error_prefix(error, workload.name, status);
        listener->row(listener->user, &workload, &result);
    }
    return CLI_DONE;
}

int bench_rows_measure(bench_subject subject, const bench_rows_options *given,
                       const bench_listener *listener, cli_error *error) {
    bench_session session = {0};
    int status =
        bench_session_open(&session, subject, given->common, given->log2, given->samples, error);
    if (status == CLI_DONE)
        status = measure_rows(&session, given->only, listener, error);
    bench_session_close(&session);
    return status;
}
