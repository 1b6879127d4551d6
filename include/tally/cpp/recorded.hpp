/*
 * tally/cpp/recorded.hpp: what was recorded of an operator, to be given other memory. A part of
 * tally/tally.hpp. Records nothing.
 */
#ifndef TALLY_CPP_RECORDED_HPP
#define TALLY_CPP_RECORDED_HPP

#include <tally/calls/recording.h>
#include <tally/cpp/memory.hpp>
#include <tally/cpp/owner.hpp>

#include <cstddef>

namespace tally {

/*
 * What op::record_updatable recorded, to be given other memory. Keeps its operator. The command
 * buffer is the caller's, and there is no update after its release.
 */
class recorded : public detail::owner<tally_recorded> {
  public:
    /* None: calls on it fail as those with NULL do. */
    recorded() noexcept = default;
    /* Take over what was recorded from C. */
    explicit recorded(tally_recorded *taken) noexcept : owner(taken) {}

    /* Replays that are enqueued later have this memory; see tally_recorded_update. */
    result<void> try_update(const binding &memory) const noexcept {
        tally_recorded *const own = get();
        return try_update(&own, &memory, 1);
    }
    /* The same of several recordings of one command buffer, by one call: all of them or none. */
    static result<void> try_update(tally_recorded *const *all, const tally_binding *memory,
                                   std::size_t count) noexcept {
        tally_error why{};
        const tally_status code = tally_recorded_update(all, memory, count, &why);
        return detail::outcome(code, why);
    }

#if TALLY_HPP_THROWS
    void update(const binding &memory) const {
        detail::take(try_update(memory));
    }
    static void update(tally_recorded *const *all, const tally_binding *memory, std::size_t count) {
        detail::take(try_update(all, memory, count));
    }
#endif
};

} // namespace tally

#endif
