/*
 * layer_device.h: the device as the library gets to see it. A test makes it one that PoCL has not:
 * older than OpenCL 2.0 or behind such a loader, without shared virtual memory, or with Intel's
 * unified shared memory, for which that of PoCL then stands.
 */
#ifndef TESTS_FAULT_LAYER_DEVICE_H
#define TESTS_FAULT_LAYER_DEVICE_H

#include <stdbool.h>
#include <stddef.h>

#include <CL/cl.h>

/* All false: the device as it is. */
typedef struct layer_device {
    bool is_old; /* OpenCL 1.2 */
    bool has_old_loader;
    bool has_no_svm;    /* its capabilities are 0 */
    bool has_usm;       /* it has the extension, */
    bool has_usm_calls; /* and the extension its calls */
} layer_device;

/* From now on, for runtimes to come. Forgets all unified shared memory. */
void layer_set_device(layer_device device);

/* Memory that is unified shared memory from now on. */
void layer_add_usm(void *base, size_t bytes);

/* The calls of calls.def with SAY and FIND. */
cl_int layer_clGetDeviceInfo(cl_device_id id, cl_device_info what, size_t bytes, void *value,
                             size_t *needed);
void *layer_dlsym(void *library, const char *function);
void *layer_clGetExtensionFunctionAddressForPlatform(cl_platform_id platform, const char *function);
cl_int layer_clGetMemAllocInfoINTEL(cl_context context, const void *pointer, cl_uint what,
                                    size_t bytes, void *value, size_t *needed);
cl_int layer_clSetKernelArgMemPointerINTEL(cl_kernel kernel, cl_uint index, const void *pointer);

#endif
