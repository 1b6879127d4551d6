/*
 * test_struct.c: structs of callers that were built with other versions of the headers: shorter
 * ones, longer ones, and sizes that no struct has.
 */
#include "base/struct.h"

#include <check.h>
#include <string.h>

/* A struct as this version knows it, and as later ones do. */
typedef struct now {
    uint32_t struct_size, a, b, c;
} now;
typedef struct later {
    now known;
    uint32_t d, e;
} later;

static void check_refusal(tally_status status, const tally_error *error, tally_status wanted,
                          const char *words, const char *more) {
    ck_assert_int_eq(status, wanted);
    ck_assert_int_eq(error->status, wanted);
    ck_assert_msg(strstr(error->message, words) != NULL && strstr(error->message, more) != NULL,
                  "\"%s\" has no \"%s\" or no \"%s\"", error->message, words, more);
}

START_TEST(a_struct_of_this_version_is_taken_as_it_is) {
    const now given = {sizeof given, 1, 2, 3};
    now known;
    tally_error error;
    memset(&known, 0x55, sizeof known);
    ck_assert_int_eq(tally_struct_take(&given, &known, sizeof known, "now", &error), TALLY_OK);
    ck_assert_mem_eq(&known, &given, sizeof known);
}
END_TEST

START_TEST(what_a_shorter_struct_lacks_is_0) {
    const uint32_t given[] = {8, 7}; /* and nothing behind it */
    const now wanted = {8, 7, 0, 0};
    now known;
    tally_error error;
    memset(&known, 0x55, sizeof known);
    ck_assert_int_eq(tally_struct_take(given, &known, sizeof known, "now", &error), TALLY_OK);
    ck_assert_mem_eq(&known, &wanted, sizeof known);
}
END_TEST

START_TEST(a_longer_struct_is_taken_if_the_rest_is_0) {
    later given = {{sizeof given, 1, 2, 3}, 0, 0};
    now known;
    tally_error error;
    ck_assert_int_eq(tally_struct_take(&given, &known, sizeof known, "now", &error), TALLY_OK);
    ck_assert_uint_eq(known.c, 3);
    memcpy((char *)&given + sizeof given - 1, "\1", 1); /* the last byte of all */
    check_refusal(tally_struct_take(&given, &known, sizeof known, "now", &error), &error,
                  TALLY_UNSUPPORTED, "byte 23 of the now is not 0", "16 bytes");
}
END_TEST

START_TEST(sizes_that_no_struct_has_are_refused) {
    const uint32_t sizes[] = {0, 1, 15, 4100, UINT32_MAX};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        now given = {sizes[i], 1, 2, 3}, known;
        tally_error error;
        check_refusal(tally_struct_take(&given, &known, sizeof known, "now", &error), &error,
                      TALLY_INVALID, "struct_size of the now", "4096");
        check_refusal(tally_struct_check(&given, "now", &error), &error, TALLY_INVALID,
                      "struct_size of the now", "4096");
    }
    tally_error error;
    check_refusal(tally_struct_check(NULL, "now", &error), &error, TALLY_INVALID, "the now",
                  "NULL");
}
END_TEST

START_TEST(an_answer_fills_what_is_there) {
    const now known = {sizeof known, 1, 2, 3};
    uint32_t shorter[] = {8, 9, 99};
    tally_struct_give(&known, sizeof known, shorter);
    ck_assert_uint_eq(shorter[0], 8);
    ck_assert_uint_eq(shorter[1], 1);
    ck_assert_uint_eq(shorter[2], 99); /* behind the struct */
    later longer;
    memset(&longer, 0x55, sizeof longer);
    longer.known.struct_size = sizeof longer;
    tally_struct_give(&known, sizeof known, &longer);
    const later wanted = {{sizeof longer, 1, 2, 3}, 0, 0};
    ck_assert_mem_eq(&longer, &wanted, sizeof longer);
}
END_TEST

Suite *suite_struct(void);
Suite *suite_struct(void) {
    Suite *suite = suite_create("struct");
    TCase *tests = tcase_create("struct");
    tcase_add_test(tests, a_struct_of_this_version_is_taken_as_it_is);
    tcase_add_test(tests, what_a_shorter_struct_lacks_is_0);
    tcase_add_test(tests, a_longer_struct_is_taken_if_the_rest_is_0);
    tcase_add_test(tests, sizes_that_no_struct_has_are_refused);
    tcase_add_test(tests, an_answer_fills_what_is_there);
    suite_add_tcase(suite, tests);
    return suite;
}
