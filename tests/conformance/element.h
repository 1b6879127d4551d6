/*
 * element.h: ONNX's element types, and which of Tally's computes with each.
 */
#ifndef TESTS_CONFORMANCE_ELEMENT_H
#define TESTS_CONFORMANCE_ELEMENT_H

#include <stddef.h>
#include <stdint.h>

#include <tally/types.h>

/* How a tensor lists its elements when it has no raw bytes: a field of TensorProto. */
typedef struct element_list {
    size_t count; /* offset of the field's count */
    size_t items; /* offset of its pointer */
    size_t width; /* bytes of an item; an element is in its low bytes */
} element_list;

typedef struct element_type {
    int32_t onnx; /* TensorProto.DataType */
    const char *name;
    tally_dtype dtype; /* TALLY_DTYPE_NONE: Tally has no such type */
    element_list list;
    double (*decode)(uint64_t bits); /* floats: the value of a bit pattern; NULL for others */
    tally_scalar one;
} element_type;

/* The row of a type; NULL for a number that ONNX did not give out when this was written. */
const element_type *element_type_of(int32_t onnx);

/* "float", "int64"; "unknown" for other numbers. */
const char *element_name(int32_t onnx);

/* The low bytes of an element in the low bits, the rest zero. */
uint64_t element_bits(const void *at, size_t width);

#endif
