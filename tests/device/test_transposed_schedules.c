/*
 * test_transposed_schedules.c: folds of terms whose neighbours in memory are others', by groups
 * that go along lines, stage blocks or have several outputs. The bits are those of the plain
 * reference of the order, whatever the layout is.
 */
#include <check.h>
#include <string.h>

#include "support/descriptions/shape.h"
#include "support/fixtures/fixture.h"
#include "support/reference/order_check.h"
#include "support/share.h"

/*
 * All terms in an order that is not that of memory: lines longer than a block and shorter, whose
 * blocks begin at every position of a line, a number of lines that fills no group, several sets of
 * them, and axes that lines go round; and columns whose terms have a gap.
 */
#define TRANSPOSED 9
static tally_reduce transposed_reduce(int i, tally_function function, tally_dtype dtype) {
    const struct {
        shape sizes;
        uint32_t axes;
    } transposed[TRANSPOSED] = {
        {SHAPE(300, 1700), 3}, {SHAPE(3, 70, 4111), 7}, {SHAPE(2, 3, 40, 1700), 14},
        {SHAPE(97, 301), 3},   {SHAPE(130, 9, 457), 7}, {SHAPE(2, 90, 64), 6},
        {SHAPE(40, 5, 33), 7}, {SHAPE(501, 61, 70), 3}, {SHAPE(300, 15, 40), 3}};
    tally_reduce desc = shape_reduce(function, dtype, transposed[i].sizes, transposed[i].axes);
    if (i == 2) { /* lines along the third axis, of several sets and outputs */
        const uint64_t stride[] = {204000, 68000, 1, 40};
        desc.input.flags = TALLY_STRIDED;
        memcpy(desc.input.stride, stride, sizeof stride);
    } else if (i < 7)
        shape_transpose(&desc.input);
    else
        shape_space_planes(&desc.input, 3);
    return desc;
}

START_TEST(test_transposed_terms_agree) {
    static const struct {
        tally_function function;
        tally_dtype dtype;
        int layouts; /* the first ones */
    } pairs[] = {{TALLY_SUM, TALLY_F32, TRANSPOSED},
                 {TALLY_LOG_SUM_EXP, TALLY_F32, 5},
                 {TALLY_L2, TALLY_F16, TRANSPOSED},
                 {TALLY_AVERAGE, TALLY_F64, 4}};
    static const char *const kinds[] = {"_linesatonce", "_linesbeside", "_outputsatonce"};
    bool used[] = {false, false, false};
    tally_runtime *runtime = fixture_make_runtime_of(TALLY_FAMILY_GPU);
    for (size_t p = 0; p < sizeof pairs / sizeof pairs[0]; p++)
        for (int i = 0; i < pairs[p].layouts; i++) {
            char plan[ORDER_CHECK_PLAN];
            if (!fixture_has(pairs[p].dtype) || !share_has(p, 3))
                continue;
            const tally_reduce desc = transposed_reduce(i, pairs[p].function, pairs[p].dtype);
            order_check(runtime, &desc, plan);
            if (i < 3 && pairs[p].function != TALLY_LOG_SUM_EXP)
                ck_assert_msg(strstr(plan, kinds[0]) != NULL, "layout %d: %s", i, plan);
            for (int k = 0; k < 3; k++)
                used[k] = used[k] || strstr(plan, kinds[k]) != NULL;
        }
    for (int k = 0; k < 3; k++)
        ck_assert_msg(used[k], "no plan has %s", kinds[k]);
    tally_runtime_release(runtime);
}
END_TEST

Suite *suite_transposed_schedules(void);
Suite *suite_transposed_schedules(void) {
    Suite *suite = suite_create("transposed_schedules");
    TCase *transposed = tcase_create("turned");
    tcase_set_timeout(transposed, 0);
    tcase_add_test(transposed, test_transposed_terms_agree);
    suite_add_tcase(suite, transposed);
    return suite;
}
