/*
 * python/native/calls.h: what the Python package calls besides the public headers. A call here does
 * what would be several steps in Python, and a step there costs a microsecond. Handles and
 * addresses are integers, as PyOpenCL and NumPy give them.
 */
#ifndef TALLY_PYTHON_CALLS_H
#define TALLY_PYTHON_CALLS_H

#include <tally/stream.h>

/* Why the last of these calls failed on this thread; also room for the error of any other call. */
tally_error *tally_py_error(void);

/*
 * In flags of tally_py_enqueue(): this handle is an address of shared virtual memory; the queue is
 * in-order, so that events of its own commands need no waiting.
 */
#define TALLY_PY_INPUT_POINTER 1
#define TALLY_PY_OUTPUT_POINTER 2
#define TALLY_PY_IN_ORDER 4

/* The most events that an enqueue waits for. */
#define TALLY_PY_WAITS 64

/*
 * Enqueue an operator behind the wait_count events of wait_list. A handle is a cl_mem, or an
 * address if flags say so; offsets are in bytes. Returns the operator's event, which the
 * caller releases. 0: it failed.
 */
uintptr_t tally_py_enqueue(tally_op *op, tally_scratch *scratch, uintptr_t queue, uintptr_t input,
                           size_t input_offset, uintptr_t output, size_t output_offset,
                           uint32_t flags, uint32_t wait_count, const uintptr_t *wait_list);

/*
 * Compute in the host's memory, on a device that shares it, and return when the result is there. A
 * tensor is the address of its first element and the bytes from there on; 0 bytes: there is none.
 * align is CL_DEVICE_MEM_BASE_ADDR_ALIGN in bytes: the output begins at a multiple of it. Input and
 * output are the same memory or do not overlap.
 */
tally_status tally_py_host(tally_op *op, tally_scratch *scratch, uintptr_t queue, uintptr_t input,
                           size_t input_bytes, uintptr_t output, size_t output_bytes, size_t align);

/* Compute from the host's memory into the host's memory by a stream: any device, any size. */
tally_status tally_py_stream(tally_runtime *runtime, const tally_desc *desc, uintptr_t input,
                             uintptr_t output);

#endif
