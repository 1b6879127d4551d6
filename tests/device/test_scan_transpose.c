/*
 * test_scan_transpose.c: scans whose results lie in another order than their terms, by boxes of
 * whole lines: lines that end within each level of the order, boxes that are cut at the ends of
 * axes, terms that come in parts. A device of one unit has enough lines for them.
 */
#include <check.h>
#include <string.h>

#include "api/runtime.h"
#include "support/descriptions/legal.h"
#include "support/descriptions/shape.h"
#include "support/fixtures/fixture.h"
#include "support/reference/order_check.h"
#include "support/share.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const struct {
    legal_pair pair;
    uint64_t size[3];
} cases[] = {
    {{TALLY_SUM, TALLY_F32}, {129, 17, 67}},  {{TALLY_SUM, TALLY_F32}, {45, 300, 40}},
    {{TALLY_SUM, TALLY_F32}, {33, 4097, 35}}, {{TALLY_MULTIPLY, TALLY_F32}, {7, 4500, 61}},
    {{TALLY_SUM, TALLY_F16}, {45, 300, 40}},  {{TALLY_SUM, TALLY_F16}, {3, 700, 260}},
    {{TALLY_SUM, TALLY_F64}, {31, 513, 33}},  {{TALLY_MAX, TALLY_F32}, {257, 9, 301}},
    {{TALLY_MIN, TALLY_U8}, {45, 300, 140}},  {{TALLY_MAX, TALLY_I16}, {33, 513, 35}},
    {{TALLY_SUM, TALLY_I64}, {129, 17, 67}},  {{TALLY_MULTIPLY, TALLY_U32}, {3, 700, 260}},
};

START_TEST(whole_lines_have_the_bits_of_the_order) {
    tally_runtime *runtime = fixture_make_runtime_of(TALLY_FAMILY_GPU);
    runtime->device.limits.units = 1;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const legal_pair pair = cases[i].pair;
        const uint64_t *size = cases[i].size;
        tally_cumulative desc =
            shape_scan(pair.function, pair.dtype, SHAPE(size[0], size[1], size[2]), 1);
        char plan[ORDER_CHECK_PLAN];
        shape_transpose(&desc.input);
        for (int way = 0; way < 4 && fixture_has(pair.dtype); way++) {
            desc.descending = way % 2 != 0;
            desc.exclusive = way / 2 != 0;
            if (!share_has(i + (size_t)way, 2))
                continue;
            order_check_scan(runtime, &desc, plan);
            ck_assert_msg(strstr(plan, "scan_transpose") != NULL, "case %zu by %s", i, plan);
        }
    }
    tally_runtime_release(runtime);
}
END_TEST

Suite *suite_scan_transpose(void);
Suite *suite_scan_transpose(void) {
    Suite *suite = suite_create("scan_transpose");
    TCase *tests = tcase_create("scan_transpose");
    tcase_set_timeout(tests, 600);
    tcase_add_unchecked_fixture(tests, NULL, fixture_close);
    tcase_add_test(tests, whole_lines_have_the_bits_of_the_order);
    suite_add_tcase(suite, tests);
    return suite;
}
