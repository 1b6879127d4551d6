/*
 * The reader of sources, support/plans/source_scan.h: it must find what is wrong in a text, and no
 * more. It is held against texts of a line or two, and knows no program.
 */
#include <check.h>

#include "support/plans/source_scan.h"

START_TEST(a_wrong_macro_is_found) {
    char name[128];
    ck_assert_ptr_null(source_scan_wrong_macro("#define TALLY_A 1\n#if TALLY_A\n#endif\n", name));
    ck_assert_str_eq(source_scan_wrong_macro("#if TALLY_B\n#endif\n", name), "TALLY_B");
    ck_assert_str_eq(source_scan_wrong_macro("int x = log_(1);\n", name), "log_");
    ck_assert_str_eq(source_scan_wrong_macro("#define TALLY_A TALLY_C\n", name), "TALLY_C");
    ck_assert_str_eq(source_scan_wrong_macro("#define TALLY_A\n#undef TALLY_A\nTALLY_A\n", name),
                     "TALLY_A");
    ck_assert_str_eq(source_scan_wrong_macro("#define M 1\n#define M 2\n", name), "M");
    ck_assert_str_eq(source_scan_wrong_macro("#if 1\n#define M 1\n#endif\n#define M 2\n", name),
                     "M");
    ck_assert_ptr_null(source_scan_wrong_macro(
        "#if 1\n#define M 1\n#else\n#define M 2\n#endif\n#undef M\n#define M 3\n", name));
    ck_assert_ptr_null(source_scan_wrong_macro("#define F(a) TALLY_A_##a\n", name));
    ck_assert_ptr_null(source_scan_wrong_macro("/* TALLY_A */ // TALLY_B\n", name));
    ck_assert_uint_eq(source_scan_count("ab abc ab_ab /* ab */ ab\n", "ab"), 2);
    ck_assert(!source_scan_balanced("f(]"));
    ck_assert(!source_scan_balanced("#if 1\n"));
    ck_assert(source_scan_balanced("#if 1\nf(a[0]) { }\n#endif\n"));
}
END_TEST

Suite *suite_source_scan(void);

Suite *suite_source_scan(void) {
    Suite *suite = suite_create("source_scan");
    TCase *tests = tcase_create("source_scan");
    tcase_add_test(tests, a_wrong_macro_is_found);
    suite_add_tcase(suite, tests);
    return suite;
}
