/*
 * Parts of a problem in the memory of the whole. The whole's tensors say their strides, so those of
 * a part have the same, and a part is a view that begins with its first element.
 */
#include "cli/verify/cuts.h"

#include <string.h>

#include "cli/verify/describe.h"

/* ---- The device as several ------------------------------------------------------------------ */

int verify_cuts_open(verify_cuts *cuts, const device *on, uint32_t parts, cli_error *error) {
    tally_devices_config config = TALLY_DEVICES_CONFIG_INIT;
    tally_runtime *runtimes[VERIFY_PARTS_MOST];
    double speeds[VERIFY_PARTS_MOST];
    tally_error refusal;
    for (uint32_t i = 0; i < parts; i++) {
        cl_int code;
        runtimes[i] = on->runtime;
        speeds[i] = 1;
        cuts->queues[i] = clCreateCommandQueue(on->context, on->id, 0, &code);
        if (cuts->queues[i] == NULL)
            return cli_fail_cl(error, "clCreateCommandQueue", code);
    }
    config.count = parts;
    config.runtimes = runtimes;
    config.queues = cuts->queues;
    config.speeds = speeds;
    return tally_devices_create(&config, &cuts->devices, &refusal) == TALLY_OK
               ? CLI_DONE
               : cli_fail(error, "%s", refusal.message);
}

void verify_cuts_close(verify_cuts *cuts) {
    tally_devices_release(cuts->devices);
    for (uint32_t i = 0; i < VERIFY_PARTS_MOST; i++)
        if (cuts->queues[i] != NULL)
            clReleaseCommandQueue(cuts->queues[i]);
    memset(cuts, 0, sizeof *cuts);
}

/* ---- A problem ------------------------------------------------------------------------------ */

static void say_strides(tally_tensor *tensor) {
    uint64_t packed = 1;
    if ((tensor->flags & TALLY_STRIDED) != 0)
        return;
    tensor->flags |= TALLY_STRIDED;
    for (uint32_t k = tensor->rank; k-- > 0; packed *= tensor->size[k])
        tensor->stride[k] = packed;
}

/* The tensors of a problem of any kind. */
static void say_all_strides(verify_problem *problem) {
    say_strides(&problem->input);
    if (problem->kind == VERIFY_REDUCE)
        say_strides(&problem->reduce.input);
    if (problem->kind == VERIFY_SCAN)
        say_strides(&problem->scan.input);
    say_strides(problem->kind == VERIFY_REDUCE ? &problem->reduce.output
                : problem->kind == VERIFY_SCAN ? &problem->scan.output
                                               : &problem->fill.output);
}

/* What lies before a part's first element, in bytes. */
static size_t before(const tally_tensor *tensor, const tally_devices_part *part) {
    return (size_t)(part->begin * tensor->stride[part->axis]) * tally_dtype_size(tensor->dtype);
}

int verify_cuts_create(const verify_cuts *cuts, const verify_problem *problem, uint32_t axis,
                       const tally_binding *whole, tally_devices_op **op,
                       tally_binding bindings[VERIFY_PARTS_MOST], cli_error *error) {
    verify_problem copy = *problem;
    tally_error refusal;
    tally_cut cut = TALLY_CUT_INIT;
    uint64_t bounds[2];
    say_all_strides(&copy);
    const tally_desc desc = verify_describe(&copy);
    if (tally_cut_even(&desc, axis, 1, bounds, &cut, &refusal) == TALLY_INVALID)
        return CLI_DONE;
    tally_status status = tally_devices_op_create(cuts->devices, &desc, axis, op, &refusal);
    if (status == TALLY_OK)
        status = tally_devices_op_cut(*op, &cut, &refusal);
    const tally_tensor *input = tally_desc_input(&desc), *output = tally_desc_output(&desc);
    for (uint32_t i = 0; i < tally_devices_count(cuts->devices) && status == TALLY_OK; i++) {
        tally_devices_part part = TALLY_DEVICES_PART_INIT;
        status = tally_devices_op_part(*op, i, &part, &refusal);
        bindings[i] = *whole;
        if (input != NULL)
            bindings[i].input.offset += before(input, &part);
        if (cut.kind != TALLY_CUT_STATES)
            bindings[i].output.offset += before(output, &part);
    }
    return status == TALLY_OK ? CLI_DONE : cli_fail(error, "%s", refusal.message);
}
