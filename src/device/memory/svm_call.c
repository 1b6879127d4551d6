/*
 * The one function of OpenCL 2.0 that the library calls, without demanding it. A loader or a driver
 * of OpenCL 1.2 has no clSetKernelArgSVMPointer, and a reference to it would keep a program from
 * being linked or started there, also one that binds buffers only.
 *
 * It is looked up while a runtime is made, where this process has its other functions of OpenCL.
 * What it is not:
 *
 *   clGetExtensionFunctionAddressForPlatform  OpenCL rules out asking it for core functions, so a
 *                                             driver need not answer.
 *   a weak reference  On Linux, loaders give their functions versions, and the linker notes that
 *                     the library needs OPENCL_2.0, of a weak reference too: without that version
 *                     the library is not loaded. Imports of Windows cannot be weak at all.
 *   dlopen            Another OpenCL library than the program's may come of it.
 *
 * dlsym sees what is dynamic. Of an OpenCL library that is linked in as an archive the program must
 * export the function (-rdynamic) for pointers to be taken. musl's dlsym sees no library that came
 * with a plugin. Elsewhere on Unix, Android included, it looks where this library's own references
 * are looked up.
 */
#include "device/memory/svm_call.h"

#include "platform/system.h"

tally_set_pointer tally_svm_call(void) {
    return (tally_set_pointer)tally_find_function("OpenCL.dll", "clSetKernelArgSVMPointer");
}
