/*
 * test_rank_bits.c: every legal function and type, distributed, has the bits of one piece. With two
 * ranks all of them; with other numbers a sixth each, so that all numbers together have all twice.
 */
#include <check.h>

#include "support/descriptions/legal.h"
#include "support/descriptions/shape.h"
#include "support/fixtures/fixture.h"

#include "mpi/distributed.h"

Suite *suite_rank_bits(void);

#define STRETCH UINT64_C(262144)

/* Whether this number of ranks has the index-th case. */
static bool is_due(int index) {
    static const int slots[] = {0, 0, -1, 1, 2, 5, 5, 3, 4};
    const int ranks = world_get()->ranks;
    return ranks == 2 || index % 6 == (ranks <= 8 ? slots[ranks] : 0);
}

/* The result on the last rank, on all, on the first. */
static int root_of(int index) {
    return index % 3 == 0 ? world_get()->ranks - 1 : index % 3 == 1 ? TALLY_MPI_ALL : 0;
}

START_TEST(every_function_and_type_reduced) {
    const legal_pair pair = legal_reduce_pair(_i);
    if (!is_due(_i) || !fixture_has(pair.dtype))
        return;
    tally_reduce row = shape_reduce(pair.function, pair.dtype, SHAPE(9 * 4096 + 77), 1);
    tally_reduce columns = shape_reduce(pair.function, pair.dtype, SHAPE(3 * 4096 + 5, 3), 1);
    if (legal_is_index(pair.function))
        row.output.dtype = legal_index_types(_i % 4);
    distributed_how how = {
        .root = root_of(_i), .values = _i % 2 ? VALUES_WIDE : VALUES_SPECIAL, .seed = (uint64_t)_i};
    distributed_check(SHAPE_DESC(reduce, &row), how);
    how.root = root_of(_i + 1);
    distributed_check(SHAPE_DESC(reduce, &columns), how);
}
END_TEST

static tally_cumulative scan_of(legal_pair pair, shape sizes, int how) {
    tally_cumulative desc = shape_scan(pair.function, pair.dtype, sizes, 0);
    desc.descending = how % 2 != 0;
    desc.exclusive = how / 2 % 2 != 0;
    return desc;
}

START_TEST(every_function_and_type_scanned) {
    const legal_pair pair = legal_scan_pair(_i);
    if (!is_due(_i) || !fixture_has(pair.dtype))
        return;
    const distributed_how how = {.values = pair.function == TALLY_MULTIPLY ? VALUES_NEAR_ONE
                                                                           : VALUES_WIDE,
                                 .seed = (uint64_t)_i};
    const tally_cumulative row = scan_of(pair, SHAPE(3 * STRETCH + 12345), _i);
    distributed_check(SHAPE_DESC(cumulative, &row), how);
}
END_TEST

START_TEST(every_type_filled) {
    const tally_dtype dtype = (tally_dtype)(TALLY_F16 + _i);
    tally_tensor input = shape_tensor(dtype, SHAPE(3, 50, 40));
    tally_diagonal desc = shape_fill(SHAPE(3, 50, 40));
    desc.output = input;
    desc.input = _i % 2 ? &input : NULL;
    desc.value.u64 = UINT64_C(0x3F803C0012345678);
    desc.begin = -3 + _i;
    desc.end = 7;
    for (uint32_t axis = 0; axis < 3; axis++)
        distributed_check(SHAPE_DESC(diagonal, &desc),
                          (distributed_how){.axis = axis, .values = VALUES_BITS, .seed = axis});
}
END_TEST

Suite *suite_rank_bits(void) {
    Suite *suite = suite_create("rank_bits");
    TCase *tests = tcase_create("bits");
    tcase_add_loop_test(tests, every_function_and_type_reduced, 0, LEGAL_REDUCE_PAIRS);
    tcase_add_loop_test(tests, every_function_and_type_scanned, 0, LEGAL_SCAN_PAIRS);
    tcase_add_loop_test(tests, every_type_filled, 0, LEGAL_DTYPES);
    suite_add_tcase(suite, tests);
    return suite;
}
