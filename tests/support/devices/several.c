#include "several.h"

#include <check.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "support/descriptions/describe.h"
#include "support/fail.h"
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
    tally_tensor input, output; /* strided */
    bool reads;
    unsigned char *in, *out[2]; /* of the host: the whole's, and gathered of the devices */
    uint64_t in_bytes, out_bytes;
    tally_devices_op *op;
    tally_binding bindings[SEVERAL_MAX];
} job;

static tally_tensor strided(const tally_tensor *given) {
    tally_tensor tensor = *given;
    uint64_t stride = 1;
    if ((given->flags & TALLY_STRIDED) != 0)
        return tensor;
    tensor.flags = TALLY_STRIDED;
    for (uint32_t k = given->rank; k-- > 0; stride *= given->size[k])
        tensor.stride[k] = stride;
    return tensor;
}

static uint64_t bytes_of(const tally_tensor *tensor) {
    uint64_t bytes = 0;
    tally_error error;
    fixture_ok(tally_tensor_bytes(tensor, &bytes, &error), &error, "tally_tensor_bytes");
    return bytes;
}

/* Copy the elements of a range between its own memory and the whole's. */
static void copy_range(const tally_tensor *whole, const tally_tensor *given, uint32_t axis,
                       uint64_t begin, unsigned char *of_whole, unsigned char *of_range,
                       bool gather) {
    const tally_tensor range = strided(given);
    const size_t bytes = tally_dtype_size(whole->dtype);
    uint64_t count = 1;
    for (uint32_t k = 0; k < range.rank; k++)
        count *= range.size[k];
    for (uint64_t i = 0; i < count; i++) {
        uint64_t rest = i, from = 0, to = 0;
        for (uint32_t k = range.rank; k-- > 0; rest /= range.size[k]) {
            const uint64_t at = rest % range.size[k];
            from += (at + (k == axis ? begin : 0)) * whole->stride[k];
            to += at * range.stride[k];
        }
        unsigned char *here = of_whole + from * bytes, *there = of_range + to * bytes;
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

static tally_op *make_whole(const job *of) {
    const tally_desc *desc = of->desc;
    tally_runtime *runtime = fixture_get()->runtime;
    tally_op *op = NULL;
    tally_error error;
    fixture_ok(desc->reduce != NULL ? tally_reduce_create(runtime, desc->reduce, &op, &error)
               : desc->cumulative != NULL
                   ? tally_cumulative_create(runtime, desc->cumulative, &op, &error)
                   : tally_diagonal_create(runtime, desc->diagonal, &op, &error),
               &error, "the whole's create");
    return op;
}

static void run_whole(job *of) {
    tally_binding binding = TALLY_BINDING_INIT;
    tally_error error;
    tally_op *op = make_whole(of);
    const size_t scratch = tally_op_scratch_size(op);
    if (of->reads)
        binding.input.buffer = fixture_make_buffer(of->in, of->in_bytes + 1);
    binding.output.buffer = fixture_make_buffer(of->out[0], of->out_bytes + 1);
    if (scratch > 0)
        binding.scratch.buffer = fixture_make_buffer(NULL, scratch);
    fixture_ok(tally_op_enqueue(op, fixture_get()->queue, &binding, 0, NULL, NULL, &error), &error,
               "tally_op_enqueue");
    fixture_check(clEnqueueReadBuffer(fixture_get()->queue, binding.output.buffer, CL_TRUE, 0,
                                      of->out_bytes + 1, of->out[0], 0, NULL, NULL));
    drop(&binding);
    if (scratch > 0)
        clReleaseMemObject(binding.scratch.buffer);
    tally_op_release(op);
}

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
        if (of->desc->reduce != NULL)
            describe_reduce(&out, of->desc->reduce);
        else if (of->desc->cumulative != NULL)
            describe_cumulative(&out, of->desc->cumulative);
        else
            describe_diagonal(&out, of->desc->diagonal);
        for (uint32_t d = 0; d < of->on->count; d++)
            text_add(&out, "\ndevice %" PRIu32 " has [%" PRIu64 ", %" PRIu64 ")", d,
                     part_of(of, d).begin, part_of(of, d).end);
        ck_abort_msg("%s\nof axis %" PRIu32 "; byte %" PRIu64
                     " of the output is 0x%02X of one device, but 0x%02X",
                     out.chars, cut.axis, i, of->out[0][i], of->out[1][i]);
    }
}

static void make_memory(job *of) {
    uint64_t state = of->how.seed * 2654435761u + 1;
    const size_t bytes = tally_dtype_size(of->input.dtype);
    of->in_bytes = bytes_of(&of->input);
    of->out_bytes = bytes_of(&of->output);
    of->in = fixture_make_memory(of->in_bytes, 0x5A);
    for (uint64_t i = 0; i < of->in_bytes / bytes; i++) {
        const uint64_t element = values_element(of->how.values, of->input.dtype, &state);
        memcpy(of->in + i * bytes, &element, bytes);
    }
    for (int i = 0; i < 2; i++)
        of->out[i] = fixture_make_memory(of->out_bytes, 0xC3);
}

void several_check(const several *on, const tally_desc *whole, several_how how) {
    job of = {.on = on, .desc = whole, .how = how, .reads = true};
    const tally_diagonal *fill = whole->diagonal;
    of.output = strided(whole->reduce != NULL       ? &whole->reduce->output
                        : whole->cumulative != NULL ? &whole->cumulative->output
                                                    : &fill->output);
    of.reads = fill == NULL || fill->input != NULL;
    of.input = strided(whole->reduce != NULL       ? &whole->reduce->input
                       : whole->cumulative != NULL ? &whole->cumulative->input
                       : of.reads                  ? fill->input
                                                   : &fill->output);
    make_memory(&of);
    run_whole(&of);
    run_devices(&of);
    compare(&of);
    tally_devices_op_release(of.op);
    free(of.in);
    free(of.out[0]);
    free(of.out[1]);
}

void several_check_reduce(const several *of, const tally_reduce *whole, several_how how) {
    tally_desc desc = TALLY_DESC_INIT;
    desc.reduce = whole;
    several_check(of, &desc, how);
}

void several_check_cumulative(const several *of, const tally_cumulative *whole, several_how how) {
    tally_desc desc = TALLY_DESC_INIT;
    desc.cumulative = whole;
    several_check(of, &desc, how);
}

void several_check_diagonal(const several *of, const tally_diagonal *whole, several_how how) {
    tally_desc desc = TALLY_DESC_INIT;
    desc.diagonal = whole;
    several_check(of, &desc, how);
}
