/*
 * The expressions of the table of functions, compiled here for the host over doubles and held
 * against the formulas of DirectML's page of reduce functions: what each makes of some sequences,
 * that its identity changes no bit, and what it gives for no terms.
 */
#include "model/monoid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

/* ---- The rows, as functions of the host ---------------------------------------------------- */

typedef struct host_row {
    const char *name;
    double identity, empty;
    double (*map)(double x);
    double (*combine)(double a, double b);
    double (*finalize)(double a, double n, double t);
} host_row;

/* The names that the expressions use. A key is here the number itself, its order the numbers'. */
#define ZERO 0.0
#define ONE 1.0
#define LOWEST (-(double)INFINITY)
#define HIGHEST ((double)INFINITY)
#define KEY_LOWEST LOWEST
#define KEY_HIGHEST HIGHEST
#define SUM_IDENTITY (-0.0)
#define QUIET_NAN ((double)NAN)
#define key_(x) (x)
#define tie_key_(x) ((x) == 0 ? 0.0 : (x))
#define unkey_(a) (a)
#define abs_(x) fabs(x)
#define sqrt_(a) sqrt(a)
#define divide_(a, n) ((a) / (n))
#define log_(a) log(a)
#define max_(a, b) ((a) > (b) ? (a) : (b))
#define min_(a, b) ((a) < (b) ? (a) : (b))

#define TALLY_MONOID(enumerator, name, types, state, scan, identity, empty, map, combine,          \
                     finalize)                                                                     \
    static double map_##name(double x) {                                                           \
        return map;                                                                                \
    }                                                                                              \
    static double combine_##name(double a, double b) {                                             \
        return combine;                                                                            \
    }                                                                                              \
    static double finalize_##name(double a, double n, double t) {                                  \
        (void)n;                                                                                   \
        (void)t;                                                                                   \
        return finalize;                                                                           \
    }
#include "model/monoid.def"
#undef TALLY_MONOID

#define TALLY_MONOID(enumerator, name, types, state, scan, identity, empty, map, combine,          \
                     finalize)                                                                     \
    [TALLY_##enumerator] = {#name, identity, empty, map_##name, combine_##name, finalize_##name},
static const host_row rows[] = {
#include "model/monoid.def"
};
#undef TALLY_MONOID

/* ---- The formulas, from the page ----------------------------------------------------------- */

static double sum_of(const double *x, int n, double (*term)(double x)) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += term(x[i]);
    return sum;
}

static double itself(double x) {
    return x;
}

static double square(double x) {
    return x * x;
}

static double formula_average(const double *x, int n) {
    return sum_of(x, n, itself) / n;
}

static double formula_l1(const double *x, int n) {
    return sum_of(x, n, fabs);
}

static double formula_l2(const double *x, int n) {
    return sqrt(sum_of(x, n, square));
}

static double formula_log_sum(const double *x, int n) {
    return log(sum_of(x, n, itself));
}

static double formula_log_sum_exp(const double *x, int n) {
    return log(sum_of(x, n, exp));
}

static double formula_max(const double *x, int n) {
    double best = x[0];
    for (int i = 1; i < n; i++)
        best = fmax(best, x[i]);
    return best;
}

static double formula_min(const double *x, int n) {
    double best = x[0];
    for (int i = 1; i < n; i++)
        best = fmin(best, x[i]);
    return best;
}

static double formula_multiply(const double *x, int n) {
    double product = 1;
    for (int i = 0; i < n; i++)
        product *= x[i];
    return product;
}

static double formula_sum(const double *x, int n) {
    return sum_of(x, n, itself);
}

static double formula_sum_square(const double *x, int n) {
    return sum_of(x, n, square);
}

/* And what the contract says of no terms at all. */
typedef struct fact {
    tally_function function;
    tally_state state;
    double (*formula)(const double *x,
                      int n); /* of ARG*: the extreme whose position is asked for */
    double nothing;
} fact;

static const fact facts[] = {
    {TALLY_ARGMAX, TALLY_STATE_INDEXED, formula_max, 0}, /* never asked for: an error */
    {TALLY_ARGMIN, TALLY_STATE_INDEXED, formula_min, 0},
    {TALLY_AVERAGE, TALLY_STATE_VALUE, formula_average, (double)NAN},
    {TALLY_L1, TALLY_STATE_VALUE, formula_l1, 0},
    {TALLY_L2, TALLY_STATE_VALUE, formula_l2, 0},
    {TALLY_LOG_SUM, TALLY_STATE_VALUE, formula_log_sum, -(double)INFINITY},
    {TALLY_LOG_SUM_EXP, TALLY_STATE_SHIFTED, formula_log_sum_exp, -(double)INFINITY},
    {TALLY_MAX, TALLY_STATE_KEY, formula_max, -(double)INFINITY},
    {TALLY_MIN, TALLY_STATE_KEY, formula_min, (double)INFINITY},
    {TALLY_MULTIPLY, TALLY_STATE_VALUE, formula_multiply, 1},
    {TALLY_SUM, TALLY_STATE_VALUE, formula_sum, 0},
    {TALLY_SUM_SQUARE, TALLY_STATE_VALUE, formula_sum_square, 0},
};
#define FACTS ((int)(sizeof facts / sizeof facts[0]))

/* ---- Tests --------------------------------------------------------------------------------- */

static bool same_bits(double a, double b) {
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

/*
 * Map, combine from the identity on, finalize: as the kernels do, with the maximum where it is
 * used.
 */
static double evaluate(const host_row *row, tally_state state, const double *x, int n) {
    const double top = state == TALLY_STATE_SHIFTED ? formula_max(x, n) : 0;
    double so_far = row->identity;
    for (int i = 0; i < n; i++) {
        const double term = row->map(x[i]);
        so_far = row->combine(so_far, state == TALLY_STATE_SHIFTED ? exp(term - top) : term);
    }
    return row->finalize(so_far, n, top);
}

START_TEST(each_row_computes_its_formula) {
    static const double sequences[][6] = {
        {1, 2, 3, 4, 5, 6},       {-1, 2, -3, 4, -5, 6},     {0.5, 0.25, 8, 0.125, 2, 1},
        {-7, -7, -7, -7, -7, -7}, {100, 99, 98, 97, 96, 95}, {3, 0, -2.5, 0, 1.5, -0.25},
    };
    const fact *it = &facts[_i];
    const host_row *row = &rows[it->function];
    ck_assert_str_eq(row->name, tally_monoid_find(it->function)->name);
    for (size_t s = 0; s < sizeof sequences / sizeof sequences[0]; s++) {
        for (int n = 1; n <= 6; n++) {
            const double wanted = it->formula(sequences[s], n);
            const double found = evaluate(row, it->state, sequences[s], n);
            const bool close = fabs(found - wanted) <= 1e-12 * fabs(wanted);
            if (!close && !same_bits(found, wanted))
                ck_abort_msg("%s of the first %d of sequence %zu is %.17g, should be %.17g",
                             row->name, n, s, found, wanted);
        }
    }
}
END_TEST

static const double samples[] = {0.0,    -0.0,  1,       -1,     0.1,      -1e300,
                                 5e-324, 1e308, -1e-310, 123456, INFINITY, -INFINITY};
#define SAMPLES (sizeof samples / sizeof samples[0])

START_TEST(each_identity_changes_no_bit) {
    const host_row *row = &rows[facts[_i].function];
    for (size_t i = 0; i < SAMPLES; i++) {
        ck_assert(same_bits(row->combine(row->identity, samples[i]), samples[i]));
        ck_assert(same_bits(row->combine(samples[i], row->identity), samples[i]));
    }
    ck_assert(same_bits(row->combine(row->identity, row->identity), row->identity));
}
END_TEST

START_TEST(each_row_knows_what_nothing_gives) {
    const fact *it = &facts[_i];
    ck_assert(same_bits(rows[it->function].empty, it->nothing));
    ck_assert_int_eq(tally_monoid_find(it->function)->state, it->state);
}
END_TEST

/* Zeros tie for ARG*, but not for MIN and MAX, whose keys keep the sign. */
START_TEST(zeros_tie_for_an_index_only) {
    ck_assert_ptr_nonnull(strstr(tally_monoid_find(TALLY_ARGMAX)->map, "tie_key_("));
    ck_assert_ptr_nonnull(strstr(tally_monoid_find(TALLY_ARGMIN)->map, "tie_key_("));
    ck_assert(same_bits(rows[TALLY_ARGMAX].map(-0.0), 0.0));
    ck_assert(same_bits(rows[TALLY_ARGMIN].map(-0.0), 0.0));
    ck_assert(same_bits(rows[TALLY_MAX].map(-0.0), -0.0));
    ck_assert(same_bits(rows[TALLY_MIN].map(-0.0), -0.0));
}
END_TEST

/* The device gets the expressions as text: the same that were compiled here. */
START_TEST(each_row_hands_on_its_text) {
#define TALLY_MONOID(enumerator, name, types, state, scan, identity, empty, map, combine,          \
                     finalize)                                                                     \
    {TALLY_##enumerator, {#identity, #empty, #map, #combine, #finalize}},
    static const struct {
        tally_function function;
        const char *text[5];
    } texts[] = {
#include "model/monoid.def"
    };
#undef TALLY_MONOID
    ck_assert_uint_eq(sizeof texts / sizeof texts[0], 12);
    const tally_monoid *monoid = tally_monoid_find(texts[_i].function);
    const char *const found[] = {monoid->identity, monoid->empty, monoid->map, monoid->combine,
                                 monoid->finalize};
    for (int i = 0; i < 5; i++)
        ck_assert_str_eq(found[i], texts[_i].text[i]);
}
END_TEST

Suite *suite_monoid(void) {
    Suite *suite = suite_create("monoid");
    TCase *tests = tcase_create("monoid");
    tcase_add_loop_test(tests, each_row_computes_its_formula, 0, FACTS);
    tcase_add_loop_test(tests, each_identity_changes_no_bit, 0, FACTS);
    tcase_add_loop_test(tests, each_row_knows_what_nothing_gives, 0, FACTS);
    tcase_add_test(tests, zeros_tie_for_an_index_only);
    tcase_add_loop_test(tests, each_row_hands_on_its_text, 0, FACTS);
    suite_add_tcase(suite, tests);
    return suite;
}
