/*
 * every_type.cpp: what must hold of the types of tally/tally.hpp, with the same OPENCL_HPP as
 * every.cpp: who moves and who copies, what they are in memory, and which parameters take what. It
 * is not run.
 */
#if OPENCL_HPP == 1
#include <CL/opencl.hpp>
#endif
#include <tally/tally.hpp>
#if OPENCL_HPP == 2
#include <CL/opencl.hpp>
#endif

#include <array>
#include <list>
#if __cplusplus >= 202002L
#include <span>
#endif

#include "own_event.hpp"

namespace {

template <class T> constexpr bool only_moves() {
    return std::is_nothrow_move_constructible_v<T> && std::is_nothrow_move_assignable_v<T> &&
           !std::is_copy_constructible_v<T> && !std::is_copy_assignable_v<T>;
}
static_assert(only_moves<tally::runtime>() && only_moves<tally::op>());
static_assert(only_moves<tally::scratch>() && sizeof(tally::scratch) == sizeof(void *));
static_assert(sizeof(tally::runtime) == sizeof(void *) && sizeof(tally::op) == sizeof(void *));
static_assert(only_moves<tally::result<tally::op>>());
static_assert(!std::is_convertible_v<tally_op *, tally::op>, "taking over is explicit");
static_assert(std::is_base_of_v<std::runtime_error, tally::error>);
static_assert(std::is_nothrow_copy_constructible_v<tally::error>);

/* The same memory as in C: an array of them may be handed to it. */
static_assert(sizeof(tally::tensor) == sizeof(tally_tensor));
static_assert(sizeof(tally::reduce_desc) == sizeof(tally_reduce));
static_assert(sizeof(tally::cumulative_desc) == sizeof(tally_cumulative));
static_assert(sizeof(tally::view) == sizeof(tally_view));
static_assert(sizeof(tally::binding) == sizeof(tally_binding));
static_assert(sizeof(tally::config) == sizeof(tally_config));

static_assert(tally::dtype_of<float> == TALLY_F32 && tally::dtype_of<double> == TALLY_F64);
static_assert(tally::dtype_of<tally::f16> == TALLY_F16 &&
              tally::dtype_of<const short> == TALLY_I16);
static_assert(tally::dtype_of<signed char> == TALLY_I8 && tally::dtype_of<unsigned> == TALLY_U32);
static_assert(tally::dtype_of<long long> == TALLY_I64 && tally::dtype_of<std::size_t> == TALLY_U64);
static_assert(tally::cache_limit == 256u * 1024 * 1024);

/* Parameters take what they should, and nothing else. */
static_assert(std::is_convertible_v<cl_mem, tally::handle<cl_mem>>);
static_assert(!std::is_convertible_v<cl_mem, tally::handle<cl_event>>);
static_assert(!std::is_convertible_v<cl_context, tally::handle<cl_command_queue>>);
static_assert(std::is_convertible_v<own_event, tally::handle<cl_event>>);
static_assert(!std::is_convertible_v<own_event, tally::handle<cl_mem>>);
static_assert(std::is_convertible_v<void *, tally::view>);
static_assert(std::is_convertible_v<const float *, tally::view>);
static_assert(!std::is_convertible_v<cl_event, tally::view>, "a handle is no pointer to memory");
static_assert(!std::is_convertible_v<cl_command_queue, tally::view>);
static_assert(std::is_convertible_v<std::array<int, 3>, tally::sizes>);
static_assert(std::is_convertible_v<std::vector<std::uint64_t>, tally::sizes>);
static_assert(!std::is_convertible_v<std::vector<double>, tally::sizes>);
static_assert(!std::is_convertible_v<std::string, tally::sizes>);
static_assert(!std::is_convertible_v<std::list<int>, tally::sizes>, "it is not contiguous");
static_assert(std::is_convertible_v<std::vector<cl_event>, tally::wait_list>);
static_assert(std::is_convertible_v<std::vector<own_event>, tally::wait_list>);
static_assert(!std::is_convertible_v<std::vector<cl_mem>, tally::wait_list>);
#if __cplusplus >= 202002L
static_assert(std::is_convertible_v<std::span<const std::size_t>, tally::sizes>);
static_assert(std::is_convertible_v<std::span<const cl_event>, tally::wait_list>);
#endif
#if OPENCL_HPP
static_assert(std::is_convertible_v<cl::Buffer, tally::handle<cl_mem>>);
static_assert(std::is_convertible_v<cl::Buffer, tally::view>);
static_assert(std::is_convertible_v<cl::CommandQueue, tally::handle<cl_command_queue>>);
static_assert(std::is_convertible_v<cl::Context, tally::handle<cl_context>>);
static_assert(std::is_convertible_v<cl::Device, tally::handle<cl_device_id>>);
static_assert(std::is_convertible_v<std::vector<cl::Event>, tally::wait_list>);
static_assert(!std::is_convertible_v<cl::Event, tally::handle<cl_mem>>);
#endif

} // namespace
