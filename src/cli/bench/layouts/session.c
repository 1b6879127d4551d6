/*
 * The device, the memory and the copies of tally bench layouts. Runs no operator.
 */
#include "cli/bench/layouts/session.h"
#include "cli/tables/types.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Bytes behind the last element that --check looks at. */
#define GUARD 256

/* What the limits are made with is a multiple of this. */
#define LIMIT_UNIT ((uint64_t)256 << 10)

int layouts_session_open(layouts_session *session, const common_options *common, bool check,
                         cli_error *error) {
    memset(session, 0, sizeof *session);
    device_request request = options_request(common, false);
    int status = device_choose(&request, &session->device, error);
    if (status != CLI_DONE)
        return status;
    session->allocation_max =
        device_number(session->device.id, CL_DEVICE_MAX_MEM_ALLOC_SIZE) / LIMIT_UNIT * LIMIT_UNIT;
    request.family = TALLY_FAMILY_GENERIC;
    return check ? device_runtime(&session->device, &request, &session->generic, error) : CLI_DONE;
}

void layouts_session_close(layouts_session *session) {
    bench_limits_close(&session->limits);
    transfer_release(&session->input);
    transfer_release(&session->output);
    transfer_release(&session->second);
    transfer_release(&session->scratch);
    tally_runtime_release(session->generic);
    device_close(&session->device);
    memset(session, 0, sizeof *session);
}

/* ---- Memory -------------------------------------------------------------------------------- */

uint64_t layouts_reach(const layouts_placement *placement, const tally_tensor *tensor) {
    return (placement->offset + layouts_extent(tensor)) * cli_type_bytes(tensor->dtype);
}

void layouts_refuse(const layouts_session *session, const layouts_problem *problem,
                    char refusal[LAYOUTS_REFUSAL_BYTES]) {
    const struct {
        const char *what;
        uint64_t bytes;
    } buffers[] = {{"input", layouts_reach(&problem->input_placement, &problem->input)},
                   {"output", layouts_reach(&problem->output_placement, &problem->output)}};
    refusal[0] = '\0';
    for (size_t i = 0; i < 2 && refusal[0] == '\0'; i++)
        if (buffers[i].bytes + GUARD > session->allocation_max)
            snprintf(refusal, LAYOUTS_REFUSAL_BYTES,
                     "the %s reaches over %" PRIu64 " bytes, but the device allocates %" PRIu64
                     " at most at once",
                     buffers[i].what, buffers[i].bytes, session->allocation_max);
}

/* What the device has must do for all buffers. */
static int check_total(const layouts_session *session, uint64_t bytes, cli_error *error) {
    const uint64_t there = device_number(session->device.id, CL_DEVICE_GLOBAL_MEM_SIZE);
    if (bytes <= there)
        return CLI_DONE;
    return cli_fail(error,
                    "the buffers have %" PRIu64 " bytes, but the device has %" PRIu64
                    "; a lower --log2 needs less",
                    bytes, there);
}

static uint64_t whole_units(uint64_t bytes) {
    return (bytes + LIMIT_UNIT - 1) / LIMIT_UNIT * LIMIT_UNIT;
}

/* The copies go from the input to the output, so both are as large as the larger. */
int layouts_session_allocate(layouts_session *session, uint64_t input, uint64_t output,
                             cli_error *error) {
    static const bool kinds[BENCH_LIMIT_KINDS] = {[BENCH_COPY] = true, [BENCH_COPY_SMALL] = true};
    const uint64_t bytes = whole_units((input > output ? input : output) + GUARD);
    const device *on = &session->device;
    const bool check = session->generic != NULL;
    int status = check_total(session, (check ? 3 : 2) * bytes, error);
    if (status == CLI_DONE)
        status = transfer_grow(on, "input", bytes, &session->input, error);
    if (status == CLI_DONE)
        status = transfer_grow(on, "output", bytes, &session->output, error);
    if (status == CLI_DONE && check)
        status = transfer_grow(on, "second output", bytes, &session->second, error);
    if (status == CLI_DONE)
        status = bench_limits_open(&session->limits, on, kinds, session->input.buffer,
                                   session->output.buffer, (size_t)bytes, error);
    return status;
}

/* In whole units: drivers cut a range of work-items into groups that divide it. */
int layouts_fill(layouts_session *session, tally_dtype dtype, cl_mem buffer, uint64_t bytes,
                 cli_error *error) {
    return bench_limits_fill(&session->limits, session->device.queue, dtype, buffer,
                             (size_t)whole_units(bytes), error);
}

int layouts_fill_input(layouts_session *session, tally_dtype dtype, uint64_t bytes,
                       cli_error *error) {
    if (session->filled == dtype && session->filled_bytes >= bytes)
        return CLI_DONE;
    session->filled = dtype;
    session->filled_bytes = bytes;
    return layouts_fill(session, dtype, session->input.buffer, bytes, error);
}

/* ---- Copies -------------------------------------------------------------------------------- */

#define COPY_SAMPLES 3

/* A chunk that is larger than what is asked for takes its whole time, like any small copy. */
double layouts_copy_seconds(const bench_limit *copy, uint64_t bytes, double seconds) {
    const double part = (double)bytes / copy->bytes;
    return part < 0.9 ? seconds : seconds * part;
}

/* The fastest of all copies. */
static int find_best(layouts_session *session, uint64_t bytes, bench_limit **best,
                     cli_error *error) {
    bench_limits *limits = &session->limits;
    layouts_timed timed[BENCH_LIMITS_MAX];
    uint32_t taken;
    for (size_t i = 0; i < limits->count; i++) {
        bench_limit_resize(&limits->limit[i], (size_t)(bytes / 2));
        timed[i] = (layouts_timed){limits->limit[i].enqueue, &limits->limit[i], 0, 0};
    }
    int status =
        layouts_time(session->device.queue, timed, limits->count, COPY_SAMPLES, &taken, error);
    double least = 0;
    for (size_t i = 0; i < limits->count && status == CLI_DONE; i++) {
        bench_limit *limit = &limits->limit[i];
        const double seconds = layouts_copy_seconds(limit, bytes, timed[i].seconds);
        *best = i == 0 || seconds < least ? limit : *best;
        least = *best == limit ? seconds : least;
    }
    return status;
}

int layouts_copy(layouts_session *session, uint64_t bytes, bench_limit **copy, cli_error *error) {
    bench_limit **best = &session->best[layouts_sixteenths(bytes) / LAYOUTS_OCTAVE];
    int status = *best == NULL ? find_best(session, bytes, best, error) : CLI_DONE;
    if (status != CLI_DONE)
        return status;
    bench_limit_resize(*best, (size_t)(bytes / 2));
    *copy = *best;
    return CLI_DONE;
}
