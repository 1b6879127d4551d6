/*
 * Programs as the driver's binaries. A program is of all devices of its context, built for one of
 * them: the others' binaries are empty.
 */
#include "device/binary.h"

/* An array that a program tells of itself, to be given back; NULL if it does not. */
static void *query_array(const tally_device *device, cl_program program, cl_program_info what,
                         size_t *bytes) {
    if (clGetProgramInfo(program, what, 0, NULL, bytes) != CL_SUCCESS || *bytes == 0)
        return NULL;
    void *array = tally_host_take(&device->allocator, *bytes);
    if (array != NULL && clGetProgramInfo(program, what, *bytes, array, NULL) != CL_SUCCESS) {
        tally_host_give(&device->allocator, array);
        return NULL;
    }
    return array;
}

/* The device's place among the program's, and the bytes of its binary; 0 if there is none. */
static size_t find_binary(const tally_device *device, cl_program program, size_t *index,
                          size_t *count) {
    size_t bytes = 0, sizes_bytes = 0, size = 0;
    cl_device_id *devices = query_array(device, program, CL_PROGRAM_DEVICES, &bytes);
    size_t *sizes = query_array(device, program, CL_PROGRAM_BINARY_SIZES, &sizes_bytes);
    *count = bytes / sizeof *devices;
    if (devices != NULL && sizes != NULL && sizes_bytes / sizeof *sizes == *count)
        for (*index = 0; *index < *count; ++*index)
            if (devices[*index] == device->id) {
                size = sizes[*index];
                break;
            }
    tally_host_give(&device->allocator, devices);
    tally_host_give(&device->allocator, sizes);
    return size;
}

unsigned char *tally_binary_get(const tally_device *device, cl_program program, size_t *size) {
    const tally_allocator *allocator = &device->allocator;
    size_t index = 0, count = 0;
    *size = find_binary(device, program, &index, &count);
    if (*size == 0)
        return NULL;
    unsigned char *binary = tally_host_take(allocator, *size);
    unsigned char **all = /* NULL: not wanted */
        tally_host_take_zeros(allocator, count, sizeof *all);
    cl_int code = CL_OUT_OF_HOST_MEMORY;
    if (binary != NULL && all != NULL) {
        all[index] = binary;
        code =
            clGetProgramInfo(program, CL_PROGRAM_BINARIES, count * sizeof *all, (void *)all, NULL);
    }
    tally_host_give(allocator, (void *)all);
    if (code == CL_SUCCESS)
        return binary;
    tally_host_give(allocator, binary);
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
