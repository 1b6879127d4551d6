/*
 * tally/cpp/memory.hpp: the memory of an enqueue, and the events that it waits for. A part of
 * tally/tally.hpp. Knows no operator.
 */
#ifndef TALLY_CPP_MEMORY_HPP
#define TALLY_CPP_MEMORY_HPP

#include <tally/calls/enqueue.h>
#include <tally/cpp/elements.hpp>
#include <tally/cpp/parameters.hpp>
#include <tally/cpp/result.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <limits>
#include <type_traits>
#include <vector>

namespace tally {

/*
 * Where a tensor's first element is: bytes from the start of a buffer, or from a pointer, to shared
 * virtual memory or to Intel's unified shared memory. Pointers to void and to numbers are taken, so
 * that no handle is taken for one.
 */
struct view : tally_view {
    view() noexcept : tally_view{} {}
    view(const tally_view &other) noexcept : tally_view(other) {}
    template <class Memory, std::enable_if_t<detail::gives<cl_mem, Memory>, int> = 0>
    view(const Memory &memory, std::size_t bytes_in = 0) : tally_view{} {
        buffer = detail::unwrap<cl_mem>(memory);
        offset = bytes_in;
    }
    template <class T, std::enable_if_t<std::is_void_v<T> || std::is_arithmetic_v<T> ||
                                            std::is_same_v<std::remove_cv_t<T>, f16>,
                                        int> = 0>
    view(T *shared, std::size_t bytes_in = 0) noexcept : tally_view{} {
        pointer = const_cast<std::remove_cv_t<T> *>(shared);
        offset = bytes_in;
    }
};

/* The memory of one enqueue. Anything that makes a view may stand for one. */
struct binding : tally_binding {
    binding() noexcept : tally_binding{} {}
    binding(const tally_binding &other) noexcept : tally_binding(other) {}
    binding(const view &from, const view &to, const view &scratch_at = {}) noexcept
        : tally_binding{} {
        input = from;
        output = to;
        scratch = scratch_at;
    }

    /* One view for input and output: scans and fills. */
    static binding in_place(const view &at, const view &scratch_at = {}) noexcept {
        return {at, at, scratch_at};
    }
    /* Fills without an input. */
    static binding output_only(const view &to) noexcept {
        return {view(), to};
    }
};

/*
 * The events that an enqueue waits for: in braces, or any contiguous range, of cl_event or of
 * objects that give one. Ranges of cl_event are used where they are. Others are copied, more than
 * sixteen into a std::vector.
 */
class wait_list {
  public:
    wait_list() noexcept = default;
    wait_list(std::initializer_list<cl_event> list) {
        copy(list.begin(), list.size());
    }
    wait_list(std::initializer_list<handle<cl_event>> list) {
        copy(list.begin(), list.size());
    }
    template <class Range,
              std::enable_if_t<detail::gives<cl_event, detail::element<Range>> ||
                                   std::is_same_v<detail::element<Range>, handle<cl_event>>,
                               int> = 0>
    wait_list(const Range &range) {
        if constexpr (std::is_same_v<detail::element<Range>, cl_event>) {
            first_ = std::data(range);
            count_ = std::size(range);
        } else {
            copy(std::data(range), std::size(range));
        }
    }
    wait_list(const wait_list &) = delete;
    wait_list &operator=(const wait_list &) = delete;
    ~wait_list() = default;

    /* NULL if there are none. */
    const cl_event *data() const noexcept {
        return count_ > 0 ? first_ : nullptr;
    }
    std::size_t size() const noexcept {
        return count_;
    }
    /* The size, as C takes it, once check() has not refused it. */
    std::uint32_t count() const noexcept {
        return static_cast<std::uint32_t>(count_);
    }

    result<void> check() const noexcept {
        if (count_ > std::numeric_limits<std::uint32_t>::max())
            return detail::refuse("%zu events are more than OpenCL counts", count_);
        return {};
    }

  private:
    static constexpr std::size_t few = 16;

    template <class Event> void copy(const Event *from, std::size_t count) {
        cl_event *to = few_;
        if (count > few) {
            many_.resize(count);
            to = many_.data();
        }
        for (std::size_t k = 0; k < count; k++) {
            if constexpr (std::is_same_v<Event, handle<cl_event>>)
                to[k] = from[k].get();
            else
                to[k] = detail::unwrap<cl_event>(from[k]);
        }
        first_ = to;
        count_ = count;
    }

    const cl_event *first_ = nullptr;
    std::size_t count_ = 0;
    cl_event few_[few];
    std::vector<cl_event> many_;
};

} // namespace tally

#endif
