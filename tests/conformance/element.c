/*
 * element.c: the table of element types. Numbers beyond those of the schema that the build found
 * are here too, so that a newer model's type is refused by its name.
 */
#include "element.h"

#include <math.h>
#include <string.h>

#include "onnx-ml.pb-c.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "ONNX's raw bytes are little-endian");

static double decode_f16(uint64_t bits) {
    const double sign = bits & 0x8000 ? -1.0 : 1.0;
    const int exponent = (int)(bits >> 10 & 0x1F);
    const double fraction = (double)(bits & 0x3FF);
    if (exponent == 0x1F) {
        return fraction != 0 ? NAN : sign * INFINITY;
    }
    return exponent == 0 ? sign * ldexp(fraction, -24)
                         : sign * ldexp(1024.0 + fraction, exponent - 25);
}

static double decode_f32(uint64_t bits) {
    const uint32_t low = (uint32_t)bits;
    float value = 0;
    memcpy(&value, &low, sizeof value);
    return value;
}

static double decode_f64(uint64_t bits) {
    double value = 0;
    memcpy(&value, &bits, sizeof value);
    return value;
}

#define TYPE(name) ONNX__TENSOR_PROTO__DATA_TYPE__##name
#define LIST(field, type)                                                                          \
    { offsetof(Onnx__TensorProto, n_##field), offsetof(Onnx__TensorProto, field), sizeof(type) }
#define INT32S LIST(int32_data, int32_t)
#define INT64S LIST(int64_data, int64_t)
#define UINT64S LIST(uint64_data, uint64_t)
#define NO_LIST                                                                                    \
    { 0, 0, 0 }
#define FOREIGN(onnx, name)                                                                        \
    {                                                                                              \
        onnx, name, TALLY_DTYPE_NONE, NO_LIST, NULL, {                                             \
            0                                                                                      \
        }                                                                                          \
    }

/* ONNX keeps a bool in a byte that is 0 or 1, which is closed under MAX, MIN, copies and fills. */
static const element_type types[] = {
    {TYPE(FLOAT), "float", TALLY_F32, LIST(float_data, float), decode_f32, {.f32 = 1}},
    {TYPE(DOUBLE), "double", TALLY_F64, LIST(double_data, double), decode_f64, {.f64 = 1}},
    {TYPE(FLOAT16), "float16", TALLY_F16, INT32S, decode_f16, {.f16_bits = 0x3C00}},
    {TYPE(INT8), "int8", TALLY_I8, INT32S, NULL, {.i8 = 1}},
    {TYPE(INT16), "int16", TALLY_I16, INT32S, NULL, {.i16 = 1}},
    {TYPE(INT32), "int32", TALLY_I32, INT32S, NULL, {.i32 = 1}},
    {TYPE(INT64), "int64", TALLY_I64, INT64S, NULL, {.i64 = 1}},
    {TYPE(UINT8), "uint8", TALLY_U8, INT32S, NULL, {.u8 = 1}},
    {TYPE(UINT16), "uint16", TALLY_U16, INT32S, NULL, {.u16 = 1}},
    {TYPE(UINT32), "uint32", TALLY_U32, UINT64S, NULL, {.u32 = 1}},
    {TYPE(UINT64), "uint64", TALLY_U64, UINT64S, NULL, {.u64 = 1}},
    {TYPE(BOOL), "bool", TALLY_U8, INT32S, NULL, {.u8 = 1}},
    FOREIGN(TYPE(STRING), "string"),
    FOREIGN(TYPE(COMPLEX64), "complex64"),
    FOREIGN(TYPE(COMPLEX128), "complex128"),
    FOREIGN(TYPE(BFLOAT16), "bfloat16"),
    FOREIGN(17, "float8e4m3fn"),
    FOREIGN(18, "float8e4m3fnuz"),
    FOREIGN(19, "float8e5m2"),
    FOREIGN(20, "float8e5m2fnuz"),
    FOREIGN(21, "uint4"),
    FOREIGN(22, "int4"),
    FOREIGN(23, "float4e2m1"),
    FOREIGN(24, "float8e8m0"),
    FOREIGN(25, "uint2"),
    FOREIGN(26, "int2"),
    FOREIGN(27, "float6e2m3"),
    FOREIGN(28, "float6e3m2"),
};

const element_type *element_type_of(int32_t onnx) {
    for (size_t k = 0; k < sizeof types / sizeof *types; k++) {
        if (types[k].onnx == onnx) {
            return &types[k];
        }
    }
    return NULL;
}

const char *element_name(int32_t onnx) {
    const element_type *type = element_type_of(onnx);
    return type == NULL ? "unknown" : type->name;
}

uint64_t element_bits(const void *at, size_t width) {
    uint64_t bits = 0;
    memcpy(&bits, at, width);
    return bits;
}
