/*
 * test_directml_size.c: the least size of a tensor for DirectML, in cases worked out by hand, most
 * of them beyond 32 bits.
 */
#include <check.h>
#include <string.h>

#include <tally/directml.h>

typedef struct size_case {
    const char *name;
    DML_TENSOR_DATA_TYPE type;
    UINT rank;
    UINT sizes[8];
    bool strided;
    UINT strides[8];
    UINT64 bytes; /* 0: refused */
    const char *says;
} size_case;

#define M 0xFFFFFFFFu

static const size_case cases[] = {
    {"one float", DML_TENSOR_DATA_TYPE_FLOAT32, 1, {1}, false, {0}, 4, ""},
    {"one half is rounded up", DML_TENSOR_DATA_TYPE_FLOAT16, 1, {1}, false, {0}, 4, ""},
    {"one byte is rounded up", DML_TENSOR_DATA_TYPE_INT8, 1, {1}, false, {0}, 4, ""},
    {"five bytes", DML_TENSOR_DATA_TYPE_UINT8, 1, {5}, false, {0}, 8, ""},
    {"three halves", DML_TENSOR_DATA_TYPE_UINT16, 2, {1, 3}, false, {0}, 8, ""},
    {"one double", DML_TENSOR_DATA_TYPE_FLOAT64, 1, {1}, false, {0}, 8, ""},
    {"packed", DML_TENSOR_DATA_TYPE_FLOAT32, 4, {2, 3, 4, 5}, false, {0}, 480, ""},
    {"packed strides",
     DML_TENSOR_DATA_TYPE_FLOAT32,
     4,
     {2, 3, 4, 5},
     true,
     {60, 20, 5, 1},
     480,
     ""},
    {"padded rows", DML_TENSOR_DATA_TYPE_FLOAT32, 2, {3, 5}, true, {8, 1}, 84, ""},
    {"repeated", DML_TENSOR_DATA_TYPE_INT64, 3, {7, 2, 9}, true, {0, 1, 0}, 16, ""},
    {"transposed", DML_TENSOR_DATA_TYPE_INT16, 2, {3, 5}, true, {1, 3}, 32, ""},
    {"strides of size 1", DML_TENSOR_DATA_TYPE_INT32, 2, {1, 2}, true, {M, 1}, 8, ""},
    {"two nibbles", DML_TENSOR_DATA_TYPE_UINT4, 1, {2}, false, {0}, 4, ""},
    {"nine nibbles", DML_TENSOR_DATA_TYPE_INT4, 1, {9}, false, {0}, 8, ""},
    {"2^32 - 1 nibbles", DML_TENSOR_DATA_TYPE_INT4, 1, {M}, false, {0}, 2147483648u, ""},

    {"2^32 elements",
     DML_TENSOR_DATA_TYPE_FLOAT32,
     2,
     {65536, 65536},
     false,
     {0},
     UINT64_C(17179869184),
     ""},
    {"an index of 2^32",
     DML_TENSOR_DATA_TYPE_UINT8,
     2,
     {2, 2},
     true,
     {M, 1},
     UINT64_C(4294967300),
     ""},
    {"an index of 2^33",
     DML_TENSOR_DATA_TYPE_FLOAT32,
     2,
     {3, 3},
     true,
     {M, 1},
     UINT64_C(34359738372),
     ""},
    {"a stride of 2^32 - 1",
     DML_TENSOR_DATA_TYPE_FLOAT64,
     1,
     {3},
     true,
     {M},
     UINT64_C(68719476728),
     ""},
    {"2^62 bytes",
     DML_TENSOR_DATA_TYPE_FLOAT32,
     2,
     {0x40000000, 0x40000000},
     false,
     {0},
     UINT64_C(4611686018427387904),
     ""},
    {"an index of 2^62 + 2^31 - 1",
     DML_TENSOR_DATA_TYPE_UINT8,
     2,
     {0x80000000, 2},
     true,
     {0x80000000, M},
     UINT64_C(4611686018427387904) + UINT64_C(2147483648),
     ""},
    {"(2^32 - 1)^2 elements",
     DML_TENSOR_DATA_TYPE_UINT8,
     2,
     {M, M},
     true,
     {M, 1},
     UINT64_C(18446744065119617028),
     ""},

    {"2^64 bytes of doubles",
     DML_TENSOR_DATA_TYPE_FLOAT64,
     2,
     {0x80000000, 0x40000000},
     false,
     {0},
     0,
     "beyond 2^64 - 1 bytes"},
    {"2^64 bytes of floats",
     DML_TENSOR_DATA_TYPE_FLOAT32,
     2,
     {0x80000000, 0x80000000},
     false,
     {0},
     0,
     "beyond 2^64 - 1 bytes"},
    {"2^64 - 2^32 elements",
     DML_TENSOR_DATA_TYPE_UINT8,
     3,
     {65536, 65536, M},
     false,
     {0},
     UINT64_C(18446744069414584320),
     ""},
    {"more than 2^64 elements",
     DML_TENSOR_DATA_TYPE_UINT8,
     3,
     {65536, 65537, M},
     false,
     {0},
     0,
     "beyond 2^64 - 1 elements at Sizes[2] = 4294967295"},
    {"strides beyond 2^64",
     DML_TENSOR_DATA_TYPE_UINT8,
     3,
     {M, M, M},
     true,
     {M, M, M},
     0,
     "beyond 2^64 - 1 elements at Sizes[1] = 4294967295"},
    {"size 0", DML_TENSOR_DATA_TYPE_FLOAT32, 2, {3, 0}, false, {0}, 0, "Sizes[1] is 0"},
    {"strided size 0", DML_TENSOR_DATA_TYPE_FLOAT32, 2, {0, 3}, true, {3, 1}, 0, "Sizes[0] is 0"},
    {"rank 0", DML_TENSOR_DATA_TYPE_FLOAT32, 0, {1}, false, {0}, 0, "DimensionCount is 0"},
    {"rank 9", DML_TENSOR_DATA_TYPE_FLOAT32, 9, {1}, false, {0}, 0, "DimensionCount is 9"},
    {"UNKNOWN", DML_TENSOR_DATA_TYPE_UNKNOWN, 1, {1}, false, {0}, 0, "DataType 0 (UNKNOWN)"},
    {"type 14", (DML_TENSOR_DATA_TYPE)14, 1, {1}, false, {0}, 0, "DataType 14 (unknown)"},
};

START_TEST(test_least_size) {
    const size_case *given = &cases[_i];
    tally_error error;
    UINT64 bytes = 12345;
    const tally_status status =
        tally_dml_buffer_tensor_size(given->type, given->rank, given->sizes,
                                     given->strided ? given->strides : NULL, &bytes, &error);
    ck_assert_msg(status == (given->bytes > 0 ? TALLY_OK : TALLY_INVALID), "%s: status %d: '%s'",
                  given->name, (int)status, error.message);
    ck_assert_msg(bytes == given->bytes, "%s: %llu bytes, not %llu", given->name,
                  (unsigned long long)bytes, (unsigned long long)given->bytes);
    ck_assert_msg(given->bytes > 0 ? error.message[0] == '\0'
                                   : strstr(error.message, given->says) != NULL,
                  "%s: '%s'", given->name, error.message);
}
END_TEST

START_TEST(test_missing_pointers) {
    const UINT sizes[] = {1};
    tally_error error;
    UINT64 bytes = 12345;
    ck_assert_int_eq(
        tally_dml_buffer_tensor_size(DML_TENSOR_DATA_TYPE_FLOAT32, 1, NULL, NULL, &bytes, &error),
        TALLY_INVALID);
    ck_assert_str_eq(error.message, "Sizes is NULL, but DimensionCount is 1");
    ck_assert_uint_eq(bytes, 0);
    ck_assert_int_eq(
        tally_dml_buffer_tensor_size(DML_TENSOR_DATA_TYPE_FLOAT32, 1, sizes, NULL, NULL, &error),
        TALLY_INVALID);
    ck_assert_str_eq(error.message, "the place for the bytes is NULL");
    ck_assert_int_eq(
        tally_dml_buffer_tensor_size(DML_TENSOR_DATA_TYPE_FLOAT32, 1, sizes, NULL, &bytes, NULL),
        TALLY_OK);
    ck_assert_uint_eq(bytes, 4);
}
END_TEST

Suite *suite_directml_size(void);

Suite *suite_directml_size(void) {
    Suite *suite = suite_create("directml_size");
    TCase *all = tcase_create("all");
    tcase_add_loop_test(all, test_least_size, 0, (int)(sizeof cases / sizeof cases[0]));
    tcase_add_test(all, test_missing_pointers);
    suite_add_tcase(suite, all);
    return suite;
}
