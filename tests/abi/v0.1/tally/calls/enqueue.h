/*
 * tally/calls/enqueue.h: the memory of an operator, and its way into a queue. A part of
 * tally/tally.h. Makes no operator.
 */
#ifndef TALLY_CALLS_ENQUEUE_H
#define TALLY_CALLS_ENQUEUE_H

#include <stddef.h>
#include <stdint.h>

#include <tally/calls/create.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Operators ------------------------------------------------------------------------------- */

/*
 * Where a tensor's first element (all indices 0) is: in a buffer, or by a pointer. One of the two
 * is set, the other is NULL. Views of all kinds may be in one binding.
 *
 *   buffer   a buffer or a sub-buffer of the runtime's context. What is enqueued holds it. The
 *            offset is a multiple of the element's size.
 *
 *   pointer  the address of memory of the runtime's context, of a kind that the device takes:
 *
 *              shared virtual memory of OpenCL 2.0 or later: coarse-grain buffer, fine-grain
 *              buffer, or fine-grain system, which is any memory of the host
 *
 *              memory of cl_intel_unified_shared_memory: host, device, or shared
 *
 *            It may point anywhere into an allocation. pointer and offset together are a multiple
 *            of the element's size; neither need be. Which kind it is, Tally finds out: the
 *            extension says it of its own, and any other pointer is taken as shared virtual memory.
 *
 * What the caller answers for, because OpenCL has no way to ask or to hold a pointer:
 *
 *   * Memory of a pointer is freed only after the operator has ended; an event says when. It is not
 *     held as buffers are.
 *   * Coarse-grain memory is not mapped for the host from the enqueue on until the operator has
 *     ended: the enqueue comes after the clEnqueueSVMUnmap, or waits for its event. Of other kinds
 *     the host does not write meanwhile what the operator reads or writes, nor read what it writes.
 *   * Shared virtual memory is of the runtime's context and reaches over the view's range. Neither
 *     can be asked for. Of the extension's memory the range is checked. A pointer that the
 * extension does not know as memory of this context is taken as shared virtual memory, if the
 * device has any, and else refused.
 *   * Memory that the extension gave to one device is of the runtime's device.
 */
typedef struct tally_view {
    cl_mem buffer;        /* the memory, a buffer of the runtime's context, or NULL */
    void *pointer;        /* the memory, by its address, or NULL */
    size_t offset;        /* bytes from the buffer's start, or from the pointer */
    uint64_t reserved[2]; /* 0 */
} tally_view;

/*
 * The memory of one enqueue. The range of a view reaches from its first byte to its last one, gaps
 * between strides included. No two ranges may overlap. Sub-buffers of one buffer count as that
 * buffer. Pointers are compared by address. So are a pointer and a buffer that was made of memory
 * of the caller's (CL_MEM_USE_HOST_PTR), as far as the driver says it of the buffer.
 *
 * One exception: scans and fills may run in place. Then input and output are the same range, with
 * equal strides, both by one memory object or both by pointers.
 */
typedef struct tally_binding {
    tally_view input;   /* what is read; ignored if the operator reads no input */
    tally_view output;  /* what is written */
    tally_view scratch; /* ignored if tally_op_scratch_size() is 0 */
} tally_binding;

/* Initialisers: no memory at all. */
#define TALLY_VIEW_INIT                                                                            \
    {                                                                                              \
        NULL, NULL, 0, {                                                                           \
            0                                                                                      \
        }                                                                                          \
    }
#define TALLY_BINDING_INIT                                                                         \
    { TALLY_VIEW_INIT, TALLY_VIEW_INIT, TALLY_VIEW_INIT }

/*
 * Enqueue the operator on a queue of the runtime's context and device. The queue is in-order or
 * out-of-order. The operator starts after the wait_count events of wait_list. It may be enqueued
 * again at once, from any thread. If the output is empty, the enqueue is a marker and binding is
 * ignored.
 *
 * event may be NULL. Otherwise *event becomes an event that completes with the whole operator. The
 * caller releases it. Its profiling times are those of the last launch;
 * tally_op_enqueue_launches() has those of each.
 *
 * TALLY_INVALID: a queue of another context or device, a view with a buffer and a pointer or with
 * neither, a buffer of another context, memory that is known to be too small for its view, an
 * offset in a buffer or an address by a pointer that is no multiple of the element's size, an input
 * created CL_MEM_WRITE_ONLY or an output created CL_MEM_READ_ONLY, ranges that overlap, a
 * wait_count that does not fit wait_list. A binding that is refused enqueues nothing.
 *
 * TALLY_UNSUPPORTED: a pointer where the device, or this process's OpenCL library, takes none of
 * its kind.
 *
 * On failure *event is NULL and the output is undefined: launches before the failed call may run.
 *
 * If an event of wait_list ends with an error, the operator does not run, and its own event ends
 * with an error too. Drivers differ in this: PoCL ends the process if a user event is set to an
 * error and launches wait for it.
 */
TALLY_API tally_status tally_op_enqueue(tally_op *op, cl_command_queue queue,
                                        const tally_binding *binding, uint32_t wait_count,
                                        const cl_event *wait_list, cl_event *event,
                                        tally_error *error);

/* The number of launches of one enqueue, at most. 1 if the output is empty, 0 for NULL. */
TALLY_API uint32_t tally_op_launches(const tally_op *op);

/*
 * Enqueue as tally_op_enqueue() does, but with an event for each launch, for their times. events
 * has room for tally_op_launches(op) events. *count becomes the number of events. The last event
 * completes with the whole operator. The caller releases them all. On failure *count is 0 and there
 * are none.
 */
TALLY_API tally_status tally_op_enqueue_launches(tally_op *op, cl_command_queue queue,
                                                 const tally_binding *binding, uint32_t wait_count,
                                                 const cl_event *wait_list, cl_event *events,
                                                 uint32_t *count, tally_error *error);

#ifdef __cplusplus
}
#endif

#endif
