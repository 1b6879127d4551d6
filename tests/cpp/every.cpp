/*
 * every.cpp: each call of tally/tally.hpp and tally/directml.hpp in each of its forms, compiled
 * with strict warnings, with and without exceptions. Types are every_type.cpp's. It is not run.
 *
 *   OPENCL_HPP=1   CL/opencl.hpp is included before the header
 *   OPENCL_HPP=2   after it
 */
#if OPENCL_HPP == 1
#include <CL/opencl.hpp>
#endif
#include <tally/tally.hpp>

#include <tally/directml.hpp>
#if OPENCL_HPP == 2
#include <CL/opencl.hpp>
#endif

#include <array>

#include "own_event.hpp"

namespace {

using opened = tally::result<void>;

[[maybe_unused]] opened compile_tensors() {
    const std::size_t rows = 2;
    const int few = 3;
    const std::uint64_t in_array[] = {2, 3};
    const std::vector<int> in_vector = {2, 3};
    const std::array<std::uint32_t, 2> in_std_array = {{2, 3}};
    const auto a = tally::try_packed(TALLY_F32, {rows, 3});
    const auto b = tally::try_packed(TALLY_F32, {few, 3});
    const auto c = tally::try_packed(TALLY_F32, in_array);
    const auto d = tally::try_packed(TALLY_F32, in_vector);
    const auto e = tally::try_strided(tally::dtype_of<float>, in_std_array, {8, 1});
    const auto f = tally::try_packed(TALLY_F32, {});
    if (!a || !b || !c || !d || !e || !f)
        return a ? opened(e.error()) : opened(a.error());
    const auto g = tally::try_reduced(*a, {rows - 1}, TALLY_F32);
    const auto h = tally::try_reduced(*a, tally::axes::all_of(*a), TALLY_F32);
    const auto i = tally::try_reduced(*a, tally::axes::from_mask(3), TALLY_F32);
    const auto j = tally::try_reduced(*a, in_vector, TALLY_F32);
    const tally::result<std::uint64_t> size = tally::try_bytes(*a);
    if (!g || !h || !i || !j || size.value_or(0u) == 0)
        return g.error();
    return {};
}

[[maybe_unused]] bool compile_names() {
    const std::string called = "f32";
    return tally::version() == TALLY_VERSION && tally::order_version() > 0 &&
           tally::name(TALLY_OK) == "ok" && tally::name(TALLY_F32) == called &&
           tally::name(TALLY_SUM) == std::string("sum") &&
           tally::dtype_by_name(called) == TALLY_F32 &&
           tally::function_by_name("sum") == TALLY_SUM && tally::size_of(TALLY_F32) == 4;
}

[[maybe_unused]] opened compile_scalars() {
    tally_scalar all[] = {tally::scalar(1.0f),         tally::scalar(1.0),
                          tally::scalar(tally::f16{}), tally::scalar(1),
                          tally::scalar(1ull),         tally::scalar(static_cast<short>(1))};
    const auto typed = tally::try_scalar(TALLY_U8, 7);
    if (!typed)
        return typed.error();
    all[0] = *typed;
    return {};
}

[[maybe_unused]] opened compile_calls(cl_context context, cl_device_id device,
                                      cl_command_queue queue, cl_mem memory, cl_event event) {
    auto log = [](tally::log_level level, const char *said) {
        if (level == TALLY_LOG_ERROR)
            std::puts(said);
    };
    tally::overrides choice;
    choice.family = TALLY_FAMILY_GENERIC;
    tally::config with(context, device);
    with.log_to(log).cache_dir = "/tmp/tally";
    with.overrides = &choice;
    const tally::allocator memory_of_host;
    with.allocator = &memory_of_host;
    tally::result<tally::runtime> made = tally::runtime::try_make(with);
    if (!made)
        return made.error();
    tally::runtime runtime = *std::move(made);
    tally::runtime other(runtime.release());
    std::swap(runtime, other);
    other = runtime.share();
    if (!runtime || runtime.get() == nullptr)
        other.reset();

    const auto sizes = tally::try_packed(TALLY_F32, {4, 4});
    const auto sum = tally::try_reduce(TALLY_SUM, *sizes, {1});
    const auto index = tally::try_reduce(TALLY_ARGMAX, *sizes, {0, 1}, TALLY_U32);
    const auto total = tally::try_cumulative(TALLY_SUM, *sizes, 1);
    const auto fill = tally::try_diagonal(*sizes, 1, 0, 1);
    const auto kept = tally::try_diagonal(*sizes, tally::scalar(1.0f), 0, 1, *sizes);
    if (!sum || !index || !total || !fill || !kept)
        return sum.error();

    const auto limits = runtime.try_limits();
    const auto needs = runtime.try_estimate(*sum);
    if (!limits || !needs || !tally::try_check(*sum) || !tally::try_check(*total, *limits) ||
        !tally::try_check(*fill))
        return limits ? opened(needs.error()) : opened(limits.error());

    const auto warm = runtime.try_warm_up({*sum, *total, *fill, tally::desc(*index)});
    const std::vector<tally_desc> list = {*kept};
    const auto part = runtime.try_warm_up(list, [](std::size_t done) { return done < 1; });
    const auto stats = runtime.try_stats();
    const auto numerics = runtime.try_numerics();
    const auto scans = runtime.try_scans();
    if (!warm || !part || !stats || !numerics || !scans)
        return warm;

    tally::result<tally::op> a = tally::op::try_make(runtime, *sum);
    tally::result<tally::op> b = tally::op::try_make(runtime, *total);
    tally::result<tally::op> c = tally::op::try_make(runtime, *fill);
    const tally::result<tally::op> d = tally::op::try_make(runtime, list[0]);
    if (tally::input_of(*sum) == nullptr || tally::output_of(list[0]) == nullptr)
        return d.error();
    if (!a || !b || !c || !d || a->scratch_size() > 0 || a->describe().empty())
        return a.error();
    own_event own;
    float numbers[4] = {};
    const tally_binding plain{};
    const std::vector<own_event> waits(2);
    opened done = a->try_enqueue(queue, {memory, memory});
    done = a->try_enqueue(queue, {{memory, 64}, memory, memory}, {event}, &event);
    done = b->try_enqueue(queue, tally::binding::in_place(memory), {event, event}, nullptr);
    done = b->try_enqueue(queue, tally::binding::in_place({memory, 64}), waits, &own);
    done = c->try_enqueue(queue, tally::binding::output_only(memory), {own, own});
    done = c->try_enqueue(queue, plain, std::array<cl_event, 1>{{event}});
    done = b->share().try_enqueue(queue, {static_cast<void *>(&own), {&numbers[0], 64}});
    const auto scratch = tally::scratch::try_make(runtime);
    const auto place = scratch->try_view(*a);
    const auto raw = a->try_enqueue_launches(queue, {memory, memory, *place}, {event});
    const auto owned = a->try_enqueue_launches<own_event>(queue, plain);
    if (!place || !raw || !owned || scratch->bytes() + a->launches() == 0)
        return place.error();
    const cl_command_buffer_khr commands = nullptr;
    const auto can = runtime.try_recording();
    const auto first = a->try_record(commands, queue, {memory, memory});
    const auto second = b->try_record(commands, queue, {memory, memory}, {*first});
    const auto third = b->try_record(commands, queue, plain, &*second, 1);
    if (!can || !first || !second || !third)
        return third.error();
    cl_sync_point_khr point = 0;
    const auto fourth =
        a->try_record_updatable(commands, queue, {memory, memory}, {*first}, &point);
    auto fifth = b->try_record_updatable(commands, queue, plain, &point, 1);
    tally_recorded *const recorded[] = {fourth->get(), fifth->get()};
    const tally_binding bindings[] = {plain, plain};
    if (!fourth->try_update(plain) || !tally::recorded::try_update(recorded, bindings, 2))
        return fourth.error();
    const tally::recorded taken(fifth->release());
    const tally::result<std::string> plan = a->try_explain(true);
    const auto coming = runtime.try_explain(*sum);
    const auto without = tally::try_explain(*sum, TALLY_FAMILY_GPU);
    return plan && coming && without ? done : opened(plan.error());
}

[[maybe_unused]] opened compile_cache(const std::string &folder) {
    std::uint64_t bytes = 0;
    const auto usual = tally::try_default_cache_dir();
    const auto files = tally::try_cache_files(folder);
    const auto listed = tally::try_cache_list(
        "/tmp", [&bytes](const tally_cache_file &file) { bytes += file.bytes; });
    const auto removed = tally::try_cache_clear(folder);
    return usual && files && listed && removed ? listed : opened(usual.error());
}

[[maybe_unused]] opened compile_directml(const tally::runtime &runtime) {
    const DML_OPERATOR_DESC what = {DML_OPERATOR_INVALID, nullptr};
    const std::uint32_t sizes[] = {1, 2};
    const auto level =
        tally::try_minimum_dml_level(DML_OPERATOR_REDUCE, DML_REDUCE_FUNCTION_SUM,
                                     DML_TENSOR_DATA_TYPE_FLOAT32, DML_TENSOR_DATA_TYPE_FLOAT32, 4);
    const auto packed = tally::try_dml_tensor_size(DML_TENSOR_DATA_TYPE_FLOAT32, sizes);
    const auto strided = tally::try_dml_tensor_size(DML_TENSOR_DATA_TYPE_FLOAT32, sizes, sizes);
    const auto made = tally::try_make_dml(runtime, what, *level);
    const auto checked = tally::try_check_dml(what, *level, tally::device_limits());
    return made && packed && strided ? opened() : checked;
}

#if TALLY_HPP_THROWS
[[maybe_unused]] void compile_throwing(cl_context context, cl_command_queue queue, cl_mem memory,
                                       cl_event event) {
    const tally::runtime runtime{tally::config(context)};
    const tally::scratch scratch(runtime);
    const tally::tensor sizes = tally::packed(TALLY_F32, {4, 4});
    const tally::tensor wide = tally::strided(TALLY_F32, {4, 4}, {8, 1});
    const tally::op sum(runtime, tally::reduce(TALLY_SUM, wide, {1}));
    const tally::op total(runtime, tally::cumulative(TALLY_SUM, sizes, 1));
    const tally::op fill(runtime, tally::diagonal(sizes, 1, 0, 1));
    const tally::op kept(runtime, tally::diagonal(sizes, tally::scalar(TALLY_F32, 1), 0, 1, sizes));
    own_event own;
    sum.enqueue(queue, {memory, memory, scratch.view(sum)});
    const std::vector<cl_event> each = sum.enqueue_launches(queue, {memory, memory}, {event});
    const std::vector<own_event> owned = sum.enqueue_launches<own_event>(queue, {memory, memory});
    tally::check(tally::reduce(TALLY_SUM, wide, {1}), runtime.limits());
    tally::check(tally::cumulative(TALLY_SUM, sizes, 1));
    total.enqueue(queue, tally::binding::in_place(memory), {event}, &event);
    fill.enqueue(queue, tally::binding::output_only(memory), {event}, &own);
    runtime.warm_up({tally::reduce(TALLY_SUM, sizes, {0}), tally::diagonal(sizes, 1, 0, 1)});
    runtime.warm_up({tally::cumulative(TALLY_SUM, sizes, 0)}, [](std::size_t) { return true; });
    std::string all = sum.explain() + tally::explain(tally::reduce(TALLY_SUM, sizes, {0}),
                                                     TALLY_FAMILY_CPU, TALLY_SINGLE_PASS_ON, true);
    all += runtime.explain(tally::reduce(TALLY_SUM, sizes, {0}));
    all += runtime.numerics().reasons;
    all += runtime.scans().reason;
    all += runtime.recording().reason;
    const cl_command_buffer_khr commands = nullptr;
    cl_sync_point_khr own_point = 0;
    const cl_sync_point_khr first = sum.record(commands, queue, {memory, memory});
    const cl_sync_point_khr second = sum.record(commands, queue, {memory, memory}, {first});
    all += std::to_string(sum.record(commands, queue, {memory, memory}, &second, 1));
    const tally::recorded again = sum.record_updatable(commands, queue, {memory, memory}, {first});
    const tally::recorded more =
        sum.record_updatable(commands, queue, {memory, memory}, &second, 1, &own_point);
    tally_recorded *const recorded[] = {again.get(), more.get()};
    const tally_binding bindings[] = {{}, {}};
    again.update({memory, memory});
    tally::recorded::update(recorded, bindings, 2);
    all += std::to_string(each.size() + owned.size());
    all += std::to_string(runtime.estimate(tally::reduce(TALLY_SUM, sizes, {0})).scratch);
    all += std::to_string(runtime.stats().programs) + tally::default_cache_dir();
    tally::cache_list(all, [&all](const tally_cache_file &file) { all += file.key; });
    all += std::to_string(tally::cache_files(all).size() + tally::cache_clear(all));
    all += std::to_string(tally::bytes(tally::reduced(sizes, {0}, TALLY_F32)));
    std::puts(all.c_str());
}

[[maybe_unused]] std::uint64_t compile_throwing_directml(const tally::runtime &runtime) {
    const DML_OPERATOR_DESC what = {DML_OPERATOR_INVALID, nullptr};
    const std::vector<std::uint32_t> sizes = {1, 2};
    const DML_FEATURE_LEVEL level =
        tally::minimum_dml_level(DML_OPERATOR_REDUCE, DML_REDUCE_FUNCTION_SUM,
                                 DML_TENSOR_DATA_TYPE_FLOAT32, DML_TENSOR_DATA_TYPE_FLOAT32, 4);
    tally::check_dml(what, level);
    tally::check_dml(what, level, runtime.limits());
    const tally::op made = tally::make_dml(runtime, what, level);
    return tally::dml_tensor_size(DML_TENSOR_DATA_TYPE_FLOAT32, sizes) +
           tally::dml_tensor_size(DML_TENSOR_DATA_TYPE_FLOAT32, sizes, sizes);
}
#endif

#if OPENCL_HPP
[[maybe_unused]] opened compile_opencl(const cl::Context &context, const cl::Device &device,
                                       const cl::CommandQueue &queue, const cl::Buffer &memory) {
    const auto runtime = tally::runtime::try_make(tally::config(context, device));
    const auto sizes = tally::try_packed(TALLY_F32, {4, 4});
    const auto fill = tally::op::try_make(*runtime, *tally::try_diagonal(*sizes, 1, 0, 1, *sizes));
    cl::Event first, second;
    const std::vector<cl::Event> waits = {first};
    const std::array<cl::Event, 1> each_of = {{first}};
    opened done = fill->try_enqueue(queue, {memory, memory}, {}, &first);
    done = fill->try_enqueue(queue, {memory, {memory, 64}}, {first, second}, &second);
    const auto each = fill->try_enqueue_launches<cl::Event>(queue, {memory, memory}, each_of);
    return done && each ? fill->try_enqueue(queue, tally::binding::in_place(memory), waits) : done;
}
#endif

} // namespace
