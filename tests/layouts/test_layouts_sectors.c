/*
 * The sectors of tally bench layouts, counted as the library counts them and by a map of all
 * sectors that the elements lie in, one after the other.
 */
#include "cli/bench/layouts/draw/sectors.h"
#include "cli/tables/types.h"

#include <string.h>

#include <check.h>

#define SECTORS 4096

typedef struct map {
    bool touched[SECTORS];
    uint64_t count;
} map;

static void touch(map *seen, uint64_t from, uint32_t bytes) {
    for (uint64_t at = from; at < from + bytes; at++) {
        if (at / LAYOUTS_SECTOR >= SECTORS)
            ck_abort_msg("the map is too small");
        if (!seen->touched[at / LAYOUTS_SECTOR])
            seen->count++;
        seen->touched[at / LAYOUTS_SECTOR] = true;
    }
}

typedef struct walk {
    const layouts_view *view;
    uint64_t at[TALLY_MAX_RANK];
} walk;

static bool is_in_part(const walk *path) {
    const layouts_view *view = path->view;
    if (view->part == LAYOUTS_WHOLE)
        return true;
    const uint32_t rank = view->tensor->rank;
    const int64_t t = (int64_t)path->at[rank - 1] - (int64_t)path->at[rank - 2];
    return (view->low <= t && t < view->high) == (view->part == LAYOUTS_INSIDE);
}

static void walk_axis(walk *path, uint32_t axis, uint64_t element, map *seen) {
    const tally_tensor *tensor = path->view->tensor;
    const uint32_t bytes = cli_type_bytes(tensor->dtype);
    if (axis == tensor->rank) {
        if (is_in_part(path))
            touch(seen, element * bytes, bytes);
        return;
    }
    for (uint64_t i = 0; i < tensor->size[axis]; i++) {
        path->at[axis] = i;
        walk_axis(path, axis + 1, element + i * tensor->stride[axis], seen);
    }
}

static uint64_t brute_force(const layouts_view *view) {
    static map seen; /* the tests of a suite run one after the other */
    walk path = {.view = view};
    memset(&seen, 0, sizeof seen);
    walk_axis(&path, 0, view->offset, &seen);
    return seen.count;
}

/* ---- Views by hand ------------------------------------------------------------------------- */

typedef struct row {
    const char *what;
    tally_tensor tensor;
    uint64_t offset, sectors;
} row;

#define STRIDED TALLY_STRIDED

static const row rows[] = {
    {"an element", {TALLY_F32, 1, STRIDED, {1}, {1}}, 0, 1},
    {"eight elements", {TALLY_F32, 1, STRIDED, {8}, {1}}, 0, 1},
    {"eight elements, off", {TALLY_F32, 1, STRIDED, {8}, {1}}, 1, 2},
    {"every other", {TALLY_F32, 1, STRIDED, {8}, {2}}, 0, 2},
    {"one of each sector", {TALLY_F32, 1, STRIDED, {8}, {8}}, 3, 8},
    {"rows of 7", {TALLY_F32, 2, STRIDED, {8, 7}, {7, 1}}, 0, 7},
    {"rows of 7 of 8", {TALLY_F32, 2, STRIDED, {8, 7}, {8, 1}}, 0, 8},
    {"rows of 7 of 9", {TALLY_F32, 2, STRIDED, {8, 7}, {9, 1}}, 0, 9},
    {"columns of 7", {TALLY_F32, 2, STRIDED, {7, 8}, {1, 7}}, 0, 7},
    {"repeated rows", {TALLY_F32, 2, STRIDED, {100, 8}, {0, 1}}, 4, 2},
    {"repeated elements", {TALLY_F64, 2, STRIDED, {8, 100}, {1, 0}}, 0, 2},
    {"bytes", {TALLY_I8, 1, STRIDED, {65}, {1}}, 31, 3},
};

START_TEST(test_by_hand) {
    const row *it = &rows[_i];
    const layouts_view view = {.tensor = &it->tensor, .offset = it->offset};
    ck_assert_msg(layouts_sectors(&view) == it->sectors, "%s: counted", it->what);
    ck_assert_msg(brute_force(&view) == it->sectors, "%s: touched", it->what);
}
END_TEST

/* Where strides do not nest the count is a bound, and no more than an element or the reach asks. */
START_TEST(test_bound) {
    const tally_tensor windows = {TALLY_F32, 2, STRIDED, {100, 7}, {1, 1}};
    const layouts_view view = {.tensor = &windows};
    ck_assert_uint_eq(brute_force(&view), 14);
    ck_assert_uint_eq(layouts_sectors(&view), 14);
    const tally_tensor crossed = {TALLY_F32, 2, STRIDED, {8, 3}, {100, 160}};
    const layouts_view few = {.tensor = &crossed};
    ck_assert_uint_ge(layouts_sectors(&few), brute_force(&few));
    ck_assert_uint_le(layouts_sectors(&few), 24);
}
END_TEST

/* ---- Random problems ----------------------------------------------------------------------- */

static layouts_problem draw(uint32_t index, int log2, bench_subject only) {
    const layouts_request request = {5, index, log2, only};
    layouts_problem problem;
    layouts_draw(&request, &problem);
    return problem;
}

static void compare(const layouts_view *view, uint32_t index) {
    const uint64_t counted = layouts_sectors(view), wanted = brute_force(view);
    ck_assert_msg(counted == wanted, "problem %u, part %d of [%lld,%lld): %llu sectors, not %llu",
                  (unsigned)index, (int)view->part, (long long)view->low, (long long)view->high,
                  (unsigned long long)wanted, (unsigned long long)counted);
}

START_TEST(test_whole) {
    for (uint32_t i = 0; i < 1500; i++) {
        const layouts_problem problem = draw(i, 12 + (int)(i % 3), BENCH_SUBJECTS);
        layouts_view view = {.tensor = &problem.input, .offset = problem.input_placement.offset};
        compare(&view, i);
        view = (layouts_view){.tensor = &problem.output, .offset = problem.output_placement.offset};
        compare(&view, i);
    }
}
END_TEST

START_TEST(test_parts) {
    for (uint32_t i = 0; i < 1500; i++) {
        const layouts_problem problem = draw(i, 12 + (int)(i % 2), BENCH_DIAGONAL);
        const bool inverted = problem.begin > problem.end;
        for (layouts_part part = LAYOUTS_INSIDE; part <= LAYOUTS_OUTSIDE; part++) {
            const layouts_view view = {.tensor = &problem.input,
                                       .offset = problem.input_placement.offset,
                                       .part = part,
                                       .low = inverted ? problem.end : problem.begin,
                                       .high = inverted ? problem.begin : problem.end};
            if (problem.input.size[problem.input.rank - 2] <= LAYOUTS_LINES &&
                problem.input.size[problem.input.rank - 1] <= LAYOUTS_LINES)
                compare(&view, i);
        }
    }
}
END_TEST

/* Of many lines a sample is counted, and comes close. */
START_TEST(test_sample) {
    const tally_tensor tensors[] = {
        {TALLY_I8, 2, STRIDED, {8000, 7}, {7, 1}},
        {TALLY_I8, 2, STRIDED, {7, 8000}, {1, 7}},
        {TALLY_F32, 2, STRIDED, {4000, 5}, {5, 1}},
        {TALLY_I8, 3, STRIDED, {2, 3000, 11}, {11, 22, 1}},
    };
    for (size_t i = 0; i < sizeof tensors / sizeof tensors[0]; i++)
        for (layouts_part part = LAYOUTS_INSIDE; part <= LAYOUTS_OUTSIDE; part++)
            for (int64_t low = -8001; low <= 2001; low += 1429) {
                const layouts_view view = {.tensor = &tensors[i],
                                           .offset = 3,
                                           .part = part,
                                           .low = low,
                                           .high = low + 2000};
                const double counted = (double)layouts_sectors(&view);
                const double wanted = (double)brute_force(&view);
                ck_assert_msg(counted > 0.97 * wanted - 40 && counted < 1.03 * wanted + 40,
                              "tensor %zu, part %d from %lld: %.0f, not %.0f", i, (int)part,
                              (long long)low, counted, wanted);
            }
}
END_TEST

/* ---- Problems ------------------------------------------------------------------------------ */

typedef struct known {
    const char *what;
    layouts_problem problem;
    uint64_t bytes;
} known;

/* clang-format off */
#define MATRIX {TALLY_F32, 2, STRIDED, {64, 64}, {64, 1}}
#define ROW_SUMS {TALLY_F32, 2, STRIDED, {64, 1}, {1, 1}}
/* clang-format on */

static const known knowns[] = {
    {"row sums",
     {.subject = BENCH_REDUCE, .axes = 2, .input = MATRIX, .output = ROW_SUMS, .has_input = true},
     64 * 64 * 4 + 64 * 4},
    {"a scan",
     {.subject = BENCH_SCAN, .axes = 2, .input = MATRIX, .output = MATRIX, .has_input = true},
     2 * 64 * 64 * 4},
    {"an exclusive scan down the columns: the last row is not read",
     {.subject = BENCH_SCAN,
      .axes = 1,
      .exclusive = true,
      .input = MATRIX,
      .output = MATRIX,
      .has_input = true},
     (64 + 63) * 64 * 4},
    {"the same upwards, from the second row on",
     {.subject = BENCH_SCAN,
      .axes = 1,
      .exclusive = true,
      .descending = true,
      .input = MATRIX,
      .output = MATRIX,
      .has_input = true,
      .input_placement = {.offset = 1}},
     (64 + 63) * 64 * 4 + 32},
    {"an identity",
     {.subject = BENCH_DIAGONAL, .input = MATRIX, .output = MATRIX, .end = 1},
     64 * 64 * 4},
    {"a fill of everything",
     {.subject = BENCH_DIAGONAL,
      .input = MATRIX,
      .output = MATRIX,
      .begin = INT64_MIN,
      .end = INT64_MAX,
      .has_input = true},
     64 * 64 * 4},
    {"a fill of nothing: a copy",
     {.subject = BENCH_DIAGONAL, .input = MATRIX, .output = MATRIX, .has_input = true},
     2 * 64 * 64 * 4},
    {"all but a band in place",
     {.subject = BENCH_DIAGONAL,
      .input = MATRIX,
      .output = MATRIX,
      .begin = 64,
      .end = -8,
      .has_input = true,
      .in_place = true},
     /* of row y the columns 0 to y - 9 */
     32 * 8 * (1 + 2 + 3 + 4 + 5 + 6) + 32 * 7 * 7},
    {"one diagonal in place: a sector of each row",
     {.subject = BENCH_DIAGONAL,
      .input = MATRIX,
      .output = MATRIX,
      .end = 1,
      .has_input = true,
      .in_place = true},
     64 * 32},
};

START_TEST(test_problems) {
    const known *it = &knowns[_i];
    ck_assert_msg(layouts_bytes(&it->problem) == it->bytes, "%s: %llu bytes, not %llu", it->what,
                  (unsigned long long)layouts_bytes(&it->problem), (unsigned long long)it->bytes);
}
END_TEST

Suite *suite_layouts_sectors(void);
Suite *suite_layouts_sectors(void) {
    Suite *suite = suite_create("layouts_sectors");
    TCase *tcase = tcase_create("sectors");
    tcase_add_loop_test(tcase, test_by_hand, 0, (int)(sizeof rows / sizeof rows[0]));
    tcase_add_test(tcase, test_bound);
    tcase_add_test(tcase, test_whole);
    tcase_add_test(tcase, test_parts);
    tcase_add_test(tcase, test_sample);
    tcase_add_loop_test(tcase, test_problems, 0, (int)(sizeof knowns / sizeof knowns[0]));
    suite_add_tcase(suite, tcase);
    return suite;
}
