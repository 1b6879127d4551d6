/*
 * What the device's memory can do: kernels that only copy or only read, a table of them for CPUs
 * and one for the rest; next to them those that fill the input and do nothing. Knows no operators.
 */
#include "cli/bench_limits.h"

#include <stdio.h>
#include <string.h>

/* ---- The kernels --------------------------------------------------------------------------- */

/* In pieces: the standard promises literals of 4095 characters only. */
static const char *const sources[] = {
    /* A hash of the word's number, cut to the bits that keep every element finite. */
    "kernel void fill(global uint *out, uint seed, uint2 keep, uint2 base) {\n"
    "  size_t i = get_global_id(0);\n"
    "  uint h = (uint)i * 0x9e3779b1u ^ (uint)(i >> 16 >> 16) ^ seed;\n"
    "  h = (h ^ h >> 16) * 0x85ebca6bu;\n"
    "  h = (h ^ h >> 13) * 0xc2b2ae35u;\n"
    "  h ^= h >> 16;\n"
    "  out[i] = (i & 1) == 0 ? (h & keep.x) | base.x : (h & keep.y) | base.y;\n"
    "}\n"
    "kernel void empty(void) {}\n",
    /* For GPUs: neighbours read neighbouring 16 bytes, several in flight. */
    "kernel void copy_items(global const uint4 *in, global uint4 *out) {\n"
    "  size_t n = get_local_size(0), i = get_group_id(0) * n * 4 + get_local_id(0);\n"
    "  uint4 a = in[i], b = in[i + n], c = in[i + 2 * n], d = in[i + 3 * n];\n"
    "  out[i] = a; out[i + n] = b; out[i + 2 * n] = c; out[i + 3 * n] = d;\n"
    "}\n"
    "kernel void read_items(global const uint4 *in, global uint *out, uint rounds) {\n"
    "  local uint all;\n"
    "  size_t n = get_local_size(0), g = get_group_id(0);\n"
    "  size_t i = g * n * 8 * rounds + get_local_id(0);\n"
    "  uint4 x = 0;\n"
    "  if (get_local_id(0) == 0) all = 0;\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  for (uint k = 0; k < rounds; k++, i += 8 * n) {\n"
    "    uint4 a = in[i], b = in[i + n], c = in[i + 2 * n], d = in[i + 3 * n];\n"
    "    uint4 e = in[i + 4 * n], f = in[i + 5 * n], p = in[i + 6 * n], q = in[i + 7 * n];\n"
    "    x ^= ((a ^ b) ^ (c ^ d)) ^ ((e ^ f) ^ (p ^ q));\n"
    "  }\n"
    "  atomic_xor(&all, x.x ^ x.y ^ x.z ^ x.w);\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  if (get_local_id(0) == 0) out[g] = all;\n"
    "}\n",
    /* For CPUs: one work-item walks over a chunk. */
    "kernel void copy_chunk(global const uint4 *in, global uint4 *out, uint count) {\n"
    "  size_t i = get_global_id(0) * count, end = i + count;\n"
    "  for (; i < end; i += 4) {\n"
    "    out[i] = in[i]; out[i + 1] = in[i + 1];\n"
    "    out[i + 2] = in[i + 2]; out[i + 3] = in[i + 3];\n"
    "  }\n"
    "}\n"
    "#ifdef __has_builtin\n"
    "#if __has_builtin(__builtin_nontemporal_store)\n"
    "kernel void copy_stream(global const uint8 *in, global uint8 *out, uint count) {\n"
    "  size_t i = get_global_id(0) * count, end = i + count;\n"
    "  for (; i < end; i += 2) {\n"
    "    uint8 a = in[i], b = in[i + 1];\n"
    "    __builtin_nontemporal_store(a, out + i);\n"
    "    __builtin_nontemporal_store(b, out + i + 1);\n"
    "  }\n"
    "}\n"
    "#endif\n"
    "#endif\n",
    "#define READ_CHUNK(name, type, zero, step, fold)                  \\\n"
    "  kernel void name(global const type *in, global uint *out, uint count) {  \\\n"
    "    size_t i = get_global_id(0) * count, end = i + count;         \\\n"
    "    type a = zero, b = zero, c = zero, d = zero;                  \\\n"
    "    for (; i < end; i += 4) {                                     \\\n"
    "      a step in[i]; b step in[i + 1]; c step in[i + 2]; d step in[i + 3]; \\\n"
    "    }                                                             \\\n"
    "    a step b; c step d; a step c;                                 \\\n"
    "    out[get_global_id(0)] = fold;                                 \\\n"
    "  }\n"
    "READ_CHUNK(read_xor, uint8, (uint8)(0), ^=,\n"
    "           a.s0 ^ a.s1 ^ a.s2 ^ a.s3 ^ a.s4 ^ a.s5 ^ a.s6 ^ a.s7)\n"
    "READ_CHUNK(read_sum, float8, (float8)(0), +=,\n"
    "           as_uint(a.s0 + a.s1 + a.s2 + a.s3 + a.s4 + a.s5 + a.s6 + a.s7))\n",
};
#define SOURCES (sizeof sources / sizeof sources[0])

typedef struct limit_row {
    const char *name;
    const char *kernel; /* NULL: clEnqueueCopyBuffer */
    bool copies;
    size_t local;
    size_t chunk;     /* bytes of a work-group; all divide 256 KiB */
    cl_uint argument; /* its third: rounds or vectors of a chunk; 0: there is none */
} limit_row;

/* clang-format off */
static const limit_row cpu_rows[] = {
    {"copy_buffer", NULL,          true,  0, 0,          0},
    {"copy_vector", "copy_chunk",  true,  1, 64 * 1024,  64 * 1024 / 16},
    {"copy_stream", "copy_stream", true,  1, 64 * 1024,  64 * 1024 / 32},
    {"read_xor",    "read_xor",    false, 1, 256 * 1024, 256 * 1024 / 32},
    {"read_sum",    "read_sum",    false, 1, 256 * 1024, 256 * 1024 / 32},
};
static const limit_row gpu_rows[] = {
    {"copy_buffer", NULL,          true,  0,   0,          0},
    {"copy_vector", "copy_items",  true,  256, 16 * 1024,  0},
    {"read_32k",    "read_items",  false, 256, 32 * 1024,  1},
    {"read_256k",   "read_items",  false, 256, 256 * 1024, 8},
};
/* clang-format on */

/* ---- Making them --------------------------------------------------------------------------- */

static int build(bench_limits *limits, const device *on, cli_error *error) {
    char log[800] = "";
    cl_int code;
    const char *texts[SOURCES];
    memcpy(texts, sources, sizeof texts);
    limits->program = clCreateProgramWithSource(on->context, SOURCES, texts, NULL, &code);
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

static int enqueue_limit(void *work, cl_command_queue queue, cl_event *event, cli_error *error) {
    const bench_limit *limit = work;
    cl_int code;
    if (limit->kernel == NULL)
        code = clEnqueueCopyBuffer(queue, limit->source, limit->target, 0, 0, limit->copy_bytes, 0,
                                   NULL, event);
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
                           .copies = row->copies,
                           .bytes = (double)bytes * (row->copies ? 2 : 1),
                           .enqueue = enqueue_limit,
                           .kernel = kernel,
                           .global = kernel != NULL ? bytes / row->chunk * row->local : 0,
                           .local = row->local,
                           .source = source,
                           .target = target,
                           .copy_bytes = bytes};
    if (kernel != NULL)
        code = set_arguments(limit, row);
    return code == CL_SUCCESS ? CLI_DONE : cli_fail_cl(error, "clSetKernelArg", code);
}

int bench_limits_open(bench_limits *limits, const device *on, cl_mem source, cl_mem target,
                      size_t bytes, cli_error *error) {
    bool is_cpu = (device_number(on->id, CL_DEVICE_TYPE) & CL_DEVICE_TYPE_CPU) != 0;
    const limit_row *rows = is_cpu ? cpu_rows : gpu_rows;
    size_t count = is_cpu ? sizeof cpu_rows / sizeof *rows : sizeof gpu_rows / sizeof *rows;
    memset(limits, 0, sizeof *limits);
    int status = build(limits, on, error);
    if (status == CLI_DONE)
        status = make_kernel(limits->program, "fill", &limits->fill, error);
    if (status == CLI_DONE)
        status = make_kernel(limits->program, "empty", &limits->empty, error);
    for (size_t i = 0; i < count && status == CLI_DONE; i++)
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

/*
 * Of the even and the odd 32-bit words of the input: the bits that are random, and the bits that
 * are set. Floats get a random sign, fraction and low 3 bits of the exponent, and so lie within
 * +-2; other types are random in all bits.
 */
static const struct {
    tally_dtype dtype;
    cl_uint keep[2], base[2];
} patterns[] = {
    {TALLY_F16, {0x9fff9fff, 0x9fff9fff}, {0x20002000, 0x20002000}},
    {TALLY_F32, {0x83ffffff, 0x83ffffff}, {0x3c000000, 0x3c000000}},
    {TALLY_F64, {0xffffffff, 0x807fffff}, {0x00000000, 0x3f800000}},
    {TALLY_DTYPE_NONE, {0xffffffff, 0xffffffff}, {0, 0}},
};

int bench_limits_fill(const bench_limits *limits, cl_command_queue queue, tally_dtype dtype,
                      cl_mem buffer, size_t bytes, cli_error *error) {
    size_t words = bytes / 4, i = 0;
    cl_uint seed = (cl_uint)dtype * 0x01000193u;
    while (patterns[i].dtype != dtype && patterns[i].dtype != TALLY_DTYPE_NONE)
        i++;
    cl_int code = clSetKernelArg(limits->fill, 0, sizeof buffer, &buffer);
    if (code == CL_SUCCESS)
        code = clSetKernelArg(limits->fill, 1, sizeof seed, &seed);
    if (code == CL_SUCCESS)
        code = clSetKernelArg(limits->fill, 2, sizeof patterns[i].keep, patterns[i].keep);
    if (code == CL_SUCCESS)
        code = clSetKernelArg(limits->fill, 3, sizeof patterns[i].base, patterns[i].base);
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
