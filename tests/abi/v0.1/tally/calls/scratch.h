/*
 * tally/calls/scratch.h: a scratch buffer for several operators. A part of tally/tally.h. Enqueues
 * nothing.
 */
#ifndef TALLY_CALLS_SCRATCH_H
#define TALLY_CALLS_SCRATCH_H

#include <stddef.h>

#include <tally/calls/enqueue.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Scratch that grows --------------------------------------------------------------------- */

/*
 * A scratch buffer that grows to the largest size that its operators need. The caller makes one for
 * each in-order queue: launches that may run at the same time must not share scratch.
 */
typedef struct tally_scratch tally_scratch;

/*
 * Make a scratch, at first without memory. It keeps the runtime. The caller releases it. On failure
 * *scratch is NULL.
 */
TALLY_API tally_status tally_scratch_create(tally_runtime *runtime, tally_scratch **scratch,
                                            tally_error *error);

/* Release a scratch. Launches that use it may still be queued or running. NULL is a no-op. */
TALLY_API void tally_scratch_release(tally_scratch *scratch);

/*
 * Fill *view for the scratch member of the operator's next binding. The view has no buffer if the
 * operator needs no scratch. No other call makes or grows the buffer. One that is too small is
 * replaced. Launches that were enqueued before keep the old buffer until they end, so
 * for a while both exist. The view is good until the next call for this scratch.
 *
 * On failure the view has no buffer, and the scratch stays as it was:
 *
 *   TALLY_INVALID          an argument is NULL, or the operator is of another context
 *
 *   TALLY_OUT_OF_MEMORY    no memory is left
 *
 *   TALLY_DEVICE_ERROR     the size is more than the device allocates at once
 */
TALLY_API tally_status tally_scratch_view(tally_scratch *scratch, const tally_op *op,
                                          tally_view *view, tally_error *error);

/* The bytes that the buffer has now. 0 for NULL. */
TALLY_API size_t tally_scratch_bytes(tally_scratch *scratch);

#ifdef __cplusplus
}
#endif

#endif
