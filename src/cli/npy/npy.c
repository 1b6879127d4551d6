/*
 * NumPy's .npy header: a magic, a version, the length of a text, the text (dict.c), and then
 * the data, whose length is held against the shape. Sees memory, no files, and no OpenCL.
 *
 * Format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
 */
#include "cli/npy/npy.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/npy/dict.h"
#include "cli/tables/types.h"

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "element data is passed on as it is: this program needs a little-endian host"
#endif

#define MAGIC "\x93NUMPY"
#define MAGIC_LENGTH 6
#define ALIGNMENT 64 /* of the data in files that are written */

/* Room for the text of eight sizes of 20 digits. */
#define SHAPE_TEXT_MAX 192

/* What stands before the text. */
typedef struct preamble {
    uint64_t text_offset;
    uint64_t text_length;
} preamble;

static int parse_preamble(const unsigned char *bytes, uint64_t length, preamble *found,
                          cli_error *error) {
    size_t magic = length < MAGIC_LENGTH ? (size_t)length : MAGIC_LENGTH;
    uint64_t start = MAGIC_LENGTH + 2;
    if (length == 0)
        return cli_fail(error, "is empty");
    if (memcmp(bytes, MAGIC, magic) != 0)
        return cli_fail(error, "is not a .npy file: it does not begin with \\x93NUMPY");
    if (length < start + 2)
        return cli_fail(error, "is cut off in its header: %" PRIu64 " bytes in all", length);
    unsigned major = bytes[MAGIC_LENGTH];
    unsigned minor = bytes[MAGIC_LENGTH + 1];
    if (major < 1 || major > 3 || minor != 0)
        return cli_fail(error, "has the .npy version %u.%u; 1.0, 2.0 and 3.0 are supported", major,
                        minor);
    size_t width = major == 1 ? 2 : 4; /* bytes of the text's length, little-endian */
    if (length < start + width)
        return cli_fail(error, "is cut off in its header: %" PRIu64 " bytes in all", length);
    *found = (preamble){start + width, 0};
    for (size_t i = 0; i < width; i++)
        found->text_length |= (uint64_t)bytes[start + i] << (8 * i);
    if (found->text_length > length - found->text_offset)
        return cli_fail(
            error, "is cut off in its header: it has %" PRIu64 " characters, %" PRIu64 " found",
            found->text_length, length - found->text_offset);
    return CLI_DONE;
}

/* "(3, 4)", as Python writes it. */
static void shape_text(uint32_t rank, const uint64_t *size, char text[SHAPE_TEXT_MAX]) {
    size_t used = 1;
    text[0] = '(';
    for (uint32_t i = 0; i < rank; i++)
        used += (size_t)snprintf(text + used, SHAPE_TEXT_MAX - used, "%s%" PRIu64,
                                 i > 0 ? ", " : "", size[i]);
    snprintf(text + used, SHAPE_TEXT_MAX - used, rank == 1 ? ",)" : ")");
}

/* Set array->data_bytes, unless it passes 2^63 - 1. An empty array never does. */
static bool measure_data(npy_array *array) {
    uint64_t bytes = cli_type_bytes(array->dtype);
    for (uint32_t i = 0; i < array->rank; i++)
        if (array->size[i] == 0)
            bytes = 0;
    for (uint32_t i = 0; i < array->rank && bytes > 0; i++) {
        if (bytes > (uint64_t)INT64_MAX / array->size[i])
            return false;
        bytes *= array->size[i];
    }
    array->data_bytes = bytes;
    return true;
}

/* Hold the bytes that are there against those that the shape needs. */
static int check_length(npy_array *array, uint64_t found, cli_error *error) {
    const cli_type *type = cli_type_find(array->dtype);
    char shape[SHAPE_TEXT_MAX];
    shape_text(array->rank, array->size, shape);
    if (!measure_data(array))
        return cli_fail(error, "has the shape %s of %s: more than 2^63 - 1 bytes", shape,
                        type->npy);
    if (found < array->data_bytes)
        return cli_fail(error,
                        "is cut off in its data: the shape %s of %s needs %" PRIu64
                        " bytes, %" PRIu64 " found",
                        shape, type->npy, array->data_bytes, found);
    if (found > array->data_bytes)
        return cli_fail(
            error, "is too long: the shape %s of %s needs %" PRIu64 " bytes, %" PRIu64 " found",
            shape, type->npy, array->data_bytes, found);
    return CLI_DONE;
}

int npy_parse(const void *bytes, uint64_t length, npy_array *array, cli_error *error) {
    preamble found = {0, 0};
    memset(array, 0, sizeof *array);
    int status = parse_preamble(bytes, length, &found, error);
    if (status != CLI_DONE)
        return status;
    status =
        npy_dict_parse((const char *)bytes + found.text_offset, found.text_length, array, error);
    if (status != CLI_DONE)
        return status;
    array->data_offset = found.text_offset + found.text_length;
    return check_length(array, length - array->data_offset, error);
}

size_t npy_format(tally_dtype dtype, uint32_t rank, const uint64_t *size,
                  char header[NPY_HEADER_MAX]) {
    const cli_type *type = cli_type_find(dtype);
    char shape[SHAPE_TEXT_MAX];
    size_t start = MAGIC_LENGTH + 4;
    shape_text(rank, size, shape);
    int length = snprintf(header + start, NPY_HEADER_MAX - start,
                          "{'descr': '%c%s', 'fortran_order': False, 'shape': %s, }",
                          type->bytes == 1 ? '|' : '<', type->npy, shape);
    size_t used = start + (size_t)length;
    size_t total = (used + 1 + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    memset(header + used, ' ', total - used - 1);
    header[total - 1] = '\n';
    memcpy(header, MAGIC "\x01\x00", MAGIC_LENGTH + 2);
    header[MAGIC_LENGTH + 2] = (char)((total - start) & 0xff);
    header[MAGIC_LENGTH + 3] = (char)((total - start) >> 8);
    return total;
}

tally_tensor npy_tensor(const npy_array *array) {
    tally_tensor tensor = TALLY_TENSOR_INIT;
    uint64_t stride = 1;
    tensor.dtype = array->dtype;
    tensor.rank = array->rank;
    memcpy(tensor.size, array->size, sizeof tensor.size);
    if (!array->fortran || array->rank < 2 || array->data_bytes == 0)
        return tensor;
    tensor.flags = TALLY_STRIDED;
    for (uint32_t i = 0; i < array->rank; i++) {
        tensor.stride[i] = stride;
        stride *= array->size[i];
    }
    return tensor;
}
