/*
 * test_contract_fill.c: the contract's row on DIAGONAL_MATRIX1: intervals in their three forms and
 * at the ends of the integers, ranks, and bits that are carried over untouched.
 */
#include <check.h>

#include "support/descriptions/shape.h"
#include "support/expect.h"
#include "support/fixtures/call.h"
#include "support/fixtures/fixture.h"
#include "support/fixtures/small.h"
#include "support/numbers/number.h"

Suite *suite_contract_fill(void);

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* A fill of a {3, 4} matrix; # is where the value goes. */
typedef struct picture {
    int64_t begin, end;
    const char *marks;
} picture;

/* Once into zeros, once into a given matrix. */
static void check_pictures(const picture *rows, size_t count) {
    static const uint16_t given[12] = {10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21};
    for (size_t k = 0; k < count; k++) {
        uint16_t zeros[12], copy[12];
        tally_diagonal desc = TALLY_DIAGONAL_INIT;
        tally_tensor input;
        desc.output = input = shape_tensor(TALLY_U16, SHAPE(3, 4));
        desc.begin = rows[k].begin;
        desc.end = rows[k].end;
        desc.value.u16 = 7;
        call_diagonal(&desc, NULL, zeros);
        desc.input = &input;
        call_diagonal(&desc, given, copy);
        for (size_t i = 0; i < 12; i++) {
            const bool filled = rows[k].marks[i] == '#';
            ck_assert_msg(zeros[i] == (filled ? 7 : 0) && copy[i] == (filled ? 7 : given[i]),
                          "row %zu, element %zu: %d of zeros, %d of %d", k, i, zeros[i], copy[i],
                          given[i]);
        }
    }
}

START_TEST(fill_of_begin_below_end_is_the_band_between) {
    static const picture rows[] = {
        {0, 1, "#....#....#."},   {1, 2, ".#....#....#"},   {-1, 0, "....#....#.."},
        {0, 3, "###..###..##"},   {-1, 2, "##..###..###"},  {3, 4, "...#........"},
        {-2, -1, "........#..."}, {-99, 1, "#...##..###."}, {1, 99, ".###..##...#"},
        {4, 9, "............"},   {-9, -2, "............"}, {-2, 4, "############"},
    };
    check_pictures(rows, COUNT(rows));
}
END_TEST

START_TEST(fill_of_begin_equal_to_end_is_empty) {
    static const picture rows[] = {
        {0, 0, "............"},
        {2, 2, "............"},
        {-1, -1, "............"},
        {INT64_MAX, INT64_MAX, "............"},
        {INT64_MIN, INT64_MIN, "............"},
    };
    check_pictures(rows, COUNT(rows));
}
END_TEST

START_TEST(fill_of_begin_above_end_is_all_but_the_band) {
    static const picture rows[] = {
        {1, 0, ".####.####.#"},   {2, 1, "#.####.####."}, {3, 0, "...##...##.."},
        {9, -9, "............"},  {9, 4, "############"}, {99, 1, "#...##..###."},
        {1, -99, ".###..##...#"},
    };
    check_pictures(rows, COUNT(rows));
}
END_TEST

/* Only compared, never added to. */
START_TEST(fill_takes_the_extremes_of_int32_and_int64) {
    static const picture rows[] = {
        {INT32_MIN, 1, "#...##..###."},
        {INT64_MIN, 1, "#...##..###."},
        {0, INT32_MAX, "####.###..##"},
        {0, INT64_MAX, "####.###..##"},
        {INT32_MIN, INT32_MAX, "############"},
        {INT64_MIN, INT64_MAX, "############"},
        {INT32_MAX, INT32_MIN, "............"},
        {INT64_MAX, INT64_MIN, "............"},
        {INT64_MAX, 1, "#...##..###."},
        {1, INT64_MIN, ".###..##...#"},
        {INT64_MAX - 1, INT64_MAX, "............"},
        {INT64_MIN + 1, INT64_MIN, "############"},
        {INT64_MAX, INT64_MAX - 1, "############"},
        {INT32_MAX, INT32_MAX - 1, "############"},
    };
    check_pictures(rows, COUNT(rows));
}
END_TEST

/* NaN with payload, signalling NaN, infinities, -0: each stands beside a value that is none of it.
 */
START_TEST(fill_preserves_the_bits_of_the_input) {
    const small_float *f = &small_floats[_i];
    const uint64_t given[8] = {f->nans[0],
                               f->nans[1],
                               f->nans[2],
                               f->nans[3],
                               f->minus,
                               f->infinity,
                               f->infinity | f->minus,
                               1};
    const size_t bytes = number_bytes(f->dtype);
    unsigned char x[8 * 8], copy[8 * 8], zeros[8 * 8];
    tally_diagonal desc = TALLY_DIAGONAL_INIT;
    const tally_tensor tensor = shape_tensor(f->dtype, SHAPE(2, 4));
    for (size_t k = 0; k < 8; k++) {
        number_store(f->dtype, x + k * bytes, given[k]);
    }
    number_store(f->dtype, &desc.value, f->nans[3]);
    desc.output = tensor;
    desc.begin = 3; /* the last of the first row */
    desc.end = 4;
    call_diagonal(&desc, NULL, zeros);
    desc.input = &tensor;
    call_diagonal(&desc, x, copy);
    for (size_t k = 0; k < 8; k++) {
        ck_assert_uint_eq(number_load(f->dtype, copy + k * bytes), k == 3 ? f->nans[3] : given[k]);
        ck_assert_uint_eq(number_load(f->dtype, zeros + k * bytes), k == 3 ? f->nans[3] : 0);
    }
}
END_TEST

/* {2, ..., 2}: each matrix of the batch is the same. */
START_TEST(fill_takes_ranks_2_to_8) {
    for (uint32_t rank = 2; rank <= TALLY_MAX_RANK; rank++) {
        uint8_t matrices[256];
        tally_diagonal desc = TALLY_DIAGONAL_INIT;
        desc.output = shape_tensor(TALLY_U8, (shape){rank, {2, 2, 2, 2, 2, 2, 2, 2}});
        desc.value.u8 = 1;
        desc.end = 1;
        call_diagonal(&desc, NULL, matrices);
        for (uint32_t k = 0; k < 1u << rank; k++) {
            ck_assert_msg(matrices[k] == (k % 4 == 0 || k % 4 == 3), "rank %u, element %u",
                          (unsigned)rank, (unsigned)k);
        }
    }
}
END_TEST

START_TEST(fill_of_another_rank_is_an_error) {
    static const struct {
        uint32_t rank;
        expect wanted;
    } rows[] = {{0, {TALLY_INVALID, {"rank 0", "2"}}},
                {1, {TALLY_INVALID, {"rank 1", "2"}}},
                {9, {TALLY_INVALID, {"rank 9", "8"}}}};
    for (size_t k = 0; k < COUNT(rows); k++) {
        tally_diagonal desc = TALLY_DIAGONAL_INIT;
        tally_op *op = NULL;
        tally_error error;
        desc.output = shape_tensor(TALLY_F32, SHAPE(4, 4));
        desc.output.rank = rows[k].rank;
        const tally_status status =
            tally_diagonal_create(fixture_get()->runtime, &desc, &op, &error);
        expect_refusal("rank", &rows[k].wanted, status, &error);
    }
}
END_TEST

Suite *suite_contract_fill(void) {
    Suite *suite = suite_create("contract_fill");
    TCase *tests = tcase_create("contract_fill");
    tcase_add_test(tests, fill_of_begin_below_end_is_the_band_between);
    tcase_add_test(tests, fill_of_begin_equal_to_end_is_empty);
    tcase_add_test(tests, fill_of_begin_above_end_is_all_but_the_band);
    tcase_add_test(tests, fill_takes_the_extremes_of_int32_and_int64);
    tcase_add_loop_test(tests, fill_preserves_the_bits_of_the_input, 0, SMALL_FLOATS);
    tcase_add_test(tests, fill_takes_ranks_2_to_8);
    tcase_add_test(tests, fill_of_another_rank_is_an_error);
    suite_add_tcase(suite, tests);
    return suite;
}
