/*
 * Diagonal fills, collapsed: the interval in its one form against the formula of DIAGONAL_MATRIX1's
 * page, for bounds of every order and size; and the addresses, the matrix's axes always last.
 */
#include "model/problem.h"

#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "model/dtype.h"
#include "support/descriptions/describe.h"
#include "support/descriptions/legal.h"
#include "support/descriptions/random_desc.h"
#include "support/descriptions/shape.h"
#include "support/numbers/number.h"
#include "support/numbers/values.h"
#include "support/oracle/oracle.h"
#include "support/plans/addresses.h"

static void fail_desc(const tally_diagonal *desc, const char *what, uint64_t value) {
    text out = {{0}, 0};
    describe_diagonal(&out, desc);
    ck_abort_msg("%s (%llu):\n%s", what, (unsigned long long)value, out.chars);
}

static tally_problem make(const tally_diagonal *desc) {
    tally_problem problem;
    tally_error error = TALLY_ERROR_INIT;
    memset(&problem, 0xAB, sizeof problem);
    if (tally_problem_diagonal(desc, &problem, &error) != TALLY_OK)
        fail_desc(desc, error.message, 0);
    return problem;
}

/* ---- The interval -------------------------------------------------------------------------- */

/* The page's formula; topX is x - y. Its "^" on truth values is "differs from". */
static bool page_uses_value(int64_t begin, int64_t end, int64_t x, int64_t y) {
    const int64_t topX = x - y;
    return (((end >= begin) ^ (topX >= begin)) ^ (topX < end)) != 0;
}

static bool problem_uses_value(const tally_problem *problem, int64_t x, int64_t y) {
    const int64_t t = x - y;
    return (problem->low <= t && t < problem->high) != problem->inverted;
}

static tally_problem make_interval(int64_t begin, int64_t end) {
    tally_diagonal desc = TALLY_DIAGONAL_INIT;
    desc.output = shape_tensor(TALLY_F32, SHAPE(8, 8));
    desc.begin = begin;
    desc.end = end;
    return make(&desc);
}

START_TEST(small_intervals_are_those_of_the_page) {
    int used = 0, positions = 0;
    for (int64_t begin = -10; begin <= 10; begin++) {
        for (int64_t end = -10; end <= 10; end++) {
            const tally_problem problem = make_interval(begin, end);
            for (int64_t position = 0; position < 64; position++) {
                const int64_t x = position % 8, y = position / 8;
                const bool wanted = page_uses_value(begin, end, x, y);
                if (problem_uses_value(&problem, x, y) != wanted)
                    ck_abort_msg("begin %d, end %d, x %d, y %d: should be %d", (int)begin, (int)end,
                                 (int)x, (int)y, wanted);
                used += wanted;
                positions++;
            }
        }
    }
    ck_assert_int_gt(used, positions / 4);
    ck_assert_int_lt(used, positions);
}
END_TEST

/* Bounds and coordinates at all ends of 32 and 64 bits. */
START_TEST(far_intervals_are_those_of_the_page) {
    static const int64_t bounds[] = {INT64_MIN,
                                     INT64_MIN + 1,
                                     INT32_MIN - INT64_C(1),
                                     INT32_MIN,
                                     INT32_MIN + 1,
                                     -2,
                                     -1,
                                     0,
                                     1,
                                     2,
                                     INT32_MAX,
                                     INT32_MAX - 1,
                                     UINT32_MAX,
                                     INT64_MAX - 1,
                                     INT64_MAX,
                                     1 << 30,
                                     INT32_MAX + INT64_C(1)};
    static const int64_t coordinates[] = {0,
                                          1,
                                          2,
                                          1 << 30,
                                          INT32_MAX - 1,
                                          INT32_MAX,
                                          INT32_MAX + INT64_C(1),
                                          UINT32_MAX,
                                          INT64_MAX - 1};
    const size_t n = sizeof bounds / sizeof bounds[0];
    const size_t m = sizeof coordinates / sizeof coordinates[0];
    for (size_t i = 0; i < n * n; i++) {
        const tally_problem problem = make_interval(bounds[i / n], bounds[i % n]);
        ck_assert(problem.low <= problem.high);
        for (size_t position = 0; position < m * m; position++) {
            const int64_t x = coordinates[position / m], y = coordinates[position % m];
            if (problem_uses_value(&problem, x, y) !=
                page_uses_value(bounds[i / n], bounds[i % n], x, y))
                ck_abort_msg("begin %lld, end %lld, x %lld, y %lld", (long long)bounds[i / n],
                             (long long)bounds[i % n], (long long)x, (long long)y);
        }
    }
}
END_TEST

/* ---- Axes and the rest --------------------------------------------------------------------- */

static void check_addresses(const tally_diagonal *desc, const tally_problem *problem) {
    const tally_dims *kept = &problem->kept;
    const uint32_t rank = desc->output.rank;
    const uint64_t elements = oracle_count(&desc->output);
    if (kept->count < 2 || kept->size[kept->count - 2] != desc->output.size[rank - 2] ||
        kept->size[kept->count - 1] != desc->output.size[rank - 1])
        fail_desc(desc, "rows and columns are not the last two axes", kept->count);
    if (tally_dims_elements(kept) != elements)
        fail_desc(desc, "elements miscounted", tally_dims_elements(kept));
    for (uint64_t i = 0; i < elements; i++) {
        if (addresses_of_dims(kept, kept->out, i) != oracle_offset(&desc->output, i))
            fail_desc(desc, "an element is written elsewhere", i);
        if (desc->input != NULL &&
            addresses_of_dims(kept, kept->in, i) != oracle_offset(desc->input, i))
            fail_desc(desc, "an element is read elsewhere", i);
    }
}

static bool lie_alike(const tally_tensor *a, const tally_tensor *b) {
    for (uint64_t i = 0; i < oracle_count(a); i++)
        if (oracle_offset(a, i) != oracle_offset(b, i))
            return false;
    return true;
}

static void check_rest(const tally_diagonal *desc, const tally_problem *problem) {
    const size_t bytes = tally_dtype_find(desc->output.dtype)->bytes;
    const bool alike = desc->input != NULL && lie_alike(desc->input, &desc->output);
    if (problem->kind != TALLY_KIND_FILL || problem->input != desc->output.dtype ||
        problem->output != desc->output.dtype)
        fail_desc(desc, "another kind or type", 0);
    if (problem->output_extent * bytes != oracle_extent(&desc->output) ||
        problem->input_extent * bytes != (desc->input != NULL ? oracle_extent(desc->input) : 0))
        fail_desc(desc, "another extent", problem->input_extent);
    if (problem->has_input != (problem->input_extent > 0))
        fail_desc(desc, "it reads what it has not, or the reverse", 0);
    if (problem->output_extent > 0 && problem->in_place != alike)
        fail_desc(desc, "in place or not", problem->in_place);
    if (problem->value != number_load(desc->output.dtype, &desc->value))
        fail_desc(desc, "another value", problem->value);
}

START_TEST(any_fill_goes_where_its_description_says) {
    const random_kind kind = {700, 6, true};
    uint64_t state = 41;
    for (int i = 0; i < 6000; i++) {
        tally_tensor input;
        tally_diagonal desc;
        random_diagonal(&kind, &state, &desc, &input);
        const tally_problem problem = make(&desc);
        if (problem.output_extent > 0)
            check_addresses(&desc, &problem);
        check_rest(&desc, &problem);
    }
}
END_TEST

START_TEST(matrix_axes_are_kept_at_size_1_too) {
    tally_diagonal desc = TALLY_DIAGONAL_INIT;
    desc.output = shape_tensor(TALLY_F32, SHAPE(3, 1, 1));
    const tally_problem problem = make(&desc);
    ck_assert_uint_eq(problem.kept.count, 3);
    desc.output = shape_tensor(TALLY_F32, SHAPE(1, 1));
    ck_assert_uint_eq(make(&desc).kept.count, 2);
    desc.output = shape_tensor(TALLY_F32, SHAPE(2, 1, 3, 1, 4, 1, 5, 6));
    ck_assert_uint_eq(make(&desc).kept.count, 3);
}
END_TEST

/* Of the value only the element's bytes count: what is left in the union is not looked at. */
START_TEST(only_the_elements_bytes_of_the_value_count) {
    for (int type = TALLY_F16; type <= TALLY_U64; type++) {
        tally_diagonal desc = TALLY_DIAGONAL_INIT;
        desc.output = shape_tensor((tally_dtype)type, SHAPE(2, 2));
        desc.value.u64 = UINT64_C(0x8877665544332211);
        const uint64_t mask = number_mask(number_type_of((tally_dtype)type));
        ck_assert_uint_eq(make(&desc).value, desc.value.u64 & mask);
    }
}
END_TEST

Suite *suite_problem_fill(void) {
    Suite *suite = suite_create("problem_band");
    TCase *tests = tcase_create("problem_band");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, small_intervals_are_those_of_the_page);
    tcase_add_test(tests, far_intervals_are_those_of_the_page);
    tcase_add_test(tests, any_fill_goes_where_its_description_says);
    tcase_add_test(tests, matrix_axes_are_kept_at_size_1_too);
    tcase_add_test(tests, only_the_elements_bytes_of_the_value_count);
    suite_add_tcase(suite, tests);
    return suite;
}
