/*
 * The one function of OpenCL 2.0 that the library calls.
 */
#ifndef TALLY_DEVICE_MEMORY_SVM_CALL_H
#define TALLY_DEVICE_MEMORY_SVM_CALL_H

#include "device/memory/memory.h"

/* clSetKernelArgSVMPointer; NULL if this process's OpenCL library has none. */
tally_set_pointer tally_svm_call(void);

#endif
