/*
 * The orders: float results of simulated plans against the plain reference of the orders, bit for
 * bit, on every device and layout.
 */
#include <math.h>
#include <stdlib.h>

#include <check.h>

#include "support/descriptions/legal.h"
#include "support/descriptions/random_desc.h"
#include "support/descriptions/shape.h"
#include "support/numbers/number.h"
#include "support/plans/addresses.h"
#include "support/reference/order_reference.h"
#include "support/simulation/case.h"

/* ---- Arithmetic of a type ------------------------------------------------------------------ */

static double exp_f32(double a, double b) {
    return (float)exp((double)(float)(a - b));
}

static double exp_f64(double a, double b) {
    return exp(a - b);
}

static const order_arithmetic arithmetic_f32 = {order_add_f32, order_multiply_f32, exp_f32};
static const order_arithmetic arithmetic_f64 = {order_add_f64, order_multiply_f64, exp_f64};

static const order_arithmetic *arithmetic_of(tally_dtype dtype) {
    return dtype == TALLY_F64 ? &arithmetic_f64 : &arithmetic_f32;
}

/* ---- A reduction by the reference ---------------------------------------------------------- */

static void *allocate(uint64_t count, size_t size) {
    void *memory = calloc((size_t)count + 1, size);
    if (memory == NULL)
        ck_abort_msg("no memory for %llu elements", (unsigned long long)count);
    return memory;
}

/* The terms of one output, row-major over the swept axes. */
static void gather(const tally_tensor *input, uint32_t axes, const unsigned char *at,
                   uint64_t count, double *terms) {
    const size_t bytes = number_bytes(input->dtype);
    for (uint64_t i = 0; i < count; i++)
        terms[i] = number_decode(
            number_type_of(input->dtype),
            number_load(input->dtype, at + addresses_of_axes(input, axes, i) * bytes));
}

/* Elements become pairs; then groups of pairs, as order_fold_groups does with numbers. */
static double log_sum_exp(const double *terms, uint64_t count, uint32_t groups,
                          const uint64_t *length, const order_arithmetic *arithmetic) {
    const uint64_t inner = groups > 0 ? length[0] : 1;
    order_pair *pairs = allocate(count, sizeof *pairs);
    uint64_t left = count / inner;
    for (uint64_t i = 0; i < left; i++)
        pairs[i] = order_fold_exponents(terms + i * inner, inner, arithmetic);
    for (uint32_t g = 1; g < groups; g++) {
        left /= length[g];
        for (uint64_t i = 0; i < left; i++)
            pairs[i] = order_fold_pairs(pairs + i * length[g], length[g], arithmetic);
    }
    const order_pair all = pairs[0];
    free(pairs);
    const double logarithm = log(all.sum);
    return arithmetic->add(all.top, arithmetic == &arithmetic_f32 ? (float)logarithm : logarithm);
}

static double fold_by_reference(const tally_reduce *desc, const double *terms, uint64_t count) {
    uint64_t length[ORDER_GROUPS] = {0};
    const uint32_t groups = order_groups(desc->input.rank, desc->input.size, desc->axes, length);
    const order_arithmetic *arithmetic = arithmetic_of(desc->input.dtype);
    if (desc->function == TALLY_LOG_SUM_EXP)
        return log_sum_exp(terms, count, groups, length, arithmetic);
    return order_fold_groups(terms, groups, length,
                             desc->function == TALLY_SUM ? arithmetic->add : arithmetic->multiply);
}

static void check_bits(const sim_case *it, uint32_t device, uint64_t element, uint64_t found,
                       double wanted) {
    const uint64_t bits = number_from(it->of.output->dtype, wanted);
    if (found != bits)
        sim_case_fail(it, sim_device_at(device), "element %llu is 0x%llx, the order gives 0x%llx",
                      (unsigned long long)element, (unsigned long long)found,
                      (unsigned long long)bits);
}

static void check_fold(const tally_reduce *desc, values_class values, uint64_t seed,
                       uint32_t device) {
    const sim_case it = sim_case_reduce(desc, values, seed);
    const uint64_t outputs = addresses_count(&desc->input, ~desc->axes);
    const uint64_t count = addresses_count(&desc->input, desc->axes);
    uint64_t *results = allocate(outputs, sizeof *results);
    unsigned char *input = sim_case_input(&it);
    double *terms = allocate(count, sizeof *terms);
    sim_case_run(&it, input, sim_device_at(device), results);
    for (uint64_t i = 0; i < outputs; i++) {
        const uint64_t at = addresses_of_axes(&desc->input, ~desc->axes, i);
        gather(&desc->input, desc->axes, input + at * number_bytes(desc->input.dtype), count,
               terms);
        check_bits(&it, device, i, results[i], fold_by_reference(desc, terms, count));
    }
    free(terms);
    free(input);
    free(results);
}

/* ---- A scan by the reference --------------------------------------------------------------- */

static void check_row(const sim_case *it, uint32_t device, uint64_t row, const unsigned char *input,
                      const uint64_t *results, const tally_tensor *positions) {
    const tally_cumulative *desc = it->of.desc;
    const order_arithmetic *arithmetic = arithmetic_of(desc->input.dtype);
    const bool sums = desc->function == TALLY_SUM;
    const uint32_t axis = 1u << desc->axis;
    const uint64_t count = desc->input.size[desc->axis];
    double *terms = allocate(count, sizeof *terms);
    double *visited = allocate(count, sizeof *visited);
    double *totals = allocate(count, sizeof *totals);
    const uint64_t at = addresses_of_axes(&desc->input, ~axis, row);
    gather(&desc->input, axis, input + at * number_bytes(desc->input.dtype), count, terms);
    for (uint64_t i = 0; i < count; i++)
        visited[i] = terms[desc->descending ? count - 1 - i : i];
    order_scan(visited, count, sums ? arithmetic->add : arithmetic->multiply, totals);
    for (uint64_t i = 0; i < count; i++) {
        const uint64_t position =
            addresses_of_axes(positions, ~axis, row) +
            addresses_of_axes(positions, axis, desc->descending ? count - 1 - i : i);
        const double before = i > 0 ? totals[i - 1] : sums ? 0 : 1;
        check_bits(it, device, position, results[position], desc->exclusive ? before : totals[i]);
    }
    free(totals);
    free(visited);
    free(terms);
}

static void check_scan(const tally_cumulative *desc, values_class values, uint64_t seed,
                       uint32_t device) {
    const sim_case it = sim_case_cumulative(desc, values, seed);
    tally_tensor positions = desc->output; /* results are packed row-major */
    positions.flags = 0;
    uint64_t *results = allocate(oracle_count(&positions), sizeof *results);
    unsigned char *input = sim_case_input(&it);
    sim_case_run(&it, input, sim_device_at(device), results);
    for (uint64_t row = 0; row < addresses_count(&desc->input, ~(1u << desc->axis)); row++)
        check_row(&it, device, row, input, results, &positions);
    free(input);
    free(results);
}

/* ---- Tests --------------------------------------------------------------------------------- */

static const tally_dtype floats[] = {TALLY_F32, TALLY_F64, TALLY_F16};
static const tally_function folded[] = {TALLY_SUM, TALLY_MULTIPLY, TALLY_LOG_SUM_EXP};

/*
 * Of LOG_SUM_EXP, tops far apart and tops close together: a top of 100 swallows the last bits of
 * the sum, which show only where the result is small.
 */
static values_class values_of(tally_function function, uint64_t draw) {
    return function == TALLY_SUM        ? VALUES_WIDE
           : function == TALLY_MULTIPLY ? VALUES_NEAR_ONE
           : draw % 2 == 0              ? VALUES_EXPONENTS
                                        : VALUES_NEAR_ONE;
}

START_TEST(random_folds_have_the_bits_of_the_order) {
    const random_kind kind = {9000, 5, false};
    uint64_t state = 71;
    for (uint32_t i = 0; i < 400; i++) {
        tally_reduce desc;
        random_reduce(&kind, &state, &desc);
        desc.function = folded[i % 3];
        desc.input.dtype = desc.output.dtype = floats[i / 3 % 3];
        check_fold(&desc, values_of(desc.function, i), i, i / 9 % sim_devices());
    }
}
END_TEST

START_TEST(random_scans_have_the_bits_of_the_order) {
    const random_kind kind = {9000, 5, false};
    uint64_t state = 72;
    for (uint32_t i = 0; i < 200; i++) {
        tally_cumulative desc;
        random_cumulative(&kind, &state, &desc);
        desc.function = folded[i % 2];
        desc.input.dtype = desc.output.dtype = floats[i / 2 % 3];
        check_scan(&desc, values_of(desc.function, i), i, i / 6 % sim_devices());
    }
}
END_TEST

/* Sizes around each level's end, in rows and in columns, by every schedule there is. */
START_TEST(folds_of_edge_sizes_have_the_bits_of_the_order) {
    static const uint64_t edges[] = {1,   2,    3,    63,   64,   65,   127,  128,  129,
                                     191, 1000, 4095, 4096, 4097, 4224, 8191, 8193, 20481};
    for (size_t i = 0; i < sizeof edges / sizeof edges[0]; i++) {
        for (uint32_t device = 0; device < sim_devices(); device++) {
            const tally_reduce row = shape_reduce(folded[_i], TALLY_F32, SHAPE(edges[i]), 1);
            const tally_reduce rows = shape_reduce(folded[_i], TALLY_F16, SHAPE(3, edges[i]), 2);
            const tally_reduce column = shape_reduce(folded[_i], TALLY_F64, SHAPE(edges[i], 2), 1);
            const tally_reduce columns =
                shape_reduce(folded[_i], TALLY_F32, SHAPE(2, edges[i], 5), 2);
            check_fold(&row, values_of(folded[_i], device), i, device);
            check_fold(&rows, values_of(folded[_i], device), i, device);
            check_fold(&column, values_of(folded[_i], device), i, device);
            check_fold(&columns, values_of(folded[_i], device), i, device);
        }
    }
}
END_TEST

/*
 * Columns of a few units and more, rows of several, by groups that walk and by those that publish.
 */
START_TEST(chains_have_the_bits_of_the_order) {
    static const shape shapes[] = {{2, {3, 70000}}, {3, {2, 9000, 3}}, {3, {2, 70000, 2}}};
    for (uint32_t i = 0; i < 6; i++) {
        tally_cumulative desc = shape_scan(TALLY_SUM, floats[i % 3], shapes[i / 2], 1);
        desc.descending = i % 2 != 0;
        desc.exclusive = i % 3 == 0;
        check_scan(&desc, VALUES_WIDE, i, (uint32_t)_i);
    }
}
END_TEST

/*
 * More stretches than are folded onto an inclusive prefix, one published by a group that others
 * wait for.
 */
START_TEST(a_scan_past_prefixes_has_the_bits_of_the_order) {
    const uint64_t n = 35 * UINT64_C(262144) + 5000;
    const tally_cumulative desc = shape_scan(TALLY_SUM, TALLY_F32, SHAPE(n), 0);
    check_scan(&desc, VALUES_WIDE, 6, _i == 0 ? 0 : 4);
}
END_TEST

/* Two stretches and a bit, on a work-item, on a team and on groups that publish to each other. */
START_TEST(a_long_scan_has_the_bits_of_the_order) {
    const uint64_t n = 2 * 262144 + 4096 + 17;
    const tally_cumulative desc = shape_scan(TALLY_SUM, TALLY_F32, SHAPE(n), 0);
    check_scan(&desc, VALUES_WIDE, 5, (uint32_t)_i);
}
END_TEST

Suite *suite_order(void) {
    Suite *suite = suite_create("order");
    TCase *tests = tcase_create("order");
    tcase_set_timeout(tests, 600);
    tcase_add_test(tests, random_folds_have_the_bits_of_the_order);
    tcase_add_test(tests, random_scans_have_the_bits_of_the_order);
    tcase_add_loop_test(tests, folds_of_edge_sizes_have_the_bits_of_the_order, 0, 3);
    tcase_add_loop_test(tests, a_long_scan_has_the_bits_of_the_order, 0, (int)sim_devices());
    tcase_add_loop_test(tests, chains_have_the_bits_of_the_order, 0, (int)sim_devices());
    tcase_add_loop_test(tests, a_scan_past_prefixes_has_the_bits_of_the_order, 0, 2);
    suite_add_tcase(suite, tests);
    return suite;
}
