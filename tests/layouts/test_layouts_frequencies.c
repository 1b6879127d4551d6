/*
 * How frequent each kind of problem is among the random ones of tally bench layouts: as the weights
 * of the tables say.
 */
#include "drawn.h"

#include <check.h>

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
        const layouts_problem problem = drawn_any(i, 27);
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

Suite *suite_layouts_frequencies(void);
Suite *suite_layouts_frequencies(void) {
    Suite *suite = suite_create("layouts_frequencies");
    TCase *tcase = tcase_create("frequencies");
    tcase_add_loop_test(tcase, test_frequencies, 0,
                        (int)(sizeof frequencies / sizeof frequencies[0]));
    suite_add_tcase(suite, tcase);
    return suite;
}
