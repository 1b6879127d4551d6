/*
 * test_devices.c: operators on several devices have the bytes of one device: reductions, scans in
 * both directions and exclusive, fills; on 1, 2 and 3 devices, of different families, of any
 * speeds, on sub-devices; and with a device that gets nothing.
 */
#include <check.h>

#include "support/descriptions/legal.h"
#include "support/descriptions/shape.h"
#include "support/devices/several.h"
#include "support/fixtures/fixture.h"
#include "support/share.h"

Suite *suite_devices(void);

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define STRETCH UINT64_C(262144)

/* Families as of different vendors. */
static const tally_family families[] = {TALLY_FAMILY_CPU, TALLY_FAMILY_GPU, TALLY_FAMILY_GENERIC};
static const double even[] = {1, 1, 1};

static several three;

static void open_three(void) {
    three = several_open(3, families);
}

static void close_three(void) {
    several_close(&three);
}

static several_how how_of(uint32_t axis, int seed) {
    return (several_how){
        .axis = axis, .speeds = even, .values = VALUES_WIDE, .seed = (uint64_t)seed};
}

START_TEST(every_function_reduces) {
    const legal_pair pair = legal_reduce_pair(_i);
    if (pair.dtype == TALLY_F64 && !fixture_get()->has_f64)
        return;
    const tally_reduce row = shape_reduce(pair.function, pair.dtype, SHAPE(5 * 4096 + 77), 1);
    const tally_reduce columns = shape_reduce(pair.function, pair.dtype, SHAPE(6, 4096, 3), 2);
    several_check(&three, SHAPE_DESC(reduce, &row), how_of(TALLY_ANY_AXIS, _i));
    several_check(&three, SHAPE_DESC(reduce, &columns), how_of(_i % 2 ? TALLY_ANY_AXIS : 1, _i));
}
END_TEST

START_TEST(scans_of_one_row) {
    tally_cumulative desc =
        shape_scan(TALLY_SUM, _i / 4 ? TALLY_F16 : TALLY_F32, SHAPE(4 * STRETCH + 12345), 0);
    desc.descending = _i % 2 != 0;
    desc.exclusive = _i / 2 % 2 != 0;
    several_how how = how_of(0, _i);
    several_check(&three, SHAPE_DESC(cumulative, &desc), how);
    how.in_place = true;
    several_check(&three, SHAPE_DESC(cumulative, &desc), how);
}
END_TEST

START_TEST(scans_of_lines) {
    for (int how = 0; how < 4; how++) {
        tally_cumulative rows = shape_scan(TALLY_SUM, TALLY_F32, SHAPE(2, 3 * STRETCH + 5), 1);
        tally_cumulative columns = shape_scan(TALLY_MAX, TALLY_F32, SHAPE(5000, 16), 0);
        rows.descending = columns.descending = how % 2 != 0;
        rows.exclusive = columns.exclusive = how / 2 != 0;
        several_check(&three, SHAPE_DESC(cumulative, &rows), how_of(1, how));
        several_check(&three, SHAPE_DESC(cumulative, &columns), how_of(0, how));
        several_check(&three, SHAPE_DESC(cumulative, &columns), how_of(1, how));
    }
}
END_TEST

START_TEST(fills) {
    for (uint32_t axis = 0; axis < 3; axis++) {
        tally_diagonal fill = shape_fill(SHAPE(4, 130, 70));
        const tally_tensor input = fill.output;
        several_how how = how_of(axis, (int)axis);
        fill.begin = -20;
        fill.end = 33;
        fill.value.f32 = 7;
        several_check(&three, SHAPE_DESC(diagonal, &fill), how);
        fill.input = &input;
        several_check(&three, SHAPE_DESC(diagonal, &fill), how);
        how.in_place = true;
        several_check(&three, SHAPE_DESC(diagonal, &fill), how);
    }
}
END_TEST

/* Parts of strided tensors are copies of stretches of memory. */
START_TEST(strides) {
    uint64_t state = (uint64_t)_i + 1;
    tally_reduce sums = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(9, 4096, 5), 2);
    tally_cumulative scan = shape_scan(TALLY_SUM, TALLY_I32, SHAPE(9, 700, 5), 1);
    shape_random_input(&sums.input, &state);
    shape_random_output(&sums.output, &state);
    shape_random_input(&scan.input, &state);
    shape_random_output(&scan.output, &state);
    for (uint32_t axis = 0; axis < 3; axis++) {
        several_check(&three, SHAPE_DESC(reduce, &sums), how_of(axis, _i));
        several_check(&three, SHAPE_DESC(cumulative, &scan), how_of(axis, _i));
    }
}
END_TEST

/* Any speeds: random, one that is slow, ones that get nothing; the bits are the same. */
START_TEST(any_speeds) {
    static const double some[][3] = {{1, 1e-9, 1}, {0, 1, 0}, {0, 0, 5},
                                     {1e12, 3, 2}, {0, 2, 1}, {1e-3, 1e-3, 0}};
    uint64_t state = (uint64_t)_i;
    double speeds[3];
    for (int k = 0; k < 3; k++)
        speeds[k] =
            (size_t)_i < COUNT(some) ? some[_i][k] : (double)(values_random(&state) % 1000 + 1);
    several_how how = how_of(TALLY_ANY_AXIS, _i);
    how.speeds = speeds;
    const tally_reduce sum = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(40 * 4096 + 1), 1);
    const tally_reduce arg = shape_reduce(TALLY_ARGMIN, TALLY_F32, SHAPE(100000), 1);
    const tally_reduce rows = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(100, 257), 2);
    tally_cumulative scan = shape_scan(TALLY_SUM, TALLY_F32, SHAPE(5 * STRETCH - 1), 0);
    scan.descending = _i % 2 != 0;
    several_check(&three, SHAPE_DESC(reduce, &sum), how);
    several_check(&three, SHAPE_DESC(reduce, &arg), how);
    several_check(&three, SHAPE_DESC(reduce, &rows), how);
    several_check(&three, SHAPE_DESC(cumulative, &scan), how);
}
END_TEST

/* Fewer places to cut than devices, and nothing to cut at all. */
START_TEST(small_tensors) {
    static const uint64_t sizes[] = {0, 1, 2, 4096, 4097};
    for (size_t i = 0; i < COUNT(sizes); i++) {
        const tally_reduce sum = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(sizes[i]), 1);
        const tally_reduce none = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(sizes[i], 0), 2);
        const tally_cumulative scan = shape_scan(TALLY_SUM, TALLY_F32, SHAPE(sizes[i]), 0);
        const tally_cumulative empty = shape_scan(TALLY_MAX, TALLY_I32, SHAPE(sizes[i], 0), 0);
        several_check(&three, SHAPE_DESC(reduce, &sum), how_of(0, (int)i));
        several_check(&three, SHAPE_DESC(reduce, &none), how_of(0, (int)i));
        several_check(&three, SHAPE_DESC(cumulative, &scan), how_of(0, (int)i));
        several_check(&three, SHAPE_DESC(cumulative, &empty), how_of(0, (int)i));
    }
}
END_TEST

/* One device and two, with speeds that are measured. */
START_TEST(measured_speeds) {
    several some = several_open((uint32_t)_i, NULL);
    tally_devices *devices = several_list(&some, NULL);
    ck_assert_uint_eq(tally_devices_count(devices), (uint32_t)_i);
    for (uint32_t i = 0; i < some.count; i++)
        ck_assert(tally_devices_speed(devices, i) > 1e6);
    ck_assert(tally_devices_speed(devices, some.count) <= 0);
    tally_devices_release(devices);
    const tally_reduce sum = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(200 * 4096), 1);
    const tally_cumulative scan = shape_scan(TALLY_SUM, TALLY_F32, SHAPE(5 * STRETCH), 0);
    several_how how = how_of(0, _i);
    how.speeds = NULL;
    several_check(&some, SHAPE_DESC(reduce, &sum), how);
    several_check(&some, SHAPE_DESC(cumulative, &scan), how);
    several_close(&some);
}
END_TEST

START_TEST(sub_devices) {
    several two = several_split(2);
    const tally_reduce sum = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(30 * 4096 + 5), 1);
    tally_cumulative scan = shape_scan(TALLY_SUM, TALLY_F32, SHAPE(3 * STRETCH + 5), 0);
    for (int i = 0; i < 2 && two.count > 0; i++) {
        scan.descending = i != 0;
        several_check(&two, SHAPE_DESC(reduce, &sum), how_of(0, i));
        several_check(&two, SHAPE_DESC(cumulative, &scan), how_of(0, i));
    }
    several_close(&two);
}
END_TEST

Suite *suite_devices(void) {
    Suite *suite = suite_create("devices");
    TCase *tests = tcase_create("devices");
    tcase_set_timeout(tests, 300);
    tcase_add_unchecked_fixture(tests, open_three, close_three);
    share_add_loop(tests, every_function_reduces, LEGAL_REDUCE_PAIRS, 17);
    share_add_loop(tests, scans_of_one_row, 8, 3);
    tcase_add_test(tests, scans_of_lines);
    tcase_add_test(tests, fills);
    share_add_loop(tests, strides, 3, 2);
    share_add_loop(tests, any_speeds, 10, 2);
    tcase_add_test(tests, small_tensors);
    tcase_add_loop_test(tests, measured_speeds, 1, 3);
    tcase_add_test(tests, sub_devices);
    suite_add_tcase(suite, tests);
    return suite;
}
