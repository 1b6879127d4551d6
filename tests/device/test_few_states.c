/*
 * test_few_states.c: the kernels of CPUs on rows of 15, 16 and 17 states. Rows of up to 16 states
 * are folded a vector of rows at a time, if states have no index; all others one by one. Every
 * output is right by the oracle and has the bits of the plain reference of the orders. The numbers
 * of rows are around those of a vector's elements: the last vector is full, or has one row only.
 * And, where combining is exact, few nearest terms of few outputs, of which columns come first.
 */
#include <check.h>
#include <string.h>

#include "support/descriptions/legal.h"
#include "support/descriptions/shape.h"
#include "support/fixtures/fixture.h"
#include "support/fixtures/run.h"
#include "support/reference/order_check.h"

Suite *suite_few_states(void);

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/*
 * Terms of the inner group: one more than the kernel of short rows takes, so that terms and states
 * are folded by one program.
 */
enum { TERMS = 129 };

/* A state of each kind and width, with elements that show a state left out or taken twice. */
static const struct {
    legal_pair pair;
    values_class values[2];
} kinds[] = {{{TALLY_SUM, TALLY_F32}, {VALUES_WIDE, VALUES_SPECIAL}},
             {{TALLY_LOG_SUM_EXP, TALLY_F32}, {VALUES_EXPONENTS, VALUES_SPECIAL}},
             {{TALLY_ARGMAX, TALLY_F32}, {VALUES_FEW, VALUES_SOME_NAN}},
             {{TALLY_MAX, TALLY_F16}, {VALUES_WIDE, VALUES_SOME_NAN}},
             {{TALLY_SUM, TALLY_I64}, {VALUES_WIDE, VALUES_EXTREME}}};
#define KINDS ((int)COUNT(kinds))
enum { KINDS_OF_THREE_LAUNCHES = 3 };

static const uint64_t states[] = {15, 16, 17};

static tally_runtime *runtime;

static void open_runtime(void) {
    runtime = fixture_make_runtime_of(TALLY_FAMILY_CPU);
}

static void close_runtime(void) {
    tally_runtime_release(runtime);
}

/* Two runs against the oracle, from other offsets each, and one for the bits. */
static void check(const tally_reduce *desc, const values_class values[2], const char *launch) {
    char plan[ORDER_CHECK_PLAN];
    for (uint32_t i = 0; i < 2; i++) {
        const run_how how = {values[i], run_count(), i * 3, i, false};
        run_reduce_on(runtime, desc, how);
    }
    order_check(runtime, desc, plan);
    ck_assert_msg(strstr(plan, launch) != NULL, "no launch '%s':\n%s", launch, plan);
}

/* Rows of states that become results, which lie side by side or apart. */
START_TEST(results) {
    static const uint64_t rows[] = {2, 7, 8, 9, 31};
    for (size_t i = 0; i < COUNT(states) * COUNT(rows); i++) {
        const shape sizes = SHAPE(states[i / COUNT(rows)], rows[i % COUNT(rows)], TERMS);
        tally_reduce desc =
            shape_reduce(kinds[_i].pair.function, kinds[_i].pair.dtype, sizes, 1u << 0 | 1u << 2);
        desc.tie = i % 2 == 0 ? TALLY_TIE_FIRST : TALLY_TIE_LAST;
        if (i % 3 == 2)
            shape_pad(&desc.output, 1);
        check(&desc, kinds[_i].values, "2: tally_fold_cpu_rows_");
    }
}
END_TEST

/*
 * Rows of states that become states, of which a third launch makes results. Where combining is
 * exact and states have no index, both outer groups are one: these kinds come last.
 */
START_TEST(states_of_states) {
    for (size_t i = 0; i < COUNT(states); i++) {
        const shape sizes = SHAPE(3, 3, states[i], 3, TERMS);
        const tally_reduce desc = shape_reduce(kinds[_i].pair.function, kinds[_i].pair.dtype, sizes,
                                               1u << 0 | 1u << 2 | 1u << 4);
        check(&desc, kinds[_i].values, "3: tally_fold_cpu_rows_");
    }
}
END_TEST

/* Columns of all that lies within the outermost axis, and then what is left of each output. */
START_TEST(nearest_terms) {
    static const struct {
        legal_pair pair;
        values_class values[2];
        uint64_t rows; /* of ten elements: too many for an input to be small */
    } exact[] = {{{TALLY_MAX, TALLY_F16}, {VALUES_WIDE, VALUES_SOME_NAN}, 210001},
                 {{TALLY_SUM, TALLY_I64}, {VALUES_WIDE, VALUES_EXTREME}, 53001},
                 {{TALLY_MIN, TALLY_I8}, {VALUES_WIDE, VALUES_EXTREME}, 420001}};
    for (size_t i = 0; i < COUNT(exact); i++) {
        const legal_pair pair = exact[i].pair;
        const tally_reduce three =
            shape_reduce(pair.function, pair.dtype, SHAPE(exact[i].rows, 2, 5), 1u << 0 | 1u << 2);
        check(&three, exact[i].values, "1: tally_fold_cpu_packed_");
        const tally_reduce five =
            shape_reduce(pair.function, pair.dtype, SHAPE(exact[i].rows / 12 + 1, 3, 2, 4, 5),
                         1u << 0 | 1u << 2 | 1u << 4);
        check(&five, exact[i].values, "1: tally_fold_cpu_columns_");
    }
}
END_TEST

Suite *suite_few_states(void) {
    Suite *suite = suite_create("few_states");
    TCase *tests = tcase_create("few_states");
    tcase_set_timeout(tests, 0);
    tcase_add_unchecked_fixture(tests, open_runtime, close_runtime);
    tcase_add_loop_test(tests, results, 0, KINDS);
    tcase_add_loop_test(tests, states_of_states, 0, KINDS_OF_THREE_LAUNCHES);
    tcase_add_test(tests, nearest_terms);
    suite_add_tcase(suite, tests);
    return suite;
}
