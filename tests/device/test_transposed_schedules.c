/*
 * test_transposed_schedules.c: folds of terms whose neighbours in memory are others', by groups
 * that go along lines, stage blocks or have several outputs, and by work-items of CPUs. The bits
 * are those of the plain reference of the order, whatever the layout is.
 */
#include <check.h>
#include <string.h>

#include "api/runtime.h"
#include "support/descriptions/shape.h"
#include "support/fixtures/fixture.h"
#include "support/reference/order_check.h"
#include "support/share.h"

/* How the input lies: transposed, as several sets of lines along its third axis, or with gaps. */
typedef enum layout { TURNED, SETS, SPACED } layout;

static tally_reduce lay_out(layout how, tally_reduce desc) {
    if (how == TURNED) {
        shape_transpose(&desc.input);
    } else if (how == SETS) {
        const uint64_t count = desc.input.size[2], set = count * desc.input.size[3];
        const uint64_t stride[] = {desc.input.size[1] * set, set, 1, count};
        desc.input.flags = TALLY_STRIDED;
        memcpy(desc.input.stride, stride, sizeof stride);
    } else {
        shape_space_planes(&desc.input, 3);
    }
    return desc;
}

/*
 * All terms in an order that is not that of memory: lines longer than a block and shorter, whose
 * blocks begin at every position of a line, a number of lines that fills no group, several sets of
 * them, axes that lines go round, packs of lines, last blocks of a few terms, which begin and end
 * between two looks; and columns whose terms have a gap. wanted: of functions that take lines.
 */
typedef struct turned {
    shape sizes;
    uint32_t axes;
    layout how;
    size_t before; /* elements of the buffer, before the view */
    const char *wanted;
} turned;

#define LINES "_linesatonce"
#define LAYOUTS 21
#define BLOCKS "_blocksatonce"
static turned turned_at(int i) {
    const turned all[LAYOUTS] = {
        {SHAPE(300, 1700), 3, TURNED, 0, LINES},     {SHAPE(97, 301), 3, TURNED, 0, ""},
        {SHAPE(130, 9, 457), 7, TURNED, 0, ""},      {SHAPE(2, 3, 40, 1700), 14, SETS, 0, LINES},
        {SHAPE(3, 70, 4111), 7, TURNED, 0, LINES},   {SHAPE(8, 270001), 3, TURNED, 0, LINES},
        {SHAPE(8, 270001), 3, TURNED, 1, LINES},     {SHAPE(8, 269825), 3, TURNED, 0, LINES},
        {SHAPE(2, 64, 4201), 7, TURNED, 0, LINES},   {SHAPE(24, 7, 10001), 7, TURNED, 0, LINES},
        {SHAPE(5, 270001), 3, TURNED, 0, LINES},     {SHAPE(3, 273067), 3, TURNED, 0, LINES},
        {SHAPE(64, 1000, 40), 7, TURNED, 0, LINES},  {SHAPE(2, 90, 64), 6, TURNED, 0, ""},
        {SHAPE(40, 5, 33), 7, TURNED, 0, ""},        {SHAPE(501, 61, 70), 3, SPACED, 0, ""},
        {SHAPE(300, 15, 40), 3, SPACED, 0, ""},      {SHAPE(301, 1024), 3, TURNED, 0, BLOCKS},
        {SHAPE(499, 701), 3, TURNED, 1, BLOCKS},     {SHAPE(301, 9, 111), 7, TURNED, 0, BLOCKS},
        {SHAPE(3, 2, 301, 700), 14, SETS, 0, BLOCKS}};
    return all[i];
}

START_TEST(test_transposed_terms_agree) {
    static const struct {
        tally_function function;
        tally_dtype dtype;
        int layouts; /* the first ones */
        bool lines;
    } pairs[] = {{TALLY_SUM, TALLY_F32, LAYOUTS, true},
                 {TALLY_LOG_SUM_EXP, TALLY_F32, 5, false},
                 {TALLY_L2, TALLY_F16, LAYOUTS, true},
                 {TALLY_AVERAGE, TALLY_F64, 6, true}};
    static const char *const kinds[] = {LINES, "_linesbeside", "_outputsatonce", BLOCKS};
    bool used[] = {false, false, false, false};
    tally_runtime *runtime = fixture_make_runtime_of(TALLY_FAMILY_GPU);
    runtime->device.limits.units = 2; /* of more, some layouts would leave too few groups */
    for (size_t p = 0; p < sizeof pairs / sizeof pairs[0]; p++)
        for (int i = 0; i < pairs[p].layouts; i++) {
            const turned it = turned_at(i);
            char plan[ORDER_CHECK_PLAN];
            if (!fixture_has(pairs[p].dtype) || !share_has(p, 3))
                continue;
            const tally_reduce desc =
                lay_out(it.how, shape_reduce(pairs[p].function, pairs[p].dtype, it.sizes, it.axes));
            order_check_view(runtime, &desc, it.before, plan);
            ck_assert_msg(!pairs[p].lines || strstr(plan, it.wanted) != NULL, "layout %d: %s", i,
                          plan);
            for (int k = 0; k < 4; k++)
                used[k] = used[k] || strstr(plan, kinds[k]) != NULL;
        }
    for (int k = 0; k < 4; k++)
        ck_assert_msg(used[k], "no plan has %s", kinds[k]);
    tally_runtime_release(runtime);
}
END_TEST

/* Two axes along which elements are an element apart: packs would begin anywhere. */
START_TEST(test_overlapping_lines_agree) {
    char plan[ORDER_CHECK_PLAN];
    tally_reduce desc = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(64, 8, 5000), 7);
    const uint64_t stride[] = {1, 1, 1024};
    tally_runtime *runtime = fixture_make_runtime_of(TALLY_FAMILY_GPU);
    desc.input.flags = TALLY_STRIDED;
    memcpy(desc.input.stride, stride, sizeof stride);
    order_check(runtime, &desc, plan);
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
            const tally_reduce desc = lay_out(
                lines[i].sizes.rank == 4 ? SETS : TURNED,
                shape_reduce(pairs[p].function, pairs[p].dtype, lines[i].sizes, lines[i].axes));
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
    tcase_add_test(transposed, test_overlapping_lines_agree);
    tcase_add_test(transposed, test_lines_on_cpus_agree);
    suite_add_tcase(suite, transposed);
    return suite;
}
