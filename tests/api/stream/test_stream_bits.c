/*
 * test_stream_bits.c: streams have the bits of the operator that computes all at once: every legal
 * function and type, axes that are cut once or twice, both directions, one piece and many, with
 * copies and without.
 */
#include <check.h>

#include "support/descriptions/legal.h"
#include "support/descriptions/shape.h"
#include "support/fixtures/call.h"
#include "support/fixtures/fixture.h"
#include "support/share.h"
#include "support/stream/streamed.h"

Suite *suite_stream_bits(void);

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define KB UINT64_C(1024)
#define STRETCH UINT64_C(262144)

static tally_reduce reduce(tally_function function, tally_dtype dtype, shape sizes, uint32_t axes,
                           int index) {
    tally_reduce desc = shape_reduce(function, dtype, sizes, axes);
    if (legal_is_index(function))
        desc.output.dtype = legal_index_types(index % 4);
    return desc;
}

static values_class values_for(tally_function function) {
    return function == TALLY_MULTIPLY ? VALUES_NEAR_ONE : VALUES_SMALL;
}

/* Cut where blocks end, or anywhere; copies and none in turn. */
START_TEST(every_function_and_type_of_one_row) {
    const legal_pair pair = legal_reduce_pair(_i);
    if (!fixture_has(pair.dtype))
        return;
    const tally_reduce desc = reduce(pair.function, pair.dtype, SHAPE(8 * 4096 + 77), 1, _i);
    streamed_check(SHAPE_DESC(reduce, &desc),
                   (streamed_how){.piece = 40 * KB,
                                  .copies = 1 + (tally_stream_copies)(_i % 2),
                                  .values = values_for(pair.function),
                                  .seed = (uint64_t)_i,
                                  .pieces = tally_dtype_size(pair.dtype) > 1 ? 2 : 1});
}
END_TEST

/* Columns, of which the axis that is swept is cut, and then the columns. */
START_TEST(every_function_and_type_of_columns) {
    const legal_pair pair = legal_reduce_pair(_i);
    if (!fixture_has(pair.dtype))
        return;
    const tally_reduce desc = reduce(pair.function, pair.dtype, SHAPE(2 * 4096 + 5, 6), 1, _i + 1);
    streamed_check(SHAPE_DESC(reduce, &desc),
                   (streamed_how){.piece = (uint64_t)(_i % 3 + 1) * 30 * KB,
                                  .copies = 1 + (tally_stream_copies)(_i % 2),
                                  .values = values_for(pair.function),
                                  .seed = (uint64_t)_i});
}
END_TEST

/* Neighbours are one axis: cut within rows, planes and cubes. */
START_TEST(flattened_axes) {
    static const tally_function functions[] = {TALLY_SUM, TALLY_ARGMAX, TALLY_MAX,
                                               TALLY_LOG_SUM_EXP};
    const tally_reduce all = reduce(functions[_i], TALLY_F32, SHAPE(7, 11, 13, 17), 15, 0);
    const tally_reduce inner = reduce(functions[_i], TALLY_F32, SHAPE(3, 1, 11, 13, 47), 28, 0);
    const tally_reduce outer = reduce(functions[_i], TALLY_F32, SHAPE(11, 13, 47, 3, 1, 2), 7, 0);
    const streamed_how how = {.piece = 17 * KB, .values = VALUES_SMALL, .pieces = 3};
    streamed_check(SHAPE_DESC(reduce, &all), how);
    streamed_check(SHAPE_DESC(reduce, &inner), how);
    streamed_check(SHAPE_DESC(reduce, &outer), how);
}
END_TEST

/* Groups of swept axes with kept ones between them, which must not become one group. */
START_TEST(groups_of_axes) {
    static const tally_function functions[] = {TALLY_SUM, TALLY_ARGMIN, TALLY_LOG_SUM_EXP};
    const tally_reduce desc =
        reduce(functions[_i % 3], TALLY_F32, SHAPE(5, 20, 5, 3, 7, 2), 2 + 16, 1);
    static const uint64_t pieces[] = {400 * KB, 20 * KB, 3 * KB, 700, 100, 1};
    streamed_check(SHAPE_DESC(reduce, &desc),
                   (streamed_how){.piece = pieces[_i / 3],
                                  .copies = 1 + (tally_stream_copies)(_i % 2),
                                  .values = VALUES_WIDE,
                                  .seed = (uint64_t)_i});
}
END_TEST

/* Pieces of a few bytes: each coordinate on its own. */
START_TEST(kept_axes_to_the_last_coordinate) {
    const tally_reduce rows = reduce(TALLY_SUM, TALLY_F32, SHAPE(5, 3, 100), 4, 0);
    const tally_reduce none = reduce(TALLY_L1, TALLY_F32, SHAPE(5, 3, 10), 0, 0);
    const tally_reduce one = reduce(TALLY_AVERAGE, TALLY_F32, SHAPE(1, 1, 1), 7, 0);
    const streamed_how how = {.piece = 1, .values = VALUES_WIDE};
    streamed_check(SHAPE_DESC(reduce, &rows), how);
    streamed_check(SHAPE_DESC(reduce, &none), how);
    streamed_check(SHAPE_DESC(reduce, &one), how);
}
END_TEST

static tally_cumulative scan(tally_function function, tally_dtype dtype, shape sizes, uint32_t axis,
                             int how) {
    tally_cumulative desc = shape_scan(function, dtype, sizes, axis);
    desc.descending = how % 2 != 0;
    desc.exclusive = how / 2 % 2 != 0;
    desc.nan = how / 4 % 2 != 0 ? TALLY_NAN_IGNORE : TALLY_NAN_PROPAGATE;
    return desc;
}

/* Three stretches and some: floats are cut where stretches end, exact functions anywhere. */
START_TEST(every_function_and_type_of_one_scan) {
    const legal_pair pair = legal_scan_pair(_i / 4);
    if (!fixture_has(pair.dtype))
        return;
    const tally_cumulative desc =
        scan(pair.function, pair.dtype, SHAPE(3 * STRETCH + 12345), 0, _i % 4 + _i / 16 * 4);
    streamed_check(SHAPE_DESC(cumulative, &desc),
                   (streamed_how){.piece = STRETCH * 2 * tally_dtype_size(pair.dtype) + 100,
                                  .copies = 1 + (tally_stream_copies)(_i / 4 % 2),
                                  .values = values_for(pair.function),
                                  .seed = (uint64_t)_i,
                                  .pieces = 4});
}
END_TEST

/* Lines side by side and above each other, cut once and twice. */
START_TEST(lines_of_scans) {
    const tally_cumulative columns = scan(TALLY_SUM, TALLY_F32, SHAPE(2 * STRETCH + 77, 3), 0, _i);
    const tally_cumulative rows = scan(TALLY_SUM, TALLY_F32, SHAPE(3, STRETCH + 5), 1, _i);
    const tally_cumulative planes = scan(TALLY_MAX, TALLY_I32, SHAPE(3, 1000, 5, 7), 1, _i);
    const tally_cumulative inner = scan(TALLY_SUM, TALLY_F32, SHAPE(3, 5, 1000), 2, _i);
    static const uint64_t pieces[] = {8192 * KB, 3000 * KB, 20 * KB, 1 * KB};
    for (size_t i = 0; i < COUNT(pieces); i++) {
        const streamed_how how = {.piece = pieces[i],
                                  .copies = 1 + (tally_stream_copies)(i % 2),
                                  .values = VALUES_WIDE,
                                  .seed = (uint64_t)_i + i};
        if (i < 2) {
            streamed_check(SHAPE_DESC(cumulative, &columns), how);
            streamed_check(SHAPE_DESC(cumulative, &rows), how);
        }
        streamed_check(SHAPE_DESC(cumulative, &planes), how);
        streamed_check(SHAPE_DESC(cumulative, &inner), how);
    }
}
END_TEST

static const int64_t bands[][2] = {
    {0, 1},
    {-2, 3},
    {3, -2},
    {1, 1},
    {INT64_MIN, 0},
    {0, INT64_MAX},
    {INT64_MAX, INT64_MIN},
    {INT64_MIN, INT64_MAX},
    {INT64_MAX, 100},
    {-100, INT64_MIN},
    {100, INT64_MAX},
};

START_TEST(fills) {
    tally_tensor input = shape_tensor(TALLY_F32, SHAPE(3, 1, 11, 13));
    tally_diagonal desc = shape_fill(SHAPE(3, 1, 11, 13));
    static const uint64_t pieces[] = {1000000, 1300, 400, 60, 1};
    desc.begin = bands[_i][0];
    desc.end = bands[_i][1];
    desc.value.f32 = 2.5f;
    for (size_t i = 0; i < COUNT(pieces); i++)
        for (int reads = 0; reads < 2; reads++) {
            desc.input = reads ? &input : NULL;
            streamed_check(SHAPE_DESC(diagonal, &desc),
                           (streamed_how){.piece = pieces[i],
                                          .copies = 1 + (tally_stream_copies)(i % 2),
                                          .values = VALUES_BITS,
                                          .seed = (uint64_t)_i});
        }
}
END_TEST

/* Tensors of the host's memory with gaps and with axes in any order, by several threads. */
START_TEST(strides_and_threads) {
    uint64_t state = (uint64_t)_i + 1;
    tally_reduce sum = reduce(TALLY_SUM, TALLY_F32, SHAPE(30, 40, 500), _i % 2 ? 4u : 1u, 0);
    tally_cumulative totals = scan(TALLY_SUM, TALLY_I32, SHAPE(60, 40, 500), (uint32_t)_i % 3, _i);
    shape_random_input(&sum.input, &state);
    shape_random_output(&sum.output, &state);
    shape_random_input(&totals.input, &state);
    shape_random_output(&totals.output, &state);
    const streamed_how how = {.piece = 5000 * KB,
                              .copies = 1 + (tally_stream_copies)(_i % 2),
                              .threads = 1 + (uint32_t)_i % 4,
                              .values = VALUES_WIDE,
                              .seed = (uint64_t)_i};
    streamed_check(SHAPE_DESC(reduce, &sum), how);
    streamed_check(SHAPE_DESC(cumulative, &totals), how);
}
END_TEST

/*
 * Tensors whose pieces lie in one run, wherever memory begins: computed there, or transferred from
 * there and back.
 */
START_TEST(memory_that_is_lent) {
    static const uint32_t shifts[] = {0, 16, 2, 128, 4092};
    tally_diagonal fill = TALLY_DIAGONAL_INIT;
    const tally_tensor matrices = tally_tensor_packed(TALLY_F32, 3, (uint64_t[]){7, 100, 90});
    const tally_reduce row = reduce(TALLY_SUM, TALLY_F32, SHAPE(8 * 4096 + 77), 1, 0);
    const tally_reduce rows = reduce(TALLY_MAX, TALLY_F32, SHAPE(1000, 33), 2, 0);
    const tally_reduce columns = reduce(TALLY_SUM, TALLY_F32, SHAPE(2 * 4096 + 5, 6), 1, 0);
    const tally_cumulative line = scan(TALLY_SUM, TALLY_F32, SHAPE(3 * STRETCH + 777), 0, _i);
    const tally_cumulative lines = scan(TALLY_SUM, TALLY_I32, SHAPE(300, 100), 1, _i);
    const streamed_how how = {.piece = 40 * KB,
                              .copies = 1 + (tally_stream_copies)(_i % 2),
                              .threads = 2,
                              .shift = shifts[_i / 2],
                              .pinned = true,
                              .values = VALUES_WIDE,
                              .seed = (uint64_t)_i,
                              .pieces = 2};
    streamed_how long_how = how;
    long_how.piece = 3 * STRETCH * sizeof(float);
    fill.output = matrices;
    fill.input = &matrices;
    fill.end = 1;
    streamed_check(SHAPE_DESC(reduce, &row), how);
    streamed_check(SHAPE_DESC(reduce, &rows), how);
    streamed_check(SHAPE_DESC(reduce, &columns), how);
    streamed_check(SHAPE_DESC(cumulative, &line), long_how);
    streamed_check(SHAPE_DESC(cumulative, &lines), how);
    streamed_check(SHAPE_DESC(diagonal, &fill), how);
}
END_TEST

/* A scan in place: source and sink are one memory. */
START_TEST(the_same_memory) {
    const tally_cumulative totals =
        scan(TALLY_SUM, TALLY_I32, SHAPE(300, 1000), (uint32_t)_i % 2, 0);
    const tally_desc *whole = SHAPE_DESC(cumulative, &totals);
    const streamed_how how = {.values = VALUES_WIDE, .seed = (uint64_t)_i};
    streamed_memory of;
    tally_error error;
    streamed_end in, out;
    streamed_open(whole, &how, &in, &out);
    call_any(whole, in.memory.elements, out.memory.elements);
    streamed_lend(&of, &in.memory, &in.memory);
    of.stream.piece = 100 * KB;
    of.stream.copies = 1 + (uint32_t)_i / 2;
    fixture_ok(tally_stream_run(fixture_get()->runtime, whole, &of.stream, &error), &error,
               "a stream");
    ck_assert_mem_eq(in.memory.elements, out.memory.elements, (size_t)300 * 1000 * 4);
    streamed_close(&in, &out);
}
END_TEST

/* Nothing to write, and nothing to read. */
START_TEST(nothing) {
    const streamed_how how = {.piece = 100, .values = VALUES_WIDE};
    static const tally_function functions[] = {TALLY_SUM, TALLY_MAX, TALLY_AVERAGE};
    for (size_t i = 0; i < COUNT(functions); i++) {
        const tally_reduce no_terms = reduce(functions[i], TALLY_F32, SHAPE(0, 200), 1, 0);
        const tally_reduce none_inside = reduce(functions[i], TALLY_F32, SHAPE(3, 70, 0), 5, 0);
        const tally_reduce no_lines = reduce(functions[i], TALLY_F32, SHAPE(9000, 0), 1, 0);
        streamed_check(SHAPE_DESC(reduce, &no_terms), how);
        streamed_check(SHAPE_DESC(reduce, &none_inside), how);
        streamed_check(SHAPE_DESC(reduce, &no_lines), how);
    }
    const tally_cumulative no_scan = scan(TALLY_SUM, TALLY_F32, SHAPE(3, 0), 1, 0);
    streamed_check(SHAPE_DESC(cumulative, &no_scan), how);
}
END_TEST

Suite *suite_stream_bits(void) {
    Suite *suite = suite_create("stream_bits");
    TCase *tests = tcase_create("stream");
    tcase_set_timeout(tests, 300);
    share_add_loop(tests, every_function_and_type_of_one_row, LEGAL_REDUCE_PAIRS, 17);
    share_add_loop(tests, every_function_and_type_of_columns, LEGAL_REDUCE_PAIRS, 19);
    tcase_add_loop_test(tests, flattened_axes, 0, 4);
    share_add_loop(tests, groups_of_axes, 18, 5);
    tcase_add_test(tests, kept_axes_to_the_last_coordinate);
    share_add_loop(tests, every_function_and_type_of_one_scan, 4 * LEGAL_SCAN_PAIRS, 19);
    tcase_add_loop_test(tests, lines_of_scans, 0, 4);
    tcase_add_loop_test(tests, fills, 0, (int)COUNT(bands));
    share_add_loop(tests, strides_and_threads, 6, 2);
    tcase_add_loop_test(tests, memory_that_is_lent, 0, 10);
    tcase_add_loop_test(tests, the_same_memory, 0, 4);
    tcase_add_test(tests, nothing);
    suite_add_tcase(suite, tests);
    return suite;
}
