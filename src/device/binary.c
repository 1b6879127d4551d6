/*
 * Programs as the driver's binaries. A program is of all devices of its context, built for one of
 * them: the others' binaries are empty.
 */
#include "device/binary.h"

#include <stdlib.h>

/* An array that a program tells of itself, to be freed; NULL if it does not. */
static void *query_array(cl_program program, cl_program_info what, size_t *bytes) {
    if (clGetProgramInfo(program, what, 0, NULL, bytes) != CL_SUCCESS || *bytes == 0)
        return NULL;
    void *array = malloc(*bytes);
    if (array != NULL && clGetProgramInfo(program, what, *bytes, array, NULL) != CL_SUCCESS) {
        free(array);
        return NULL;
    }
    return array;
}

/* The device's place among the program's, and the bytes of its binary; 0 if there is none. */
static size_t find_binary(const tally_device *device, cl_program program, size_t *index,
                          size_t *count) {
    size_t bytes = 0, sizes_bytes = 0, size = 0;
    cl_device_id *devices = query_array(program, CL_PROGRAM_DEVICES, &bytes);
    size_t *sizes = query_array(program, CL_PROGRAM_BINARY_SIZES, &sizes_bytes);
    *count = bytes / sizeof *devices;
    if (devices != NULL && sizes != NULL && sizes_bytes / sizeof *sizes == *count)
        for (*index = 0; *index < *count; ++*index)
            if (devices[*index] == device->id) {
                size = sizes[*index];
                break;
            }
    free(devices);
    free(sizes);
    return size;
}

unsigned char *tally_binary_get(const tally_device *device, cl_program program, size_t *size) {
    size_t index = 0, count = 0;
    *size = find_binary(device, program, &index, &count);
    if (*size == 0)
        return NULL;
    unsigned char *binary = malloc(*size);
    unsigned char **all = calloc(count, sizeof *all); /* NULL: not wanted */
    cl_int code = CL_OUT_OF_HOST_MEMORY;
    if (binary != NULL && all != NULL) {
        all[index] = binary;
        code =
            clGetProgramInfo(program, CL_PROGRAM_BINARIES, count * sizeof *all, (void *)all, NULL);
    }
    free((void *)all);
    if (code == CL_SUCCESS)
        return binary;
    free(binary);
    return NULL;
}

cl_program tally_binary_load(const tally_device *device, const unsigned char *bytes, size_t size) {
    cl_int code = CL_SUCCESS, taken = CL_SUCCESS;
    if (size == 0)
        return NULL;
    cl_program program =
        clCreateProgramWithBinary(device->context, 1, &device->id, &size, &bytes, &taken, &code);
    if (code != CL_SUCCESS)
        return NULL;
    if (taken == CL_SUCCESS)
        code = clBuildProgram(program, 1, &device->id, device->build_options, NULL, NULL);
    if (taken == CL_SUCCESS && code == CL_SUCCESS)
        return program;
    clReleaseProgram(program);
    return NULL;
}
