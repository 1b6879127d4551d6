/*
 * What the device's memory can do: kernels that only copy, read or fill, a table of them for CPUs
 * and one for the rest; next to them those that make the input and do nothing. Knows no operators.
 */
#include "cli/bench/limits/limits.h"

#include <stdlib.h>
#include <string.h>

#include "cli/bench/limits/kernels.h"
#include "cli/tables/types.h"

/* ---- The table ----------------------------------------------------------------------------- */

typedef struct limit_row {
    const char *name;
    const char *kernel; /* NULL: clEnqueueCopyBuffer or clEnqueueFillBuffer */
    bench_limit_kind kind;
    size_t local;
    size_t chunk;     /* bytes of a work-group; all divide 256 KiB */
    cl_uint argument; /* its third: rounds or vectors of a chunk; 0: there is none */
} limit_row;

/* clang-format off */
static const limit_row cpu_rows[] = {
    {"copy_buffer", NULL,          BENCH_COPY, 0, 0,          0},
    {"copy_vector", "copy_chunk",  BENCH_COPY, 1, 64 * 1024,  64 * 1024 / 16},
    {"copy_stream", "copy_stream", BENCH_COPY, 1, 64 * 1024,  64 * 1024 / 32},
    {"fill_buffer", NULL,          BENCH_FILL, 0, 0,          0},
    {"fill_vector", "fill_chunk",  BENCH_FILL, 1, 64 * 1024,  64 * 1024 / 32},
    {"fill_stream", "fill_stream", BENCH_FILL, 1, 64 * 1024,  64 * 1024 / 32},
    {"read_xor",    "read_xor",    BENCH_READ, 1, 256 * 1024, 256 * 1024 / 32},
    {"read_sum",    "read_sum",    BENCH_READ, 1, 256 * 1024, 256 * 1024 / 32},
};
static const limit_row gpu_rows[] = {
    {"copy_buffer", NULL,          BENCH_COPY, 0,   0,          0},
    {"copy_vector", "copy_items",  BENCH_COPY, 256, 16 * 1024,  0},
    {"copy_single", "copy_single", BENCH_COPY_SMALL, 256, 4 * 1024, 0},
    {"fill_buffer", NULL,          BENCH_FILL, 0,   0,          0},
    {"fill_vector", "fill_items",  BENCH_FILL, 256, 16 * 1024,  0},
    {"read_32k",    "read_items",  BENCH_READ, 256, 32 * 1024,  1},
    {"read_256k",   "read_items",  BENCH_READ, 256, 256 * 1024, 8},
};
/* clang-format on */

/* ---- Making them --------------------------------------------------------------------------- */

static int build(bench_limits *limits, const device *on, cli_error *error) {
    char log[800] = "";
    cl_int code;
    const char **texts = malloc(bench_kernel_count * sizeof *texts); /* OpenCL wants no const */
    if (texts == NULL)
        return cli_fail_memory(error, "the kernels of the limits");
    memcpy(texts, bench_kernels, bench_kernel_count * sizeof *texts);
    limits->program =
        clCreateProgramWithSource(on->context, (cl_uint)bench_kernel_count, texts, NULL, &code);
    free(texts);
    if (limits->program == NULL)
        return cli_fail_cl(error, "clCreateProgramWithSource", code);
    code = clBuildProgram(limits->program, 1, &on->id, "", NULL, NULL);
    if (code == CL_SUCCESS)
        return CLI_DONE;
    clGetProgramBuildInfo(limits->program, on->id, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
    return cli_fail(error, "the kernels of the limits cannot be built (%d): %s", (int)code, log);
}

static int make_kernel(cl_program program, const char *name, cl_kernel *kernel, cli_error *error) {
    cl_int code;
    *kernel = clCreateKernel(program, name, &code);
    if (*kernel != NULL)
        return CLI_DONE;
    cli_fail_cl(error, "clCreateKernel", code);
    return cli_error_prefix(error, name, CLI_FAILED);
}

static bool is_copy(bench_limit_kind kind) {
    return kind == BENCH_COPY || kind == BENCH_COPY_SMALL;
}

static int enqueue_limit(void *work, cl_command_queue queue, cl_event *event, cli_error *error) {
    const bench_limit *limit = work;
    cl_int code;
    const cl_uint one = 0x3f800000; /* as a float */
    if (limit->kernel == NULL && is_copy(limit->kind))
        code = clEnqueueCopyBuffer(queue, limit->source, limit->target, 0, 0, limit->size, 0, NULL,
                                   event);
    else if (limit->kernel == NULL)
        code = clEnqueueFillBuffer(queue, limit->target, &one, sizeof one, 0, limit->size, 0, NULL,
                                   event);
    else
        code = clEnqueueNDRangeKernel(queue, limit->kernel, 1, NULL, &limit->global, &limit->local,
                                      0, NULL, event);
    if (code == CL_SUCCESS)
        return CLI_DONE;
    cli_fail_cl(error, "the enqueue", code);
    return cli_error_prefix(error, limit->name, CLI_FAILED);
}

/* Whether the kernel, made, may have groups of that size; a smaller device does without this row.
 */
static bool fits(const device *on, cl_kernel kernel, size_t local) {
    size_t most = 0;
    clGetKernelWorkGroupInfo(kernel, on->id, CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most, NULL);
    return local <= most;
}

static cl_int set_arguments(const bench_limit *limit, const limit_row *row) {
    cl_int code = clSetKernelArg(limit->kernel, 0, sizeof limit->source, &limit->source);
    if (code == CL_SUCCESS)
        code = clSetKernelArg(limit->kernel, 1, sizeof limit->target, &limit->target);
    if (code == CL_SUCCESS && row->argument > 0)
        code = clSetKernelArg(limit->kernel, 2, sizeof row->argument, &row->argument);
    return code;
}

void bench_limit_resize(bench_limit *limit, size_t bytes) {
    const size_t chunk = limit->chunk, chunks = chunk > 0 ? (bytes + chunk / 2) / chunk : 0;
    limit->size = chunk == 0 ? bytes : (chunks > 0 ? chunks : 1) * chunk;
    limit->global = chunk == 0 ? 0 : limit->size / chunk * limit->local;
    limit->bytes = (double)limit->size * (is_copy(limit->kind) ? 2 : 1);
}

static int add_limit(bench_limits *limits, const device *on, const limit_row *row, cl_mem source,
                     cl_mem target, size_t bytes, cli_error *error) {
    cl_int code = CL_SUCCESS;
    cl_kernel kernel = NULL;
    if (row->kernel != NULL) {
        kernel = clCreateKernel(limits->program, row->kernel, &code);
        if (code == CL_INVALID_KERNEL_NAME) /* the compiler has no non-temporal stores */
            return CLI_DONE;
        if (kernel == NULL)
            return cli_fail_cl(error, "clCreateKernel", code);
        if (!fits(on, kernel, row->local)) {
            clReleaseKernel(kernel);
            return CLI_DONE;
        }
    }
    bench_limit *limit = &limits->limit[limits->count++];
    *limit = (bench_limit){.name = row->name,
                           .kind = row->kind,
                           .enqueue = enqueue_limit,
                           .kernel = kernel,
                           .local = row->local,
                           .chunk = row->chunk,
                           .source = source,
                           .target = target};
    bench_limit_resize(limit, bytes);
    if (kernel != NULL)
        code = set_arguments(limit, row);
    return code == CL_SUCCESS ? CLI_DONE : cli_fail_cl(error, "clSetKernelArg", code);
}

int bench_limits_open(bench_limits *limits, const device *on, const bool kinds[BENCH_LIMIT_KINDS],
                      cl_mem source, cl_mem target, size_t bytes, cli_error *error) {
    const bool is_cpu = device_is_cpu(on->id);
    const limit_row *rows = is_cpu ? cpu_rows : gpu_rows;
    size_t count = is_cpu ? sizeof cpu_rows / sizeof *rows : sizeof gpu_rows / sizeof *rows;
    memset(limits, 0, sizeof *limits);
    int status = build(limits, on, error);
    if (status == CLI_DONE)
        status = make_kernel(limits->program, "make_input", &limits->fill, error);
    if (status == CLI_DONE)
        status = make_kernel(limits->program, "empty", &limits->empty, error);
    for (size_t i = 0; i < count && status == CLI_DONE; i++)
        if (kinds[rows[i].kind])
            status = add_limit(limits, on, &rows[i], source, target, bytes, error);
    return status;
}

void bench_limits_close(bench_limits *limits) {
    for (size_t i = 0; i < limits->count; i++)
        if (limits->limit[i].kernel != NULL)
            clReleaseKernel(limits->limit[i].kernel);
    if (limits->fill != NULL)
        clReleaseKernel(limits->fill);
    if (limits->empty != NULL)
        clReleaseKernel(limits->empty);
    if (limits->program != NULL)
        clReleaseProgram(limits->program);
    memset(limits, 0, sizeof *limits);
}

/* ---- Filling, and nothing ------------------------------------------------------------------ */

/* Of the even and the odd 32-bit words: the bits that are random, and those that are set. */
typedef struct fill_pattern {
    cl_uint keep[2], base[2];
} fill_pattern;

/*
 * Floats get a random sign, fraction and low 3 bits of the exponent, and so lie within +-2; other
 * types are random in all bits.
 */
static fill_pattern pattern_of(tally_dtype dtype) {
    const cli_type *type = cli_type_find(dtype);
    const uint32_t bits = 8 * cli_type_bytes(dtype);
    uint64_t keep = UINT64_MAX, base = 0;
    if (cli_type_is_float(dtype)) {
        const uint64_t all = 2 * cli_type_bias(type) + 1;
        keep = ~cli_type_power(type, all - 7);
        base = cli_type_power(type, cli_type_bias(type) - 7);
    }
    for (uint32_t width = bits; width > 0 && width < 64; width *= 2) {
        const uint64_t low = (UINT64_C(1) << width) - 1;
        keep = (keep & low) << width | (keep & low);
        base = (base & low) << width | (base & low);
    }
    return (fill_pattern){{(cl_uint)keep, (cl_uint)(keep >> 32)},
                          {(cl_uint)base, (cl_uint)(base >> 32)}};
}

int bench_limits_fill(const bench_limits *limits, cl_command_queue queue, tally_dtype dtype,
                      cl_mem buffer, size_t bytes, cli_error *error) {
    const size_t words = bytes / 4;
    const fill_pattern pattern = pattern_of(dtype);
    cl_uint seed = (cl_uint)dtype * 0x01000193u;
    cl_int code = clSetKernelArg(limits->fill, 0, sizeof buffer, &buffer);
    if (code == CL_SUCCESS)
        code = clSetKernelArg(limits->fill, 1, sizeof seed, &seed);
    if (code == CL_SUCCESS)
        code = clSetKernelArg(limits->fill, 2, sizeof pattern.keep, pattern.keep);
    if (code == CL_SUCCESS)
        code = clSetKernelArg(limits->fill, 3, sizeof pattern.base, pattern.base);
    if (code == CL_SUCCESS)
        code = clEnqueueNDRangeKernel(queue, limits->fill, 1, NULL, &words, NULL, 0, NULL, NULL);
    return code == CL_SUCCESS ? CLI_DONE : cli_fail_cl(error, "the kernel that fills", code);
}

int bench_limits_empty(void *work, cl_command_queue queue, cl_event *event, cli_error *error) {
    const bench_limits *limits = work;
    size_t one = 1;
    cl_int code = clEnqueueNDRangeKernel(queue, limits->empty, 1, NULL, &one, &one, 0, NULL, event);
    return code == CL_SUCCESS ? CLI_DONE : cli_fail_cl(error, "the empty kernel", code);
}
