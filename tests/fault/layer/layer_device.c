/*
 * layer_device.c: the device's answers, changed. A call that a test did not mean comes to nothing:
 * the library must not ask for the size of what is no unified shared memory.
 */
#undef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 200 /* SVM */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS

#include "layer_device.h"
#include "layer_inside.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <CL/cl_ext.h>
#include <dlfcn.h>

#define USM_MOST 8

static layer_device now;
static struct {
    char *base;
    size_t bytes;
} usm[USM_MOST];
static size_t usm_count;

void layer_set_device(layer_device device) {
    now = device;
    usm_count = 0;
}

void layer_add_usm(void *base, size_t bytes) {
    if (usm_count < USM_MOST) {
        usm[usm_count].base = base;
        usm[usm_count++].bytes = bytes;
    }
}

/* ---- Questions ------------------------------------------------------------------------------- */

cl_int layer_give(const void *answer, size_t size, size_t bytes, void *value, size_t *needed) {
    if (needed != NULL)
        *needed = size;
    if (value != NULL && bytes < size)
        return CL_INVALID_VALUE;
    if (value != NULL)
        memcpy(value, answer, size);
    return CL_SUCCESS;
}

static cl_int give_text(const char *text, size_t bytes, void *value, size_t *needed) {
    return layer_give(text, strlen(text) + 1, bytes, value, needed);
}

cl_int layer_clGetDeviceInfo(cl_device_id id, cl_device_info what, size_t bytes, void *value,
                             size_t *needed) {
    static char names[8192]; /* the library's questions are not asked by two threads here */
    const cl_device_svm_capabilities none = 0;
    if (now.is_old && what == CL_DEVICE_VERSION)
        return give_text("OpenCL 1.2 as a test has it", bytes, value, needed);
    if (now.is_old && what == CL_DEVICE_SVM_CAPABILITIES)
        return CL_INVALID_VALUE;
    if (now.has_no_svm && what == CL_DEVICE_SVM_CAPABILITIES)
        return layer_give(&none, sizeof none, bytes, value, needed);
    if (!now.has_usm || what != CL_DEVICE_EXTENSIONS)
        return layer_device_info(id, what, bytes, value, needed);
    static const char usm_name[] = " cl_intel_unified_shared_memory";
    const cl_int code = layer_device_info(id, what, sizeof names - sizeof usm_name, names, NULL);
    if (code != CL_SUCCESS)
        return code;
    strcat(names, usm_name);
    return give_text(names, bytes, value, needed);
}

/* ---- Functions ------------------------------------------------------------------------------- */

cl_int fault_clSetKernelArgSVMPointer(cl_kernel kernel, cl_uint index, const void *pointer);
cl_int fault_clGetMemAllocInfoINTEL(cl_context context, const void *pointer, cl_uint what,
                                    size_t bytes, void *value, size_t *needed);
cl_int fault_clSetKernelArgMemPointerINTEL(cl_kernel kernel, cl_uint index, const void *pointer);

/* C has no cast from a function to an object. */
static void *address_of(const void *function) {
    void *address = NULL;
    memcpy(&address, function, sizeof address);
    return address;
}

void *layer_dlsym(void *library, const char *function) {
    cl_int (*const set)(cl_kernel, cl_uint, const void *) = fault_clSetKernelArgSVMPointer;
    if (strcmp(function, "clSetKernelArgSVMPointer") != 0)
        return dlsym(library, function);
    return now.has_old_loader ? NULL : address_of(&set);
}

void *layer_clGetExtensionFunctionAddressForPlatform(cl_platform_id platform,
                                                     const char *function) {
    cl_int (*const info)(cl_context, const void *, cl_uint, size_t, void *, size_t *) =
        fault_clGetMemAllocInfoINTEL;
    cl_int (*const set)(cl_kernel, cl_uint, const void *) = fault_clSetKernelArgMemPointerINTEL;
    if (now.has_usm_calls && strcmp(function, "clGetMemAllocInfoINTEL") == 0)
        return address_of(&info);
    if (now.has_usm_calls && strcmp(function, "clSetKernelArgMemPointerINTEL") == 0)
        return address_of(&set);
    void *found = layer_find(platform, function); /* of command buffers */
    return found != NULL ? found : clGetExtensionFunctionAddressForPlatform(platform, function);
}

/* ---- Unified shared memory ------------------------------------------------------------------- */

cl_int layer_clGetMemAllocInfoINTEL(cl_context context, const void *pointer, cl_uint what,
                                    size_t bytes, void *value, size_t *needed) {
    size_t k = 0;
    (void)context;
    while (k < usm_count && ((const char *)pointer < usm[k].base ||
                             (const char *)pointer >= usm[k].base + usm[k].bytes))
        k++;
    const bool known = k < usm_count;
    const cl_uint type = known ? CL_MEM_TYPE_SHARED_INTEL : CL_MEM_TYPE_UNKNOWN_INTEL;
    if (what == CL_MEM_ALLOC_TYPE_INTEL)
        return layer_give(&type, sizeof type, bytes, value, needed);
    if (known && what == CL_MEM_ALLOC_BASE_PTR_INTEL)
        return layer_give(&usm[k].base, sizeof usm[k].base, bytes, value, needed);
    if (known && what == CL_MEM_ALLOC_SIZE_INTEL)
        return layer_give(&usm[k].bytes, sizeof usm[k].bytes, bytes, value, needed);
    return CL_INVALID_VALUE;
}

/* Of memory that a test said is of this kind. */
cl_int layer_clSetKernelArgMemPointerINTEL(cl_kernel kernel, cl_uint index, const void *pointer) {
    cl_uint type = CL_MEM_TYPE_UNKNOWN_INTEL;
    layer_clGetMemAllocInfoINTEL(NULL, pointer, CL_MEM_ALLOC_TYPE_INTEL, sizeof type, &type, NULL);
    return type == CL_MEM_TYPE_UNKNOWN_INTEL ? CL_INVALID_VALUE
                                             : clSetKernelArgSVMPointer(kernel, index, pointer);
}
