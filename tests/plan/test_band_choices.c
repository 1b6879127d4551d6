/*
 * Which schedule fills what. As in test_plan_choices.c, a test says that a choice was made on
 * purpose.
 */
#include <check.h>

#include "support/plan_sample.h"
#include "support/shape.h"

static tally_step fill_step(const tally_diagonal *desc, const tally_limits *limits) {
    return plan_sample_fill(desc, limits).step[0];
}

/* Rows that lie side by side in both tensors and have 16 bytes, on devices with groups of 64. */
START_TEST(contiguous_rows_are_filled_by_packs_and_lines) {
    const tally_limits small_groups = {64, 1024, 16, 64, TALLY_FAMILY_GPU, 8, false, true};
    const tally_limits tiny_groups = {63, 32768, 16, 64, TALLY_FAMILY_GPU, 8, false, true};
    const tally_limits generic = {256, 32768, 16, 64, TALLY_FAMILY_GENERIC, 8, false, true};
    tally_diagonal desc = TALLY_DIAGONAL_INIT;
    for (uint64_t columns = 3; columns <= 4; columns++) {
        desc.output = shape_tensor(TALLY_F32, SHAPE(7, 100, columns));
        const bool wide = columns == 4;
        ck_assert_int_eq(fill_step(&desc, &plan_sample_gpu).spec.schedule,
                         wide ? TALLY_BAND_ROWS : TALLY_BAND);
        ck_assert_int_eq(fill_step(&desc, &small_groups).spec.schedule,
                         wide ? TALLY_BAND_ROWS : TALLY_BAND);
        ck_assert_int_eq(fill_step(&desc, &tiny_groups).spec.schedule, TALLY_BAND);
        ck_assert_int_eq(fill_step(&desc, &generic).spec.schedule, TALLY_BAND);
        ck_assert_int_eq(fill_step(&desc, &plan_sample_cpu).spec.schedule,
                         wide ? TALLY_BAND_CPU : TALLY_BAND);
    }
    tally_tensor input = desc.output;
    desc.input = &input;
    ck_assert_int_eq(fill_step(&desc, &plan_sample_gpu).spec.schedule, TALLY_BAND_ROWS);
    shape_transpose(&input);
    ck_assert_int_eq(fill_step(&desc, &plan_sample_gpu).spec.schedule, TALLY_BAND);
    ck_assert_int_eq(fill_step(&desc, &plan_sample_cpu).spec.schedule, TALLY_BAND);
    input = desc.output;
    shape_transpose(&desc.output);
    ck_assert_int_eq(fill_step(&desc, &plan_sample_gpu).spec.schedule, TALLY_BAND);
}
END_TEST

/*
 * Four packs of a wide row, in equal pieces, and eight of a narrow one, or of several as narrow as
 * that.
 */
START_TEST(a_fill_has_packs_under_way) {
    static const struct {
        uint64_t columns, across, pieces;
        uint32_t stack, each;
    } cases[] = {{4, 1, 1, 1, 8},      {8, 1, 1, 2, 4},       {16, 1, 1, 4, 2},
                 {256, 8, 1, 8, 1},    {260, 17, 1, 4, 1},    {4096, 256, 1, 4, 1},
                 {4097, 129, 2, 4, 1}, {16384, 256, 4, 4, 1}, {16381, 256, 4, 4, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tally_diagonal desc = TALLY_DIAGONAL_INIT;
        desc.output = shape_tensor(TALLY_F32, SHAPE(100, cases[i].columns));
        const tally_step step = fill_step(&desc, &plan_sample_gpu);
        ck_assert_uint_eq(step.args.band.across, cases[i].across);
        ck_assert_uint_eq(step.args.band.pieces, cases[i].pieces);
        ck_assert_uint_eq(step.spec.stack, cases[i].stack);
        ck_assert_uint_eq(step.spec.each, cases[i].each);
    }
}
END_TEST

/* Each core has some turns, of rows or of pieces; what fits the caches is written into them. */
START_TEST(a_fill_on_a_cpu_has_turns) {
    static const struct {
        uint64_t rows, columns, pieces, slices;
        bool stream;
    } cases[] = {{1, 1 << 24, 256, 1, true},
                 {1 << 12, 1 << 12, 1, 16, true},
                 {1 << 20, 4, 1, 1 << 14, true},
                 {100, 100, 1, 82, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        tally_diagonal desc = TALLY_DIAGONAL_INIT;
        desc.output = shape_tensor(TALLY_F32, SHAPE(cases[i].rows, cases[i].columns));
        const tally_step step = fill_step(&desc, &plan_sample_cpu);
        ck_assert_uint_eq(step.args.band.pieces, cases[i].pieces);
        ck_assert_uint_eq(step.args.band.slices, cases[i].slices);
        ck_assert_int_eq(step.args.band.stream != 0, cases[i].stream);
    }
}
END_TEST

Suite *suite_band_choices(void) {
    Suite *suite = suite_create("band_choices");
    TCase *tests = tcase_create("band_choices");
    tcase_add_test(tests, contiguous_rows_are_filled_by_packs_and_lines);
    tcase_add_test(tests, a_fill_has_packs_under_way);
    tcase_add_test(tests, a_fill_on_a_cpu_has_turns);
    suite_add_tcase(suite, tests);
    return suite;
}
