/*
 * array.h: a tensor with its elements in the host's memory, as ONNX's test data hold them: packed,
 * row-major.
 */
#ifndef TESTS_CONFORMANCE_ARRAY_H
#define TESTS_CONFORMANCE_ARRAY_H

#include "element.h"
#include "outcome.h"

typedef struct array {
    const element_type *type; /* NULL: there is no array */
    uint32_t rank;
    uint64_t size[TALLY_MAX_RANK];
    uint64_t count;
    size_t width; /* bytes of an element */
    unsigned char *data;
} array;

/* An array of zeros. Inexpressible: a type or a rank that Tally does not have. */
bool array_make(array *it, int32_t type, size_t rank, const int64_t *size, outcome *out);

/* A copy of a message of the schema (Onnx__TensorProto), or of a file that holds one. */
struct Onnx__TensorProto;
bool array_unpack(array *it, const struct Onnx__TensorProto *tensor, outcome *out);
bool array_load(array *it, const char *path, outcome *out);

/* The values of an array of int32 or int64, of at most `room` elements; name is for messages. */
bool array_integers(const array *it, const char *name, size_t room, int64_t *values, outcome *out);

/* Leaves an array that is none. */
void array_free(array *it);

/* The packed tensor of the array's shape. */
tally_tensor array_tensor(const array *it);

/* "float [3, 2]" */
const char *array_describe(const array *it, char text[256]);

#endif
