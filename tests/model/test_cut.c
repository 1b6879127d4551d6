/*
 * Where problems are cut: even cuts of every kind at sizes around those where blocks and stretches
 * end, the axis and the grain that are chosen, and keys. What is refused: tests/api/errors.
 */
#include "model/parts/cut.h"

#include <string.h>

#include <check.h>

#include "cl/core/order.h"
#include "model/parts/part.h"
#include "support/descriptions/shape.h"
#include "support/expect.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define MOST_PARTS 1000

static const uint32_t numbers[] = {1, 2, 3, 4, 7, 8, MOST_PARTS};
static const uint64_t sizes[] = {0,
                                 1,
                                 2,
                                 TALLY_BLOCK - 1,
                                 TALLY_BLOCK,
                                 TALLY_BLOCK + 1,
                                 5 * TALLY_BLOCK,
                                 TALLY_STRETCH - 1,
                                 TALLY_STRETCH,
                                 TALLY_STRETCH + 1,
                                 4 * TALLY_STRETCH + 1,
                                 UINT64_C(1) << 40};

/* ---- Descriptions --------------------------------------------------------------------------- */

/* One of the three; read at once, so that it need not last. */
static tally_whole read_whole(const tally_reduce *reduce, const tally_cumulative *cumulative,
                              const tally_diagonal *diagonal) {
    tally_desc desc = TALLY_DESC_INIT;
    tally_whole whole;
    tally_error error = TALLY_ERROR_INIT;
    desc.reduce = reduce;
    desc.cumulative = cumulative;
    desc.diagonal = diagonal;
    expect_ok("the description", tally_whole_read(&desc, &whole, &error), &error);
    return whole;
}

static tally_whole reduction(tally_function function, tally_dtype dtype, shape of, uint32_t axes) {
    const tally_reduce desc = shape_reduce(function, dtype, of, axes);
    return read_whole(&desc, NULL, NULL);
}

static tally_whole scan(tally_function function, tally_dtype dtype, shape of, uint32_t axis,
                        bool descending) {
    tally_cumulative desc = shape_scan(function, dtype, of, axis);
    desc.descending = descending;
    return read_whole(NULL, &desc, NULL);
}

static tally_whole fill(shape of) {
    const tally_diagonal desc = shape_fill(of);
    return read_whole(NULL, NULL, &desc);
}

static tally_cut cut_even(const tally_whole *whole, uint32_t axis, uint32_t parts,
                          uint64_t *bounds) {
    tally_cut cut = TALLY_CUT_INIT;
    tally_error error = TALLY_ERROR_INIT;
    expect_ok("an even cut", tally_whole_cut_even(whole, axis, parts, bounds, &cut, &error),
              &error);
    return cut;
}

/* ---- Even cuts ------------------------------------------------------------------------------ */

/* Units of the alignment in a part, whole ones: a last one that is shorter counts as one. */
static uint64_t units_of(const tally_cut *cut, uint64_t begin, uint64_t end) {
    return (end - begin) / cut->alignment + ((end - begin) % cut->alignment != 0);
}

/* From 0 to the size, each a place to cut, no part more than a unit larger than another. */
static void check_bounds(const tally_cut *cut, uint32_t parts, const uint64_t *bounds) {
    uint64_t most = 0, least = UINT64_MAX;
    tally_error error = TALLY_ERROR_INIT;
    ck_assert_uint_eq(bounds[0], 0);
    ck_assert_uint_eq(bounds[parts], cut->size);
    for (uint32_t p = 0; p < parts; p++) {
        expect_ok("a part", tally_cut_check_range(cut, bounds[p], bounds[p + 1], &error), &error);
        const uint64_t units = units_of(cut, bounds[p], bounds[p + 1]);
        most = units > most ? units : most;
        least = units < least ? units : least;
    }
    ck_assert_uint_le(most - least, 1);
}

/* The states of the parts are the whole's; without a grain each part with a term has one. */
static void check_states(const tally_cut *cut, uint32_t parts, const uint64_t *bounds) {
    uint64_t states = 0, nonempty = 0;
    for (uint32_t p = 0; p < parts; p++) {
        states += tally_part_states(cut, bounds[p], bounds[p + 1]);
        nonempty += bounds[p] < bounds[p + 1];
    }
    if (cut->kind == TALLY_CUT_RESULTS)
        ck_assert_uint_eq(states, 0);
    else
        ck_assert_uint_eq(states, cut->grain > 0 ? tally_part_states(cut, 0, cut->size) : nonempty);
}

/* The bounds of an even cut may be given as well, and are cut as coarse or coarser. */
static void check_given(const tally_whole *whole, const tally_cut *even, uint32_t parts,
                        const uint64_t *bounds) {
    tally_cut given = TALLY_CUT_INIT, taken;
    tally_error error = TALLY_ERROR_INIT;
    expect_ok("its bounds", tally_whole_cut_at(whole, even->axis, parts, bounds, &given, &error),
              &error);
    ck_assert_int_eq(given.kind, even->kind);
    ck_assert_uint_ge(given.grain, even->grain);
    ck_assert_uint_eq(given.key == even->key, given.grain == even->grain);
    expect_ok("taking it", tally_whole_take_cut(whole, &given, &taken, &error), &error);
    ck_assert_mem_eq(&taken, &given, sizeof taken);
}

static void check_even(const tally_whole *whole, uint32_t axis) {
    static uint64_t bounds[MOST_PARTS + 1];
    for (size_t i = 0; i < COUNT(numbers); i++) {
        memset(bounds, 0x55, sizeof bounds);
        const tally_cut cut = cut_even(whole, axis, numbers[i], bounds);
        ck_assert_uint_eq(cut.axis, axis);
        check_bounds(&cut, numbers[i], bounds);
        check_states(&cut, numbers[i], bounds);
        check_given(whole, &cut, numbers[i], bounds);
    }
}

START_TEST(even_cuts_of_reductions) {
    static const struct {
        tally_function function;
        tally_dtype dtype;
    } rows[] = {{TALLY_SUM, TALLY_F32},         {TALLY_SUM, TALLY_I32}, {TALLY_MAX, TALLY_F16},
                {TALLY_LOG_SUM_EXP, TALLY_F64}, {TALLY_L2, TALLY_F16},  {TALLY_ARGMIN, TALLY_F32}};
    const uint64_t size = sizes[_i];
    for (size_t i = 0; i < COUNT(rows); i++) {
        const uint32_t last = rows[i].function == TALLY_ARGMIN ? (uint32_t)COUNT(sizes) - 2 : 99;
        if ((uint32_t)_i > last || (size == 0 && rows[i].function == TALLY_ARGMIN))
            continue; /* an index of 32 bits; no index at all */
        const tally_whole row = reduction(rows[i].function, rows[i].dtype, SHAPE(size), 1);
        const tally_whole columns = reduction(rows[i].function, rows[i].dtype, SHAPE(size, 3), 1);
        const tally_whole merged =
            reduction(rows[i].function, rows[i].dtype, SHAPE(2, size, 6, 5), 6);
        const tally_whole apart =
            reduction(rows[i].function, rows[i].dtype, SHAPE(2, size, 3, 5), 10);
        check_even(&row, 0);
        check_even(&columns, 0);
        check_even(&columns, 1);
        check_even(&merged, 0);
        check_even(&merged, 1);
        check_even(&apart, 1);
        check_even(&apart, 2);
    }
}
END_TEST

START_TEST(even_cuts_of_scans_and_fills) {
    for (int descending = 0; descending < 2; descending++) {
        const tally_whole rounds =
            scan(TALLY_SUM, TALLY_F32, SHAPE(2, sizes[_i]), 1, descending != 0);
        const tally_whole exact =
            scan(TALLY_MAX, TALLY_F32, SHAPE(2, sizes[_i]), 1, descending != 0);
        check_even(&rounds, 0);
        check_even(&rounds, 1);
        check_even(&exact, 1);
    }
    const tally_whole square = fill(SHAPE(3, sizes[_i], 5));
    for (uint32_t axis = 0; axis < 3; axis++)
        check_even(&square, axis);
}
END_TEST

/* The first parts in the direction of the scan have the whole stretches. */
START_TEST(bounds_of_descending_scans) {
    const uint64_t size = 5 * TALLY_STRETCH + 100;
    const tally_whole up = scan(TALLY_SUM, TALLY_F32, SHAPE(size), 0, false);
    const tally_whole down = scan(TALLY_SUM, TALLY_F32, SHAPE(size), 0, true);
    uint64_t bounds[5];
    tally_cut cut = cut_even(&up, 0, 4, bounds);
    ck_assert_uint_eq(cut.first, 0);
    ck_assert_uint_eq(cut.alignment, TALLY_STRETCH);
    ck_assert_mem_eq(
        bounds, ((uint64_t[]){0, 2 * TALLY_STRETCH, 4 * TALLY_STRETCH, 5 * TALLY_STRETCH, size}),
        sizeof bounds);
    cut = cut_even(&down, 0, 4, bounds);
    ck_assert_uint_eq(cut.first, 100);
    ck_assert_mem_eq(bounds,
                     ((uint64_t[]){0, 100, TALLY_STRETCH + 100, 3 * TALLY_STRETCH + 100, size}),
                     sizeof bounds);
    ck_assert_uint_eq(tally_part_states(&cut, 0, 100), 0);
    ck_assert_uint_eq(tally_part_states(&cut, 0, size), 5);
    /* Along another axis it is cut as any other scan. */
    const tally_whole rows = scan(TALLY_SUM, TALLY_F32, SHAPE(7, size), 1, true);
    cut = cut_even(&rows, 0, 4, bounds);
    ck_assert_int_eq(cut.kind, TALLY_CUT_RESULTS);
    ck_assert_mem_eq(bounds, ((uint64_t[]){0, 2, 4, 6, 7}), sizeof bounds);
}
END_TEST

/* ---- Choices -------------------------------------------------------------------------------- */

START_TEST(any_axis) {
    const struct {
        tally_whole whole;
        uint32_t parts, axis;
        tally_cut_kind kind;
    } cases[] = {
        {fill(SHAPE(2, 9, 8)), 4, 2, TALLY_CUT_RESULTS}, /* 2 of 8 are less than 3 of 9 */
        {fill(SHAPE(4, 8, 8)), 4, 0, TALLY_CUT_RESULTS}, /* the outermost of equal ones */
        {fill(SHAPE(1, 1, 1)), 4, 0, TALLY_CUT_RESULTS},
        {fill(SHAPE(0, 3, 5)), 3, 1, TALLY_CUT_RESULTS}, /* nothing can be cut of none */
        {fill(SHAPE(0, 0)), 3, 0, TALLY_CUT_RESULTS},
        {reduction(TALLY_SUM, TALLY_F32, SHAPE(8 * TALLY_BLOCK, 8), 1), 4, 1, TALLY_CUT_RESULTS},
        {reduction(TALLY_SUM, TALLY_F32, SHAPE(8 * TALLY_BLOCK, 3), 1), 4, 0, TALLY_CUT_STATES},
        {reduction(TALLY_SUM, TALLY_F32, SHAPE(TALLY_BLOCK, 3), 1), 4, 1, TALLY_CUT_RESULTS},
        {reduction(TALLY_SUM, TALLY_F32, SHAPE(2, 40000), 3), 8, 0, TALLY_CUT_STATES},
        {reduction(TALLY_MAX, TALLY_F32, SHAPE(2, 40000), 3), 8, 1, TALLY_CUT_STATES},
        {reduction(TALLY_SUM, TALLY_F32, SHAPE(0, 9), 3), 3, 0, TALLY_CUT_STATES},
        {scan(TALLY_SUM, TALLY_F32, SHAPE(3, 8 * TALLY_STRETCH), 1, false), 8, 1, TALLY_CUT_TOTALS},
        {scan(TALLY_SUM, TALLY_F32, SHAPE(8, 8 * TALLY_STRETCH), 1, true), 8, 0, TALLY_CUT_RESULTS},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        uint64_t bounds[9];
        const tally_cut cut = cut_even(&cases[i].whole, TALLY_ANY_AXIS, cases[i].parts, bounds);
        ck_assert_msg(cut.axis == cases[i].axis && cut.kind == cases[i].kind,
                      "case %zu: axis %u of kind %d, not %u of kind %d", i, cut.axis, (int)cut.kind,
                      cases[i].axis, (int)cases[i].kind);
    }
}
END_TEST

/* The coarsest one that cuts about as evenly as the finest. */
START_TEST(grains) {
    const uint64_t block = TALLY_BLOCK, square = block * block, cube = square * block;
    const struct {
        tally_whole whole;
        uint32_t parts;
        uint64_t grain, alignment;
    } cases[] = {
        {reduction(TALLY_SUM, TALLY_F32, SHAPE(20000), 1), 5, block, block},
        {reduction(TALLY_SUM, TALLY_F32, SHAPE(8 * square), 1), 8, square, square},
        {reduction(TALLY_SUM, TALLY_F32, SHAPE(8 * square), 1), 7, block, block},
        {reduction(TALLY_SUM, TALLY_F32, SHAPE(8 * cube), 1), 4, cube, cube},
        {reduction(TALLY_SUM, TALLY_F32, SHAPE(640 * square), 1), 7, square, square},
        {reduction(TALLY_SUM, TALLY_F32, SHAPE(24, 512), 3), 3, block, 8},
        {reduction(TALLY_SUM, TALLY_F32, SHAPE(9000, 3), 3), 2, block, block},
        {reduction(TALLY_SUM, TALLY_F32, SHAPE(9000, 1000), 3), 2, block, 512},
        {reduction(TALLY_SUM, TALLY_F32, SHAPE(10, 3, 7), 5), 5, 1, 1},
        {reduction(TALLY_SUM, TALLY_F32, SHAPE(8 * block, 3, 7), 5), 8, block, block},
        {reduction(TALLY_SUM, TALLY_I32, SHAPE(20000), 1), 5, 0, 1},
        {reduction(TALLY_ARGMAX, TALLY_F32, SHAPE(20000), 1), 5, 0, 1},
        {reduction(TALLY_SUM, TALLY_F32, SHAPE(1, 20000), 3), 5, 0, 1}, /* cut along axis 0 */
        {scan(TALLY_SUM, TALLY_F32, SHAPE(20000), 0, false), 5, TALLY_STRETCH, TALLY_STRETCH},
        {scan(TALLY_MIN, TALLY_F32, SHAPE(20000), 0, false), 5, 0, 1},
        {fill(SHAPE(20000, 3)), 5, 0, 1},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        uint64_t bounds[9];
        const tally_cut cut = cut_even(&cases[i].whole, 0, cases[i].parts, bounds);
        ck_assert_msg(cut.grain == cases[i].grain && cut.alignment == cases[i].alignment,
                      "case %zu: a grain of %llu and an alignment of %llu", i,
                      (unsigned long long)cut.grain, (unsigned long long)cut.alignment);
    }
}
END_TEST

Suite *suite_cut(void);
Suite *suite_cut(void) {
    Suite *suite = suite_create("cut");
    TCase *tests = tcase_create("cut");
    tcase_add_loop_test(tests, even_cuts_of_reductions, 0, (int)COUNT(sizes));
    tcase_add_loop_test(tests, even_cuts_of_scans_and_fills, 0, (int)COUNT(sizes));
    tcase_add_test(tests, bounds_of_descending_scans);
    tcase_add_test(tests, any_axis);
    tcase_add_test(tests, grains);
    suite_add_tcase(suite, tests);
    return suite;
}
