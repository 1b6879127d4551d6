/*
 * tally/tally.h: tensor reductions, running totals and diagonal fills on any OpenCL 1.2 device.
 *
 * This header and its parts are the manual. It includes tally/types.h, which has the descriptions
 * of the operators. A program calls in this order:
 *
 *   1. tally_runtime_create(): once for each context and device. It keeps the compiled kernels.
 *   2. tally_reduce_create(), tally_cumulative_create() or tally_diagonal_create(): once for each
 *      operator and shape. The call checks everything and may compile.
 *   3. tally_op_enqueue(): as often as wanted. It never compiles, never allocates device memory and
 *      never blocks.
 *
 * The caller owns the context, the queues, the tensors' memory, the scratch and the error struct.
 * Every function may be called from any thread at any time, also on the same object. One thing is
 * not allowed: to use an object during or after the release of its last hold.
 *
 * The library promises:
 *
 *   * The operator with its options, the types, the sizes, the axes and the values decide the bits
 *     of a result. Strides, the chosen kernels, other work on the device and earlier calls do not.
 *   * The bits are the same on every device whose arithmetic keeps the rules of docs/numerics.md.
 *     tally_runtime_numerics() says whether a device does. The bits change only if
 *     tally_order_version() does.
 *   * Nothing is written except the elements of the output and the scratch.
 *   * A call that fails gives a status and one sentence. It leaks nothing and leaves no object half
 *     made, but for a command buffer: see tally_op_record().
 *
 * The parts:
 *
 *   tally/calls/api.h          TALLY_API, and OpenCL's handles
 *   tally/calls/vocabulary.h   versions, names of values, helpers for tensors
 *   tally/calls/runtimes.h     runtimes, and what their devices are found to be
 *   tally/calls/create.h       checks without a device, and operators
 *   tally/calls/enqueue.h      memory, and enqueueing
 *   tally/calls/recording.h    command buffers
 *   tally/calls/scratch.h      a scratch that grows
 *   tally/calls/cache.h        the cache on disk
 *   tally/calls/overrides.h    unstable: choosing kernels
 *   tally/calls/plans.h        unstable: looking at plans
 */
#ifndef TALLY_TALLY_H
#define TALLY_TALLY_H

#include <tally/calls/api.h>
#include <tally/calls/cache.h>
#include <tally/calls/create.h>
#include <tally/calls/enqueue.h>
#include <tally/calls/overrides.h>
#include <tally/calls/plans.h>
#include <tally/calls/recording.h>
#include <tally/calls/runtimes.h>
#include <tally/calls/scratch.h>
#include <tally/calls/vocabulary.h>
#include <tally/types.h>

#endif
