/*
 * An operator with its memory, enqueued. Knows no workload.
 */
#include "cli/bench/op.h"

int bench_op_enqueue(void *work, cl_command_queue queue, cl_event *event, cli_error *error) {
    const bench_op *own = work;
    tally_error refusal;
    if (tally_op_enqueue(own->op, queue, &own->binding, 0, NULL, event, &refusal) == TALLY_OK)
        return CLI_DONE;
    return cli_fail(error, "%s", refusal.message);
}
