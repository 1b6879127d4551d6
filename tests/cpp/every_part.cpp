/*
 * every_part.cpp: each call of tally/part.hpp in each of its forms, as every.cpp has those of the
 * other headers, with the same OPENCL_HPP. It is not run.
 */
#if OPENCL_HPP == 1
#include <CL/opencl.hpp>
#endif
#include <tally/part.hpp>
#if OPENCL_HPP == 2
#include <CL/opencl.hpp>
#endif

#include "own_event.hpp"

namespace {

static_assert(sizeof(tally::part_binding) == sizeof(tally_part_binding));
static_assert(std::is_nothrow_move_constructible_v<tally::cut>);
static_assert(std::is_convertible_v<tally_part, tally::part>);
static_assert(!std::is_convertible_v<tally_cut, tally::cut>, "it has no bounds");
static_assert(tally::any_axis == TALLY_ANY_AXIS);

using opened = tally::result<void>;

[[maybe_unused]] opened compile_parts(const tally::runtime &runtime, const tally::op &scan,
                                      cl_command_queue queue, cl_mem memory, cl_event event) {
    const auto sizes = tally::try_packed(TALLY_F32, {4, 4});
    const auto sum = tally::try_reduce(TALLY_SUM, *sizes, {0});
    const auto even = tally::try_cut_even(*sum, tally::any_axis, 2);
    const auto given = tally::try_cut_at(tally::desc(*sum), 0, {0, 4});
    tally::part own(0, 4);
    own.set_input(tally::tensor_range(*sizes, 0, 0, 4)).set_output(sum->output);
    const tally::part copy = own;
    own = copy;
    const tally::cut_kind kind = even->kind;
    const tally::cut bare(static_cast<const tally_cut &>(*even));
    const auto first = tally::try_make_part(runtime, *sum, *even, (*even)[0]);
    const auto second = tally::try_make_part(runtime, *sum, bare, own);
    const auto all = tally::try_make_combine(runtime, *sum, *given, given->states());
    const auto then = tally::try_make_part_scan(runtime, *sum, *given, copy);
    if (!first || !second || !all || !then || kind != TALLY_CUT_RESULTS)
        return all.error();
    own_event taken;
    const tally_part_binding plain{};
    opened done = tally::try_enqueue_part(scan, queue, {{memory, memory}, memory});
    done = tally::try_enqueue_part(scan, queue, {{memory, memory, memory}, {memory, 4}}, {event},
                                   &event);
    done = tally::try_enqueue_part(scan, queue, plain, {taken, taken}, &taken);
    const std::uint64_t bytes = even->state_bytes_of(0) + even->states_of(0) +
                                even->states_between(0, 4) + tally::cut().parts();
    return bytes > 0 ? done : opened();
}

#if TALLY_HPP_THROWS
[[maybe_unused]] void compile_throwing_parts(const tally::runtime &runtime, cl_command_queue queue,
                                             cl_mem memory, cl_event event) {
    const tally::tensor sizes = tally::packed(TALLY_F32, {4, 4});
    const tally::cumulative_desc total = tally::cumulative(TALLY_SUM, sizes, 0);
    const tally::cut even = tally::cut_even(total, 0, 2);
    const tally::cut given = tally::cut_at(tally::reduce(TALLY_SUM, sizes, {0}), 0, even.bounds);
    const tally::op part = tally::make_part(runtime, total, even, even[1]);
    const tally::op carry = tally::make_combine(runtime, total, given, even.states());
    const tally::op scan = tally::make_part_scan(runtime, total, even, {0, 4});
    own_event own;
    tally::enqueue_part(part, queue, {{memory, memory}, memory});
    tally::enqueue_part(carry, queue, {tally::binding::in_place(memory), memory}, {event}, &event);
    tally::enqueue_part(scan, queue, {{memory, memory}, memory}, {event}, &own);
}
#endif

#if OPENCL_HPP
[[maybe_unused]] opened compile_opencl(const tally::op &scan, const cl::CommandQueue &queue,
                                       const cl::Buffer &memory) {
    cl::Event first, second;
    const std::vector<cl::Event> waits = {first};
    opened done = tally::try_enqueue_part(scan, queue, {{memory, memory}, memory}, {}, &first);
    done = tally::try_enqueue_part(scan, queue, {{memory, memory}, {memory, 64}}, waits, &second);
    return done;
}
#endif

} // namespace
