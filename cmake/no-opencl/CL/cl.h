/*
 * cmake/no-opencl/CL/cl.h: stands before OpenCL's headers on the include path of tally_core, so
 * that the compiler enforces the layers: base, model and plan are built without OpenCL.
 */
#error "src/base, src/model and src/plan may not include OpenCL's headers"
