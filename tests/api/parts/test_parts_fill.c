/*
 * test_parts_fill.c: fills in parts have the bytes of the whole, along batches, rows and columns,
 * with bands of all shapes and with bounds at the ends of their numbers.
 */
#include <check.h>

#include "support/descriptions/shape.h"
#include "support/parts/parts.h"

Suite *suite_parts_fill(void);

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const int64_t bands[][2] = {
    {0, 1},
    {-2, 3},
    {3, -2},
    {1, 1},
    {INT64_MIN, 0},
    {0, INT64_MAX},
    {INT64_MAX, INT64_MIN},
    {INT64_MIN, INT64_MAX},
    {5, INT64_MAX},
    {-7, -3},
};

START_TEST(every_axis) {
    tally_tensor input = shape_tensor(TALLY_F32, SHAPE(3, 11, 13));
    tally_diagonal desc = shape_fill(SHAPE(3, 11, 13));
    desc.begin = bands[_i][0];
    desc.end = bands[_i][1];
    desc.value.f32 = 2.5f;
    for (uint32_t axis = 0; axis < 3; axis++)
        for (uint32_t parts = 1; parts <= 8; parts += parts < 4 ? 1 : 3) {
            desc.input = parts % 2 ? &input : NULL;
            parts_check(SHAPE_DESC(diagonal, &desc), (parts_how){.axis = axis,
                                                                 .parts = parts,
                                                                 .values = VALUES_BITS,
                                                                 .seed = (uint64_t)_i + parts});
        }
}
END_TEST

Suite *suite_parts_fill(void) {
    Suite *suite = suite_create("parts_fill");
    TCase *tests = tcase_create("parts");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, every_axis, 0, (int)COUNT(bands));
    suite_add_tcase(suite, tests);
    return suite;
}
