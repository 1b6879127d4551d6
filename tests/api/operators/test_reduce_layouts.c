/*
 * test_reduce_layouts.c: REDUCE over all kinds of axes, strides and offsets: the corner cases by
 * name, and random problems of every rank. A few functions and types stand for all, since layouts
 * are addressed alike for each of them.
 */
#include <check.h>

#include "support/descriptions/legal.h"
#include "support/descriptions/shape.h"
#include "support/fixtures/run.h"
#include "support/share.h"

Suite *suite_reduce_layouts(void);

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* One byte, two, four and eight; values, indices and pairs as the state between launches. */
typedef struct subject {
    tally_function function;
    tally_dtype dtype;
    values_class values;
} subject;

static const subject subjects[] = {
    {TALLY_SUM, TALLY_F32, VALUES_WIDE},
    {TALLY_ARGMAX, TALLY_I8, VALUES_FEW},
    {TALLY_AVERAGE, TALLY_F16, VALUES_WIDE},
    {TALLY_SUM, TALLY_U64, VALUES_BITS},
    {TALLY_LOG_SUM_EXP, TALLY_F64, VALUES_EXPONENTS},
    {TALLY_MIN, TALLY_I16, VALUES_BITS},
};

static void run_subject(subject it, tally_reduce desc) {
    const uint64_t seed = run_count();
    const run_how how = {it.values, seed, (uint32_t)(seed % 8), (uint32_t)(seed % 5), false};
    if (legal_is_index(it.function)) {
        desc.output.dtype = legal_index_types((int)(seed % 4));
    }
    run_reduce(&desc, how);
}

typedef struct axes_case {
    shape sizes;
    uint32_t axes;
} axes_case;

/* Packed, transposed, padded and with some axes repeated. */
static void run_layouts(subject it, shape sizes, uint32_t axes) {
    uint64_t state = run_count();
    tally_reduce desc = shape_reduce(it.function, it.dtype, sizes, axes);
    run_subject(it, desc);
    shape_transpose(&desc.input);
    run_subject(it, desc);
    shape_pad(&desc.input, 3);
    shape_pad(&desc.output, 2);
    run_subject(it, desc);
    shape_repeat(&desc.input, axes);
    shape_transpose(&desc.output);
    run_subject(it, desc);
    shape_repeat(&desc.input, ~axes);
    shape_nest(&desc.output, 4, &state);
    run_subject(it, desc);
}

START_TEST(groups_of_axes) {
    const axes_case cases[] = {
        {SHAPE(5), 1},
        {SHAPE(4, 6), 3},
        {SHAPE(3, 4, 5), 5},
        {SHAPE(3, 4, 5), 2},
        {SHAPE(3, 1, 5), 5}, /* an axis of size 1 between two swept ones parts nothing */
        {SHAPE(2, 3, 4, 5), 10},
        {SHAPE(2, 3, 4, 5), 5},
        {SHAPE(2, 3, 4, 5), 9},
        {SHAPE(2, 3, 2, 3, 2, 3, 2, 3), 0x55}, /* axes 0, 2, 4, 6 */
        {SHAPE(2, 3, 2, 3, 2, 3, 2, 3), 0xAA},
        {SHAPE(2, 3, 2, 3, 2, 3, 2, 3), 0xFF},
        {SHAPE(2, 3, 2, 3, 2, 3, 2, 3), 0},
        {SHAPE(1, 1, 1, 1, 1, 1, 1, 1), 0x0F},
        {SHAPE(2, 1, 2, 1, 70, 1, 2, 3), 0x1A},
        {SHAPE(131, 2, 67), 5},
        {SHAPE(2, 4100, 3), 2},
    };
    for (size_t k = 0; k < COUNT(cases); k++) {
        run_layouts(subjects[_i], cases[k].sizes, cases[k].axes);
    }
}
END_TEST

/* Two groups that each need more than one launch, so that indices are scaled across both. */
START_TEST(two_long_groups) {
    const shape sizes = SHAPE(5000, 2, 4097);
    const tally_function functions[] = {TALLY_ARGMIN, TALLY_ARGMAX};
    for (size_t k = 0; k < COUNT(functions); k++) {
        const tally_dtype index = k == 0 ? TALLY_U32 : TALLY_I64;
        tally_reduce desc = shape_reduce(functions[k], TALLY_U8, sizes, 5);
        const run_how how = {VALUES_BITS, 1, 3, 0, false};
        desc.tie = k == 0 ? TALLY_TIE_FIRST : TALLY_TIE_LAST;
        desc.output.dtype = index;
        run_reduce(&desc, how);
    }
}
END_TEST

static uint64_t random_size(uint64_t *state) {
    const uint64_t special[] = {0, 1, 1, 40};
    const uint64_t draw = values_random(state) % 12;
    return draw < COUNT(special) ? special[draw] : 2 + values_random(state) % 4;
}

/* Any rank, sizes, axes, strides and offsets. */
START_TEST(random_problems) {
    const subject it = subjects[(size_t)_i % COUNT(subjects)];
    uint64_t state = (uint64_t)_i;
    for (int k = 0; k < 20; k++) {
        shape sizes = {(uint32_t)(values_random(&state) % 9), {0}};
        uint64_t count = 1;
        bool empty = false;
        for (uint32_t axis = 0; axis < sizes.rank; axis++) {
            sizes.size[axis] = random_size(&state);
            sizes.size[axis] = count * sizes.size[axis] > 20000 ? 1 : sizes.size[axis];
            empty = empty || sizes.size[axis] == 0;
            count *= sizes.size[axis] == 0 ? 1 : sizes.size[axis];
        }
        const uint32_t axes = (uint32_t)values_random(&state) & ((1u << sizes.rank) - 1);
        if (empty && legal_is_index(it.function)) {
            continue; /* an error if a swept axis is empty: test_errors_create.c */
        }
        tally_reduce desc = shape_reduce(it.function, it.dtype, sizes, axes);
        shape_random_input(&desc.input, &state);
        shape_random_output(&desc.output, &state);
        run_subject(it, desc);
    }
}
END_TEST

Suite *suite_reduce_layouts(void) {
    Suite *suite = suite_create("reduce_layouts");
    TCase *tests = tcase_create("reduce_layouts");
    tcase_set_timeout(tests, 600);
    share_add_loop(tests, groups_of_axes, (int)COUNT(subjects), 3);
    tcase_add_test(tests, two_long_groups);
    share_add_loop(tests, random_problems, 20 * (int)COUNT(subjects), 9);
    suite_add_tcase(suite, tests);
    return suite;
}
