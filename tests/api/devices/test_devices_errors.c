/*
 * test_devices_errors.c: what lists of devices and operators on them refuse, and what is left after
 * a device failed: nothing is leaked, the other devices are finished, and the operator runs again.
 */
#include <check.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/descriptions/shape.h"
#include "support/devices/several.h"
#include "support/fixtures/fixture.h"
#include "support/fixtures/work.h"

Suite *suite_devices_errors(void);

static const double even[] = {1, 1, 1};

static several three;

static void open_three(void) {
    three = several_open(3, NULL);
}

static void close_three(void) {
    several_close(&three);
}

static tally_devices_config config_of(const double *speeds) {
    tally_devices_config config = TALLY_DEVICES_CONFIG_INIT;
    config.count = 3;
    config.runtimes = three.runtime;
    config.queues = three.queue;
    config.speeds = speeds;
    return config;
}

static void refuse(const tally_devices_config *config, const char *sentence) {
    tally_devices *devices = (tally_devices *)&three;
    tally_error error;
    ck_assert_int_eq(tally_devices_create(config, &devices, &error), TALLY_INVALID);
    ck_assert_ptr_null(devices);
    ck_assert_str_eq(error.message, sentence);
    ck_assert_int_eq(error.status, TALLY_INVALID);
}

START_TEST(lists) {
    tally_devices_config config = config_of(even);
    config.count = 0;
    refuse(&config, "the number of devices is 0, but 1 to 64 are possible");
    config.count = 65;
    refuse(&config, "the number of devices is 65, but 1 to 64 are possible");
    config = config_of(even);
    config.queues = NULL;
    refuse(&config, "the list of queues is NULL");
    config = config_of(even);
    config.runtimes = NULL;
    refuse(&config, "the list of runtimes is NULL");
    ck_assert_int_eq(tally_devices_create(&config, NULL, NULL), TALLY_INVALID);
    refuse(NULL, "the tally_devices_config is NULL");
}
END_TEST

START_TEST(speeds) {
    const double none[] = {0, 0, 0}, negative[] = {1, -2, 1}, infinite[] = {1, 1, (double)INFINITY};
    tally_devices_config config = config_of(none);
    refuse(&config, "the speeds of all devices are 0");
    config = config_of(negative);
    refuse(&config, "the speed of device 2 of 3 is -2, but a number from 0 on is due");
    config = config_of(infinite);
    refuse(&config, "the speed of device 3 of 3 is inf, but a number from 0 on is due");
}
END_TEST

START_TEST(entries) {
    cl_int code = CL_SUCCESS;
    cl_command_queue queues[3] = {three.queue[0], NULL, three.queue[2]};
    tally_runtime *runtimes[3] = {three.runtime[0], three.runtime[1], NULL};
    tally_devices_config config = config_of(even);
    config.queues = queues;
    refuse(&config, "device 2 of 3: its queue is NULL");
    config = config_of(even);
    config.runtimes = runtimes;
    refuse(&config, "device 3 of 3: its runtime is NULL");
    queues[1] = clCreateCommandQueue(three.context[1], three.device[1],
                                     CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &code);
    fixture_check(code);
    config = config_of(even);
    config.queues = queues;
    refuse(&config, "device 2 of 3: its queue is out-of-order, but an in-order queue is due");
    clReleaseCommandQueue(queues[1]);
}
END_TEST

static void refuse_op(tally_devices *devices, const tally_desc *whole, uint32_t axis,
                      const char *sentence) {
    tally_devices_op *op = (tally_devices_op *)&three;
    tally_error error;
    ck_assert_int_eq(tally_devices_op_create(devices, whole, axis, &op, &error), TALLY_INVALID);
    ck_assert_ptr_null(op);
    ck_assert_str_eq(error.message, sentence);
}

START_TEST(operators) {
    tally_devices *devices = several_list(&three, even);
    const tally_reduce sum = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(8, 5000), 3);
    const tally_reduce scalar = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE_SCALAR, 0);
    tally_desc desc = TALLY_DESC_INIT;
    refuse_op(devices, &desc, 0, "0 of its three descriptions are given, not one");
    desc.reduce = &sum;
    refuse_op(devices, &desc, 2, "axis 2 is not below the rank 2");
    refuse_op(devices, &desc, 1,
              "axis 1 cannot be cut, because axis 0 outside of it is swept as well; axis 0 can");
    refuse_op(NULL, &desc, 0, "the devices are NULL");
    desc.reduce = &scalar;
    refuse_op(devices, &desc, TALLY_ANY_AXIS, "a tensor of rank 0 has no axis to cut");
    tally_devices_release(devices);
    tally_devices_release(NULL);
    tally_devices_op_release(NULL);
}
END_TEST

static tally_devices_op *make_op(const tally_desc *whole) {
    tally_devices *devices = several_list(&three, even);
    tally_devices_op *op = NULL;
    tally_error error;
    fixture_ok(tally_devices_op_create(devices, whole, 0, &op, &error), &error,
               "tally_devices_op_create");
    tally_devices_release(devices);
    return op;
}

START_TEST(questions) {
    const tally_reduce sum = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(8, 5000), 3);
    tally_desc desc = TALLY_DESC_INIT;
    desc.reduce = &sum;
    tally_devices_op *op = make_op(&desc);
    tally_devices_part part = TALLY_DEVICES_PART_INIT;
    tally_cut cut = TALLY_CUT_INIT;
    tally_error error;
    ck_assert_int_eq(tally_devices_op_part(op, 3, &part, &error), TALLY_INVALID);
    ck_assert_str_eq(error.message, "device 3 is asked for, but there are 3");
    ck_assert_int_eq(tally_devices_op_part(NULL, 0, &part, &error), TALLY_INVALID);
    ck_assert_int_eq(tally_devices_op_part(op, 0, NULL, &error), TALLY_INVALID);
    ck_assert_int_eq(tally_devices_op_cut(op, NULL, &error), TALLY_INVALID);
    ck_assert_int_eq(tally_devices_op_cut(NULL, &cut, &error), TALLY_INVALID);
    ck_assert_int_eq(tally_devices_op_run(op, NULL, &error), TALLY_INVALID);
    ck_assert_str_eq(error.message, "the bindings are NULL");
    fixture_ok(tally_devices_op_part(op, 0, &part, &error), &error, "tally_devices_op_part");
    ck_assert_uint_eq(part.output_bytes, sizeof(float)); /* the first device has the output */
    fixture_ok(tally_devices_op_part(op, 1, &part, &error), &error, "tally_devices_op_part");
    ck_assert_uint_eq(part.output_bytes, 0);
    tally_devices_op_release(op);
}
END_TEST

static cl_mem make_buffer(uint32_t i, size_t bytes) {
    cl_int code = CL_SUCCESS;
    cl_mem buffer = clCreateBuffer(three.context[i], CL_MEM_READ_WRITE, bytes, NULL, &code);
    fixture_check(code);
    return buffer;
}

/* Memory of one device is missing or too small: the sentence has its number, and a run follows. */
static void fail_one(const tally_desc *whole, size_t bytes, uint32_t broken) {
    tally_devices_op *op = make_op(whole);
    tally_binding bindings[3];
    tally_error error;
    char prefix[32];
    for (uint32_t i = 0; i < 3; i++) {
        bindings[i] = (tally_binding)TALLY_BINDING_INIT;
        bindings[i].input.buffer = make_buffer(i, bytes);
        bindings[i].output.buffer = make_buffer(i, bytes);
    }
    const tally_view kept = bindings[broken].input;
    bindings[broken].input.buffer = NULL;
    snprintf(prefix, sizeof prefix, "device %u of 3: ", (unsigned)broken + 1);
    ck_assert_int_eq(tally_devices_op_run(op, bindings, &error), TALLY_INVALID);
    ck_assert_msg(strncmp(error.message, prefix, strlen(prefix)) == 0, "%s", error.message);
    ck_assert_int_eq(tally_devices_op_run(op, bindings, NULL), TALLY_INVALID);
    bindings[broken].input = kept;
    fixture_ok(tally_devices_op_run(op, bindings, &error), &error, "tally_devices_op_run");
    for (uint32_t i = 0; i < 3; i++) {
        clReleaseMemObject(bindings[i].input.buffer);
        clReleaseMemObject(bindings[i].output.buffer);
    }
    tally_devices_op_release(op);
}

START_TEST(a_device_that_fails) {
    const tally_reduce sum = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(9 * 4096), 1);
    const tally_cumulative scan = shape_scan(TALLY_SUM, TALLY_I32, SHAPE(9 * 4096), 0);
    const tally_reduce rows = shape_reduce(TALLY_SUM, TALLY_F32, SHAPE(9, 4096), 2);
    tally_desc desc = TALLY_DESC_INIT;
    static cl_uint held; /* when the first case has ended, and a driver's threads are at rest */
    desc.reduce = &sum;
    fail_one(&desc, 9 * 4096 * sizeof(float), (uint32_t)_i);
    desc.reduce = &rows;
    fail_one(&desc, 9 * 4096 * sizeof(float), (uint32_t)_i);
    desc.reduce = NULL;
    desc.cumulative = &scan;
    fail_one(&desc, 9 * 4096 * sizeof(float), (uint32_t)_i);
    if (_i > 0) { /* programs that are compiled for the first time stay with the runtime */
        fixture_check_references(three.context[1], held);
        return;
    }
    work_linger();
    held = fixture_references(three.context[1]);
}
END_TEST

Suite *suite_devices_errors(void) {
    Suite *suite = suite_create("devices_errors");
    TCase *tests = tcase_create("devices_errors");
    tcase_set_timeout(tests, 120);
    tcase_add_unchecked_fixture(tests, open_three, close_three);
    tcase_add_test(tests, lists);
    tcase_add_test(tests, speeds);
    tcase_add_test(tests, entries);
    tcase_add_test(tests, operators);
    tcase_add_test(tests, questions);
    tcase_add_loop_test(tests, a_device_that_fails, 0, 3);
    suite_add_tcase(suite, tests);
    return suite;
}
