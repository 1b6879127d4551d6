/*
 * Pieces of memory that boxes have: how axes are sorted, and along which of them pieces go.
 */
#include "plan/pieces.h"

#include <check.h>

#include "plan/box.h"

enum { AXES = 4 };

static void check_order(uint32_t count, const uint64_t *stride, const uint32_t *order) {
    tally_cut cut[AXES];
    for (uint32_t k = 0; k < count; k++)
        cut[k] = (tally_cut){k, 2, 1, stride[k]};
    tally_cuts_sort(cut, count);
    for (uint32_t k = 0; k < count; k++) {
        ck_assert_uint_eq(cut[k].axis, order[k]);
        ck_assert_uint_eq(cut[k].stride, stride[order[k]]);
    }
}

START_TEST(axes_are_sorted_by_their_distance) {
    check_order(0, NULL, NULL);
    check_order(4, (uint64_t[]){600, 1, 30, 5}, (uint32_t[]){1, 3, 2, 0});
}
END_TEST

START_TEST(axes_that_repeat_come_last) {
    check_order(4, (uint64_t[]){0, UINT64_MAX, 0, 1}, (uint32_t[]){3, 1, 0, 2});
}
END_TEST

START_TEST(axes_of_one_stride_stay_as_they_come) {
    check_order(4, (uint64_t[]){7, 1, 7, 1}, (uint32_t[]){1, 3, 0, 2});
}
END_TEST

static void check_pieces(uint32_t count, const tally_cut *cut, uint64_t gap, uint64_t pieces,
                         uint64_t span, uint32_t axes) {
    const tally_pieces found = tally_pieces_find(cut, count, gap);
    ck_assert_uint_eq(found.count, pieces);
    ck_assert_uint_eq(found.span, span);
    ck_assert_uint_eq(found.axes, axes);
}

/* An element is a piece. */
START_TEST(a_box_of_no_axes_is_a_piece) {
    check_pieces(0, NULL, 0, 1, 1, 0);
}
END_TEST

/* Of 10 x 20 elements, 3 x 20 are one piece, and 10 x 5 are ten of them. */
START_TEST(pieces_go_on_behind_whole_axes) {
    check_pieces(2, (tally_cut[]){{1, 20, 20, 1}, {0, 10, 3, 20}}, 0, 1, 60, 2);
    check_pieces(2, (tally_cut[]){{1, 20, 5, 1}, {0, 10, 10, 20}}, 0, 10, 5, 1);
}
END_TEST

/* Rows of 20 are a piece at 40 elements' distance, and at 41 they are not. */
START_TEST(pieces_have_gaps_as_long_as_they_are) {
    check_pieces(2, (tally_cut[]){{1, 20, 20, 1}, {0, 10, 3, 40}}, 0, 1, 100, 2);
    check_pieces(2, (tally_cut[]){{1, 20, 20, 1}, {0, 10, 3, 41}}, 0, 3, 20, 1);
}
END_TEST

/* Elements 8 apart are near, or a piece each. */
START_TEST(pieces_have_gaps_that_are_near) {
    const tally_cut cut[] = {{0, 10, 4, 8}};
    check_pieces(1, cut, 8, 1, 25, 1);
    check_pieces(1, cut, 7, 4, 1, 0);
}
END_TEST

/* The terms come first of the axes of a scan's box that lie equally close. */
START_TEST(boxes_have_axes_in_order) {
    const tally_box_wish wish = {.axes = 4,
                                 .axis = {{5, 3, 1}, {6, 0, 5}, {7, 1, 30}, {8, 3, 210}}};
    uint32_t order[TALLY_BOX_DIMS];
    ck_assert_uint_eq(tally_box_order(&wish, false, order), 4);
    ck_assert_mem_eq(order, ((uint32_t[]){2, 0, 3, 1}), 4 * sizeof order[0]);
    ck_assert_uint_eq(tally_box_order(&wish, true, order), 4);
    ck_assert_mem_eq(order, ((uint32_t[]){0, 1, 2, 3}), 4 * sizeof order[0]);
}
END_TEST

Suite *suite_pieces(void);

Suite *suite_pieces(void) {
    Suite *suite = suite_create("pieces");
    TCase *tests = tcase_create("pieces");
    tcase_add_test(tests, axes_are_sorted_by_their_distance);
    tcase_add_test(tests, axes_that_repeat_come_last);
    tcase_add_test(tests, axes_of_one_stride_stay_as_they_come);
    tcase_add_test(tests, a_box_of_no_axes_is_a_piece);
    tcase_add_test(tests, pieces_go_on_behind_whole_axes);
    tcase_add_test(tests, pieces_have_gaps_as_long_as_they_are);
    tcase_add_test(tests, pieces_have_gaps_that_are_near);
    tcase_add_test(tests, boxes_have_axes_in_order);
    suite_add_tcase(suite, tests);
    return suite;
}
