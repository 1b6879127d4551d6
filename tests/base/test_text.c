/*
 * The growing text: what it holds after many additions of all sizes, and that a failure to grow is
 * remembered.
 */
#include "base/text.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include <check.h>

/* The sanitizers ask these: a request that can't be met is to give NULL, as malloc does. */
#if defined(__GNUC__)
#define SANITIZER_OPTIONS(function)                                                                \
    __attribute__((visibility("default"))) const char *function(void);                             \
    const char *function(void) {                                                                   \
        return "allocator_may_return_null=1";                                                      \
    }
SANITIZER_OPTIONS(__asan_default_options)
SANITIZER_OPTIONS(__tsan_default_options)
#endif

START_TEST(an_empty_text_holds_nothing) {
    tally_text text = TALLY_TEXT_INIT;
    ck_assert_ptr_null(text.data);
    ck_assert_uint_eq(text.length, 0);
    ck_assert(!text.failed);
    tally_text_free(&text);
    tally_text_free(&text);
}
END_TEST

START_TEST(adding_nothing_terminates_it) {
    tally_text text = TALLY_TEXT_INIT;
    tally_text_add(&text, "");
    ck_assert_ptr_nonnull(text.data);
    ck_assert_str_eq(text.data, "");
    tally_text_format(&text, "%s", "");
    ck_assert_str_eq(text.data, "");
    ck_assert_uint_eq(text.length, 0);
    tally_text_free(&text);
}
END_TEST

/* Both ways to add, one after the other, against a buffer that is large enough from the start. */
START_TEST(it_grows_to_what_was_added) {
    const size_t room = 4000000;
    char *expected = malloc(room);
    ck_assert_ptr_nonnull(expected);
    size_t length = 0;
    tally_text text = TALLY_TEXT_INIT;
    for (int i = 0; i < 3000; i++) {
        char piece[1100];
        const int size = i * 7919 % 1000;
        memset(piece, 'a' + i % 26, (size_t)size);
        piece[size] = '\0';
        if (i % 2 == 0) {
            tally_text_add(&text, piece);
            length += (size_t)snprintf(expected + length, room - length, "%s", piece);
        } else {
            tally_text_format(&text, "%d:%s;%u", i, piece, 42u);
            length += (size_t)snprintf(expected + length, room - length, "%d:%s;42", i, piece);
        }
        if (text.length != length || text.capacity <= length || text.data[length] != '\0')
            ck_abort_msg("after addition %d: length %zu, should be %zu", i, text.length, length);
    }
    ck_assert(!text.failed);
    ck_assert_uint_eq(strlen(text.data), length);
    ck_assert_int_eq(memcmp(text.data, expected, length + 1), 0);
    tally_text_free(&text);
    free(expected);
}
END_TEST

/* Every length around the first room of 256 bytes, in one piece: a NUL too many would show. */
START_TEST(every_length_fits_exactly) {
    char piece[600];
    for (size_t length = 0; length < sizeof piece; length++) {
        memset(piece, 'p', length);
        piece[length] = '\0';
        for (int format = 0; format < 2; format++) {
            tally_text text = TALLY_TEXT_INIT;
            if (format)
                tally_text_format(&text, "%s", piece);
            else
                tally_text_add(&text, piece);
            ck_assert_str_eq(text.data, piece);
            ck_assert_uint_eq(text.length, length);
            tally_text_free(&text);
        }
    }
}
END_TEST

START_TEST(a_large_format_is_not_cut) {
    tally_text text = TALLY_TEXT_INIT;
    tally_text_format(&text, "<%*d|%-*d>", 300000, 1, 200000, 2);
    ck_assert_uint_eq(text.length, 500003);
    ck_assert_int_eq(text.data[300000], '1');
    ck_assert_int_eq(text.data[300002], '2');
    ck_assert_int_eq(text.data[500002], '>');
    tally_text_free(&text);
}
END_TEST

/* As if so much had been added before that no machine has room for more. */
START_TEST(a_failure_to_grow_is_remembered) {
    tally_text text = TALLY_TEXT_INIT;
    text.length = SIZE_MAX / 2;
    tally_text_add(&text, "too much");
    ck_assert(text.failed);
    ck_assert_ptr_null(text.data);
    ck_assert_uint_eq(text.length, SIZE_MAX / 2);
    text.length = 0; /* there would be room now, but a gap in the text is no text */
    tally_text_add(&text, "more");
    tally_text_format(&text, "%d", 1);
    ck_assert(text.failed);
    ck_assert_uint_eq(text.length, 0);
    ck_assert_ptr_null(text.data);
    tally_text_free(&text);
    ck_assert(!text.failed);
    tally_text_add(&text, "anew");
    ck_assert_str_eq(text.data, "anew");
    tally_text_free(&text);
}
END_TEST

START_TEST(what_was_there_survives_a_failure) {
    tally_text text = TALLY_TEXT_INIT;
    tally_text_add(&text, "kept");
    const size_t length = text.length;
    text.length = SIZE_MAX / 2;
    tally_text_format(&text, "%s", "lost");
    text.length = length;
    ck_assert(text.failed);
    ck_assert_str_eq(text.data, "kept");
    tally_text_free(&text);
}
END_TEST

#if !defined(_WIN32) /* whose C library formats any */
/* A wide character that the locale lacks can't be formatted: it must not be left out in silence. */
START_TEST(a_format_that_fails_is_a_failure) {
    tally_text text = TALLY_TEXT_INIT;
    tally_text_format(&text, "%lc", (wint_t)0xD800);
    ck_assert(text.failed);
    ck_assert_uint_eq(text.length, 0);
    tally_text_free(&text);
}
END_TEST
#endif

Suite *suite_text(void) {
    Suite *suite = suite_create("text");
    TCase *tests = tcase_create("text");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, an_empty_text_holds_nothing);
    tcase_add_test(tests, adding_nothing_terminates_it);
    tcase_add_test(tests, it_grows_to_what_was_added);
    tcase_add_test(tests, every_length_fits_exactly);
    tcase_add_test(tests, a_large_format_is_not_cut);
    tcase_add_test(tests, a_failure_to_grow_is_remembered);
    tcase_add_test(tests, what_was_there_survives_a_failure);
#if !defined(_WIN32)
    tcase_add_test(tests, a_format_that_fails_is_a_failure);
#endif
    suite_add_tcase(suite, tests);
    return suite;
}
