/*
 * tally/cpp/scratch.hpp: a scratch that grows. A part of tally/tally.hpp. Enqueues nothing.
 */
#ifndef TALLY_CPP_SCRATCH_HPP
#define TALLY_CPP_SCRATCH_HPP

#include <tally/calls/scratch.h>
#include <tally/cpp/op.hpp>

#include <cstddef>

namespace tally {

/* A scratch buffer that grows: one for each in-order queue. Keeps its runtime. */
class scratch : public detail::owner<tally_scratch> {
  public:
    /* None: calls on it fail as those with NULL do. */
    scratch() noexcept = default;
    /* Take over a scratch from C. */
    explicit scratch(tally_scratch *taken) noexcept : owner(taken) {}

    static result<scratch> try_make(const runtime &in) noexcept {
        tally_scratch *made = nullptr;
        tally_error why{};
        const tally_status code = tally_scratch_create(in.get(), &made, &why);
        return detail::outcome(code, why, scratch(made));
    }

    /* The third view of the operator's next binding, good until the next call. May allocate. */
    result<tally::view> try_view(const op &coming) const noexcept {
        tally::view made;
        tally_error why{};
        const tally_status code = tally_scratch_view(get(), coming.get(), &made, &why);
        return detail::outcome(code, why, made);
    }

    /* Bytes of its buffer by now. */
    std::size_t bytes() const noexcept {
        return tally_scratch_bytes(get());
    }

#if TALLY_HPP_THROWS
    explicit scratch(const runtime &in) : scratch(detail::take(try_make(in))) {}

    tally::view view(const op &coming) const {
        return detail::take(try_view(coming));
    }
#endif
};

} // namespace tally

#endif
