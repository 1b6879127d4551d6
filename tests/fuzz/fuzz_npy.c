/*
 * fuzz_npy.c: bytes as a .npy file. A refusal has a sentence; what is accepted holds together: the
 * data lie in the file and have the bytes of the shape, and a header that is written of it says the
 * same when it is read.
 */
#include <string.h>

#include "cli/npy/npy.h"
#include "support/fail.h"
#include "support/numbers/number.h"

static void check_sentence(const cli_error *error) {
    if (memchr(error->text, '\0', sizeof error->text) == NULL || strlen(error->text) < 6)
        fail_with("no sentence");
    for (const char *c = error->text; *c != '\0'; c++)
        if (*c < ' ' || *c > '~')
            fail_with("a byte 0x%02x in the sentence: %s", (unsigned)(unsigned char)*c,
                      error->text);
}

static uint64_t bytes_of(const npy_array *array) {
    uint64_t bytes = number_bytes(array->dtype);
    for (uint32_t k = 0; k < array->rank; k++)
        bytes = array->size[k] == 0 ? 0 : bytes;
    for (uint32_t k = 0; k < array->rank && bytes > 0; k++) {
        if (bytes > (uint64_t)INT64_MAX / array->size[k])
            fail_with("more than 2^63 - 1 bytes");
        bytes *= array->size[k];
    }
    return bytes;
}

/* The strides of the tensor reach over the data, and no further. */
static void check_tensor(const npy_array *array) {
    const tally_tensor tensor = npy_tensor(array);
    uint64_t last = 0;
    if (tensor.dtype != array->dtype || tensor.rank != array->rank ||
        memcmp(tensor.size, array->size, array->rank * sizeof tensor.size[0]) != 0)
        fail_with("the tensor is not of the file's type and shape");
    if ((tensor.flags & TALLY_STRIDED) == 0 || array->data_bytes == 0)
        return;
    for (uint32_t k = 0; k < tensor.rank; k++)
        last += (tensor.size[k] - 1) * tensor.stride[k];
    if ((last + 1) * number_bytes(array->dtype) != array->data_bytes)
        fail_with("the strides do not reach over the data");
}

static void check_written(const npy_array *array) {
    char header[NPY_HEADER_MAX];
    npy_array again;
    cli_error error = {""};
    const size_t length = npy_format(array->dtype, array->rank, array->size, header);
    if (length > sizeof header || length % 64 != 0)
        fail_with("a header of %zu bytes", length);
    if (npy_parse(header, length + array->data_bytes, &again, &error) != CLI_DONE)
        fail_with("what was written %s", error.text);
    if (again.dtype != array->dtype || again.fortran || again.rank != array->rank ||
        memcmp(again.size, array->size, sizeof again.size) != 0 || again.data_offset != length ||
        again.data_bytes != array->data_bytes)
        fail_with("another array is read than was written");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    npy_array array;
    cli_error error = {""};
    memset(&array, 0xAB, sizeof array);
    const int status = npy_parse(data, size, &array, &error);
    if (status != CLI_DONE) {
        check_sentence(&error);
        return 0;
    }
    if (array.rank > TALLY_MAX_RANK || array.data_offset > size ||
        array.data_bytes != size - array.data_offset || array.data_bytes != bytes_of(&array))
        fail_with("the data are not those of the shape");
    check_tensor(&array);
    check_written(&array);
    return 0;
}
