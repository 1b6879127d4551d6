/*
 * Making an operator on a distributed tensor. Each rank checks what it was given, then all ranks
 * compare, then each makes its own operators: after each step they agree whether to go on.
 */
#include "mpi/op.h"

#include <stdlib.h>

#include "mpi/request.h"

/* ---- What this rank makes ---------------------------------------------------------------------
 */

/* Tensors that the caller did not describe are packed. */
typedef struct tensors {
    tally_tensor input, output;
} tensors;

static tally_part part_of(const request *of, tensors *packed) {
    const tally_mpi_layout *layout = &of->layout;
    const tally_tensor *input = tally_desc_input(of->whole);
    tally_part part = TALLY_PART_INIT;
    part.begin = layout->begin;
    part.end = layout->end;
    packed->output =
        tally_tensor_range(tally_desc_output(of->whole), layout->axis, part.begin, part.end);
    packed->input = tally_tensor_range(input, layout->axis, part.begin, part.end);
    part.input = layout->input != NULL || input == NULL ? layout->input : &packed->input;
    part.output = layout->output != NULL ? layout->output : &packed->output;
    return part;
}

static tally_status make_operators(tally_mpi_op *op, const request *of, tally_error *error) {
    tensors packed;
    tally_runtime *runtime = op->mpi->runtime;
    const tally_part part = part_of(of, &packed);
    const bool scans = of->cut.kind == TALLY_CUT_TOTALS;
    const bool gives = op->exchange.counts[op->mpi->rank] > 0;
    tally_status status = TALLY_OK;
    op->combined = of->cut.kind == TALLY_CUT_STATES ? op->exchange.total
                   : scans && part.begin < part.end ? (op->cut.lines > 0 ? op->exchange.before : 0)
                                                    : 0;
    const bool combines = of->cut.kind == TALLY_CUT_STATES
                              ? of->layout.root == TALLY_MPI_ALL || of->layout.root == op->mpi->rank
                              : op->combined > 0;
    if (of->cut.kind == TALLY_CUT_RESULTS || gives)
        status = tally_part_create(runtime, of->whole, &of->cut, &part, &op->part, error);
    if (status == TALLY_OK && combines)
        status =
            tally_combine_create(runtime, of->whole, &of->cut, op->combined, &op->combine, error);
    if (status == TALLY_OK && scans)
        status = tally_part_scan_create(runtime, of->whole, &of->cut, &part, &op->scan, error);
    return status;
}

/* The scratch grows now, not when the operator runs. */
static tally_status reserve_scratch(const tally_mpi_op *op, tally_error *error) {
    const tally_op *all[] = {op->part, op->combine, op->scan};
    for (size_t i = 0; i < 3; i++) {
        tally_view view;
        if (all[i] != NULL &&
            tally_scratch_view(op->mpi->scratch, all[i], &view, error) != TALLY_OK)
            return error->status;
    }
    return TALLY_OK;
}

static tally_status make_buffer(const tally_mpi_op *op, uint64_t bytes, cl_mem *buffer,
                                tally_error *error) {
    cl_int code = CL_SUCCESS;
    *buffer = clCreateBuffer(op->mpi->context, CL_MEM_READ_WRITE, bytes > 0 ? (size_t)bytes : 1,
                             NULL, &code);
    return mpi_check_cl(code, "clCreateBuffer for states", error);
}

static tally_status make_memory(tally_mpi_op *op, tally_error *error) {
    const exchange *x = &op->exchange;
    const uint64_t given = (uint64_t)x->counts[op->mpi->rank];
    const uint64_t most = given > op->combined ? given : op->combined;
    if (op->cut.kind == TALLY_CUT_RESULTS)
        return TALLY_OK;
    op->own = malloc((size_t)(given * x->unit) + 1);
    op->all = malloc((size_t)(exchange_gathers(x, op->mpi) ? x->total * x->unit : 0) + 1);
    if (op->own == NULL || op->all == NULL)
        return tally_fail_memory(error, "states");
    tally_status status = make_buffer(op, most * x->unit, &op->states, error);
    return status == TALLY_OK ? make_buffer(op, x->unit, &op->carry, error) : status;
}

static tally_status make(tally_mpi_op *op, request *of, tally_error *error) {
    tally_mpi *mpi = op->mpi;
    const bool descending = of->whole->cumulative != NULL && of->whole->cumulative->descending &&
                            of->cut.kind == TALLY_CUT_TOTALS;
    tally_status status =
        tally_cut_at(of->whole, of->layout.axis, (uint32_t)mpi->ranks, of->bounds, &of->cut, error);
    if (status != TALLY_OK)
        return status;
    op->cut = of->cut;
    status = exchange_prepare(&op->exchange, mpi, &of->cut, of->bounds, descending, of->layout.root,
                              error);
    if (status == TALLY_OK)
        status = make_operators(op, of, error);
    if (status == TALLY_OK)
        status = reserve_scratch(op, error);
    return status == TALLY_OK ? make_memory(op, error) : status;
}

/* ---- The calls --------------------------------------------------------------------------------
 */

/* op: to be filled, or NULL on a rank that cannot have one. */
static tally_status create(tally_mpi *mpi, const tally_mpi_layout *layout, tally_mpi_op *op,
                           request *of, tally_error *error) {
    if (op == NULL)
        tally_fail_memory(error, "an operator");
    else
        request_check(of, mpi, layout, error);
    if (mpi_agree(mpi->comm, error) != TALLY_OK || request_compare(of, mpi, error) != TALLY_OK ||
        request_gather(of, mpi, error) != TALLY_OK)
        return error->status;
    make(op, of, error);
    return mpi_agree(mpi->comm, error);
}

static tally_mpi_op *make_empty(tally_mpi *mpi) {
    tally_mpi_op *op = calloc(1, sizeof *op);
    if (op != NULL) {
        op->mpi = mpi;
        op->exchange.type = MPI_DATATYPE_NULL;
    }
    return op;
}

tally_status tally_mpi_op_create(tally_mpi *mpi, const tally_desc *whole,
                                 const tally_mpi_layout *layout, tally_mpi_op **op,
                                 tally_error *error) {
    tally_error *own = MPI_ERROR(error);
    request of = {.whole = whole};
    if (op != NULL)
        *op = NULL;
    if (mpi == NULL)
        return tally_fail(own, TALLY_INVALID, "the tally_mpi is NULL");
    /* Where nobody would get the operator, this rank fails as one without memory does. */
    tally_mpi_op *made = op != NULL ? make_empty(mpi) : NULL;
    if (create(mpi, layout, made, &of, own) == TALLY_OK)
        *op = made;
    else
        tally_mpi_op_release(made);
    request_release(&of);
    return own->status;
}

void tally_mpi_op_release(tally_mpi_op *op) {
    if (op == NULL)
        return;
    tally_op_release(op->part);
    tally_op_release(op->combine);
    tally_op_release(op->scan);
    if (op->states != NULL)
        clReleaseMemObject(op->states);
    if (op->carry != NULL)
        clReleaseMemObject(op->carry);
    exchange_release(&op->exchange);
    free(op->own);
    free(op->all);
    free(op);
}
