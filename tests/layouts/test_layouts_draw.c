/*
 * The random problems of tally bench layouts: the same for ever, legal, of the wanted size, and of
 * all pairs of function and type. How frequent they are is test_layouts_frequencies.c's.
 */
#include "drawn.h"

#include <string.h>

#include <check.h>

#include "cli/tables/types.h"
#include "model/problem.h"

/* ---- The same for ever --------------------------------------------------------------------- */

/* FNV-1a of the descriptions of the first 1000 problems. */
static uint64_t hash_of(uint64_t seed, int log2, bench_subject only) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (uint32_t i = 0; i < 1000; i++) {
        char text[LAYOUTS_TEXT_BYTES];
        const layouts_problem problem = drawn(seed, i, log2, only);
        layouts_describe(&problem, text, sizeof text);
        for (const char *at = text; *at != '\0'; at++)
            hash = (hash ^ (unsigned char)*at) * UINT64_C(0x100000001b3);
    }
    return hash;
}

/*
 * A seed means these problems. Another hash says that figures of before and after a change are of
 * different problems: docs/performance.md has to say so too.
 */
START_TEST(test_hashes) {
    const struct {
        uint64_t seed;
        int log2;
        bench_subject only;
        uint64_t hash;
    } rows[] = {
        {1, 14, BENCH_SUBJECTS, UINT64_C(0x79130005a6e78e81)},
        {1, 30, BENCH_SUBJECTS, UINT64_C(0xbf499e5c2f3c5d52)},
        {101, 30, BENCH_SUBJECTS, UINT64_C(0x083480cbe7039cf1)},
        {1, 30, BENCH_REDUCE, UINT64_C(0x881f7cebc9907f07)},
        {1, 30, BENCH_SCAN, UINT64_C(0xa187f5b07204f01b)},
        {1, 30, BENCH_DIAGONAL, UINT64_C(0x909c7a0f08a73d5a)},
        {UINT64_MAX, 36, BENCH_SUBJECTS, UINT64_C(0x37c1917136e7c2d8)},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        ck_assert_msg(hash_of(rows[i].seed, rows[i].log2, rows[i].only) == rows[i].hash,
                      "row %zu: the hash is 0x%016llx", i,
                      (unsigned long long)hash_of(rows[i].seed, rows[i].log2, rows[i].only));
}
END_TEST

START_TEST(test_texts) {
    const struct {
        uint32_t index;
        const char *text;
    } rows[] = {
        {0, "reduce sum f16 [112863197,4]/{0} pitch of 0 +1 at 5"},
        {8, "diagonal i8 [4016479,256]/{min,-13} no input -> pitch of 0 +32"},
        {10, "scan sum f32 [157,181921,9]/{2} exclusive repeat 2 at 29"},
        {13, "scan multiply f32 [320,332526,3]/{1} exclusive descending order 1,0,2"},
        {27, "scan sum f32 [63,5067069]/{1} descending in place pitch of 0 +14 at 45"},
        {91, "reduce argmax f32 [8,276,384,2,122]/{4} -> i64"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[LAYOUTS_TEXT_BYTES];
        const layouts_problem problem = drawn_any(rows[i].index, 30);
        layouts_describe(&problem, text, sizeof text);
        ck_assert_str_eq(text, rows[i].text);
    }
}
END_TEST

/* Sizes are all that differs between sizes, and the padding, and where a band is. */
START_TEST(test_alike) {
    for (uint32_t i = 0; i < 2000; i++) {
        const layouts_problem a = drawn_any(i, 16), b = drawn_any(i, 30);
        ck_assert_int_eq(a.subject, b.subject);
        ck_assert_int_eq(a.function, b.function);
        ck_assert_int_eq(a.input.dtype, b.input.dtype);
        ck_assert_int_eq(a.output.dtype, b.output.dtype);
        ck_assert_uint_eq(a.input.rank, b.input.rank);
        ck_assert_uint_eq(a.axes, b.axes);
        ck_assert_int_eq(a.in_place, b.in_place);
        ck_assert_int_eq(a.has_input, b.has_input);
        ck_assert_int_eq(a.exclusive, b.exclusive);
        ck_assert_int_eq(a.descending, b.descending);
        ck_assert_mem_eq(a.input_placement.order, b.input_placement.order,
                         sizeof a.input_placement.order);
        ck_assert_mem_eq(a.output_placement.order, b.output_placement.order,
                         sizeof a.output_placement.order);
        ck_assert_uint_eq(a.input_placement.offset, b.input_placement.offset);
        ck_assert_uint_eq(a.input_placement.repeated, b.input_placement.repeated);
    }
}
END_TEST

/* ---- Legal, and of the wanted size --------------------------------------------------------- */

static tally_status check(const layouts_problem *problem, tally_problem *checked,
                          tally_error *error) {
    const tally_reduce reduce = layouts_reduce(problem);
    const tally_diagonal fill = layouts_diagonal(problem);
    if (problem->subject == BENCH_REDUCE)
        return tally_problem_reduce(&reduce, checked, error);
    if (problem->subject == BENCH_DIAGONAL)
        return tally_problem_diagonal(&fill, checked, error);
    const tally_cumulative scan = layouts_scan(problem);
    return tally_problem_cumulative(&scan, checked, error);
}

static uint64_t bytes_of(const tally_tensor *tensor) {
    uint64_t bytes = cli_type_bytes(tensor->dtype);
    for (uint32_t k = 0; k < tensor->rank; k++)
        bytes *= tensor->size[k];
    return bytes;
}

static void check_sizes(const layouts_problem *problem, int log2) {
    const uint64_t in = bytes_of(&problem->input), out = bytes_of(&problem->output);
    const double larger = (double)(in > out ? in : out);
    const double middle = (double)(UINT64_C(1) << log2);
    ck_assert(larger >= middle * 0.707 && larger <= middle * 1.4143);
    const uint64_t most = UINT64_C(4) << log2;
    ck_assert_uint_le(layouts_extent(&problem->input) * cli_type_bytes(problem->input.dtype), most);
    ck_assert_uint_le(layouts_extent(&problem->output) * cli_type_bytes(problem->output.dtype),
                      most);
    for (uint32_t k = 0; k < problem->input.rank; k++)
        ck_assert_uint_ge(problem->input.size[k], 2);
}

START_TEST(test_legal) {
    const int sizes[] = {LAYOUTS_LOG2_MIN, 14, 23, 30, LAYOUTS_LOG2_MAX};
    const int log2 = sizes[_i];
    for (uint32_t i = 0; i < DRAWS; i++) {
        const layouts_problem problem = drawn_any(i, log2);
        tally_problem checked;
        tally_error error = {.message = ""};
        const tally_status status = check(&problem, &checked, &error);
        ck_assert_msg(status == TALLY_OK, "problem %u: %s", (unsigned)i, error.message);
        if (problem.in_place)
            ck_assert(checked.in_place);
        check_sizes(&problem, log2);
    }
}
END_TEST

/* ---- All sizes and pairs ------------------------------------------------------------------- */

/* Odd sizes, primes, powers of two; paddings of either kind; short and long axes everywhere. */
START_TEST(test_sizes) {
    uint32_t odd = 0, primes = 0, powers = 0, all = 0, units = 0, few = 0;
    for (uint32_t i = 0; i < DRAWS; i++) {
        const layouts_problem problem = drawn_any(i, 27);
        for (uint32_t k = 0; k < problem.input.rank; k++, all++) {
            const uint64_t size = problem.input.size[k];
            odd += size % 2;
            powers += (size & (size - 1)) == 0;
            primes += size < 10000 && layouts_prime_below(size) == size;
        }
        const layouts_placement *placement = &problem.input_placement;
        if (placement->padded != LAYOUTS_NO_AXIS) {
            const bool to_unit = problem.input.stride[placement->padded] % 32 == 0;
            units += to_unit;
            few += placement->padding <= 17 && !to_unit;
            ck_assert(to_unit || placement->padding <= 17);
        }
    }
    ck_assert(odd > all * 2 / 5 && odd < all * 7 / 10);
    ck_assert(primes > all / 5 && primes < all / 2);
    ck_assert(powers > all / 6 && powers < all / 2);
    ck_assert(units > 300 && few > 300);
}
END_TEST

/* Every function meets every type that it takes, and --only leaves the other operators out. */
START_TEST(test_pairs) {
    uint32_t seen[TALLY_SUM_SQUARE + 1][TALLY_U64 + 1] = {{0}}, pairs = 0;
    for (bench_subject only = BENCH_REDUCE; only < BENCH_SUBJECTS; only++)
        for (uint32_t i = 0; i < 3 * DRAWS; i++) {
            const layouts_problem problem = drawn(2, i, 20, only);
            ck_assert_int_eq(problem.subject, only);
            pairs += seen[problem.function][problem.input.dtype]++ == 0;
        }
    /* 4 functions of 11 types, 4 of 7, 4 of 3; fills of 11. */
    ck_assert_uint_eq(pairs, 4 * 11 + 4 * 7 + 4 * 3 + 11);
}
END_TEST

Suite *suite_layouts_draw(void);
Suite *suite_layouts_draw(void) {
    Suite *suite = suite_create("layouts_draw");
    TCase *tcase = tcase_create("draw");
    tcase_add_test(tcase, test_hashes);
    tcase_add_test(tcase, test_texts);
    tcase_add_test(tcase, test_alike);
    tcase_add_loop_test(tcase, test_legal, 0, 5);
    tcase_add_test(tcase, test_sizes);
    tcase_add_test(tcase, test_pairs);
    suite_add_tcase(suite, tcase);
    return suite;
}
