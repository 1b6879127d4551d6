/*
 * layer_inside.h: what the calls of the layer tell it. Not for tests.
 */
#ifndef TESTS_FAULT_LAYER_INSIDE_H
#define TESTS_FAULT_LAYER_INSIDE_H

#include <stdbool.h>

#include <CL/cl.h>

#include "layer_types.h"

/* Count a call; false, with the code, if it is to fail. */
bool layer_enter(layer_call call, cl_int *code);

/* The library got hold of an object, or gave it back. */
void layer_hold(layer_call call, layer_type type, const void *object);
void layer_drop(layer_call call, layer_type type, const void *object);

/* A release was made to fail: the layer releases the object when it is safe to do so. */
typedef void layer_release(void *object);
void layer_owe(layer_call call, void *object, layer_release *release);

/* clCreateProgramWithSource and clBuildProgram, by layer_programs.c. */
cl_program layer_program_make(cl_context context, cl_uint count, const char **texts,
                              const size_t *lengths, cl_int *code);
cl_int layer_program_build(cl_program program, cl_uint count, const cl_device_id *devices,
                           const char *options, void(CL_CALLBACK *done)(cl_program, void *),
                           void *user);

/* clGetDeviceInfo and clGetExtensionFunctionAddressForPlatform, by layer_commands.c. */
cl_int layer_device_info(cl_device_id device, cl_device_info what, size_t bytes, void *value,
                         size_t *needed);
void *layer_find(cl_platform_id platform, const char *name);

/* Give an answer of so many bytes, as OpenCL's questions do; by layer_device.c. */
cl_int layer_give(const void *answer, size_t size, size_t bytes, void *value, size_t *needed);

/* Write the platform's own function of an extension's call, as a pointer, to *next. */
void layer_far(layer_call call, void *next);

#endif
