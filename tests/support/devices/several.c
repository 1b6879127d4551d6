#include "several.h"

#include <check.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "support/descriptions/describe.h"
#include "support/descriptions/shape.h"
#include "support/fail.h"
#include "support/fixtures/call.h"
#include "support/fixtures/fixture.h"

/* ---- Devices -------------------------------------------------------------------------------- */

/* A context, a queue and a runtime of a device. */
static void open_one(several *of, cl_device_id id, tally_family family) {
    cl_int code = CL_SUCCESS;
    const uint32_t i = of->count++;
    tally_overrides overrides = TALLY_OVERRIDES_INIT;
    tally_config config = TALLY_CONFIG_INIT;
    of->device[i] = id;
    of->context[i] = clCreateContext(NULL, 1, &id, NULL, NULL, &code);
    fixture_check(code);
    of->queue[i] = clCreateCommandQueue(of->context[i], id, 0, &code);
    fixture_check(code);
    overrides.family = family;
    config.context = of->context[i];
    config.device = id;
    config.overrides = &overrides;
    of->runtime[i] = fixture_make_runtime_by(&config);
}

several several_open(uint32_t count, const tally_family *families) {
    several made = {.count = 0};
    while (made.count < count)
        open_one(&made, fixture_get()->device,
                 families != NULL ? families[made.count] : TALLY_FAMILY_AUTO);
    return made;
}

several several_split(uint32_t count) {
    several made = {.sub_devices = true};
    cl_device_id ids[SEVERAL_MAX];
    cl_uint units = 0, found = 0;
    fixture_check(clGetDeviceInfo(fixture_get()->device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units,
                                  &units, NULL));
    const cl_device_partition_property wanted[] = {
        CL_DEVICE_PARTITION_EQUALLY, (cl_device_partition_property)(units / count), 0};
    if (units < count ||
        clCreateSubDevices(fixture_get()->device, wanted, SEVERAL_MAX, ids, &found) != CL_SUCCESS)
        return made;
    for (cl_uint i = 0; i < found; i++)
        if (i < count)
            open_one(&made, ids[i], TALLY_FAMILY_AUTO);
        else
            clReleaseDevice(ids[i]);
    return made;
}

void several_close(several *of) {
    for (uint32_t i = 0; i < of->count; i++) {
        tally_runtime_release(of->runtime[i]);
        clReleaseCommandQueue(of->queue[i]);
        clReleaseContext(of->context[i]);
        if (of->sub_devices)
            clReleaseDevice(of->device[i]);
    }
    of->count = 0;
}

tally_devices *several_list(const several *of, const double *speeds) {
    tally_devices *devices = NULL;
    tally_devices_config config = TALLY_DEVICES_CONFIG_INIT;
    tally_error error;
    config.count = of->count;
    config.runtimes = of->runtime;
    config.queues = of->queue;
    config.speeds = speeds;
    fixture_ok(tally_devices_create(&config, &devices, &error), &error, "tally_devices_create");
    return devices;
}

/* ---- A problem with its memory -------------------------------------------------------------- */

typedef struct job {
    const several *on;
    const tally_desc *desc;
    several_how how;
    tally_tensor input, output; /* of a fill without an input both are the output */
    unsigned char *in, *out[2]; /* of the host: the whole's, and gathered of the devices */
    uint64_t out_bytes;
    tally_devices_op *op;
    tally_binding bindings[SEVERAL_MAX];
} job;

/* Copy the elements of a range between its own memory and the whole's. */
static void copy_range(const tally_tensor *whole, const tally_tensor *range, uint32_t axis,
                       uint64_t begin, unsigned char *of_whole, unsigned char *of_range,
                       bool gather) {
    const size_t bytes = tally_dtype_size(whole->dtype);
    const tally_tensor from = shape_range(whole, axis, begin, begin + range->size[axis]);
    of_whole += begin * oracle_stride(whole, axis) * bytes;
    for (uint64_t i = 0; i < oracle_count(range); i++) {
        unsigned char *here = of_whole + oracle_offset(&from, i) * bytes;
        unsigned char *there = of_range + oracle_offset(range, i) * bytes;
        memcpy(gather ? here : there, gather ? there : here, bytes);
    }
}

static cl_mem make_buffer(const several *on, uint32_t i, uint64_t bytes, void *data) {
    cl_int code = CL_SUCCESS;
    cl_mem buffer = clCreateBuffer(on->context[i], CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                                   (size_t)(bytes > 0 ? bytes : 1), data, &code);
    fixture_check(code);
    return buffer;
}

static tally_devices_part part_of(const job *of, uint32_t i) {
    tally_devices_part part = TALLY_DEVICES_PART_INIT;
    tally_error error;
    fixture_ok(tally_devices_op_part(of->op, i, &part, &error), &error, "tally_devices_op_part");
    return part;
}

static uint64_t output_begin(const job *of, const tally_devices_part *part) {
    return of->output.size[part->axis] == part->output.size[part->axis] ? 0 : part->begin;
}

/* Put a device's ranges into buffers of its own. */
static void bind(job *of, uint32_t i) {
    const tally_devices_part part = part_of(of, i);
    unsigned char *range = fixture_make_memory(part.input_bytes, 0x5A);
    unsigned char *old = fixture_make_memory(part.output_bytes, 0xC3);
    if (part.input_bytes > 0)
        copy_range(&of->input, &part.input, part.axis, part.begin, of->in, range, false);
    of->bindings[i] = (tally_binding)TALLY_BINDING_INIT;
    if (part.output_bytes > 0)
        of->bindings[i].output.buffer =
            make_buffer(of->on, i, part.output_bytes, of->how.in_place ? range : old);
    if (part.input_bytes > 0)
        of->bindings[i].input.buffer = of->how.in_place
                                           ? of->bindings[i].output.buffer
                                           : make_buffer(of->on, i, part.input_bytes, range);
    free(range);
    free(old);
}

/* Take the output's range of a device into the host's memory. */
static void gather(job *of, uint32_t i) {
    const tally_devices_part part = part_of(of, i);
    if (part.output_bytes == 0)
        return;
    unsigned char *range = fixture_make_memory(part.output_bytes, 0);
    fixture_check(clEnqueueReadBuffer(of->on->queue[i], of->bindings[i].output.buffer, CL_TRUE, 0,
                                      (size_t)part.output_bytes, range, 0, NULL, NULL));
    copy_range(&of->output, &part.output, part.axis, output_begin(of, &part), of->out[1], range,
               true);
    free(range);
}

static void drop(const tally_binding *binding) {
    if (binding->output.buffer != NULL)
        clReleaseMemObject(binding->output.buffer);
    if (binding->input.buffer != NULL && binding->input.buffer != binding->output.buffer)
        clReleaseMemObject(binding->input.buffer);
}

/* ---- Running -------------------------------------------------------------------------------- */

static void run_devices(job *of) {
    tally_error error;
    tally_devices *devices = several_list(of->on, of->how.speeds);
    fixture_ok(tally_devices_op_create(devices, of->desc, of->how.axis, &of->op, &error), &error,
               "tally_devices_op_create");
    tally_devices_release(devices);
    for (uint32_t i = 0; i < of->on->count; i++)
        bind(of, i);
    /* Twice, unless the first changes the input: runs share the operator's memory. */
    for (int run = of->how.in_place; run < 2; run++)
        fixture_ok(tally_devices_op_run(of->op, of->bindings, &error), &error,
                   "tally_devices_op_run");
    for (uint32_t i = 0; i < of->on->count; i++) {
        gather(of, i);
        drop(&of->bindings[i]);
    }
}

static void compare(const job *of) {
    tally_cut cut = TALLY_CUT_INIT;
    tally_error error;
    fixture_ok(tally_devices_op_cut(of->op, &cut, &error), &error, "tally_devices_op_cut");
    for (uint64_t i = 0; i < of->out_bytes; i++) {
        if (of->out[0][i] == of->out[1][i])
            continue;
        static text out;
        out.length = 0;
        describe_any(&out, of->desc);
        for (uint32_t d = 0; d < of->on->count; d++)
            text_add(&out, "\ndevice %" PRIu32 " has [%" PRIu64 ", %" PRIu64 ")", d,
                     part_of(of, d).begin, part_of(of, d).end);
        ck_abort_msg("%s\nof axis %" PRIu32 "; byte %" PRIu64
                     " of the output is 0x%02X of one device, but 0x%02X",
                     out.chars, cut.axis, i, of->out[0][i], of->out[1][i]);
    }
}

static void make_memory(job *of) {
    const uint64_t in_bytes = oracle_extent(&of->input);
    of->out_bytes = oracle_extent(&of->output);
    of->in = fixture_make_memory(in_bytes, 0x5A);
    values_fill(of->how.values, of->input.dtype, of->how.seed,
                in_bytes / tally_dtype_size(of->input.dtype), of->in);
    for (int i = 0; i < 2; i++)
        of->out[i] = fixture_make_memory(of->out_bytes, 0xC3);
}

void several_check(const several *on, const tally_desc *whole, several_how how) {
    const tally_tensor *input = tally_desc_input(whole), *output = tally_desc_output(whole);
    job of = {.on = on, .desc = whole, .how = how};
    of.output = *output;
    of.input = input != NULL ? *input : *output;
    make_memory(&of);
    call_any(whole, of.in, of.out[0]);
    run_devices(&of);
    compare(&of);
    tally_devices_op_release(of.op);
    free(of.in);
    free(of.out[0]);
    free(of.out[1]);
}
