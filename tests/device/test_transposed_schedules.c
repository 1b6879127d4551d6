/*
 * test_transposed_schedules.c: folds of terms whose neighbours in memory are others', by groups
 * that go along lines, stage blocks or have several outputs, and by work-items of CPUs. The bits
 * are those of the plain reference of the order, whatever the layout is.
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
 * them, and axes that lines go round; packs of lines; and columns whose terms have a gap.
 */
#define TRANSPOSED 13
static tally_reduce transposed_reduce(int i, tally_function function, tally_dtype dtype) {
    const struct {
        shape sizes;
        uint32_t axes;
    } transposed[TRANSPOSED] = {
        {SHAPE(300, 1700), 3},  {SHAPE(3, 70, 4111), 7}, {SHAPE(2, 3, 40, 1700), 14},
        {SHAPE(8, 270001), 3},  {SHAPE(2, 64, 4201), 7}, {SHAPE(24, 7, 10001), 7},
        {SHAPE(5, 270001), 3},  {SHAPE(97, 301), 3},     {SHAPE(130, 9, 457), 7},
        {SHAPE(2, 90, 64), 6},  {SHAPE(40, 5, 33), 7},   {SHAPE(501, 61, 70), 3},
        {SHAPE(300, 15, 40), 3}};
    tally_reduce desc = shape_reduce(function, dtype, transposed[i].sizes, transposed[i].axes);
    if (i == 2) { /* lines along the third axis, of several sets and outputs */
        const uint64_t stride[] = {204000, 68000, 1, 40};
        desc.input.flags = TALLY_STRIDED;
        memcpy(desc.input.stride, stride, sizeof stride);
    } else if (i < 11)
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
            if (i < 7 && pairs[p].function != TALLY_LOG_SUM_EXP)
                ck_assert_msg(strstr(plan, kinds[0]) != NULL, "layout %d: %s", i, plan);
            for (int k = 0; k < 3; k++)
                used[k] = used[k] || strstr(plan, kinds[k]) != NULL;
        }
    for (int k = 0; k < 3; k++)
        ck_assert_msg(used[k], "no plan has %s", kinds[k]);
    tally_runtime_release(runtime);
}
END_TEST

/* The same on CPUs, whose lines are longer than a block; and few of them at the input's end. */
#define CPU_LINES 5
START_TEST(test_lines_on_cpus_agree) {
    const struct {
        shape sizes;
        uint32_t axes;
    } lines[CPU_LINES] = {{SHAPE(3, 30011), 3},
                          {SHAPE(70, 5003), 3},
                          {SHAPE(2, 3, 11, 4099), 14},
                          {SHAPE(2, 3, 130, 4096), 14},
                          {SHAPE(9, 40, 205), 7}};
    static const struct {
        tally_function function;
        tally_dtype dtype;
    } pairs[] = {{TALLY_SUM, TALLY_F32},
                 {TALLY_MULTIPLY, TALLY_F16},
                 {TALLY_LOG_SUM, TALLY_F32},
                 {TALLY_AVERAGE, TALLY_F64}};
    tally_runtime *runtime = fixture_make_runtime_of(TALLY_FAMILY_CPU);
    for (size_t p = 0; p < sizeof pairs / sizeof pairs[0]; p++)
        for (int i = 0; i < CPU_LINES; i++) {
            char plan[ORDER_CHECK_PLAN];
            if (!fixture_has(pairs[p].dtype) || !share_has(p, 3))
                continue;
            tally_reduce desc =
                shape_reduce(pairs[p].function, pairs[p].dtype, lines[i].sizes, lines[i].axes);
            if (desc.input.rank ==
                4) { /* lines along the third axis, of several sets and outputs */
                const uint64_t line = desc.input.size[3], count = desc.input.size[2];
                const uint64_t stride[] = {3 * count * line, count * line, 1, count};
                desc.input.flags = TALLY_STRIDED;
                memcpy(desc.input.stride, stride, sizeof stride);
            } else
                shape_transpose(&desc.input);
            order_check(runtime, &desc, plan);
            ck_assert_msg(strstr(plan, "1: tally_fold_cpu_lines") != NULL, "layout %d: %s", i,
                          plan);
        }
    tally_runtime_release(runtime);
}
END_TEST

Suite *suite_transposed_schedules(void);
Suite *suite_transposed_schedules(void) {
    Suite *suite = suite_create("transposed_schedules");
    TCase *transposed = tcase_create("turned");
    tcase_set_timeout(transposed, 0);
    tcase_add_test(transposed, test_transposed_terms_agree);
    tcase_add_test(transposed, test_lines_on_cpus_agree);
    suite_add_tcase(suite, transposed);
    return suite;
}
