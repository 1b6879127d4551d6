/*
 * The rule that an output's strides must nest, against counting: an accepted tensor never has two
 * coordinates at one element. The other way round the rule is stricter than it need be, and a test
 * says where.
 */
#include "model/tensor.h"

#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "support/descriptions/shape.h"
#include "support/expect.h"
#include "support/numbers/values.h"
#include "support/oracle/oracle.h"

static bool is_accepted(const tally_tensor *tensor) {
    return tally_tensor_check_distinct(tensor, "gauge", NULL) == TALLY_OK;
}

#define POSITIONS 4096

/* True if two coordinates are at one element, found by going to all of them. */
static bool collides(const tally_tensor *tensor) {
    unsigned char seen[POSITIONS] = {0};
    const uint64_t elements = oracle_count(tensor);
    for (uint64_t i = 0; i < elements; i++) {
        const uint64_t position = oracle_offset(tensor, i);
        if (position >= POSITIONS)
            ck_abort_msg("the test's tensors are too large");
        if (seen[position]++ != 0)
            return true;
    }
    return false;
}

/* The rule by trying: there is an order of the axes in which each steps over all those before. */
static bool nests(const tally_tensor *tensor, uint32_t used, uint64_t extent) {
    bool left = false;
    for (uint32_t k = 0; k < tensor->rank; k++) {
        if ((used >> k & 1) != 0 || tensor->size[k] == 1)
            continue;
        left = true;
        if (tensor->stride[k] >= extent &&
            nests(tensor, used | 1u << k, extent + (tensor->size[k] - 1) * tensor->stride[k]))
            return true;
    }
    return !left;
}

/* Up to four axes of up to five, at strides that are close to those that nest, or any. */
static tally_tensor make_small(uint64_t *state) {
    tally_tensor tensor = {TALLY_U8, (uint32_t)(values_random(state) % 5), 0, {0}, {0}};
    for (uint32_t k = 0; k < tensor.rank; k++)
        tensor.size[k] = 1 + values_random(state) % 5;
    shape_nest(&tensor, 1, state);
    for (uint32_t k = 0; k < tensor.rank; k++) {
        const uint64_t draw = values_random(state) % 12;
        if (draw == 0)
            tensor.stride[k] = values_random(state) % 40;
        else if (draw == 1 && tensor.stride[k] > 0)
            tensor.stride[k]--;
    }
    return tensor;
}

START_TEST(what_is_accepted_never_collides) {
    uint64_t state = 7;
    int accepted = 0, colliding = 0, strict = 0;
    for (int i = 0; i < 30000; i++) {
        const tally_tensor tensor = make_small(&state);
        const bool taken = is_accepted(&tensor), bad = collides(&tensor);
        if (taken && bad)
            ck_abort_msg("tensor %d is accepted, but two of its coordinates collide", i);
        if (taken != nests(&tensor, 0, 1))
            ck_abort_msg("tensor %d is %s by the rule", i, taken ? "refused" : "accepted");
        accepted += taken;
        colliding += bad;
        strict += !taken && !bad;
    }
    /* The test has seen all three kinds. */
    ck_assert_int_gt(accepted, 5000);
    ck_assert_int_gt(colliding, 2000);
    ck_assert_int_gt(strict, 100);
}
END_TEST

/*
 * The price of a rule that is quick to check: {2, 3} at strides {3, 2} has its elements at 0, 2, 4
 * and 3, 5, 7. None collide, but they interleave, so no axis steps over the other.
 */
START_TEST(interleaved_axes_are_refused_though_they_are_distinct) {
    const tally_tensor tensor = {TALLY_F32, 2, TALLY_STRIDED, {2, 3}, {3, 2}};
    tally_error error = TALLY_ERROR_INIT;
    const expect wanted = {TALLY_UNSUPPORTED, {"gauge", "stride 3", "axis 0", "5 elements"}};
    ck_assert(!collides(&tensor));
    expect_refusal("interleaved", &wanted, tally_tensor_check_distinct(&tensor, "gauge", &error),
                   &error);
}
END_TEST

START_TEST(a_repeated_element_is_refused) {
    const tally_tensor tensor = {TALLY_F32, 3, TALLY_STRIDED, {5, 2, 1}, {2, 0, 0}};
    tally_error error = TALLY_ERROR_INIT;
    const expect wanted = {TALLY_UNSUPPORTED, {"gauge", "stride 0", "axis 1", "1 elements"}};
    expect_refusal("stride 0", &wanted, tally_tensor_check_distinct(&tensor, "gauge", &error),
                   &error);
}
END_TEST

START_TEST(axes_of_one_coordinate_collide_with_nothing) {
    const tally_tensor tensor = {TALLY_F32, 3, TALLY_STRIDED, {1, 4, 1}, {0, 1, UINT64_MAX}};
    ck_assert(is_accepted(&tensor));
}
END_TEST

START_TEST(an_empty_tensor_has_nothing_to_collide) {
    const tally_tensor tensor = {TALLY_F32, 3, TALLY_STRIDED, {4, 0, 4}, {0, 1, 0}};
    ck_assert(is_accepted(&tensor));
}
END_TEST

/* One element less than what the inner axes reach over, in every position of the order. */
START_TEST(one_element_too_near_is_refused) {
    uint64_t state = 11;
    for (int i = 0; i < 2000; i++) {
        tally_tensor tensor = {TALLY_U8, 1 + (uint32_t)(i % 8), 0, {0}, {0}};
        for (uint32_t k = 0; k < tensor.rank; k++)
            tensor.size[k] = 2 + values_random(&state) % 200;
        shape_nest(&tensor, 0, &state);
        ck_assert(is_accepted(&tensor));
        for (uint32_t k = 0; k < tensor.rank; k++) {
            tally_tensor nearer = tensor;
            nearer.stride[k]--;
            if (is_accepted(&nearer))
                ck_abort_msg("tensor %d: axis %u may step nearer", i, k);
        }
    }
}
END_TEST

/* Strides near the limits: their sums must not wrap. */
START_TEST(far_strides_nest_too) {
    const tally_tensor far = {TALLY_U8, 2, TALLY_STRIDED, {2, 2}, {INT64_MAX - 2, 1}};
    const tally_tensor many = {TALLY_U8, 2, TALLY_STRIDED, {2, INT64_MAX / 2}, {INT64_MAX / 2, 1}};
    const tally_tensor near = {
        TALLY_U8, 2, TALLY_STRIDED, {2, INT64_MAX / 2}, {INT64_MAX / 2 - 1, 1}};
    ck_assert(is_accepted(&far));
    ck_assert(is_accepted(&many));
    ck_assert(!is_accepted(&near));
}
END_TEST

Suite *suite_tensor_distinct(void) {
    Suite *suite = suite_create("tensor_distinct");
    TCase *tests = tcase_create("tensor_distinct");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, what_is_accepted_never_collides);
    tcase_add_test(tests, interleaved_axes_are_refused_though_they_are_distinct);
    tcase_add_test(tests, a_repeated_element_is_refused);
    tcase_add_test(tests, axes_of_one_coordinate_collide_with_nothing);
    tcase_add_test(tests, an_empty_tensor_has_nothing_to_collide);
    tcase_add_test(tests, one_element_too_near_is_refused);
    tcase_add_test(tests, far_strides_nest_too);
    suite_add_tcase(suite, tests);
    return suite;
}
