/*
 * Lists of axes: a merged list visits the same pairs of offsets in the same order as the axes it
 * was made of, and no shorter list does.
 */
#include "model/dims.h"

#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "support/numbers/values.h"

#define POSITIONS 2048

/* The offsets that a walk through axes comes by, outermost axis slowest. */
typedef struct walk {
    uint64_t count;
    uint64_t in[POSITIONS], out[POSITIONS];
} walk;

static void walk_axes(walk *steps, uint32_t axes, const uint64_t *size, const uint64_t *in,
                      const uint64_t *out) {
    steps->count = 1;
    steps->in[0] = steps->out[0] = 0;
    for (uint32_t k = 0; k < axes; k++) { /* each axis repeats what its outer ones did */
        for (uint64_t position = steps->count; position-- > 0;) {
            for (uint64_t i = size[k]; i-- > 0;) {
                steps->in[position * size[k] + i] = steps->in[position] + i * in[k];
                steps->out[position * size[k] + i] = steps->out[position] + i * out[k];
            }
        }
        steps->count *= size[k];
    }
}

static bool same_walk(const walk *a, const walk *b) {
    return a->count == b->count && memcmp(a->in, b->in, a->count * sizeof a->in[0]) == 0 &&
           memcmp(a->out, b->out, a->count * sizeof a->out[0]) == 0;
}

/* True if the positions 0, step, 2 * step... up to count of them are a walk of that many axes. */
static bool is_walk_of(const walk *steps, uint64_t step, uint64_t count, uint32_t axes) {
    if (count == 1)
        return true;
    if (axes == 0)
        return false;
    for (uint64_t inner = 2; inner <= count; inner++) {
        if (count % inner != 0)
            continue;
        bool even = true; /* every row of inner positions is evenly spaced, all alike */
        for (uint64_t i = 0; i < count && even; i++) {
            const uint64_t row = i / inner * inner * step, column = i % inner;
            even = steps->in[i * step] == steps->in[row] + column * steps->in[step] &&
                   steps->out[i * step] == steps->out[row] + column * steps->out[step];
        }
        if (even && is_walk_of(steps, step * inner, count / inner, axes - 1))
            return true;
    }
    return false;
}

/* Random axes, some of which the next one inward continues in one tensor or in both. */
static uint32_t make_axes(uint64_t *state, uint64_t *size, uint64_t *in, uint64_t *out) {
    const uint32_t axes = (uint32_t)(values_random(state) % 6);
    uint64_t next_in = values_random(state) % 3, next_out = values_random(state) % 3;
    for (uint32_t k = axes; k-- > 0;) {
        const uint64_t draw = values_random(state);
        size[k] = 1 + draw % 4;
        in[k] = draw / 4 % 4 == 0 ? draw / 16 % 6 : next_in;
        out[k] = draw / 128 % 4 == 0 ? draw / 512 % 6 : next_out;
        next_in = size[k] * in[k];
        next_out = size[k] * out[k];
    }
    return axes;
}

START_TEST(a_merged_list_visits_the_same_in_the_same_order) {
    static walk named, merged;
    uint64_t state = 3, size[6], in[6], out[6];
    int shorter = 0, longest = 0;
    for (int i = 0; i < 20000; i++) {
        const uint32_t axes = make_axes(&state, size, in, out);
        tally_dims dims = {0};
        for (uint32_t k = 0; k < axes; k++)
            tally_dims_append(&dims, size[k], in[k], out[k]);
        const uint32_t appended = dims.count;
        tally_dims_merge(&dims);
        walk_axes(&named, axes, size, in, out);
        walk_axes(&merged, dims.count, dims.size, dims.in, dims.out);
        if (!same_walk(&named, &merged))
            ck_abort_msg("list %d: the merged list goes another way", i);
        if (tally_dims_elements(&dims) != named.count)
            ck_abort_msg("list %d: the sizes multiply to another number", i);
        if (dims.count > 0 && is_walk_of(&named, 1, named.count, dims.count - 1))
            ck_abort_msg("list %d: %u axes, but fewer would do", i, dims.count);
        shorter += dims.count < appended;
        longest += dims.count == 5;
    }
    ck_assert_int_gt(shorter, 5000);
    ck_assert_int_gt(longest, 10);
}
END_TEST

START_TEST(merging_again_changes_nothing) {
    uint64_t state = 5, size[6], in[6], out[6];
    for (int i = 0; i < 5000; i++) {
        const uint32_t axes = make_axes(&state, size, in, out);
        tally_dims dims = {0};
        for (uint32_t k = 0; k < axes; k++)
            tally_dims_append(&dims, size[k], in[k], out[k]);
        tally_dims_merge(&dims);
        tally_dims again = dims;
        tally_dims_merge(&again);
        if (again.count != dims.count || memcmp(&again, &dims, sizeof dims) != 0)
            ck_abort_msg("list %d is merged differently the second time", i);
    }
}
END_TEST

/* Sorted: the strides go down, equal ones keep their order, and every axis is there whole. */
START_TEST(sorting_keeps_axes_whole_and_equal_strides_in_order) {
    uint64_t state = 7, size[6], in[6], out[6];
    for (int i = 0; i < 5000; i++) {
        const uint32_t axes = make_axes(&state, size, in, out);
        const bool by_output = i % 2 != 0;
        const uint64_t *stride = by_output ? out : in;
        tally_dims dims = {0};
        for (uint32_t k = 0; k < axes; k++) /* the size tells which axis it was */
            tally_dims_append(&dims, 100 + k, in[k], out[k]);
        tally_dims_sort(&dims, by_output);
        ck_assert_uint_eq(dims.count, axes);
        for (uint32_t k = 0; k < axes; k++) {
            const uint64_t from = dims.size[k] - 100;
            ck_assert_uint_lt(from, axes);
            if (dims.in[k] != in[from] || dims.out[k] != out[from])
                ck_abort_msg("list %d: axis %u has another one's strides", i, k);
            if (k == 0)
                continue;
            const uint64_t before = dims.size[k - 1] - 100;
            const bool in_turn = before < from;
            if (stride[before] < stride[from] || (stride[before] == stride[from] && !in_turn))
                ck_abort_msg("list %d: axes %u and %u are the wrong way round", i, k - 1, k);
        }
    }
}
END_TEST

START_TEST(axes_of_one_coordinate_are_dropped) {
    tally_dims dims = {0};
    tally_dims_append(&dims, 1, 99, UINT64_MAX);
    ck_assert_uint_eq(dims.count, 0);
    tally_dims_merge(&dims);
    ck_assert_uint_eq(dims.count, 0);
    ck_assert_uint_eq(tally_dims_elements(&dims), 1);
    tally_dims_append(&dims, 7, 3, 2);
    tally_dims_append(&dims, 1, 0, 0);
    tally_dims_merge(&dims);
    ck_assert_uint_eq(dims.count, 1);
    ck_assert_uint_eq(dims.size[0], 7);
    ck_assert_uint_eq(dims.in[0], 3);
    ck_assert_uint_eq(dims.out[0], 2);
}
END_TEST

START_TEST(packed_axes_become_one) {
    tally_dims dims = {0};
    const uint64_t size[] = {2, 3, 5, 7, 11, 13, 17, 19};
    uint64_t stride = 1, strides[8];
    for (uint32_t k = 8; k-- > 0; stride *= size[k])
        strides[k] = stride;
    for (uint32_t k = 0; k < 8; k++)
        tally_dims_append(&dims, size[k], strides[k], 2 * strides[k]);
    tally_dims_merge(&dims);
    ck_assert_uint_eq(dims.count, 1);
    ck_assert_uint_eq(dims.size[0], 9699690);
    ck_assert_uint_eq(dims.in[0], 1);
    ck_assert_uint_eq(dims.out[0], 2);
}
END_TEST

/* Repeated elements merge with repeated ones; with others only if both tensors allow it. */
START_TEST(axes_merge_only_where_both_tensors_do) {
    tally_dims dims = {2, {3, 4}, {0, 0}, {4, 1}};
    tally_dims_merge(&dims);
    ck_assert_uint_eq(dims.count, 1);
    ck_assert_uint_eq(dims.size[0], 12);
    dims = (tally_dims){2, {3, 4}, {4, 1}, {5, 1}};
    tally_dims_merge(&dims);
    ck_assert_uint_eq(dims.count, 2);
    dims = (tally_dims){2, {3, 4}, {0, 1}, {4, 1}};
    tally_dims_merge(&dims);
    ck_assert_uint_eq(dims.count, 2);
}
END_TEST

START_TEST(an_empty_axis_empties_the_list) {
    tally_dims dims = {0};
    tally_dims_append(&dims, 3, 0, 0);
    tally_dims_append(&dims, 0, 1, 1);
    tally_dims_append(&dims, 5, 1, 1);
    tally_dims_merge(&dims);
    ck_assert_uint_eq(tally_dims_elements(&dims), 0);
}
END_TEST

Suite *suite_dims(void) {
    Suite *suite = suite_create("dims");
    TCase *tests = tcase_create("dims");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, a_merged_list_visits_the_same_in_the_same_order);
    tcase_add_test(tests, merging_again_changes_nothing);
    tcase_add_test(tests, sorting_keeps_axes_whole_and_equal_strides_in_order);
    tcase_add_test(tests, axes_of_one_coordinate_are_dropped);
    tcase_add_test(tests, packed_axes_become_one);
    tcase_add_test(tests, axes_merge_only_where_both_tensors_do);
    tcase_add_test(tests, an_empty_axis_empties_the_list);
    suite_add_tcase(suite, tests);
    return suite;
}
