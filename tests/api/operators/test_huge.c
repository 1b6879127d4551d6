/*
 * test_huge.c: more than 2^32 elements, read through strides of 0, so that they take no memory:
 * whatever is counted in 32 bits somewhere breaks here.
 */
#include <check.h>

#include "support/descriptions/shape.h"
#include "support/fixtures/call.h"

Suite *suite_huge(void);

#define TWO_TO_32 ((uint64_t)1 << 32)

/* 2^32 equal terms in one sum, which is a whole number of turns around 2^32, and 12345 more. */
START_TEST(sum_of_many) {
    const uint32_t x = 0x89ABCDEF;
    uint32_t sum = 0;
    tally_reduce desc = shape_reduce(TALLY_SUM, TALLY_U32, SHAPE(TWO_TO_32 + 12345), 1);
    shape_repeat(&desc.input, 1);
    call_reduce(&desc, &x, &sum);
    ck_assert_uint_eq(sum, x * 12345u);
}
END_TEST

/* The last index of 2^32 + 3 equal elements. */
START_TEST(index_beyond_32_bits) {
    const uint8_t x = 7;
    int64_t index = -1;
    tally_reduce desc = shape_reduce(TALLY_ARGMAX, TALLY_U8, SHAPE(TWO_TO_32 + 3), 1);
    shape_repeat(&desc.input, 1);
    desc.output.dtype = TALLY_I64;
    desc.tie = TALLY_TIE_LAST;
    call_reduce(&desc, &x, &index);
    ck_assert_int_eq(index, (int64_t)TWO_TO_32 + 2);
}
END_TEST

Suite *suite_huge(void) {
    Suite *suite = suite_create("huge");
    TCase *tests = tcase_create("huge");
    tcase_set_timeout(tests, 600);
    tcase_add_test(tests, sum_of_many);
    tcase_add_test(tests, index_beyond_32_bits);
    suite_add_tcase(suite, tests);
    return suite;
}
