/*
 * tally/mpi.h: operators on tensors that are distributed over the ranks of an MPI communicator.
 *
 * This header belongs to a library of its own, tally_mpi. It needs MPI; Tally itself does not. In
 * this header a rank is a process of a communicator.
 *
 * Each rank has a range of one axis of the input, in its own device's memory. A range may be empty.
 * The result has the bits of the operator that computes the whole at once, whatever the number of
 * ranks. What ranks exchange are states, see tally/part.h: never a tensor, and MPI computes with no
 * float. docs/scaling-mpi.md has what travels, and how long it takes.
 *
 * What is computed depends on the axis that is distributed:
 *
 *   an axis that a reduction keeps, or that a scan does not run along; any axis of a fill
 *       Each rank gets its range of the output. Nothing travels.
 *
 *   the outermost swept axis of a reduction
 *       The states of all ranks are gathered, on one rank or on all, and combined there. These
 *       ranks get the whole output.
 *
 *   the axis that a scan runs along
 *       The states of all ranks are gathered on all ranks. Each rank combines those before it, and
 *       gets its range of the output.
 *
 * A rank that combines has all states in its memory: tally_mpi_traffic has the bytes. With many
 * lines (outputs of a reduction, rows of a scan) it is better to distribute an axis of the lines.
 *
 * A program calls in this order, on all ranks:
 *
 *   1. tally_mpi_pick_device(): which of its host's devices this rank uses.
 *   2. tally_mpi_create(): with this rank's runtime and queue.
 *   3. tally_mpi_even(): this rank's range, unless the program has ranges of its own.
 *   4. tally_mpi_op_create(): once for each operator and shape.
 *   5. tally_mpi_run(): as often as wanted. Then the releases, and MPI_Finalize().
 *
 * Collective calls. A call that is marked "Collective" is made by all ranks of the communicator, in
 * the same order. It gives the same status and the same sentence on all ranks: if it fails on one,
 * it fails on all, and the sentence is that of the lowest rank that failed, "rank 2 of 4: ...". So
 * no rank waits for one that has given up. A rank whose own arguments are wrong, even NULL, still
 * takes part. The exceptions are where nobody can be told: MPI is not initialised, the communicator
 * is MPI_COMM_NULL, or the tally_mpi or the tally_mpi_op is NULL.
 *
 * If a call of MPI fails, the status is TALLY_DEVICE_ERROR, the fault is TALLY_FAULT_HOST, and the
 * sentence has MPI's words. Then MPI promises nothing more, and other ranks may wait.
 *
 * Calls on objects of one communicator are made from one thread at a time. MPI has to be
 * initialised with MPI_THREAD_FUNNELED or more if that is not the only thread: drivers of OpenCL
 * have threads of their own, but these do not call MPI.
 */
#ifndef TALLY_MPI_H
#define TALLY_MPI_H

#include <mpi.h>

#include <tally/part.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Ranks and devices --------------------------------------------------------------------- */

/*
 * Collective. Tell all ranks whether all have succeeded in something that each did on its own, for
 * example opened its device. If error->status is TALLY_OK on all ranks, the call returns TALLY_OK.
 * Else *error becomes the lowest failed rank's on all ranks, and the call returns its status.
 *
 * error is not NULL: a rank that passes NULL counts as failed.
 */
TALLY_API tally_status tally_mpi_agree(MPI_Comm comm, tally_error *error);

/*
 * Collective. Choose one of this host's count devices, so that the ranks of one host take different
 * ones: *index is this rank's number among the ranks of its host, modulo count. What is counted,
 * and in which order, is the program's choice; it has to be the same in all programs of a host.
 *
 * TALLY_INVALID: on some rank count is 0 or index is NULL.
 */
TALLY_API tally_status tally_mpi_pick_device(MPI_Comm comm, uint32_t count, uint32_t *index,
                                             tally_error *error);

/* The ranks of a communicator, with this rank's runtime and queue. */
typedef struct tally_mpi tally_mpi;

/*
 * Collective. Make the object with which operators are created. It has a copy of the communicator
 * (MPI_Comm_dup) for its messages, and keeps the runtime and the queue. The queue is of the
 * runtime's context and device. On failure *mpi is NULL on all ranks.
 *
 * TALLY_INVALID: on some rank an argument is NULL, or ranks have other versions of Tally: the same
 * tally_version() and tally_order_version() are needed.
 */
TALLY_API tally_status tally_mpi_create(MPI_Comm comm, tally_runtime *runtime,
                                        cl_command_queue queue, tally_mpi **mpi,
                                        tally_error *error);

/*
 * Collective, as it frees a communicator: release it on all ranks, after the operators that were
 * made with it and before MPI_Finalize(). NULL is a no-op.
 */
TALLY_API void tally_mpi_release(tally_mpi *mpi);

/* ---- Operators ----------------------------------------------------------------------------- */

/* tally_mpi_layout.root: all ranks get the output. */
#define TALLY_MPI_ALL (-1)

/* How a tensor is distributed, and what this rank has of it. */
typedef struct tally_mpi_layout {
    uint32_t struct_size; /* sizeof(tally_mpi_layout); the initialiser fills it */
    uint32_t axis;        /* the axis along which ranks have ranges; the same on all ranks */
    /*
     * This rank's range: from begin up to end. The ranges of rank 0, 1, 2 and so on follow each
     * other from 0 to the size of the axis. Where a range may begin, tally/part.h says.
     */
    uint64_t begin;
    uint64_t end; /* the coordinate behind the last one */
    /*
     * This rank's tensors: the whole's types and sizes, but end - begin coordinates along the axis.
     * NULL: the packed ones, tally_tensor_range(). The output of a reduction whose outermost swept
     * axis is distributed is the whole's, as its description has it; then output is ignored.
     */
    const tally_tensor *input;
    const tally_tensor *output; /* likewise */
    /*
     * The rank that gets such a reduction's output, or TALLY_MPI_ALL. The same on all ranks.
     * Ignored where the output is distributed.
     */
    int32_t root;
    uint32_t reserved; /* 0 */
} tally_mpi_layout;

/* A tally_mpi_layout without a range. */
#define TALLY_MPI_LAYOUT_INIT                                                                      \
    { sizeof(tally_mpi_layout), 0, 0, 0, NULL, NULL, 0, 0 }

/*
 * Fill axis, begin and end of *layout with this rank's share of an even cut, as tally_cut_even()
 * cuts. axis may be TALLY_ANY_AXIS. This call is not collective, and ranks that describe the same
 * problem get ranges that fit. Other members stay as they are.
 */
TALLY_API tally_status tally_mpi_even(const tally_mpi *mpi, const tally_desc *whole, uint32_t axis,
                                      tally_mpi_layout *layout, tally_error *error);

/* An operator on a distributed tensor. */
typedef struct tally_mpi_op tally_mpi_op;

/*
 * Collective. Make the operator of a description, which is that of the whole and the same on all
 * ranks; strides may differ. The call compiles, and takes the host memory and the device memory
 * that states need. It keeps nothing of the arguments but mpi. The caller releases the operator. On
 * failure *op is NULL on all ranks.
 *
 * TALLY_INVALID: on some rank an argument is NULL, or the description, the axis or a bound is
 * refused as tally_cut_at() does; ranks differ in description, axis or root; ranges do not follow
 * each other. Otherwise as tally_part_create(), on any rank.
 */
TALLY_API tally_status tally_mpi_op_create(tally_mpi *mpi, const tally_desc *whole,
                                           const tally_mpi_layout *layout, tally_mpi_op **op,
                                           tally_error *error);

/* Release an operator, before its tally_mpi. Not collective. NULL is a no-op. */
TALLY_API void tally_mpi_op_release(tally_mpi_op *op);

/*
 * Collective. Run the operator. The call waits for the wait_count events of wait_list, and blocks
 * until this rank's output is complete and all ranks have said so: states travel through host
 * memory. Of memory it takes only the scratch that the operator reserved.
 *
 * input is this rank's input, output its output; they begin with the first element of this rank's
 * range. NULL stands for no memory: for a rank with an empty range, for the input of a fill that
 * has none, for the output of ranks that get none. A scan and a fill may run in place. Operators of
 * one tally_mpi share its scratch, so their queue must not be running an earlier run: no call
 * returns before its run has ended.
 *
 * If the call fails, all ranks' outputs are undefined.
 */
TALLY_API tally_status tally_mpi_run(tally_mpi_op *op, const tally_view *input,
                                     const tally_view *output, uint32_t wait_count,
                                     const cl_event *wait_list, tally_error *error);

/* What an operator exchanges. */
typedef struct tally_mpi_traffic {
    uint32_t struct_size;    /* in: sizeof(tally_mpi_traffic) */
    tally_cut_kind kind;     /* what ranks compute; of TALLY_CUT_RESULTS nothing travels */
    uint64_t state_bytes;    /* of one state of all lines: states travel in multiples of it */
    uint64_t bytes_given;    /* of states that this rank gives in each run */
    uint64_t bytes_gathered; /* of states of all ranks that this rank gets, its own included */
    uint64_t runs;           /* runs so far that ended well */
} tally_mpi_traffic;

/* A tally_mpi_traffic to be filled. */
#define TALLY_MPI_TRAFFIC_INIT                                                                     \
    { sizeof(tally_mpi_traffic), TALLY_CUT_RESULTS, 0, 0, 0, 0 }

/* Fill *traffic. Not collective. TALLY_INVALID: op or traffic is NULL. */
TALLY_API tally_status tally_mpi_op_traffic(const tally_mpi_op *op, tally_mpi_traffic *traffic,
                                            tally_error *error);

#ifdef __cplusplus
}
#endif

#endif
