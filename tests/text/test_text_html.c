/*
 * HTML's escapes, on texts as drivers and users may have them.
 */
#include "cli/text/html.h"

#include <check.h>
#include <string.h>

#include "cli/text/utf8.h"

#define UNKNOWN "\xef\xbf\xbd" /* U+FFFD */

static void check(const char *text, const char *expected) {
    char all[256] = "", room[HTML_ROOM];
    while (*text != '\0') {
        const char *character = html_escape(&text, room);
        ck_assert_uint_lt(strlen(all) + strlen(character), sizeof all);
        strcat(all, character);
    }
    ck_assert_str_eq(all, expected);
}

START_TEST(test_entities) {
    check("", "");
    check("AMD EPYC 7B13", "AMD EPYC 7B13");
    check("<script>a && b</script>", "&lt;script&gt;a &amp;&amp; b&lt;/script&gt;");
    check("\" onclick='x'", "&quot; onclick=&#39;x&#39;");
    check("&lt;", "&amp;lt;");
}
END_TEST

START_TEST(test_bytes) {
    check("Iris\xc2\xae Xe \xe2\x82\xac \xf0\x9f\x9a\x80",
          "Iris\xc2\xae Xe \xe2\x82\xac \xf0\x9f\x9a\x80");
    check("Iris\xae Xe", "Iris" UNKNOWN " Xe"); /* Latin-1 */
    check("\xe2\x82<", UNKNOWN UNKNOWN "&lt;"); /* a character that was cut */
    check("\xc0\xbc\xed\xa0\x80", UNKNOWN UNKNOWN UNKNOWN UNKNOWN UNKNOWN); /* <, and a surrogate */
    check("a\tb\nc", "a\tb\nc");
    check("a\x01\x7f\r", "a" UNKNOWN UNKNOWN UNKNOWN);
}
END_TEST

START_TEST(test_lengths) {
    ck_assert_uint_eq(utf8_length(""), 1);
    ck_assert_uint_eq(utf8_length("ab"), 1);
    ck_assert_uint_eq(utf8_length("\xf4\x8f\xbf\xbf"), 4); /* the last character */
    ck_assert_uint_eq(utf8_length("\xf4\x90\x80\x80"), 0);
    ck_assert_uint_eq(utf8_length("\x80"), 0);
}
END_TEST

Suite *suite_text_html(void);
Suite *suite_text_html(void) {
    Suite *suite = suite_create("text_html");
    TCase *tcase = tcase_create("html");
    tcase_add_test(tcase, test_entities);
    tcase_add_test(tcase, test_bytes);
    tcase_add_test(tcase, test_lengths);
    suite_add_tcase(suite, tcase);
    return suite;
}
