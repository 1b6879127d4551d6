/*
 * tally/cpp/op.hpp: operators. A part of tally/tally.hpp. Knows no scratch but by its view.
 */
#ifndef TALLY_CPP_OP_HPP
#define TALLY_CPP_OP_HPP

#include <tally/cpp/recorded.hpp>
#include <tally/cpp/runtime.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace tally {

/* An operator on tensors of fixed types and shapes, ready to be enqueued. Keeps its runtime. */
class op : public detail::owner<tally_op> {
  public:
    /* None: calls on it fail as those with NULL do. */
    op() noexcept = default;
    /* Take over an operator from C. */
    explicit op(tally_op *taken) noexcept : owner(taken) {}

    static result<op> try_make(const runtime &in, const tally_reduce &what) noexcept {
        return make(tally_reduce_create, in, what);
    }
    static result<op> try_make(const runtime &in, const tally_cumulative &what) noexcept {
        return make(tally_cumulative_create, in, what);
    }
    static result<op> try_make(const runtime &in, const tally_diagonal &what) noexcept {
        return make(tally_diagonal_create, in, what);
    }
    static result<op> try_make(const runtime &in, const tally_desc &what) noexcept {
        return make(tally_op_create, in, what);
    }

    /* A second owner of the same operator. */
    op share() const noexcept {
        tally_op_retain(get());
        return op(get());
    }

    /* Bytes of scratch an enqueue needs, at a multiple of TALLY_SCRATCH_ALIGNMENT. */
    std::size_t scratch_size() const noexcept {
        return tally_op_scratch_size(get());
    }

    /* The plan in words, a line for each launch; ends in a NUL. Lives as long as the operator. */
    std::string_view describe() const noexcept {
        return tally_op_describe(get());
    }

    /*
     * Enqueue the operator; see tally_op_enqueue. *event, if it is given, becomes an event that the
     * caller releases, or that the object releases if it is one to which a cl_event is assigned,
     * such as a cl::Event. On failure a cl_event is NULL, and such an object is left as it is.
     */
    result<void> try_enqueue(const handle<cl_command_queue> &queue, const binding &memory,
                             const wait_list &after = {},
                             cl_event *event = nullptr) const noexcept {
        if (event != nullptr)
            *event = nullptr;
        const result<void> counted = after.check();
        if (!counted)
            return counted;
        tally_error why{};
        const tally_status code =
            tally_op_enqueue(get(), queue.get(), &memory, after.count(), after.data(), event, &why);
        return detail::outcome(code, why);
    }
    template <class Event, std::enable_if_t<!std::is_same_v<Event, cl_event> &&
                                                std::is_assignable_v<Event &, const cl_event &>,
                                            int> = 0>
    result<void> try_enqueue(const handle<cl_command_queue> &queue, const binding &memory,
                             const wait_list &after, Event *event) const {
        cl_event made = nullptr;
        result<void> done = try_enqueue(queue, memory, after, event != nullptr ? &made : nullptr);
        if (done && event != nullptr)
            *event = std::as_const(made);
        return done;
    }

    /* Launches of one enqueue, at most. */
    std::uint32_t launches() const noexcept {
        return tally_op_launches(get());
    }

    /*
     * Enqueue the operator with an event for each launch; the last one completes with the whole
     * operator. The caller releases each cl_event; an Event to which a cl_event is assigned, such
     * as cl::Event, releases it itself: try_enqueue_launches<cl::Event>(queue, memory).
     */
    template <class Event = cl_event>
    result<std::vector<Event>> try_enqueue_launches(const handle<cl_command_queue> &queue,
                                                    const binding &memory,
                                                    const wait_list &after = {}) const {
        const result<void> counted = after.check();
        if (!counted)
            return counted.error();
        std::vector<cl_event> made(launches());
        std::vector<Event> events(made.size());
        std::uint32_t count = 0;
        tally_error why{};
        const tally_status code = tally_op_enqueue_launches(
            get(), queue.get(), &memory, after.count(), after.data(), made.data(), &count, &why);
        for (std::uint32_t k = 0; k < count; k++)
            events[k] = std::as_const(made[k]);
        events.resize(count);
        return detail::outcome(code, why, std::move(events));
    }

    /*
     * Record the operator into a command buffer, behind some sync points of it; see
     * tally_op_record. Returns the operator's own sync point. The operator, the memory and the
     * scratch stay until the command buffer is released.
     */
    result<cl_sync_point_khr> try_record(const handle<cl_command_buffer_khr> &commands,
                                         const handle<cl_command_queue> &queue,
                                         const binding &memory, const cl_sync_point_khr *after,
                                         std::uint32_t count) const noexcept {
        cl_sync_point_khr done = 0;
        tally_error why{};
        const tally_status code =
            tally_op_record(get(), commands.get(), queue.get(), &memory, count, after, &done, &why);
        return detail::outcome(code, why, done);
    }
    result<cl_sync_point_khr>
    try_record(const handle<cl_command_buffer_khr> &commands, const handle<cl_command_queue> &queue,
               const binding &memory,
               std::initializer_list<cl_sync_point_khr> after = {}) const noexcept {
        return try_record(commands, queue, memory, after.size() > 0 ? after.begin() : nullptr,
                          static_cast<std::uint32_t>(after.size()));
    }

    /*
     * Record the operator so that replays can have other memory; see tally_op_record_updatable. Its
     * own sync point goes to *done, unless that is NULL.
     */
    result<recorded> try_record_updatable(const handle<cl_command_buffer_khr> &commands,
                                          const handle<cl_command_queue> &queue,
                                          const binding &memory, const cl_sync_point_khr *after,
                                          std::uint32_t count,
                                          cl_sync_point_khr *done = nullptr) const noexcept {
        tally_recorded *made = nullptr;
        tally_error why{};
        const tally_status code = tally_op_record_updatable(
            get(), commands.get(), queue.get(), &memory, count, after, done, &made, &why);
        return detail::outcome(code, why, recorded(made));
    }
    result<recorded> try_record_updatable(const handle<cl_command_buffer_khr> &commands,
                                          const handle<cl_command_queue> &queue,
                                          const binding &memory,
                                          std::initializer_list<cl_sync_point_khr> after = {},
                                          cl_sync_point_khr *done = nullptr) const noexcept {
        return try_record_updatable(commands, queue, memory,
                                    after.size() > 0 ? after.begin() : nullptr,
                                    static_cast<std::uint32_t>(after.size()), done);
    }

    /* The plan as tally_op_explain has it, with source also the programs: unstable. */
    result<std::string> try_explain(bool source = false) const {
        return detail::text_of([&](detail::writer write, void *user, tally_error *why) {
            return tally_op_explain(get(), source, write, user, why);
        });
    }

#if TALLY_HPP_THROWS
    op(const runtime &in, const tally_reduce &what) : op(detail::take(try_make(in, what))) {}
    op(const runtime &in, const tally_cumulative &what) : op(detail::take(try_make(in, what))) {}
    op(const runtime &in, const tally_diagonal &what) : op(detail::take(try_make(in, what))) {}
    op(const runtime &in, const tally_desc &what) : op(detail::take(try_make(in, what))) {}

    void enqueue(const handle<cl_command_queue> &queue, const binding &memory,
                 const wait_list &after = {}, cl_event *event = nullptr) const {
        detail::take(try_enqueue(queue, memory, after, event));
    }
    template <class Event, std::enable_if_t<!std::is_same_v<Event, cl_event> &&
                                                std::is_assignable_v<Event &, const cl_event &>,
                                            int> = 0>
    void enqueue(const handle<cl_command_queue> &queue, const binding &memory,
                 const wait_list &after, Event *event) const {
        detail::take(try_enqueue(queue, memory, after, event));
    }
    template <class Event = cl_event>
    std::vector<Event> enqueue_launches(const handle<cl_command_queue> &queue,
                                        const binding &memory, const wait_list &after = {}) const {
        return detail::take(try_enqueue_launches<Event>(queue, memory, after));
    }
    cl_sync_point_khr record(const handle<cl_command_buffer_khr> &commands,
                             const handle<cl_command_queue> &queue, const binding &memory,
                             const cl_sync_point_khr *after, std::uint32_t count) const {
        return detail::take(try_record(commands, queue, memory, after, count));
    }
    cl_sync_point_khr record(const handle<cl_command_buffer_khr> &commands,
                             const handle<cl_command_queue> &queue, const binding &memory,
                             std::initializer_list<cl_sync_point_khr> after = {}) const {
        return detail::take(try_record(commands, queue, memory, after));
    }
    recorded record_updatable(const handle<cl_command_buffer_khr> &commands,
                              const handle<cl_command_queue> &queue, const binding &memory,
                              const cl_sync_point_khr *after, std::uint32_t count,
                              cl_sync_point_khr *done = nullptr) const {
        return detail::take(try_record_updatable(commands, queue, memory, after, count, done));
    }
    recorded record_updatable(const handle<cl_command_buffer_khr> &commands,
                              const handle<cl_command_queue> &queue, const binding &memory,
                              std::initializer_list<cl_sync_point_khr> after = {},
                              cl_sync_point_khr *done = nullptr) const {
        return detail::take(try_record_updatable(commands, queue, memory, after, done));
    }
    std::string explain(bool source = false) const {
        return detail::take(try_explain(source));
    }
#endif

  private:
    template <class Desc>
    static result<op> make(tally_status (*create)(tally_runtime *, const Desc *, tally_op **,
                                                  tally_error *),
                           const runtime &in, const Desc &what) noexcept {
        tally_op *made = nullptr;
        tally_error why{};
        const tally_status code = create(in.get(), &what, &made, &why);
        return detail::outcome(code, why, op(made));
    }
};

} // namespace tally

#endif
