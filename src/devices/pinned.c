/*
 * Pinned memory of the host: a buffer that the driver allocates there, mapped once. Drivers copy
 * to and from other memory through some of their own, and block meanwhile.
 */
#include "devices/op.h"

tally_status tally_devices_pin(const tally_devices_entry *entry, uint64_t bytes,
                               tally_devices_pinned *made, tally_error *error) {
    cl_int code = CL_SUCCESS;
    made->buffer = clCreateBuffer(entry->context, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR,
                                  (size_t)bytes, NULL, &code);
    if (code != CL_SUCCESS)
        return tally_cl_check(code, "clCreateBuffer", error);
    made->bytes =
        clEnqueueMapBuffer(entry->queue, made->buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                           (size_t)bytes, 0, NULL, NULL, &code);
    return tally_cl_check(code, "clEnqueueMapBuffer", error);
}

void tally_devices_unpin(const tally_devices_entry *entry, tally_devices_pinned *made) {
    if (made->bytes != NULL)
        clEnqueueUnmapMemObject(entry->queue, made->buffer, made->bytes, 0, NULL, NULL);
    if (made->buffer != NULL)
        clReleaseMemObject(made->buffer);
}
