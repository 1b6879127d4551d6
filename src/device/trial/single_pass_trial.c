/*
 * Trying a device: a long sum, once in the single pass and once without, has to come out with the
 * same bits; so it has when groups dawdle before they publish their totals, and when none of them
 * waits, so that the group that ends last does most of the work. And undisturbed
 * next to no group may leave its unit to that one, or the pass would be right but slow.
 */
#include "device/trial/single_pass_trial.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cl/core/order.h"
#include "device/clerror.h"
#include "device/executable.h"
#include "device/launch.h"

/*
 * Units of the trial for each compute unit: more than run at a time; at least so many, and at most,
 * 64 MB of terms, since devices may count their compute units as they like.
 */
#define UNITS_PER_COMPUTE_UNIT 24
#define UNITS_MIN 200
#define UNITS_MAX 4096

/* One in so many units may be left, undisturbed; if more are, something else may keep the device
 * busy just then: it is tried so often. */
#define LEFT_PART 20
#define UNDISTURBED_TRIES 3

/* What is done to the groups: one in so many dawdles, or leaves its unit; none waits. */
static const struct {
    const char *name;
    uint32_t stall, leave;
    bool gives_up;
} trials[] = {{"undisturbed", 0, 0, false},
              {"with groups that dawdle", 7, 0, false},
              {"with groups that don't wait", 0, 5, true}};

/* All that a trial needs. */
typedef struct bench {
    tally_device *device;
    tally_kernels *kernels;
    tally_executable once, twice;
    cl_mem input, output, scratch;
    size_t bytes;
    uint32_t left; /* units, in all runs so far */
    float *terms, *expected, *result;
} bench;

/* Terms of either sign whose sums round. */
static void fill_terms(float *terms, size_t count) {
    uint32_t state = 1;
    for (size_t i = 0; i < count; i++) {
        state = state * 1664525u + 1013904223u;
        terms[i] = (float)(int32_t)(state >> 8) * 0x1p-20f - 8.0f;
    }
}

static tally_status make_buffer(const bench *at, cl_mem *buffer, size_t bytes, void *data,
                                tally_error *error) {
    cl_mem_flags flags = CL_MEM_READ_WRITE | (data != NULL ? CL_MEM_COPY_HOST_PTR : 0);
    cl_int code = CL_SUCCESS;
    *buffer = clCreateBuffer(at->device->context, flags, bytes, data, &code);
    return tally_cl_check(code, "clCreateBuffer", error);
}

/* The long sum, and how many terms it has. */
tally_status tally_trial_state(const tally_limits *limits, tally_problem *problem, uint64_t *count,
                               tally_error *error) {
    const uint64_t wanted = (uint64_t)limits->units * UNITS_PER_COMPUTE_UNIT;
    const uint64_t units = wanted < UNITS_MAX ? wanted : UNITS_MAX;
    *count = (units > UNITS_MIN ? units : UNITS_MIN) * TALLY_TILE;
    const tally_tensor row = tally_tensor_packed(TALLY_F32, 1, count);
    const tally_cumulative desc = {
        .struct_size = sizeof desc, .function = TALLY_SUM, .input = row, .output = row};
    return tally_problem_cumulative(&desc, problem, error);
}

static tally_status open_bench(bench *at, tally_error *error) {
    tally_limits limits = at->device->limits;
    tally_problem problem;
    uint64_t count = 0;
    tally_status status = tally_trial_state(&limits, &problem, &count, error);
    at->bytes = (size_t)count * sizeof(float);
    limits.single_pass = true;
    if (status == TALLY_OK)
        status =
            tally_executable_make(&at->once, at->device, at->kernels, &problem, &limits, error);
    limits.single_pass = false;
    if (status == TALLY_OK)
        status =
            tally_executable_make(&at->twice, at->device, at->kernels, &problem, &limits, error);
    at->terms = tally_host_take(&at->device->allocator, at->bytes);
    at->expected = tally_host_take(&at->device->allocator, at->bytes);
    at->result = tally_host_take(&at->device->allocator, at->bytes);
    if (at->terms == NULL || at->expected == NULL || at->result == NULL)
        return tally_fail_memory(error, "the trial of the single pass");
    fill_terms(at->terms, (size_t)count);
    if (status == TALLY_OK)
        status = make_buffer(at, &at->input, at->bytes, at->terms, error);
    if (status == TALLY_OK)
        status = make_buffer(at, &at->output, at->bytes, NULL, error);
    const uint64_t once = at->once.plan.scratch, twice = at->twice.plan.scratch;
    if (status == TALLY_OK)
        status = make_buffer(at, &at->scratch, (size_t)(once > twice ? once : twice), NULL, error);
    return status;
}

static void close_bench(bench *at) {
    const cl_mem buffers[] = {at->input, at->output, at->scratch};
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++)
        if (buffers[i] != NULL)
            clReleaseMemObject(buffers[i]);
    tally_executable_free(&at->once);
    tally_executable_free(&at->twice);
    tally_host_give(&at->device->allocator, at->terms);
    tally_host_give(&at->device->allocator, at->expected);
    tally_host_give(&at->device->allocator, at->result);
}

static tally_status compute(const bench *at, tally_executable *of, float *result,
                            tally_error *error) {
    const tally_device *device = at->device;
    const tally_launch launch = {.queue = device->queue,
                                 .allocator = &device->allocator,
                                 .kernel = of->kernel,
                                 .endings = &of->endings,
                                 .region = {[TALLY_IN_INPUT].memory.buffer = at->input,
                                            [TALLY_IN_OUTPUT].memory.buffer = at->output,
                                            [TALLY_IN_SCRATCH].memory.buffer = at->scratch}};
    tally_status status = tally_launch_plan(&of->plan, &launch, error);
    if (status != TALLY_OK)
        return status;
    return tally_cl_check(clEnqueueReadBuffer(device->queue, at->output, CL_TRUE, 0, at->bytes,
                                              result, 0, NULL, NULL),
                          "clEnqueueReadBuffer", error);
}

/*
 * How many units the groups left since the last time: the third word counts them, see
 * scan_chain_left.cl, of the board that this queue has to itself.
 */
static tally_status read_left(bench *at, uint32_t *left, tally_error *error) {
    size_t word = at->once.plan.step[0].spec.word;
    uint32_t count = 0;
    cl_int code = clEnqueueReadBuffer(at->device->queue, at->once.endings.memory, CL_TRUE, 2 * word,
                                      sizeof count, &count, 0, NULL, NULL);
    *left = count - at->left;
    at->left = count;
    return tally_cl_check(code, "clEnqueueReadBuffer", error);
}

/* One trial; *passed is false, with the reason, if the device did not do well. */
static tally_status try_once(bench *at, size_t index, tally_trial_result *trial,
                             tally_error *error) {
    tally_plan *plan = &at->once.plan;
    uint32_t left = 0;
    for (uint32_t i = 0; i < plan->count; i++) {
        tally_scan_chain_args *args = &plan->step[i].args.scan_chain;
        args->stall = trials[index].stall;
        args->leave = trials[index].leave;
        args->spin_limit = trials[index].gives_up ? 0 : args->spin_limit;
    }
    memset(at->result, 0, at->bytes);
    tally_status status = compute(at, &at->once, at->result, error);
    if (status == TALLY_OK)
        status = read_left(at, &left, error);
    if (status != TALLY_OK)
        return status;
    if (memcmp(at->expected, at->result, at->bytes) != 0) {
        trial->passed = false;
        snprintf(trial->reason, sizeof trial->reason, "%s it has other bits than two passes",
                 trials[index].name);
    } else if (index == 0) {
        trial->left = left;
        trial->passed = left <= trial->units / LEFT_PART;
        trial->lasts = trial->passed; /* else the device may have been busy */
        if (!trial->passed)
            snprintf(trial->reason, sizeof trial->reason,
                     "%" PRIu32 " of %" PRIu32 " groups waited in vain", left, trial->units);
    }
    return TALLY_OK;
}

tally_status tally_trial_run(tally_device *device, tally_kernels *kernels,
                             tally_trial_result *trial, tally_error *error) {
    bench at = {.device = device, .kernels = kernels};
    tally_status status = open_bench(&at, error);
    if (status == TALLY_OK)
        status = compute(&at, &at.twice, at.expected, error);
    trial->units = status == TALLY_OK ? (uint32_t)(at.bytes / sizeof(float) / TALLY_TILE) : 0;
    trial->passed = status == TALLY_OK;
    trial->lasts = true;
    for (size_t i = 0; i < sizeof trials / sizeof trials[0] && trial->passed; i++) {
        bool again = true;
        for (int k = 0; k < UNDISTURBED_TRIES && again && status == TALLY_OK; k++) {
            trial->reason[0] = '\0';
            trial->lasts = true;
            trial->left = i == 0 ? 0 : trial->left;
            trial->passed = true;
            status = try_once(&at, i, trial, error);
            again = trial->left > trial->units / LEFT_PART;
        }
        trial->passed = trial->passed && status == TALLY_OK;
    }
    close_bench(&at);
    return status;
}
