/*
 * Running an operator on a distributed tensor: this rank's part, the states' way, and what is done
 * with them. Before states travel all ranks agree that each has its own, so that none waits for one
 * that has failed.
 */
#include "base/struct.h"
#include "mpi/op.h"

/* ---- On this rank's device ------------------------------------------------------------------- */

/* The event's work has ended, and well. */
static tally_status wait_for(cl_event event, tally_error *error) {
    cl_int code = clWaitForEvents(1, &event), ended = CL_COMPLETE;
    if (code == CL_SUCCESS || code == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)
        clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof ended, &ended, NULL);
    clReleaseEvent(event);
    return mpi_check_cl(ended < 0 ? ended : code, "the wait for an operator", error);
}

/* Run one operator of this rank to its end. carry: of a scan that goes on from one. */
static tally_status run_op(const tally_mpi_op *of, tally_op *op, tally_view input,
                           tally_view output, cl_mem carry, tally_error *error) {
    tally_part_binding binding = TALLY_PART_BINDING_INIT;
    cl_event event = NULL;
    binding.binding.input = input;
    binding.binding.output = output;
    binding.carry.buffer = carry;
    tally_status status = tally_scratch_view(of->mpi->scratch, op, &binding.binding.scratch, error);
    if (status == TALLY_OK)
        status =
            carry != NULL
                ? tally_part_enqueue(op, of->mpi->queue, &binding, 0, NULL, &event, error)
                : tally_op_enqueue(op, of->mpi->queue, &binding.binding, 0, NULL, &event, error);
    return status == TALLY_OK ? wait_for(event, error) : status;
}

static tally_view view_of(cl_mem buffer) {
    tally_view view = TALLY_VIEW_INIT;
    view.buffer = buffer;
    return view;
}

/* ---- Before the exchange and after it ----------------------------------------------------------
 */

/* This rank's results, or its states in host memory. */
static tally_status run_part(tally_mpi_op *of, tally_view input, tally_view output,
                             tally_error *error) {
    const bool results = of->cut.kind == TALLY_CUT_RESULTS;
    const uint64_t bytes = (uint64_t)of->exchange.counts[of->mpi->rank] * of->exchange.unit;
    if (of->part == NULL)
        return TALLY_OK;
    tally_status status =
        run_op(of, of->part, input, results ? output : view_of(of->states), NULL, error);
    if (status != TALLY_OK || results || bytes == 0)
        return status;
    return mpi_check_cl(clEnqueueReadBuffer(of->mpi->queue, of->states, CL_TRUE, 0, (size_t)bytes,
                                            of->own, 0, NULL, NULL),
                        "clEnqueueReadBuffer of states", error);
}

/* Combine the states of all ranks to the output, or those before this rank to its carry. */
static tally_status combine(tally_mpi_op *of, tally_view output, tally_error *error) {
    const uint64_t bytes = of->combined * of->exchange.unit;
    tally_status status = TALLY_OK;
    if (of->combine == NULL)
        return TALLY_OK;
    if (bytes > 0)
        status = mpi_check_cl(clEnqueueWriteBuffer(of->mpi->queue, of->states, CL_TRUE, 0,
                                                   (size_t)bytes, of->all, 0, NULL, NULL),
                              "clEnqueueWriteBuffer of states", error);
    if (status != TALLY_OK)
        return status;
    return run_op(of, of->combine, view_of(of->states),
                  of->scan != NULL ? view_of(of->carry) : output, NULL, error);
}

static tally_status go_on(tally_mpi_op *of, tally_view input, tally_view output,
                          tally_error *error) {
    tally_status status = combine(of, output, error);
    return status == TALLY_OK && of->scan != NULL
               ? run_op(of, of->scan, input, output, of->carry, error)
               : status;
}

/* ---- The calls ---------------------------------------------------------------------------------
 */

static tally_status begin(tally_mpi_op *of, tally_view input, tally_view output,
                          uint32_t wait_count, const cl_event *wait_list, tally_error *error) {
    tally_error_clear(error);
    if (wait_count > 0 &&
        mpi_check_cl(clWaitForEvents(wait_count, wait_list), "clWaitForEvents", error) != TALLY_OK)
        return error->status;
    return run_part(of, input, output, error);
}

tally_status tally_mpi_run(tally_mpi_op *op, const tally_view *input, const tally_view *output,
                           uint32_t wait_count, const cl_event *wait_list, tally_error *error) {
    tally_error *own = MPI_ERROR(error);
    const tally_view none = TALLY_VIEW_INIT;
    if (op == NULL)
        return tally_fail(own, TALLY_INVALID, "the tally_mpi_op is NULL");
    const tally_view in = input != NULL ? *input : none;
    const tally_view out = output != NULL ? *output : none;
    begin(op, in, out, wait_count, wait_list, own);
    if (mpi_agree(op->mpi->comm, own) != TALLY_OK)
        return own->status;
    if (op->cut.kind != TALLY_CUT_RESULTS) {
        if (exchange_run(&op->exchange, op->mpi, op->own, op->all, own) == TALLY_OK)
            go_on(op, in, out, own);
        if (mpi_agree(op->mpi->comm, own) != TALLY_OK)
            return own->status;
    }
    op->runs++;
    return TALLY_OK;
}

tally_status tally_mpi_op_traffic(const tally_mpi_op *op, tally_mpi_traffic *traffic,
                                  tally_error *error) {
    tally_error *own = MPI_ERROR(error);
    tally_error_clear(own);
    if (op == NULL || traffic == NULL)
        return tally_fail(own, TALLY_INVALID, "the %s is NULL",
                          op == NULL ? "tally_mpi_op" : "tally_mpi_traffic");
    const exchange *x = &op->exchange;
    tally_mpi_traffic known = TALLY_MPI_TRAFFIC_INIT;
    known.kind = op->cut.kind;
    known.state_bytes = x->unit;
    known.bytes_given = (uint64_t)x->counts[op->mpi->rank] * x->unit;
    known.bytes_gathered = exchange_gathers(x, op->mpi) ? x->total * x->unit : 0;
    known.runs = op->runs;
    if (tally_struct_check(traffic, "tally_mpi_traffic", own) == TALLY_OK)
        tally_struct_give(&known, sizeof known, traffic);
    return own->status;
}
