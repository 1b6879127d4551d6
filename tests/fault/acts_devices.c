/*
 * acts_devices.c: two devices, which are two queues of the fixture's one: a list of them, an
 * operator on both, and a run. Their parts are views into the memory of the stage.
 */
#include <check.h>

#include <tally/devices.h>

#include "acts.h"

static struct {
    cl_command_queue second;
    tally_devices *list;
    tally_devices_op *op;
} both;

static const double even[] = {1, 1};

/* ---- A list ---------------------------------------------------------------------------------- */

static void open_queue(stage *at) {
    tally_error error;
    fixture_ok(stage_make_runtime(at, &at->runtime, &error), &error, "tally_runtime_create");
    both.second = fixture_make_queue(0);
    stage_spoil(at);
}

static tally_status make_list(stage *at, const double *speeds, tally_error *error) {
    tally_devices_config config = TALLY_DEVICES_CONFIG_INIT;
    tally_runtime *const runtimes[] = {at->runtime, at->runtime};
    const cl_command_queue queues[] = {at->queue, both.second};
    config.count = 2;
    config.runtimes = runtimes;
    config.queues = queues;
    config.speeds = speeds;
    both.list = (tally_devices *)(void *)&both; /* anything that is not NULL */
    const tally_status status = tally_devices_create(&config, &both.list, error);
    ck_assert_int_eq(status == TALLY_OK, both.list != NULL);
    return status;
}

static tally_status run_list(stage *at, tally_error *error) {
    return make_list(at, even, error);
}

static tally_status run_measured(stage *at, tally_error *error) {
    return make_list(at, NULL, error);
}

static void check_list(stage *at) {
    (void)at;
    for (uint32_t i = 0; i < 2; i++)
        ck_assert(tally_devices_speed(both.list, i) > 0);
}

static void close_list(stage *at) {
    tally_devices_op_release(both.op);
    both.op = NULL;
    tally_devices_release(both.list);
    both.list = NULL;
    clReleaseCommandQueue(both.second);
    tally_runtime_release(at->runtime);
    at->runtime = NULL;
}

/*
 * A dry launch that is refused for its groups makes the planner start again. A device that does not
 * say how much it allocates is measured with less.
 */
static bool forgives_sizes(layer_call call, cl_int code) {
    return call == LAYER_clGetDeviceInfo ||
           (call == LAYER_clEnqueueNDRangeKernel && code == CL_INVALID_WORK_GROUP_SIZE);
}

const act act_devices = {
    "making a list of devices", open_queue, run_list, check_list, close_list, NULL};
const act act_devices_measured = {"measuring devices", open_queue, run_measured,
                                  check_list,          close_list, forgives_sizes};

/* ---- An operator ----------------------------------------------------------------------------- */

static void open_list(stage *at) {
    tally_error error;
    open_queue(at);
    fixture_ok(make_list(at, even, &error), &error, "tally_devices_create");
}

/* The subject is one line, which is cut; of integers, so that it is cut anywhere. */
static tally_status run_op(stage *at, tally_error *error) {
    const tally_tensor tensor = tally_tensor_packed(TALLY_U32, SUBJECT_RANK, at->what->size);
    tally_reduce reduce = TALLY_REDUCE_INIT;
    tally_cumulative scan = TALLY_CUMULATIVE_INIT;
    tally_desc whole = TALLY_DESC_INIT;
    ck_assert_uint_eq(at->what->size[0] * at->what->size[1], 1);
    reduce.function = scan.function = at->what->function;
    reduce.input = scan.input = scan.output = tensor;
    reduce.axes = at->what->axes;
    reduce.output = tally_tensor_reduced(&tensor, reduce.axes, TALLY_U32);
    scan.axis = 2;
    whole.reduce = at->what->kind == SUBJECT_REDUCE ? &reduce : NULL;
    whole.cumulative = at->what->kind == SUBJECT_SCAN ? &scan : NULL;
    both.op = (tally_devices_op *)(void *)&both; /* anything that is not NULL */
    const tally_status status = tally_devices_op_create(both.list, &whole, 2, &both.op, error);
    ck_assert_int_eq(status == TALLY_OK, both.op != NULL);
    return status;
}

/* ---- A run ----------------------------------------------------------------------------------- */

static tally_status run_both(stage *at, tally_error *error) {
    tally_binding bindings[2];
    for (uint32_t i = 0; i < 2; i++) {
        tally_devices_part part = TALLY_DEVICES_PART_INIT;
        (void)tally_devices_op_part(both.op, i, &part, NULL);
        const size_t inside = (size_t)part.begin * sizeof(uint32_t);
        ck_assert_uint_lt(part.begin, part.end);
        bindings[i] = (tally_binding)TALLY_BINDING_INIT;
        bindings[i].input = image_view(&at->input);
        bindings[i].input.offset += inside;
        bindings[i].output = image_view(&at->output);
        bindings[i].output.offset += at->what->kind == SUBJECT_SCAN ? inside : 0;
    }
    return tally_devices_op_run(both.op, bindings, error);
}

static void check_run(stage *at) {
    stage_compare(at);
}

static void check_op(stage *at) {
    tally_error error;
    fixture_ok(run_both(at, &error), &error, "tally_devices_op_run");
    stage_compare(at);
}

const act act_devices_op = {
    "making an operator on devices", open_list, run_op, check_op, close_list, forgives_sizes};

static void open_op(stage *at) {
    tally_error error;
    open_list(at);
    fixture_ok(run_op(at, &error), &error, "tally_devices_op_create");
}

const act act_devices_run = {
    "running an operator on devices", open_op, run_both, check_run, close_list, NULL};
