/*
 * Scratch buffers that grow, for callers who do not want to measure them: one for each in-order
 * queue. What was enqueued keeps the buffer that it was enqueued with, as OpenCL's references do.
 */
#include "api/operator.h"
#include "device/clerror.h"

struct tally_scratch {
    tally_runtime *runtime;
    tally_lock lock; /* of what follows */
    cl_mem buffer;   /* NULL until something is asked for */
    size_t bytes;
};

tally_status tally_scratch_create(tally_runtime *runtime, tally_scratch **scratch,
                                  tally_error *error) {
    tally_error_clear(error);
    if (scratch == NULL)
        return tally_fail(error, TALLY_INVALID, "the place for the scratch is NULL");
    *scratch = NULL;
    if (runtime == NULL)
        return tally_fail(error, TALLY_INVALID, "the runtime is NULL");
    const tally_allocator *allocator = &runtime->device.allocator;
    tally_scratch *made = tally_host_take_zeros(allocator, 1, sizeof *made);
    if (made == NULL)
        return tally_fail_memory(error, "a scratch");
    if (!tally_lock_init(&made->lock)) {
        tally_host_give(allocator, made);
        return tally_fail_memory(error, "a lock");
    }
    tally_runtime_retain(runtime);
    made->runtime = runtime;
    *scratch = made;
    return TALLY_OK;
}

void tally_scratch_release(tally_scratch *scratch) {
    if (scratch == NULL)
        return;
    if (scratch->buffer != NULL)
        clReleaseMemObject(scratch->buffer);
    tally_lock_destroy(&scratch->lock);
    tally_runtime *runtime = scratch->runtime;
    tally_host_give(&runtime->device.allocator, scratch);
    tally_runtime_release(runtime);
}

/* The lock is held. A buffer that can't be made leaves the one that is there. */
static tally_status grow(tally_scratch *scratch, size_t bytes, tally_error *error) {
    cl_int code = CL_SUCCESS;
    if (bytes <= scratch->bytes)
        return TALLY_OK;
    cl_mem buffer =
        clCreateBuffer(scratch->runtime->device.context, CL_MEM_READ_WRITE, bytes, NULL, &code);
    if (code != CL_SUCCESS)
        return tally_cl_check(code, "clCreateBuffer", error);
    if (scratch->buffer != NULL)
        clReleaseMemObject(scratch->buffer);
    scratch->buffer = buffer;
    scratch->bytes = bytes;
    return TALLY_OK;
}

tally_status tally_scratch_view(tally_scratch *scratch, const tally_op *op, tally_view *view,
                                tally_error *error) {
    tally_error_clear(error);
    if (view != NULL)
        *view = (tally_view)TALLY_VIEW_INIT;
    if (scratch == NULL || op == NULL || view == NULL)
        return tally_fail(error, TALLY_INVALID, "the %s is NULL",
                          scratch == NULL ? "scratch"
                          : op == NULL    ? "operator"
                                          : "place for the view");
    if (op->runtime->device.context != scratch->runtime->device.context)
        return tally_fail(error, TALLY_INVALID,
                          "the operator is of another context than the scratch");
    const size_t bytes = tally_op_scratch_size(op);
    if (bytes == 0)
        return TALLY_OK;
    tally_lock_acquire(&scratch->lock);
    tally_status status = grow(scratch, bytes, error);
    view->buffer = status == TALLY_OK ? scratch->buffer : NULL;
    tally_lock_release(&scratch->lock);
    return status;
}

size_t tally_scratch_bytes(tally_scratch *scratch) {
    if (scratch == NULL)
        return 0;
    tally_lock_acquire(&scratch->lock);
    const size_t bytes = scratch->bytes;
    tally_lock_release(&scratch->lock);
    return bytes;
}
