/*
 * Which pointers a device takes. Intel's extension tells its own pointers from others. OpenCL tells
 * nothing of a pointer, so all others are shared virtual memory where the device has any.
 */
#include "device/memory/pointers.h"

#include "device/clerror.h"
#include "device/memory/svm_call.h"
#include "device/query.h"

/* A device may have version 2.0 and not know the question: then it has none. */
static tally_status query_svm(cl_device_id id, cl_bitfield *svm, tally_error *error) {
    cl_int code = clGetDeviceInfo(id, CL_DEVICE_SVM_CAPABILITIES, sizeof *svm, svm, NULL);
    if (code == CL_SUCCESS)
        return TALLY_OK;
    *svm = 0;
    return code == CL_INVALID_VALUE
               ? TALLY_OK
               : tally_cl_check(code, TALLY_QUESTION(CL_DEVICE_SVM_CAPABILITIES), error);
}

/*
 * The version is asked for first: through a loader of OpenCL 2.0, the call would take an older
 * driver's table of functions beyond its end.
 */
static tally_status open_svm(cl_device_id id, tally_pointers *pointers, tally_error *error) {
    char text[TALLY_QUERY_VERSION_BYTES];
    int version = 0;
    cl_bitfield svm = 0;
    pointers->svm = (tally_pointer_kind){"clSetKernelArgSVMPointer", NULL};
    tally_status status = tally_query_version(id, text, &version, error);
    if (status == TALLY_OK && version >= 20)
        status = query_svm(id, &svm, error);
    if (status != TALLY_OK)
        return status;
    if (svm != 0)
        pointers->svm.set = tally_svm_call();
    pointers->no_svm = version < 20 ? "the device is older than OpenCL 2.0"
                       : svm == 0   ? "the device has no shared virtual memory"
                                    : "this program's OpenCL library has no "
                                      "clSetKernelArgSVMPointer, as before OpenCL 2.0";
    return TALLY_OK;
}

/* An extension that lacks one of its calls is none. */
static tally_status open_usm(cl_device_id id, const tally_allocator *allocator,
                             tally_pointers *pointers, tally_error *error) {
    bool has = false;
    cl_platform_id platform = NULL;
    pointers->usm = (tally_pointer_kind){"clSetKernelArgMemPointerINTEL", NULL};
    tally_status status =
        tally_query_extension(id, allocator, "cl_intel_unified_shared_memory", &has, error);
    if (status == TALLY_OK && has)
        status = TALLY_QUERY(id, CL_DEVICE_PLATFORM, platform, error);
    if (status != TALLY_OK || !has)
        return status;
    tally_set_pointer set = NULL;
    tally_query_function(platform, pointers->usm.call, &set);
    tally_query_function(platform, "clGetMemAllocInfoINTEL", &pointers->usm_info);
    pointers->usm.set = pointers->usm_info != NULL ? set : NULL;
    return TALLY_OK;
}

tally_status tally_pointers_open(cl_device_id id, const tally_allocator *allocator,
                                 tally_pointers *pointers, tally_error *error) {
    *pointers = (tally_pointers){0};
    tally_status status = open_svm(id, pointers, error);
    return status == TALLY_OK ? open_usm(id, allocator, pointers, error) : status;
}

/* Whether it is unified shared memory, and how much from where. */
static tally_status ask_usm(const tally_pointers *pointers, cl_context context, const void *pointer,
                            tally_allocation *found, tally_error *error) {
    cl_uint type = CL_MEM_TYPE_UNKNOWN_INTEL;
    void *base = NULL;
    tally_allocation usm = {&pointers->usm, 0, 0};
    const tally_usm_info ask = pointers->usm_info;
    cl_int code = ask(context, pointer, CL_MEM_ALLOC_TYPE_INTEL, sizeof type, &type, NULL);
    const bool is_usm = code == CL_SUCCESS && type != CL_MEM_TYPE_UNKNOWN_INTEL;
    if (is_usm)
        code = ask(context, pointer, CL_MEM_ALLOC_BASE_PTR_INTEL, sizeof base, &base, NULL);
    if (is_usm && code == CL_SUCCESS)
        code = ask(context, pointer, CL_MEM_ALLOC_SIZE_INTEL, sizeof usm.bytes, &usm.bytes, NULL);
    usm.base = (uintptr_t)base;
    if (is_usm && code == CL_SUCCESS)
        *found = usm;
    return tally_cl_check(code, "clGetMemAllocInfoINTEL", error);
}

tally_status tally_pointers_find(const tally_pointers *pointers, cl_context context,
                                 const void *pointer, tally_allocation *found, tally_error *error) {
    tally_status status = TALLY_OK;
    *found = (tally_allocation){NULL, 0, SIZE_MAX};
    if (pointers->usm.set != NULL)
        status = ask_usm(pointers, context, pointer, found, error);
    if (status == TALLY_OK && found->kind == NULL && pointers->svm.set != NULL)
        found->kind = &pointers->svm;
    return status;
}
