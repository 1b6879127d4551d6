/*
 * tally/part.hpp: the calls of tally/part.h for C++17 and later, as tally/tally.hpp has those of
 * tally.h: operators on parts of a problem. part.h says what parts give, and in which order its
 * calls are made. The way of use, of a reduction that is cut into states:
 *
 *   const tally::cut cut = tally::cut_even(sum, tally::any_axis, 4);
 *   for (std::size_t p = 0; p < cut.parts(); p++) {
 *       const tally::op part = tally::make_part(runtime, sum, cut, cut[p]);
 *       part.enqueue(queue, {input_of(p), {states, behind}, scratch.view(part)});
 *       behind += cut.state_bytes_of(p);
 *   }
 *   const tally::op combine = tally::make_combine(runtime, sum, cut, cut.states());
 *   combine.enqueue(queue, {states, output, scratch.view(combine)});
 */
#ifndef TALLY_PART_HPP
#define TALLY_PART_HPP

#include <tally/part.h>
#include <tally/tally.hpp>

namespace tally {

using cut_kind = tally_cut_kind;
inline constexpr std::uint32_t any_axis = TALLY_ANY_AXIS;

/* The packed tensor of a range of an axis: the tensor's type and sizes, but end - begin along it.
 */
inline tensor tensor_range(const tally_tensor &whole, std::uint32_t axis, std::uint64_t begin,
                           std::uint64_t end) noexcept {
    return tally_tensor_range(&whole, axis, begin, end);
}

/*
 * A part: a range of the cut's axis. Without tensors it is a part of the whole's in place. The
 * members input and output point into the part itself once set_input and set_output were called:
 * copies have their own. A pointer that was assigned is copied as it is.
 */
struct part : tally_part {
    part() noexcept : tally_part(detail::sized<tally_part>()) {}
    part(std::uint64_t first, std::uint64_t behind) noexcept : part() {
        begin = first;
        end = behind;
    }
    part(const tally_part &other) noexcept : tally_part(other) {}
    part(const part &other) noexcept
        : tally_part(other), kept_input_(other.kept_input_), kept_output_(other.kept_output_) {
        follow(other);
    }
    part &operator=(const part &other) noexcept {
        static_cast<tally_part &>(*this) = other;
        kept_input_ = other.kept_input_;
        kept_output_ = other.kept_output_;
        follow(other);
        return *this;
    }
    ~part() = default;

    part &set_input(const tally_tensor &read) noexcept {
        kept_input_ = read;
        input = &kept_input_;
        return *this;
    }
    part &set_output(const tally_tensor &written) noexcept {
        kept_output_ = written;
        output = &kept_output_;
        return *this;
    }

  private:
    void follow(const part &other) noexcept {
        if (other.input == &other.kept_input_)
            input = &kept_input_;
        if (other.output == &other.kept_output_)
            output = &kept_output_;
    }
    tally_tensor kept_input_{};
    tally_tensor kept_output_{};
};

/* How a problem is cut, and the bounds of its parts: one more than there are parts. */
struct cut : tally_cut {
    std::vector<std::uint64_t> bounds;

    cut() noexcept : tally_cut(detail::sized<tally_cut>()) {}
    explicit cut(const tally_cut &other, std::vector<std::uint64_t> of_parts = {}) noexcept
        : tally_cut(other), bounds(std::move(of_parts)) {}

    std::size_t parts() const noexcept {
        return bounds.empty() ? 0 : bounds.size() - 1;
    }

    /* A part, of the whole's tensors in place. */
    part operator[](std::size_t index) const noexcept {
        return {bounds[index], bounds[index + 1]};
    }

    /* The states that a range, a part and all parts have, of each line. */
    std::uint64_t states_between(std::uint64_t begin, std::uint64_t end) const noexcept {
        return tally_cut_states(this, begin, end);
    }
    std::uint64_t states_of(std::size_t index) const noexcept {
        return states_between(bounds[index], bounds[index + 1]);
    }
    std::uint64_t states() const noexcept {
        std::uint64_t all = 0;
        for (std::size_t p = 0; p < parts(); p++)
            all += states_of(p);
        return all;
    }

    /* Bytes of a part's states, of all lines; those of the next part lie behind them. */
    std::uint64_t state_bytes_of(std::size_t index) const noexcept {
        return states_of(index) * lines * state_bytes;
    }
};

/* Cut the problem of a description into so many parts; see tally_cut_even. */
inline result<cut> try_cut_even(const tally_desc &whole, std::uint32_t axis, std::uint32_t parts) {
    const bool legal =
        parts <= static_cast<std::uint32_t>(std::numeric_limits<std::int32_t>::max());
    std::vector<std::uint64_t> bounds(legal ? static_cast<std::size_t>(parts) + 1 : 1);
    tally_cut made = detail::sized<tally_cut>();
    tally_error why{};
    const tally_status code = tally_cut_even(&whole, axis, parts, bounds.data(), &made, &why);
    return detail::outcome(code, why, cut(made, std::move(bounds)));
}

/* The same with given bounds, one more than there are parts; see tally_cut_at. */
inline result<cut> try_cut_at(const tally_desc &whole, std::uint32_t axis,
                              std::vector<std::uint64_t> bounds) {
    if (bounds.size() < 2 || bounds.size() - 1 > std::numeric_limits<std::uint32_t>::max())
        return detail::refuse("there are %zu bounds, but one more than parts is wanted",
                              bounds.size());
    tally_cut made = detail::sized<tally_cut>();
    tally_error why{};
    const tally_status code = tally_cut_at(
        &whole, axis, static_cast<std::uint32_t>(bounds.size() - 1), bounds.data(), &made, &why);
    return detail::outcome(code, why, cut(made, std::move(bounds)));
}

/* Make the operator of a part, which gives its results or its states; see tally_part_create. */
inline result<op> try_make_part(const runtime &in, const tally_desc &whole, const tally_cut &how,
                                const part &which) noexcept {
    tally_op *made = nullptr;
    tally_error why{};
    const tally_status code = tally_part_create(in.get(), &whole, &how, &which, &made, &why);
    return detail::outcome(code, why, op(made));
}

/* Make the operator that combines states; see tally_combine_create. */
inline result<op> try_make_combine(const runtime &in, const tally_desc &whole, const tally_cut &how,
                                   std::uint64_t states) noexcept {
    tally_op *made = nullptr;
    tally_error why{};
    const tally_status code = tally_combine_create(in.get(), &whole, &how, states, &made, &why);
    return detail::outcome(code, why, op(made));
}

/* Make the operator that scans a part from its carry on; see tally_part_scan_create. */
inline result<op> try_make_part_scan(const runtime &in, const tally_desc &whole,
                                     const tally_cut &how, const part &which) noexcept {
    tally_op *made = nullptr;
    tally_error why{};
    const tally_status code = tally_part_scan_create(in.get(), &whole, &how, &which, &made, &why);
    return detail::outcome(code, why, op(made));
}

/* The memory of one enqueue of a part's scan. */
struct part_binding : tally_part_binding {
    part_binding() noexcept : tally_part_binding(detail::sized<tally_part_binding>()) {}
    part_binding(const tally_part_binding &other) noexcept : tally_part_binding(other) {}
    part_binding(const tally::binding &memory, const view &carry_at) noexcept : part_binding() {
        binding = memory;
        carry = carry_at;
    }
};

/* Enqueue an operator of try_make_part_scan; see tally_part_enqueue, and of *event op::try_enqueue.
 */
inline result<void> try_enqueue_part(const op &scan, const handle<cl_command_queue> &queue,
                                     const part_binding &memory, const wait_list &after = {},
                                     cl_event *event = nullptr) noexcept {
    if (event != nullptr)
        *event = nullptr;
    const result<void> counted = after.check();
    if (!counted)
        return counted;
    tally_error why{};
    const tally_status code = tally_part_enqueue(scan.get(), queue.get(), &memory, after.count(),
                                                 after.data(), event, &why);
    return detail::outcome(code, why);
}
template <class Event, std::enable_if_t<!std::is_same_v<Event, cl_event> &&
                                            std::is_assignable_v<Event &, const cl_event &>,
                                        int> = 0>
result<void> try_enqueue_part(const op &scan, const handle<cl_command_queue> &queue,
                              const part_binding &memory, const wait_list &after, Event *event) {
    cl_event made = nullptr;
    result<void> done =
        try_enqueue_part(scan, queue, memory, after, event != nullptr ? &made : nullptr);
    if (done && event != nullptr)
        *event = std::as_const(made);
    return done;
}

#if TALLY_HPP_THROWS
inline cut cut_even(const tally_desc &whole, std::uint32_t axis, std::uint32_t parts) {
    return detail::take(try_cut_even(whole, axis, parts));
}
inline cut cut_at(const tally_desc &whole, std::uint32_t axis, std::vector<std::uint64_t> bounds) {
    return detail::take(try_cut_at(whole, axis, std::move(bounds)));
}
inline op make_part(const runtime &in, const tally_desc &whole, const tally_cut &how,
                    const part &which) {
    return detail::take(try_make_part(in, whole, how, which));
}
inline op make_combine(const runtime &in, const tally_desc &whole, const tally_cut &how,
                       std::uint64_t states) {
    return detail::take(try_make_combine(in, whole, how, states));
}
inline op make_part_scan(const runtime &in, const tally_desc &whole, const tally_cut &how,
                         const part &which) {
    return detail::take(try_make_part_scan(in, whole, how, which));
}
inline void enqueue_part(const op &scan, const handle<cl_command_queue> &queue,
                         const part_binding &memory, const wait_list &after = {},
                         cl_event *event = nullptr) {
    detail::take(try_enqueue_part(scan, queue, memory, after, event));
}
template <class Event, std::enable_if_t<!std::is_same_v<Event, cl_event> &&
                                            std::is_assignable_v<Event &, const cl_event &>,
                                        int> = 0>
void enqueue_part(const op &scan, const handle<cl_command_queue> &queue, const part_binding &memory,
                  const wait_list &after, Event *event) {
    detail::take(try_enqueue_part(scan, queue, memory, after, event));
}
#endif

} // namespace tally

#endif
