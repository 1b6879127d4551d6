/*
 * Questions to a device.
 */
#include "device/query.h"

#include <stdio.h>
#include <string.h>

#include "base/host_memory.h"
#include "device/clerror.h"

tally_status tally_query(cl_device_id id, cl_device_info what, const char *call, void *value,
                         size_t bytes, tally_error *error) {
    return tally_cl_check(clGetDeviceInfo(id, what, bytes, value, NULL), call, error);
}

tally_status tally_query_list(cl_device_id id, const tally_allocator *allocator,
                              cl_device_info what, const char *call, void **list,
                              tally_error *error) {
    size_t bytes = 0;
    *list = NULL;
    tally_status status = tally_cl_check(clGetDeviceInfo(id, what, 0, NULL, &bytes), call, error);
    if (status != TALLY_OK)
        return status;
    void *answer = tally_host_take_zeros(allocator, 1, bytes + sizeof(size_t));
    if (answer == NULL)
        return tally_fail_memory(error, "an answer of the device");
    status = tally_query(id, what, call, answer, bytes, error);
    if (status == TALLY_OK)
        *list = answer;
    else
        tally_host_give(allocator, answer);
    return status;
}

tally_status tally_query_platform(cl_device_id id, cl_platform_id *platform, cl_platform_info what,
                                  char *text, size_t bytes, tally_error *error) {
    text[0] = '\0';
    tally_status status = tally_query(id, CL_DEVICE_PLATFORM, TALLY_QUESTION(CL_DEVICE_PLATFORM),
                                      (void *)platform, sizeof(cl_platform_id), error);
    if (status != TALLY_OK)
        return status;
    cl_int code = clGetPlatformInfo(*platform, what, bytes, text, NULL);
    text[bytes - 1] = '\0';
    if (code != CL_SUCCESS)
        text[0] = '\0';
    return code == CL_INVALID_VALUE ? TALLY_OK : tally_cl_check(code, "clGetPlatformInfo", error);
}

/* C has no cast from a pointer to data to one to a function. */
void tally_query_function(cl_platform_id platform, const char *name, void *pointer) {
    void *found = clGetExtensionFunctionAddressForPlatform(platform, name);
    memcpy(pointer, &found, sizeof found);
}

tally_status tally_query_version(cl_device_id id, char text[TALLY_QUERY_VERSION_BYTES],
                                 int *version, tally_error *error) {
    int major = 0, minor = 0;
    memset(text, 0, TALLY_QUERY_VERSION_BYTES);
    *version = 0;
    tally_status status = tally_query(id, CL_DEVICE_VERSION, TALLY_QUESTION(CL_DEVICE_VERSION),
                                      text, TALLY_QUERY_VERSION_BYTES, error);
    text[TALLY_QUERY_VERSION_BYTES - 1] = '\0';
    /* NOLINTNEXTLINE(cert-err34-c): what is no number is no version */
    if (status == TALLY_OK && sscanf(text, "OpenCL %d.%d", &major, &minor) == 2)
        *version = major * 10 + minor;
    return status;
}

tally_status tally_query_extension(cl_device_id id, const tally_allocator *allocator,
                                   const char *name, bool *found, tally_error *error) {
    const size_t length = strlen(name);
    void *names = NULL;
    tally_status status = TALLY_QUERY_LIST(id, allocator, CL_DEVICE_EXTENSIONS, &names, error);
    *found = false;
    if (status != TALLY_OK)
        return status;
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): else the status says why not */
    for (const char *at = names; *at != '\0' && !*found; at += strcspn(at, " ")) {
        at += strspn(at, " ");
        *found = strcspn(at, " ") == length && strncmp(at, name, length) == 0;
    }
    tally_host_give(allocator, names);
    return TALLY_OK;
}
