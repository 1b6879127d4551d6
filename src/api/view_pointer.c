/*
 * A view by a pointer. The kernels get the address of its first byte, so that the offset need be no
 * multiple of anything: they ask addresses where they need packs, and never the offset.
 */
#include <inttypes.h>

#include "api/view.h"

/* Refuse a pointer that the device takes none of. */
static tally_status refuse(const tally_device *device, const tally_view_rule *rule,
                           tally_error *error) {
    const bool has_usm = device->pointers.usm.set != NULL;
    return tally_fail(error, TALLY_UNSUPPORTED, "the %s is a pointer%s, but %s", rule->role,
                      has_usm ? " that is no unified shared memory of the runtime's context" : "",
                      device->pointers.no_svm);
}

/* The pointer is within the allocation. */
static tally_status check_extent(const tally_view_rule *rule, const tally_view *view,
                                 const tally_allocation *of, tally_error *error) {
    const size_t room = of->bytes - ((uintptr_t)view->pointer - of->base);
    if (view->offset > room || rule->bytes > room - view->offset)
        return tally_fail(error, TALLY_INVALID,
                          "the %s needs %" PRIu64
                          " bytes from offset %zu on, but from its pointer on there are %zu bytes",
                          rule->role, rule->bytes, view->offset, room);
    return TALLY_OK;
}

tally_status tally_view_check_pointer(const tally_device *device, const tally_view_rule *rule,
                                      const tally_view *view, tally_region *region,
                                      tally_byte_range *range, tally_error *error) {
    tally_allocation found;
    tally_status status =
        tally_pointers_find(&device->pointers, device->context, view->pointer, &found, error);
    if (status == TALLY_OK && found.kind == NULL)
        status = refuse(device, rule, error);
    if (status == TALLY_OK)
        status = check_extent(rule, view, &found, error);
    if (status != TALLY_OK)
        return status;
    const uintptr_t address = (uintptr_t)view->pointer + view->offset;
    if (address % rule->alignment != 0)
        return tally_fail(error, TALLY_INVALID,
                          "the %s's address 0x%" PRIxPTR " is not a multiple of %" PRIu64,
                          rule->role, address, rule->alignment);
    const char *first = (const char *)view->pointer + view->offset;
    region->memory = (tally_memory){.pointer = first, .kind = found.kind};
    range->begin = range->address = address;
    range->end = range->begin + rule->bytes;
    return TALLY_OK;
}
