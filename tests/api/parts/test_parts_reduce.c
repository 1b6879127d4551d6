/*
 * test_parts_reduce.c: reductions in parts have the bits of the whole: every legal function and
 * type, numbers of parts, sizes around those where blocks of the order end, groups of axes,
 * strides, and parts by runtimes of different families.
 */
#include <check.h>

#include "support/descriptions/legal.h"
#include "support/descriptions/shape.h"
#include "support/fixtures/fixture.h"
#include "support/parts/parts.h"
#include "support/share.h"

Suite *suite_parts_reduce(void);

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const uint32_t numbers[] = {1, 2, 3, 4, 7, 8};

/* An index of 64 bits or of 32. */
static tally_reduce make(tally_function function, tally_dtype dtype, shape sizes, uint32_t axes,
                         uint64_t seed) {
    tally_reduce desc = shape_reduce(function, dtype, sizes, axes);
    if (legal_is_index(function))
        desc.output.dtype = legal_index_types((int)(seed % 4));
    return desc;
}

/* One row, 8 blocks and some: cut where blocks end, or anywhere where combining is exact. */
START_TEST(every_function_and_type_of_one_row) {
    const legal_pair pair = legal_reduce_pair(_i);
    if (!fixture_has(pair.dtype))
        return;
    const tally_reduce desc =
        make(pair.function, pair.dtype, SHAPE(8 * 4096 + 77), 1, (uint64_t)_i);
    parts_check(SHAPE_DESC(reduce, &desc),
                (parts_how){.parts = numbers[_i % (int)COUNT(numbers)],
                            .values = _i % 2 ? VALUES_WIDE : VALUES_SMALL,
                            .seed = (uint64_t)_i});
}
END_TEST

/* Columns: states of several lines, several of each. */
START_TEST(every_function_and_type_of_columns) {
    const legal_pair pair = legal_reduce_pair(_i);
    if (!fixture_has(pair.dtype))
        return;
    const tally_reduce desc =
        make(pair.function, pair.dtype, SHAPE(3 * 4096 + 5, 3), 1, (uint64_t)_i + 1);
    parts_check(SHAPE_DESC(reduce, &desc),
                (parts_how){.axis = 0,
                            .parts = numbers[(_i + 1) % (int)COUNT(numbers)],
                            .values = VALUES_SPECIAL,
                            .seed = (uint64_t)_i});
}
END_TEST

/* Groups inside of the outermost one: states of single terms of it, or of blocks. */
START_TEST(groups_of_axes) {
    static const tally_function functions[] = {TALLY_SUM,     TALLY_LOG_SUM_EXP, TALLY_ARGMIN,
                                               TALLY_AVERAGE, TALLY_MAX,         TALLY_L2};
    const tally_function function = functions[_i % (int)COUNT(functions)];
    const uint64_t outer = _i < (int)COUNT(functions) ? 10 : 4097;
    const tally_reduce desc =
        make(function, TALLY_F32, SHAPE(2, outer, 3, 7, 2), 0xAu | 0x10u, (uint64_t)_i);
    for (size_t i = 0; i < COUNT(numbers); i++)
        parts_check(SHAPE_DESC(reduce, &desc), (parts_how){.axis = 1,
                                                           .parts = numbers[i],
                                                           .values = VALUES_WIDE,
                                                           .seed = (uint64_t)_i + i});
}
END_TEST

/* A kept axis between two swept ones: a part with one coordinate of it has two groups still. */
START_TEST(kept_axes) {
    for (uint32_t axis = 0; axis < 4; axis += 2) {
        const tally_reduce desc =
            make(_i % 2 ? TALLY_SUM : TALLY_LOG_SUM_EXP, TALLY_F32, SHAPE(3, 300, 4, 150), 0xAu, 0);
        parts_check(SHAPE_DESC(reduce, &desc), (parts_how){.axis = axis,
                                                           .parts = numbers[_i],
                                                           .values = VALUES_WIDE,
                                                           .seed = (uint64_t)_i});
    }
}
END_TEST

/* Merged axes: only the outermost can be cut, at whole blocks of the terms of all. */
START_TEST(merged_axes_and_strides) {
    uint64_t state = (uint64_t)_i + 1;
    tally_reduce desc = make(TALLY_SUM, TALLY_F32, SHAPE(24, 512, 3, 4), 3, 0);
    shape_random_input(&desc.input, &state);
    shape_random_output(&desc.output, &state);
    parts_check(
        SHAPE_DESC(reduce, &desc),
        (parts_how){.axis = 0, .parts = numbers[_i], .values = VALUES_WIDE, .seed = (uint64_t)_i});
}
END_TEST

/* Rows whose length shares no factor with a block: blocks go over their ends. */
START_TEST(gaps_between_rows_of_odd_length) {
    tally_reduce desc = make(TALLY_SUM, TALLY_F32, SHAPE(8192, 3), 3, 0);
    shape_pad(&desc.input, 2);
    parts_check(
        SHAPE_DESC(reduce, &desc),
        (parts_how){.axis = 0, .parts = numbers[_i], .values = VALUES_WIDE, .seed = (uint64_t)_i});
}
END_TEST

/* Sizes around those where a block, and a block of blocks, ends. */
START_TEST(sizes_around_alignments) {
    static const uint64_t sizes[] = {1, 4095, 4096, 4097, 8192, 8193, 20480};
    for (size_t i = 0; i < COUNT(sizes); i++) {
        const tally_reduce desc = make(TALLY_SUM, TALLY_F32, SHAPE(sizes[i]), 1, 0);
        parts_check(SHAPE_DESC(reduce, &desc),
                    (parts_how){.parts = numbers[_i], .values = VALUES_WIDE, .seed = (uint64_t)_i});
    }
}
END_TEST

/* A grain of 4096 blocks: several states of it, and a shorter last one. */
START_TEST(blocks_of_blocks) {
    static const uint64_t bounds[] = {0, UINT64_C(1) << 24, (UINT64_C(1) << 25) + 12345};
    const tally_reduce desc = make(TALLY_SUM, TALLY_F32, SHAPE(bounds[2]), 1, 0);
    parts_check(
        SHAPE_DESC(reduce, &desc),
        (parts_how){.axis = 0, .parts = 2, .bounds = bounds, .values = VALUES_WIDE, .seed = 1});
}
END_TEST

/* Empty parts, also in between; and tensors with nothing in them. */
START_TEST(nothing) {
    static const uint64_t bounds[] = {0, 0, 4096, 4096, 8192, 9000, 9000};
    const tally_reduce desc = make(TALLY_SUM, TALLY_F32, SHAPE(9000, 2), 1, 0);
    parts_check(
        SHAPE_DESC(reduce, &desc),
        (parts_how){.axis = 0, .parts = 6, .bounds = bounds, .values = VALUES_WIDE, .seed = 3});
    static const tally_function functions[] = {TALLY_SUM, TALLY_MAX, TALLY_AVERAGE,
                                               TALLY_LOG_SUM_EXP};
    for (size_t i = 0; i < COUNT(functions); i++) {
        const tally_reduce no_terms = make(functions[i], TALLY_F32, SHAPE(0, 2), 1, 0);
        const tally_reduce none_inside = make(functions[i], TALLY_F32, SHAPE(3, 2, 0), 5, 0);
        const tally_reduce no_lines = make(functions[i], TALLY_F32, SHAPE(9000, 0), 1, 0);
        const parts_how how = {.axis = 0, .parts = 2, .values = VALUES_WIDE, .seed = 1};
        parts_check(SHAPE_DESC(reduce, &no_terms), how);
        parts_check(SHAPE_DESC(reduce, &none_inside), how);
        parts_check(SHAPE_DESC(reduce, &no_lines), how);
    }
}
END_TEST

/* Parts by runtimes of three families, combined by another one. */
START_TEST(families_mix) {
    static const tally_family families[] = {TALLY_FAMILY_CPU, TALLY_FAMILY_GPU,
                                            TALLY_FAMILY_GENERIC};
    static const tally_function functions[] = {TALLY_SUM, TALLY_MAX, TALLY_ARGMAX,
                                               TALLY_LOG_SUM_EXP};
    static const tally_dtype types[] = {TALLY_F32, TALLY_F16, TALLY_F32, TALLY_F32};
    parts_how how = {.parts = 7, .values = VALUES_WIDE};
    for (size_t i = 0; i < COUNT(families); i++)
        how.runtimes[i] = fixture_make_runtime_of(families[i]);
    for (size_t i = 0; i < COUNT(functions); i++) {
        const tally_reduce row = make(functions[i], types[i], SHAPE(9 * 4096 + 1), 1, 0);
        const tally_reduce columns = make(functions[i], types[i], SHAPE(4096 * 8, 5), 1, 0);
        how.seed = i;
        parts_check(SHAPE_DESC(reduce, &row), how);
        parts_check(SHAPE_DESC(reduce, &columns), how);
    }
    for (size_t i = 0; i < COUNT(families); i++)
        tally_runtime_release(how.runtimes[i]);
}
END_TEST

Suite *suite_parts_reduce(void) {
    Suite *suite = suite_create("parts_reduce");
    TCase *tests = tcase_create("parts");
    tcase_set_timeout(tests, 300);
    share_add_loop(tests, every_function_and_type_of_one_row, LEGAL_REDUCE_PAIRS, 5);
    share_add_loop(tests, every_function_and_type_of_columns, LEGAL_REDUCE_PAIRS, 7);
    share_add_loop(tests, groups_of_axes, 12, 5);
    tcase_add_loop_test(tests, kept_axes, 0, (int)COUNT(numbers));
    tcase_add_loop_test(tests, merged_axes_and_strides, 0, (int)COUNT(numbers));
    tcase_add_loop_test(tests, gaps_between_rows_of_odd_length, 0, (int)COUNT(numbers));
    tcase_add_loop_test(tests, sizes_around_alignments, 0, (int)COUNT(numbers));
    tcase_add_test(tests, blocks_of_blocks);
    tcase_add_test(tests, nothing);
    tcase_add_test(tests, families_mix);
    suite_add_tcase(suite, tests);
    return suite;
}
