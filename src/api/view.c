/*
 * A view's checks: it has a buffer or a pointer, and lies in it.
 */
#include "api/view.h"

#include <inttypes.h>

#include "device/clerror.h"

static tally_status query(cl_mem buffer, cl_mem_info what, void *value, size_t bytes,
                          tally_error *error) {
    const cl_int code = clGetMemObjectInfo(buffer, what, bytes, value, NULL);
    if (code == CL_SUCCESS) /* ten times in each enqueue */
        return TALLY_OK;
    return tally_cl_check(code, "clGetMemObjectInfo", error);
}

#define QUERY(buffer, what, value, error)                                                          \
    query(buffer, what, (void *)&(value), sizeof(value), error)

static tally_status check_object(const tally_device *device, const tally_view_rule *rule,
                                 cl_mem buffer, tally_error *error) {
    cl_mem_object_type type = 0;
    cl_context context = NULL;
    cl_mem_flags flags = 0;
    tally_status status = QUERY(buffer, CL_MEM_TYPE, type, error);
    if (status == TALLY_OK)
        status = QUERY(buffer, CL_MEM_CONTEXT, context, error);
    if (status == TALLY_OK)
        status = QUERY(buffer, CL_MEM_FLAGS, flags, error);
    if (status != TALLY_OK)
        return status;
    if (type != CL_MEM_OBJECT_BUFFER)
        return tally_fail(error, TALLY_INVALID, "the %s's memory object is an image, not a buffer",
                          rule->role);
    if (context != device->context)
        return tally_fail(error, TALLY_INVALID,
                          "the %s's buffer is of another context than the runtime", rule->role);
    if ((flags & rule->forbidden) != 0)
        return tally_fail(error, TALLY_INVALID, "the %s's buffer was created %s", rule->role,
                          (flags & CL_MEM_READ_ONLY) != 0 ? "CL_MEM_READ_ONLY"
                                                          : "CL_MEM_WRITE_ONLY");
    return TALLY_OK;
}

static tally_status check_extent(const tally_view_rule *rule, const tally_view *view,
                                 tally_error *error) {
    size_t size = 0;
    if (view->offset % rule->alignment != 0)
        return tally_fail(error, TALLY_INVALID,
                          "the %s's offset of %zu bytes is not a multiple of %" PRIu64, rule->role,
                          view->offset, rule->alignment);
    tally_status status = QUERY(view->buffer, CL_MEM_SIZE, size, error);
    if (status != TALLY_OK)
        return status;
    if (view->offset > size || rule->bytes > size - view->offset)
        return tally_fail(error, TALLY_INVALID,
                          "the %s needs %" PRIu64
                          " bytes from offset %zu on, but its buffer has %zu bytes",
                          rule->role, rule->bytes, view->offset, size);
    return TALLY_OK;
}

static tally_status resolve(const tally_view_rule *rule, const tally_view *view,
                            tally_region *region, tally_byte_range *range, tally_error *error) {
    cl_mem parent = NULL;
    size_t origin = 0;
    tally_status status = QUERY(view->buffer, CL_MEM_ASSOCIATED_MEMOBJECT, parent, error);
    if (status == TALLY_OK && parent != NULL)
        status = QUERY(view->buffer, CL_MEM_OFFSET, origin, error);
    region->memory = (tally_memory){.buffer = view->buffer};
    region->offset = view->offset;
    range->root = parent != NULL ? parent : view->buffer;
    range->begin = (uint64_t)origin + view->offset;
    range->end = range->begin + rule->bytes;
    return status;
}

static tally_status check_buffer(const tally_device *device, const tally_view_rule *rule,
                                 const tally_view *view, tally_region *region,
                                 tally_byte_range *range, tally_error *error) {
    tally_status status = check_object(device, rule, view->buffer, error);
    if (status == TALLY_OK)
        status = check_extent(rule, view, error);
    if (status == TALLY_OK)
        status = resolve(rule, view, region, range, error);
    return status;
}

tally_status tally_view_check(const tally_device *device, const tally_view_rule *rule,
                              const tally_view *view, tally_region *region, tally_byte_range *range,
                              tally_error *error) {
    range->role = rule->role;
    if (view->reserved[0] != 0 || view->reserved[1] != 0)
        return tally_fail(error, TALLY_UNSUPPORTED,
                          "the %s's reserved members are %" PRIu64 " and %" PRIu64
                          ", but this version wants 0; TALLY_BINDING_INIT has them",
                          rule->role, view->reserved[0], view->reserved[1]);
    if (view->buffer != NULL && view->pointer != NULL)
        return tally_fail(error, TALLY_INVALID,
                          "the %s has a buffer and a pointer, but must have one of them",
                          rule->role);
    if (view->buffer != NULL)
        return check_buffer(device, rule, view, region, range, error);
    if (view->pointer != NULL)
        return tally_view_check_pointer(device, rule, view, region, range, error);
    return tally_fail(error, TALLY_INVALID,
                      "the %s's buffer and pointer are NULL, but the operator needs %" PRIu64
                      " bytes of one",
                      rule->role, rule->bytes);
}

/*
 * The buffer itself is asked; of a sub-buffer OpenCL says where that begins. Its root may be an
 * object of the driver's own: Intel's has one for a buffer of shared virtual memory, and takes no
 * question about it. CL_MEM_HOST_PTR says of which memory a buffer was made, whether that is shared
 * virtual memory or Intel's. CL_MEM_USES_SVM_POINTER is for the first alone, and PoCL 3.1 denies it
 * where the memory begins inside of an allocation. The flag comes first, because only with it a
 * pointer is the memory itself and not what was copied.
 */
tally_status tally_view_find_address(const tally_region *region, tally_byte_range *range,
                                     tally_error *error) {
    cl_mem_flags flags = 0;
    void *host = NULL;
    if (range->root == NULL)
        return TALLY_OK;
    tally_status status = QUERY(region->memory.buffer, CL_MEM_FLAGS, flags, error);
    if (status == TALLY_OK && (flags & CL_MEM_USE_HOST_PTR) != 0)
        status = QUERY(region->memory.buffer, CL_MEM_HOST_PTR, host, error);
    if (status == TALLY_OK && host != NULL)
        range->address = (uint64_t)(uintptr_t)host + region->offset;
    return status;
}
