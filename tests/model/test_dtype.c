/*
 * The table of data types against a second writing of it: names, sizes, the types of OpenCL C that
 * stand for them, and the ends of their ranges.
 */
#include "model/dtype.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

/* What OpenCL C calls a type, and how many bytes it has. */
typedef struct cl_type {
    const char *name;
    uint32_t bytes;
    char kind; /* f, i or u */
} cl_type;

static const cl_type cl_types[] = {
    {"half", 2, 'f'},   {"float", 4, 'f'}, {"double", 8, 'f'}, {"char", 1, 'i'},
    {"short", 2, 'i'},  {"int", 4, 'i'},   {"long", 8, 'i'},   {"uchar", 1, 'u'},
    {"ushort", 2, 'u'}, {"uint", 4, 'u'},  {"ulong", 8, 'u'},
};

static cl_type find_cl_type(const char *name) {
    for (size_t i = 0; i < sizeof cl_types / sizeof cl_types[0]; i++)
        if (strcmp(cl_types[i].name, name) == 0)
            return cl_types[i];
    ck_abort_msg("OpenCL C has no scalar type \"%s\"", name);
}

/* The types by the manual: bits in memory and while computing. */
typedef struct fact {
    tally_dtype dtype;
    const char *name;
    char kind;
    uint32_t bits;
    uint32_t compute_bits;
} fact;

static const fact facts[] = {
    {TALLY_F16, "f16", 'f', 16, 32}, {TALLY_F32, "f32", 'f', 32, 32},
    {TALLY_F64, "f64", 'f', 64, 64}, {TALLY_I8, "i8", 'i', 8, 32},
    {TALLY_I16, "i16", 'i', 16, 32}, {TALLY_I32, "i32", 'i', 32, 32},
    {TALLY_I64, "i64", 'i', 64, 64}, {TALLY_U8, "u8", 'u', 8, 32},
    {TALLY_U16, "u16", 'u', 16, 32}, {TALLY_U32, "u32", 'u', 32, 32},
    {TALLY_U64, "u64", 'u', 64, 64},
};
#define FACTS (sizeof facts / sizeof facts[0])

static tally_class class_of(char kind) {
    return kind == 'f' ? TALLY_FLOATING : kind == 'i' ? TALLY_SIGNED : TALLY_UNSIGNED;
}

START_TEST(each_type_is_what_the_manual_says) {
    const fact *it = &facts[_i];
    const tally_dtype_row *row = tally_dtype_find(it->dtype);
    ck_assert_ptr_nonnull(row);
    ck_assert_str_eq(row->name, it->name);
    ck_assert_uint_eq(row->bytes, it->bits / 8);
    ck_assert_uint_eq(row->compute_bytes, it->compute_bits / 8);
    ck_assert_int_eq(row->class, class_of(it->kind));
}
END_TEST

START_TEST(each_type_has_fitting_types_of_opencl) {
    const fact *it = &facts[_i];
    const tally_dtype_row *row = tally_dtype_find(it->dtype);
    const cl_type storage = find_cl_type(row->storage);
    ck_assert_uint_eq(storage.bytes, it->bits / 8);
    ck_assert_int_eq(storage.kind, it->kind);
    /* Integers are computed with unsigned, so that overflow wraps; half is not computed with, and
     * narrow integers are only compared. */
    const cl_type compute = find_cl_type(row->compute);
    ck_assert_uint_eq(compute.bytes, it->compute_bits / 8);
    ck_assert_int_eq(compute.kind, it->kind == 'f' || it->bits < 32 ? it->kind : 'u');
    /* Keys are compared as the values are, and a float's key has its compute type's bits. */
    const cl_type key = find_cl_type(row->key);
    ck_assert_uint_eq(key.bytes, it->compute_bits / 8);
    ck_assert_int_eq(key.kind, it->kind == 'u' ? 'u' : 'i');
}
END_TEST

/* The ends as the table writes them, with the names that OpenCL C gives the ends of its types. */
typedef struct ends {
    const char *name;
    long double key_lowest, lowest, highest;
} ends;

#undef CHAR_MIN
#undef CHAR_MAX
#undef LONG_MIN
#undef LONG_MAX
#undef ULONG_MAX
#define CHAR_MIN (-128)
#define CHAR_MAX 127
#define LONG_MIN INT64_MIN
#define LONG_MAX INT64_MAX
#define ULONG_MAX UINT64_MAX
#define TALLY_DTYPE(enumerator, name, bytes, class, storage, compute, key, key_lowest, lowest,     \
                    highest)                                                                       \
    [TALLY_##enumerator] = {#name, (long double)(key_lowest), (long double)(lowest),               \
                            (long double)(highest)},
static const ends written[] = {
#include "model/dtype.def"
};
#undef TALLY_DTYPE

START_TEST(each_type_ends_where_its_bits_do) {
    const fact *it = &facts[_i];
    const ends *found = &written[it->dtype];
    const bool is_unsigned = it->kind == 'u';
    const long double reach = ldexpl(1, (int)it->bits - (is_unsigned ? 0 : 1));
    const long double key = is_unsigned ? 0 : -ldexpl(1, (int)it->compute_bits - 1);
    ck_assert_str_eq(found->name, it->name);
    ck_assert(found->key_lowest == key);
    if (it->kind == 'f') {
        ck_assert(isinf(found->lowest) && found->lowest < 0);
        ck_assert(isinf(found->highest) && found->highest > 0);
    } else {
        ck_assert(found->lowest == (is_unsigned ? 0 : -reach));
        ck_assert(found->highest == reach - 1);
    }
}
END_TEST

START_TEST(no_other_value_is_a_type) {
    ck_assert_ptr_null(tally_dtype_find(TALLY_DTYPE_NONE));
    const int strange[] = {12, 13, 31, 32, 1000, INT_MAX, -1, INT_MIN};
    for (size_t i = 0; i < sizeof strange / sizeof strange[0]; i++)
        ck_assert_ptr_null(tally_dtype_find((tally_dtype)strange[i]));
    ck_assert_uint_eq(FACTS, 11);
}
END_TEST

/* Sets of types are bit masks: each type needs a bit of its own. */
START_TEST(each_type_has_a_bit_of_its_own) {
    uint32_t all = 0;
    for (size_t i = 0; i < FACTS; i++) {
        ck_assert_uint_eq(all & TALLY_BIT(facts[i].dtype), 0);
        all |= TALLY_BIT(facts[i].dtype);
    }
    ck_assert_uint_eq(all, 0xFFE);
}
END_TEST

START_TEST(elements_are_moved_by_their_size) {
    ck_assert_int_eq(tally_dtype_unsigned(1), TALLY_U8);
    ck_assert_int_eq(tally_dtype_unsigned(2), TALLY_U16);
    ck_assert_int_eq(tally_dtype_unsigned(4), TALLY_U32);
    ck_assert_int_eq(tally_dtype_unsigned(8), TALLY_U64);
    const uint32_t strange[] = {0, 3, 5, 16, UINT32_MAX};
    for (size_t i = 0; i < sizeof strange / sizeof strange[0]; i++)
        ck_assert_int_eq(tally_dtype_unsigned(strange[i]), TALLY_DTYPE_NONE);
}
END_TEST

Suite *suite_dtype(void) {
    Suite *suite = suite_create("dtype");
    TCase *tests = tcase_create("dtype");
    tcase_add_loop_test(tests, each_type_is_what_the_manual_says, 0, (int)FACTS);
    tcase_add_loop_test(tests, each_type_has_fitting_types_of_opencl, 0, (int)FACTS);
    tcase_add_loop_test(tests, each_type_ends_where_its_bits_do, 0, (int)FACTS);
    tcase_add_test(tests, no_other_value_is_a_type);
    tcase_add_test(tests, each_type_has_a_bit_of_its_own);
    tcase_add_test(tests, elements_are_moved_by_their_size);
    suite_add_tcase(suite, tests);
    return suite;
}
