/*
 * tally/calls/recording.h: operators in command buffers of the caller's. A part of tally/tally.h.
 * Replays nothing.
 */
#ifndef TALLY_CALLS_RECORDING_H
#define TALLY_CALLS_RECORDING_H

#include <stddef.h>
#include <stdint.h>

#include <tally/calls/enqueue.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Command buffers ------------------------------------------------------------------------ */

/*
 * Record the operator into a command buffer of the caller's (OpenCL's cl_khr_command_buffer), to be
 * replayed with it: as often as wanted, with the bits of an enqueue, and by one call however many
 * operators it has. Whether that saves time is the driver's. The caller creates the command buffer,
 * finalizes, enqueues and releases it; nothing runs before that. queue is the one that it was
 * created with, in-order or out-of-order, or one of them.
 *
 * The operator starts behind the wait_count sync points of wait_list, and behind what else the
 * command buffer says. Its launches are chained. If sync_point is not NULL, *sync_point becomes one
 * that completes with the whole operator. With an empty output it is a barrier, and binding is not
 * looked at.
 *
 * Memory. A replay reads and writes the memory, at the offsets, of the binding that was recorded;
 * their elements may change from replay to replay. For other memory there is
 * tally_op_record_updatable(). On a device that does not have it record again, and if that happens
 * often with a new operator, because what a recording takes is given back with its operator only.
 *
 * Lifetime. The operator, the bound memory and the scratch must stay until the command buffer is
 * released and its last replay has ended: OpenCL does not keep what kernels' arguments name. So a
 * tally_scratch, which drops its buffer where it grows, grows before the first recording and no
 * more. The runtime may be released before. Some recordings of an operator take some memory of the
 * device, which stays with the operator: a few bytes, or for scans in a single pass a board. So
 * record once and replay often.
 *
 * At the same time. Replays of one recording must not run at the same time, whatever the command
 * buffer allows: they write the same memory. Different recordings, also of one operator and in one
 * command buffer, may, and so may enqueues of the operator, if each has its own output and its own
 * scratch. Of two operators in one command buffer that share a scratch the second waits for the
 * first's sync point, or the queue is in-order. Two threads must not record into one command buffer
 * at once; that is a rule of OpenCL's.
 *
 * TALLY_UNSUPPORTED: a device of which tally_runtime_recording() says no, with its reason.
 *
 * TALLY_INVALID: NULL, a command buffer that is finalized, a queue that is none of the command
 * buffer's, and what tally_op_enqueue() refuses. Nothing is recorded then. Sync points are not
 * checked: some drivers crash at a wrong one.
 *
 * TALLY_OUT_OF_MEMORY, TALLY_BUILD_FAILED, TALLY_DEVICE_ERROR: a later call failed. The command
 * buffer may have a part of the operator then, and only a release is left for it.
 *
 * On failure *sync_point is as it was.
 */
TALLY_API tally_status tally_op_record(tally_op *op, cl_command_buffer_khr commands,
                                       cl_command_queue queue, const tally_binding *binding,
                                       uint32_t wait_count, const cl_sync_point_khr *wait_list,
                                       cl_sync_point_khr *sync_point, tally_error *error);

/*
 * What tally_op_record_updatable() recorded of an operator, to be given other memory. Keeps the
 * operator.
 */
typedef struct tally_recorded tally_recorded;

/*
 * Record as tally_op_record() does, so that later replays can have other memory (OpenCL's
 * cl_khr_command_buffer_mutable_dispatch, versions 0.9.0 to 0.9.5). The command buffer is one that
 * the caller created with CL_COMMAND_BUFFER_MUTABLE_KHR among its CL_COMMAND_BUFFER_FLAGS_KHR. On
 * success *recorded is what tally_recorded_update() takes; the caller releases it. On failure it is
 * NULL.
 *
 * All that is said of tally_op_record() holds. Until an update a replay has the memory of binding.
 *
 * TALLY_UNSUPPORTED: a device of which tally_runtime_recording() says that recordings are not
 * updatable, with its update_reason.
 *
 * TALLY_INVALID: recorded is NULL, a command buffer that was created without the flag, and what
 * tally_op_record() refuses. Nothing is recorded then.
 */
TALLY_API tally_status tally_op_record_updatable(tally_op *op, cl_command_buffer_khr commands,
                                                 cl_command_queue queue,
                                                 const tally_binding *binding, uint32_t wait_count,
                                                 const cl_sync_point_khr *wait_list,
                                                 cl_sync_point_khr *sync_point,
                                                 tally_recorded **recorded, tally_error *error);

/*
 * Give count recordings of one finalized command buffer other memory: the first one that of the
 * first binding, and so on. All replays that are enqueued later have it, until the next update. One
 * call for all recordings whose memory changes is the fastest way. A count of 0 does nothing.
 *
 * A binding is any that tally_op_enqueue() takes: other buffers, offsets, scratch, pointers in
 * place of buffers. It is checked as there. One thing is refused besides: a fill with an input, and
 * some scans, have other launches in place than out of place, and OpenCL cannot exchange the
 * kernels of a command buffer. Such an operator is recorded anew for the other way. An operator
 * with an empty output has no memory; its binding is not looked at.
 *
 * The call compiles nothing, allocates no device memory and does not block, unless the driver does.
 *
 * All or nothing. A call that fails changes no recording: each has the memory that it had before.
 *
 * Lifetime. The memory and the scratch that recordings have now must stay, as those of
 * tally_op_record(). What they had before may go, when the replays that were enqueued before the
 * update have ended. There is no update after the command buffer's release.
 *
 * At the same time. No replay is under way during the update: wait for the event of the last one,
 * or for the queue. OpenCL does without that wait only where the command buffer was created with
 * CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR; also then no two replays of a recording run at the same
 * time. Two threads must not update one command buffer at once, nor one update it while the other
 * enqueues it; that is a rule of OpenCL's.
 *
 * Pointers of cl_intel_unified_shared_memory are given to the driver as shared virtual memory, as
 * the extension knows no other. A driver that refuses this fails the call, and nothing is changed.
 *
 * TALLY_INVALID: a list or an entry that is NULL, an entry that is there twice or of another
 * command buffer than the first, a command buffer that is not finalized, or one that says that a
 * replay is pending, and a binding as above. Of several the sentence says which one: "recording 2
 * of 3: ...".
 *
 * TALLY_UNSUPPORTED: a pointer, as by tally_op_enqueue().
 *
 * TALLY_OUT_OF_MEMORY, TALLY_DEVICE_ERROR: the driver's call failed, or no host memory is left.
 */
TALLY_API tally_status tally_recorded_update(tally_recorded *const *recorded,
                                             const tally_binding *bindings, size_t count,
                                             tally_error *error);

/*
 * Release what tally_op_record_updatable() made, before the command buffer or after it. What was
 * recorded stays in the command buffer, and the operator must stay until that is released: by a
 * hold of the caller's, or by this object, which has one. NULL is a no-op.
 */
TALLY_API void tally_recorded_release(tally_recorded *recorded);

#ifdef __cplusplus
}
#endif

#endif
