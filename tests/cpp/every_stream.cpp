/*
 * every_stream.cpp: each call of tally/stream.hpp in each of its forms, as every.cpp has those of
 * the other headers, with the same OPENCL_HPP. It is not run.
 */
#if OPENCL_HPP == 1
#include <CL/opencl.hpp>
#endif
#include <tally/stream.hpp>
#if OPENCL_HPP == 2
#include <CL/opencl.hpp>
#endif

namespace {

static_assert(sizeof(tally::stream_config) == sizeof(tally_stream));

[[maybe_unused]] tally::result<void> compile_streams(const tally::runtime &runtime) {
    const auto sizes = tally::try_packed(TALLY_F32, {4, 4});
    const auto sum = tally::try_reduce(TALLY_SUM, *sizes, {0});
    const tally_host_tensor in = {*sizes, nullptr};
    tally_host_tensor out = {sum->output, nullptr};
    const tally_source source = tally::source_of(in);
    const tally_sink sink = tally::sink_of(out);
    tally::stream_config how(&source, &sink);
    how.memory = 1 << 20;
    const auto device = runtime.try_device();
    const auto plan = tally::try_stream_plan(runtime, tally::desc(*sum), how);
    if (!plan || !device || device->context == nullptr)
        return plan.error();
    return tally::try_stream(runtime, tally::desc(*sum), how);
}

#if TALLY_HPP_THROWS
[[maybe_unused]] std::uint64_t compile_throwing_streams(const tally::runtime &runtime,
                                                        const tally::stream_config &how) {
    const tally::reduce_desc sum = tally::reduce(TALLY_SUM, tally::packed(TALLY_F32, {4, 4}), {0});
    tally::stream(runtime, tally::desc(sum), how);
    return tally::stream_plan(runtime, tally::desc(sum), how).pieces;
}
#endif

} // namespace
