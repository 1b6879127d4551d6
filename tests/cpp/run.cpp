/*
 * run.cpp: tally/tally.hpp on the first OpenCL device, with queues, buffers and events of
 * CL/opencl.hpp. Built with exceptions, and once more without, when only the results are there.
 *
 *   run FOLDER   a folder of the test's own, for a cache
 */
#include <CL/opencl.hpp>
#include <tally/tally.hpp>

#include <tally/directml.hpp>

#include <array>
#include <chrono>
#include <cstdlib>
#include <thread>

namespace {

int failures = 0;

void check(bool holds, const char *what, int line) {
    if (!holds) {
        failures++;
        std::printf("run.cpp:%d: %s does not hold\n", line, what);
    }
}
#define CHECK(what) check((what), #what, __LINE__)

[[noreturn]] void stop(const char *why, int line) {
    std::printf("run.cpp:%d: %s\n", line, why);
    std::exit(EXIT_FAILURE);
}

template <class T> T need(tally::result<T> got, int line) {
    if (!got)
        stop(got.error().message, line);
    if constexpr (!std::is_void_v<T>)
        return *std::move(got);
}
#define NEED(got) need((got), __LINE__)

bool contains(const std::string &all, const char *part) {
    return all.find(part) != std::string::npos;
}

/* Whether a call was refused with this status and a sentence that has these words. */
template <class T> bool refused(const tally::result<T> &got, tally::status why, const char *words) {
    if (got || got.status() != why || got.error().status != why ||
        !contains(got.error().message, words)) {
        std::printf("it gave %s: %s\n", std::string(tally::name(got.status())).c_str(),
                    got ? "" : got.error().message);
        return false;
    }
    return true;
}

/* What belongs to the caller: a device, a queue, and 3 x 4 numbers. */
constexpr std::array<float, 12> values = {{3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8}};

struct host {
    cl::Device device;
    cl::Context context;
    cl::CommandQueue queue;
    cl::Buffer input;
    cl::Buffer output;
    tally::runtime runtime;
    tally::tensor matrix;

    std::vector<float> read(const cl::Buffer &from, std::size_t count) const {
        std::vector<float> got(count);
        CHECK(queue.enqueueReadBuffer(from, CL_TRUE, 0, count * sizeof(float), got.data()) ==
              CL_SUCCESS);
        return got;
    }
    cl::Buffer copy() const {
        cl::Buffer made(context, CL_MEM_READ_WRITE, sizeof values);
        CHECK(queue.enqueueWriteBuffer(made, CL_TRUE, 0, sizeof values, values.data()) ==
              CL_SUCCESS);
        return made;
    }
};

host open_host() {
    host h;
    std::vector<cl::Platform> platforms;
    std::vector<cl::Device> devices;
    if (cl::Platform::get(&platforms) != CL_SUCCESS || platforms.empty() ||
        platforms[0].getDevices(CL_DEVICE_TYPE_ALL, &devices) != CL_SUCCESS || devices.empty())
        stop("no OpenCL device", __LINE__);
    h.device = devices[0];
    h.context = cl::Context(h.device);
    h.queue = cl::CommandQueue(h.context, h.device);
    h.output = cl::Buffer(h.context, CL_MEM_READ_WRITE, sizeof values);
    h.input = h.copy();
    h.runtime = NEED(tally::runtime::try_make(tally::config(h.context, h.device)));
    h.matrix = NEED(tally::try_packed(TALLY_F32, {3, 4}));
    return h;
}

tally::op row_sums(const host &h) {
    return NEED(tally::op::try_make(h.runtime, NEED(tally::try_reduce(TALLY_SUM, h.matrix, {1}))));
}

/* ---- Without a device ------------------------------------------------------------------------ */

void test_names() {
    CHECK(tally::version() == TALLY_VERSION);
    CHECK(tally::order_version() == tally_order_version());
    CHECK(tally::name(TALLY_UNSUPPORTED) == "unsupported");
    CHECK(tally::name(TALLY_F16) == "f16" && tally::name(TALLY_LOG_SUM_EXP) == "log_sum_exp");
    CHECK(tally::dtype_by_name(std::string("u64")) == TALLY_U64);
    CHECK(tally::dtype_by_name("none") == TALLY_DTYPE_NONE);
    CHECK(tally::function_by_name("argmin") == TALLY_ARGMIN);
    CHECK(tally::size_of(TALLY_I16) == 2);
}

template <class T> unsigned half_of(T value) {
    return NEED(tally::try_scalar(TALLY_F16, value)).f16_bits;
}

void test_half() {
    CHECK(half_of(0.0) == 0 && half_of(-0.0) == 0x8000 && half_of(1) == 0x3C00);
    CHECK(half_of(-2) == 0xC000 && half_of(1.0 / 3) == 0x3555);
    CHECK(half_of(65504) == 0x7BFF && half_of(65519.999) == 0x7BFF && half_of(65520) == 0x7C00);
    CHECK(half_of(1e300) == 0x7C00 && half_of(-1e300) == 0xFC00);
    CHECK(half_of(std::ldexp(1.0, -14)) == 0x0400 && half_of(std::ldexp(1.0, -24)) == 1);
    CHECK(half_of(std::ldexp(1.0, -25)) == 0 && half_of(std::ldexp(1.5, -25)) == 1);
    CHECK(half_of(std::ldexp(2047.0, -25)) == 0x0400); /* the carry of a subnormal: a tie */
    CHECK(half_of(2049) == 0x6800 && half_of(2051) == 0x6802 && half_of(2049.01) == 0x6801);
    CHECK((half_of(std::nan("")) & 0x7FFFu) == 0x7E00u);
    CHECK(half_of(std::numeric_limits<float>::infinity()) == 0x7C00);
}

void test_scalars() {
    CHECK(tally::scalar(-7).i32 == -7 && tally::scalar(7ull).u64 == 7);
    CHECK(tally::scalar(tally::f16{0x3C00}).f16_bits == 0x3C00);
    CHECK(NEED(tally::try_scalar(TALLY_I8, -128)).i8 == -128);
    CHECK(NEED(tally::try_scalar(TALLY_U8, 255.0)).u8 == 255);
    CHECK(NEED(tally::try_scalar(TALLY_I64, -9223372036854775808.0)).i64 ==
          std::numeric_limits<std::int64_t>::min());
    CHECK(NEED(tally::try_scalar(TALLY_U64, ~0ull)).u64 == ~0ull);
    CHECK(NEED(tally::try_scalar(TALLY_F32, 16777217)).f32 <= 16777216.0f);
    CHECK(NEED(tally::try_scalar(TALLY_F64, 0.1)).f64 >= 0.1);
    CHECK(
        refused(tally::try_scalar(TALLY_U8, 256), TALLY_INVALID, "256 is no value of the type u8"));
    CHECK(refused(tally::try_scalar(TALLY_U8, -1), TALLY_INVALID, "-1 is no value of the type u8"));
    CHECK(refused(tally::try_scalar(TALLY_I8, -129), TALLY_INVALID, "-129"));
    CHECK(refused(tally::try_scalar(TALLY_I64, ~0ull), TALLY_INVALID, "18446744073709551615"));
    CHECK(refused(tally::try_scalar(TALLY_I64, 9223372036854775808.0), TALLY_INVALID, "i64"));
    CHECK(refused(tally::try_scalar(TALLY_I32, 10.6), TALLY_INVALID, "10.6"));
    CHECK(refused(tally::try_scalar(TALLY_I32, std::nan("")), TALLY_INVALID, "nan"));
    CHECK(refused(tally::try_scalar(TALLY_DTYPE_NONE, 1), TALLY_INVALID, "unknown"));
}

void test_tensors() {
    const std::vector<int> of_ints = {2, 3, 4};
    const tally::tensor a = NEED(tally::try_packed(TALLY_I16, of_ints));
    CHECK(a.rank == 3 && a.flags == 0 && a.size[0] == 2 && a.size[2] == 4 && a.size[3] == 0);
    CHECK(NEED(tally::try_bytes(a)) == 48);
    const tally::tensor b = NEED(tally::try_strided(TALLY_F32, {2, 3}, {8, 2}));
    CHECK(b.flags == TALLY_STRIDED && b.stride[0] == 8 && b.stride[1] == 2);
    CHECK(NEED(tally::try_bytes(b)) == 4 * (8 + 4 + 1));
    const tally::tensor c = NEED(tally::try_reduced(a, {2, 0}, TALLY_U32));
    CHECK(c.dtype == TALLY_U32 && c.size[0] == 1 && c.size[1] == 3 && c.size[2] == 1);
    CHECK(NEED(tally::try_packed(TALLY_F32, {})).rank == 0);
    CHECK(tally::axes::all_of(a).mask() == 7);

    const std::array<std::uint64_t, 9> nine = {{1, 1, 1, 1, 1, 1, 1, 1, 1}};
    CHECK(refused(tally::try_packed(TALLY_F32, nine), TALLY_INVALID, "there are 9 sizes"));
    CHECK(refused(tally::try_packed(TALLY_F32, {2, -3}), TALLY_INVALID, "-3 among the sizes"));
    CHECK(refused(tally::try_strided(TALLY_F32, {2}, {-1}), TALLY_INVALID, "among the strides"));
    CHECK(refused(tally::try_strided(TALLY_F32, {2, 3}, {1}), TALLY_INVALID, "1 strides for 2"));
    CHECK(refused(tally::try_reduced(a, {3}, TALLY_F32), TALLY_INVALID, "axis 3 is none of"));
    CHECK(refused(tally::try_reduced(a, {-1}, TALLY_F32), TALLY_INVALID, "axis -1 is none of"));
    CHECK(refused(tally::try_reduced(a, {1, 64}, TALLY_F32), TALLY_INVALID, "axis 64 is none"));
    CHECK(refused(tally::try_bytes(tally::tensor()), TALLY_INVALID, "tensor"));
}

void test_descriptions() {
    const tally::tensor a = NEED(tally::try_packed(TALLY_F32, {3, 4}));
    const tally::reduce_desc sum = NEED(tally::try_reduce(TALLY_SUM, a, {0}));
    CHECK(sum.struct_size == sizeof(tally_reduce) && sum.axes == 1);
    CHECK(sum.output.dtype == TALLY_F32 && sum.output.size[0] == 1 && sum.output.size[1] == 4);
    CHECK(NEED(tally::try_reduce(TALLY_ARGMIN, a, {0})).output.dtype == TALLY_I64);
    CHECK(NEED(tally::try_reduce(TALLY_ARGMIN, a, {0}, TALLY_U32)).output.dtype == TALLY_U32);
    const tally::cumulative_desc total = NEED(tally::try_cumulative(TALLY_SUM, a, 1));
    CHECK(total.struct_size == sizeof(tally_cumulative) && total.axis == 1);
    CHECK(total.output.size[1] == 4 && !total.descending && !total.exclusive);

    tally::diagonal_desc fill = NEED(tally::try_diagonal(a, 2, -1, 1, a));
    CHECK(fill.struct_size == sizeof(tally_diagonal) && fill.value.f32 >= 2 && fill.begin == -1);
    tally::diagonal_desc other = fill;
    CHECK(other.input != nullptr && other.input != fill.input && other.input->rank == 2);
    fill.input = &a;
    other = fill;
    CHECK(other.input == &a);
    CHECK(static_cast<tally_desc>(fill).diagonal == &fill && tally::desc(sum).reduce == &sum);

    CHECK(refused(tally::try_reduce(TALLY_SUM, a, {2}), TALLY_INVALID, "axis 2 is none of"));
    CHECK(refused(tally::try_cumulative(TALLY_SUM, a, 2), TALLY_INVALID, "axis 2 is none of"));
    const tally::tensor row = NEED(tally::try_packed(TALLY_F32, {3}));
    CHECK(refused(tally::try_diagonal(row, 1, 0, 1), TALLY_INVALID, "of 1 axes has no matrices"));
    const tally::tensor bytes = NEED(tally::try_packed(TALLY_U8, {3, 3}));
    CHECK(refused(tally::try_diagonal(bytes, 300, 0, 1), TALLY_INVALID, "300"));
}

void test_explain_without_device() {
    const tally::tensor a = NEED(tally::try_packed(TALLY_F32, {1000, 5000}));
    const tally::reduce_desc sum = NEED(tally::try_reduce(TALLY_SUM, a, {1}));
    const std::string plan = NEED(tally::try_explain(sum, TALLY_FAMILY_GPU));
    CHECK(contains(plan, "f32") && !contains(plan, "__kernel"));
    const std::string all =
        NEED(tally::try_explain(sum, TALLY_FAMILY_CPU, TALLY_SINGLE_PASS_AUTO, true));
    CHECK(contains(all, "kernel") && all.size() > plan.size());
    CHECK(refused(tally::try_explain(sum, TALLY_FAMILY_AUTO), TALLY_INVALID, "family"));
}

/* ---- Owners ---------------------------------------------------------------------------------- */

void test_moves(const host &h) {
    tally::op a = row_sums(h);
    tally_op *const raw = a.get();
    tally::op b = std::move(a);
    CHECK(!a && b && a.get() == nullptr && b.get() == raw);
    a = std::move(b);
    CHECK(a.get() == raw && !b);
    tally::op &same = a;
    a = std::move(same);
    CHECK(a.get() == raw);
    std::swap(a, b);
    CHECK(!a && b.get() == raw);
    tally_op *const released = b.release();
    CHECK(released == raw && !b);
    tally::op taken(released);
    CHECK(taken.get() == raw && !taken.describe().empty());
    taken.reset();
    CHECK(!taken && taken.describe().empty() && taken.scratch_size() == 0);
    CHECK(refused(taken.try_enqueue(h.queue, {h.input, h.output}), TALLY_INVALID, "NULL"));
    CHECK(refused(tally::runtime().try_stats(), TALLY_INVALID, "NULL"));
    CHECK(refused(tally::op::try_make({}, NEED(tally::try_reduce(TALLY_SUM, h.matrix, {1}))),
                  TALLY_INVALID, "NULL"));
}

cl_uint count_holds(const host &h) {
    return h.context.getInfo<CL_CONTEXT_REFERENCE_COUNT>();
}

/* An operator keeps its runtime, and the runtime its context: until both are destroyed. */
void test_lifetimes(const host &h) {
    const cl_uint holds = count_holds(h);
    tally::op sum;
    {
        const tally::runtime runtime =
            NEED(tally::runtime::try_make(tally::config(h.context(), h.device())));
        sum = NEED(tally::op::try_make(runtime, NEED(tally::try_reduce(TALLY_SUM, h.matrix, {1}))));
    }
    NEED(sum.try_enqueue(h.queue, {h.input, h.output}));
    CHECK((h.read(h.output, 3) == std::vector<float>{9, 22, 21}));
    CHECK(count_holds(h) > holds);
    sum = tally::op();
    /* Threads of the driver may let go of events, and those of the context, a little later. */
    for (int tries = 0; tries < 5000 && count_holds(h) != holds; tries++)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    CHECK(count_holds(h) == holds);
}

void test_config(const host &h) {
    const tally::config with(h.context, h.device);
    CHECK(with.struct_size == sizeof(tally_config) && with.context == h.context());
    CHECK(with.device == h.device() && with.cache_dir == nullptr && with.log == nullptr);
    CHECK(tally::config(h.context()).device == nullptr);
}

/* ---- Operators ------------------------------------------------------------------------------- */

void test_reduce(const host &h) {
    const tally::op sum = row_sums(h);
    NEED(sum.try_enqueue(h.queue, {h.input, h.output}));
    CHECK((h.read(h.output, 3) == std::vector<float>{9, 22, 21}));
    /* From raw handles, from and to the middle of buffers. */
    NEED(sum.try_enqueue(h.queue(), {h.input(), {h.output(), 16}}));
    const std::vector<float> got = h.read(h.output, 7);
    CHECK((std::vector<float>(got.begin() + 4, got.end()) == std::vector<float>{9, 22, 21}));
    CHECK(contains(NEED(sum.try_explain()), std::string(sum.describe()).substr(0, 8).c_str()));
}

/* Scratch is the third view: few outputs of many terms. */
void test_scratch(const host &h) {
    const std::size_t count = 1u << 22;
    const tally::tensor ones = NEED(tally::try_strided(TALLY_F32, {count}, {0}));
    const tally::reduce_desc desc = NEED(tally::try_reduce(TALLY_SUM, ones, {0}));
    const tally::op sum = NEED(tally::op::try_make(h.runtime, desc));
    const cl::Buffer scratch(h.context, CL_MEM_READ_WRITE, sum.scratch_size() + 256);
    NEED(sum.try_enqueue(h.queue, {h.input, h.output, {scratch, 256}}));
    CHECK((h.read(h.output, 1) == std::vector<float>{3.0f * static_cast<float>(count)}));
}

void test_scan_in_place(const host &h) {
    const cl::Buffer both = h.copy();
    tally::cumulative_desc desc = NEED(tally::try_cumulative(TALLY_SUM, h.matrix, 1));
    desc.descending = true;
    const tally::op scan = NEED(tally::op::try_make(h.runtime, desc));
    NEED(scan.try_enqueue(h.queue, tally::binding::in_place(both)));
    CHECK((h.read(both, 12) == std::vector<float>{9, 6, 5, 1, 22, 17, 8, 6, 21, 16, 13, 8}));
}

void test_fills(const host &h) {
    const tally::op identity =
        NEED(tally::op::try_make(h.runtime, NEED(tally::try_diagonal(h.matrix, 1, 0, 1))));
    NEED(identity.try_enqueue(h.queue, tally::binding::output_only(h.output)));
    CHECK((h.read(h.output, 12) == std::vector<float>{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}));
    const tally::op lower = NEED(
        tally::op::try_make(h.runtime, NEED(tally::try_diagonal(h.matrix, 0, 1, 9, h.matrix))));
    NEED(lower.try_enqueue(h.queue, {h.input, h.output}));
    CHECK((h.read(h.output, 12) == std::vector<float>{3, 0, 0, 0, 5, 9, 0, 0, 5, 3, 5, 0}));
}

void test_directml(const host &h) {
    const UINT sizes[] = {1, 1, 3, 4}, reduced[] = {1, 1, 3, 1}, axes[] = {3};
    const UINT64 bytes = NEED(tally::try_dml_tensor_size(DML_TENSOR_DATA_TYPE_FLOAT32, sizes));
    CHECK(bytes == 48);
    DML_BUFFER_TENSOR_DESC from{}, to{};
    from.DataType = to.DataType = DML_TENSOR_DATA_TYPE_FLOAT32;
    from.DimensionCount = to.DimensionCount = 4;
    from.Sizes = sizes;
    to.Sizes = reduced;
    from.TotalTensorSizeInBytes = bytes;
    to.TotalTensorSizeInBytes =
        NEED(tally::try_dml_tensor_size(DML_TENSOR_DATA_TYPE_FLOAT32, reduced, reduced));
    const DML_TENSOR_DESC input = {DML_TENSOR_TYPE_BUFFER, &from};
    const DML_TENSOR_DESC output = {DML_TENSOR_TYPE_BUFFER, &to};
    const DML_REDUCE_OPERATOR_DESC reduce = {DML_REDUCE_FUNCTION_MAX, &input, &output, 1, axes};
    const DML_OPERATOR_DESC desc = {DML_OPERATOR_REDUCE, &reduce};
    const DML_FEATURE_LEVEL level = NEED(tally::try_minimum_dml_level(
        desc.Type, reduce.Function, from.DataType, to.DataType, from.DimensionCount));
    CHECK(level == DML_FEATURE_LEVEL_1_0);
    NEED(tally::try_check_dml(desc, level));
    const tally::op op = NEED(tally::try_make_dml(h.runtime, desc, level));
    NEED(op.try_enqueue(h.queue, {h.input, h.output}));
    CHECK((h.read(h.output, 3) == std::vector<float>{4, 9, 8}));
    const std::array<UINT, 1> one = {{1}};
    CHECK(refused(tally::try_dml_tensor_size(DML_TENSOR_DATA_TYPE_FLOAT32, sizes, one),
                  TALLY_INVALID, "1 strides for 4 sizes"));
}

/* ---- Events ---------------------------------------------------------------------------------- */

bool completed(const cl::Event &event) {
    return event.getInfo<CL_EVENT_COMMAND_EXECUTION_STATUS>() == CL_COMPLETE;
}

/* Nothing is done before the last event of each kind of list, also of one that is copied. */
void test_wait_lists(const host &h) {
    const tally::op sum = row_sums(h);
    const tally::binding memory(h.input, h.output);
    const cl::CommandQueue queue(h.context, h.device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    for (int way = 0; way < 5; way++) {
        cl::UserEvent open(h.context), gate(h.context);
        CHECK(open.setStatus(CL_COMPLETE) == CL_SUCCESS);
        cl::Event done;
        const std::vector<cl_event> raw = {open(), gate()};
        const std::vector<cl::Event> few = {open, gate};
        std::vector<cl::Event> many(40, open);
        many.back() = gate;
        NEED(way == 0   ? sum.try_enqueue(queue, memory, {open, gate}, &done)
             : way == 1 ? sum.try_enqueue(queue, memory, {open(), gate()}, &done)
             : way == 2 ? sum.try_enqueue(queue, memory, raw, &done)
             : way == 3 ? sum.try_enqueue(queue, memory, few, &done)
                        : sum.try_enqueue(queue, memory, many, &done));
        CHECK(queue.flush() == CL_SUCCESS);
        CHECK(done() != nullptr && !completed(done));
        CHECK(gate.setStatus(CL_COMPLETE) == CL_SUCCESS);
        CHECK(done.wait() == CL_SUCCESS && completed(done));
    }
}

void test_events(const host &h) {
    const tally::op sum = row_sums(h);
    cl_event raw = nullptr;
    NEED(sum.try_enqueue(h.queue, {h.input, h.output}, {}, &raw));
    CHECK(raw != nullptr && clWaitForEvents(1, &raw) == CL_SUCCESS);
    cl_uint holds = 0;
    CHECK(clGetEventInfo(raw, CL_EVENT_REFERENCE_COUNT, sizeof holds, &holds, nullptr) ==
          CL_SUCCESS);
    CHECK(holds >= 1 && clReleaseEvent(raw) == CL_SUCCESS);
    cl::Event event;
    NEED(sum.try_enqueue(h.queue, {h.input, h.output}, {}, &event));
    CHECK(event.wait() == CL_SUCCESS);

    /* On failure: a cl_event is NULL, an object stays what it was. */
    const cl_event before = event();
    CHECK(refused(sum.try_enqueue(h.queue, {h.input, h.input}, {}, &event), TALLY_INVALID, ""));
    CHECK(event() == before);
    raw = before;
    CHECK(
        refused(sum.try_enqueue(h.queue, {h.input, {h.output, 2}}, {}, &raw), TALLY_INVALID, "2"));
    CHECK(raw == nullptr);
    cl::Event *const none = nullptr;
    NEED(sum.try_enqueue(h.queue, {h.input, h.output}, {event}, none));
    CHECK(h.queue.finish() == CL_SUCCESS);
}

/* ---- Queries --------------------------------------------------------------------------------- */

void test_queries(const host &h) {
    const tally_stats stats = NEED(h.runtime.try_stats());
    CHECK(stats.programs > 0 && stats.program_requests >= stats.programs);
    const tally_numerics numerics = NEED(h.runtime.try_numerics());
    CHECK(numerics.checks > 0 && numerics.guaranteed == (numerics.failures == 0));
    CHECK(numerics.reasons != nullptr && numerics.guaranteed == (*numerics.reasons == 0));
    const tally_scans scans = NEED(h.runtime.try_scans());
    CHECK(scans.reason != nullptr);
}

void test_warm_up(const host &h) {
    const tally::reduce_desc sum = NEED(tally::try_reduce(TALLY_SUM, h.matrix, {1}));
    const tally::cumulative_desc scan = NEED(tally::try_cumulative(TALLY_SUM, h.matrix, 1));
    tally::reduce_desc wrong = sum;
    wrong.axes = 4;
    NEED(h.runtime.try_warm_up({sum, scan}));
    CHECK(refused(h.runtime.try_warm_up({sum, wrong, scan}), TALLY_INVALID, "operator 2 of 3"));
    std::size_t last = 0;
    const std::vector<tally_desc> list = {sum, scan, wrong};
    NEED(h.runtime.try_warm_up(list, [&last](std::size_t done) {
        last = done;
        return done < 2;
    }));
    CHECK(last == 2);
}

void test_cache(const host &h, const std::string &folder) {
    NEED(tally::try_cache_clear(folder));
    tally::config with(h.context, h.device);
    with.cache_dir = folder.c_str();
    const tally::runtime runtime = NEED(tally::runtime::try_make(with));
    NEED(runtime.try_warm_up({NEED(tally::try_reduce(TALLY_SUM, h.matrix, {1}))}));
    const std::vector<tally::cache_file> files = NEED(tally::try_cache_files(folder));
    CHECK(!files.empty() && NEED(runtime.try_stats()).cache_writes == files.size());
    std::uint64_t bytes = 0;
    std::size_t seen = 0;
    NEED(tally::try_cache_list(folder, [&](const tally_cache_file &file) {
        bytes += file.bytes;
        seen++;
    }));
    for (const tally::cache_file &file : files) {
        CHECK(!file.damaged && !file.key.empty() && file.used > 0);
        bytes -= file.bytes;
    }
    CHECK(seen == files.size() && bytes == 0);
    CHECK(NEED(tally::try_cache_clear(folder)) == files.size());
    CHECK(NEED(tally::try_cache_files(folder)).empty());
    CHECK(contains(NEED(tally::try_default_cache_dir()), "tally"));
}

/* A folder that cannot be one: the log says so. */
void test_log(const host &h, const std::string &folder) {
    std::string log;
    auto keep = [&log](const char *said) { log += said; };
    const std::string file = folder + "/file";
    std::FILE *made = std::fopen(file.c_str(), "w");
    CHECK(made != nullptr && std::fclose(made) == 0);
    tally::config with(h.context);
    with.log_to(keep).cache_dir = file.c_str();
    const tally::runtime runtime = NEED(tally::runtime::try_make(with));
    CHECK(contains(log, file.c_str()));
    CHECK(refused(tally::try_cache_files(file), TALLY_INVALID, file.c_str()));
    CHECK(refused(tally::try_cache_clear(file), TALLY_INVALID, file.c_str()));
    CHECK(std::remove(file.c_str()) == 0);
}

/* ---- Results and exceptions ------------------------------------------------------------------ */

void test_results() {
    tally_error why{};
    why.status = TALLY_DEVICE_ERROR;
    why.cl_code = CL_OUT_OF_RESOURCES;
    std::strcpy(why.message, "a call failed");
    const tally::result<int> failed = why, made = 7;
    CHECK(!failed && !failed.has_value() && failed.error().cl_code == CL_OUT_OF_RESOURCES);
    CHECK(made && *made == 7 && made.status() == TALLY_OK);
    CHECK(failed.value_or(3) == 3 && made.value_or(3) == 7);
    const tally::result<void> nothing, wrong = why;
    CHECK(nothing && nothing.status() == TALLY_OK && !wrong);
    CHECK(wrong.status() == TALLY_DEVICE_ERROR);
    const tally::error thrown(why);
    CHECK(thrown.status() == TALLY_DEVICE_ERROR && thrown.cl_code() == CL_OUT_OF_RESOURCES);
    CHECK(thrown.what() == std::string("a call failed"));
    CHECK(refused(tally::runtime::try_make(tally::config()), TALLY_INVALID, "context"));
}

#if TALLY_HPP_THROWS
/* Whether what was tried throws an error with this status and these words. */
template <class F> bool throws(tally::status why, const char *words, F tried) {
    try {
        tried();
    } catch (const tally::error &caught) {
        return caught.status() == why && contains(caught.what(), words);
    }
    return false;
}

void test_exceptions(const host &h) {
    CHECK(throws(TALLY_INVALID, "context", [] { tally::runtime{tally::config()}; }));
    CHECK(throws(TALLY_INVALID, "axis 7", [&] { tally::reduce(TALLY_SUM, h.matrix, {7}); }));
    CHECK(throws(TALLY_INVALID, "-3 among", [] { tally::packed(TALLY_F32, {-3}); }));
    CHECK(throws(TALLY_INVALID, "300", [] { tally::scalar(TALLY_U8, 300); }));
    const tally::op sum(h.runtime, tally::reduce(TALLY_SUM, h.matrix, {1}));
    CHECK(throws(TALLY_INVALID, "", [&] { sum.enqueue(h.queue, {h.input, h.input}); }));
    CHECK(throws(TALLY_INVALID, "NULL", [] { tally::runtime().stats(); }));
    CHECK(throws(TALLY_INVALID, "operator 1 of 1", [&] {
        tally::reduce_desc wrong = tally::reduce(TALLY_SUM, h.matrix, {1});
        wrong.axes = 16;
        h.runtime.warm_up({wrong});
    }));
    const auto failed = tally::try_packed(TALLY_F32, {-3});
    CHECK(throws(TALLY_INVALID, "-3 among", [&] { static_cast<void>(failed.value()); }));
    CHECK(throws(TALLY_INVALID, "-3 among", [&] { tally::result<void>(failed.error()).value(); }));
    CHECK(tally::try_packed(TALLY_F32, {3}).value().rank == 1);
}

/* What a function of the caller's throws comes out of the call, which has made no more calls. */
void test_exceptions_of_callbacks(const host &h, const std::string &folder) {
    const tally::reduce_desc sum = tally::reduce(TALLY_SUM, h.matrix, {1});
    std::size_t calls = 0;
    const auto interrupt = [&calls](auto &&) -> bool {
        calls++;
        throw std::string("enough");
    };
    for (int way = 0; way < 2; way++) {
        bool caught = false;
        tally::config with(h.context, h.device);
        with.cache_dir = folder.c_str();
        const tally::runtime runtime(with);
        runtime.warm_up({sum, tally::cumulative(TALLY_SUM, h.matrix, 0)});
        CHECK(tally::cache_files(folder).size() >= 2);
        try {
            calls = 0;
            if (way == 0)
                runtime.warm_up({sum, sum, sum}, interrupt);
            else
                tally::cache_list(folder, interrupt);
        } catch (const std::string &said) {
            caught = said == "enough";
        }
        CHECK(caught && calls == 1);
    }
    CHECK(tally::cache_clear(folder) >= 2);
}

/* The README's example, in a program that has what it takes for granted. */
void test_readme(const host &h) {
    const cl::Context &context = h.context;
    const cl::Device &device = h.device;
    const cl::CommandQueue &queue = h.queue;
    const cl::Buffer &input = h.input, &output = h.output;
    const std::size_t rows = 3, columns = 4;
#include "readme_cpp.inc"
    CHECK((h.read(output, rows) == std::vector<float>{9, 22, 21}));
}
#endif

} // namespace

int main(int argc, char **argv) {
    if (argc != 2)
        stop("call it with a folder for a cache", __LINE__);
    const std::string folder = argv[1];
    test_names();
    test_half();
    test_scalars();
    test_tensors();
    test_descriptions();
    test_explain_without_device();
    test_results();
    const host h = open_host();
    test_moves(h);
    test_lifetimes(h);
    test_config(h);
    test_reduce(h);
    test_scratch(h);
    test_scan_in_place(h);
    test_fills(h);
    test_directml(h);
    test_wait_lists(h);
    test_events(h);
    test_queries(h);
    test_warm_up(h);
    test_cache(h, folder);
    test_log(h, folder);
#if TALLY_HPP_THROWS
    test_exceptions(h);
    test_exceptions_of_callbacks(h, folder);
    test_readme(h);
#endif
    std::printf("%d checks failed\n", failures);
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
