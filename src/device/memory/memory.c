/*
 * Memory as a kernel gets it. Kernels reach memory by their arguments alone, and never by a pointer
 * that they find there: OpenCL then wants no more than the argument. clSetKernelExecInfo, with
 * CL_KERNEL_EXEC_INFO_SVM_PTRS or CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, is for the other case.
 */
#include "device/memory/memory.h"

#include "device/clerror.h"

bool tally_memory_is_none(const tally_memory *memory) {
    return memory->buffer == NULL && memory->pointer == NULL;
}

tally_status tally_memory_set(const tally_memory *memory, cl_kernel kernel, cl_uint index,
                              tally_error *error) {
    if (memory->pointer != NULL)
        return tally_cl_check(memory->kind->set(kernel, index, memory->pointer), memory->kind->call,
                              error);
    return tally_cl_check(clSetKernelArg(kernel, index, sizeof memory->buffer, &memory->buffer),
                          "clSetKernelArg", error);
}
