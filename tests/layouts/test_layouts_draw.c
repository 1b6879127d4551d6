/*
 * The random problems of tally bench layouts: the same for ever, legal, of the wanted size, and as
 * frequent as the weights say.
 */
#include "cli/bench/layouts/draw/draw.h"

#include <string.h>

#include <check.h>

#include "model/problem.h"
#include "cli/tables/types.h"

#define DRAWS 10000u

static layouts_problem draw(uint64_t seed, uint32_t index, int log2, bench_subject only) {
    const layouts_request request = {seed, index, log2, only};
    layouts_problem problem;
    layouts_draw(&request, &problem);
    return problem;
}

static layouts_problem draw_any(uint32_t index, int log2) {
    return draw(1, index, log2, BENCH_SUBJECTS);
}

/* ---- The same for ever --------------------------------------------------------------------- */

/* FNV-1a of the descriptions of the first 1000 problems. */
static uint64_t hash_of(uint64_t seed, int log2, bench_subject only) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (uint32_t i = 0; i < 1000; i++) {
        char text[LAYOUTS_TEXT_BYTES];
        const layouts_problem problem = draw(seed, i, log2, only);
        layouts_describe(&problem, text, sizeof text);
        for (const char *at = text; *at != '\0'; at++)
            hash = (hash ^ (unsigned char)*at) * UINT64_C(0x100000001b3);
    }
    return hash;
}

/*
 * A seed means these problems. Another hash says that figures of before and after a change are of
 * different problems: docs/performance.md has to say so too.
 */
START_TEST(test_hashes) {
    const struct {
        uint64_t seed;
        int log2;
        bench_subject only;
        uint64_t hash;
    } rows[] = {
        {1, 14, BENCH_SUBJECTS, UINT64_C(0x79130005a6e78e81)},
        {1, 30, BENCH_SUBJECTS, UINT64_C(0xbf499e5c2f3c5d52)},
        {101, 30, BENCH_SUBJECTS, UINT64_C(0x083480cbe7039cf1)},
        {1, 30, BENCH_REDUCE, UINT64_C(0x881f7cebc9907f07)},
        {1, 30, BENCH_SCAN, UINT64_C(0xa187f5b07204f01b)},
        {1, 30, BENCH_DIAGONAL, UINT64_C(0x909c7a0f08a73d5a)},
        {UINT64_MAX, 36, BENCH_SUBJECTS, UINT64_C(0x37c1917136e7c2d8)},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        ck_assert_msg(hash_of(rows[i].seed, rows[i].log2, rows[i].only) == rows[i].hash,
                      "row %zu: the hash is 0x%016llx", i,
                      (unsigned long long)hash_of(rows[i].seed, rows[i].log2, rows[i].only));
}
END_TEST

START_TEST(test_texts) {
    const struct {
        uint32_t index;
        const char *text;
    } rows[] = {
        {0, "reduce sum f16 [112863197,4]/{0} pitch of 0 +1 at 5"},
        {8, "diagonal i8 [4016479,256]/{min,-13} no input -> pitch of 0 +32"},
        {10, "scan sum f32 [157,181921,9]/{2} exclusive repeat 2 at 29"},
        {13, "scan multiply f32 [320,332526,3]/{1} exclusive descending order 1,0,2"},
        {27, "scan sum f32 [63,5067069]/{1} descending in place pitch of 0 +14 at 45"},
        {91, "reduce argmax f32 [8,276,384,2,122]/{4} -> i64"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[LAYOUTS_TEXT_BYTES];
        const layouts_problem problem = draw_any(rows[i].index, 30);
        layouts_describe(&problem, text, sizeof text);
        ck_assert_str_eq(text, rows[i].text);
    }
}
END_TEST

/* Sizes are all that differs between sizes, and the padding, and where a band is. */
START_TEST(test_alike) {
    for (uint32_t i = 0; i < 2000; i++) {
        const layouts_problem a = draw_any(i, 16), b = draw_any(i, 30);
        ck_assert_int_eq(a.subject, b.subject);
        ck_assert_int_eq(a.function, b.function);
        ck_assert_int_eq(a.input.dtype, b.input.dtype);
        ck_assert_int_eq(a.output.dtype, b.output.dtype);
        ck_assert_uint_eq(a.input.rank, b.input.rank);
        ck_assert_uint_eq(a.axes, b.axes);
        ck_assert_int_eq(a.in_place, b.in_place);
        ck_assert_int_eq(a.has_input, b.has_input);
        ck_assert_int_eq(a.exclusive, b.exclusive);
        ck_assert_int_eq(a.descending, b.descending);
        ck_assert_mem_eq(a.input_placement.order, b.input_placement.order,
                         sizeof a.input_placement.order);
        ck_assert_mem_eq(a.output_placement.order, b.output_placement.order,
                         sizeof a.output_placement.order);
        ck_assert_uint_eq(a.input_placement.offset, b.input_placement.offset);
        ck_assert_uint_eq(a.input_placement.repeated, b.input_placement.repeated);
    }
}
END_TEST

/* ---- Legal, and of the wanted size --------------------------------------------------------- */

static tally_status check(const layouts_problem *problem, tally_problem *checked,
                          tally_error *error) {
    const tally_reduce reduce = layouts_reduce(problem);
    const tally_diagonal fill = layouts_diagonal(problem);
    if (problem->subject == BENCH_REDUCE)
        return tally_problem_reduce(&reduce, checked, error);
    if (problem->subject == BENCH_DIAGONAL)
        return tally_problem_diagonal(&fill, checked, error);
    const tally_cumulative scan = layouts_scan(problem);
    return tally_problem_cumulative(&scan, checked, error);
}

static uint64_t bytes_of(const tally_tensor *tensor) {
    uint64_t bytes = cli_type_bytes(tensor->dtype);
    for (uint32_t k = 0; k < tensor->rank; k++)
        bytes *= tensor->size[k];
    return bytes;
}

static void check_sizes(const layouts_problem *problem, int log2) {
    const uint64_t in = bytes_of(&problem->input), out = bytes_of(&problem->output);
    const double larger = (double)(in > out ? in : out);
    const double middle = (double)(UINT64_C(1) << log2);
    ck_assert(larger >= middle * 0.707 && larger <= middle * 1.4143);
    const uint64_t most = UINT64_C(4) << log2;
    ck_assert_uint_le(layouts_extent(&problem->input) * cli_type_bytes(problem->input.dtype), most);
    ck_assert_uint_le(layouts_extent(&problem->output) * cli_type_bytes(problem->output.dtype),
                      most);
    for (uint32_t k = 0; k < problem->input.rank; k++)
        ck_assert_uint_ge(problem->input.size[k], 2);
}

START_TEST(test_legal) {
    const int sizes[] = {LAYOUTS_LOG2_MIN, 14, 23, 30, LAYOUTS_LOG2_MAX};
    const int log2 = sizes[_i];
    for (uint32_t i = 0; i < DRAWS; i++) {
        const layouts_problem problem = draw_any(i, log2);
        tally_problem checked;
        tally_error error = {.message = ""};
        const tally_status status = check(&problem, &checked, &error);
        ck_assert_msg(status == TALLY_OK, "problem %u: %s", (unsigned)i, error.message);
        if (problem.in_place)
            ck_assert(checked.in_place);
        check_sizes(&problem, log2);
    }
}
END_TEST

/* ---- As frequent as it should be ----------------------------------------------------------- */

/* Each test of a problem, and how many of those that it is asked of should pass. */
typedef struct frequency {
    const char *what;
    bool (*asked)(const layouts_problem *problem);
    bool (*passes)(const layouts_problem *problem);
    double share;
} frequency;

#define ASK(name, condition)                                                                       \
    static bool name(const layouts_problem *p) {                                                   \
        return condition;                                                                          \
    }
ASK(is_any, p->input.rank > 0)
ASK(is_reduce, p->subject == BENCH_REDUCE)
ASK(is_scan, p->subject == BENCH_SCAN)
ASK(is_fill, p->subject == BENCH_DIAGONAL)
ASK(is_sum, p->function == TALLY_SUM)
ASK(is_max, p->function == TALLY_MAX)
ASK(is_min, p->function == TALLY_MIN)
ASK(is_average, p->function == TALLY_AVERAGE)
ASK(is_multiply, p->function == TALLY_MULTIPLY)
ASK(is_l2, p->function == TALLY_L2)
ASK(is_log_sum, p->function == TALLY_LOG_SUM)
ASK(is_log_sum_exp, p->function == TALLY_LOG_SUM_EXP)
ASK(is_arg, p->function == TALLY_ARGMAX || p->function == TALLY_ARGMIN)
ASK(is_argmin, p->function == TALLY_ARGMIN)
ASK(is_last, p->tie == TALLY_TIE_LAST)
ASK(is_u32_index, p->output.dtype == TALLY_U32)
ASK(ignores_nan, p->nan == TALLY_NAN_IGNORE)
ASK(is_f16, p->input.dtype == TALLY_F16)
ASK(is_f32, p->input.dtype == TALLY_F32)
ASK(is_f64, p->input.dtype == TALLY_F64)
ASK(is_i8, p->input.dtype == TALLY_I8)
ASK(is_u64, p->input.dtype == TALLY_U64)
ASK(is_float_extreme,
    (is_arg(p) || is_max(p) || is_min(p)) && (is_f16(p) || is_f32(p) || is_f64(p)))
ASK(is_rank_1, p->input.rank == 1)
ASK(is_rank_2, p->input.rank == 2)
ASK(is_rank_3, p->input.rank == 3)
ASK(is_rank_6, p->input.rank == 6)
ASK(is_reduce_of_3, is_reduce(p) && p->input.rank >= 3)
ASK(has_no_axes, p->axes == 0)
ASK(has_all_axes, p->axes == (1u << p->input.rank) - 1)
ASK(has_one_axis, (p->axes & (p->axes - 1)) == 0 && p->axes != 0)
ASK(is_exclusive, p->exclusive)
ASK(is_descending, p->descending)
ASK(is_in_place, p->in_place)
ASK(has_input, p->has_input)
ASK(is_fill_with_input, is_fill(p) && has_input(p))
ASK(is_matrix, p->input.rank == 2)
ASK(is_swapped, p->input_placement.order[0] == 1)
ASK(is_output_swapped, p->output_placement.order[0] == 1)
ASK(is_matrix_strided, is_matrix(p) && !p->in_place)
ASK(is_repeated, p->input_placement.repeated != LAYOUTS_NO_AXIS)
ASK(may_repeat, p->input.rank >= 2 && !p->in_place && !is_fill(p))
ASK(is_offset, p->input_placement.offset > 0)
ASK(is_strided, !p->in_place)
ASK(is_output_offset, p->output_placement.offset > 0)
ASK(is_gapped, p->input_placement.gap > 1)
ASK(is_output_gapped, p->output_placement.gap > 1)
ASK(is_output_large, !p->in_place && (is_scan(p) || is_fill(p)))
ASK(is_padded, p->input_placement.padded != LAYOUTS_NO_AXIS)
ASK(is_large_matrix, p->input.rank >= 2)
ASK(is_lower, p->begin > INT64_MIN && p->end == INT64_MAX)
ASK(is_upper, p->begin == INT64_MIN && p->end < INT64_MAX)
ASK(is_inverted, p->begin > p->end)
ASK(is_everything, p->begin == INT64_MIN && p->end == INT64_MAX)
ASK(is_nothing, p->begin == p->end)
ASK(is_band, p->begin > INT64_MIN && p->begin < p->end && p->end < INT64_MAX)

static const frequency frequencies[] = {
    {"reductions", is_any, is_reduce, 0.45},
    {"scans", is_any, is_scan, 0.35},
    {"fills", is_any, is_fill, 0.20},
    {"sums of reductions", is_reduce, is_sum, 0.28},
    {"maxima", is_reduce, is_max, 0.12},
    {"averages", is_reduce, is_average, 0.10},
    {"argmax and argmin", is_reduce, is_arg, 0.12},
    {"argmin", is_reduce, is_argmin, 0.04},
    {"l2", is_reduce, is_l2, 0.08},
    {"log_sum", is_reduce, is_log_sum, 0.02},
    {"log_sum_exp", is_reduce, is_log_sum_exp, 0.10},
    {"sums of scans", is_scan, is_sum, 0.55},
    {"products of scans", is_scan, is_multiply, 0.15},
    {"running minima", is_scan, is_min, 0.12},
    {"ties last", is_arg, is_last, 0.20},
    {"indices of u32", is_arg, is_u32_index, 0.80},
    {"nan ignored", is_float_extreme, ignores_nan, 0.10},
    {"float32", is_any, is_f32, 0.50},
    {"float32 of averages", is_average, is_f32, 0.50},
    {"float16 of fills", is_fill, is_f16, 0.15},
    {"float64 of fills", is_fill, is_f64, 0.07},
    {"int8 of fills", is_fill, is_i8, 0.07},
    {"uint64 of fills", is_fill, is_u64, 0.005},
    {"rank 1 of scans", is_scan, is_rank_1, 0.10},
    {"rank 2 of scans", is_scan, is_rank_2, 0.25},
    {"rank 3 of scans", is_scan, is_rank_3, 0.27},
    {"rank 6 of scans", is_scan, is_rank_6, 0.06},
    {"rank 1 of fills", is_fill, is_rank_1, 0},
    {"no axes", is_reduce, has_no_axes, 0.04},
    {"all axes", is_reduce_of_3, has_all_axes, 0.08},
    {"one axis", is_reduce_of_3, has_one_axis, 0.55},
    {"exclusive", is_scan, is_exclusive, 0.25},
    {"descending", is_scan, is_descending, 0.25},
    {"scans in place", is_scan, is_in_place, 0.15},
    {"fills with input", is_fill, has_input, 0.70},
    {"fills in place", is_fill_with_input, is_in_place, 0.20},
    {"swapped inputs", is_matrix, is_swapped, 0.12 + 0.26 / 2},
    {"swapped outputs", is_matrix_strided, is_output_swapped, 0.09 * 0.25 + 0.09 / 2},
    {"repeated inputs", may_repeat, is_repeated, 0.02},
    {"inputs that start later", is_any, is_offset, 0.20},
    {"outputs that start later", is_strided, is_output_offset, 0.10},
    {"inputs with gaps", is_any, is_gapped, 0.05},
    {"outputs with gaps", is_output_large, is_output_gapped, 0.02},
    {"padded inputs", is_large_matrix, is_padded, 0.15},
    {"lower triangles", is_fill, is_lower, 0.25},
    {"upper triangles", is_fill, is_upper, 0.20},
    {"diagonals and bands", is_fill, is_band, 0.35},
    {"inverted bands", is_fill, is_inverted, 0.15},
    {"everything", is_fill, is_everything, 0.03},
    {"nothing", is_fill, is_nothing, 0.02},
};

/* Within four standard deviations, and a little for what does not fit. */
START_TEST(test_frequencies) {
    const frequency *row = &frequencies[_i];
    uint32_t asked = 0, passed = 0;
    for (uint32_t i = 0; i < DRAWS; i++) {
        const layouts_problem problem = draw_any(i, 27);
        if (row->asked(&problem)) {
            asked++;
            passed += row->passes(&problem);
        }
    }
    const double share = (double)passed / asked, off = share - row->share;
    const double variance = row->share * (1 - row->share) / asked;
    ck_assert_msg(off * off <= 16 * variance + 0.0001, "%s: %.4f of %u, and %.4f is wanted",
                  row->what, share, (unsigned)asked, row->share);
}
END_TEST

/* Odd sizes, primes, powers of two; paddings of either kind; short and long axes everywhere. */
START_TEST(test_sizes) {
    uint32_t odd = 0, primes = 0, powers = 0, all = 0, units = 0, few = 0;
    for (uint32_t i = 0; i < DRAWS; i++) {
        const layouts_problem problem = draw_any(i, 27);
        for (uint32_t k = 0; k < problem.input.rank; k++, all++) {
            const uint64_t size = problem.input.size[k];
            odd += size % 2;
            powers += (size & (size - 1)) == 0;
            primes += size < 10000 && layouts_prime_below(size) == size;
        }
        const layouts_placement *placement = &problem.input_placement;
        if (placement->padded != LAYOUTS_NO_AXIS) {
            const bool to_unit = problem.input.stride[placement->padded] % 32 == 0;
            units += to_unit;
            few += placement->padding <= 17 && !to_unit;
            ck_assert(to_unit || placement->padding <= 17);
        }
    }
    ck_assert(odd > all * 2 / 5 && odd < all * 7 / 10);
    ck_assert(primes > all / 5 && primes < all / 2);
    ck_assert(powers > all / 6 && powers < all / 2);
    ck_assert(units > 300 && few > 300);
}
END_TEST

/* Every function meets every type that it takes, and --only leaves the other operators out. */
START_TEST(test_pairs) {
    uint32_t seen[TALLY_SUM_SQUARE + 1][TALLY_U64 + 1] = {{0}}, pairs = 0;
    for (bench_subject only = BENCH_REDUCE; only < BENCH_SUBJECTS; only++)
        for (uint32_t i = 0; i < 3 * DRAWS; i++) {
            const layouts_problem problem = draw(2, i, 20, only);
            ck_assert_int_eq(problem.subject, only);
            pairs += seen[problem.function][problem.input.dtype]++ == 0;
        }
    /* 4 functions of 11 types, 4 of 7, 4 of 3; fills of 11. */
    ck_assert_uint_eq(pairs, 4 * 11 + 4 * 7 + 4 * 3 + 11);
}
END_TEST

Suite *suite_layouts_draw(void);
Suite *suite_layouts_draw(void) {
    Suite *suite = suite_create("layouts_draw");
    TCase *tcase = tcase_create("draw");
    tcase_add_test(tcase, test_hashes);
    tcase_add_test(tcase, test_texts);
    tcase_add_test(tcase, test_alike);
    tcase_add_loop_test(tcase, test_legal, 0, 5);
    tcase_add_loop_test(tcase, test_frequencies, 0,
                        (int)(sizeof frequencies / sizeof frequencies[0]));
    tcase_add_test(tcase, test_sizes);
    tcase_add_test(tcase, test_pairs);
    suite_add_tcase(suite, tcase);
    return suite;
}
