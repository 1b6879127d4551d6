/*
 * test_repeated.c: reductions whose results are folded to the scratch and copied from there. Their
 * input repeats along kept axes, by the kernels of GPUs and of CPUs; or results that are neighbours
 * in the input are far apart in the output, on CPUs. Every output has the bits of the plain
 * reference of the orders; results that lie apart leave what is between them.
 */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/descriptions/legal.h"
#include "support/descriptions/shape.h"
#include "support/fixtures/call.h"
#include "support/fixtures/fixture.h"
#include "support/numbers/number.h"
#include "support/numbers/values.h"
#include "support/oracle/oracle.h"
#include "support/reference/order_check.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum { UNWRITTEN = 0xA5 };

static tally_runtime *runtimes[2];

static void open_runtimes(void) {
    runtimes[0] = fixture_make_runtime_of(TALLY_FAMILY_GPU);
    runtimes[1] = fixture_make_runtime_of(TALLY_FAMILY_CPU);
}

static void close_runtimes(void) {
    for (int i = 0; i < 2; i++)
        tally_runtime_release(runtimes[i]);
}

/* Swept axes and repeated ones as bits, the outermost the lowest. */
typedef struct layout {
    shape sizes;
    uint32_t axes, repeated;
} layout;

static const layout layouts[] = {
    {{3, {390, 3, 5200}}, 4, 1},       /* outermost, over rows */
    {{4, {11, 700, 160, 7}}, 2, 4},    /* in the middle, over columns */
    {{3, {9, 4100, 181}}, 2, 4},       /* innermost */
    {{4, {24, 5, 14, 3900}}, 8, 5},    /* two, with another one between */
    {{2, {300, 20500}}, 2, 1},         /* all that are kept */
    {{5, {40, 70, 6, 60, 6}}, 10, 20}, /* two groups of swept axes, and two that repeat */
};

/* With an output in the opposite order. */
static const layout scattered[] = {
    {{3, {3, 801, 901}}, 1, 0},      /* columns that become rows */
    {{4, {2, 3, 801, 881}}, 3, 0},   /* of two swept axes */
    {{4, {601, 2, 501, 3}}, 2, 0},   /* sets of columns */
    {{5, {2, 601, 7, 3, 60}}, 1, 0}, /* many kept axes */
};

static tally_reduce desc_of(tally_function function, tally_dtype type, const layout *it,
                            uint64_t index) {
    tally_reduce desc = shape_reduce(function, type, it->sizes, it->axes);
    uint64_t state = index + 1;
    shape_repeat(&desc.input, it->repeated);
    desc.tie = index % 2 == 0 ? TALLY_TIE_FIRST : TALLY_TIE_LAST;
    if (index % 3 == 1)
        shape_nest(&desc.output, 2, &state);
    else if (index % 3 == 2)
        shape_transpose(&desc.output);
    return desc;
}

/* ---- What it must come to -------------------------------------------------------------------- */

/*
 * The same with two positions along each axis that repeats, so that it parts swept axes as before.
 */
static tally_reduce cut(const tally_reduce *desc, uint32_t repeated) {
    tally_reduce few = *desc;
    few.output.flags = 0;
    for (uint32_t k = 0; k < few.input.rank; k++)
        if ((repeated >> k & 1) != 0)
            few.input.size[k] = few.output.size[k] = 2;
    return few;
}

/* The number of an output of the description among those of the one that is cut. */
static uint64_t number_of(const tally_tensor *output, const tally_tensor *few, uint64_t i) {
    tally_tensor numbers = *output;
    uint64_t stride = 1;
    numbers.flags = TALLY_STRIDED;
    for (uint32_t k = numbers.rank; k-- > 0; stride *= few->size[k])
        numbers.stride[k] = few->size[k] == output->size[k] ? stride : 0;
    return oracle_offset(&numbers, i);
}

static unsigned char *make_input(const tally_reduce *desc) {
    const values_class values = legal_is_order(desc->function)        ? VALUES_FEW
                                : desc->function == TALLY_LOG_SUM_EXP ? VALUES_EXPONENTS
                                                                      : VALUES_WIDE;
    const size_t bytes = number_bytes(desc->input.dtype);
    unsigned char *input = fixture_make_memory(oracle_extent(&desc->input), 0);
    uint64_t state = 5;
    for (uint64_t i = 0; i < oracle_count(&desc->input); i++)
        number_store(desc->input.dtype, input + oracle_offset(&desc->input, i) * bytes,
                     values_element(values, desc->input.dtype, &state));
    return input;
}

static void compare(const tally_reduce *desc, const tally_reduce *few, const uint64_t *wanted,
                    unsigned char *output, const char *plan) {
    const size_t bytes = number_bytes(desc->output.dtype);
    for (uint64_t i = 0; i < oracle_count(&desc->output); i++) {
        unsigned char *at = output + oracle_offset(&desc->output, i) * bytes;
        const uint64_t found = number_load(desc->output.dtype, at);
        const uint64_t bits = wanted[number_of(&desc->output, &few->output, i)];
        ck_assert_msg(found == bits, "output %llu has bits 0x%llX, the order gives 0x%llX\n%s",
                      (unsigned long long)i, (unsigned long long)found, (unsigned long long)bits,
                      plan);
        memset(at, UNWRITTEN, bytes);
    }
    for (uint64_t i = 0; i < oracle_extent(&desc->output); i++)
        ck_assert_msg(output[i] == UNWRITTEN, "byte %llu between the outputs is written\n%s",
                      (unsigned long long)i, plan);
}

static char plan[ORDER_CHECK_PLAN];

static void check(tally_runtime *runtime, const tally_reduce *desc, uint32_t repeated) {
    const tally_reduce few = cut(desc, repeated);
    unsigned char *input = make_input(&few);
    unsigned char *output = fixture_make_memory(oracle_extent(&desc->output), UNWRITTEN);
    uint64_t *wanted = fixture_make_memory(oracle_count(&few.output) * sizeof *wanted, 0);
    tally_op *op = NULL;
    tally_error error;
    order_check_results(&few, input, wanted);
    fixture_ok(tally_reduce_create(runtime, desc, &op, &error), &error, "tally_reduce_create");
    snprintf(plan, sizeof plan, "%s", tally_op_describe(op));
    ck_assert_msg(strstr(plan, ": tally_fill") != NULL, "no fill copies results:\n%s", plan);
    call_op(op, &desc->input, input, &desc->output, output);
    compare(desc, &few, wanted, output, plan);
    free(wanted);
    free(output);
    free(input);
}

static const struct {
    tally_function function;
    tally_dtype type;
} pairs[] = {{TALLY_SUM, TALLY_F32},
             {TALLY_MAX, TALLY_F32},
             {TALLY_ARGMAX, TALLY_F32},
             {TALLY_AVERAGE, TALLY_F16},
             {TALLY_LOG_SUM_EXP, TALLY_F32}};

/* Each layout of each pair by one family, which go by turns. */
START_TEST(results_that_repeat_have_the_bits_of_the_order) {
    for (uint64_t index = 0; index < COUNT(layouts); index++) {
        const layout *it = &layouts[index];
        const uint64_t round = index + (uint64_t)_i;
        const tally_reduce desc = desc_of(pairs[_i].function, pairs[_i].type, it, round);
        check(runtimes[round % 2], &desc, it->repeated);
    }
}
END_TEST

START_TEST(results_that_cpus_would_scatter_have_the_bits_of_the_order) {
    for (uint64_t index = 0; index < COUNT(scattered); index++) {
        tally_reduce desc = shape_reduce(pairs[_i].function, pairs[_i].type, scattered[index].sizes,
                                         scattered[index].axes);
        shape_transpose(&desc.output);
        check(runtimes[1], &desc, 0);
    }
    /* Single elements; of an index there is nothing to copy. */
    tally_reduce singles = shape_reduce(pairs[_i].function, pairs[_i].type, SHAPE(901, 3, 701), 0);
    shape_transpose(&singles.output);
    if (pairs[_i].function != TALLY_ARGMAX)
        check(runtimes[1], &singles, 0);
    /* A few that stay side by side, in another order of the axes outside of them. */
    tally_reduce sets = shape_reduce(pairs[_i].function, pairs[_i].type, SHAPE(3, 701, 501, 3), 1);
    const uint64_t strides[] = {0, 3, 3 * 701, 1};
    sets.output.flags |= TALLY_STRIDED;
    memcpy(sets.output.stride, strides, sizeof strides);
    check(runtimes[1], &sets, 0);
}
END_TEST

Suite *suite_repeated(void);

Suite *suite_repeated(void) {
    Suite *suite = suite_create("repeated");
    TCase *tests = tcase_create("repeated");
    tcase_set_timeout(tests, 0);
    tcase_add_unchecked_fixture(tests, open_runtimes, close_runtimes);
    tcase_add_loop_test(tests, results_that_repeat_have_the_bits_of_the_order, 0, COUNT(pairs));
    tcase_add_loop_test(tests, results_that_cpus_would_scatter_have_the_bits_of_the_order, 0,
                        COUNT(pairs));
    suite_add_tcase(suite, tests);
    return suite;
}
